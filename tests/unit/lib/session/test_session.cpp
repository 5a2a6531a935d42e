// A session as its other side sees it: every request, everything that is almost one, the memory that shows the state, and the same
// run as one that is stepped directly.
#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <variant>
#include <vector>

#include "base/core/number.hpp"
#include "lib/session/session.hpp"
#include "lib/sim/device/device_node.hpp"

using namespace simbatch;
using namespace simbatch::session;

namespace {

sim::SimulationSettings tenth() {
  sim::SimulationSettings settings;
  settings.physics.dt = 0.1;
  return settings;
}

// A lamp that can be set, and a session with it.
struct Room {
  sim::Simulation simulation{tenth()};
  Diagnostics problems;
  sim::DeviceNode* lamp = nullptr;
  sim::ScriptPlayer* script = nullptr;
  std::vector<std::byte> memory;
  std::vector<std::string> asked;
  int stepped = 0;
  bool keep_going = true;
  std::optional<Session> session;

  Room() {
    auto made = std::make_unique<sim::DeviceNode>(
        "lamp",
        sim::make_type("LightDevice", {{"intensity", "1", ""}, {"tilt", "rad", "B"}, {"state", "", "", sim::FieldType::text}}),
        sim::Source{}, std::vector<sim::DeviceInput>{{0, 1}, {-1, 1}}, 2,
        [](std::span<const double> values, std::string& out) { out += values[0] > 0 ? "on" : "off"; });
    lamp = made.get();
    simulation.tree().register_child(std::move(made), problems);
    simulation.tree().register_child(
        std::make_unique<sim::DeviceNode>("range", sim::make_type("PSDSensor", {{"distance", "m", ""}}), sim::Source{},
                                          std::vector<sim::DeviceInput>{}, 1),
        problems);
    script = &sim::add_script(simulation, {}, "", problems);
    simulation.start();
    Duties duties;
    duties.stepped = [this] { ++stepped; };
    duties.keep_going = [this] { return keep_going; };
    duties.failure = [] { return Diagnostics(); };
    duties.save = [this](const Request& request) {
      asked.push_back("save " + request.trace + " " + request.format + " " + request.script);
      return std::string(request.trace == "/full" ? "no space left" : "");
    };
    duties.make_branch = [this] {
      asked.emplace_back("branch");
      return std::string();
    };
    session.emplace(simulation, *script, std::move(duties));
    memory.resize(session->memory_size());
    session->publish_to(memory);
  }
  std::string ask(std::string_view line) { return session->answer(line).line; }
  std::int64_t shown_step() const {
    std::int64_t step = 0;
    std::memcpy(&step, memory.data(), sizeof step);
    return step;
  }
  double shown(std::size_t at) const {
    double value = 0;
    std::memcpy(&value, memory.data() + 8 + 8 * at, sizeof value);
    return value;
  }
};

std::string problem(std::string_view line) {
  const auto parsed = parse_request(line);
  const std::string* said = std::get_if<std::string>(&parsed);
  if (said == nullptr) return {};
  CHECK_FALSE(said->empty());
  return *said;
}

}  // namespace

TEST_CASE("session: requests are read, and what is almost one is refused") {
  const auto read = parse_request(R"({"do":"step","steps":3,"set":[["a.b","c",0.5],["a.b","d",-1e300]]})");
  REQUIRE(std::holds_alternative<Request>(read));
  const Request& request = std::get<Request>(read);
  CHECK(request.verb == Verb::step);
  CHECK(request.steps == 3);
  REQUIRE(request.settings.size() == 2);
  CHECK(request.settings[1].device == "a.b");
  CHECK(request.settings[1].input == "d");
  CHECK(request.settings[1].value == -1e300);
  for (const char* line :
       {R"({"do":"step"})", R"({"do":"step","steps":0})", R"({"do":"step","steps":9007199254740992})",
        R"({"do":"step","set":[]})", R"({"do":"get","node":"a"})", R"({"do":"image","camera":"a"})", R"({"do":"hash"})",
        R"({"do":"save","trace":"t.json"})", R"({"do":"save","script":"s.xml"})", R"({"do":"fork"})", R"({"do":"end"})"}) {
    CAPTURE(line);
    CHECK(problem(line).empty());
  }
  for (const char* line : {"",
                           "{",
                           "[]",
                           "1",
                           R"({"steps":1})",
                           R"({"do":1})",
                           R"({"do":"step","steps":-1})",
                           R"({"do":"step","steps":1.5})",
                           R"({"do":"step","steps":"1"})",
                           R"({"do":"step","steps":9007199254740994})",
                           R"({"do":"step","set":{}})",
                           R"({"do":"step","set":[["a","b"]]})",
                           R"({"do":"step","set":[["a","b","1"]]})",
                           R"({"do":"step","set":[[1,"b",1]]})",
                           R"({"do":"step","set":[["a","b",1,2]]})",
                           R"({"do":"step","set":[["a","b",1e999]]})",
                           R"({"do":"step","trace":"t"})",
                           R"({"do":"get"})",
                           R"({"do":"get","node":""})",
                           R"({"do":"get","node":1})",
                           R"({"do":"image"})",
                           R"({"do":"save"})",
                           R"({"do":"save","format":"json"})",
                           R"({"do":"fork","node":"a"})",
                           R"({"do":"step"} x)"}) {
    CAPTURE(line);
    CHECK_FALSE(problem(line).empty());
  }
  CHECK(problem(R"({"do":"stp"})") == "there is no request \"stp\", did you mean \"step\"?");
  CHECK_FALSE(problem(R"({"do":"step","set":)" + std::string(5000, '[') + std::string(5000, ']') + "}").empty());
}

TEST_CASE("session: the first line says what there is") {
  Room room;
  const std::string hello = room.session->hello("lamp.xml", {{"lamp.xml", "00ff"}});
  CHECK(
      hello.find(
          R"("scenario":"lamp.xml","seed":"1","dt":0.1,"step":0,"memory":32,"inputs":[{"name":"lamp.xml","digest":"00ff"}])") !=
      std::string::npos);
  CHECK(hello.find(
            R"({"name":"lamp","kind":"LightDevice","at":0,"fields":[["intensity","1","","number"],["tilt","rad","B","number"],)"
            R"(["state","","","text"]],"inputs":[[0,1],[-1,1]]})") != std::string::npos);
  CHECK(hello.find(R"({"name":"range","kind":"PSDSensor","at":2,"fields":[["distance","m","","number"]]})") !=
        std::string::npos);
  CHECK(hello.back() == '\n');
  CHECK(room.ask(R"({"do":"step","steps":7})") == "{\"step\":7}\n");
  CHECK(room.session->branch_hello() == "{\"hello\":{\"protocol\":1,\"step\":7,\"memory\":32}}\n");
}

TEST_CASE("session: settings take effect with the next step, and are in the script") {
  Room room;
  CHECK(room.ask(R"({"do":"step","steps":0,"set":[["lamp","intensity",0.25]]})") == "{\"step\":0}\n");
  CHECK(room.shown(0) == 0);
  CHECK(room.ask(R"({"do":"step","steps":2,"set":[["lamp","tilt",-3]]})") == "{\"step\":2}\n");
  CHECK(room.shown_step() == 2);
  CHECK(room.shown(0) == 0.25);
  CHECK(room.shown(1) == -1);  // brought into its range
  CHECK(room.stepped == 2);
  REQUIRE(room.script->settings().size() == 2);
  CHECK(room.script->settings()[1].step == 0);
  CHECK(room.script->settings()[1].value == -3);
  CHECK(room.ask(R"({"do":"get","node":"lamp"})") == "{\"values\":[0.25,-1],\"texts\":{\"state\":\"on\"}}\n");
}

TEST_CASE("session: a request with one wrong setting changes nothing") {
  Room room;
  for (const char* wrong : {R"(["lmp","tilt",1])", R"(["lamp","tlt",1])", R"(["range","distance",1])"}) {
    CAPTURE(wrong);
    const std::string answer = room.ask(std::string(R"({"do":"step","set":[["lamp","tilt",1],)") + wrong + "]}");
    CHECK(answer.find("{\"problem\":") == 0);
    CHECK(room.simulation.clock().step == 0);
    CHECK(room.script->settings().empty());
  }
  CHECK(room.ask(R"({"do":"get","node":"lmp"})") == "{\"problem\":\"there is no node \\\"lmp\\\"\"}\n");
  CHECK(room.ask(R"({"do":"image","camera":"lamp"})") == "{\"problem\":\"\\\"lamp\\\" is not a camera\"}\n");
}

TEST_CASE("session: the same run as one that is stepped directly") {
  Room steered, direct;
  for (int i = 0; i < 50; ++i) {
    const double value = 0.02 * i;
    direct.script->add({direct.simulation.clock().step, "lamp", "intensity", value, {}});
    REQUIRE(direct.simulation.step());
    steered.ask(R"({"do":"step","set":[["lamp","intensity",)" + number_text(value) + "]]}");
  }
  CHECK(steered.ask(R"({"do":"hash"})") == "{\"state_hash\":\"" + hex64(direct.simulation.state_hash()) + "\"}\n");
}

TEST_CASE("session: what belongs to the caller is asked of it; one whose other side has gone ends") {
  Room room;
  CHECK(room.ask(R"({"do":"save","trace":"t.json","format":"json"})") == "{}\n");
  CHECK(room.ask(R"({"do":"save","trace":"/full"})") == "{\"problem\":\"no space left\"}\n");
  CHECK(room.ask(R"({"do":"fork"})") == "{}\n");
  CHECK(room.asked == std::vector<std::string>{"save t.json json ", "save /full  ", "branch"});
  CHECK(room.session->answer(R"({"do":"end"})").is_last);
  room.keep_going = false;
  CHECK(room.session->answer(R"({"do":"step","steps":1000000000})").is_last);
  CHECK(room.simulation.clock().step < 100);
}
