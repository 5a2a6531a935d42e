#pragma once
/// Content for viewers of a live run: the page, which is a replay page with only the first row, and frames with later states
/// (docs/serve.md).

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "lib/sim/record/recorder.hpp"
#include "lib/view/rebuild.hpp"

namespace simbatch::serve {

/// The programs of a robot that viewers can choose from.
struct ProgramChoice {
  std::string robot;
  std::vector<std::string> names;
  std::size_t chosen = 0;
};

/// The scenarios that viewers can choose from, and programs in the one that runs.
struct Choice {
  std::vector<std::string> names;
  std::size_t chosen = 0;
  std::vector<ProgramChoice> programs = {};
};

class LiveView {
 public:
  /// @param view     with a started simulation; must outlive this object
  /// @param header   trace header with the devices to show
  /// @param nodes    these devices
  LiveView(const view::BuiltView& view, trace::Header header, const std::vector<const sim::TreeNode*>& nodes);

  /// The page, with the current state as its only row. Call before the first step, when all runs of a scenario are identical.
  /// @param page      the page template, built from web/
  /// @param folder    of the scenario; removed from messages
  std::string page(std::string_view page, const Diagnostics& problems, const std::string& folder, const Choice& choice = {});
  /// The current state, little-endian: u32 1, u32 number of texts, f64 step; f64 for each number in the order of the nodes; for
  /// each mover, as f32, x, y, z, qw, qx, qy, qz of a body, or suspension length, steering and rotation of a wheel; both sides of
  /// each comparison of the expectations as f32; then the texts, one per line.
  std::shared_ptr<const std::string> frame();
  /// The current outcomes of the expectations, in their order, as a JSON array of objects.
  std::string outcomes() const;

 private:
  const view::BuiltView& view_;
  trace::Header header_;
  sim::RowGatherer gatherer_;
};

/// The settable inputs as JSON: {"node": {"field": [lower, upper], ...}, ...}
std::string settable_json(const std::vector<const sim::TreeNode*>& nodes);

}  // namespace simbatch::serve
