// Velocities, contacts and forces of bodies as nodes of the tree. A force is the change of momentum over the step (Newton's
// second law, whose mean over a step is exact for whatever acted), a torque that of the angular momentum about the center of
// mass.

#include "lib/sim/record/body_fields.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "base/geo/pose.hpp"

namespace simbatch::sim {
namespace {

using geo::Vec3;

constexpr std::string_view kVelocity = "BodyVelocity", kContacts = "BodyContacts", kForce = "BodyForce";

std::vector<Field> velocity_fields() {
  return {{"vx", "m/s", "W"},   {"vy", "m/s", "W"},   {"vz", "m/s", "W"},
          {"wx", "rad/s", "W"}, {"wy", "rad/s", "W"}, {"wz", "rad/s", "W"}};
}
std::vector<Field> contact_fields() {
  return {{"count", "1", "", FieldType::integer},
          {"fx", "N", "W"},
          {"fy", "N", "W"},
          {"fz", "N", "W"},
          {"deepest", "m", ""},
          {"number", "1", "", FieldType::integer},
          {"body", "", "", FieldType::text}};
}
std::vector<Field> force_fields() {
  return {{"fx", "N", "W"}, {"fy", "N", "W"}, {"fz", "N", "W"}, {"tx", "N m", "W"}, {"ty", "N m", "W"}, {"tz", "N m", "W"}};
}

class ContactNode final : public TreeNode {
 public:
  ContactNode(const physics::World& world, std::shared_ptr<const NodeType> type)
      : TreeNode("contacts", std::move(type)), world_(world) {}
  void text(std::size_t, std::span<const double> values, std::string& out) const override {
    const double number = values[5];
    if (number >= 0 && number < static_cast<double>(world_.body_count()))
      out += world_.name(physics::BodyId(static_cast<std::uint32_t>(number)));
  }

 private:
  const physics::World& world_;
};

void write(std::span<double> out, Vec3 a, Vec3 b) {
  const double values[] = {a.x, a.y, a.z, b.x, b.y, b.z};
  std::copy(std::begin(values), std::end(values), out.begin());
}

class Watcher final : public Participant {
 public:
  explicit Watcher(Simulation& simulation) : simulation_(simulation) {}

  struct Entry {
    physics::BodyId body;
    const TreeNode *velocity = nullptr, *contacts = nullptr, *force = nullptr;
    Vec3 momentum = {}, angular = {};  // after the last step
  };
  std::vector<Entry> entries;

  void start(const Clock& clock) override { look(clock, true); }
  void after_step(const Clock& clock) override { look(clock, false); }

 private:
  std::span<double> values(const TreeNode& node) {
    return simulation_.tree().bank().subspan(node.values_offset(), node.type().numbers);
  }

  void look(const Clock& clock, bool first) {
    physics::World& world = simulation_.world();
    bool any_contacts = false;
    for (Entry& entry : entries) {
      if (entry.velocity != nullptr)
        write(values(*entry.velocity), world.linear_velocity(entry.body), world.angular_velocity(entry.body));
      if (entry.force != nullptr) measure_force(entry, clock.dt, first);
      any_contacts = any_contacts || entry.contacts != nullptr;
    }
    if (!any_contacts) return;
    contacts_.clear();
    if (!first) world.contacts(contacts_);
    add_contacts(clock.dt);
  }

  void measure_force(Entry& entry, double dt, bool first) {
    const physics::World& world = simulation_.world();
    const physics::MassProperties& mass = world.mass(entry.body);
    const geo::Quat to_world = world.pose(entry.body).q;
    const Vec3 w = inverse(to_world) * world.angular_velocity(entry.body);
    const physics::Inertia& i = mass.inertia;
    const Vec3 spin{i.xx * w.x + i.xy * w.y + i.xz * w.z, i.xy * w.x + i.yy * w.y + i.yz * w.z,
                    i.xz * w.x + i.yz * w.y + i.zz * w.z};
    const Vec3 momentum = mass.mass * world.center_velocity(entry.body), angular = to_world * spin;
    const Vec3 force = (1 / dt) * (momentum - entry.momentum), torque = (1 / dt) * (angular - entry.angular);
    write(values(*entry.force), first ? Vec3{} : force, first ? Vec3{} : torque);
    entry.momentum = momentum;
    entry.angular = angular;
  }

  void add_contacts(double dt) {
    const std::size_t bodies = simulation_.world().body_count();
    entry_of_.assign(bodies, nullptr);
    strongest_.assign(entries.size(), -1.0);
    for (Entry& entry : entries) {
      if (entry.contacts == nullptr) continue;
      entry_of_[static_cast<std::uint32_t>(entry.body)] = &entry;
      const std::span<double> v = values(*entry.contacts);
      std::fill(v.begin(), v.end(), 0.0);
      v[5] = -1;
    }
    for (const physics::Contact& contact : contacts_) {
      const Vec3 on_a = (1 / dt) * (contact.impulse * contact.normal + contact.friction_impulse);
      add_contact(contact, contact.a, contact.b, on_a);
      add_contact(contact, contact.b, contact.a, -on_a);
    }
  }

  void add_contact(const physics::Contact& contact, physics::BodyId on, physics::BodyId other, Vec3 force) {
    const Entry* entry = entry_of_[static_cast<std::uint32_t>(on)];
    // Close points without a force are not contacts yet.
    if (entry == nullptr || (contact.impulse <= 0 && contact.distance > 0)) return;
    const std::span<double> v = values(*entry->contacts);
    v[0] += 1;
    v[1] += force.x;
    v[2] += force.y;
    v[3] += force.z;
    v[4] = std::max(v[4], -contact.distance);
    double& strongest = strongest_[static_cast<std::size_t>(entry - entries.data())];
    if (contact.impulse > strongest) {
      strongest = contact.impulse;
      v[5] = static_cast<double>(static_cast<std::uint32_t>(other));
    }
  }

  Simulation& simulation_;
  std::vector<physics::Contact> contacts_;
  std::vector<const Entry*> entry_of_;  // by the body's number
  std::vector<double> strongest_;
};

}  // namespace

void ask_for(std::string_view word, BodyFields& fields) {
  fields.velocities = fields.velocities || word == "velocities";
  fields.contacts = fields.contacts || word == "contacts";
  fields.forces = fields.forces || word == "forces";
}

void add_body_fields(Simulation& simulation, const BodyFields& fields, Diagnostics& problems) {
  if (!fields.any()) return;
  simulation.tree().end_state();
  physics::World& world = simulation.world();
  const auto velocity = make_type(std::string(kVelocity), velocity_fields());
  const auto contacts = make_type(std::string(kContacts), contact_fields());
  const auto force = make_type(std::string(kForce), force_fields());
  auto watcher = std::make_unique<Watcher>(simulation);
  const std::vector<TreeNode*> nodes(simulation.tree().nodes().begin(), simulation.tree().nodes().end());
  for (TreeNode* node : nodes) {
    const physics::BodyId body = world.find_body(node->name());
    if (body == physics::kNoBody || world.kind(body) == physics::BodyKind::fixed || world.is_terrain(body)) continue;
    Watcher::Entry entry{body};
    if (fields.velocities)
      entry.velocity = node->register_child(std::make_unique<TreeNode>("velocity", velocity, node->source()), problems);
    if (fields.contacts) entry.contacts = node->register_child(std::make_unique<ContactNode>(world, contacts), problems);
    if (fields.forces && world.kind(body) == physics::BodyKind::dynamic)
      entry.force = node->register_child(std::make_unique<TreeNode>("force", force, node->source()), problems);
    watcher->entries.push_back(entry);
  }
  simulation.add(std::move(watcher));
}

BodyFields body_fields_of(const std::vector<std::string_view>& kinds) {
  const auto has = [&](std::string_view kind) { return std::find(kinds.begin(), kinds.end(), kind) != kinds.end(); };
  return {has(kVelocity), has(kContacts), has(kForce)};
}

}  // namespace simbatch::sim
