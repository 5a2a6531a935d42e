#include "lib/sim/program/scheduler.hpp"

#include <algorithm>
#include <cmath>

#include "lib/sim/program/codes.hpp"

namespace simbatch::sim {
namespace {

constexpr double kSoon = 1e-6;  // of a step

}  // namespace

ProgramScheduler::~ProgramScheduler() {
  for (const Entry& entry : entries_) entry.program->finish();
}

void ProgramScheduler::add(std::unique_ptr<Program> program) {
  board_->program_added(program->robot());
  entries_.push_back({std::move(program), 0});
}

void ProgramScheduler::begin() {
  for (; begun_ < entries_.size(); ++begun_) entries_[begun_].program->begin();
}

void ProgramScheduler::control(const Clock& clock) {
  begin();
  std::vector<std::size_t> due;
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (entries_[i].due != kNever && entries_[i].due <= clock.step) due.push_back(i);
  std::stable_sort(due.begin(), due.end(), [&](std::size_t a, std::size_t b) { return entries_[a].due < entries_[b].due; });
  for (const std::size_t i : due) {
    Entry& entry = entries_[i];
    Turn turn = entry.program->run();
    if (turn.float_change != FloatChange::none) warn_of_float_mode(*entry.program, turn.float_change);
    switch (turn.kind) {
      case Turn::Kind::sleeping: {
        // Times beyond any run mean never; the comparison is false for NaN.
        const double steps = turn.until / clock.dt;
        entry.due = steps < 9e15 ? std::max(clock.step + 1, static_cast<std::int64_t>(std::ceil(std::max(steps, 0.0) - kSoon)))
                                 : kNever;
        break;
      }
      case Turn::Kind::ended:
        entry.due = kNever;
        board_->program_ended(entry.program->robot());
        ends_.push_back({entry.program->robot(), entry.program->label(), clock.step, clock.time, turn.status});
        break;
      case Turn::Kind::failed:
        entry.due = kNever;
        simulation_.fail({clock.step, clock.time, entry.program->robot(),
                          "its program " + quoted(entry.program->label()) + " " + std::move(turn.message), turn.code,
                          entry.program->source()});
        return;
    }
  }
}

void ProgramScheduler::warn_of_float_mode(const Program& program, FloatChange change) {
  if (!warned_.insert(program.label()).second) return;
  warnings_.report_in(program.source().file, program_code::kFloatMode, program.source().at,
                      "the program " + quoted(program.label()) + " sets another floating-point mode " +
                          (change == FloatChange::loading ? "when it is loaded (compiled with -Ofast or -ffast-math?)"
                                                          : "while it runs (rounding, or small numbers flushed to zero)") +
                          "; it holds for this program alone");
}

void ProgramScheduler::hash_state(StateHash& hash) const {
  for (const Entry& entry : entries_) hash.add(static_cast<std::uint64_t>(entry.due));
}

}  // namespace simbatch::sim
