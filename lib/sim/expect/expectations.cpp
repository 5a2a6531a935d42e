#include "lib/sim/expect/expectations.hpp"

#include <algorithm>
#include <utility>

#include "base/core/number.hpp"
#include "lib/expect/codes.hpp"
#include "lib/sim/program/port.hpp"

namespace simbatch::sim {
namespace {

constexpr std::string_view kRoads = "roads";  // name of the terrain that lib/scenario creates from a map's streets
constexpr std::string_view kTownBodies[] = {"houses", "buildings", "furniture"};  // which a map may have or not
constexpr std::string_view kGround = "ground";  // denotes all terrains, unless a body has this name
constexpr double kRayUp = 1, kRayDown = 100;    // m, vertical range of the road search from a node's position

/// Index of a field among the numbers of a node.
std::optional<std::size_t> number_of(const TreeNode& node, std::string_view name) {
  std::size_t next = 0;
  for (const Field& field : node.type().fields) {
    if (field.name == name) return field.type == FieldType::text ? std::nullopt : std::optional(next);
    next += field.type != FieldType::text;
  }
  return std::nullopt;
}

/// The first part of a robot that has a position, as a question; empty: none has.
std::string placed_part(const SimulationTree& tree, const std::string& robot) {
  for (const TreeNode* node : tree.nodes())
    if (node->name().starts_with(robot + ".") && number_of(*node, "x")) return ", did you mean " + quoted(node->name()) + "?";
  return {};
}

}  // namespace

std::size_t SimulationSignals::add(const std::string& key, Slot slot) {
  const auto [at, is_new] = by_key_.emplace(key, slots_.size());
  if (is_new) slots_.push_back(std::move(slot));
  return at->second;
}

/// The reason why a name that is not in the tree has no fields; empty if no object has this name either.
std::string SimulationSignals::no_node(const std::string& name) const {
  const physics::World& world = simulation_.world();
  std::vector<bool> bodies;
  if (!bodies_of(name, bodies)) return {};
  const auto first = static_cast<std::size_t>(std::find(bodies.begin(), bodies.end(), true) - bodies.begin());
  const auto body = static_cast<physics::BodyId>(first);
  if (world.is_terrain(body)) return quoted(name) + " is part of the terrain, which has no position";
  if (world.kind(body) != physics::BodyKind::fixed) return quoted(name) + " is not part of a robot: only robots have fields";
  std::string place = "X, Y, Z";
  if (world.name(body) == name && std::count(bodies.begin(), bodies.end(), true) == 1) {
    const physics::Vec3 at = world.pose(body).p;
    place = rounded_text(at.x, 3) + ", " + rounded_text(at.y, 3) + ", " + rounded_text(at.z, 3);
  }
  return quoted(name) + " does not move and has no fields; write its place as numbers, as in dist(NODE, " + place + ")";
}

expect::SignalSource::Lookup SimulationSignals::field(std::string_view node_name, std::string_view field_name) {
  const TreeNode* node = simulation_.tree().find(node_name);
  if (node == nullptr) return {std::nullopt, no_node(std::string(node_name))};
  for (const Field& field : node->type().fields) {
    if (field.name != field_name) continue;
    const std::string name = node->name() + "." + field.name;
    if (field.type == FieldType::text) return {std::nullopt, quoted(name) + " is a text, expected a number"};
    Slot slot;
    slot.offset = node->values_offset() + *number_of(*node, field_name);
    return {expect::Signal{add(name, std::move(slot)), field.unit}, {}};
  }
  return {};
}

std::vector<std::string> SimulationSignals::fields() const {
  std::vector<std::string> names;
  for (const TreeNode* node : simulation_.tree().nodes())
    for (const Field& field : node->type().fields) names.push_back(node->name() + "." + field.name);
  return names;
}

expect::SignalSource::Lookup SimulationSignals::event(std::string_view event, const std::vector<std::string>& names) {
  Slot slot;
  if (event == "contact") return contact(names, slot);
  if (event == "on_road") return on_road(names[0], slot);
  if (event == "ended") return ended(names[0], slot);
  return {std::nullopt, "unknown event " + quoted(event)};
}

bool SimulationSignals::bodies_of(const std::string& name, std::vector<bool>& bodies) const {
  const physics::World& world = simulation_.world();
  bodies.assign(world.body_count(), false);
  bool any = false;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const std::string& body = world.name(physics::BodyId(i));
    bodies[i] = body.starts_with(name) && (body.size() == name.size() || body[name.size()] == '.');
    any = any || bodies[i];
  }
  if (name == kGround && !any)
    for (std::size_t i = 0; i < bodies.size(); ++i) bodies[i] = world.is_terrain(physics::BodyId(i));
  return std::find(bodies.begin(), bodies.end(), true) != bodies.end();
}

/// What a map could have is known even if it has none: an expectation then holds for both.
bool SimulationSignals::is_known(const std::string& name, std::vector<bool>& bodies) const {
  if (bodies_of(name, bodies)) return true;
  const physics::World& world = simulation_.world();
  const physics::BodyId roads = world.find_body(kRoads);
  return std::find(std::begin(kTownBodies), std::end(kTownBodies), name) != std::end(kTownBodies) &&
         roads != physics::kNoBody && world.is_terrain(roads);
}

std::string SimulationSignals::no_body(const std::string& name) const {
  const physics::World& world = simulation_.world();
  std::vector<std::string_view> names{kGround};
  for (std::size_t i = 0; i < world.body_count(); ++i) {
    const std::string_view body = world.name(physics::BodyId(i));
    for (std::size_t dot = body.find('.'); dot != std::string_view::npos; dot = body.find('.', dot + 1))
      names.push_back(body.substr(0, dot));
    names.push_back(body);
  }
  const std::string_view near = nearest(name, names);
  return "there is no body " + quoted(name) + (near.empty() ? std::string() : ", did you mean " + quoted(near) + "?");
}

expect::SignalSource::Lookup SimulationSignals::contact(const std::vector<std::string>& names, Slot& slot) {
  slot.kind = Kind::contact;
  if (!is_known(names[0], slot.first)) return {std::nullopt, no_body(names[0]), true};
  if (names.size() > 1 && !is_known(names[1], slot.second)) return {std::nullopt, no_body(names[1]), true};
  has_contacts_ = true;
  return {expect::Signal{add("contact(" + names[0] + "," + (names.size() > 1 ? names[1] : "") + ")", std::move(slot)), "1"},
          {}};
}

expect::SignalSource::Lookup SimulationSignals::on_road(const std::string& name, Slot& slot) {
  const TreeNode* node = simulation_.tree().find(name);
  if (node == nullptr) {
    const bool is_object = !no_node(name).empty();
    return {std::nullopt, is_object ? quoted(name) + " is not part of a robot" : "there is no node " + quoted(name), true};
  }
  const auto x = number_of(*node, "x"), y = number_of(*node, "y"), z = number_of(*node, "z");
  if (!x || !y || !z || *y != *x + 1 || *z != *x + 2)
    return {std::nullopt, quoted(name) + " has no position (fields x, y, z)" + placed_part(simulation_.tree(), name), true};
  const physics::World& world = simulation_.world();
  if (world.find_body(kRoads) == physics::kNoBody)
    return {std::nullopt, "the world has no roads: they come from a <Map> with streets"};
  slot.kind = Kind::on_road;
  slot.below.ground = world.find_body(kRoads);
  slot.below.depth = kRayUp + kRayDown;
  slot.offset = node->values_offset() + *x;
  if (const physics::BodyId body = world.find_body(name); body != physics::kNoBody) {
    slot.below.filter.ignore_group = world.group(body);
    slot.below.filter.ignore_body = body;
  }
  return {expect::Signal{add("on_road(" + name + ")", std::move(slot)), "1"}, {}};
}

expect::SignalSource::Lookup SimulationSignals::ended(const std::string& name, Slot& slot) {
  if (simulation_.tree().find(name) == nullptr) return {std::nullopt, "there is no robot " + quoted(name), true};
  const bool known = simulation_.programs() != nullptr && simulation_.programs()->has_programs(name);
  if (!known && programs_ == ProgramsLoaded::yes) return {std::nullopt, quoted(name) + " has no program"};
  slot.kind = Kind::ended;
  slot.robot = name;
  return {expect::Signal{add("ended(" + name + ")", std::move(slot)), "1"}, {}};
}

/// Counts only touching points, not those that the engine keeps for nearby bodies.
bool SimulationSignals::touches(const Slot& slot) const {
  const auto is_in = [](const std::vector<bool>& set, physics::BodyId body) {
    const auto i = static_cast<std::size_t>(body);
    return i < set.size() && set[i];
  };
  for (const physics::Contact& c : contacts_) {
    if (c.distance > 0 && !(c.impulse > 0)) continue;
    for (const auto& [one, other] : {std::pair(c.a, c.b), std::pair(c.b, c.a)})
      if (is_in(slot.first, one) && (slot.second.empty() ? !is_in(slot.first, other) : is_in(slot.second, other))) return true;
  }
  return false;
}

bool SimulationSignals::is_on_road(Slot& slot) const {
  const std::span<const double> place = simulation_.tree().bank().subspan(slot.offset, 3);
  return simulation_.world().is_first_below(slot.below, {place[0], place[1] + kRayUp, place[2]});
}

const std::vector<double>& SimulationSignals::gather() {
  values_.resize(slots_.size());
  if (has_contacts_ && simulation_.clock().step > 0) simulation_.world().contacts(contacts_);
  const std::span<const double> bank = simulation_.tree().bank();
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = slots_[i];
    switch (slot.kind) {
      case Kind::number: values_[i] = bank[slot.offset]; break;
      case Kind::contact: values_[i] = touches(slot) ? 1 : 0; break;
      case Kind::on_road: values_[i] = is_on_road(slot) ? 1 : 0; break;
      case Kind::ended:
        values_[i] = simulation_.programs() != nullptr && simulation_.programs()->all_ended(slot.robot) ? 1 : 0;
        break;
    }
  }
  return values_;
}

void Expectations::add(std::string_view text, const expect::Place& place, const std::string& name, double duration,
                       Diagnostics& problems) {
  auto parsed = expect::read_expectations(text, place, name);
  problems.append(std::move(parsed.diagnostics));
  for (expect::Expectation& expectation : *parsed.value) {
    const bool is_known = std::any_of(entries_.begin(), entries_.end(),
                                      [&](const Entry& entry) { return entry.expectation.name == expectation.name; });
    if (is_known) {
      Diagnostics twice(place.file);
      twice.report(expect::code::kDuplicate, expectation.at(expectation.nodes.back()),
                   "a second expectation is called " + quoted(expectation.name));
      problems.append(std::move(twice));
      continue;
    }
    auto program = expect::bind(expectation, signals_, simulation_.settings().physics.dt, problems);
    if (!program) continue;
    entries_.push_back({std::move(expectation), expect::Monitor(std::move(*program)), duration});
    watches_.push_back({});
  }
}

// In most steps, most expectations do not change: a single number of each shows which ones.
void Expectations::evaluate() {
  const std::span<const double> bank = simulation_.tree().bank();
  const std::vector<double>* values = nullptr;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    Watch& watch = watches_[i];
    if (!watch.direct && values == nullptr) values = &signals_.gather();
    if (watch.low <= watch.high) {
      const double value = watch.direct ? bank[watch.place] : (*values)[watch.place];
      if (value >= watch.low && value <= watch.high) {
        ++watch.passed;
        continue;
      }
      if (values == nullptr) values = &signals_.gather();
    }
    expect::Monitor& monitor = entries_[i].monitor;
    monitor.pass(std::exchange(watch.passed, 0));
    monitor.step(*values);
    const expect::Monitor::Quiet quiet = monitor.quiet();
    watch = {};
    if (!(quiet.low <= quiet.high)) continue;
    const auto offset = signals_.offset(quiet.slot);
    watch = {quiet.low, quiet.high, offset.value_or(quiet.slot), 0, offset.has_value()};
  }
}

void Expectations::finish(bool enough) {
  const sim::Clock clock = simulation_.clock();
  for (std::size_t i = 0; i < entries_.size(); ++i) entries_[i].monitor.pass(std::exchange(watches_[i].passed, 0));
  for (Entry& entry : entries_)
    if (enough || clock.time + clock.dt / 2 >= entry.duration) entry.monitor.finish();
}

}  // namespace simbatch::sim
