// Libraries of user programs are looked at before any of their code runs: any bytes at all.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "lib/sim/program/native/library.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto check = simbatch::sim::check_library({reinterpret_cast<const char*>(data), size});
  if (check.problem && (check.problem->code == nullptr || check.problem->message.empty())) std::abort();
  return 0;
}
