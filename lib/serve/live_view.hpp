#pragma once
/// What viewers of a live run get: the page, which is the replay page of the run's first row, and a frame for each look at it afterwards
/// (docs/serve.md).

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "lib/sim/record/recorder.hpp"
#include "lib/view/rebuild.hpp"

namespace simbatch::serve {

class LiveView {
 public:
  /// @param view     whose simulation was started; must outlive this
  /// @param header   of the run's trace, with the devices that are shown
  /// @param nodes    these devices
  LiveView(const view::BuiltView& view, trace::Header header, const std::vector<const sim::TreeNode*>& nodes);

  /// The page with the present state as its only row. Call it before the first step, where every run of a scenario is the same.
  /// @param page      the template: web/, built
  /// @param folder    of the scenario; taken out of messages
  std::string page(std::string_view page, const Diagnostics& problems, const std::string& folder);
  /// The present state: little-endian; u32 1, u32 number of texts, f64 step, f64 of each number in the order of the nodes, then of each mover a
  /// body's x, y, z, qw, qx, qy, qz, or a wheel's suspension length, steering and rotation as f32, then the texts, a line each.
  std::shared_ptr<const std::string> frame();

 private:
  const view::BuiltView& view_;
  trace::Header header_;
  sim::RowGatherer gatherer_;
};

/// What may be set, as JSON: {"node": {"field": [lower, upper], ...}, ...}
std::string settable_json(const std::vector<const sim::TreeNode*>& nodes);

}  // namespace simbatch::serve
