// Any bytes as a body header: reading ends; what set_body_header writes reads back.
#include <cstdint>
#include <cstdlib>

#include "formats/graspit/graspit.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace simbatch::graspit;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)read_body_header(text, Reading::forgiving, "fuzz.iv");
  const auto body = read_body_header(text, Reading::loader, "fuzz.iv");
  if (!body.ok()) return 0;
  const std::string again = set_body_header(text, *body.value);
  if (*read_body_header(again, Reading::loader, "again.iv").value != *body.value) std::abort();
  return 0;
}
