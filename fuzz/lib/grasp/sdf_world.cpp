// SDFormat worlds with a GraspIt! world in them: what is read is written and read again as the same.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "formats/graspit/graspit.hpp"
#include "lib/grasp/export.hpp"

using namespace simbatch;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto parsed = grasp::world_from_sdf({reinterpret_cast<const char*>(data), size}, "fuzz.sdf");
  if (!parsed.value || parsed.diagnostics.has_errors()) return 0;
  const std::string xml = graspit::write_world_xml(*parsed.value);
  const auto again = graspit::read_world_xml(xml, "again.xml");
  if (!again.value || graspit::write_world_xml(*again.value) != xml) std::abort();
  return 0;
}
