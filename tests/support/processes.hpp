#pragma once
/// What tests wait for: processes, and whatever they do.

#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include <sys/types.h>

namespace simbatch::test {

/// Waits until `condition` holds, for as long as only a fault takes: a machine with much other work may be slow.
/// @return whether it held in the end
template <typename Condition>
bool soon(const Condition& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

/// Whether a process has ended: also one that is not reaped by an init that does not reap.
inline bool is_gone(pid_t pid) {
  if (::kill(pid, 0) != 0) return true;
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  const std::string text(std::istreambuf_iterator<char>(stat), {});
  return text.empty() || text.find(") Z ") != std::string::npos;
}

}  // namespace simbatch::test
