// Clipping by half planes, one after the other: Sutherland and Hodgman, Reentrant polygon clipping, 1974; areas by the shoelace
// formula (Gauss). A convex piece is subtracted one side at a time: each side splits off the part of the polygon that lies
// outside it, and the rest is clipped by the next side.
#include "lib/roads/convex.hpp"

#include <algorithm>
#include <cmath>

#include "base/geo/cell_key.hpp"
#include "base/geo/ring.hpp"

namespace simbatch::roads::detail {

double length(EastNorth a) { return std::sqrt(dot(a, a)); }
double distance(EastNorth a, EastNorth b) { return length(minus(a, b)); }
EastNorth unit(EastNorth a) {
  const double l = length(a);
  return l > 0 ? times(1 / l, a) : EastNorth{0, 1};
}

double twice_area(std::span<const EastNorth> polygon) {
  double sum = 0;
  for (std::size_t i = 2; i < polygon.size(); ++i) sum += twice_area(polygon[0], polygon[i - 1], polygon[i]);
  return sum;
}

bool contains(const Polygon& polygon, EastNorth p) {
  bool inside = false;
  for (std::size_t i = 0, k = polygon.size() - 1; i < polygon.size(); k = i++) {
    if (geo::is_crossed_eastward(polygon[i], polygon[k], p)) inside = !inside;
  }
  return inside;
}

bool is_convex(std::span<const EastNorth> polygon) {
  const std::size_t n = polygon.size();
  for (std::size_t i = 0; i < n; ++i)
    if (twice_area(polygon[i], polygon[(i + 1) % n], polygon[(i + 2) % n]) < 0) return false;
  return n >= 3;
}

void clip(const Polygon& polygon, EastNorth a, EastNorth b, bool keep_left, Polygon& out) {
  out.clear();
  const EastNorth direction = keep_left ? minus(b, a) : minus(a, b);
  const auto side = [&](EastNorth p) { return cross(direction, minus(p, a)); };
  const std::size_t n = polygon.size();
  for (std::size_t i = 0; i < n; ++i) {
    const EastNorth p = polygon[i], q = polygon[(i + 1) % n];
    const double sp = side(p), sq = side(q);
    if (sp >= 0) out.push_back(p);
    if ((sp > 0 && sq < 0) || (sp < 0 && sq > 0)) out.push_back(plus(p, times(sp / (sp - sq), minus(q, p))));
  }
  if (out.size() < 3) out.clear();
}

Box box_of(std::span<const EastNorth> polygon) {
  Box box{polygon[0], polygon[0]};
  for (const EastNorth p : polygon) {
    box.low = {std::min(box.low.east, p.east), std::min(box.low.north, p.north)};
    box.high = {std::max(box.high.east, p.east), std::max(box.high.north, p.north)};
  }
  return box;
}

Piece piece_of(const Polygon& polygon) {
  Piece piece;
  piece.count = static_cast<std::uint8_t>(std::min<std::size_t>(polygon.size(), 4));
  std::copy_n(polygon.begin(), piece.count, piece.corners);
  return piece;
}

bool interval_in(const Piece& piece, EastNorth a, EastNorth b, double& from, double& to) {
  from = 0;
  to = 1;
  const EastNorth d = minus(b, a);
  for (std::size_t i = 0; i < piece.count; ++i) {
    const EastNorth p = piece.corners[i], edge = minus(piece.corners[(i + 1) % piece.count], p);
    const double at_a = cross(edge, minus(a, p)), slope = cross(edge, d);
    if (std::fabs(slope) < 1e-12) {
      if (at_a < 0) return false;
    } else if (slope > 0) {
      from = std::max(from, -at_a / slope);
    } else {
      to = std::min(to, -at_a / slope);
    }
  }
  return from < to;
}

bool subtract(std::vector<Polygon>& parts, const Piece& cutter) {
  // Polygons outside the cutter's box are never changed below.
  const Box box = box_of(cutter.span());
  const auto is_near = [&](const Polygon& part) { return box.touches(box_of(part)); };
  if (std::none_of(parts.begin(), parts.end(), is_near)) return false;
  bool any = false;
  std::vector<Polygon> result;
  Polygon inside, outside, rest;
  for (Polygon& part : parts) {
    if (!is_near(part)) {
      result.push_back(std::move(part));
      continue;
    }
    inside = part;
    const auto corners = cutter.span();
    const std::size_t n = corners.size();
    for (std::size_t i = 0; i < n && !inside.empty(); ++i) {
      clip(inside, corners[i], corners[(i + 1) % n], true, rest);
      std::swap(inside, rest);
    }
    if (inside.empty() || twice_area(inside) < 2 * kSliver) {
      result.push_back(std::move(part));
      continue;
    }
    any = true;
    inside = std::move(part);
    for (std::size_t i = 0; i < n && !inside.empty(); ++i) {
      clip(inside, corners[i], corners[(i + 1) % n], false, outside);
      if (!outside.empty() && twice_area(outside) > 2 * kSliver) result.push_back(outside);
      clip(inside, corners[i], corners[(i + 1) % n], true, rest);
      std::swap(inside, rest);
    }
  }
  parts = std::move(result);
  return any;
}

std::int32_t PieceIndex::cell_of(double value) const {
  return static_cast<std::int32_t>(std::floor(std::clamp(value / cell_, -1e9, 1e9)));
}

namespace {
constexpr std::int32_t kWide = 64;  // minimum number of cells in a row for an exact test against the piece
}  // namespace

void PieceIndex::add(const Piece& piece) {
  const auto number = static_cast<std::uint32_t>(pieces_.size());
  pieces_.push_back(piece);
  const auto [low, high] = boxes_.emplace_back(box_of(piece.span()));
  // A long slanted piece is entered only into cells near it: its bounding box would be mostly empty, and a single distant node
  // would make that box larger than any map.
  const double reach = cell_ * 0.75;
  const std::int32_t first_row = cell_of(low.north), last_row = cell_of(high.north);
  for (std::int32_t row = first_row; row <= last_row; ++row) {
    std::int32_t column = cell_of(low.east), last_column = cell_of(high.east);
    if (last_column - column > kWide && last_row > first_row) {
      // The part of the piece in this row and its neighbors covers all cells of the row near the piece.
      double west = high.east, east = low.east;
      const double south = (row - 1.0) * cell_, north = (row + 2.0) * cell_;
      for (std::size_t i = 0; i < piece.count; ++i) {
        const EastNorth a = piece.corners[i], b = piece.corners[(i + 1) % piece.count];
        const double rise = b.north - a.north;
        double from = 0, to = 1;  // along the edge, between the two lines
        if (rise != 0) {
          from = std::clamp((south - a.north) / rise, 0.0, 1.0);
          to = std::clamp((north - a.north) / rise, 0.0, 1.0);
        }
        if (std::max(a.north, b.north) < south || std::min(a.north, b.north) > north) continue;
        for (const double t : {from, to}) {
          west = std::min(west, a.east + t * (b.east - a.east));
          east = std::max(east, a.east + t * (b.east - a.east));
        }
      }
      column = std::max(column, cell_of(west - 2 * cell_));
      last_column = std::min(last_column, cell_of(east + 2 * cell_));
    }
    for (; column <= last_column; ++column) {
      const EastNorth middle{(column + 0.5) * cell_, (row + 0.5) * cell_};
      bool is_far = false;
      for (std::size_t i = 0; i < piece.count && !is_far; ++i) {
        const EastNorth a = piece.corners[i], b = piece.corners[(i + 1) % piece.count];
        is_far = cross(unit(minus(b, a)), minus(middle, a)) < -reach;
      }
      if (!is_far) entries_.emplace_back(geo::cell_key(row, column), number);
    }
  }
}

void PieceIndex::reserve(std::size_t pieces) {
  pieces_.reserve(pieces);
  boxes_.reserve(pieces);
}

void PieceIndex::build() {
  entries_.shrink_to_fit();
  std::sort(entries_.begin(), entries_.end());
  met_.assign(pieces_.size(), 0);
}

/// Calls use(piece's number) for each piece with a cell in the box, once each.
template <class Use>
void PieceIndex::visit(const Box& box, Use use) const {
  ++queries_;
  const auto meet = [&](std::uint32_t number) {
    ++looked_at_;
    if (met_[number] != queries_) use(number);
    met_[number] = queries_;
  };
  const std::int32_t first_row = cell_of(box.low.north), first_column = cell_of(box.low.east);
  const std::int32_t last_row = cell_of(box.high.north), last_column = cell_of(box.high.east);
  if (const double all = (last_row - first_row + 1.0) * (last_column - first_column + 1.0);
      all > 64 && 16 * all > static_cast<double>(entries_.size())) {
    // Looking up so many cells takes longer than scanning all entries.
    looked_at_ += entries_.size() / 8;
    for (const auto& [key, number] : entries_) {
      const auto row = static_cast<std::int32_t>(key >> 32), column = static_cast<std::int32_t>(key & 0xffffffffu);
      if (row >= first_row && row <= last_row && column >= first_column && column <= last_column) meet(number);
    }
    return;
  }
  for (std::int32_t row = first_row; row <= last_row; ++row)
    for (std::int32_t column = first_column; column <= last_column; ++column) {
      const std::uint64_t key = geo::cell_key(row, column);
      for (auto at = std::lower_bound(entries_.begin(), entries_.end(), std::pair{key, 0u});
           at != entries_.end() && at->first == key; ++at)
        meet(at->second);
    }
}

const std::vector<std::uint32_t>& PieceIndex::near(const Box& box) const {
  found_.clear();
  visit(box, [&](std::uint32_t number) {
    if (boxes_[number].touches(box)) found_.push_back(number);
  });
  std::sort(found_.begin(), found_.end());
  return found_;
}

bool PieceIndex::covers(EastNorth place, double tolerance) const {
  bool any = false;
  visit({place, place}, [&](std::uint32_t number) {
    const Piece& piece = pieces_[number];
    bool is_inside = !any;
    for (std::size_t i = 0; i < piece.count && is_inside; ++i) {
      const EastNorth a = piece.corners[i], b = piece.corners[(i + 1) % piece.count];
      is_inside = cross(minus(b, a), minus(place, a)) >= -tolerance * distance(a, b);
    }
    any = any || is_inside;
  });
  return any;
}

}  // namespace simbatch::roads::detail
