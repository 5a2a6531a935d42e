// Any bytes as a world, in text or XML: reading ends; a clean one writes and reads back the same.
#include <cstdint>
#include <cstdlib>

#include "formats/graspit/graspit.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace simbatch::graspit;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)read_world_xml(text, "fuzz.xml");
  (void)read_robot_xml(text, "fuzz.xml");
  (void)read_body_xml(text, "fuzz.xml");
  (void)read_wld(text, Reading::loader, "fuzz.wld");
  const auto world = read_wld(text, Reading::forgiving, "fuzz.wld");
  if (!world.ok() || !world.diagnostics.empty()) return 0;
  if (*read_wld(write_wld(*world.value), Reading::loader, "again.wld").value != *world.value) std::abort();
  return 0;
}
