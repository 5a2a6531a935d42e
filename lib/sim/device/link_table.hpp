#pragma once
/// Links between parts, as devices: their values and motors.

#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "lib/sim/device/device_node.hpp"
#include "lib/sim/simulation.hpp"

namespace simbatch::sim {

/// A joint of the world: a link between two bodies, or a joint of an articulation.
struct JointRef {
  physics::LinkId link{};
  std::optional<physics::ArticulationId> articulation;
  std::size_t joint = 0;  ///< of the articulation
  bool reversed = false;  ///< the file's child is nearer to the base than its parent

  double position(const physics::World& world) const;  ///< rad or m, since the start
  double rate(const physics::World& world) const;
  double motor_force(const physics::World& world) const;  ///< N m or N, mean of the last step
  void set(physics::World& world, const physics::JointMotor& motor) const;
};

/// Meaning of a motor's value `target`.
enum class MotorMode { force, position, speed };

/// A link's motor; units as in physics::JointMotor.
struct LinkMotorSettings {
  MotorMode mode = MotorMode::position;                        ///< at the start
  double target = 0;                                           ///< at the start
  double stiffness = 0;                                        ///< of mode position
  std::optional<double> damping;                               ///< absent: critical (position), rigid (speed)
  double max_force = 0;                                        ///< > 0
  double max_speed = std::numeric_limits<double>::infinity();  ///< of the target: position, speed
  std::optional<double> lower, upper;                          ///< the link's limits: of positions that it is set to
  std::vector<NoiseSpec> noise;                                ///< on targets that are set
};

/// Shows position and rate of revolute and prismatic links since the start; those with a motor also show its setting and force.
/// Spherical links have no values. Motors act in before_step().
class LinkTable final : public Participant {
 public:
  explicit LinkTable(Simulation& simulation) : simulation_(simulation) {}
  ~LinkTable() override;
  static std::vector<Field> fields(physics::LinkKind kind);
  /// With a motor: target, mode, max_force, then fields(kind), then force. @param mode  at the start: names the target's unit
  static std::vector<Field> motor_fields(physics::LinkKind kind, MotorMode mode);
  /// Creates a node for a link, to be registered by the caller.
  static std::unique_ptr<DeviceNode> make_node(std::string name, std::string type, physics::LinkKind kind, Source source,
                                               const LinkMotorSettings* motor);
  /// @param node  registered, of make_node(); @param motor  as there
  void add(const JointRef& joint, physics::LinkKind kind, DeviceNode& node, const LinkMotorSettings* motor = nullptr);

  void start(const Clock&) override;
  void before_step(const Clock& clock) override;
  void after_step(const Clock&) override { refresh(); }
  void hash_state(StateHash& hash) const override;

 private:
  struct Motor {
    LinkMotorSettings settings;
    double set_point = 0;  // position: on its way to the target
  };
  struct Entry {
    JointRef joint;
    std::size_t offset = 0;
    std::optional<Motor> motor;
  };
  void refresh();
  void drive(Entry& entry, double dt);
  Simulation& simulation_;
  std::vector<Entry> entries_;
};

}  // namespace simbatch::sim
