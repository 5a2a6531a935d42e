// What is read without diagnostics must be writable, and read back to the same text. (A kept line may be a known one in another
// block.)
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "formats/rndf/rndf.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace simbatch::rndf;
  auto first = read_mdf({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!first.value) return first.diagnostics.has_errors() ? 0 : (std::abort(), 1);
  const bool clean = first.diagnostics.empty();
  check(*first.value, nullptr, first.diagnostics);
  const std::string text = write_mdf(*first.value);
  const auto second = read_mdf(text, "again");
  if (!second.value || !clean) return 0;
  if (write_mdf(*second.value) != text) std::abort();
  return 0;
}
