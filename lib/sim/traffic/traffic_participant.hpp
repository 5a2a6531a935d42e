#pragma once
/// Objects of a CajunBot file in a simulation: those with goals as kinematic bodies that follow their timetable (they push
/// others and are not pushed), and all movable ones as nodes of the tree.

#include <memory>
#include <optional>
#include <vector>

#include "lib/sim/participant.hpp"
#include "lib/sim/physics/world.hpp"
#include "lib/sim/simulation.hpp"
#include "lib/sim/traffic/driven_vehicle.hpp"
#include "lib/sim/traffic/driver.hpp"
#include "lib/sim/tree/tree.hpp"
#include "lib/traffic/traffic.hpp"

namespace simbatch::sim {

/// Kind "TrafficObject": x, y, z of the middle of the underside (m, W), heading (rad, clockwise from north), speed (m/s), goal
/// (from 1: the current one; goals + 1 when all are done; 0 without goals).
/// @param readable  by programs, as a device: an autonomous object's programs know where it is
std::unique_ptr<TreeNode> make_traffic_node(std::string name, Source source, bool readable);

class TrafficParticipant final : public Participant {
 public:
  explicit TrafficParticipant(Simulation& simulation) : simulation_(simulation) {}
  /// @param body    kinematic; its frame is `lift` above the underside
  /// @param motion  heights are above the ground, which the body follows; ways and times are those of the plane
  void add_mover(physics::BodyId body, const TreeNode& node, traffic::Motion motion, double lift);
  /// A dynamic body: on wheels driven by throttle and levers if it has them, with a driver if it has legs.
  void add_dynamic(physics::BodyId body, const TreeNode& node, double lift, std::optional<DrivenVehicle> drive,
                   std::optional<Driver> driver);

  void start(const Clock& clock) override;
  void control(const Clock& clock) override;
  void before_step(const Clock& clock) override;
  void after_step(const Clock& clock) override;
  void hash_state(StateHash& hash) const override;

 private:
  struct Mover {
    physics::BodyId body{};
    std::size_t values = 0;
    traffic::Motion motion;
    double lift = 0;
    double ground = 0;        // under it
    bool has_ground = false;  // `ground` is that of the last place
  };
  traffic::State state_on_ground(Mover& mover, double time);
  struct DynamicVehicle {
    physics::BodyId body{};
    std::size_t values = 0;
    double lift = 0;
    std::optional<DrivenVehicle> drive;
    std::optional<Driver> driver;
  };
  physics::Pose underside_pose(const DynamicVehicle& vehicle) const;
  void write_values(double time);
  Simulation& simulation_;
  std::vector<Mover> movers_;
  std::vector<DynamicVehicle> vehicles_;
};

}  // namespace simbatch::sim
