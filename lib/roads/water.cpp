// Our own method: what is left beside an opening is cut by its outline, and by a strip along each of its sides.
#include "lib/roads/water.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "lib/roads/convex.hpp"

namespace simbatch::roads {
namespace {
using detail::EastNorth;
using detail::Polygon;

constexpr double kBankPart = 2;                  // m
constexpr double kTroughWall = 0.3;              // m
constexpr std::size_t kMostSquares = 4'000'000;  // for all areas of water together; what exceeds it is left out

int water_square(double m) {
  constexpr double kSquare = 32;  // m
  return static_cast<int>(std::floor(std::clamp(m, -1e8, 1e8) / kSquare));
}

/// A convex polygon as pieces of at most 4 corners.
void add_pieces(const Polygon& polygon, const MapPart& of, std::vector<MapPart>& to) {
  for (std::size_t k = 1; k + 1 < polygon.size(); k += 2) {
    MapPart part = of;
    part.outline = {polygon[0], polygon[k], polygon[k + 1]};
    if (k + 2 < polygon.size()) part.outline.push_back(polygon[k + 2]);
    if (detail::twice_area(part.outline) > 2 * detail::kSliver) to.push_back(std::move(part));
  }
}

/// The opening, and the ground that the walls along its sides take.
detail::PieceIndex troughs_of(const std::vector<Polygon>& openings) {
  detail::PieceIndex index;
  for (const Polygon& opening : openings) {
    index.add(detail::piece_of(opening));
    for (std::size_t i = 0; i < opening.size(); ++i) {
      const EastNorth a = opening[i], b = opening[(i + 1) % opening.size()];
      if (detail::distance(a, b) < kTroughWall) continue;
      const EastNorth along = detail::times(kTroughWall, detail::unit(detail::minus(b, a))),
                      out = detail::times(-1, detail::left_of(along)), from = detail::minus(a, along),
                      to = detail::plus(b, along);
      index.add(detail::piece_of({from, detail::plus(from, out), detail::plus(to, out), to}));
    }
  }
  index.build();
  return index;
}

}  // namespace

OpenWater beside_openings(const std::vector<MapPart>& water, const std::vector<Polygon>& openings, const Budget& budget) {
  OpenWater result;
  const detail::PieceIndex troughs = troughs_of(openings);
  std::vector<Polygon> parts;
  for (const MapPart& part : water) {
    parts.assign(1, part.outline);
    bool is_cut = false;
    for (const std::uint32_t n : troughs.near(detail::box_of(part.outline))) {
      if (!budget.take(parts.size(), part.outline[0])) return result;
      is_cut = detail::subtract(parts, troughs[n]) || is_cut;
    }
    if (!is_cut) {
      result.parts.push_back(part);
      continue;
    }
    result.cut += detail::twice_area(part.outline) / 2;
    for (const Polygon& rest : parts) {
      result.cut -= detail::twice_area(rest) / 2;
      add_pieces(rest, part, result.parts);
    }
  }
  return result;
}

Water::Water(const std::vector<MapPart>& parts, const std::vector<MapPart>& open, const HeightGrid& terrain, double level) {
  std::map<std::uint32_t, double> lowest = lowest_ground(parts, terrain);
  for (const MapPart& part : open) {
    const auto [low, high] = detail::box_of(part.outline);
    const std::size_t squares = static_cast<std::size_t>(water_square(high.north) - water_square(low.north) + 1) *
                                static_cast<std::size_t>(water_square(high.east) - water_square(low.east) + 1);
    if (cells_.size() + squares > kMostSquares) continue;
    for (int row = water_square(low.north); row <= water_square(high.north); ++row)
      for (int column = water_square(low.east); column <= water_square(high.east); ++column)
        cells_.push_back({{row, column}, static_cast<std::uint32_t>(parts_.size())});
    parts_.push_back({part.outline, lowest[part.area] + level, low, high});
  }
  std::sort(cells_.begin(), cells_.end());
  for (const Part& part : parts_) {
    const auto at = [&](EastNorth p) { return geo::Vec3{p.east, part.level - kWaterDepth, p.north}; };
    for (std::size_t i = 2; i < part.outline.size(); ++i)
      bed_.add(at(part.outline[0]), at(part.outline[i]), at(part.outline[i - 1]));
    add_banks(part, terrain);
  }
}

template <class Use>
void Water::near(EastNorth p, Use use) const {
  const std::pair<int, int> square{water_square(p.north), water_square(p.east)};
  for (auto entry = std::lower_bound(cells_.begin(), cells_.end(), std::pair(square, 0U));
       entry != cells_.end() && entry->first == square; ++entry) {
    const Part& part = parts_[entry->second];
    if (p.east < part.low.east || p.east > part.high.east || p.north < part.low.north || p.north > part.high.north) continue;
    bool is_in = true;
    for (std::size_t i = 0; i < part.outline.size() && is_in; ++i)
      is_in = detail::twice_area(part.outline[i], part.outline[(i + 1) % part.outline.size()], p) >= 0;
    if (is_in) use(part);
  }
}

bool Water::covers(EastNorth p) const {
  bool is_covered = false;
  near(p, [&](const Part&) { is_covered = true; });
  return is_covered;
}

std::optional<double> Water::level_at(geo::Vec3 place) const {
  std::optional<double> level;
  near({place.x, place.z}, [&](const Part& part) {
    if (place.y >= part.level - kWaterDepth) level = level ? std::max(*level, part.level) : part.level;
  });
  return level;
}

std::vector<std::vector<EastNorth>> Water::openings() const {
  std::vector<std::vector<EastNorth>> openings;
  for (const Part& part : parts_) openings.push_back(part.outline);
  return openings;
}

geo::TriangleMesh Water::surface() const {
  geo::TriangleMesh mesh;
  for (const Part& part : parts_) {
    const auto first = static_cast<std::uint32_t>(mesh.points.size());
    const auto corners = static_cast<std::uint32_t>(part.outline.size());
    for (const EastNorth p : part.outline) mesh.points.push_back({p.east, part.level, p.north});
    for (std::uint32_t i = 2; i < corners; ++i) mesh.indices.insert(mesh.indices.end(), {first, first + i, first + i - 1});
  }
  return mesh;
}

/// Adds banks along the sides that do not border other water.
void Water::add_banks(const Part& part, const HeightGrid& terrain) {
  for (std::size_t i = 0; i < part.outline.size(); ++i) {
    const EastNorth a = part.outline[i], d = detail::minus(part.outline[(i + 1) % part.outline.size()], a);
    const EastNorth out = detail::times(-0.05, detail::left_of(detail::unit(d)));
    const int n = std::clamp(static_cast<int>(std::ceil(detail::length(d) / kBankPart)), 1, 10'000);
    for (int k = 0; k < n; ++k) {
      const EastNorth p = detail::plus(a, detail::times(static_cast<double>(k) / n, d)),
                      q = detail::plus(a, detail::times(static_cast<double>(k + 1) / n, d));
      if (covers(detail::plus(detail::times(0.5, detail::plus(p, q)), out))) continue;
      const double bottom = part.level - kWaterDepth;
      const geo::Vec3 low_p{p.east, bottom, p.north}, low_q{q.east, bottom, q.north},
          high_p{p.east, height_at(terrain, p.east, p.north), p.north},
          high_q{q.east, height_at(terrain, q.east, q.north), q.north};
      bed_.add(low_p, high_q, low_q);
      bed_.add(low_p, high_p, high_q);
    }
  }
}

}  // namespace simbatch::roads
