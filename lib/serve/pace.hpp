#pragma once
/// How fast a live run goes: real time, multiples, single steps, up to a time. It has no clock of its own.

#include <cstdint>
#include <optional>

namespace simbatch::serve {

/// All `now` are seconds of real time from any moment on, and never go back.
class Pace {
 public:
  /// @param dt  s, of a step
  explicit Pace(double dt) : dt_(dt) {}

  /// @param until  step at which it pauses; empty: never
  void run(std::int64_t step, double now, std::optional<std::int64_t> until = {});
  void pause();
  /// A number of steps at once, then a pause.
  void advance(std::int64_t step, std::int64_t steps);
  /// @param times  real time; 0: as fast as it goes
  void set_speed(double times, std::int64_t step, double now);
  double speed() const { return speed_; }
  bool running() const { return running_; }
  std::optional<std::int64_t> until() const { return until_; }

  /// How many steps are due. What a slow computer is behind by more than a quarter of a second is forgiven: a run that cannot keep up does not
  /// hurry later.
  std::int64_t due(std::int64_t step, double now);
  /// Seconds until the next step is due; at most 0.05.
  double seconds_to_next(std::int64_t step, double now) const;
  /// Steps were made: pauses where it should.
  void reached(std::int64_t step, double now);
  /// Times real time over about the last second; 0 while it is paused.
  double rate() const { return running_ ? rate_ : 0; }

 private:
  void anchor(std::int64_t step, double now);

  double dt_;
  bool running_ = false;
  bool at_once_ = false;  // single steps, whatever the speed
  double speed_ = 1;
  std::optional<std::int64_t> until_;
  std::int64_t anchor_step_ = 0, rate_step_ = 0;
  double anchor_ = 0, rate_anchor_ = 0, rate_ = 0;
};

}  // namespace simbatch::serve
