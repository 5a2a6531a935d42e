#include "lib/sim/record/run.hpp"

#include "base/core/float_mode.hpp"
#include "base/core/hash.hpp"
#include "base/core/number.hpp"
#include "lib/sim/record/recorder.hpp"
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

trace::End run_simulation(Simulation& simulation, const RunPlan& plan, const RunOutputs& outputs,
                          const std::function<bool(std::int64_t)>& go_on) {
  RowGatherer gatherer(simulation.tree(), outputs.nodes);
  const auto record = [&](std::int64_t step) {
    if (outputs.look) outputs.look(step);
    if (step % plan.every == 0) {
      if (outputs.writer != nullptr) {
        gatherer.gather();
        outputs.writer->row(step, gatherer.numbers(), gatherer.texts());
      }
      if (outputs.recording != nullptr) outputs.recording->frame();
    }
    if (outputs.writer != nullptr && plan.hash_every > 0 && step % plan.hash_every == 0)
      outputs.writer->hash({step, simulation.state_hash()});
  };
  trace::End end;
  simulation.start();
  if (!simulation.failure()) record(0);
  for (std::int64_t step = 1; step <= plan.steps && !simulation.failure(); ++step) {
    if ((step & 15) == 0 && !go_on(step - 1)) {
      end.outcome = "interrupted";
      break;
    }
    if (simulation.step()) record(step);
  }
  if (const auto& failure = simulation.failure()) {
    end.outcome = "failed";
    end.message = failure->object + ": " + failure->message +
                  (failure->code != nullptr ? ", in step " : ", first after step ") + number_text(failure->step);
  }
  const Clock clock = simulation.clock();
  end.steps = clock.step;
  end.time = clock.time;
  end.state_hash = simulation.state_hash();
  return end;
}

}  // namespace simbatch::sim
