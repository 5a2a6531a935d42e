#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "lib/roads/hgt.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace simbatch;
  using namespace simbatch::roads;
  // The name from the data; the values repeated to the size of a tile, or not.
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string name(text.substr(0, 11));
  std::string bytes(text.substr(name.size()));
  if (!bytes.empty() && bytes.back() % 2 == 0) {
    const std::string pattern = bytes;
    while (bytes.size() < 2 * 1201 * 1201) bytes += pattern;
    bytes.resize(2 * 1201 * 1201);
  }
  const auto tile = read_hgt(bytes, name);
  if (!tile.ok()) return 0;
  std::size_t missing = 0;
  const HeightGrid grid = terrain_of({*tile.value}, geo::LocalFrame({tile.value->lat + 0.5, tile.value->lon + 0.5}),
                                     {.spacing = 4, .width = 64, .height = 64}, missing);
  if (grid.heights.size() != 17 * 17) std::abort();
  return 0;
}
