#include "lib/view/rebuild.hpp"

#include <algorithm>
#include <utility>

#include "lib/sim/record/run.hpp"
#include "lib/sim/scene/scene_builder.hpp"
#include "lib/sim/vision/cameras.hpp"
#include "lib/view/codes.hpp"

namespace simbatch::view {
namespace {

std::optional<BuiltView> build_view(const RebuildOptions& options, scenario::ProgramUse programs, Diagnostics& problems) {
  scenario::BuildResult result = options.build(programs);
  problems.append(std::move(result.diagnostics));
  if (!result.value) return std::nullopt;
  result.value->simulation->start();
  Diagnostics found;
  BuiltView view = view_of(std::move(*result.value), found);
  // they would be repeated by the second build
  if (programs == scenario::ProgramUse::ignore) problems.append(std::move(found));
  return view;
}

/// Repeats the run and records its motion; false if it was canceled.
bool repeat(const RebuildOptions& options, const trace::Trace& trace, BuiltView& view, Diagnostics& problems) {
  // Bounded by the requested duration: a damaged trace may claim any number of steps.
  const std::int64_t last = trace.steps.empty() ? 0 : trace.steps.back();
  const sim::RunPlan plan{std::min(trace.end ? trace.end->steps : last, std::max(trace.header.steps, last)),
                          std::max<std::int64_t>(1, last), 0};
  MotionRecorder recorder(*view.built.simulation, view.scene);
  sim::RunOutputs outputs;
  std::size_t next = 0;
  outputs.on_step = [&](std::int64_t step) {
    while (next < trace.steps.size() && trace.steps[next] < step) ++next;
    if (next < trace.steps.size() && trace.steps[next] == step) recorder.record(step);
  };
  bool ended = false;
  const trace::End end = sim::run_simulation(*view.built.simulation, plan, outputs, [&](std::int64_t done) {
    ended = ended || (options.keep_going && !options.keep_going(done));
    return !ended;
  });
  if (ended) return false;
  if (trace.end && trace.end->outcome == "complete" && end.state_hash != trace.end->state_hash)
    problems.report(
        view_code::kPoses, {},
        "the scenario does not repeat this trace (other inputs, or programs that were not run); what was not traced "
        "moves as it did now");
  if (!recorder.motion().steps.empty()) fill_motion(view.motion, recorder.motion());
  return true;
}

}  // namespace

std::vector<WorldCamera> cameras_of(const scenario::BuiltScenario& built) {
  std::vector<WorldCamera> cameras;
  for (const auto& camera : built.cameras->cameras()) {
    const sim::TreeNode* part = camera.node->parent();
    const physics::BodyId body = part != nullptr ? built.simulation->world().find_body(part->name()) : physics::kNoBody;
    const auto view = built.cameras->view_of(*camera.node);
    if (body == physics::kNoBody || !view) continue;
    cameras.push_back({camera.node->name(), body, inverse(built.simulation->world().pose(body)) * view->pose,
                       camera.field_of_view, static_cast<double>(camera.width) / camera.height});
  }
  return cameras;
}

BuiltView view_of(scenario::BuiltScenario built, Diagnostics& problems) {
  BuiltView view{std::move(built), {}, {}, {}};
  scene::SceneBuilder builder(*view.built.simulation, view.built.cameras->renderer().appearance());
  view.scene = builder.build();
  problems.append(std::move(builder.problems()));
  view.cameras = cameras_of(view.built);
  return view;
}

std::optional<BuiltView> rebuild(const RebuildOptions& options, const trace::Trace* trace, Diagnostics& problems) {
  std::optional<BuiltView> view = build_view(options, scenario::ProgramUse::ignore, problems);
  if (!view || trace == nullptr) return view;
  view->motion = traced_motion(*trace, *view->built.simulation, view->scene);
  if (is_complete(view->motion)) return view;
  if (options.run_programs) {
    std::optional<BuiltView> again = build_view(options, scenario::ProgramUse::run, problems);
    if (!again) return std::nullopt;
    again->motion = std::move(view->motion);
    view = std::move(again);
  }
  if (!repeat(options, *trace, *view, problems)) return std::nullopt;
  return view;
}

}  // namespace simbatch::view
