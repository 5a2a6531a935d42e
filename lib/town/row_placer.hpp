#pragma once
/// The rows of houses along one street. Private to the room.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "lib/town/placer.hpp"
#include "lib/town/streets.hpp"

namespace simbatch::town::detail {

/// Maximum distance from the middle line of any road to the middle of a house (m). @param beyond  the greatest TownRoad::beyond
double farthest(const Town& town, std::span<const HouseSize> sizes, const PlaceOptions& options, double beyond);

/// Distances from the center line of a road on one side.
struct Offset {
  double pavement = 0;   ///< to its outer edge (m)
  double preferred = 0;  ///< to the middle of a house, or to its front if `to_front` (m)
  double minimum = 0;    ///< to the closest allowed position of a front (m)
  bool to_front = false;
  double spread = 0;  ///< houses are up to this much farther away, each as its hash has it (m)
  /// Distance to the center of a house (m).
  double to_middle(double half_depth) const {
    return std::max(to_front ? preferred + half_depth : preferred, minimum + half_depth);
  }
};

/// Walks along streets and places houses. One per thread.
class RowPlacer {
 public:
  explicit RowPlacer(Placer& placer);
  /// Both sides, or the outer one of a roundabout or small ring. @return length along which positions were searched (m)
  double street(std::span<const Streets::Part> parts, bool ring);

 private:
  double row(std::span<const Streets::Part> parts, bool ring, Side side);
  double attempt(double edge, double total, Side side);
  /// A position beside a street. It is made number by number: vectors copied whole are read in larger pieces than they were just
  /// written in, which stalls.
  struct Spot {
    const Stretch& stretch;
    Vec2 point, along, out;  // point of the center line; unit vectors along the street and away from it
    double away = 0;         // from the middle line to the middle of the house (m)
  };
  /// Why a position is rejected, and the step to the next (m); 0: it is accepted.
  struct Refusal {
    Reason reason{};
    double step = 0;
  };
  void set_density(Density density);
  void set_gap(double gap);
  void look_around(const Stretch& stretch, double edge, Side side);
  void begin_run(std::uint64_t draw);
  std::uint16_t model_for(std::uint64_t draw) const;
  double step_after(double half_u);
  std::uint64_t draw_at(const Stretch& begin, double edge, Side side) const;
  std::uint16_t use_ahead(const Stretch& stretch, double edge, Side side);
  double skip(const Spot& spot, std::uint16_t model, double middle, Hit& last);
  std::pair<House, Box> house_at(const Spot& spot, std::uint16_t model, Side side);
  Refusal refusal(const Spot& spot, const Box& box, const AreaIndex::Answer& ground);
  double step_past_neighbors(const Box& box) const;
  bool cut_off(const Spot& spot, const Box& box) const;
  bool is_settled(Vec2 place, const AreaIndex::Answer& ground);
  void remember(const Spot& spot, const House& house, Side side);
  bool in_median(const Stretch& stretch, Vec2 point, Vec2 along, Vec2 out, double away) const;
  const Stretch& find(double distance);
  const Offset& offset(const Stretch& stretch, Side side) const { return beside_[drawn(stretch, side) == Side::left ? 0 : 1]; }
  /// The side of the road as it is drawn.
  static Side drawn(const Stretch& stretch, Side side) {
    if (!stretch.backwards) return side;
    return side == Side::left ? Side::right : Side::left;
  }

  Placer& placer_;
  const PlacingContext& context_;
  std::array<std::vector<Offset>, kDensities> offsets_;  // of each kind of road, left and right as it is drawn
  std::vector<double> arc_offset_;                       // of each kind of road, to where the arcs of bends are measured (m)
  std::vector<bool> is_for_people_;                      // of each use
  // State of the current row:
  SideLines lines_;
  const Stretch *stretch_ = nullptr, *first_stretch_ = nullptr, *last_stretch_ = nullptr;  // found last; of all
  const Stretch* heading_stretch_ = nullptr;
  std::uint16_t heading_ = 0, use_ = 0;
  Vec2 front_;
  Vec2 ahead_;  // where use_ahead() last looked; followed by what it found
  AreaIndex::Answer ahead_answer_;
  std::optional<Box> previous_, first_;
  bool ring_ = false;
  Density density_ = Density::loose;
  const Offset* beside_ = nullptr;  // of the street's kind and that density: left and right as it is drawn
  double height_ = 0;               // of houses like those around (m)
  int run_ = 0;                     // houses wall to wall that are still to come
  std::uint16_t run_model_ = 0;
  bool run_is_alike_ = false, is_joined_ = false;  // all of that model; with the wall of the one before
  double space_ = 0;                               // between neighbors that do not share a wall (m)
  std::uint16_t kind_ = 0;                         // of all roads of the street
  bool is_street_ = false;                         // whether that is a kind of street
  std::array<double, kDensities> gaps_{};          // between its houses, by density (m)
  double gap_ = 0;                                 // to the neighbor before (m)
  double other_gap_ = 0;                           // to houses of other rows (m)
};

}  // namespace simbatch::town::detail
