// A quadtree (Finkel and Bentley 1974): squares without coastline are sea or land as a whole, by the nearest of the pieces in the
// square above; no piece lies between them, since both are in that square. Squares with one piece, or with two that meet, are
// clipped; others are divided.
#include "lib/roads/sea.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "lib/roads/convex.hpp"

namespace simbatch::roads {
namespace {

using namespace detail;
using Pieces = std::vector<std::uint32_t>;

constexpr double kSame = 1e-6;  // m: distances that differ by less are those of one corner

class Divider {
 public:
  explicit Divider(const std::vector<CoastPiece>& coast) : coast_(coast) {}

  std::vector<Polygon> run(const Box& box) {
    Pieces all;
    for (std::uint32_t i = 0; i < coast_.size(); ++i)
      if (distance(coast_[i].from, coast_[i].to) > kSame) all.push_back(i);
    if (!all.empty()) divide(box, all, nullptr);
    return std::move(parts_);
  }

 private:
  /// The part of a piece in a box, if it has a length.
  std::optional<CoastPiece> clipped(std::uint32_t n, const Box& box) const {
    const CoastPiece& piece = coast_[n];
    const EastNorth d = minus(piece.to, piece.from);
    double begin = 0, end = 1;
    const auto cut = [&](double from, double step, double low, double high) {
      if (step == 0) {
        if (from < low || from > high) end = -1;
        return;
      }
      const double a = (low - from) / step, b = (high - from) / step;
      begin = std::max(begin, std::min(a, b));
      end = std::min(end, std::max(a, b));
    };
    cut(piece.from.east, d.east, box.low.east, box.high.east);
    cut(piece.from.north, d.north, box.low.north, box.high.north);
    if (!((end - begin) * length(d) > kSame)) return std::nullopt;
    return CoastPiece{plus(piece.from, times(begin, d)), plus(piece.from, times(end, d))};
  }

  /// On the right of the nearest piece. At a common corner of two the one counts from whose line the place is farther: only then
  /// does the side not depend on their order. @param box  pieces count in this box only; null: everywhere
  bool is_sea(EastNorth place, const Pieces& pieces, const Box* box) const {
    double nearest = std::numeric_limits<double>::infinity(), across = 0;
    for (const std::uint32_t n : pieces) {
      const std::optional<CoastPiece> piece = box != nullptr ? clipped(n, *box) : coast_[n];
      if (!piece) continue;
      const EastNorth d = minus(piece->to, piece->from), to = minus(place, piece->from);
      const double t = std::clamp(dot(to, d) / dot(d, d), 0.0, 1.0), off = length(minus(to, times(t, d)));
      const double side = cross(d, to) / length(d);
      if (off > nearest + kSame || (off > nearest - kSame && std::fabs(side) <= std::fabs(across))) continue;
      nearest = std::min(nearest, off);
      across = side;
    }
    return across < 0;
  }

  /// @param above  box of the pieces; null: they are all there are
  void divide(const Box& box, const Pieces& pieces, const Box* above) {
    Pieces inside;
    for (const std::uint32_t n : pieces)
      if (clipped(n, box)) inside.push_back(n);
    const Polygon square{box.low, {box.high.east, box.low.north}, box.high, {box.low.east, box.high.north}};
    const EastNorth middle = times(0.5, plus(box.low, box.high));
    if (inside.empty()) {
      if (is_sea(middle, pieces, above)) add(square);
    } else if (inside.size() == 1) {
      cut(square, inside[0], false);
    } else if (inside.size() == 2 && meet(inside[0], inside[1])) {
      const bool in_order = coast_[inside[0]].to == coast_[inside[1]].from;
      add_corner(square, in_order ? inside[0] : inside[1], in_order ? inside[1] : inside[0]);
    } else if (std::max(box.high.east - box.low.east, box.high.north - box.low.north) <= kFinest ||
               divisions_ >= kMostDivisions) {
      if (is_sea(middle, inside, &box)) add(square);
    } else {
      ++divisions_;
      divide({box.low, middle}, inside, &box);
      divide({{middle.east, box.low.north}, {box.high.east, middle.north}}, inside, &box);
      divide({middle, box.high}, inside, &box);
      divide({{box.low.east, middle.north}, {middle.east, box.high.north}}, inside, &box);
    }
  }

  bool meet(std::uint32_t a, std::uint32_t b) const { return coast_[a].to == coast_[b].from || coast_[b].to == coast_[a].from; }

  Polygon half(const Polygon& polygon, std::uint32_t piece, bool left) const {
    Polygon made;
    clip(polygon, coast_[piece].from, coast_[piece].to, left, made);
    return made;
  }
  void cut(const Polygon& polygon, std::uint32_t piece, bool left) { add(half(polygon, piece, left)); }

  /// Of two pieces that follow each other.
  void add_corner(const Polygon& square, std::uint32_t first, std::uint32_t second) {
    const CoastPiece &a = coast_[first], &b = coast_[second];
    if (cross(minus(a.to, a.from), minus(b.to, b.from)) < 0) {  // to the right: sea is right of both
      cut(half(square, first, false), second, false);
    } else {  // right of one of them
      cut(square, first, false);
      cut(half(square, first, true), second, false);
    }
  }

  void add(const Polygon& polygon) {
    if (polygon.size() < 3 || !(twice_area(polygon) > 2 * kSliver)) return;
    for (std::size_t i = 1; i + 1 < polygon.size(); i += 2) {
      Polygon part{polygon[0], polygon[i], polygon[i + 1]};
      if (i + 2 < polygon.size()) part.push_back(polygon[i + 2]);
      if (twice_area(part) > 2 * kSliver) parts_.push_back(std::move(part));
    }
  }

  const std::vector<CoastPiece>& coast_;
  std::vector<Polygon> parts_;
  std::size_t divisions_ = 0;
};

}  // namespace

std::vector<std::vector<EastNorth>> sea_parts(const std::vector<CoastPiece>& coast, EastNorth low, EastNorth high) {
  return Divider(coast).run({low, high});
}

}  // namespace simbatch::roads
