#pragma once
/// The step loop (docs/architecture.md; decisions in docs/adr): one fixed dt, an integer step counter, participants in one
/// order.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/geo/geo.hpp"
#include "lib/sim/participant.hpp"
#include "lib/sim/physics/world.hpp"
#include "lib/sim/tree/tree.hpp"

namespace simbatch::sim {

struct SimulationSettings {
  physics::WorldSettings physics;       ///< with dt
  std::uint64_t seed = 1;               ///< of all random streams
  std::optional<geo::LatLon> origin;    ///< of the world frame on the earth
  std::int64_t start_unix = 946684800;  ///< UTC at time 0, in seconds since 1970-01-01; default 2000-01-01T00:00:00Z
};

/// Why a run cannot continue.
struct Failure {
  std::int64_t step = 0;       ///< the first step after which it was detected
  double time = 0;             ///< s
  std::string object;          ///< fully qualified name of the first body or node
  std::string message;         ///< one clause
  const Code* code = nullptr;  ///< of a program that failed; nullptr: the world blew up
  Source source = {};          ///< of what failed, where the object's own source is not enough
};

class ImageSource;
class ProgramBoard;

class Simulation {
 public:
  explicit Simulation(const SimulationSettings& settings);
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  const SimulationSettings& settings() const { return settings_; }
  /// Sets the origin that a map names. Before devices are added.
  void set_origin(geo::LatLon origin) { settings_.origin = origin; }
  physics::World& world() { return world_; }
  const physics::World& world() const { return world_; }
  SimulationTree& tree() { return tree_; }
  const SimulationTree& tree() const { return tree_; }
  Clock clock() const;

  /// Takes ownership of a participant. Order matters: see participant.hpp. Before start().
  template <class T>
  T& add(std::unique_ptr<T> participant) {
    T& added = *participant;
    participants_.push_back(std::move(participant));
    return added;
  }

  /// Values at time 0. Called by the first step() if it was not called before; more calls do nothing.
  void start();
  /// One step. @return false if the world has left the range of meaningful numbers; then failure() has the reason, and
  /// further steps do nothing.
  bool step();
  const std::optional<Failure>& failure() const { return failure_; }
  /// Called in control(): the step is not made, and no further one. The first call counts.
  void fail(Failure failure) {
    if (!failure_) failure_ = std::move(failure);
  }

  /// The source of camera pictures (lib/sim/device/image_source.hpp), a participant of this simulation; nullptr: none.
  ImageSource* images() const { return images_; }
  void set_images(ImageSource* images) { images_ = images; }
  /// What the programs of this simulation know of each other (lib/sim/program/port.hpp); empty until there is one.
  const std::shared_ptr<ProgramBoard>& programs() const { return programs_; }
  void set_programs(std::shared_ptr<ProgramBoard> programs) { programs_ = std::move(programs); }

  /// Hash of the states after start() and after every step so far: bodies, wheels, links, all numbers of the tree, and what
  /// participants add. Equal hashes mean equal runs, not only equal ends.
  std::uint64_t state_hash() const { return hash_.value(); }

 private:
  void update_hash();
  bool detect_blow_up();

  SimulationSettings settings_;
  physics::World world_;
  SimulationTree tree_;
  std::vector<std::unique_ptr<Participant>> participants_;
  StateHash hash_;
  std::int64_t step_ = 0;
  bool started_ = false;
  std::optional<Failure> failure_;
  ImageSource* images_ = nullptr;
  std::shared_ptr<ProgramBoard> programs_;
};

}  // namespace simbatch::sim
