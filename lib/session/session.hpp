#pragma once
/// A simulation that another process steps in its own pace (docs/python.md, "The protocol"): requests in, answers out. It knows
/// neither sockets nor files.

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

/// What belongs to the caller, who knows files and processes.
struct Duties {
  std::function<void()> stepped;                    ///< after each step that was made
  std::function<bool()> keep_going;                 ///< called often; false ends a request for many steps early
  std::function<Diagnostics()> failure;             ///< why the simulation has failed
  std::function<std::string(const Request&)> save;  ///< @return what went wrong; or empty
  std::function<std::string()> make_branch;         ///< starts another process here. @return what went wrong; or empty
};

/// What is sent: a line, with its end, and bytes right after it.
struct Answer {
  std::string line, bytes;
  bool is_last = false;
};

/// A file that takes part, as traces have it.
struct InputName {
  std::string name, digest;
};

class Session {
 public:
  /// @param simulation  has started; @param script  its last participant; both outlive the session
  Session(sim::Simulation& simulation, sim::ScriptPlayer& script, Duties duties);

  /// The first line: what there is. @param has_memory  true if publish_to() was called
  std::string hello(std::string_view scenario, const std::vector<InputName>& inputs) const;
  /// The first line of a branch, which has the nodes of the one that it comes from.
  std::string branch_hello() const;
  /// Executes a request and sends the answer; an invalid line is answered with an error message.
  Answer answer(std::string_view line);

  /// Bytes that publish_to() needs: the step (64 bits), then all numbers of the tree in the order of registration (64 bits each).
  std::size_t memory_size() const;
  /// Copies the state into these bytes after each request, from now on. Empty: stops. @pre size memory_size()
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
