// The program's side of an isolated program. Runs in the forked process.

#include <stdio_ext.h>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <unordered_set>

#include <sys/socket.h>
#include <unistd.h>

#include "lib/sim/program/isolated/isolated.hpp"
#include "lib/sim/program/isolated/wire.hpp"
#include "lib/sim/program/port.hpp"

namespace simbatch::sim {
namespace {

using wire::Kind;

constexpr std::size_t kFlushAt = 32 * 1024;  // bytes of settings; a packet holds twice as much
constexpr std::size_t kMaxText = 2000;       // of messages and names

// The simulation can no longer be reached: it has ended, or the program has closed the socket.
[[noreturn]] void leave() { ::_exit(kLostExit); }

class Link {
 public:
  explicit Link(int socket) : socket_(socket), buffer_(wire::kMaxPacket, '\0') {}
  void send(const wire::Writer& packet) {
    const std::string& bytes = packet.bytes();
    while (::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) < 0)
      if (errno != EINTR) leave();
  }
  std::string_view receive() {
    for (;;) {
      const ssize_t got = ::recv(socket_, buffer_.data(), buffer_.size(), 0);
      if (got > 0) return {buffer_.data(), static_cast<std::size_t>(got)};
      if (got == 0 || errno != EINTR) leave();
    }
  }
  // The body of an answer.
  wire::Reader ask(const wire::Writer& packet) {
    send(packet);
    return wire::Reader(receive().substr(1));
  }

 private:
  int socket_;
  std::string buffer_;
};

class IsolatedApi final : public ProgramApi {
 public:
  IsolatedApi(Link& link, const double* snapshot, Simulation& simulation, ProgramApi& forked)
      : link_(link), snapshot_(snapshot), simulation_(simulation), forked_(forked) {}

  void wake(double time) { time_ = time; }
  // The settings not sent yet.
  void put_settings(wire::Writer& out) {
    wire::put_settings(out, count_, packed_);
    count_ = 0;
    packed_.clear();
    set_.clear();
  }

  const std::string& robot() const override { return forked_.robot(); }
  double time() const override { return time_; }
  std::int64_t start_unix() const override { return forked_.start_unix(); }

  DeviceError get_data(std::string_view device, void* data, std::int64_t size) override {
    if (TreeNode* node = simulation_.tree().find(device)) {
      if (!set_.empty() && set_.contains(node)) sync();
      refresh(*node);
    }
    return forked_.get_data(device, data, size);
  }

  DeviceError set_data(std::string_view device, const void* data, std::int64_t size) override {
    // Also applied to the forked node, to check whether the setting is valid; its value there is never read.
    const DeviceError error = forked_.set_data(device, data, size);
    if (error != DeviceError::none) return error;
    const TreeNode* node = simulation_.tree().find(device);
    wire::pack_setting(packed_, number_of(*node), {static_cast<const char*>(data), static_cast<std::size_t>(size)});
    ++count_;
    set_.insert(node);
    if (packed_.size() > kFlushAt) sync();
    return error;
  }

  unsigned status(std::string_view device) override {
    sync();
    wire::Writer question(Kind::status);
    question.text(device.substr(0, kMaxText));
    std::uint32_t status = 0;
    link_.ask(question).get(status);
    return status;
  }

  std::vector<DeviceInfo> devices() const override {
    for (TreeNode* node : simulation_.tree().nodes()) refresh(*node);  // texts have the size of their numbers
    return forked_.devices();
  }

  std::uint32_t* get_image(std::string_view camera) override {
    sync();
    wire::Writer question(Kind::image);
    question.text(camera.substr(0, kMaxText));
    wire::Reader answer = link_.ask(question);
    ImageSize size;
    if (!answer.get(size.width) || !answer.get(size.height) || size.pixels() == 0) return nullptr;
    pixels_.resize(size.pixels());
    auto* to = reinterpret_cast<char*>(pixels_.data());
    for (std::size_t left = size.pixels() * sizeof pixels_[0]; left > 0;) {
      const std::string_view part = link_.receive().substr(1);
      if (part.empty() || part.size() > left) leave();
      std::memcpy(to, part.data(), part.size());
      to += part.size();
      left -= part.size();
    }
    return pixels_.data();
  }

  ImageSize image_size() const override {
    wire::Reader answer = link_.ask(wire::Writer(Kind::image_size));
    ImageSize size;
    answer.get(size.width);
    answer.get(size.height);
    return size;
  }

  void unlock_image() override { (void)link_.ask(wire::Writer(Kind::unlock)); }

 private:
  void refresh(TreeNode& node) const {
    const std::span<double> values = node.values();
    std::memcpy(values.data(), snapshot_ + node.values_offset(), values.size_bytes());
  }
  // Index in nodes(), whose numbers are contiguous.
  std::uint32_t number_of(const TreeNode& node) const {
    const auto nodes = simulation_.tree().nodes();
    auto at = std::partition_point(nodes.begin(), nodes.end(),
                                   [&](const TreeNode* other) { return other->values_offset() < node.values_offset(); });
    at = std::find(at, nodes.end(), &node);
    return static_cast<std::uint32_t>(at - nodes.begin());
  }
  // Applies all settings so far in the simulation, including noise.
  void sync() {
    if (count_ == 0) return;
    wire::Writer packet(Kind::sync);
    put_settings(packet);
    (void)link_.ask(packet);
  }

  Link& link_;
  const double* snapshot_;
  Simulation& simulation_;
  ProgramApi& forked_;
  double time_ = 0;
  std::uint32_t count_ = 0;
  std::string packed_;
  std::unordered_set<const TreeNode*> set_;
  std::vector<std::uint32_t> pixels_;
};

void send_turn(Link& link, IsolatedApi* api, const Turn& turn) {
  // Flushes the program's output, so that it survives a crash.
  std::fflush(stdout);
  std::fflush(stderr);
  wire::Writer packet(Kind::turn);
  if (api != nullptr)
    api->put_settings(packet);
  else
    packet.put(std::uint32_t{0});
  packet.put(static_cast<std::uint8_t>(turn.kind));
  packet.put(turn.until);
  packet.put(static_cast<std::int32_t>(turn.status));
  packet.put(static_cast<std::uint8_t>(turn.float_change));
  packet.text(turn.code != nullptr ? turn.code->name : "");
  packet.text(std::string_view(turn.message).substr(0, kMaxText));
  link.send(packet);
}

}  // namespace

int run_isolated(int socket, const double* snapshot, Simulation& simulation, ProgramApi& forked,
                 const ProgramMaker& maker) try {
  // Discards our copies of the buffers, which the simulation itself will write.
  ::__fpurge(stdout);
  ::__fpurge(stderr);
  Link link(socket);
  auto owned = std::make_unique<IsolatedApi>(link, snapshot, simulation, forked);
  IsolatedApi* api = owned.get();
  Turn problem{Turn::Kind::failed};
  const std::unique_ptr<Program> program = maker(std::move(owned), problem);
  for (;;) {
    wire::Reader wake(link.receive().substr(1));
    double time = 0;
    wake.get(time);
    if (!program) {
      send_turn(link, nullptr, problem);
      return 0;
    }
    api->wake(time);
    const Turn turn = program->run();
    send_turn(link, api, turn);
    if (turn.kind != Turn::Kind::sleeping) return 0;
  }
} catch (const std::exception&) {
  return kBrokenExit;
}

}  // namespace simbatch::sim
