#pragma once
/// A simulation that another process steps at its own pace (docs/python.md, "The protocol"): requests in, answers out. It is
/// independent of sockets and files.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/core/diagnostics.hpp"
#include "lib/session/request.hpp"
#include "lib/sim/program/script.hpp"
#include "lib/sim/simulation.hpp"

namespace simbatch::session {

inline constexpr int kProtocol = 1;

/// What the caller provides: everything that involves files or processes.
struct Duties {
  std::function<void()> stepped;                    ///< called after each step
  std::function<bool()> keep_going;                 ///< called periodically; returning false ends a long request early
  std::function<Diagnostics()> failure;             ///< reports why the simulation failed
  std::function<std::string(const Request&)> save;  ///< @return error message, or empty
  std::function<std::string()> make_branch;         ///< forks this process. @return error message, or empty
};

/// What is sent: a line, with its end, and bytes right after it.
struct Answer {
  std::string line, bytes;
  bool is_last = false;
};

/// An input file of the run, as listed in traces.
struct InputName {
  std::string name, digest;
};

class Session {
 public:
  /// @param simulation  already started  @param script  its last participant. Both must outlive the session.
  Session(sim::Simulation& simulation, sim::ScriptPlayer& script, Duties duties);

  /// The first line, which describes the simulation. @param has_memory  true if publish_to() was called
  std::string hello(std::string_view scenario, const std::vector<InputName>& inputs) const;
  /// The first line of a branch, which has the same nodes as its parent.
  std::string branch_hello() const;
  /// Executes a request and sends the answer; invalid lines are answered with an error message.
  Answer answer(std::string_view line);

  /// Size of the memory for publish_to(), bytes: the step (64 bits), then all numbers of the tree in order of registration (64
  /// bits each).
  std::size_t memory_size() const;
  /// From now on, copies the state into these bytes after each request. Empty: stops copying. @pre its size is memory_size()
  void publish_to(std::span<std::byte> memory);

 private:
  Answer step(const Request& request);
  Answer get(const std::string& name) const;
  Answer image(const std::string& name) const;
  void publish() const;

  sim::Simulation& simulation_;
  sim::ScriptPlayer& script_;
  Duties duties_;
  std::span<std::byte> memory_;
};

}  // namespace simbatch::session
