#include "lib/mapgen/place.hpp"

#include <algorithm>
#include <cmath>

#include "lib/mapgen/streets.hpp"

namespace simbatch::mapgen {
namespace {
constexpr double kSlot = 8;            // metres along a way that share one draw of a model
constexpr double kSmallestStep = 0.25;  // m; where the way on is not known exactly
constexpr double kRounding = 0.02;     // as in the town: what rounding of the output can move
constexpr double kSmallRing = 2500;    // m^2 that a ring must enclose for houses to stand inside
constexpr double kMedian = 60;         // m across which two carriageways are one road
constexpr std::uint64_t kMostCells = 20'000'000;  // of one forest's lattice

/// The finaliser of splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}
std::uint64_t hash(std::int64_t id, std::int64_t a, std::int64_t b) {
  return mixed(mixed(mixed(static_cast<std::uint64_t>(id)) ^ static_cast<std::uint64_t>(a)) ^
               static_cast<std::uint64_t>(b));
}
/// Uniform in [-0.5, 0.5).
double centred(std::uint64_t h) { return static_cast<double>(h >> 11) * 0x1p-53 - 0.5; }

class Placer {
 public:
  Placer(Town& town, const PlaceOptions& options, const std::function<void(std::span<const House>)>& as_set)
      : town_(town), options_(options), as_set_(as_set) {
    std::vector<ObstacleGrid::Model> models;
    for (const autosim::HouseModel* model : town.models) models.push_back({model->box_size.x / 2, model->box_size.z / 2});
    models_ = models;
    grid_.build(town.points, std::move(town.obstacles), town.obstacle_kinds, std::move(models));
    town.obstacles = {};
    placed_.assign(town.uses.size(), 0);
    nothing_.assign(town.uses.size(), 0);
    for (const RoadKind& kind : town.kinds)
      arc_offset_.push_back(kind.width / 2 + std::max(kind.left, kind.right) +
                            options.front_distance.value_or(options.street_distance));
  }

  Placement run() {
    // Room for as many as could ever stand; memory that is not touched costs nothing.
    double metres = 0;
    for (const KindLength& kind : town_.lengths) metres += kind.houses ? kind.metres : 0;
    double least = 1e9;
    for (const ObstacleGrid::Model& model : models_) least = std::min(least, 2 * model.half_x);
    grid_.houses().reserve(static_cast<std::size_t>(std::min(2e7, 2 * metres / std::max(1.0, least + options_.house_distance))));
    const Streets streets(town_);
    find_islands(streets);
    for (std::size_t s = 0; s < streets.size(); ++s) {
      const auto parts = streets.parts(s);
      const bool ring = streets.is_ring(s);
      const bool roundabout = town_.roads[parts[0].road].is(TownRoad::roundabout);
      std::optional<Side> only;
      bool none = false;
      if (roundabout) {
        only = outside(town_, parts, ring);
        none = !only;  // a straight scrap of a roundabout: nobody knows where its island is
      } else if (ring && std::fabs(enclosed(town_, parts)) < kSmallRing) {
        only = outside(town_, parts, ring);
      }
      if (none) continue;
      for (const Side side : {Side::left, Side::right})
        if (!only || *only == side) row(parts, ring, side);
      pass_on(8192);
    }
    result_.along_streets = grid_.houses().size();
    if (options_.forest_inside) fill_forests(*options_.forest_inside);
    pass_on(1);
    result_.houses = std::move(grid_.houses());
    for (std::size_t u = 0; u < town_.uses.size(); ++u)
      if (placed_[u] + nothing_[u] > 0)
        result_.uses.push_back({town_.uses[u].name, town_.uses[u].models > 0, placed_[u], nothing_[u]});
    std::sort(result_.uses.begin(), result_.uses.end(), [](const UseCount& a, const UseCount& b) {
      if (a.placed != b.placed) return a.placed > b.placed;
      if (a.nothing != b.nothing) return a.nothing > b.nothing;
      return a.use < b.use;
    });
    return std::move(result_);
  }

 private:
  /// The inside of every roundabout that closes.
  void find_islands(const Streets& streets) {
    std::vector<Point> ring;
    const auto add = [&](std::span<const Streets::Part> parts) {
      ring.clear();
      for (const Streets::Part part : parts) {
        const TownRoad& road = town_.roads[part.road];
        for (std::uint32_t k = 0; k + 1 < road.count; ++k)
          ring.push_back(town_.points[road.first + (part.backwards ? road.count - 1 - k : k)]);
      }
      islands_.begin_area({0, true, static_cast<std::uint8_t>(Reason::median)}, town_.roads[parts[0].road].id);
      islands_.add_ring(ring);
    };
    for (std::size_t s = 0; s < streets.size(); ++s)
      if (streets.is_ring(s) && town_.roads[streets.parts(s)[0].road].is(TownRoad::roundabout)) add(streets.parts(s));
    for (std::uint32_t r = 0; r < town_.roads.size(); ++r) {
      const TownRoad& road = town_.roads[r];
      const Streets::Part part{r, false};
      if (road.is(TownRoad::roundabout) && road.closed() && !road.is(TownRoad::along)) add({&part, 1});
    }
    islands_.build();
  }

  /// Hands out what was set since the last time, if there is at least that much.
  void pass_on(std::size_t least) {
    if (!as_set_ || grid_.houses().size() - passed_on_ < least) return;
    as_set_(std::span(grid_.houses()).subspan(passed_on_));
    passed_on_ = grid_.houses().size();
  }

  void reject(Reason reason) { ++result_.rejected[static_cast<std::size_t>(reason)]; }

  /// The side of the road as it is drawn.
  static Side drawn_side(Side side, double rate_backwards) {
    if (rate_backwards >= 0) return side;
    return side == Side::left ? Side::right : Side::left;
  }

  double pavement_edge(const TownRoad& road, Side drawn) const {
    const RoadKind& kind = town_.kinds[road.kind];
    return kind.width / 2 + (drawn == Side::left ? kind.left : kind.right);
  }
  double corridor(const TownRoad& road) const { return town_.kinds[road.kind].half(); }

  /// From the middle line to the middle of a house.
  double offset(const TownRoad& road, Side drawn, double half_depth) const {
    const double edge = pavement_edge(road, drawn);
    const double wanted =
        options_.front_distance ? edge + *options_.front_distance + half_depth : edge + options_.street_distance;
    return std::max(wanted, corridor(road) + options_.clearance + 2 * kRounding + half_depth);
  }

  /// One side of one street.
  void row(std::span<const Streets::Part> parts, bool ring, Side side) {
    walk(town_, parts, ring, side, arc_offset_, line_);
    if (line_.empty()) return;
    backwards_.clear();
    for (const Streets::Part part : parts)
      if (part.backwards) backwards_.push_back(part.road);
    std::sort(backwards_.begin(), backwards_.end());
    const double total = line_.back().start + line_.back().length;
    result_.metres_used += total;
    stretch_ = 0;
    heading_stretch_ = SIZE_MAX;
    previous_.reset();
    first_.reset();
    ring_ = ring;
    double edge = 0;  // where the next house may begin
    while (edge < total) edge = attempt(edge, total, side);
  }

  std::size_t find(double distance) {
    while (stretch_ > 0 && line_[stretch_].start > distance) --stretch_;
    while (stretch_ + 1 < line_.size() && line_[stretch_ + 1].start <= distance) ++stretch_;
    return stretch_;
  }
  Side drawn(const Stretch& stretch, Side side) const {
    return drawn_side(side, std::binary_search(backwards_.begin(), backwards_.end(), stretch.road) ? -1 : 1);
  }
  static Vec2 outward(Vec2 along, Side side) {
    return side == Side::left ? Vec2{-along.z, along.x} : Vec2{along.z, -along.x};
  }

  /// Draws a model for a house that begins at `edge` and sets it at the first place that is free.
  /// @return where the next may begin
  double attempt(double edge, double total, Side side) {
    // The land use a few metres on, where the house will stand.
    const Stretch& begin = line_[find(edge)];
    const Side drawn_side_here = drawn(begin, side);
    {
      const auto [point, along] = at(begin, std::min(edge + 4 - begin.start, begin.length), side);
      const TownRoad& road = town_.roads[begin.road];
      const double out = pavement_edge(road, drawn_side_here) +
                         (options_.front_distance ? *options_.front_distance + 4 : options_.street_distance);
      use_ = use_at(point + outward(along, side) * out);
    }
    if (town_.uses[use_].models == 0) {
      ++nothing_[use_];
      reject(Reason::land_use);
      return edge + 4;
    }
    const double way_at = begin.way_start + begin.way_rate * (edge - begin.start);
    const std::uint64_t draw = hash(town_.roads[begin.road].id, drawn_side_here == Side::left ? 1 : 2,
                                    static_cast<std::int64_t>(std::floor(way_at / kSlot)));
    std::uint16_t model = model_of(use_, draw);
    int redraws = 0;
    while (true) {
      const double half_u = models_[model].half_x, half_v = models_[model].half_z;
      const double middle = edge + half_u;
      if (middle + half_u + (ring_ && first_ ? options_.house_distance : 0) > total) return total;
      const Stretch& stretch = line_[find(middle)];
      const TownRoad& road = town_.roads[stretch.road];
      const auto [point, along] = at(stretch, middle - stretch.start, side);
      const Vec2 out = outward(along, side);
      const double away = offset(road, drawn(stretch, side), half_v);
      House house;
      house.centre = millimetres(point + out * away);
      house.model = model;
      if (heading_stretch_ != stretch_ || stretch.turn > 0) {
        heading_stretch_ = stretch_;
        heading_ = heading_of(out * -1);
        front_ = direction_of(heading_);
      }
      house.heading = heading_;
      const Vec2 u = Vec2{-front_.z, front_.x} * (side == Side::left ? 1.0 : -1.0);  // along the street
      const Box box{metres(house.centre), u, front_ * -1, half_u, half_v};

      Reason reason = Reason::house;
      double on = blocked(box, reason);
      if (on == 0) {
        if (options_.clip_to_bounds && !in_bounds(box)) {
          reason = Reason::bounds;
          on = 4;
        } else {
          const AreaIndex::Answer answer = town_.areas.at(box.centre);
          const std::uint16_t use = use_of(answer);
          if (answer.blocking != AreaIndex::kNone) {
            reason = static_cast<Reason>(town_.areas.meaning(answer.blocking).reason);
            on = 2;
          } else if (use != use_) {
            // Over the border of the land use: what belongs there, if anything.
            if (town_.uses[use].models == 0 || ++redraws > 2) {
              if (town_.uses[use].models == 0) ++nothing_[use];
                      reject(Reason::land_use);
              return edge + 2;
            }
            use_ = use;
            model = model_of(use_, draw);
            continue;
          } else if (islands_.at(box.centre).blocking != AreaIndex::kNone || in_median(stretch, point, along, out, away)) {
            reason = Reason::median;
            on = 4;
          }
        }
      }
      if (on == 0) {
        grid_.add(house);
        ++placed_[use_];
        previous_ = box;
        if (!first_) first_ = box;
        return edge + std::max(2 * half_u + options_.house_distance, kSmallestStep);
      }
      reject(reason);
      if (stretch.turn > 0) {
        on = std::min(on, 0.5);
      } else {
        // The distance holds on this straight stretch only.
        const double left = stretch.start + stretch.length - middle;
        if (on > left) on = std::max(left, 0.0) + 0.01;
      }
      edge += std::max(on, kSmallestStep);
    }
  }

  std::uint16_t model_of(std::uint16_t use, std::uint64_t draw) const {
    const Use& of = town_.uses[use];
    return static_cast<std::uint16_t>(of.first_model + draw % of.models);
  }

  std::uint16_t use_of(const AreaIndex::Answer& answer) const {
    return answer.area == AreaIndex::kNone ? std::uint16_t{0} : town_.areas.meaning(answer.area).use;
  }
  std::uint16_t use_at(Vec2 place) const { return use_of(town_.areas.at(place)); }

  /// How far to go on (m) because of obstacles and other houses; 0: free.
  double blocked(const Box& box, Reason& reason) const {
    // Neighbours of the row stand farther apart than houses of different rows need to.
    if (options_.house_distance > options_.clearance) {
      Box wide = box;
      wide.half_u += options_.house_distance - kRounding;
      for (const auto* neighbour : {&previous_, ring_ ? &first_ : nullptr}) {
        if (neighbour == nullptr || !*neighbour) continue;
        const double clear = distance_to_clear_box(wide, **neighbour);
        if (clear > 0) {
          reason = Reason::house;
          return clear + 1e-3;
        }
      }
    }
    const ObstacleGrid::Hit hit = grid_.test(box, options_.clearance + kRounding);
    if (!hit.hit) return 0;
    reason = hit.reason;
    return hit.clear_after + 1e-3;
  }

  bool in_bounds(const Box& box) {
    if (town_.bounds.empty()) return true;
    std::array<osm::LatLon, 4> corners;
    std::size_t n = 0;
    for (const double a : {-1.0, 1.0})
      for (const double b : {-1.0, 1.0})
        corners[n++] =
            town_.plane.to_geographic(millimetres(box.centre + box.u * (a * box.half_u) + box.v * (b * box.half_v)));
    return std::any_of(town_.bounds.begin(), town_.bounds.end(), [&](const auto& bounds) {
      return std::all_of(corners.begin(), corners.end(), [&](osm::LatLon p) {
        return p.lat_e7 >= bounds.first.lat_e7 && p.lat_e7 <= bounds.second.lat_e7 && p.lon_e7 >= bounds.first.lon_e7 &&
               p.lon_e7 <= bounds.second.lon_e7;
      });
    });
  }

  /// Does the road's other carriageway lie on that side, before anything else?
  bool in_median(const Stretch& stretch, Vec2 point, Vec2 along, Vec2 out, double away) const {
    const TownRoad& road = town_.roads[stretch.road];
    if (!road.is(TownRoad::oneway) || road.is(TownRoad::roundabout)) {
      // A house far off its street may not stand behind another one.
      if (away < 30) return false;
      return grid_.first_crossing(point + out * 0.01, point + out * away) != ObstacleGrid::kNone;
    }
    const std::uint32_t number = grid_.first_crossing(point + out * 0.01, point + out * std::max(kMedian, away));
    if (number == ObstacleGrid::kNone) return false;
    const ObstacleGrid::Obstacle& obstacle = grid_.obstacle(number);
    const Vec2 a = metres(town_.points[obstacle.first]), b = metres(town_.points[obstacle.first + 1]);
    auto other = std::upper_bound(town_.roads.begin(), town_.roads.end(), obstacle.first,
                                  [](std::uint32_t first, const TownRoad& r) { return first < r.first; });
    if (other == town_.roads.begin()) return false;
    --other;
    const double beyond = dot(a - point, out);
    if (std::min(std::fabs(beyond), std::fabs(dot(b - point, out))) < away && away >= 30) return true;
    if (!other->is(TownRoad::oneway) || other->is(TownRoad::roundabout) || other->kind != road.kind || other->name != road.name)
      return false;
    const Vec2 theirs = other->is(TownRoad::reversed) ? a - b : b - a;
    const bool walked_backwards = std::binary_search(backwards_.begin(), backwards_.end(), stretch.road);
    const Vec2 ours = walked_backwards != road.is(TownRoad::reversed) ? along * -1 : along;
    return dot(theirs, ours) < -0.8 * length(theirs);
  }

  /// A jittered lattice about the plane's origin, so that an area's trees do not depend on its outline.
  void fill_forests(double spacing) {
    for (std::uint32_t area = 0; area < town_.areas.size(); ++area) {
      const AreaIndex::Meaning meaning = town_.areas.meaning(area);
      if (meaning.blocks || town_.areas.ring_count(area) == 0) continue;
      const Use& use = town_.uses[meaning.use];
      bool trees = use.models > 0;
      for (std::uint32_t m = 0; m < use.models; ++m) trees = trees && town_.models[use.first_model + m]->is_tree();
      if (!trees) continue;
      const Vec2 low = metres(town_.areas.lowest(area)), high = metres(town_.areas.highest(area));
      const auto i0 = static_cast<std::int64_t>(std::floor(low.x / spacing)), i1 = static_cast<std::int64_t>(high.x / spacing) + 1;
      const auto j0 = static_cast<std::int64_t>(std::floor(low.z / spacing)), j1 = static_cast<std::int64_t>(high.z / spacing) + 1;
      if (static_cast<std::uint64_t>(i1 - i0 + 1) > kMostCells / static_cast<std::uint64_t>(j1 - j0 + 1)) {
        ++result_.skipped_forests;
        continue;
      }
      for (std::int64_t j = j0; j <= j1; ++j)
        for (std::int64_t i = i0; i <= i1; ++i) {
          const std::uint64_t h = hash(town_.areas.id(area), i, j);
          const Vec2 place{(static_cast<double>(i) + 0.7 * centred(h)) * spacing,
                           (static_cast<double>(j) + 0.7 * centred(mixed(h))) * spacing};
          const AreaIndex::Answer answer = town_.areas.at(place);
          if (answer.area != area) continue;
          House house;
          house.centre = millimetres(place);
          house.model = model_of(meaning.use, mixed(h + 1));
          house.heading = static_cast<std::uint16_t>(mixed(h + 2) % 36000);
          const Box box = grid_.box_of(house);
          if (answer.blocking != AreaIndex::kNone) {
            reject(static_cast<Reason>(town_.areas.meaning(answer.blocking).reason));
            continue;
          }
          if (options_.clip_to_bounds && !in_bounds(box)) {
            reject(Reason::bounds);
            continue;
          }
          const ObstacleGrid::Hit hit = grid_.test(box, options_.clearance + kRounding);
          if (hit.hit) {
            reject(hit.reason);
            continue;
          }
          grid_.add(house);
          ++placed_[meaning.use];
        }
    }
  }

  Town& town_;
  const PlaceOptions& options_;
  const std::function<void(std::span<const House>)>& as_set_;
  std::size_t passed_on_ = 0;
  ObstacleGrid grid_;
  AreaIndex islands_;
  std::vector<ObstacleGrid::Model> models_;
  std::vector<double> arc_offset_;
  Placement result_;
  std::vector<std::uint64_t> placed_, nothing_;
  // Of the row that is being walked:
  std::vector<Stretch> line_;
  std::vector<std::uint32_t> backwards_;
  std::size_t stretch_ = 0, heading_stretch_ = SIZE_MAX;
  std::uint16_t heading_ = 0, use_ = 0;
  Vec2 front_;
  std::optional<Box> previous_, first_;
  bool ring_ = false;
};
}  // namespace

Placement place(Town& town, const PlaceOptions& options, const std::function<void(std::span<const House>)>& as_set) {
  return Placer(town, options, as_set).run();
}

const std::string& land_use_of(const Town& town, const House& house) {
  for (const Use& use : town.uses)
    if (house.model >= use.first_model && house.model < use.first_model + use.models) return use.name;
  return town.uses[0].name;
}

}  // namespace simbatch::mapgen
