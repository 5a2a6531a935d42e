#pragma once
/// Forces of water and air on bodies: drag and buoyancy.
///
/// Sources: drag is the usual sum of a linear and a quadratic term per body axis (Fossen, Handbook of Marine Craft
/// Hydrodynamics and Motion Control, 2011, section 6.4, diagonal damping); buoyancy is Archimedes' law over the cells of the
/// body. PAL's palLiquidDrag (an impulse a step that grows with the cube of the speed) and palFakeBuoyancy (spheres of other
/// volume than the box) are not followed. Added mass is the diagonal M_A of Fossen 2011, section 6.3, with its Coriolis terms
/// (Kirchhoff's equations): the forces so far are reduced so that they accelerate the body as if it had the mass m + M_A.
/// Contacts and links act on the mass m alone.

#include <optional>
#include <utility>
#include <vector>

#include "lib/sim/simulation.hpp"
#include "lib/sim/water_level.hpp"

namespace simbatch::sim {

/// Still or flowing water below a level.
struct WaterBody {
  double level = 0;       ///< y of the surface, m
  double density = 1025;  ///< kg/m^3
  geo::Vec3 current;      ///< velocity of the water, W, m/s
};

/// Buoyancy and drag of one body, in its own axes. Drag force on axis i is -(linear_i v_i + quadratic_i |v_i| v_i), v the
/// velocity of the center of mass relative to the medium: the current if the center is under water, else air at rest.
struct FluidSettings {
  geo::Vec3 linear_drag;                        ///< N/(m/s)
  geo::Vec3 quadratic_drag;                     ///< N/(m/s)^2
  geo::Vec3 angular_linear_drag;                ///< N m/(rad/s)
  geo::Vec3 angular_quadratic_drag;             ///< N m/(rad/s)^2
  geo::Vec3 added_mass;                         ///< kg, along the body's axes
  geo::Vec3 added_inertia;                      ///< kg m^2, about the body's axes through the center of mass
  std::optional<double> volume;                 ///< m^3 displaced when fully submerged; absent: that of the parts
  std::optional<geo::Vec3> center_of_buoyancy;  ///< in the body's frame; absent: of the parts
  bool has_drag() const;
  bool has_added_mass() const;
};

class FluidForces final : public Participant {
 public:
  FluidForces(Simulation& simulation, std::optional<WaterBody> water) : simulation_(simulation), water_(water) {}
  /// Replaces WaterBody::level: water exists only where this returns a level, and up to it. Requires a WaterBody.
  void set_level(WaterLevelAt level_at) { level_at_ = std::move(level_at); }
  /// @param parts  shapes of the body, which determine the distribution of its volume
  void add(physics::BodyId body, const std::vector<physics::Part>& parts, const FluidSettings& settings);
  /// Must be the last participant that applies forces, because added mass scales all of them.
  void before_step(const Clock&) override;

 private:
  struct Entry;
  void add_mass(const Entry& entry, double submerged);
  struct Cell {
    geo::Vec3 at;  // body frame
    double volume = 0;
    std::size_t part = 0;
  };
  struct CellForm {
    geo::Vec3 half;  // half edges of a part's cells
    geo::Quat turn;  // of the part in the body
  };
  struct Entry {
    physics::BodyId body;
    FluidSettings settings;
    std::vector<Cell> cells;
    std::vector<CellForm> forms;  // one for each part
    std::vector<double> heights;  // height of half a cell of each part at the body's current orientation, m
    double radius;                // of the sphere about the origin that contains all cells
    double volume;
    geo::Vec3 center;
  };
  Simulation& simulation_;
  /// y of the surface of the water at a place, m; nothing: no water there.
  std::optional<double> level_at(geo::Vec3 place) const;

  std::optional<WaterBody> water_;
  WaterLevelAt level_at_;
  std::vector<Entry> entries_;
};

}  // namespace simbatch::sim
