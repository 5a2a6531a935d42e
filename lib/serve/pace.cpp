#include "lib/serve/pace.hpp"

#include <algorithm>
#include <cmath>

namespace simbatch::serve {
namespace {

constexpr double kForgiven = 0.25;               // s, maximum backlog
constexpr double kLongestWait = 0.05;            // s
constexpr std::int64_t kMaxStepsAtOnce = 1'000;  // maximum number of steps between readings of the clock

}  // namespace

void Pace::anchor(std::int64_t step, double now) {
  anchor_step_ = step;
  anchor_ = now;
}

void Pace::run(std::int64_t step, double now, std::optional<std::int64_t> until) {
  running_ = !until || *until > step;
  at_once_ = false;
  until_ = running_ ? until : std::nullopt;
  anchor(step, now);
  rate_step_ = step;
  rate_anchor_ = now;
  rate_ = 0;
}

void Pace::pause() {
  running_ = false;
  until_.reset();
}

void Pace::advance(std::int64_t step, std::int64_t steps) {
  running_ = at_once_ = true;
  rate_ = 0;
  until_ = step + steps;
}

void Pace::set_speed(double times, std::int64_t step, double now) {
  speed_ = times;
  anchor(step, now);
}

std::int64_t Pace::due(std::int64_t step, double now) {
  if (!running_) return 0;
  std::int64_t steps = kMaxStepsAtOnce;
  if (speed_ > 0 && !at_once_) {
    const double wanted = static_cast<double>(anchor_step_) + (now - anchor_) * speed_ / dt_;
    if ((wanted - static_cast<double>(step)) * dt_ / speed_ > kForgiven) {
      anchor(step, now);
      return 1;
    }
    steps = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(wanted)) - step, 0, kMaxStepsAtOnce);
  }
  if (until_) steps = std::min(steps, *until_ - step);
  return steps;
}

double Pace::seconds_to_next(std::int64_t step, double now) const {
  if (!running_) return kLongestWait;
  if (speed_ <= 0 || at_once_) return 0;
  const double at = anchor_ + static_cast<double>(step + 1 - anchor_step_) * dt_ / speed_;
  return std::clamp(at - now, 0.0, kLongestWait);
}

void Pace::reached(std::int64_t step, double now) {
  if (now - rate_anchor_ >= 0.5) {
    rate_ = static_cast<double>(step - rate_step_) * dt_ / (now - rate_anchor_);
    rate_step_ = step;
    rate_anchor_ = now;
  }
  if (until_ && step >= *until_) pause();
}

}  // namespace simbatch::serve
