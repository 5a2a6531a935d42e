#pragma once
/// Expectations of a simulation, bound to its tree and events and evaluated while it runs. Evaluation has no side effects: the
/// run and its hashes are the same with and without it.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/expect/monitor.hpp"
#include "lib/sim/physics/first_below.hpp"
#include "lib/sim/simulation.hpp"

namespace simbatch::sim {

class ProgramBoard;

/// Whether the robot programs, to which `ended()` refers, are loaded.
enum class ProgramsLoaded { no, yes };

/// The numbers in a simulation's tree, and the events contact(A[, B]), on_road(NODE), ended(ROBOT). A name in contact() denotes
/// the body of that name and all its descendants ("impreza": impreza.chassis, ...); `ground` denotes all terrains.
class SimulationSignals final : public expect::SignalSource {
 public:
  SimulationSignals(Simulation& simulation, ProgramsLoaded programs) : simulation_(simulation), programs_(programs) {}
  Lookup field(std::string_view node, std::string_view field) override;
  Lookup event(std::string_view event, const std::vector<std::string>& names) override;
  std::vector<std::string> fields() const override;
  /// The values after the last step, by slot. The reference is valid until the next call.
  const std::vector<double>& gather();
  /// Where in the tree's bank the value of a slot is; nothing for an event.
  std::optional<std::size_t> offset(std::size_t slot) const {
    return slots_[slot].kind == Kind::number ? std::optional(slots_[slot].offset) : std::nullopt;
  }

 private:
  enum class Kind { number, contact, on_road, ended };
  struct Slot {
    Kind kind = Kind::number;
    std::size_t offset = 0;           // number: offset in the bank; on_road: offset of x, followed by y and z
    std::vector<bool> first, second;  // contact: flags by body; second empty: all bodies not in first
    physics::FirstBelow below;        // on_road
    std::string robot;                // ended
  };
  Lookup contact(const std::vector<std::string>& names, Slot& slot);
  Lookup on_road(const std::string& name, Slot& slot);
  Lookup ended(const std::string& name, Slot& slot);
  bool bodies_of(const std::string& name, std::vector<bool>& bodies) const;
  bool is_known(const std::string& name, std::vector<bool>& bodies) const;
  std::string no_body(const std::string& name) const;
  std::string no_node(const std::string& name) const;
  std::size_t add(const std::string& key, Slot slot);
  bool touches(const Slot& slot) const;
  bool is_on_road(Slot& slot) const;

  Simulation& simulation_;
  ProgramsLoaded programs_;
  std::vector<Slot> slots_;
  std::map<std::string, std::size_t> by_key_;
  std::vector<double> values_;
  std::vector<physics::Contact> contacts_;
  bool has_contacts_ = false;  // true if a slot needs contacts
};

class Expectations {
 public:
  explicit Expectations(Simulation& simulation, ProgramsLoaded programs = ProgramsLoaded::yes)
      : simulation_(simulation), signals_(simulation, programs) {}

  struct Entry {
    expect::Expectation expectation;
    expect::Monitor monitor;
    /// s; a shorter run only decides verdicts that could no longer change. 0: the end of any run decides
    double duration = 0;
  };

  /// Adds the expectations of a text (expect::read_expectations). Before the first step.
  /// @param name      name of a single expectation that has none in the text; or empty
  /// @param duration  of Entry
  void add(std::string_view text, const expect::Place& place, const std::string& name, double duration, Diagnostics& problems);
  bool empty() const { return entries_.empty(); }
  const std::vector<Entry>& entries() const { return entries_; }

  /// Call once after Simulation::start(), and after each step.
  void evaluate();
  /// Ends the run. @param enough  true if it lasted the requested duration, whatever durations the expectations have
  void finish(bool enough = false);

 private:
  Simulation& simulation_;
  SimulationSignals signals_;
  /// Steps in which a value is in [low, high] change nothing about an entry (expect::Monitor::Quiet).
  struct Watch {
    double low = 1, high = 0;
    std::size_t place = 0;  // direct: in the tree's bank, else in the gathered values
    std::int64_t passed = 0;
    bool direct = false;
  };
  std::vector<Entry> entries_;
  std::vector<Watch> watches_;  // one an entry
};

}  // namespace simbatch::sim
