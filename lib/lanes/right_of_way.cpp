// Right of way as in the Vienna Convention on Road Traffic, article 18: right before left where no sign says otherwise, and left
// turns yield to oncoming traffic. The bits are SUMO's requests ("Networks/SUMO_Road_Networks" in its documentation). Our own:
// which roads count as the main one, and where left turns wait.
#include "lib/lanes/right_of_way.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace simbatch::lanes::detail {
namespace {

using geo::EastNorth;
using std::numbers::pi;

constexpr double kCar = 1.9;                 // m: paths that come closer meet
constexpr double kClear = 2.5;               // m between the path of a crossing car and one that waits for it
constexpr double kLeastWait = 2;             // m: left turns with less room inside wait at the line
constexpr double kOpposite = 30 * pi / 180;  // rad: deviation of roads that are opposite to each other
constexpr double kStraight = 45 * pi / 180;  // rad: deviation of the two ends of a main road
constexpr double kParallel = 10 * pi / 180;  // rad: roads that lead in side by side
constexpr double kTurn = 0.5;                // rad: links that bend more turn left or right
constexpr int kClassified = 4;               // importance from which straight roads have priority over those that end there

double squared(EastNorth a, EastNorth b) {
  return (a.east - b.east) * (a.east - b.east) + (a.north - b.north) * (a.north - b.north);
}

double cross(EastNorth o, EastNorth a, EastNorth b) {
  return (a.east - o.east) * (b.north - o.north) - (a.north - o.north) * (b.east - o.east);
}

bool segments_cross(EastNorth a, EastNorth b, EastNorth c, EastNorth d) {
  const double ab_c = cross(a, b, c), ab_d = cross(a, b, d), cd_a = cross(c, d, a), cd_b = cross(c, d, b);
  return ((ab_c > 0) != (ab_d > 0)) && ((cd_a > 0) != (cd_b > 0));
}

/// Squared distance of a point from a segment.
double squared_from(EastNorth p, EastNorth a, EastNorth b) {
  const double length = squared(a, b);
  const double along = (p.east - a.east) * (b.east - a.east) + (p.north - a.north) * (b.north - a.north);
  const double t = length > 0 ? std::clamp(along / length, 0.0, 1.0) : 0;
  return squared(p, {a.east + t * (b.east - a.east), a.north + t * (b.north - a.north)});
}

/// True if two paths cross, or, if `within` is positive, come closer than that.
bool paths_meet(const std::vector<Place>& a, const std::vector<Place>& b, double within) {
  const double limit = within * within;
  for (std::size_t i = 0; i + 1 < a.size(); ++i)
    for (std::size_t j = 0; j + 1 < b.size(); ++j) {
      const EastNorth p = a[i].at, q = a[i + 1].at, r = b[j].at, s = b[j + 1].at;
      if (segments_cross(p, q, r, s)) return true;
      if (limit > 0 &&
          std::min({squared_from(p, r, s), squared_from(q, r, s), squared_from(r, p, q), squared_from(s, p, q)}) < limit)
        return true;
    }
  return false;
}

/// The angle from one outwards heading to another, 0 .. 2 pi: below pi, the other road is on the right of those who come in.
double to_the_right(const Approach& from, const Approach& to) {
  const double angle = wrapped(to.heading - from.heading);
  return angle < 0 ? angle + 2 * pi : angle;
}

double off_opposite(const Approach& a, const Approach& b) { return std::fabs(to_the_right(a, b) - pi); }

class Junctions {
 public:
  Junctions(const Network& network, const std::vector<Approach>& approaches, std::vector<Link>& links)
      : network_(network), approaches_(approaches), links_(links), n_(links.size()) {}

  RightOfWay run() {
    find_rule();
    rank_links();
    out_.foes = out_.yields = Bits(n_, std::vector<bool>(n_, false));
    bool any = false, ranked = false;
    for (std::size_t a = 0; a < n_; ++a)
      for (std::size_t b = a + 1; b < n_; ++b) {
        if (!meet(links_[a], links_[b])) continue;
        out_.foes[a][b] = out_.foes[b][a] = any = true;
        const bool both = out_.rule == Rule::all_stop, first_waits = waits(a, b);
        out_.yields[a][b] = both || first_waits, out_.yields[b][a] = both || !first_waits;
      }
    for (const Link& link : links_) ranked = ranked || link.rank != 0;
    if (out_.rule == Rule::priority && any && !ranked) out_.rule = Rule::right_before_left;
    if (out_.rule == Rule::lights) pair_phases();
    out_.waits_inside.resize(n_);
    for (std::size_t a = 0; a < n_; ++a) out_.waits_inside[a] = waiting_place(a);
    if (out_.rule == Rule::lights) clear_after_phase();
    return std::move(out_);
  }

 private:
  const Road& road_of(const Approach& approach) const { return network_.roads[approach.road]; }

  void find_rule() {
    std::size_t in = 0, stops = 0, lights = 0;
    for (const Approach& approach : approaches_) {
      if (!approach.has_in) continue;
      ++in;
      stops += approach.has_stop, lights += approach.has_light;
    }
    if (lights > 0)
      out_.rule = Rule::lights;
    else if (stops > 1 && stops == in)
      out_.rule = Rule::all_stop;
    else if (stops > 0)
      out_.rule = Rule::stop;
  }

  /// 1 for links from the main road, -1 for those with a stop sign.
  void rank_links() {
    if (out_.rule == Rule::lights || out_.rule == Rule::all_stop) return;
    const std::vector<bool> is_main = main_road();
    for (Link& link : links_) {
      const Road &from = network_.roads[link.turn.from_road], &to = network_.roads[link.turn.to_road];
      if (approaches_[link.approach].has_stop)
        link.rank = -1;
      else if (from.kind == "lane")  // of an RNDF: cars that stay in their lane come first
        link.rank = from.source == to.source ? 1 : 0;
      else
        link.rank = is_main[link.approach] ? 1 : 0;
    }
  }

  std::vector<bool> main_road() const {
    std::vector<bool> is_main(approaches_.size(), false);
    int top = 0, low = 1000;
    for (const Approach& approach : approaches_)
      top = std::max(top, approach.importance), low = std::min(low, approach.importance);
    std::vector<std::size_t> first;
    for (std::size_t i = 0; i < approaches_.size(); ++i)
      if (approaches_[i].importance == top) first.push_back(i);
    if (top == low) {
      // The straight road of a T, if it is one of those that have priority elsewhere too.
      if (approaches_.size() != 3 || top < kClassified) return is_main;
      const auto [a, b] = straightest(first, first);
      if (a != b && off_opposite(approaches_[a], approaches_[b]) < kStraight) is_main[a] = is_main[b] = true;
      return is_main;
    }
    for (const std::size_t i : first) is_main[i] = true;
    if (first.size() == 1) {
      int next = low;
      for (const Approach& approach : approaches_)
        if (approach.importance < top) next = std::max(next, approach.importance);
      std::vector<std::size_t> second;
      for (std::size_t i = 0; i < approaches_.size(); ++i)
        if (approaches_[i].importance == next) second.push_back(i);
      is_main[straightest(first, second).second] = true;
    }
    return is_main;
  }

  std::pair<std::size_t, std::size_t> straightest(const std::vector<std::size_t>& first,
                                                  const std::vector<std::size_t>& second) const {
    std::pair<std::size_t, std::size_t> best{first[0], second[0]};
    double least = 2 * pi;
    for (const std::size_t a : first)
      for (const std::size_t b : second) {
        if (a == b || off_opposite(approaches_[a], approaches_[b]) >= least) continue;
        least = off_opposite(approaches_[a], approaches_[b]);
        best = {a, b};
      }
    return best;
  }

  bool meet(const Link& a, const Link& b) const {
    const bool same_from = a.turn.from_road == b.turn.from_road && (a.turn.from_lane < 0) == (b.turn.from_lane < 0),
               same_to = a.turn.to_road == b.turn.to_road && (a.turn.to_lane < 0) == (b.turn.to_lane < 0);
    if (same_from && a.turn.from_lane == b.turn.from_lane) return false;
    if (same_to && a.turn.to_lane == b.turn.to_lane) return true;
    return paths_meet(a.path, b.path, same_from || same_to ? 0 : kCar);
  }

  /// For two links that meet, true if the first one waits for the second.
  bool waits(std::size_t first, std::size_t second) const {
    const Link &a = links_[first], &b = links_[second];
    if (a.rank != b.rank) return a.rank < b.rank;
    const double angle = to_the_right(approaches_[a.approach], approaches_[b.approach]);
    if (angle < kParallel || angle > 2 * pi - kParallel) {  // side by side, or the same road
      const double more = std::fabs(a.bend) - std::fabs(b.bend);
      return std::fabs(more) > kTurn / 2 ? more > 0 : first > second;
    }
    if (std::fabs(angle - pi) < kOpposite && std::fabs(a.bend - b.bend) > kTurn / 2) return a.bend > b.bend;
    return angle == pi ? first > second : angle < pi;
  }

  void pair_phases() {
    std::vector<bool> done(approaches_.size(), false);
    for (std::size_t i = 0; i < approaches_.size(); ++i) {
      if (done[i] || !approaches_[i].has_in) continue;
      std::vector<std::size_t> phase = {i};
      double least = kStraight;
      for (std::size_t k = i + 1; k < approaches_.size(); ++k) {
        if (done[k] || !approaches_[k].has_in) continue;
        const double off = off_opposite(approaches_[i], approaches_[k]);
        if (off >= least) continue;
        least = off;
        phase.resize(1);
        phase.push_back(k);
      }
      for (const std::size_t k : phase) done[k] = true;
      out_.phases.push_back(std::move(phase));
    }
  }

  bool are_green_together(std::size_t a, std::size_t b) const {
    return std::any_of(out_.phases.begin(), out_.phases.end(), [&](const auto& phase) {
      const auto has = [&](std::size_t link) {
        return std::find(phase.begin(), phase.end(), links_[link].approach) != phase.end();
      };
      return has(a) && has(b);
    });
  }

  /// Where a left turn waits in the junction for the oncoming traffic of its own road, before the first path that it crosses.
  std::optional<double> waiting_place(std::size_t a) const {
    const Link& link = links_[a];
    if (out_.rule == Rule::right_before_left || out_.rule == Rule::all_stop || link.bend < kTurn) return std::nullopt;
    if (out_.rule != Rule::lights && link.rank != 1) return std::nullopt;
    double place = link.length;
    bool is_needed = false;
    for (std::size_t b = 0; b < n_; ++b) {
      const Link& other = links_[b];
      if (!out_.foes[a][b] || other.approach == link.approach || other.rank != link.rank) continue;
      if (out_.rule == Rule::lights && !are_green_together(a, b)) continue;
      is_needed = is_needed || (out_.yields[a][b] && other.bend <= kTurn);
      double s = 0;
      for (std::size_t i = 0; i + 1 < link.path.size(); ++i) {
        const std::vector<Place> step = {link.path[i], link.path[i + 1]};
        if (paths_meet(step, other.path, kClear)) break;
        s += distance(step[0].at, step[1].at);
      }
      place = std::min(place, s);
    }
    if (!is_needed || place < kLeastWait || place > link.length - kLeastWait) return std::nullopt;
    return place;
  }

  /// Cars that waited inside leave when the next phase has begun: its cars let them.
  void clear_after_phase() {
    for (std::size_t a = 0; a < n_; ++a)
      for (std::size_t b = 0; b < n_; ++b)
        if (out_.waits_inside[a] && out_.foes[a][b] && !are_green_together(a, b)) out_.yields[a][b] = out_.yields[b][a] = true;
  }

  const Network& network_;
  const std::vector<Approach>& approaches_;
  std::vector<Link>& links_;
  std::size_t n_;
  RightOfWay out_;
};

}  // namespace

int importance_of(std::string_view kind) {
  static constexpr std::pair<std::string_view, int> kKinds[] = {
      {"motorway", 13}, {"motorway_link", 12}, {"trunk", 11},   {"trunk_link", 10},   {"primary", 9},      {"primary_link", 8},
      {"secondary", 7}, {"secondary_link", 6}, {"tertiary", 5}, {"tertiary_link", 4}, {"unclassified", 3}, {"busway", 3},
      {"lane", 3},      {"residential", 2},    {"road", 2},     {"living_street", 1}};
  for (const auto& [name, importance] : kKinds)
    if (name == kind) return importance;
  return 0;
}

RightOfWay right_of_way(const Network& network, const std::vector<Approach>& approaches, std::vector<Link>& links) {
  return Junctions(network, approaches, links).run();
}

std::vector<sumo::Phase> light_phases(const Network& network, const std::vector<Approach>& approaches,
                                      const std::vector<Link>& links, const RightOfWay& right) {
  constexpr int kCycle = 90, kClearance = 2, kShortest = 15, kAlone = 10;  // s
  const auto count = static_cast<int>(right.phases.size());
  std::vector<sumo::Phase> phases;
  for (const auto& phase : right.phases) {
    double speed = 0;
    for (const std::size_t approach : phase)
      speed = std::max(speed, network.roads[approaches[approach].road].speed.value_or(0));
    const int yellow = speed <= 50.5 / 3.6 ? 3 : speed <= 70.5 / 3.6 ? 4 : 5;
    const int red = count == 1 ? kAlone : kClearance;
    std::string green(links.size(), 'r'), after = green;
    const auto is_green = [&](std::size_t link) {
      return std::find(phase.begin(), phase.end(), links[link].approach) != phase.end();
    };
    for (std::size_t a = 0; a < links.size(); ++a) {
      if (!is_green(a)) continue;
      bool yields = false;
      for (std::size_t b = 0; b < links.size(); ++b) yields = yields || (right.yields[a][b] && is_green(b));
      green[a] = yields ? 'g' : 'G';
      after[a] = 'y';
    }
    phases.push_back({std::max(kCycle / count - yellow - red, kShortest), green});
    phases.push_back({yellow, after});
    phases.push_back({red, std::string(links.size(), 'r')});
  }
  return phases;
}

}  // namespace simbatch::lanes::detail
