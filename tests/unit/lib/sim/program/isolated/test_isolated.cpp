#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <new>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/sim/program/isolated/isolated.hpp"
#include "lib/sim/program/isolated/wire.hpp"
#include "lib/sim/program/port.hpp"
#include "lib/sim/program/scheduler.hpp"
#include "tests/unit/lib/sim/device/rig.hpp"

using namespace simbatch;
using namespace simbatch::sim;

namespace {

constexpr Code kCrash{"test-crash", Severity::error, "crashed"};
constexpr Code kExit{"test-exit", Severity::error, "ended its process"};
constexpr Code kLate{"test-late", Severity::error, "was late"};
constexpr Code kInterrupted{"test-interrupted", Severity::error, "was interrupted"};
constexpr Code kOwn{"test-own", Severity::error, "failed by itself"};
constexpr const Code* kCodes[] = {&kCrash, &kExit, &kLate, &kOwn};

// A program whose turns are a function.
class Scripted final : public Program {
 public:
  using Body = std::function<Turn(ProgramApi&, int turn)>;
  Scripted(std::unique_ptr<ProgramApi> api, Body body)
      : Program("r", "scripted", {}), api_(std::move(api)), body_(std::move(body)) {}
  Turn run() override { return body_(*api_, turn_++); }

 private:
  std::unique_ptr<ProgramApi> api_;
  Body body_;
  int turn_ = 0;
};

// A picture of four pixels, which says when it was drawn.
class Painter final : public ImageSource {
 public:
  explicit Painter(Simulation& simulation) : simulation_(simulation) {}
  std::optional<ImageSize> image_size(const TreeNode& camera) const override {
    if (camera.type().kind != "Camera") return std::nullopt;
    return ImageSize{300, 200};
  }
  void render(const TreeNode&, std::span<std::uint32_t> pixels) override {
    for (std::size_t i = 0; i < pixels.size(); ++i)
      pixels[i] = static_cast<std::uint32_t>(i * 3) + (static_cast<std::uint32_t>(simulation_.clock().step) << 24);
  }

 private:
  Simulation& simulation_;
};

// A box with a drive, a noisy light, a clock, a GPS and a camera; steps of 0.1 s.
struct Stage {
  NoiseSpec noise{NoiseKind::white, 0.125, 0};
  Rig rig{rig_settings(0.1)};
  Painter painter{rig.simulation};
  std::shared_ptr<std::unique_ptr<Snapshot>> snapshot = std::make_shared<std::unique_ptr<Snapshot>>();
  ProgramScheduler* scheduler = nullptr;
  bool keep_going = true;

  Stage() {
    rig.devices->add_drive(rig.part, {"drive", {}, {}}, {}, rig.problems);
    rig.devices->add_light(rig.part, {"light", {}, {&noise, 1}}, "LightDevice", 0, rig.problems);
    rig.devices->add_time(rig.part, {"clock", {}, {}}, rig.problems);
    rig.devices->add_gps(rig.part, {"gps", {}, {}}, {}, rig.problems);
    rig.devices->add_camera(rig.part, {"camera", {}, {}}, {}, rig.problems);
    rig.simulation.set_images(&painter);
    auto added = std::make_unique<ProgramScheduler>(rig.simulation);
    scheduler = added.get();
    rig.simulation.add(std::move(added));
  }
  std::unique_ptr<ProgramApi> api() { return std::make_unique<ProgramPort>(rig.simulation, "r"); }
  void add(Scripted::Body body, bool isolated = true, double timeout = 30) {
    if (!isolated) {
      scheduler->add(std::make_unique<Scripted>(api(), std::move(body)));
      return;
    }
    IsolationSettings settings{"r",    "scripted", {},     timeout, 0.3,          [this] { return keep_going; },
                               kCodes, &kCrash,    &kExit, &kLate,  &kInterrupted};
    scheduler->add(std::make_unique<IsolatedProgram>(
        rig.simulation, snapshot, api(), settings,
        [body = std::move(body)](std::unique_ptr<ProgramApi> own, Turn&) -> std::unique_ptr<Program> {
          return std::make_unique<Scripted>(std::move(own), body);
        }));
  }
  bool steps(int n) {
    for (int i = 0; i < n; ++i)
      if (!rig.simulation.step()) return false;
    return true;
  }
  const Failure& failure() {
    REQUIRE(rig.simulation.failure());
    return *rig.simulation.failure();
  }
};

Turn sleep_until(double time) { return {Turn::Kind::sleeping, time}; }
Turn ended(int status = 0) { return {Turn::Kind::ended, 0, status}; }
float read(ProgramApi& api, const char* name) {
  float value = -1;
  return api.get_data(name, &value, sizeof value) == DeviceError::none ? value : -2;
}
void write(ProgramApi& api, const char* name, float value) { api.set_data(name, &value, sizeof value); }

// Reads, sets, reads back, several times, and puts all that it saw into the drive.
Turn busy(ProgramApi& api, int turn) {
  float seen = read(api, "r.part.light") + read(api, "r.part.clock");
  for (int i = 0; i < 3; ++i) {
    write(api, "r.part.light", 0.25f + 0.01f * static_cast<float>(turn));
    seen += read(api, "r.part.light");  // with the noise of this very setting
  }
  char text[200] = "";
  api.get_data("r.part.gps", text, sizeof text);
  float drive[3];
  api.get_data("r.part.drive", drive, sizeof drive);
  drive[0] = seen / 16;
  drive[1] = static_cast<float>(text[14]) / 256 - drive[1] / 2;
  drive[2] = static_cast<float>(api.status("r.part.light")) / 16;
  api.set_data("r.part.drive", drive, sizeof drive);
  return sleep_until(api.time() + 0.1 + 0.1 * (turn % 3));
}

}  // namespace

TEST_CASE("a program sees and does the same in a process of its own") {
  std::uint64_t hashes[2];
  for (const bool isolated : {false, true}) {
    Stage stage;
    for (int i = 0; i < 4; ++i) stage.add(busy, isolated);
    REQUIRE(stage.steps(60));
    hashes[isolated ? 1 : 0] = stage.rig.simulation.state_hash();
    CHECK(stage.rig.value("r.part.drive", 0) != 0);
  }
  CHECK(hashes[0] == hashes[1]);
}

TEST_CASE("isolated programs next to others see what was set a moment ago") {
  std::uint64_t hashes[2];
  for (const bool isolated : {false, true}) {
    Stage stage;
    stage.add(busy, false);
    stage.add(busy, isolated);
    stage.add(busy, false);
    stage.add(busy, isolated);
    REQUIRE(stage.steps(60));
    hashes[isolated ? 1 : 0] = stage.rig.simulation.state_hash();
  }
  CHECK(hashes[0] == hashes[1]);
}

TEST_CASE("every device error, all devices, the time and the images are the same from another process") {
  Stage stage;
  stage.add([](ProgramApi& api, int turn) {
    float value = 0;
    float three[3] = {};
    const auto wrong = [](int line) { return ended(line); };
    if (api.get_data("q.part.light", &value, 4) != DeviceError::unknown_robot) return wrong(__LINE__);
    if (api.get_data("r.part.none", &value, 4) != DeviceError::unknown_device) return wrong(__LINE__);
    if (api.get_data("r.part", &value, 4) != DeviceError::invalid_device) return wrong(__LINE__);
    if (api.set_data("r.part.clock", &value, 4) != DeviceError::invalid_operation) return wrong(__LINE__);
    if (api.set_data("r.part.light", three, 12) != DeviceError::data_size_mismatch) return wrong(__LINE__);
    if (api.set_data("r.part.light", &value, -4) != DeviceError::data_size_mismatch) return wrong(__LINE__);
    if (api.devices().size() != 5) return wrong(__LINE__);
    if (api.time() != 0.1 * turn) return wrong(__LINE__);
    if (api.start_unix() != 1204118999) return wrong(__LINE__);
    if (api.status("q") != 0 || api.status("r.part.camera") != static_cast<unsigned>(DeviceStatus::ready))
      return wrong(__LINE__);
    if (api.image_size().width != 300 || api.get_image("r.part.clock") != nullptr) return wrong(__LINE__);
    const std::uint32_t* pixels = api.get_image("r.part.camera");
    if (pixels == nullptr || api.get_image("r.part.camera") != nullptr) return wrong(__LINE__);
    for (std::uint32_t i = 0; i < 60'000; ++i)
      if (pixels[i] != i * 3 + (static_cast<std::uint32_t>(turn) << 24)) return wrong(__LINE__);
    if (api.status("r.part.camera") != static_cast<unsigned>(DeviceStatus::blocked)) return wrong(__LINE__);
    api.unlock_image();
    if (api.status("r.part.camera") != static_cast<unsigned>(DeviceStatus::ready)) return wrong(__LINE__);
    if (turn == 1) return ended(7);
    return sleep_until(0.1);
  });
  CHECK(stage.steps(3));
  REQUIRE(stage.scheduler->ends().size() == 1);
  CHECK(stage.scheduler->ends()[0].status == 7);
}

TEST_CASE("many settings in a turn come through, in their order") {
  std::uint64_t hashes[2];
  for (const bool isolated : {false, true}) {
    Stage stage;
    stage.add(
        [](ProgramApi& api, int turn) {
          for (int i = 0; i < 5000; ++i) write(api, "r.part.light", static_cast<float>((i * 7 + turn) % 11) / 10);
          return sleep_until(api.time() + 0.1);
        },
        isolated);
    REQUIRE(stage.steps(3));
    hashes[isolated ? 1 : 0] = stage.rig.simulation.state_hash();
  }
  CHECK(hashes[0] == hashes[1]);
}

TEST_CASE("nothing that an isolated program does brings the simulation down") {
  const struct {
    const char* what;
    Turn (*body)(ProgramApi&, int);
    const Code* code;
    const char* says;
  } rows[] = {
      {"fails by itself",
       [](ProgramApi&, int) {
         return Turn{Turn::Kind::failed, 0, 0, &kOwn, "gave up"};
       },
       &kOwn, "gave up"},
      {"crashes",
       [](ProgramApi&, int) {
         ::raise(SIGSEGV);
         return ended();
       },
       &kCrash, "signal 11"},
      {"kills itself",
       [](ProgramApi&, int) {
         ::kill(::getpid(), SIGKILL);
         return ended();
       },
       &kCrash, "signal 9"},
      {"kills its group",
       [](ProgramApi&, int) {
         ::kill(0, SIGKILL);
         return ended();
       },
       &kCrash, "signal 9"},
      {"exits", [](ProgramApi&, int) -> Turn { ::_exit(3); }, &kExit, "exit code 3"},
      {"aborts", [](ProgramApi&, int) -> Turn { std::abort(); }, &kCrash, "signal 6"},
      {"closes everything",
       [](ProgramApi&, int) {
         for (int fd = 0; fd < 1000; ++fd) ::close(fd);
         for (;;) ::pause();
         return ended();
       },
       &kCrash, "closed the connection"},
      {"loops",
       [](ProgramApi&, int) -> Turn {
         volatile int i = 0;
         for (;;) (void)i;
       },
       &kLate, "without a sleep"},
      {"stops itself",
       [](ProgramApi&, int) {
         ::raise(SIGSTOP);
         return ended();
       },
       &kLate, "without a sleep"},
      {"leaves a child behind",
       [](ProgramApi&, int) {
         if (::fork() == 0)
           for (;;) ::pause();
         ::raise(SIGKILL);
         return ended();
       },
       &kCrash, "signal 9"},
      {"sends garbage",
       [](ProgramApi&, int) {
         for (int fd = 3; fd < 1000; ++fd) (void)!::write(fd, "garbage", 7);
         for (;;) ::pause();
         return ended();
       },
       &kCrash, "memory is corrupted"},
      {"eats memory",
       [](ProgramApi&, int) -> Turn {
         for (;;) {
           void* block = ::mmap(nullptr, std::size_t{64} << 30, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
           if (block == MAP_FAILED) ::_exit(9);
         }
       },
       &kExit, "exit code 9"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.what);
    Stage stage;
    int turns = 0;
    stage.add(
        [&turns](ProgramApi& api, int) {
          ++turns;
          return sleep_until(api.time() + 0.1);
        },
        false);
    stage.add([body = row.body](ProgramApi& api, int turn) { return turn == 0 ? sleep_until(0.2) : body(api, turn); }, true,
              0.1);
    CHECK_FALSE(stage.steps(10));
    const Failure& failure = stage.failure();
    CAPTURE(failure.message);
    CHECK(failure.code == row.code);
    CHECK(failure.message.find(row.says) != std::string::npos);
    CHECK(failure.step == 2);
    CHECK(failure.object == "r");
    CHECK(turns == 3);
  }
}

TEST_CASE("an isolated program cannot signal the simulation, and cannot write into its numbers") {
  Stage stage;
  static pid_t simulation, its_group;
  simulation = ::getpid();
  its_group = ::getpgid(0);
  stage.add([](ProgramApi&, int) {
    // Signal 0, which does no harm where the filter is missing: it looks at the process only.
    // ESRCH: there is no filter under sanitizers, but a namespace in which the simulation does not exist.
    const auto is_refused = [](pid_t process) { return ::kill(process, 0) == -1 && (errno == EPERM || errno == ESRCH); };
    if (!is_refused(simulation)) return ended(1);
    if (!is_refused(-1)) return ended(2);
    if (!is_refused(-its_group)) return ended(3);
    if (::kill(::getpid(), 0) != 0) return ended(4);
    for (int fd = 3; fd < 100; ++fd) {
      void* mapping = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
      if (mapping != MAP_FAILED) return ended(5);
    }
    return ended(0);
  });
  CHECK(stage.steps(3));
  REQUIRE(stage.scheduler->ends().size() == 1);
  CHECK(stage.scheduler->ends()[0].status == 0);
}

TEST_CASE("a run that is interrupted does not wait for an isolated program") {
  Stage stage;
  stage.add(
      [&stage](ProgramApi&, int) {
        (void)stage;
        for (;;) ::pause();
        return ended();
      },
      true, 0);
  stage.keep_going = false;
  CHECK_FALSE(stage.steps(1));
  CHECK(stage.failure().code == &kInterrupted);
}

TEST_CASE("a run that is interrupted does not wait for an isolated program that prints or asks all the time") {
  for (const bool prints : {true, false}) {
    CAPTURE(prints);
    Stage stage;
    stage.add(
        [prints](ProgramApi& api, int) {
          const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
          while (std::chrono::steady_clock::now() < end)
            if (prints) {
              if (::write(STDOUT_FILENO, " ", 1) != 1) break;
              ::usleep(10'000);
            } else {
              (void)api.status("r");
            }
          return ended();
        },
        true, 0);
    stage.keep_going = false;
    CHECK_FALSE(stage.steps(1));
    CHECK(stage.failure().code == &kInterrupted);
  }
}

TEST_CASE("isolated programs leave no process behind") {
  {
    Stage stage;
    for (int i = 0; i < 20; ++i) stage.add([](ProgramApi& api, int) { return sleep_until(api.time() + 100); });
    CHECK(stage.steps(2));
  }
  CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
  CHECK(errno == ECHILD);
}

TEST_CASE("packets from a program: any bytes are read or refused") {
  wire::Writer turn(wire::Kind::turn);
  std::string packed;
  const float value = 0.5f;
  wire::pack_setting(packed, 3, {reinterpret_cast<const char*>(&value), sizeof value});
  wire::put_settings(turn, 1, packed);
  turn.put(std::uint8_t{2});
  turn.put(1.5);
  turn.put(std::int32_t{4});
  turn.put(std::uint8_t{2});
  turn.text("test-own");
  turn.text("gave up");
  const auto read = wire::read_packet(turn.bytes());
  REQUIRE(read);
  REQUIRE(read->settings.size() == 1);
  CHECK(read->settings[0].node == 3);
  CHECK(read->settings[0].data.size() == 4);
  CHECK(read->turn.message == "gave up");
  CHECK(read->turn.float_change == 2);
  test::for_every_prefix(turn.bytes(), [&](std::string_view cut) {
    CHECK(wire::read_packet(cut).has_value() == (cut.size() == turn.bytes().size()));
  });
  CHECK_FALSE(wire::read_packet(turn.bytes() + "x"));
  CHECK_FALSE(wire::read_packet(std::string(wire::kMaxPacket + 1, '\0')));
  for (std::uint64_t seed = 0; seed < 3000; ++seed) (void)wire::read_packet(test::mutated(turn.bytes(), seed));
}
