#pragma once
/// A program that controls a robot, whatever it runs in: a coroutine of this process, a process of its own, a command that
/// speaks the line protocol. It runs only between steps, from one sleep to the next, in simulation time.

#include <string>

#include "base/core/diagnostics.hpp"
#include "base/core/number.hpp"
#include "lib/sim/tree/tree.hpp"

namespace simbatch::sim {

/// What changed the floating-point mode (rounding, flush-to-zero) of the program, if anything. The mode holds for the program alone.
enum class FloatChange : unsigned char {
  none,
  loading,  ///< its library, when it was loaded
  running,  ///< the program: seen when it slept or ended
};

/// What a program's turn came to.
struct Turn {
  enum class Kind {
    sleeping,  ///< wants to go on at `until`
    ended,     ///< main returned; its robot goes on with what was set last
    failed,    ///< crashed, threw, called exit, took too long, broke the protocol: the run cannot go on
  };
  Kind kind = Kind::ended;
  double until = 0;            ///< s of simulation time; sleeping. Infinite: until the end; not a number: for one step
  int status = 0;              ///< main's value; ended
  const Code* code = nullptr;  ///< failed: what kind of failure
  std::string message = {};    ///< failed: one clause
  FloatChange float_change = FloatChange::none;  ///< so far; once set, in every turn
};

/// Why a program of a library was stopped: what it did, and what to do about it. @param limit  of a turn, s of real time
inline std::string timeout_message(double limit) {
  return "ran for " + number_text(limit) +
         " s of real time without a sleep, while simulation time stood still; call Sleep in each of its loops, or allow more "
         "time with --program-timeout";
}

class Program {
 public:
  /// @param robot   fully qualified name of the robot that it belongs to: argv[0]
  /// @param label   how messages call it: the library's path, the command
  /// @param source  where it was asked for
  Program(std::string robot, std::string label, Source source)
      : robot_(std::move(robot)), label_(std::move(label)), source_(std::move(source)) {}
  virtual ~Program() = default;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  const std::string& robot() const { return robot_; }
  const std::string& label() const { return label_; }
  const Source& source() const { return source_; }

  /// Once, before the first run(): what can be started for all programs before the first one waits for its own.
  virtual void begin() {}
  /// Goes on from where it slept, the first time from the start of main, until it sleeps, ends or fails. Not called again
  /// after it ended or failed. Leaves this thread's floating-point mode as it was. What has ended holds no image.
  virtual Turn run() = 0;
  /// The run is over. Called for all programs before the first one is destroyed, so that they end side by side.
  virtual void finish() {}

 private:
  std::string robot_, label_;
  Source source_;
};

}  // namespace simbatch::sim
