#pragma once
/// Any command as a program, using the line protocol of docs/controllers.md on its standard input and output.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/process/line_channel.hpp"
#include "lib/sim/program/port.hpp"
#include "lib/sim/program/program.hpp"

namespace simbatch::sim {

/// An endpoint that accepts a program's connection by other means than our sockets: a web server.
class ProgramEndpoint {
 public:
  virtual ~ProgramEndpoint() = default;
  /// For programs that connect: "ws://127.0.0.1:4500/control/car".
  virtual std::string address() const = 0;
  /// The connection of its one program; null at the deadline, or when keep_going (called several times a second) returns false.
  virtual std::unique_ptr<LineExchange> accept(Deadline deadline, const std::function<bool()>& keep_going) = 0;
};
/// Opens an endpoint for a robot. @param address  as accepted by is_web_address(). @throws IoError
using OpenEndpoint = std::function<std::unique_ptr<ProgramEndpoint>(const std::string& robot, const std::string& address)>;
/// True if a text is the address of such an endpoint: "ws", or a text that begins with "ws:".
inline bool is_web_address(std::string_view text) { return text == "ws" || text.starts_with("ws:"); }

struct ControllerSettings {
  std::string robot;    ///< fully qualified name
  std::string command;  ///< for /bin/sh -c; or a socket's address (base/process/socket.hpp), or a web server's
  std::vector<std::string> arguments = {};          ///< sent with the hello
  Source source = {};                               ///< where it was requested
  std::vector<std::string> environment = {};        ///< NAME=VALUE each, overriding our environment
  bool isolate = false;                             ///< the command runs in a sandbox
  std::vector<std::string> readable = {};           ///< files and folders that it may read there, besides its own
  OpenEndpoint open_endpoint = {};                  ///< for web addresses; empty: these are an error
  std::string generator = "simbatch";               ///< name and version of the simulator, for the hello
  std::string token = {};                           ///< that a program on a socket has to send first; empty: none
  std::optional<double> timeout = {};               ///< wall-clock limit between two sleeps in s, > 0; nothing: no limit
  std::size_t max_answer = std::size_t{128} << 20;  ///< maximum bytes of answers to one line; a 4K picture takes 44 million
  std::function<bool()> keep_going = {};            ///< called several times per second while waiting; false ends the run
  std::function<void(std::string_view robot, std::string_view text)> log = {};  ///< receives its log requests
};

/// The command runs as `/bin/sh -c COMMAND` in a separate process group, in our working folder, with our environment (except
/// for `environment`) and our standard error; it gets no other descriptor of ours. It is started by begin() and ended by the
/// destructor: by an end of file on its standard input and, if that has no effect within a second, by SIGKILL for the whole
/// group. For the address of a socket or a web server no process is started: begin() listens, and the first turn waits for one
/// connection. With `isolate`, the command is confined as base/process/sandboxed_command.hpp says: it reads the system's programs
/// and what readable_by() finds, has only the harmless part of our environment, and what it prints on standard error comes through
/// a pipe, up to 64 MiB. The time limit counts from there. Without a token, only this machine may connect. In a turn, requests are
/// answered until the controller asks to sleep, which is answered when it has slept. Failures, each with a code of codes.hpp:
/// no process or no socket (controller-start), a line that violates the protocol, is too long, or requests more than max_answer
/// (controller-protocol), an end other than exit code 0 (controller-exit), silence (controller-timeout), a different version of
/// a file (controller-inputs).
class Controller final : public Program {
 public:
  Controller(Simulation& simulation, ControllerSettings settings);
  ~Controller() override;
  void begin() override;
  Turn run() override;
  void finish() override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace simbatch::sim
