// The simulation's side of an isolated program.

#include "lib/sim/program/isolated/isolated.hpp"

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/core/input.hpp"
#include "base/core/number.hpp"
#include "base/process/relay.hpp"
#include "base/process/sandbox.hpp"
#include "lib/sim/program/isolated/wire.hpp"

namespace simbatch::sim {
namespace {

using std::chrono::steady_clock;
using wire::Kind;

constexpr std::chrono::milliseconds kSlice{100};           // between calls of keep_going
constexpr std::size_t kMaxOutput = std::size_t{64} << 20;  // bytes that a program may print

// In the program's process: no input, its output through pipes.
bool redirect(int out, int error) {
  const int nothing = ::open("/dev/null", O_RDONLY);
  const bool done = nothing >= 0 && ::dup2(nothing, 0) == 0 && ::dup2(out, 1) == 1 && ::dup2(error, 2) == 2;
  for (const int fd : {nothing, out, error})
    if (fd > 2) ::close(fd);
  return done;
}

}  // namespace

struct IsolatedProgram::State {
  State(Simulation& sim, std::shared_ptr<std::unique_ptr<Snapshot>> shared, std::unique_ptr<ProgramApi> own,
        IsolationSettings given, ProgramMaker make)
      : simulation(sim), snapshot(std::move(shared)), api(std::move(own)), settings(std::move(given)), maker(std::move(make)) {}

  Simulation& simulation;
  std::shared_ptr<std::unique_ptr<Snapshot>> snapshot;
  std::unique_ptr<ProgramApi> api;
  IsolationSettings settings;
  ProgramMaker maker;
  Process process;
  Descriptor socket;
  Relay output{kMaxOutput};
  std::string start_problem;
  std::string packet;
  Deadline deadline;
  steady_clock::time_point next_look;

  Turn failed(const Code* code, std::string message) {
    process.kill();
    return {Turn::Kind::failed, 0, 0, code, std::move(message)};
  }

  void begin() {
    if (!*snapshot) *snapshot = std::make_unique<Snapshot>(simulation);
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
      throw IoError::from_errno("a process", "cannot connect", errno);
    socket = Descriptor(ends[0]);
    const Descriptor theirs(ends[1]);
    const int fd = theirs.get(), memory = (*snapshot)->descriptor();
    Pipe out = make_pipe(), error = make_pipe();
    // Below 3 they would be taken for standard streams of the new process.
    for (Pipe* pipe : {&out, &error})
      if (const int high = ::fcntl(pipe->write.get(), F_DUPFD_CLOEXEC, 3); high >= 0) pipe->write.reset(high);
    process = fork_sandboxed(
        [&]() -> int {
          const double* numbers = map_snapshot(memory, (*snapshot)->size());
          if (numbers == nullptr || !redirect(out.write.get(), error.write.get())) return kBrokenExit;
          ::close(memory);
          if (!enter_sandbox({})) return kUnconfinedExit;
          return run_isolated(fd, numbers, simulation, *api, maker);
        },
        {fd, memory, out.write.get(), error.write.get()});
    output.add(std::move(out.read), STDOUT_FILENO);
    output.add(std::move(error.read), STDERR_FILENO);
    packet.resize(wire::kMaxPacket + 1);
  }

  enum class Wait { ready, dead, late, interrupted, flooded };
  // Why not to wait any longer; ready: there is no reason. keep_going and the process are looked at once per slice, however often
  // the program prints or asks.
  Wait look(steady_clock::time_point now) {
    if (deadline && *deadline <= now) return Wait::late;
    if (now < next_look) return Wait::ready;
    next_look = now + kSlice;
    if (settings.keep_going && !settings.keep_going()) return Wait::interrupted;
    // Its end is visible in the socket, unless a surviving child keeps the socket open. Its last packet comes first.
    pollfd last{socket.get(), POLLIN, 0};
    return process.wait(now) && ::poll(&last, 1, 0) <= 0 ? Wait::dead : Wait::ready;
  }

  Wait wait(short events) {
    for (;;) {
      const auto now = steady_clock::now();
      if (const Wait why = look(now); why != Wait::ready) return why;
      const auto until = deadline ? std::min(*deadline, next_look) : next_look;
      const auto slice = static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(until - now).count());
      const auto printed = output.descriptors();
      pollfd fds[] = {{socket.get(), events, 0}, {printed[0], POLLIN, 0}, {printed[1], POLLIN, 0}};
      const bool any = ::poll(fds, 3, slice) > 0;  // closed ones are left out: -1
      if (!output.drain()) return Wait::flooded;
      if (any && fds[0].revents != 0) return Wait::ready;
    }
  }

  std::optional<Turn> stopped(Wait wait) {
    switch (wait) {
      case Wait::ready: return std::nullopt;
      case Wait::dead: return gone();
      case Wait::late: return failed(settings.late, timeout_message(settings.timeout));
      case Wait::interrupted: return failed(settings.interrupted, "was interrupted in its turn");
      case Wait::flooded: return failed(settings.crash, "printed more than " + number_text(kMaxOutput >> 20) + " MiB");
    }
    return std::nullopt;
  }

  Turn gone() {
    const auto end = process.wait(deadline_in(1));
    (void)output.drain();
    if (end && !end->by_signal && end->value == kUnconfinedExit)
      return failed(settings.crash, "was not started: its process cannot be confined");
    if (!end || (!end->by_signal && end->value == kLostExit))
      return failed(settings.crash, "closed the connection of its process to the simulation");
    if (end->by_signal) return failed(settings.crash, "crashed: its process " + end->text());
    return failed(settings.exit, "ended its process, with exit code " + number_text(end->value));
  }

  // Nothing: sent.
  std::optional<Turn> send(const wire::Writer& out) {
    for (;;) {
      if (::send(socket.get(), out.bytes().data(), out.bytes().size(), MSG_NOSIGNAL | MSG_DONTWAIT) >= 0) return std::nullopt;
      if (errno == EINTR) continue;
      if (errno != EAGAIN) return gone();
      if (auto turn = stopped(wait(POLLOUT))) return turn;
    }
  }

  // Returns nothing if `bytes` is a packet.
  std::optional<Turn> receive(std::string_view& bytes) {
    for (;;) {
      const ssize_t got = ::recv(socket.get(), packet.data(), packet.size(), MSG_DONTWAIT);
      if (got > 0) {
        bytes = std::string_view(packet).substr(0, static_cast<std::size_t>(got));
        return std::nullopt;
      }
      if (got < 0 && errno == EINTR) continue;
      if (got == 0 || errno != EAGAIN) return gone();
      if (auto turn = stopped(wait(POLLIN))) return turn;
    }
  }

  // Settings of anything but a device, or of another size, cannot come from the API: set_data refuses them here as well.
  bool apply(const std::vector<wire::Setting>& list) {
    const auto nodes = simulation.tree().nodes();
    for (const wire::Setting& setting : list) {
      if (setting.node >= nodes.size()) return false;
      auto* device = dynamic_cast<DeviceNode*>(nodes[setting.node]);
      if (device == nullptr) return false;
      if (api->set_data(device->name(), setting.data.data(), static_cast<std::int64_t>(setting.data.size())) !=
          DeviceError::none)
        return false;
      (*snapshot)->refresh(*device);
    }
    return true;
  }

  std::optional<Turn> send_image(std::string_view camera) {
    const std::uint32_t* pixels = api->get_image(camera);
    const ImageSize size = pixels == nullptr ? ImageSize{} : api->image_size();
    wire::Writer answer(Kind::answer);
    answer.put(size.width);
    answer.put(size.height);
    if (auto turn = send(answer)) return turn;
    const char* bytes = reinterpret_cast<const char*>(pixels);
    for (std::size_t left = size.pixels() * sizeof *pixels; left > 0;) {
      const std::size_t part = std::min(left, wire::kMaxPacket - 1);
      wire::Writer chunk(Kind::pixels);
      chunk.raw({bytes, part});
      if (auto turn = send(chunk)) return turn;
      bytes += part;
      left -= part;
    }
    return std::nullopt;
  }

  Turn damaged() { return failed(settings.crash, "sent an invalid packet: its memory is corrupted"); }

  Turn turn() {
    if (!start_problem.empty()) return failed(settings.crash, "cannot have a process: " + start_problem);
    deadline = settings.timeout > 0 ? deadline_in(settings.timeout + settings.grace) : Deadline{};
    next_look = steady_clock::now() + kSlice;
    (*snapshot)->refresh();
    wire::Writer wake(Kind::wake);
    wake.put(api->time());
    if (auto turn = send(wake)) return *turn;
    for (;;) {
      std::string_view bytes;
      if (auto turn = receive(bytes)) return *turn;
      const auto got = wire::read_packet(bytes);
      if (!got || !apply(got->settings)) return damaged();
      wire::Writer answer(Kind::answer);
      switch (got->kind) {
        case Kind::sync: break;
        case Kind::status: answer.put(static_cast<std::uint32_t>(api->status(got->name))); break;
        case Kind::image:
          if (auto turn = send_image(got->name)) return *turn;
          continue;
        case Kind::image_size: {
          const ImageSize size = api->image_size();
          answer.put(size.width);
          answer.put(size.height);
          break;
        }
        case Kind::unlock: api->unlock_image(); break;
        case Kind::turn: return end_of(got->turn);
        default: return damaged();
      }
      if (auto turn = send(answer)) return *turn;
    }
  }

  Turn end_of(const wire::TurnEnd& end) {
    Turn turn{static_cast<Turn::Kind>(end.kind),         end.until, end.status, nullptr, std::string(end.message),
              static_cast<FloatChange>(end.float_change)};
    if (turn.kind != Turn::Kind::failed) return turn;
    for (const Code* code : settings.codes)
      if (code->name == end.code) turn.code = code;
    if (turn.code == nullptr) return damaged();
    return turn;
  }
};

IsolatedProgram::IsolatedProgram(Simulation& simulation, std::shared_ptr<std::unique_ptr<Snapshot>> snapshot,
                                 std::unique_ptr<ProgramApi> api, IsolationSettings settings, ProgramMaker maker)
    : Program(settings.robot, settings.label, settings.source),
      state_(std::make_unique<State>(simulation, std::move(snapshot), std::move(api), std::move(settings), std::move(maker))) {}

IsolatedProgram::~IsolatedProgram() = default;

void IsolatedProgram::begin() {
  try {
    state_->begin();
  } catch (const IoError& error) {
    state_->start_problem = error.what();
  }
}

Turn IsolatedProgram::run() {
  Turn turn = state_->turn();
  if (!state_->output.drain() && turn.kind != Turn::Kind::failed)
    turn = state_->failed(state_->settings.crash, "printed more than " + number_text(kMaxOutput >> 20) + " MiB");
  if (turn.kind != Turn::Kind::sleeping) {
    state_->api->unlock_image();
    state_->process.kill();
  }
  return turn;
}

}  // namespace simbatch::sim
