#include "lib/serve/live_view.hpp"

#include <bit>
#include <cstring>

#include "base/json/write_json.hpp"
#include "formats/trace/collect.hpp"
#include "lib/expect/trace_signals.hpp"
#include "lib/sim/device/device_node.hpp"
#include "lib/sim/expect/expectations.hpp"
#include "lib/sim/vision/cameras.hpp"
#include "lib/view/page.hpp"

namespace simbatch::serve {
namespace {

static_assert(std::endian::native == std::endian::little, "frames are copied as they lie in memory");

constexpr std::uint32_t kFrame = 1;

template <class T>
void append_bytes(std::string& to, const T* values, std::size_t count) {
  to.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

void append_floats(std::string& to, std::initializer_list<double> values) {
  for (const double value : values) {
    const auto narrow = static_cast<float>(value);
    append_bytes(to, &narrow, 1);
  }
}

/// For a script element.
std::string without_markup(const std::string& json) {
  std::string safe;
  for (const char c : json)
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  return safe;
}

}  // namespace

LiveView::LiveView(const view::BuiltView& view, trace::Header header, const std::vector<const sim::TreeNode*>& nodes)
    : view_(view), header_(std::move(header)), gatherer_(view.built.simulation->tree(), nodes) {}

std::string LiveView::outcomes() const {
  json::Writer out;
  out.open_array();
  for (const sim::Expectations::Entry& entry : view_.built.expectations->entries()) {
    const expect::Outcome outcome = entry.monitor.outcome();
    out.open_object();
    view::write_outcome(out, expect::trace_outcome(entry.expectation, outcome), outcome.atom);
    out.close();
  }
  return out.close().text();
}

std::string LiveView::page(std::string_view page, const Diagnostics& problems, const std::string& folder,
                           const Choice& choice) {
  const sim::Simulation& simulation = *view_.built.simulation;
  trace::Collector collector(header_);
  gatherer_.gather();
  collector.row(simulation.clock().step, gatherer_.numbers(), gatherer_.texts());
  view::MotionRecorder motion(simulation, view_.scene);
  motion.record(simulation.clock().step);
  view::PageInput input{&collector.trace(), std::nullopt, &problems, folder, page};
  input.world = view::PageWorld{&simulation,      &view_.scene,  &view_.built.cameras->renderer().appearance(),
                                &motion.motion(), view_.cameras, view_.built.world};
  for (const sim::Expectations::Entry& entry : view_.built.expectations->entries()) {
    view::PageExpectation& each = input.expectations.emplace_back();
    each.name = entry.expectation.name;
    each.text = entry.expectation.text;
    for (const expect::Atom& atom : entry.monitor.program().atoms) each.comparisons.push_back(view::page_comparison(atom));
    each.outcome.verdict = to_text(expect::Verdict::undecided);
  }
  std::vector<const sim::TreeNode*> nodes;
  for (const trace::Device& device : header_.devices) nodes.push_back(simulation.tree().find(device.name));
  json::Writer live;
  live.open_object().member("protocol", 1).member("scenario", choice.chosen).key("scenarios").open_array();
  for (const std::string& name : choice.names) live.value(name);
  live.close().key("programs").open_array();
  for (const ProgramChoice& each : choice.programs) {
    live.open_object().member("robot", each.robot).member("chosen", each.chosen).key("names").open_array();
    for (const std::string& name : each.names) live.value(name);
    live.close().close();
  }
  live.close().key("settable").raw(settable_json(nodes));
  input.live = without_markup(live.close().text());
  return view::make_page(input);
}

std::shared_ptr<const std::string> LiveView::frame() {
  const sim::Simulation& simulation = *view_.built.simulation;
  const physics::World& world = simulation.world();
  gatherer_.gather();
  auto made = std::make_shared<std::string>();
  const std::uint32_t head[] = {kFrame, static_cast<std::uint32_t>(gatherer_.texts().size())};
  const auto step = static_cast<double>(simulation.clock().step);
  made->reserve(16 + 8 * gatherer_.numbers().size() + 28 * view_.scene.movers.size());
  append_bytes(*made, head, 2);
  append_bytes(*made, &step, 1);
  append_bytes(*made, gatherer_.numbers().data(), gatherer_.numbers().size());
  for (const scene::MovingFigure& mover : view_.scene.movers) {
    if (mover.body != physics::kNoBody) {
      const geo::Pose pose = world.pose(mover.body);
      append_floats(*made, {pose.p.x, pose.p.y, pose.p.z, pose.q.w, pose.q.x, pose.q.y, pose.q.z});
    } else {
      const physics::WheelState wheel = world.wheel(mover.vehicle, mover.wheel);
      append_floats(*made, {wheel.suspension_length, wheel.steering, wheel.rotation});
    }
  }
  for (const sim::Expectations::Entry& entry : view_.built.expectations->entries())
    for (const expect::Monitor::Sides& sides : entry.monitor.sides()) append_floats(*made, {sides.left, sides.right});
  for (const std::string_view text : gatherer_.texts()) {
    for (const char c : text) *made += c == '\n' ? ' ' : c;
    *made += '\n';
  }
  return made;
}

std::string settable_json(const std::vector<const sim::TreeNode*>& nodes) {
  json::Writer out;
  out.open_object();
  for (const sim::TreeNode* node : nodes) {
    const auto* device = dynamic_cast<const sim::DeviceNode*>(node);
    if (device == nullptr || device->inputs().empty()) continue;
    out.key(device->name()).open_object();
    for (std::size_t i = 0; i < device->inputs().size(); ++i) {
      const sim::DeviceInput& input = device->inputs()[i];
      out.key(device->type().fields[i].name).open_array().value(input.lower).value(input.upper).close();
    }
    out.close();
  }
  out.close();
  return out.text();
}

}  // namespace simbatch::serve
