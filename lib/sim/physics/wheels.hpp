#pragma once
/// Vehicles over lib/vehicle. Internal to this room.

#include <optional>
#include <vector>

#include "lib/sim/physics/vehicle.hpp"
#include "lib/sim/physics/world.hpp"
#include "lib/vehicle/solver.hpp"
#include "lib/vehicle/steering.hpp"

namespace simbatch::physics::detail {

struct Body;

struct Wheel {
  VehicleControls controls;
  double steering = 0;  // current angle of the virtual middle wheel
  double brake_factor = 1, anti_lock = 1;
  bool front = false;
  vehicle::WheelDirection direction;  // of this wheel
  // Set once, in frame P of the chassis.
  Vec3 hard_point;
  double ray_length = 0;
  // From the last update.
  bool in_contact = false;
  double length = 0, force = 0, rotation = 0, spin = 0;
  Vec3 hard_point_w, point, normal;
  Vec3 arm;                                      // from the center of mass to `point`
  Body* ground = nullptr;                        // the body under it
  const vehicle::WheelMemory* memory = nullptr;  // within its WheelSet
};

struct Vehicle {
  VehicleSettings settings;
  BodyId chassis_id{};
  Body* chassis = nullptr;
  std::vector<Wheel> wheels;
  vehicle::SteeringGeometry geometry;
  std::optional<double> front_axle, rear_axle;  // mean z of the front and of the rear wheels, in the chassis frame
  vehicle::DriveTrainState train;
  struct {
    double angle = 0, value = 0;
  } tangent;  // of the last angle that was steered

  void set_up();
  void control(std::size_t wheel, const VehicleControls& c);
  void steer(std::size_t wheel, double angle);  // of the middle wheel
  void share_brakes();
  void find_axles();
  void push_air() const;
};

/// All wheels of one chassis.
class WheelSet {
 public:
  explicit WheelSet(Body& chassis);
  const Body* chassis() const { return chassis_; }
  /// Adds the wheels of a vehicle.
  void add(Vehicle& added);
  void update(World::State& state, double dt);

 private:
  struct Member {
    Vehicle* vehicle;
    std::size_t index;
    Wheel* wheel;
    const WheelSettings* settings;
  };
  void cast_rays(World::State& state);
  static void find_ground(const World::State& state, Vec3 down, const WheelSettings& set, Wheel& w);
  vehicle::BodyState chassis_state(const World::State& state) const;
  void fill_contact(std::size_t i, const vehicle::BodyState& body, Vec3 axle);
  void roll_freely(const vehicle::BodyState& body);
  void connect();  // maps bars and drive trains to member indices
  void move_controls(double dt);
  void drive_trains(double dt);

  Body* chassis_;
  Vec3 up_, axle_, forward_;  // of the chassis' frame B, in P; axle_ points right
  std::vector<Member> members_;
  // One per member.
  std::vector<vehicle::WheelModel> models_;
  std::vector<vehicle::Contact> contacts_;
  std::vector<vehicle::WheelInput> inputs_;
  std::vector<vehicle::WheelMemory> memories_;
  std::vector<vehicle::AntiRollBar> bars_;
  std::vector<vehicle::DriveGroup> groups_;  // one per vehicle with a drive train
  std::vector<Vehicle*> vehicles_, trains_, in_air_;
  std::vector<vehicle::DrivenWheel> driven_;  // these two are members to reuse their memory
  vehicle::DriveTrainStep train_step_;
  vehicle::WheelSolver solver_;
  int passes_ = 0;  // 0: not chosen yet
};

}  // namespace simbatch::physics::detail
