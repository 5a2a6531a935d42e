#pragma once
/// Limits on time and memory for laying out roads, so that a small file cannot take minutes or gigabytes.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "base/geo/geo.hpp"
#include "lib/roads/road_lines.hpp"

namespace simbatch::roads {

/// Each limit is one for all roads together plus one for each point of their lines (for each piece, in road_meshes()).
struct Effort {
  /// Number of comparisons of two pieces of road, about 7 ns each. The meshes of towns need 900 to 1,400 per piece.
  std::int64_t for_all = 20'000'000, for_each = 6'000;
  /// Bytes that are added by cutting lines into shorter pieces.
  std::int64_t bytes_for_all = 300'000'000, bytes_for_each = 2'500;
  /// Length (m). Real maps have a point every 10 to 100 m.
  double meters_for_all = 50'000'000, meters_for_each = 200;
  std::size_t entries = 32'000'000;  ///< maximum size of an index: up to 512 MB
};

/// The remaining part of an Effort, shared by the steps that lay out the roads of a map: all of them give up once it is used up.
/// Copies share it, as a handle; so the steps take it as const. One made without roads has no limits.
class Budget {
 public:
  Budget() = default;
  /// Used up from the beginning if the roads are too long.
  explicit Budget(const std::vector<Road>& roads, const Effort& effort = {});
  /// For so many pieces, of any length.
  Budget(std::size_t pieces, const Effort& effort);
  /// Where it was used up, roughly.
  const std::optional<geo::EastNorth>& crowded() const { return left_->crowded; }
  /// These return false once it is used up.
  bool take(std::uint64_t comparisons, geo::EastNorth place) const;
  bool hold(std::uint64_t bytes, geo::EastNorth place) const;
  bool fits(std::size_t entries, geo::EastNorth place) const;
  /// Counts points at which lines are cut into shorter pieces. Each of them allows for half as many comparisons as a point of the
  /// map does.
  bool cut(std::uint64_t points, std::uint64_t bytes_each, geo::EastNorth place) const;
  /// Takes back what cut() did.
  void join(std::uint64_t points, std::uint64_t bytes_each) const;

 private:
  bool check(bool is_good, geo::EastNorth place) const;
  struct Left {
    std::int64_t comparisons = std::numeric_limits<std::int64_t>::max() / 2, bytes = comparisons;
    std::optional<geo::EastNorth> crowded;
  };
  std::shared_ptr<Left> left_ = std::make_shared<Left>();
  std::int64_t for_each_ = 0;
  std::size_t entries_ = std::numeric_limits<std::size_t>::max();
};

/// Approximate memory of a point of a line until it has become triangles: on the ground, and raised or lowered with walls.
inline constexpr std::uint64_t kGroundPointBytes = 320, kLevelPointBytes = 5'000;
/// Of a piece of road with a width of its own.
inline constexpr std::uint64_t kRoadBytes = 400;

}  // namespace simbatch::roads
