// Lines of controllers: any bytes are read or refused, and what is read keeps to what the header says.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "lib/sim/program/command/requests.hpp"

using namespace simbatch;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto parsed = sim::parse_requests(text);
  if (const auto* line = std::get_if<sim::RequestLine>(&parsed)) {
    if (!line->batch && line->requests.size() != 1) std::abort();
    for (const sim::Request& request : line->requests)
      if (!(request.number >= 0) || (request.verb != sim::Verb::set && !request.values.empty())) std::abort();
  } else if (std::get<std::string>(parsed).empty()) {
    std::abort();
  }
  return 0;
}
