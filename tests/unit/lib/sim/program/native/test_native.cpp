// Programs in this process, with tests/programs/behave.cpp as the program.

#include "lib/sim/program/native/native.hpp"

#include <doctest/doctest.h>

#include <unistd.h>
#include <chrono>
#include <cmath>

#include <csignal>
#include <filesystem>

#include "base/core/float_mode.hpp"
#include "base/core/sanitizers.hpp"
#include "lib/sim/program/codes.hpp"
#include "lib/sim/program/scheduler.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::sim;

namespace {

// Built beside this test.
std::string library(const std::string& name) {
  return test::read_text(std::filesystem::read_symlink("/proc/self/exe").parent_path() / "programs" / (name + ".so"));
}
const std::string& behave() {
  static const std::string bytes = library("behave");
  return bytes;
}

// Numbers its pixels.
class FakeImages final : public ImageSource {
 public:
  std::optional<ImageSize> image_size(const TreeNode& camera) const override {
    if (camera.type().kind != "Camera") return std::nullopt;
    return ImageSize{4, 3};
  }
  void render(const TreeNode&, std::span<std::uint32_t> pixels) override {
    for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = 0xFF000000u + static_cast<std::uint32_t>(i);
  }
};

// Robots a and b, each with a part that has a sensor (7), a lamp and a camera; steps of 0.1 s.
class World {
 public:
  World() : simulation_(settings()) {
    for (const char* name : {"a", "b"}) {
      Diagnostics problems;
      TreeNode* robot = simulation_.tree().register_child(std::make_unique<TreeNode>(name, make_type("Robot", {})), problems);
      TreeNode* part = robot->register_child(std::make_unique<TreeNode>("part", make_type("Box", {})), problems);
      add(*part, "sensor", "Sensor", {});
      add(*part, "lamp", "LightDevice", {{0, 1}});
      add(*part, "camera", "Camera", {});
      part->children()[0]->values()[0] = 7;
    }
    simulation_.set_images(&images_);
    scheduler_ = &simulation_.add(std::make_unique<ProgramScheduler>(simulation_));
  }

  NativeProgram load(const std::string& robot, std::vector<std::string> arguments, std::string_view bytes = behave(),
                     double timeout = 5) {
    return load_program({robot, "p.so", {}, std::move(arguments), timeout}, bytes,
                        std::make_unique<ProgramPort>(simulation_, robot));
  }
  void add_program(const std::string& robot, std::vector<std::string> arguments, std::string_view bytes = behave(),
                   double timeout = 5) {
    NativeProgram made = load(robot, std::move(arguments), bytes, timeout);
    REQUIRE_MESSAGE(made.program, (made.problem ? made.problem->message : ""));
    scheduler_->add(std::move(made.program));
  }
  // @return false if it failed
  bool run(int steps) {
    for (int i = 0; i < steps; ++i)
      if (!simulation_.step()) return false;
    return true;
  }
  std::string failure() const { return simulation_.failure() ? simulation_.failure()->message : ""; }
  double lamp(const std::string& robot) { return simulation_.tree().find(robot + ".part.lamp")->values()[0]; }
  const ProgramScheduler& scheduler() const { return *scheduler_; }
  Simulation& simulation() { return simulation_; }

 private:
  static SimulationSettings settings() {
    SimulationSettings settings;
    settings.physics.dt = 0.1;
    return settings;
  }
  static void add(TreeNode& part, const char* name, const char* kind, std::vector<DeviceInput> inputs) {
    Diagnostics problems;
    part.register_child(
        std::make_unique<DeviceNode>(name, make_type(kind, {{"value", "1", ""}}), Source{}, std::move(inputs), 1), problems);
  }
  Simulation simulation_;
  FakeImages images_;
  ProgramScheduler* scheduler_ = nullptr;
};

// Runs one program to its end. @return main's value; fails the test if it failed
int outcome(const std::string& what, int steps = 60) {
  World world;
  world.add_program("a", {what});
  CAPTURE(what);
  REQUIRE_MESSAGE(world.run(steps), world.failure());
  REQUIRE(world.scheduler().ends().size() == 1);
  return world.scheduler().ends()[0].status;
}

}  // namespace

TEST_CASE("native: every SimDeviceError occurs where the API says") { CHECK(outcome("errors") == 0); }
TEST_CASE("native: states and the list of devices") { CHECK(outcome("states") == 0); }
TEST_CASE("native: images are drawn, held, blocked and freed") { CHECK(outcome("images") == 0); }
TEST_CASE("native: all clocks and sleeps are of the simulation's time") { CHECK(outcome("clocks") == 0); }

TEST_CASE("native: an image that a program holds at its end is free again") {
  World world;
  world.add_program("a", {"images"});
  world.add_program("b", {"images"});
  REQUIRE_MESSAGE(world.run(10), world.failure());
  CHECK_FALSE(ProgramBoard::of(world.simulation())->is_held(*world.simulation().tree().find("a.part.camera")));
}

TEST_CASE("native: main's arguments and its value") {
  World world;
  world.add_program("a", {"arguments", "two words", ""});
  world.add_program("b", {"return"});
  REQUIRE_MESSAGE(world.run(3), world.failure());
  REQUIRE(world.scheduler().ends().size() == 2);
  CHECK(world.scheduler().ends()[0].status == 0);
  CHECK(world.scheduler().ends()[0].robot == "a");
  CHECK(world.scheduler().ends()[1].status == 42);
  CHECK(world.scheduler().ends()[1].step == 0);
}

TEST_CASE("native: robots with the same library have their own statics, random numbers, errno, exceptions and rounding") {
  World world;
  world.add_program("a", {"own"});
  world.add_program("b", {"own"});
  REQUIRE_MESSAGE(world.run(20), world.failure());
  REQUIRE(world.scheduler().ends().size() == 2);
  CHECK(world.scheduler().ends()[1].status == 0);
  CHECK(float_mode() == kDefaultFloatMode);
}

TEST_CASE("native: destructors of static objects run when main has returned, and can still use the API") {
  World world;
  world.add_program("a", {"destructors"});
  REQUIRE_MESSAGE(world.run(2), world.failure());
  CHECK(world.lamp("a") == 1);
}

TEST_CASE("native: the settings of a robot whose program has ended hold, and are paused") {
  World world;
  world.add_program("a", {"watch"});
  world.add_program("b", {"return"});
  REQUIRE_MESSAGE(world.run(5), world.failure());
  CHECK(world.scheduler().ends().size() == 2);
  CHECK(world.lamp("b") == 0.5);
}

TEST_CASE("native: a program that is suspended at the end is dropped, and not unwound") {
  {
    World world;
    world.add_program("a", {"stubborn"});
    world.add_program("b", {"forever"});
    REQUIRE(world.run(4));
    CHECK(world.lamp("b") == 1);
  }
  CHECK(outcome("return") == 42);
}

TEST_CASE("native: a program may fork, and its child exit") { CHECK(outcome("child") == 0); }

TEST_CASE("native: crashes, exits and exceptions end the run, each by its name") {
  // asan: its own allocator and checks take the place of those that these would meet.
  const bool sanitized = SIMBATCH_SHADOW_MEMORY;
  struct Row {
    const char* what;
    const Code* code;
    const char* message;
    bool with_sanitizer = true;
  };
  const Row rows[] = {
      {"null", &program_code::kCrash, "crashed: memory access through a null pointer, SIGSEGV, at 0x"},
      {"handler", &program_code::kCrash, "crashed: memory access through a null pointer, SIGSEGV"},
      {"stack", &program_code::kCrash, "crashed: stack overflow (more than 8 MiB), SIGSEGV"},
      {"divide", &program_code::kCrash, "crashed: arithmetic error, such as an integer divided by zero, SIGFPE, at 0x"},
      {"trap", &program_code::kCrash, "crashed: invalid instruction, or a trap of the compiler, SIGILL, at 0x"},
      {"library", &program_code::kCrash, "crashed: memory access through a null pointer, SIGSEGV", false},
      {"throw", &program_code::kThrow, "threw std::runtime_error: \"no more fuel\""},
      {"throw int", &program_code::kThrow, "threw int"},
      {"terminate", &program_code::kCrash, "crashed: aborted"},
      {"noexcept", &program_code::kCrash, "crashed: aborted"},
      {"exit", &program_code::kExit, "called exit(3)"},
      {"_exit", &program_code::kExit, "called _exit(4)"},
      {"quick", &program_code::kExit, "called quick_exit(5)"},
      {"abort", &program_code::kExit, "called abort()"},
      {"assert", &program_code::kExit, "failed an assertion: behave.cpp:"},
      {"heap", &program_code::kCrash, "crashed: aborted", false},
  };
  for (const Row& row : rows) {
    if (sanitized && !row.with_sanitizer) continue;
    const std::string what = row.what;
    CAPTURE(what);
    World world;
    world.add_program("a", {what});
    world.add_program("b", {"forever"});
    CHECK_FALSE(world.run(10));
    REQUIRE(world.simulation().failure());
    CHECK(world.simulation().failure()->step == 2);
    CHECK(world.simulation().failure()->object == "a");
    CHECK(world.simulation().failure()->code == row.code);
    CHECK_MESSAGE(world.failure().starts_with(std::string("its program \"p.so\" ") + row.message), world.failure());
    CHECK(float_mode() == kDefaultFloatMode);
  }
}

TEST_CASE("native: exit in a thread that the program started ends the run as well, a step later at most by its clock") {
  World world;
  world.add_program("a", {"thread exit"});
  for (int i = 0; i < 60'000 && world.run(1); ++i) ::usleep(1000);
  REQUIRE(world.simulation().failure());
  CHECK(world.failure() == "its program \"p.so\" called exit in a thread of its own");
}

// The thread sanitizer keeps a timer's signal back until the program calls the C library: a loop is never ended under it.
#if !SIMBATCH_TSAN
TEST_CASE("native: a program that does not sleep is ended after the timeout, also in the C library and in the kernel") {
  for (const std::string what : {"loop", "allocate", "block"}) {
    CAPTURE(what);
    // Whatever is ended within a sanitizer's allocator keeps that locked: the next allocation would wait forever.
    if (SIMBATCH_SHADOW_MEMORY && what == "allocate") continue;
    World world;
    world.add_program("a", {what}, behave(), 0.2);
    const auto began = std::chrono::steady_clock::now();
    CHECK_FALSE(world.run(10));
    const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    CHECK(took > 0.15);
    REQUIRE(world.simulation().failure());
    CHECK(world.simulation().failure()->code == &program_code::kTimeout);
    CHECK(world.failure() ==
          "its program \"p.so\" ran for 0.2 s of real time without a sleep, while simulation time stood still; "
          "call Sleep in each of its loops, or allow more time with --program-timeout");
  }
}

TEST_CASE("native: a turn ends when the run may not go on, without a timeout too") {
  static int asked = 0;
  asked = 0;
  World world;
  NativeProgram made = load_program({"a", "p.so", {}, {"loop"}, 0, [] { return ++asked < 3; }}, behave(),
                                    std::make_unique<ProgramPort>(world.simulation(), "a"));
  REQUIRE(made.program);
  CHECK(made.program->run().kind == Turn::Kind::sleeping);
  const Turn turn = made.program->run();
  CHECK(turn.kind == Turn::Kind::failed);
  CHECK(turn.code == &program_code::kInterrupted);
  CHECK(asked >= 3);
}
#endif

TEST_CASE("native: signals are handled as before once there is no program") {
  struct sigaction before {
  }, after{};
  ::sigaction(SIGSEGV, nullptr, &before);
  CHECK(outcome("return") == 42);
  ::sigaction(SIGSEGV, nullptr, &after);
  CHECK((before.sa_sigaction == after.sa_sigaction));
}

TEST_CASE("native: a library built with -Ofast changes no other mode") {
  World world;
  NativeProgram made = world.load("a", {"forever"}, library("fast"));
  REQUIRE(made.program);
  CHECK(float_mode() == kDefaultFloatMode);
  volatile double tiny = 1e-300, tinier = tiny * 1e-10;
  CHECK(tinier != 0);
  // clang 14 and g++ 12 link the code that sets flush-to-zero into shared libraries.
  const Turn turn = made.program->run();
  CHECK(turn.kind == Turn::Kind::sleeping);
  CHECK(turn.float_change == FloatChange::loading);
  CHECK(float_mode() == kDefaultFloatMode);
}

TEST_CASE("native: what is not a program is reported without running it, or when it is loaded") {
  struct Row {
    const char* name;
    const char* message;
  };
  const Row seen[] = {{"no_main", "it has no main; make one with: simrun compile"},
                      {"no_runtime", "it was linked without Simbatch's runtime; make one with"},
                      {"hidden_main", "its main is hidden (-fvisibility=hidden)"}};
  for (const Row& row : seen) {
    CAPTURE(row.name);
    const LibraryCheck check = check_library(library(row.name));
    REQUIRE(check.problem);
    CHECK(check.problem->code == &program_code::kLibrary);
    CHECK_MESSAGE(check.problem->message.starts_with(row.message), check.problem->message);
  }
  struct LoadRow {
    const char* name;
    const Code* code;
    const char* message;
  };
  const LoadRow loaded[] = {
      {"missing_symbol", &program_code::kLibrary, "cannot be loaded: undefined symbol: _Z15not_to_be_foundv"},
      {"other_interface", &program_code::kInterface, "it was compiled for interface 99, this is 1: compile it again"},
      {"crash_while_loading", &program_code::kCrash, "crashed: memory access through a null pointer, SIGSEGV"}};
  for (const LoadRow& row : loaded) {
    CAPTURE(row.name);
    const std::string bytes = library(row.name);
    CHECK_FALSE(check_library(bytes).problem);
    World world;
    const NativeProgram made = world.load("a", {}, bytes);
    CHECK_FALSE(made.program);
    REQUIRE(made.problem);
    CHECK(made.problem->code == row.code);
    CHECK_MESSAGE(made.problem->message.starts_with(row.message), made.problem->message);
  }
}

TEST_CASE("native: any bytes at all may be checked as a library") {
  CHECK(check_library("").problem);
  CHECK(check_library("#!/bin/sh\nexit 0\n").problem->message.starts_with("it is not a shared library (not an ELF file)"));
  const std::string bytes = library("no_runtime");
  test::for_every_prefix(
      bytes, [](std::string_view text) { CHECK(check_library(text).problem); }, 300);
  for (std::uint64_t seed = 0; seed < 300; ++seed) (void)check_library(test::mutated(bytes, seed));
}

TEST_CASE("native: a thousand programs run side by side") {
  World world;
  for (int i = 0; i < 1000; ++i) world.add_program(i % 2 == 0 ? "a" : "b", {"forever"});
  REQUIRE_MESSAGE(world.run(4), world.failure());
  CHECK(world.lamp("a") == 1);
}
