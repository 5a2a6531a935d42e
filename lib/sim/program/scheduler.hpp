#pragma once
/// Resumes programs between steps: those that are due, in the order (time, order of adding).

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "lib/sim/participant.hpp"
#include "lib/sim/program/port.hpp"
#include "lib/sim/program/program.hpp"
#include "lib/sim/simulation.hpp"

namespace simbatch::sim {

/// A program whose main returned.
struct ProgramEnd {
  std::string robot, label;
  std::int64_t step = 0;  ///< steps done
  double time = 0;        ///< s
  int status = 0;         ///< main's value
};

class ProgramScheduler final : public Participant {
 public:
  explicit ProgramScheduler(Simulation& simulation) : simulation_(simulation), board_(ProgramBoard::of(simulation)) {}
  ~ProgramScheduler() override;

  /// In the order of robots' names. Before the first step.
  void add(std::unique_ptr<Program> program);

  /// Begins all programs, as the first step would: endpoints are open from here on, and their programs can be waited for elsewhere.
  void begin();
  bool empty() const { return entries_.empty(); }
  /// Programs that have ended, in that order. The robot keeps their last settings.
  const std::vector<ProgramEnd>& ends() const { return ends_; }
  /// Programs that have changed the floating-point mode, each label once, with the position of their declaration.
  const Diagnostics& warnings() const { return warnings_; }

  /// A program that sleeps until t resumes in the first step that begins at t or later (times within a millionth of a step
  /// count as reached), and never again in the same step: a sleep of 0 lets one step pass. When one fails, the simulation fails
  /// (Simulation::fail) and no other is resumed.
  void control(const Clock& clock) override;
  /// The programs' due steps.
  void hash_state(StateHash& hash) const override;

 private:
  void warn_of_float_mode(const Program& program, FloatChange change);
  static constexpr std::int64_t kNever = -1;
  struct Entry {
    std::unique_ptr<Program> program;
    std::int64_t due = 0;  ///< step; kNever: ended
  };
  Simulation& simulation_;
  std::shared_ptr<ProgramBoard> board_;
  std::vector<Entry> entries_;
  std::size_t begun_ = 0;  // number of programs after begin()
  std::vector<ProgramEnd> ends_;
  Diagnostics warnings_;
  std::set<std::string> warned_;  // labels
};

}  // namespace simbatch::sim
