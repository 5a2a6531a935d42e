#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "lib/roads/terrain.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace simbatch::roads;
  const auto map = read_height_map({reinterpret_cast<const char*>(data), size}, "fuzz.png");
  if (!map.ok()) return 0;
  const HeightGrid grid = terrain_of(*map.value, {.spacing = 4, .width = 64, .height = 64});
  if (grid.heights.size() != 17 * 17) std::abort();
  return 0;
}
