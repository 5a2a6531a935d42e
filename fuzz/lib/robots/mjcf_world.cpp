#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "formats/mjcf/mjcf.hpp"
#include "lib/robots/from_mjcf.hpp"
#include "lib/robots/to_autosim.hpp"

// What is read without an error becomes a world.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace simbatch;
  const auto read = mjcf::read_mjcf({reinterpret_cast<const char*>(data), size}, "fuzz", nullptr);
  if (!read.ok()) return 0;
  Diagnostics problems;
  const robots::World world = robots::from_mjcf(*read.value, nullptr, problems);
  (void)robots::to_autosim(
      world, "fuzz", [](const std::string& name, const std::string&, Position) { return std::optional(name); }, problems);
  return 0;
}
