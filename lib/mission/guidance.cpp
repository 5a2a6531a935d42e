#include "lib/mission/guidance.hpp"

// Outline of a step: find the closest point (for errors, and for the laws that aim at it), compute the errors at the law's own
// target, and apply the law. Sources are in the header. Deviations: every law commands the desired speed as surge (Lapierre and
// Samson leave it free; Aguiar computes it), all outputs are bounded, and los gets the path's curvature as feed-forward, so
// that it also holds on arcs.

#include <algorithm>
#include <cmath>

namespace simbatch::mission {
namespace {

constexpr std::string_view kNames[] = {"lapierre", "aguiar", "samson", "los"};

struct Errors {
  double along, cross, yaw;
};

Errors errors_from(const PathPose& target, Point at, double yaw) {
  const double dx = at.x - target.at.x, dy = at.y - target.at.y;
  const double c = std::cos(target.yaw), s = std::sin(target.yaw);
  return {c * dx + s * dy, -s * dx + c * dy, wrapped(yaw - target.yaw)};
}

/// (sin a - sin b) / (a - b), also where both are equal.
double sine_slope(double a, double b) {
  return std::abs(a - b) < 1e-6 ? std::cos((a + b) / 2) : (std::sin(a) - std::sin(b)) / (a - b);
}

/// Yaw rate that turns the vehicle to the approach angle delta(e_y) = -theta tanh(k_delta e_y u), for a target that
/// moves with `rate`: kappa rate + d(delta)/dt - k2 (e_psi - delta) - k3 e_y u (sin e_psi - sin delta) / (e_psi -
/// delta).
double approach_yaw_rate(const Errors& e, double curvature, double u, double rate, const LawGains& g) {
  const double th = std::tanh(g.k_delta * e.cross * u);
  const double delta = -g.theta * th;
  const double cross_rate = u * std::sin(e.yaw) - curvature * rate * e.along;
  const double delta_rate = -g.theta * (1 - th * th) * g.k_delta * u * cross_rate;
  return curvature * rate + delta_rate - g.k2 * (e.yaw - delta) - g.k3 * e.cross * u * sine_slope(e.yaw, delta);
}

}  // namespace

std::string_view to_text(Law law) { return kNames[static_cast<std::size_t>(law)]; }

std::optional<Law> parse_law(std::string_view text) {
  for (std::size_t i = 0; i < std::size(kNames); ++i)
    if (kNames[i] == text) return static_cast<Law>(i);
  return std::nullopt;
}

PathFollower::PathFollower(Path path, Law law, const LawGains& gains) : path_(std::move(path)), law_(law), gains_(gains) {}

LawCommand PathFollower::step(Point at, double yaw, double surge, double speed, double dt) {
  const LawGains& g = gains_;
  // The search window extends slightly backward (a virtual target may stop) and far enough ahead to catch up.
  closest_ = path_.nearest_near(at, closest_, 2.0, 5.0);
  const PathPose near = path_.at(closest_);
  const Errors at_near = errors_from(near, at, yaw);
  const double u = std::max(surge > 0 ? surge : speed, 0.05);
  LawCommand command{speed, 0};
  switch (law_) {
    case Law::lapierre: {
      const PathPose target = path_.at(s_);
      const Errors e = errors_from(target, at, yaw);
      const double rate = u * std::cos(e.yaw) + g.k1 * e.along;
      command.yaw_rate = approach_yaw_rate(e, target.curvature, u, rate, g);
      s_ = std::clamp(s_ + rate * dt, 0.0, path_.length());
      break;
    }
    case Law::samson: {
      const double room = std::max(0.2, 1 - near.curvature * at_near.cross);
      const Errors e{0, at_near.cross, at_near.yaw};
      const double rate = u * std::cos(e.yaw) / room;
      command.yaw_rate = approach_yaw_rate(e, near.curvature, u, rate, g);
      s_ = closest_;
      break;
    }
    case Law::aguiar: {
      const PathPose target = path_.at(s_);
      const double c = std::cos(yaw), s = std::sin(yaw);
      const double dx = at.x - target.at.x, dy = at.y - target.at.y;
      const double ex = c * dx + s * dy - g.epsilon, ey = -s * dx + c * dy;  // in the vehicle's frame
      // The along-track error slows the target when the vehicle lags and speeds it up when the vehicle is ahead.
      const double along = std::cos(target.yaw) * dx + std::sin(target.yaw) * dy - g.epsilon;
      const double rate = std::clamp(speed + 0.5 * along, 0.0, g.max_surge);
      const double px = rate * std::cos(target.yaw - yaw), py = rate * std::sin(target.yaw - yaw);
      command.surge = px - g.kx * ex;
      command.yaw_rate = -(py - g.ky * ey) / g.epsilon;
      s_ = std::clamp(s_ + rate * dt, 0.0, path_.length());
      break;
    }
    case Law::los: {
      const double wanted = near.yaw - std::atan(at_near.cross / g.lookahead);
      const double feed = near.curvature * u * std::cos(at_near.yaw) / std::max(0.2, 1 - near.curvature * at_near.cross);
      command.yaw_rate = feed + g.k_yaw * wrapped(wanted - yaw);
      s_ = closest_;
      break;
    }
  }
  errors_ = {at_near.along, at_near.cross, at_near.yaw};
  command.surge = std::clamp(command.surge, 0.0, g.max_surge);
  command.yaw_rate = std::clamp(command.yaw_rate, -g.max_yaw_rate, g.max_yaw_rate);
  return command;
}

LawErrors PathFollower::errors_at(Point at, double yaw) const {
  const Errors e = errors_from(path_.at(path_.nearest_near(at, closest_, 2.0, 5.0)), at, yaw);
  return {e.along, e.cross, e.yaw};
}

double cooperative_correction(double gamma, std::span<const double> others, double scale, const CooperationGains& gains) {
  if (others.empty() || gains.max_change <= 0) return 0;
  double behind = 0;
  for (const double other : others) behind += gamma - other;
  const double meters = behind / static_cast<double>(others.size()) * scale;
  return -gains.max_change * std::tanh(gains.k * meters / gains.max_change);
}

}  // namespace simbatch::mission
