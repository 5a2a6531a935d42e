#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

#include <sys/resource.h>

#include "lib/sim/program/codes.hpp"
#include "lib/sim/program/command/codes.hpp"
#include "lib/sim/program/command/controller.hpp"
#include "lib/sim/program/scheduler.hpp"
#include "tests/unit/lib/sim/device/rig.hpp"

using namespace simbatch;
using namespace simbatch::sim;

namespace {

// A box with a drive, a light and a clock, steps of 0.1 s, and controllers.
struct Stage {
  Rig rig{rig_settings(0.1)};
  ProgramScheduler* scheduler = nullptr;
  std::vector<std::string> said;
  bool keep_going = true;

  Stage() {
    rig.devices->add_drive(rig.part, {"drive", {}, {}}, {}, rig.problems);
    rig.devices->add_light(rig.part, {"light", {}, {}}, "LightDevice", 0, rig.problems);
    rig.devices->add_time(rig.part, {"clock", {}, {}}, rig.problems);
    rig.devices->add_gps(rig.part, {"gps", {}, {}}, {}, rig.problems);
    auto added = std::make_unique<ProgramScheduler>(rig.simulation);
    scheduler = added.get();
    rig.simulation.add(std::move(added));
  }
  std::vector<std::string> environment;

  void add(std::string command, std::optional<double> timeout = 60.0) {
    ControllerSettings settings;
    settings.robot = "r";
    settings.command = std::move(command);
    settings.timeout = timeout;
    settings.environment = environment;
    settings.arguments = {"r", "slow"};
    settings.max_answer = 1u << 20;
    settings.keep_going = [this] { return keep_going; };
    settings.log = [this](std::string_view, std::string_view text) { said.emplace_back(text); };
    scheduler->add(std::make_unique<Controller>(rig.simulation, settings));
  }
  // What the controllers asked to have logged, one a line.
  std::string run(int steps) {
    for (int i = 0; i < steps && rig.simulation.step(); ++i) {
    }
    std::string all;
    for (const std::string& line : said) all += line + "\n";
    return all;
  }
  const Failure& failure() {
    REQUIRE(rig.simulation.failure());
    return *rig.simulation.failure();
  }
};

// A shell function `ask LINE` that sends a line and logs the answer.
const std::string kAsk = R"(read -r hello; q() { sed 's/["\\]/\\&/g'; }
ask() { printf '%s\n' "$1"; read -r a || exit; a=$(printf %s "$a" | q); printf '{"do":"log","text":"%s"}\n' "$a"; read -r b; }; )";

}  // namespace

TEST_CASE("a controller is greeted, asks, sets, sleeps in simulated time, and ends") {
  Stage stage;
  stage.add(kAsk + R"(
    h=$(printf %s "$hello" | q); printf '{"do":"log","text":"%s"}\n' "$h"; read -r b
    ask '{"do":"get","device":"r.part.light"}'
    ask '{"do":"set","device":"r.part.light","values":[0.1]}'
    ask '[{"do":"get","device":"r.part.light"},{"do":"time"},{"do":"sleep","ms":250},{"do":"get","device":"r.part.clock"}]'
    ask '{"do":"sleep_until","time":0.5}'
    ask '[]'
    ask '{"do":"end","status":3}')");
  const std::string said = stage.run(10);
  INFO(said);
  CHECK_FALSE(stage.rig.simulation.failure());
  const std::string head =
      R"({"hello":{"protocol":1,"simulator":"simbatch","robot":"r","arguments":["r","slow"],"dt":0.1,"time":0,"start_unix":1204118999,"image_size":[0,0],"scenario":"","seed":"1","inputs":[],"devices":[)"
      R"({"name":"r.part.drive","kind":"DriveActuator","settable":true,"count":3,"fields":[{"name":"acceleration","unit":"1","frame":"","lower":-1,"upper":1},)";
  CHECK(said.substr(0, head.size()) == head);
  CHECK(said.find(R"({"name":"r.part.gps","kind":"GPSSensor","settable":false,"text":true}]}})") != std::string::npos);
  const std::string rest = said.substr(said.find('\n') + 1);
  CHECK(
      rest ==
      "{\"error\":0,\"values\":[0]}\n"
      "{\"error\":0}\n"
      "[{\"error\":0,\"values\":[0.10000000149011612]},{\"time\":0},{\"time\":0.30000000000000004},{\"error\":0,\"values\":[0.30000001192092896]}]\n"
      "{\"time\":0.5}\n"
      "[]\n");
  CHECK(stage.rig.value("r.part.light") == static_cast<double>(0.1f));
}

TEST_CASE("every device error has its number in the protocol") {
  Stage stage;
  stage.add(kAsk + R"(
    ask '[{"do":"get","device":"q.part.light"},{"do":"get","device":"r.part.none"},{"do":"get","device":"r.part"},{"do":"set","device":"r.part.clock","values":[1]}]'
    ask '[{"do":"set","device":"r.part.light","values":[1,2]},{"do":"set","device":"r.part.light","values":[]},{"do":"status","device":"q"},{"do":"get","device":"r.part.gps"}]')");
  const std::string said = stage.run(2);
  CHECK(
      said.find(
          R"([{"error":1,"name":"UNKNOWN_ROBOT"},{"error":2,"name":"UNKNOWN_DEVICE"},{"error":3,"name":"INVALID_DEVICE"},{"error":4,"name":"INVALID_OPERATION"}])") ==
      0);
  CHECK(
      said.find(
          R"([{"error":5,"name":"DATA_SIZE_MISMATCH","expected":1,"found":2},{"error":5,"name":"DATA_SIZE_MISMATCH","expected":1,"found":0},{"status":0},{"error":0,"text":"$GPRMC,)") !=
      std::string::npos);
  CHECK_FALSE(stage.rig.simulation.failure());  // it ended with exit code 0: its robot coasts
}

TEST_CASE("a controller that breaks the protocol, dies or stays silent fails the run, with its command, step and cause") {
  const struct {
    const char* command;
    const Code* code;
    std::int64_t step;
    const char* says;
  } rows[] = {
      {"echo hello; read -r x", &command_code::kProtocol, 0, "sent \"hello\": it is not JSON"},
      {R"(echo '{"do":"sleep","ms":250}'; read -r h; read -r a; echo '{"do":"slep","ms":1}'; read -r a)",
       &command_code::kProtocol, 3, "did you mean \"sleep\"?"},
      {"printf '{\"do\":'", &command_code::kExit, 0, "ended in the middle of a line"},
      {"exit 3", &command_code::kExit, 0, "ended with exit code 3"},
      {R"(echo '{"do":"sleep","ms":100}'; read -r h; read -r a; kill -SEGV $$)", &command_code::kExit, 1,
       "was killed by signal 11"},
      {R"(echo '{"do":"sleep","ms":100}'; read -r h; exit 4)", &command_code::kExit, 1, "ended with exit code 4"},
      {"no-such-program-here 2> /dev/null", &command_code::kExit, 0, "exit code 127 (the shell's code"},
      {"exec sleep 1000", &command_code::kTimeout, 0, "was silent for more than 0.5 s"},
      {"exec sleep 1000 >&-", &command_code::kExit, 0, "closed its standard input or output and went on running"},
      {"exec cat /dev/zero", &command_code::kProtocol, 0, "without a line end"},
      {"yes '{\"do\":\"time\"}' | cat", &command_code::kProtocol, 0, "without reading its answers"},
      {"trap '' TERM; (trap '' TERM; sleep 1000) & while :; do :; done", &command_code::kTimeout, 0, "was silent"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.command);
    Stage stage;
    stage.add(row.command,
              row.code == &command_code::kTimeout ? 0.5 : 60);  // a busy machine must not turn others into timeouts
    stage.run(10);
    const Failure& failure = stage.failure();
    CAPTURE(failure.message);
    CHECK(failure.code == row.code);
    CHECK(failure.step == row.step);
    CHECK(failure.object == "r");
    CHECK(failure.message.find("its program " + quoted(row.command)) == 0);
    CHECK(failure.message.find(row.says) != std::string::npos);
    CHECK(stage.rig.simulation.clock().step == row.step);  // the steps before stand
  }
}

TEST_CASE("a run that is interrupted does not wait for a controller") {
  Stage stage;
  stage.keep_going = false;
  stage.add("exec sleep 1000", std::nullopt);
  stage.run(2);
  CHECK(stage.failure().code == &program_code::kInterrupted);
}

TEST_CASE("a controller that cannot have a process fails in its first turn") {
  Stage stage;
  ControllerSettings settings;
  settings.robot = "r";
  settings.command = "exit 0";
  Controller controller(stage.rig.simulation, settings);
  REQUIRE(controller.robot() == "r");  // the sanitizer looks at the object's type once, for which it needs descriptors
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  rlimit none = before;
  none.rlim_cur = 0;
  ::setrlimit(RLIMIT_NOFILE, &none);
  controller.begin();
  ::setrlimit(RLIMIT_NOFILE, &before);
  const Turn turn = controller.run();
  CHECK(turn.kind == Turn::Kind::failed);
  CHECK(turn.code == &command_code::kStart);
}

TEST_CASE("a controller gets the pixels of a camera, one picture at a time") {
  struct Painter final : ImageSource {
    std::optional<ImageSize> image_size(const TreeNode& camera) const override {
      if (camera.type().kind != "Camera") return std::nullopt;
      return ImageSize{2, 1};
    }
    void render(const TreeNode&, std::span<std::uint32_t> pixels) override {
      pixels[0] = 0xFF030201;
      pixels[1] = 0xFF302010;
    }
  } painter;
  Stage stage;
  stage.rig.devices->add_camera(stage.rig.part, {"camera", {}, {}}, {}, stage.rig.problems);
  stage.rig.simulation.set_images(&painter);
  stage.add(kAsk + R"(
    ask '[{"do":"image","device":"r.part.camera"},{"do":"status","device":"r.part.camera"},{"do":"image","device":"r.part.camera"},{"do":"unlock"},{"do":"status","device":"r.part.camera"}]'
    ask '[{"do":"image","device":"q.c"},{"do":"image","device":"r.c"},{"do":"image","device":"r.part.light"}]')");
  const std::string said = stage.run(2);
  CHECK(
      said ==
      R"([{"error":0,"width":2,"height":1,"rgba":"AQID/xAgMP8="},{"status":2},{"error":4,"name":"INVALID_OPERATION"},{"error":0},{"status":1}])"
      "\n"
      R"([{"error":1,"name":"UNKNOWN_ROBOT"},{"error":2,"name":"UNKNOWN_DEVICE"},{"error":3,"name":"INVALID_DEVICE"}])"
      "\n");
}

TEST_CASE("a controller that asks for too much in one line is stopped") {
  Stage stage;
  stage.add(
      R"(read -r h; awk 'BEGIN { printf "["; for (i = 0; i < 3000; ++i) printf "{\"do\":\"list\"},"; print "{\"do\":\"list\"}]" }'; read -r a)");
  stage.run(2);
  const Failure& failure = stage.failure();
  CHECK(failure.code == &command_code::kProtocol);
  CHECK(failure.message.find("bytes in one line") != std::string::npos);
}

TEST_CASE("controllers end with the run, even those that do not want to, side by side") {
  const auto began = std::chrono::steady_clock::now();
  test::TemporaryFolder folder;
  {
    Stage stage;
    // Told by an end of file, this one has time to write.
    stage.add("read -r h; echo '{\"do\":\"sleep\",\"ms\":100000}'; read -r a || echo over > " + folder.file("note"));
    // One after the other they would take a second each.
    for (int i = 0; i < 40; ++i)
      stage.add("trap '' TERM HUP; read -r h; echo '{\"do\":\"sleep\",\"ms\":100000}'; while :; do sleep 1; done");
    stage.run(3);
    CHECK_FALSE(stage.rig.simulation.failure());
  }
  CHECK(test::read_text(folder.file("note")) == "over\n");
  CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(30));
}

TEST_CASE("a controller gets our environment, but for what it was given instead") {
  ::setenv("SIMBATCH_TEST_KEPT", "kept", 1);
  ::setenv("SIMBATCH_TEST_SET", "old", 1);
  ::setenv("SIMBATCH_TEST_SETTER", "longer", 1);
  Stage stage;
  stage.environment = {"SIMBATCH_TEST_SET=new=1", "SIMBATCH_TEST_MORE=a b"};
  stage.add(kAsk + R"(
    printf '{"do":"log","text":"%s"}\n' "$SIMBATCH_TEST_KEPT,$SIMBATCH_TEST_SET,$SIMBATCH_TEST_SETTER,$SIMBATCH_TEST_MORE"; read -r b
  )");
  const std::string said = stage.run(2);
  if (stage.rig.simulation.failure()) FAIL(stage.failure().message);
  CHECK(said == "kept,new=1,longer,a b\n");
  for (const char* name : {"SIMBATCH_TEST_KEPT", "SIMBATCH_TEST_SET", "SIMBATCH_TEST_SETTER"}) ::unsetenv(name);
}

TEST_CASE("the Python module makes the same calls") {
  if (std::system("python3 -c 'import sys; sys.exit(sys.version_info < (3, 7))' > /dev/null 2>&1") != 0) {
    MESSAGE("skipped: no python3");
    return;
  }
  test::TemporaryFolder folder;
  test::write_text(folder.path() / "program.py", R"(
import sys
sys.path.insert(0, "python")
import simbatch_client as sim
print("not in the way")
assert sim.robot() == "r" and sim.arguments() == ["r", "slow"] and sim.time_step() == 0.1
light, clock = "r.part.light", "r.part.clock"
assert sim.get_data(light) == (0.0,)
sim.set_data(light, 0.1)
assert sim.get_data(light) == (sim.f32(0.1),)
assert sim.sim_time() == 0 and sim.sleep(100) == 0.1 and sim.sleep_until(0.3) == 3 * 0.1
assert sim.get_data("r.part.gps").startswith("$GPRMC,")
assert sim.device_status(light) & sim.SimDeviceStatus.READY
assert sim.device_status("r.part.lihgt") == sim.SimDeviceStatus.INVALID
assert [d["name"] for d in sim.list_devices("*.l*")] == [light]
for name, error in (("q.x", "UNKNOWN_ROBOT"), ("r.x", "UNKNOWN_DEVICE"), ("r.part", "INVALID_DEVICE")):
    try:
        sim.get_data(name)
        raise AssertionError(name)
    except sim.DeviceError as problem:
        assert problem.error == sim.SimDeviceError[error] and problem.device == name
for args, error in (((clock, 1), "INVALID_OPERATION"), ((light, 1, 2), "DATA_SIZE_MISMATCH")):
    try:
        sim.set_data(*args)
        raise AssertionError(args)
    except sim.DeviceError as problem:
        assert problem.error == sim.SimDeviceError[error]
_, time, (seen,) = sim.exchange(sim.set(light, 0.75), sim.pause(200), sim.get(light))
assert time == 0.5 and seen == 0.75
sim.set_data(light, float("nan"))
assert sim.get_data(light) == (0.75,)
print("still not in the way")
sim.log("fine")
sim.sleep(1e9)
raise AssertionError("woke after the end")
)");
  Stage stage;
  stage.add("python3 " + folder.file("program.py"));
  const std::string said = stage.run(10);
  if (stage.rig.simulation.failure()) FAIL(stage.failure().message);
  CHECK(said == "fine\n");
}
