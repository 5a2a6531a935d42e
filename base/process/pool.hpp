#pragma once
/// Many jobs in forked children, several at a time. Each child is a copy of this process at the start of its job, so previously
/// loaded data is available to all of them.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/process/process.hpp"

namespace simbatch {

struct PoolLimits {
  std::size_t parallel = 1;                   ///< >= 1
  std::optional<double> seconds;              ///< wall clock, of each job; empty: no limit
  std::size_t output = std::size_t{1} << 26;  ///< bytes that a job may send
  std::function<bool()> keep_going;           ///< called several times a second; false ends all children
};

/// How a job ended, and its output.
struct PoolResult {
  enum class End {
    ended,        ///< see `process`: an exit code or a signal
    out_of_time,  ///< killed
    too_much,     ///< killed: sent more than allowed
  };
  std::size_t job = 0;
  End end = End::ended;
  ProcessEnd process;
  std::string bytes;
  double seconds = 0;  ///< wall clock
};

/// The child's side: sends bytes to the parent. A failure to send ends the child.
class PoolOutput {
 public:
  explicit PoolOutput(int descriptor) : descriptor_(descriptor) {}
  void send(std::string_view bytes) const;

 private:
  int descriptor_;
};

/// Runs jobs 0 to `count` - 1, started in this order. `main` is called in the child (the rules of fork_process() apply), `done`
/// here, as jobs end, in any order; if `done` returns false, no further jobs are started, and those that are running are waited
/// for.
/// @return false if keep_going or done has ended it
/// @throws IoError if the system has no process or pipe left
bool run_pool(std::size_t count, const PoolLimits& limits, const std::function<int(std::size_t job, const PoolOutput&)>& main,
              const std::function<bool(PoolResult&&)>& done);

/// Processors that this process may use (a batch system may allow fewer than there are).
std::size_t allowed_processors();

}  // namespace simbatch
