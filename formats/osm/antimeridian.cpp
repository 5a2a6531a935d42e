#include "formats/osm/antimeridian.hpp"

#include <cstdint>
#include <cstdlib>

namespace simbatch::osm {
namespace {
constexpr std::int32_t kNear = 170, kFarHalf = 90;  // degrees
constexpr std::int32_t kDegree = 10'000'000;
}  // namespace

bool crosses_antimeridian(const Model& map) {
  bool east = false, west = false;
  for (const LatLon at : map.node_positions) {
    if (std::abs(at.lon_e7) < kFarHalf * kDegree) return false;
    east = east || at.lon_e7 > kNear * kDegree;
    west = west || at.lon_e7 < -kNear * kDegree;
  }
  return east && west;
}

}  // namespace simbatch::osm
