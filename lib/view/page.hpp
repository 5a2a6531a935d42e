#pragma once
/// The replay page: a run as one self-contained HTML file (docs/viewer.md).

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "lib/sim/scene/appearance.hpp"
#include "lib/view/gltf_world.hpp"
#include "lib/view/page_expectations.hpp"

namespace simbatch::view {

/// The 3D content of the page.
struct PageWorld {
  const sim::Simulation* simulation = nullptr;
  const scene::PaintedScene* scene = nullptr;
  const scene::Appearance* appearance = nullptr;
  const Motion* motion = nullptr;
  std::vector<WorldCamera> cameras;
  std::string name = {};  ///< the title of the page; empty: that of the scenario's file
};

struct PageInput {
  const trace::Trace* trace = nullptr;
  std::optional<PageWorld> world;         ///< empty: tree and charts only
  const Diagnostics* problems = nullptr;  ///< shown in the page; may be null
  std::string folder = {};  ///< of the scenario; removed from messages, so that the page does not depend on where it was made
  std::string_view page;    ///< the template: web/, built
  std::vector<PageExpectation> expectations = {};
  std::string live = {};  ///< JSON without "<": the page follows a run that goes on (docs/serve.md); empty: a replay
};

/// The placeholder for the data in the template.
inline constexpr std::string_view kDataMark = "<!--simbatch-data-->";

/// The page's bytes; the same for the same input. @pre input.page contains kDataMark
std::string make_page(const PageInput& input);

/// Parts of make_page(), one per file.
namespace detail {

/// JSON text for a script element: no "<" in it. @param first_devices  of the value blocks
std::string page_head(const PageInput& input, const std::vector<std::size_t>& first_devices);
/// All meshes and instances, as counted by scene_json().
std::string scene_block(const PageWorld& world);
/// Poses of all movers, column by column.
std::string motion_block(const PageWorld& world);
/// Values of some devices, from `first` on.
struct ValueBlock {
  std::size_t first = 0;
  std::string bytes;
};
/// Values of all devices in blocks of about kValueBlock bytes; all texts; the steps of the rows.
std::vector<ValueBlock> value_blocks(const trace::Trace& trace);
std::string text_block(const trace::Trace& trace);
std::string step_block(const trace::Trace& trace);
void write_expectations(json::Writer& out, const std::vector<PageExpectation>& expectations);
/// The sides of those that have rows: float planes of the left one, then of the right one.
std::string side_block(const std::vector<PageExpectation>& expectations);
/// True if float32 is too coarse for a field: it is then stored as float64.
bool is_double(const trace::Field& field);

inline constexpr std::size_t kValueBlock = std::size_t{8} << 20;
/// Quantization steps: m for points of static geometry; m for shapes and movers; m and rad for wheels; quaternion components.
inline constexpr double kFixedStep = 1e-3, kShapeStep = 1e-5, kPoseStep = 1e-4, kWheelStep = 1e-4, kSpinStep = 1e-3;
inline constexpr double kTurnScale = 16383;

}  // namespace detail
}  // namespace simbatch::view
