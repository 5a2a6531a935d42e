#include "lib/sim/program/command/controller.hpp"

#include <unistd.h>

#include <algorithm>

#include "base/core/input.hpp"
#include "base/core/number.hpp"
#include "base/process/environment.hpp"
#include "base/process/line_channel.hpp"
#include "base/process/process.hpp"
#include "base/process/sandboxed_command.hpp"
#include "base/process/socket.hpp"
#include "lib/sim/program/codes.hpp"
#include "lib/sim/program/command/answers.hpp"
#include "lib/sim/program/command/codes.hpp"
#include "lib/sim/program/command/readable.hpp"

namespace simbatch::sim {
namespace {

constexpr std::size_t kMaxPrinted = std::size_t{64} << 20;  // bytes on standard error, of a confined command
constexpr double kGrace = 1;                                // s of wall time to end after an end of file
constexpr double kTokenTimeout =
    2;  // s of wall time for the line with the token, so that an unauthenticated client cannot block the endpoint

Turn failed(const Code& code, std::string message) { return {Turn::Kind::failed, 0, 0, &code, std::move(message)}; }

// In a sandbox.
Process start_confined(const ControllerSettings& settings, int read, int write, int error) {
  const std::vector<std::string>& changes = settings.environment;
  const std::vector<std::string> environment = environment_with(changes);
  SandboxedCommand command{settings.command,
                           harmless_environment(changes),
                           readable_by(settings.command, {value_of("PATH", environment), value_of("HOME", environment),
                                                          value_of("PYTHONPATH", environment)}),
                           read,
                           write,
                           error};
  command.environment.emplace_back("PYTHONDONTWRITEBYTECODE=1");
  command.readable.insert(command.readable.end(), settings.readable.begin(), settings.readable.end());
  return start_sandboxed(command);
}

Process start_command(const ControllerSettings& settings, int read, int write) {
  const std::vector<std::string> words{"sh", "-c", settings.command}, variables = environment_with(settings.environment);
  const std::vector<char*> arguments = exec_words(words), environment = exec_words(variables);
  return fork_process(
      [&] {
        // The pipe ends may themselves be 0 or 1, if we were started without these.
        const int in = ::dup(read), out = ::dup(write);
        if (in < 0 || out < 0 || ::dup2(in, 0) < 0 || ::dup2(out, 1) < 0) return 126;
        if (in > 2) ::close(in);
        if (out > 2) ::close(out);
        if (read > 2) ::close(read);
        if (write > 2) ::close(write);
        ::execve("/bin/sh", arguments.data(), environment.data());
        return 127;
      },
      {read, write});
}

// In constant time, regardless of where they differ.
bool is_same_secret(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned char>(a[i] ^ b[b.empty() ? 0 : i % b.size()]);
  return difference == 0;
}

}  // namespace

struct Controller::State {
  State(Simulation& simulation, ControllerSettings given) : settings(std::move(given)), port(simulation, settings.robot) {}

  ControllerSettings settings;
  ProgramPort port;
  std::optional<SocketAddress> address;
  Listener listener;
  std::unique_ptr<ProgramEndpoint> web_endpoint;
  Process process;
  Relay printed{kMaxPrinted};  // on standard error, if it is confined
  bool flooded = false;
  std::unique_ptr<LineExchange> channel;
  std::string start_problem;
  bool greeted = false;
  std::optional<Deadline> grace;  // set by finish()

  // The line being answered.
  RequestLine line;
  std::size_t next = 0;  // of line.requests
  std::string answer;

  // A process that has already exited may have sent data before: the result must not depend on timing.
  static bool is_sent(ChannelStatus status) { return status == ChannelStatus::ok || status == ChannelStatus::closed; }

  Turn refuse(const std::string& what) { return failed(command_code::kProtocol, what); }

  // It is not started here, but connects.
  bool is_elsewhere() const { return address.has_value() || web_endpoint != nullptr; }

  // Waits for its end and meanwhile passes on what it prints.
  std::optional<ProcessEnd> wait_for_end(Deadline deadline) {
    if (!settings.isolate) return process.wait(deadline);
    for (;;) {
      const auto end = process.wait(deadline_in(std::min(seconds_until(deadline), 0.02)));
      flooded = !printed.drain() || flooded;
      if (end || flooded || seconds_until(deadline) <= 0) return end;
    }
  }

  // Why it may have failed in a sandbox.
  std::string hint_of(const ProcessEnd& end) const {
    if (end.by_signal || end.value == 0) return {};
    std::string hint;
    if (end.value == 127) hint = " (the shell's code for a command that was not found)";
    if (settings.isolate)
      hint +=
          "; isolated, it can read its own folder and the system's programs, and what --isolate-read names; it can write to " +
          (sandbox_scratch().empty() ? "no file" : sandbox_scratch() + " only") + " and has no network";
    return hint;
  }

  Turn printed_too_much() {
    return failed(command_code::kExit, "printed more than " + number_text(kMaxPrinted >> 20) + " MiB");
  }

  // It has closed its output, or its input.
  Turn gone() {
    if (is_elsewhere())
      return failed(command_code::kExit, channel->has_rest() ? "closed the connection in the middle of a line"
                                                             : "closed the connection without the request \"end\"");
    const auto end = wait_for_end(deadline_in(kGrace));
    if (flooded) return printed_too_much();
    if (!end) return failed(command_code::kExit, "closed its standard input or output and went on running");
    if (end->by_signal || end->value != 0) return failed(command_code::kExit, end->text() + hint_of(*end));
    if (channel->has_rest()) return failed(command_code::kExit, "ended in the middle of a line");
    return {Turn::Kind::ended, 0, 0};
  }

  Turn unusual(ChannelStatus status, const char* doing) {
    switch (status) {
      case ChannelStatus::timeout:
        return failed(command_code::kTimeout, std::string(doing) + " for more than " + number_text(*settings.timeout) + " s");
      case ChannelStatus::too_long:
        return refuse("sent more than " + number_text(kMaxRequestLine) +
                      " bytes without a line end, or without reading its answers");
      case ChannelStatus::interrupted: return failed(program_code::kInterrupted, "was interrupted in its turn");
      case ChannelStatus::flooded: return printed_too_much();
      case ChannelStatus::closed:
      case ChannelStatus::ok: break;
    }
    return gone();
  }

  // A client without the token is disconnected, and the next one is awaited.
  bool knows_token(Descriptor& peer, Deadline deadline) {
    if (settings.token.empty()) return true;
    LineChannel greeting(duplicate(peer), duplicate(peer), 4096, settings.keep_going);
    std::string sent;
    const Deadline soon = deadline_in(kTokenTimeout);
    const ChannelStatus status = greeting.receive(sent, deadline && *deadline < *soon ? deadline : soon);
    return status == ChannelStatus::ok && !greeting.has_rest() && is_same_secret(sent, token_line(settings.token));
  }

  // The next connection to the socket that knows the token; null: none came.
  std::unique_ptr<LineExchange> next_on_socket(Deadline deadline) {
    for (;;) {
      Descriptor peer = listener.accept(deadline, settings.keep_going);
      if (!peer) return nullptr;
      if (!knows_token(peer, deadline)) continue;
      Descriptor copy = duplicate(peer);
      return std::make_unique<LineChannel>(std::move(peer), std::move(copy), kMaxRequestLine, settings.keep_going);
    }
  }

  // Waits for the connection. What is wrong, if it does not come.
  std::optional<Turn> connect(Deadline deadline) {
    channel = web_endpoint ? web_endpoint->accept(deadline, settings.keep_going) : next_on_socket(deadline);
    if (channel) {
      listener.close();
      return std::nullopt;
    }
    if (settings.keep_going && !settings.keep_going())
      return failed(program_code::kInterrupted, "was interrupted before a program connected");
    return failed(command_code::kTimeout, "did not connect to " +
                                              (web_endpoint ? web_endpoint->address() : listener.address().text()) +
                                              " within " + number_text(*settings.timeout) + " s (--program-timeout)");
  }

  Turn turn() {
    if (!start_problem.empty()) return failed(command_code::kStart, "cannot be started: " + start_problem);
    const Deadline deadline = deadline_in(settings.timeout);
    if (is_elsewhere() && !channel)
      if (auto problem = connect(deadline)) return *std::move(problem);
    if (!greeted) {
      greeted = true;
      const ChannelStatus status = channel->send(hello_line(port, settings.generator, settings.arguments), deadline);
      if (!is_sent(status)) return unusual(status, "did not read");
    } else {
      // It has slept.
      append_time(answer, port.time());
      ++next;
    }
    for (;;) {
      for (; next < line.requests.size(); ++next) {
        const Request& request = line.requests[next];
        if (line.batch && next > 0) answer += ',';
        switch (request.verb) {
          case Verb::sleep: return {Turn::Kind::sleeping, port.time() + request.number / 1000};
          case Verb::sleep_until: return {Turn::Kind::sleeping, request.number};
          case Verb::input:
            if (const RunInput* own = find_input(port, request.text); own != nullptr && own->digest != request.digest)
              return failed(command_code::kInputs, "has another " + quoted(request.text, 200) + " (digest " +
                                                       quoted(request.digest, 40) + ") than this run (" + own->digest + ")");
            append_answer(answer, port, request, {});
            break;
          case Verb::end: finish(); return {Turn::Kind::ended, 0, static_cast<int>(request.number)};
          default:
            append_answer(answer, port, request, [this](std::string_view text) {
              if (settings.log) settings.log(settings.robot, text);
            });
        }
        if (answer.size() > settings.max_answer)
          return refuse("asked for more than " + number_text(settings.max_answer) + " bytes in one line");
      }
      if (!answer.empty()) {
        if (line.batch) answer += ']';
        answer += '\n';
        const ChannelStatus status = channel->send(answer, deadline);
        if (!is_sent(status)) return unusual(status, "did not read");
      }
      std::string text;
      const ChannelStatus status = channel->receive(text, deadline);
      if (status != ChannelStatus::ok) return unusual(status, "was silent");
      auto parsed = parse_requests(text);
      if (const auto* problem = std::get_if<std::string>(&parsed)) return refuse("sent " + quoted(text, 80) + ": " + *problem);
      line = std::get<RequestLine>(std::move(parsed));
      next = 0;
      answer = line.batch ? "[" : "";
    }
  }

  void finish() {
    listener.close();
    if (channel) channel->close_sending();
    if (!grace) grace = deadline_in(kGrace);
  }
};

Controller::Controller(Simulation& simulation, ControllerSettings settings)
    : Program(settings.robot, settings.command, settings.source),
      state_(std::make_unique<State>(simulation, std::move(settings))) {}

Controller::~Controller() {
  if (!state_->process.running()) return;
  state_->finish();
  (void)state_->wait_for_end(*state_->grace);
}

void Controller::begin() {
  try {
    const ControllerSettings& settings = state_->settings;
    if (is_web_address(settings.command) && settings.open_endpoint) {
      state_->web_endpoint = settings.open_endpoint(settings.robot, settings.command);
      if (settings.log) settings.log(settings.robot, "waits for its program at " + state_->web_endpoint->address());
      return;
    }
    state_->address = parse_socket_address(settings.command);
    if (state_->address && !state_->address->is_loopback() && settings.token.empty()) {
      state_->start_problem = "other machines reach " + state_->address->text() + ", and there is no token: set SIMBATCH_TOKEN";
      return;
    }
    if (state_->address) {
      state_->listener = Listener(*state_->address);
      if (settings.log) settings.log(settings.robot, "waits for its program at " + state_->listener.address().text());
      return;
    }
    Pipe in = make_pipe(), out = make_pipe();
    if (settings.isolate) {
      Pipe error = make_pipe();
      state_->process = start_confined(settings, in.read.get(), out.write.get(), error.write.get());
      state_->printed.add(std::move(error.read), STDERR_FILENO);
    } else {
      state_->process = start_command(state_->settings, in.read.get(), out.write.get());
    }
    state_->channel = std::make_unique<LineChannel>(std::move(out.read), std::move(in.write), kMaxRequestLine,
                                                    settings.keep_going, &state_->printed);
  } catch (const IoError& error) {
    state_->start_problem = error.what();
  }
}

Turn Controller::run() {
  Turn turn = state_->turn();
  if (turn.kind != Turn::Kind::sleeping) state_->port.unlock_image();
  if (turn.kind == Turn::Kind::failed) {
    state_->process.kill();
    (void)state_->printed.drain();
    state_->channel.reset();
  }
  return turn;
}

void Controller::finish() { state_->finish(); }

}  // namespace simbatch::sim
