#pragma once
/// A mission on a robot: section walker, path following law and pilot as one participant.
///
/// In control() it reads the body's pose and velocity, either exact or as estimated from sensors by navigation.hpp, computes a
/// speed and a turn rate by the law (lib/mission/guidance.hpp), passes gamma and position to the walker, and commands the
/// pilot. The laws use course and speed over ground in place of yaw and surge, as soon as the robot moves (the flow frame of
/// Lapierre and Soetanto 2007), so that a current causes no cross-track error.

#include <memory>
#include <string>
#include <vector>

#include "lib/mission/guidance.hpp"
#include "lib/mission/walker.hpp"
#include "lib/sim/mission/navigation.hpp"
#include "lib/sim/mission/pilot.hpp"

namespace simbatch::sim {

/// Shared progress of the vehicles in one formation. One board for all robots that share a mission.
struct MissionBoard {
  struct Entry {
    double gamma = 0;  ///< normalized
    bool on_path = false;
  };
  std::vector<Entry> entries;
};

struct MissionSettings {
  /// Sections of this vehicle, in world coordinates: x = the world's x, y = the world's z. With the mission's gammas.
  std::vector<medusa::Section> sections;
  mission::Law law = mission::Law::lapierre;
  mission::LawGains gains;
  mission::CooperationGains cooperation;
  double point_speed = 0.5;  ///< m/s to a POINT without a speed
  double water_level = 0;    ///< y of the surface
  bool cooperate = false;
  std::shared_ptr<MissionBoard> board;            ///< never null
  std::optional<NavigationSensors> sensors = {};  ///< source of the vehicle's state; absent: perfect navigation
};

class MissionFollower final : public Participant {
 public:
  /// Kind "Mission"; see make_node() for the fields.
  /// @param node  registered below the robot
  MissionFollower(Simulation& simulation, physics::BodyId body, TreeNode& node, std::unique_ptr<Pilot> pilot,
                  MissionSettings settings);
  /// The node "mission": section (from 1; 0 before, sections + 1 at the end), line in the mission file, gamma,
  /// normalized gamma, cross-track and course error, references of speed, turn rate, depth and altitude.
  static std::unique_ptr<TreeNode> make_node(Source source);

  void start(const Clock& clock) override;
  void control(const Clock& clock) override;
  void after_step(const Clock& clock) override;
  void hash_state(StateHash& hash) const override;

 private:
  /// A run of LINE and ARC sections without another kind between them.
  struct Group {
    mission::PathFollower follower;
    std::vector<std::size_t> sections;  ///< of each piece
  };
  struct Motion {
    mission::Point at;
    double yaw = 0, course = 0;  ///< rad, counter-clockwise from +x
    double surge = 0, ground_speed = 0;
    geo::Vec3 velocity;
    double turn_rate = 0;  ///< clockwise
  };
  Motion motion() const;
  void apply_events(const std::vector<mission::WalkEvent>& events);
  PilotOrder follow(Group& group, const Motion& m, const Clock& clock);
  PilotOrder go_to(mission::Point target, double speed, double radius, double heading_deg, const Motion& m) const;
  std::optional<double> wanted_height(const Motion& m);

  Simulation& simulation_;
  physics::BodyId body_;
  std::size_t values_;
  std::unique_ptr<Pilot> pilot_;
  MissionSettings settings_;
  std::optional<SensorNavigation> navigation_;
  bool navigating_ = false;  // the sensors have been read
  mission::SectionWalker walker_;
  std::vector<Group> groups_;
  std::vector<std::size_t> group_of_;       // of each section; npos: none
  std::vector<double> others_;              // scratch of follow()
  std::size_t slot_;                        // on the board
  std::vector<std::size_t> pieces_before_;  // of each group
  double depth_ = 0, altitude_ = 0;         // references; altitude > 0 counts
  bool dives_ = false;
  double start_height_ = 0;
  mission::Point hold_;  // position to hold at the end
  double gamma_ = 0, normalized_ = 0, speed_ref_ = 0, turn_ref_ = 0, cross_ = 0, course_error_ = 0;
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
};

}  // namespace simbatch::sim
