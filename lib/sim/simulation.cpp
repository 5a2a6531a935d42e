#include "lib/sim/simulation.hpp"

#include <cmath>
#include <utility>

#include "base/core/number.hpp"

namespace simbatch::sim {
namespace {

// The first node and field whose number is not finite.
std::string first_not_finite(const SimulationTree& tree) {
  for (const TreeNode* node : tree.nodes()) {
    const std::span<const double> values = node->values();
    std::size_t next = 0;
    for (const Field& field : node->type().fields) {
      if (field.type == FieldType::text) continue;
      if (!std::isfinite(values[next++])) return node->name() + "." + field.name;
    }
  }
  return "?";
}

// Finite numbers of this size give a finite sum; only a NaN or an infinity makes the sum of x - x differ from 0.
bool all_finite(std::span<const double> values) {
  double sums[4] = {};  // four at a time, since an addition waits for the one before
  std::size_t i = 0;
  for (; i + 4 <= values.size(); i += 4)
    for (std::size_t k = 0; k < 4; ++k) sums[k] += values[i + k] - values[i + k];
  for (; i < values.size(); ++i) sums[0] += values[i] - values[i];
  return sums[0] + sums[1] + sums[2] + sums[3] == 0;
}

}  // namespace

Participant::~Participant() = default;

Simulation::Simulation(const SimulationSettings& settings) : settings_(settings), world_(settings.physics) {}
Simulation::~Simulation() = default;

Clock Simulation::clock() const {
  const double dt = settings_.physics.dt;
  return {step_, static_cast<double>(step_) * dt, dt};
}

void Simulation::start() {
  if (started_) return;
  started_ = true;
  const Clock now = clock();
  for (const auto& participant : participants_) participant->start(now);
  if (detect_blow_up()) update_hash();
}

bool Simulation::step() {
  start();
  if (failure_) return false;
  const Clock before = clock();
  for (const auto& participant : participants_) participant->control(before);
  if (failure_) return false;
  for (const auto& participant : participants_) participant->before_step(before);
  world_.step();
  ++step_;
  const Clock after = clock();
  for (const auto& participant : participants_) participant->after_step(after);
  if (!detect_blow_up()) return false;
  update_hash();
  return true;
}

bool Simulation::detect_blow_up() {
  const Clock now = clock();
  if (const auto lost = world_.find_blow_up()) {
    failure_ = Failure{now.step, now.time, lost->name, {}};
    if (lost->not_finite)
      failure_->message = "its position or velocity is not a number";
    else
      failure_->message =
          "it is at y = " +
          number_text(std::fabs(lost->position.y) < 1e12 ? std::round(lost->position.y * 10) / 10 : lost->position.y) +
          " m, more than " + number_text(settings_.physics.floor_depth) + " m below the ground";
  } else if (!all_finite(tree_.bank())) {
    failure_ = Failure{now.step, now.time, first_not_finite(tree_), "its value is not a number"};
  }
  return !failure_;
}

void Simulation::update_hash() {
  world_.hash_state(hash_);
  hash_.add(std::as_const(tree_).state());
  for (const auto& participant : participants_) participant->hash_state(hash_);
}

}  // namespace simbatch::sim
