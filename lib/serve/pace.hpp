#pragma once
/// Pacing of a live run: real time, multiples of it, single steps, pause at a given time. Has no clock of its own.

#include <cstdint>
#include <optional>

namespace simbatch::serve {

/// All `now` are monotonic real time in s with an arbitrary origin.
class Pace {
 public:
  /// @param dt  s, step size
  explicit Pace(double dt) : dt_(dt) {}

  /// @param until  step at which to pause; empty: never
  void run(std::int64_t step, double now, std::optional<std::int64_t> until = {});
  void pause();
  /// Runs a number of steps immediately, then pauses.
  void advance(std::int64_t step, std::int64_t steps);
  /// @param times  multiple of real time; 0: as fast as possible
  void set_speed(double times, std::int64_t step, double now);
  double speed() const { return speed_; }
  bool running() const { return running_; }
  std::optional<std::int64_t> until() const { return until_; }

  /// Number of steps that are due. A backlog of more than a quarter of a second is dropped, so that a slow run does not hurry
  /// later.
  std::int64_t due(std::int64_t step, double now);
  /// Seconds until the next step is due; at most 0.05.
  double seconds_to_next(std::int64_t step, double now) const;
  /// Call after steps were made: pauses if due.
  void reached(std::int64_t step, double now);
  /// Actual multiple of real time over about the last second; 0 while paused.
  double rate() const { return running_ ? rate_ : 0; }

 private:
  void anchor(std::int64_t step, double now);

  double dt_;
  bool running_ = false;
  bool at_once_ = false;  // single steps, regardless of the speed
  double speed_ = 1;
  std::optional<std::int64_t> until_;
  std::int64_t anchor_step_ = 0, rate_step_ = 0;
  double anchor_ = 0, rate_anchor_ = 0, rate_ = 0;
};

}  // namespace simbatch::serve
