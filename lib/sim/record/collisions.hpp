#pragma once
/// Collisions of robots during a run: who hit what, when, and how fast.

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "formats/trace/trace.hpp"
#include "lib/sim/simulation.hpp"

namespace simbatch::sim {

/// Watches the bodies of robots (bodies below a node of the kind "Robot"). A collision is a contact, with a force in it, with
/// anything but the ground and the robot itself, whose bodies approached each other at its point at more than kLeastSpeed
/// before the step, and had not touched for kApart. Observes only: neither the run nor its hashes change. Cost per step: the
/// velocities of all bodies that move; of contacts only those of robots with what they may hit are copied.
class Collisions {
 public:
  static constexpr double kLeastSpeed = 0.05;  ///< m/s
  static constexpr double kApart = 0.25;       ///< s
  static constexpr std::size_t kMaxPairs = 100;

  explicit Collisions(Simulation& simulation) : simulation_(simulation) {}
  /// After the start of the simulation, and after each of its steps.
  void look();
  /// One entry per pair of bodies, in the order of their first collision; at most kMaxPairs.
  const std::vector<trace::Collision>& found() const { return found_; }

 private:
  using Pair = std::pair<std::uint32_t, std::uint32_t>;
  struct Motion {
    geo::Vec3 at, linear, angular;  // of the center of mass
  };
  struct Touch {
    std::int64_t last_step = -1, began = -1, counted = -1;  // with contact; the first of it; of the last collision
    std::size_t entry = kMaxPairs;
  };
  void prepare();
  void remember();
  geo::Vec3 velocity_at(std::uint32_t body, geo::Vec3 point) const;
  void hit(const physics::Contact& contact);

  Simulation& simulation_;
  bool is_prepared_ = false;
  std::vector<std::int32_t> robot_of_;  // by body: number of its robot; -1: of none
  bool has_robots_ = false;
  std::vector<std::uint32_t> movable_;
  std::vector<Motion> before_;  // by body: before the last step; zeros for those that never move
  std::map<Pair, Touch> touches_;
  std::vector<physics::Contact> contacts_;
  std::vector<trace::Collision> found_;
};

}  // namespace simbatch::sim
