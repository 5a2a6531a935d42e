// Our own. Two roads of half widths a and b that leave a point at an angle w overlap up to (b + a cos w) / sin w along
// the first.
#include "lib/lanes/crossing.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace simbatch::lanes::detail {
namespace {

using std::numbers::pi;

constexpr double kFarthest = 20;                // m: how far a road is set back at most
constexpr double kMargin = 1;                   // m
constexpr double kThroughBend = 50 * pi / 180;  // rad: turns that bend less go straight on
constexpr double kSlight = 20 * pi / 180;       // rad: turns that bend more can match an arrow to the side

/// The lane number in a road: `from_right` counts from 0 at the right border of those that lead in (out).
LaneId lane_id(const Arm& arm, int lanes, int from_right, bool leads_in) {
  const int number = lanes - from_right;  // from the middle of the road, 1 ..
  return arm.is_end == leads_in ? -number : number;
}

class TurnMaker {
 public:
  TurnMaker(std::span<const Arm> arms, std::size_t from, std::span<const Goal> goals, std::vector<Turn>& turns)
      : arms_(arms), from_(arms[from]), goals_(goals), turns_(turns), has_turn_(static_cast<std::size_t>(from_.in), false) {
    for (std::size_t g = 1; g < goals.size(); ++g)
      if (std::fabs(goals[g].bend) < std::fabs(goals[straightest_].bend)) straightest_ = g;
    goes_straight_ = std::fabs(goals[straightest_].bend) < kThroughBend;
  }

  void run() {
    for (std::size_t g = 0; g < goals_.size(); ++g) {
      if (!from_.arrows.empty() && add_by_arrows(g)) continue;
      add_usual(g);
    }
    // Lanes without arrows.
    for (int lane = 0; lane < from_.in; ++lane)
      if (!has_turn_[static_cast<std::size_t>(lane)]) add(lane, straightest_, std::min(lane, out(straightest_) - 1));
  }

 private:
  int out(std::size_t goal) const { return arms_[goals_[goal].arm].out; }

  /// Lanes counted from the right.
  void add(int lane, std::size_t goal, int into) {
    const Arm& to = arms_[goals_[goal].arm];
    has_turn_[static_cast<std::size_t>(lane)] = true;
    turns_.push_back({from_.road, lane_id(from_, from_.in, lane, true), to.road, lane_id(to, to.out, into, false)});
  }

  /// Lanes first .. first + n - 1 into the goal's, in order, along its right or left border.
  void add_range(int first, int n, std::size_t goal, bool along_left) {
    const int m = out(goal);
    for (int k = 0; k < n; ++k) add(first + k, goal, along_left ? std::max(m - n + k, 0) : std::min(k, m - 1));
    if (!along_left)
      for (int k = n; k < m && goal == straightest_ && goes_straight_; ++k) add(first + n - 1, goal, k);
  }

  bool add_by_arrows(std::size_t goal) {
    const double bend = goals_[goal].bend;
    Arrows arrow = kThrough;
    if (goal != straightest_ || std::fabs(bend) > kSlight) arrow = bend > 0 ? kLeft : kRight;
    if (goal == straightest_ && goes_straight_ && !shown(arrow)) arrow = kThrough;
    int first = -1, n = 0;
    for (int lane = 0; lane < from_.in; ++lane)
      if ((from_.arrows[static_cast<std::size_t>(from_.in - 1 - lane)] & arrow) != 0) {
        if (first < 0) first = lane;
        n = lane - first + 1;
      }
    if (n == 0) return false;
    add_range(first, n, goal, arrow == kLeft);
    return true;
  }

  bool shown(Arrows arrow) const {
    return std::any_of(from_.arrows.begin(), from_.arrows.end(), [&](Arrows a) { return (a & arrow) != 0; });
  }

  void add_usual(std::size_t goal) {
    if (goes_straight_) {
      if (goal == straightest_)
        add_range(0, from_.in, goal, false);
      else
        add(goal < straightest_ ? 0 : from_.in - 1, goal, goal < straightest_ ? 0 : out(goal) - 1);
      return;
    }
    // The road ends here: its right half turns right, its left half left.
    const bool to_left = goals_[goal].bend > 0;
    const bool both = goals_.front().bend <= 0 && goals_.back().bend > 0;
    const int right = both ? (from_.in + 1) / 2 : from_.in;
    if (to_left && both)
      add_range(from_.in / 2, from_.in - from_.in / 2, goal, true);
    else
      add_range(0, right, goal, to_left);
  }

  std::span<const Arm> arms_;
  const Arm& from_;
  std::span<const Goal> goals_;
  std::vector<Turn>& turns_;
  std::vector<bool> has_turn_;
  std::size_t straightest_ = 0;
  bool goes_straight_ = false;
};

}  // namespace

std::vector<double> stay_back(std::span<const Arm> arms) {
  std::vector<double> back(arms.size(), 0);
  std::vector<std::size_t> order(arms.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return arms[a].heading < arms[b].heading; });
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t i = order[k], j = order[(k + 1) % order.size()];
    double angle = arms[j].heading - arms[i].heading;
    if (k + 1 == order.size()) angle += 2 * pi;
    if (i == j || angle >= pi) continue;
    const double a = arms[i].half_width, b = arms[j].half_width, sine = std::max(std::sin(angle), 1e-3),
                 cosine = std::cos(angle);
    back[i] = std::max(back[i], (b + a * cosine) / sine);
    back[j] = std::max(back[j], (a + b * cosine) / sine);
  }
  for (std::size_t i = 0; i < arms.size(); ++i) back[i] = std::min(std::min(back[i], kFarthest) + kMargin, arms[i].room);
  return back;
}

std::vector<Goal> goals_of(std::span<const Arm> arms, std::size_t from) {
  std::vector<Goal> goals;
  for (std::size_t i = 0; i < arms.size(); ++i)
    if (i != from && arms[i].out > 0) goals.push_back({i, wrapped(arms[i].heading - arms[from].heading - pi)});
  std::stable_sort(goals.begin(), goals.end(), [](const Goal& a, const Goal& b) { return a.bend < b.bend; });
  return goals;
}

void add_turns(std::span<const Arm> arms, std::size_t from, std::span<const Goal> goals, std::vector<Turn>& turns) {
  TurnMaker(arms, from, goals, turns).run();
}

}  // namespace simbatch::lanes::detail
