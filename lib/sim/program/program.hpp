#pragma once
/// A program that controls a robot: a coroutine in this process, a separate process, or a command that uses the line protocol.
/// It runs only between steps, from one sleep to the next, in simulation time.

#include <string>

#include "base/core/diagnostics.hpp"
#include "base/core/number.hpp"
#include "lib/sim/tree/tree.hpp"

namespace simbatch::sim {

/// Origin of a change of the program's floating-point mode (rounding, flush-to-zero), if any. The mode applies to the program
/// only.
enum class FloatChange : unsigned char {
  none,
  loading,  ///< its library, when it was loaded
  running,  ///< the program: seen when it slept or ended
};

/// Results of a program's turn.
struct Turn {
  enum class Kind {
    sleeping,  ///< to be resumed at `until`
    ended,     ///< main returned; its robot continues with the last settings
    failed,    ///< crashed, threw, called exit, took too long, broke the protocol: the run cannot continue
  };
  Kind kind = Kind::ended;
  double until = 0;            ///< s of simulation time; sleeping. Infinite: until the end; not a number: for one step
  int status = 0;              ///< main's value; ended
  const Code* code = nullptr;  ///< failed: what kind of failure
  std::string message = {};    ///< failed: one clause
  FloatChange float_change = FloatChange::none;  ///< so far; once set, in every turn
};

/// Reason why a library's program was stopped, and the remedy. @param limit  of a turn, s of real time
inline std::string timeout_message(double limit) {
  return "ran for " + number_text(limit) +
         " s of real time without a sleep, while simulation time stood still; call Sleep in each of its loops, or allow more "
         "time with --program-timeout";
}

class Program {
 public:
  /// @param robot   fully qualified name of the robot that it belongs to: argv[0]
  /// @param label   its name in messages: the library's path, the command
  /// @param source  where it was asked for
  Program(std::string robot, std::string label, Source source)
      : robot_(std::move(robot)), label_(std::move(label)), source_(std::move(source)) {}
  virtual ~Program() = default;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  const std::string& robot() const { return robot_; }
  const std::string& label() const { return label_; }
  const Source& source() const { return source_; }

  /// Called once, before the first run(): starts work that can proceed for all programs before waiting for the first.
  virtual void begin() {}
  /// Resumes it after its sleep, the first time at the start of main, until it sleeps, ends or fails. Not called again after it
  /// ended or failed. Leaves this thread's floating-point mode as it was. A program that has ended holds no image.
  virtual Turn run() = 0;
  /// Ends the run. Called for all programs before the first one is destroyed, so that they end concurrently.
  virtual void finish() {}

 private:
  std::string robot_, label_;
  Source source_;
};

}  // namespace simbatch::sim
