#include "lib/sim/record/run.hpp"

#include "base/core/float_mode.hpp"
#include "base/core/hash.hpp"
#include "base/core/number.hpp"
#include "simbatch_version.hpp"

namespace simbatch::sim {
namespace {

std::string float_mode_text() {
  const FloatMode mode = float_mode();
  if (mode == kDefaultFloatMode) return "round-to-nearest";
  return "mxcsr " + hex64(mode.mxcsr).substr(12) + ", x87 " + hex64(mode.x87).substr(12);
}

}  // namespace

trace::Header trace_header(const Simulation& simulation, const RunPlan& plan) {
  trace::Header header;
  header.generator = std::string("simbatch ") + SIMBATCH_VERSION;
  header.seed = simulation.settings().seed;
  header.dt = simulation.settings().physics.dt;
  header.steps = plan.steps;
  header.every = plan.every;
  header.hash_every = plan.hash_every;
  header.engine = simulation.world().engine();
  header.mathematics = hex64(math_fingerprint()) + (math_is_pinned() ? " (pinned)" : " (not pinned)");
  header.float_mode = float_mode_text();
  return header;
}

RunRecorder::RunRecorder(Simulation& simulation, const RunPlan& plan, const RunOutputs& outputs)
    : simulation_(simulation),
      plan_(plan),
      outputs_(outputs),
      gatherer_(simulation.tree(), outputs.nodes),
      collisions_(simulation) {
  if (outputs.writer != nullptr) gatherer_.leave_texts_to(*outputs.writer);
}

void RunRecorder::record() {
  const std::int64_t step = simulation_.clock().step;
  collisions_.look();
  if (outputs_.on_step) outputs_.on_step(step);
  if (step % plan_.every == 0) {
    if (outputs_.writer != nullptr) {
      gatherer_.gather();
      outputs_.writer->row(step, gatherer_.numbers(), gatherer_.texts());
    }
    if (outputs_.recording != nullptr) outputs_.recording->frame();
  }
  if (plan_.hash_every <= 0 || step % plan_.hash_every != 0 || (outputs_.writer == nullptr && outputs_.recording == nullptr))
    return;
  const trace::HashPoint point{step, simulation_.state_hash()};
  if (outputs_.writer != nullptr) outputs_.writer->hash(point);
  if (outputs_.recording != nullptr) outputs_.recording->hash(point);
}

trace::End RunRecorder::end(bool interrupted) const {
  trace::End end;
  if (interrupted) end.outcome = "interrupted";
  if (const auto& failure = simulation_.failure()) {
    end.outcome = "failed";
    end.message = failure->object + ": " + failure->message +
                  (failure->code != nullptr ? ", in step " : ", first after step ") + number_text(failure->step);
  }
  const Clock clock = simulation_.clock();
  end.steps = clock.step;
  end.time = clock.time;
  end.state_hash = simulation_.state_hash();
  end.collisions = collisions_.found();
  return end;
}

trace::End run_simulation(Simulation& simulation, const RunPlan& plan, const RunOutputs& outputs,
                          const std::function<bool(std::int64_t)>& keep_going) {
  RunRecorder recorder(simulation, plan, outputs);
  bool interrupted = false;
  simulation.start();
  if (!simulation.failure()) recorder.record();
  for (std::int64_t step = 1; step <= plan.steps && !simulation.failure(); ++step) {
    if ((step & 15) == 0 && !keep_going(step - 1)) {
      interrupted = true;
      break;
    }
    if (simulation.step()) recorder.record();
  }
  return recorder.end(interrupted);
}

}  // namespace simbatch::sim
