// Outline: (1) obstacles go into a grid, roads are joined to streets, and dependencies between streets are computed; (2)
// threads process streets without pending dependencies and place their houses; (3) houses are passed on in the order of their
// streets; (4) forests are filled, on a jittered lattice (Cook, Stochastic sampling in computer graphics, 1986).
#include "lib/town/place.hpp"

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <queue>
#include <utility>

#include "base/core/workers.hpp"
#include "lib/town/back_rows.hpp"
#include "lib/town/crowding.hpp"
#include "lib/town/row_placer.hpp"
#include "lib/town/schedule.hpp"
#include "lib/town/street_details.hpp"

namespace simbatch::town {
namespace {
using detail::Placer;
using detail::PlacingContext;

constexpr std::uint64_t kMaxCells = 20'000'000;  // of one forest's lattice
constexpr double kFine = 64, kCoarse = 128;      // m: meshes of schedules, for streets and for sections of them
constexpr std::size_t kBatchSize = 8192;         // houses passed to the consumer at a time

/// Uniform in [-0.5, 0.5).
double centered(std::uint64_t h) { return static_cast<double>(h >> 11) * 0x1p-53 - 0.5; }

/// The inside of every roundabout that closes.
AreaIndex find_islands(const Town& town, const Streets& streets) {
  AreaIndex islands;
  std::vector<Point> ring;
  const auto add = [&](std::span<const Streets::Part> parts) {
    ring.clear();
    for (const Streets::Part part : parts) {
      const TownRoad& road = town.roads[part.road];
      for (std::uint32_t k = 0; k + 1 < road.count; ++k)
        ring.push_back(town.points[road.first + (part.backwards ? road.count - 1 - k : k)]);
    }
    islands.begin_area({0, true, static_cast<std::uint8_t>(Reason::median)}, town.roads[parts[0].road].id);
    islands.add_ring(ring);
  };
  for (std::size_t s = 0; s < streets.size(); ++s)
    if (streets.is_ring(s) && town.roads[streets.parts(s)[0].road].is(TownRoad::roundabout)) add(streets.parts(s));
  for (std::uint32_t r = 0; r < town.roads.size(); ++r) {
    const TownRoad& road = town.roads[r];
    const Streets::Part part{r, false};
    if (road.is(TownRoad::roundabout) && road.closed() && !road.is(TownRoad::along)) add({&part, 1});
  }
  islands.build();
  return islands;
}

/// The elements in memory of just their size; `from` keeps its own for the next ones.
template <class T>
std::vector<T> taken(std::vector<T>& from) {
  std::vector<T> elements(from);
  from.clear();
  return elements;
}

/// Restores the order of streets, which may be completed in any order.
class OrderedOutput {
 public:
  OrderedOutput(std::size_t streets, PlacedHouses& placement, const std::function<void(std::span<const House>)>& on_placed)
      : waiting_(streets), placed_(placement), on_placed_(on_placed) {}
  void take(std::size_t street, std::vector<House> houses, double meters) {
    const std::lock_guard lock(mutex_);
    waiting_[street] = {std::move(houses), meters, true};
    for (; next_ < waiting_.size() && waiting_[next_].complete; ++next_) {
      Street& ready = waiting_[next_];
      placed_.meters_used += ready.meters;
      append(ready.houses);
      ready.houses = std::vector<House>();  // not {}, which would keep their memory
    }
  }
  void append(std::span<const House> houses) {
    placed_.placed += houses.size();
    std::vector<House>& to = placed_.houses;
    to.insert(to.end(), houses.begin(), houses.end());
    if (to.size() >= kBatchSize) pass_on();
  }
  /// Passes the collected houses to the consumer, if there is one.
  void pass_on() {
    std::vector<House>& houses = placed_.houses;
    if (!on_placed_ || houses.empty()) return;
    on_placed_(houses);
    houses.clear();
  }

 private:
  struct Street {
    std::vector<House> houses;
    double meters = 0;
    bool complete = false;
  };
  std::mutex mutex_;
  std::vector<Street> waiting_;
  std::size_t next_ = 0;
  PlacedHouses& placed_;
  const std::function<void(std::span<const House>)>& on_placed_;
};

/// Distributes streets without pending dependencies, lowest number first.
class StreetQueue {
 public:
  StreetQueue(detail::Schedule& schedule, std::size_t streets) : schedule_(schedule), left_(streets) {
    for (std::uint32_t s = 0; s < streets; ++s)
      if (schedule_.waits()[s] == 0) ready_.push(s);
  }
  /// @return false when there is no more to do
  bool take(std::uint32_t& street) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !ready_.empty() || left_ == 0 || failure_; });
    if (ready_.empty() || failure_) return false;
    street = ready_.top();
    ready_.pop();
    --left_;
    if (left_ == 0) changed_.notify_all();
    return true;
  }
  void done(std::uint32_t street) {
    const std::lock_guard lock(mutex_);
    for (const std::uint32_t s : schedule_.followers(street))
      if (--schedule_.waits()[s] == 0) {
        ready_.push(s);
        changed_.notify_one();
      }
  }
  void fail(std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    failure_ = std::move(failure);
    changed_.notify_all();
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  detail::Schedule& schedule_;
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready_;
  std::size_t left_;
  std::exception_ptr failure_;
};

/// A jittered lattice anchored at the plane's origin, so that an area's trees do not depend on its outline.
void fill_forests(double spacing, Placer& placer, PlacedHouses& result) {
  const Town& town = placer.context.town;
  for (std::uint32_t area = 0; area < town.areas.size(); ++area) {
    const AreaIndex::Meaning meaning = town.areas.meaning(area);
    if (meaning.blocks || town.areas.ring_count(area) == 0) continue;
    const Use& use = town.uses[meaning.use];
    if (!use.trees) continue;
    const Vec2 low = meters(town.areas.lowest(area)), high = meters(town.areas.highest(area));
    const auto i0 = static_cast<std::int64_t>(std::floor(low.x / spacing)),
               i1 = static_cast<std::int64_t>(high.x / spacing) + 1;
    const auto j0 = static_cast<std::int64_t>(std::floor(low.z / spacing)),
               j1 = static_cast<std::int64_t>(high.z / spacing) + 1;
    if (static_cast<std::uint64_t>(i1 - i0 + 1) > kMaxCells / static_cast<std::uint64_t>(j1 - j0 + 1)) {
      ++result.skipped_forests;
      continue;
    }
    for (std::int64_t j = j0; j <= j1; ++j)
      for (std::int64_t i = i0; i <= i1; ++i) {
        const std::uint64_t h = detail::hash(town.areas.id(area), i, j);
        const Vec2 place{(static_cast<double>(i) + 0.7 * centered(h)) * spacing,
                         (static_cast<double>(j) + 0.7 * centered(detail::mixed(h))) * spacing};
        const AreaIndex::Answer answer = placer.ground(place);
        if (answer.area != area) continue;
        House house;
        house.center = millimeters(place);
        house.model = placer.model_of(meaning.use, detail::mixed(h + 1));
        house.heading = static_cast<std::uint16_t>(detail::mixed(h + 2) % 36000);
        const Box box = placer.context.houses.box_of(house);
        if (answer.blocking != AreaIndex::kNone)
          placer.reject(static_cast<Reason>(town.areas.meaning(answer.blocking).reason));
        else if (!placer.in_bounds(box))
          placer.reject(Reason::bounds);
        else if (placer.is_sea(place))
          placer.reject(Reason::water);
        else if (const Hit hit = placer.touched(box))
          placer.reject(hit.reason);
        else
          placer.set(house, meaning.use);
      }
  }
}
/// Visits all streets, or parts of them, with one thread per placer. Houses are placed in passes: all first rows before any second
/// row.
class StreetPlacing {
 public:
  /// What a thread does at each. @return length along which positions were searched (m)
  using Visit = std::function<double(std::uint32_t number)>;
  using MakeVisit = std::function<Visit(Placer&)>;

  StreetPlacing(std::vector<Placer>& placers, PlacedHouses& result,
                const std::function<void(std::span<const House>)>& on_placed)
      : placers_(placers), result_(result), on_placed_(on_placed) {}

  Placer& first_placer() { return placers_[0]; }
  /// @param schedule  of this pass; nullptr: a single thread
  void pass(std::size_t count, detail::Schedule* schedule, Workers* workers, const MakeVisit& make) {
    OrderedOutput output(count, result_, on_placed_);
    if (schedule == nullptr) {
      const Visit visit = make(placers_[0]);
      for (std::uint32_t s = 0; s < count; ++s) street(visit, placers_[0], s, output);
    } else {
      together(count, *schedule, *workers, make, output);
    }
    output.pass_on();
  }

 private:
  void together(std::size_t count, detail::Schedule& schedule, Workers& workers, const MakeVisit& make, OrderedOutput& output) {
    StreetQueue queue(schedule, count);
    const auto work = [&](Placer& placer) {
      try {
        const Visit visit = make(placer);
        for (std::uint32_t s = 0; queue.take(s); queue.done(s)) street(visit, placer, s, output);
      } catch (...) {
        queue.fail(std::current_exception());
      }
    };
    {
      std::vector<Workers::Task> others;
      for (std::size_t j = 1; j < placers_.size(); ++j) others.push_back(workers.start([&, j] { work(placers_[j]); }));
      work(placers_[0]);
    }
    queue.rethrow();
  }
  static void street(const Visit& visit, Placer& placer, std::uint32_t s, OrderedOutput& output) {
    const double meters = visit(s);
    output.take(s, taken(placer.houses), meters);
  }
  std::vector<Placer>& placers_;
  PlacedHouses& result_;
  const std::function<void(std::span<const House>)>& on_placed_;
};

/// Sums the placers' counts.
void add_counts(const Town& town, std::span<const Placer> placers, PlacedHouses& result) {
  std::vector<std::uint64_t> placed(town.uses.size(), 0), nothing(town.uses.size(), 0);
  for (const Placer& placer : placers) {
    for (std::size_t r = 0; r < kReasons; ++r) result.rejected[r] += placer.rejected[r];
    for (std::size_t u = 0; u < town.uses.size(); ++u) {
      placed[u] += placer.placed[u];
      nothing[u] += placer.nothing[u];
    }
  }
  for (std::size_t u = 0; u < town.uses.size(); ++u)
    if (placed[u] + nothing[u] > 0) result.uses.push_back({town.uses[u].name, town.uses[u].models > 0, placed[u], nothing[u]});
  std::sort(result.uses.begin(), result.uses.end(), [](const UseCount& a, const UseCount& b) {
    if (a.placed != b.placed) return a.placed > b.placed;
    if (a.nothing != b.nothing) return a.nothing > b.nothing;
    return a.use < b.use;
  });
}

/// Distances within which streets depend on each other, by pass (m).
struct Reaches {
  double rows = 0, back_rows = 0, details = 0;  // from a middle line to the middle of what is placed
  double widest = 0;                            // half the diagonal of the largest box
  double clearance = 0;

  Reaches(const Town& town, std::span<const HouseSize> sizes, const PlaceOptions& options) : clearance(town.clearance) {
    for (const HouseSize& size : sizes) widest = std::max(widest, std::hypot(size.half_x, size.half_z));
    double beyond = 0;
    for (const TownRoad& road : town.roads) beyond = std::max(beyond, road.beyond);
    rows = detail::farthest(town, sizes.first(town.first_small), options, beyond);
    if (town.rules.second_rows) back_rows = detail::farthest_back(town, sizes.first(town.first_small), beyond);
    if (has_details(town)) details = detail::StreetDetails::farthest(town, beyond, rows + widest);
  }
  /// Whether there is a rule for details, and something to place.
  static bool has_details(const Town& town) {
    const Rules& rules = town.rules;
    return (rules.gardens || rules.street_trees || rules.parked_cars) && town.first_small < town.models.size();
  }
  double farthest() const { return std::max({rows, back_rows, details}); }
  /// Between the middle lines of streets whose houses can touch: two half diagonals plus the gap, which enlarges the box.
  double between(double far, double gap) const { return 2 * far + 2 * widest + 1.5 * std::max(clearance, gap) + 1; }
};

using Line = detail::Schedule::Line;

std::vector<Line> lines_of(const Streets& streets) {
  std::vector<Line> lines;
  for (std::size_t s = 0; s < streets.size(); ++s) lines.push_back(streets.parts(s));
  return lines;
}

/// Streets in sections, in the order of the streets: with whole streets, which second rows of neighboring ones keep waiting for
/// each other, hardly two threads would have something to do at a time.
std::vector<Line> sections_of(const Streets& streets) {
  constexpr std::size_t kParts = 8;
  std::vector<Line> sections;
  for (const Line street : lines_of(streets))
    for (std::size_t first = 0; first < street.size(); first += kParts)
      sections.push_back(street.subspan(first, std::min(kParts, street.size() - first)));
  return sections;
}

/// The passes over all streets.
class Passes {
 public:
  /// @param boxes  nullptr: a single thread
  Passes(const Town& town, const Streets& streets, const Reaches& reaches, Workers* workers, const detail::RoadBoxes* boxes)
      : town_(town), streets_(streets), reaches_(reaches), workers_(workers), boxes_(boxes) {}

  /// @param first  schedule of the first pass; nullptr: a single thread
  void run(detail::Schedule* first, StreetPlacing& placing, PlacedHouses& result) {
    plots_.resize(town_.rules.has_drives() ? streets_.size() : 0);
    placing.pass(streets_.size(), first, workers_, [this](Placer& placer) -> StreetPlacing::Visit {
      const auto rows = std::make_shared<detail::RowPlacer>(placer);
      return [this, rows, &placer](std::uint32_t s) {
        const double meters = rows->street(streets_.parts(s), streets_.is_ring(s));
        if (!plots_.empty()) plots_[s] = taken(placer.plots);
        return meters;
      };
    });
    const bool alone = first == nullptr;
    std::vector<Line> sections;
    std::optional<detail::Schedule> order;
    Workers::Task ordering;
    const auto order_sections = [&] {
      sections = sections_of(streets_);
      order = schedule_of(alone, sections, reaches_.between(reaches_.back_rows, 4), kCoarse);
    };
    if (town_.rules.second_rows && !alone) ordering = workers_->start(order_sections);
    if (town_.rules.second_rows && alone) order_sections();
    for (std::vector<detail::Plot>& street : plots_)
      for (detail::Plot& plot : street) placing.first_placer().reserve(plot);
    ordering.wait();
    if (!sections.empty())
      placing.pass(sections.size(), order ? &*order : nullptr, workers_, [&](Placer& placer) -> StreetPlacing::Visit {
        const auto rows = std::make_shared<detail::BackRowPlacer>(placer);
        return [&sections, rows](std::uint32_t s) {
          rows->section(sections[s]);
          return 0.0;
        };
      });
    order.reset();
    result.along_streets = result.placed;
    if (Reaches::has_details(town_)) {
      order = schedule_of(alone, lines_of(streets_), reaches_.between(reaches_.details, 2), kFine);
      placing.pass(streets_.size(), order ? &*order : nullptr, workers_, [this](Placer& placer) -> StreetPlacing::Visit {
        const auto details = std::make_shared<detail::StreetDetails>(placer);
        return [this, details](std::uint32_t s) {
          details->street(streets_.parts(s), streets_.is_ring(s),
                          plots_.empty() ? std::span<const detail::Plot>() : std::span<const detail::Plot>(plots_[s]));
          return 0.0;
        };
      });
    }
  }

 private:
  /// Nothing: a single thread visits them.
  std::optional<detail::Schedule> schedule_of(bool alone, const std::vector<Line>& lines, double reach, double finest) const {
    std::optional<detail::Schedule> schedule;
    if (!alone) schedule.emplace(town_, *boxes_, lines, reach, finest);
    if (schedule && !schedule->useful()) schedule.reset();
    return schedule;
  }
  const Town& town_;
  const Streets& streets_;
  const Reaches& reaches_;
  Workers* workers_;
  const detail::RoadBoxes* boxes_;
  std::vector<std::vector<detail::Plot>> plots_;
};
}  // namespace

PlacedHouses place(Town& town, const PlaceOptions& options, const std::function<void(std::span<const House>)>& on_placed) {
  PlacedHouses result;
  std::vector<HouseSize> sizes;
  for (const autosim::HouseModel* model : town.models) sizes.push_back({model->box_size.x / 2, model->box_size.z / 2});
  const Reaches reaches(town, sizes, options);
  for (std::size_t k = 1; k <= Placer::kReserved; ++k) sizes.push_back({Placer::kDrive / 2, 0.25 * static_cast<double>(k)});
  // (1)
  std::optional<Streets> streets;
  std::optional<detail::RoadBoxes> boxes;
  std::optional<detail::Schedule> schedule;
  const bool alone = options.workers == nullptr;
  const auto order = [&] {
    streets.emplace(town);
    if (alone) return;
    boxes.emplace(town);
    schedule.emplace(town, *boxes, lines_of(*streets), reaches.between(reaches.rows, 0), kFine);
  };
  Workers::Task ordering;
  if (alone)
    order();
  else
    ordering = options.workers->start(order);
  const ObstacleGrid obstacles(town.points, std::move(town.obstacles), town.obstacle_kinds);
  ordering.wait();
  if (const auto crowded = detail::crowding(town, obstacles)) {
    result.refused = detail::explanation(*crowded, town);
    return result;
  }
  const AreaIndex islands = find_islands(town, *streets);
  const Coast coast(std::move(town.coast));
  HouseGrid houses(obstacles.empty_cells(), sizes);
  const PlacingContext context{town, options, sizes, obstacles, islands, coast, houses, Reaches::has_details(town)};

  // (2) and (3)
  std::vector<Placer> placers;
  const unsigned jobs = schedule && schedule->useful() ? 1 + options.workers->count() : 1;
  for (unsigned j = 0; j < jobs; ++j) placers.emplace_back(context);
  StreetPlacing placing(placers, result, on_placed);
  if (jobs > 1) {
    for (const auto& [low, high] : boxes->all()) houses.need(low, high, reaches.farthest() + reaches.widest + 1);
    houses.freeze();
  }
  Passes passes(town, *streets, reaches, options.workers, boxes ? &*boxes : nullptr);
  passes.run(jobs > 1 ? &*schedule : nullptr, placing, result);
  houses.thaw();
  result.small = result.placed - result.along_streets;

  // (4)
  if (options.forest_inside) {
    OrderedOutput output(0, result, on_placed);
    fill_forests(*options.forest_inside, placers[0], result);
    output.append(placers[0].houses);
    output.pass_on();
  }
  add_counts(town, placers, result);
  return result;
}

const std::string& land_use_of(const Town& town, const House& house) {
  for (const Use& use : town.uses)
    if (house.model >= use.first_model && house.model < use.first_model + use.models) return use.name;
  return town.uses[0].name;
}

}  // namespace simbatch::town
