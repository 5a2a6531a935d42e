// Any bytes as a robot: reading ends; a clean one writes and reads back the same, as text and as XML.
#include <cstdint>
#include <cstdlib>

#include "formats/graspit/graspit.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace simbatch::graspit;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)read_cfg(text, Reading::loader, "fuzz.cfg");
  const auto robot = read_cfg(text, Reading::forgiving, "fuzz.cfg");
  if (!robot.ok() || !robot.diagnostics.empty()) return 0;
  if (*read_cfg(write_cfg(*robot.value), Reading::loader, "again.cfg").value != *robot.value) std::abort();
  return 0;
}
