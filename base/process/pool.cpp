#include "base/process/pool.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include <poll.h>
#include <sched.h>
#include <unistd.h>

#include "base/core/diagnostics.hpp"

namespace simbatch {
namespace {

using Clock = std::chrono::steady_clock;

struct Running {
  PoolResult result;
  Process process;
  Descriptor pipe;
  Clock::time_point began;
  Deadline deadline;
  bool is_open = true;  // the pipe
};

constexpr int kPollMilliseconds = 100;

/// Reads available output. False at the end of file.
bool drain(Running& job, std::size_t limit) {
  char buffer[1 << 16];
  while (true) {
    const ssize_t got = ::read(job.pipe.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    job.result.bytes.append(buffer, static_cast<std::size_t>(got));
    if (job.result.bytes.size() > limit) {
      job.result.end = PoolResult::End::too_much;
      job.process.kill();
      return false;
    }
    pollfd more{job.pipe.get(), POLLIN, 0};
    if (::poll(&more, 1, 0) <= 0) return true;
  }
}

Running start(std::size_t number, const PoolLimits& limits, const std::function<int(std::size_t, const PoolOutput&)>& main) {
  Pipe pipe = make_pipe();
  const int write = pipe.write.get();
  Running job;
  job.result.job = number;
  job.began = Clock::now();
  job.deadline = deadline_in(limits.seconds);
  job.process = fork_process([&] { return main(number, PoolOutput(write)); }, {write});
  job.pipe = std::move(pipe.read);
  return job;
}

/// True when the job has ended; then its result is complete.
bool has_ended(Running& job) {
  const bool late = job.deadline && Clock::now() >= *job.deadline;
  if (job.is_open && !late) return false;
  auto end = job.process.wait(Clock::now());
  if (!end && late) {
    job.result.end = PoolResult::End::out_of_time;
    job.process.kill();
    end = job.process.wait(std::nullopt);
  }
  if (!end) return false;
  job.result.process = *end;
  job.result.seconds = std::chrono::duration<double>(Clock::now() - job.began).count();
  return true;
}

}  // namespace

void PoolOutput::send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t sent = ::write(descriptor_, bytes.data(), bytes.size());
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) ::_exit(kThrewExit);
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

bool run_pool(std::size_t count, const PoolLimits& limits, const std::function<int(std::size_t, const PoolOutput&)>& main,
              const std::function<bool(PoolResult&&)>& done) {
  std::vector<Running> running;
  std::size_t next = 0;
  bool stopped = false;
  while (!running.empty() || (next < count && !stopped)) {
    while (!stopped && next < count && running.size() < std::max<std::size_t>(limits.parallel, 1))
      running.push_back(start(next++, limits, main));
    std::vector<pollfd> polled;
    for (const Running& job : running) polled.push_back({job.is_open ? job.pipe.get() : -1, POLLIN, 0});
    // A child that has closed its pipe ends at once, as a rule.
    const bool is_ending = std::any_of(running.begin(), running.end(), [](const Running& job) { return !job.is_open; });
    (void)::poll(polled.data(), polled.size(), is_ending ? 1 : kPollMilliseconds);
    if (limits.keep_going && !limits.keep_going()) return false;  // destructors kill the children
    for (std::size_t i = 0; i < running.size(); ++i)
      if ((polled[i].revents & (POLLIN | POLLHUP | POLLERR)) != 0) running[i].is_open = drain(running[i], limits.output);
    for (std::size_t i = 0; i < running.size();) {
      if (!has_ended(running[i])) {
        ++i;
        continue;
      }
      PoolResult result = std::move(running[i].result);
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
      if (!done(std::move(result))) stopped = true;
    }
  }
  return !stopped;
}

std::size_t allowed_processors() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<std::size_t>(std::max(1, CPU_COUNT(&set)));
}

}  // namespace simbatch
