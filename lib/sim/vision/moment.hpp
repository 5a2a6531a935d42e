#pragma once
/// The state at one moment that is needed to draw a picture later. Internal to this room, except for its name.

#include <cstdint>
#include <memory>
#include <vector>

#include "base/geo/pose.hpp"
#include "lib/sim/scene/appearance.hpp"
#include "lib/sim/simulation.hpp"

namespace simbatch::sim::vision {

/// Poses of all movable bodies and all wheels, and the brightness and place of lamps.
class Moment {
 public:
  struct Lamp {
    double intensity = 0;  ///< 0..1
    geo::Pose part;        ///< of the part that carries it
  };

  /// Fills this moment with the current one. Allocates only if more things move than the last time.
  void capture(const Simulation& simulation, const std::vector<scene::LightAppearance>& lights);
  /// The pose at that moment; null: unknown, because the body was added later or never moves.
  const geo::Pose* body(physics::BodyId id) const;
  const geo::Pose* wheel(physics::VehicleId vehicle, std::size_t wheel) const;
  /// The step after which it was captured.
  std::int64_t step() const { return step_; }
  /// In the order of the lights.
  const std::vector<Lamp>& lamps() const { return lamps_; }
  /// How many numbers a moment of this simulation has.
  static std::size_t numbers(const Simulation& simulation, std::size_t lights);

 private:
  std::int64_t step_ = 0;
  std::vector<physics::BodyId> ids_;  // ascending
  std::vector<geo::Pose> bodies_, wheels_;
  std::vector<std::size_t> first_wheel_;  // of each vehicle, and the end
  std::vector<Lamp> lamps_;
};

}  // namespace simbatch::sim::vision
