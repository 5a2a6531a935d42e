#pragma once
/// Convex polygons on the map plane, and their clipping. Internal to lib/roads. All polygons run counter-clockwise as seen on a
/// map (east to the right, north up), so their signed area is positive. Meters.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/geo/geo.hpp"

namespace simbatch::roads::detail {

using geo::EastNorth;
using Polygon = std::vector<EastNorth>;

constexpr EastNorth plus(EastNorth a, EastNorth b) { return {a.east + b.east, a.north + b.north}; }
constexpr EastNorth minus(EastNorth a, EastNorth b) { return {a.east - b.east, a.north - b.north}; }
constexpr EastNorth times(double s, EastNorth a) { return {s * a.east, s * a.north}; }
constexpr double dot(EastNorth a, EastNorth b) { return a.east * b.east + a.north * b.north; }
/// Positive when b lies counter-clockwise (to the left) of a.
constexpr double cross(EastNorth a, EastNorth b) { return a.east * b.north - a.north * b.east; }
double length(EastNorth a);
double distance(EastNorth a, EastNorth b);
EastNorth unit(EastNorth a);  ///< normalized; (0, 1) for a zero vector
constexpr EastNorth left_of(EastNorth a) { return {-a.north, a.east}; }

/// Twice the signed area of a triangle or polygon (m^2).
constexpr double twice_area(EastNorth a, EastNorth b, EastNorth c) { return cross(minus(b, a), minus(c, a)); }
double twice_area(std::span<const EastNorth> polygon);
bool is_convex(std::span<const EastNorth> polygon);
/// Whether the point is inside, by the even-odd rule; the polygon need not be convex. @pre polygon is not empty
bool contains(const Polygon& polygon, EastNorth p);

/// Polygons of less than this area (m^2) are dropped: they result from rounding.
inline constexpr double kSliver = 1e-3;

/// The part of a convex polygon to the left of the line a -> b (to the right, if not `keep_left`); may be empty.
void clip(const Polygon& polygon, EastNorth a, EastNorth b, bool keep_left, Polygon& out);

/// A convex quadrilateral or triangle used as a cutter.
struct Piece {
  EastNorth corners[4];
  std::uint8_t count = 0;
  std::span<const EastNorth> span() const { return {corners, count}; }
};

/// A rectangle along the axes.
struct Box {
  EastNorth low, high;
  bool touches(const Box& other) const {
    return other.low.east <= high.east && other.high.east >= low.east && other.low.north <= high.north &&
           other.high.north >= low.north;
  }
};
/// The bounding box. @pre polygon is not empty
Box box_of(std::span<const EastNorth> polygon);
/// A polygon of 3 or 4 corners as a piece. @pre polygon.size() <= 4
Piece piece_of(const Polygon& polygon);

/// Part of the line a + t (b - a), t in 0..1, that lies in a convex piece. @return whether there is one
bool interval_in(const Piece& piece, EastNorth a, EastNorth b, double& from, double& to);

/// Subtracts `cutter` from each of `parts` and replaces them by the remaining convex polygons, without slivers. Returns whether
/// anything was cut. Overlaps of less than kSliver are ignored.
bool subtract(std::vector<Polygon>& parts, const Piece& cutter);

/// Spatial index of pieces: a grid of square cells.
class PieceIndex {
 public:
  explicit PieceIndex(double cell = 16) : cell_(cell) {}
  /// Makes room for so many pieces.
  void reserve(std::size_t pieces);
  /// Pieces are numbered from 0 in the order of adding.
  void add(const Piece& piece);
  /// Call once, after the last add().
  void build();
  std::size_t size() const { return pieces_.size(); }
  const Piece& operator[](std::size_t n) const { return pieces_[n]; }
  /// All pieces, without the index, which is of no use afterwards.
  std::vector<Piece> take_pieces() && { return std::move(pieces_); }
  /// Total number of entries (cell, piece), 16 bytes each.
  std::size_t entries() const { return entries_.size(); }
  /// Indices of the pieces whose boxes touch the rectangle, ascending, each once. The result is valid until the next call.
  const std::vector<std::uint32_t>& near(const Box& box) const;
  /// True if the point is inside a piece or within `tolerance` (m) of it.
  bool covers(EastNorth place, double tolerance = 0) const;
  /// Number of pieces that queries have examined so far, a measure of their cost.
  std::uint64_t looked_at() const { return looked_at_; }

 private:
  template <class Use>
  void visit(const Box& box, Use use) const;
  std::int32_t cell_of(double value) const;
  double cell_;
  std::vector<Piece> pieces_;
  std::vector<Box> boxes_;                                        // of pieces
  std::vector<std::pair<std::uint64_t, std::uint32_t>> entries_;  // cell -> piece, sorted
  mutable std::vector<std::uint32_t> found_;
  mutable std::vector<std::uint64_t> met_;  // by piece: the last query that met it
  mutable std::uint64_t queries_ = 0, looked_at_ = 0;
};

}  // namespace simbatch::roads::detail
