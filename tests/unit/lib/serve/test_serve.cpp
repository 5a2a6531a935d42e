#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <variant>

#include "lib/serve/commands.hpp"
#include "lib/serve/gate.hpp"
#include "lib/serve/pace.hpp"

using namespace simbatch::serve;

namespace {

Command command(std::string_view text) {
  auto parsed = parse_command(text);
  REQUIRE_MESSAGE(std::holds_alternative<Command>(parsed), std::get<std::string>(parsed));
  return std::get<Command>(parsed);
}
std::string problem(std::string_view text) {
  auto parsed = parse_command(text);
  REQUIRE(std::holds_alternative<std::string>(parsed));
  return std::get<std::string>(parsed);
}

}  // namespace

TEST_CASE("serve: commands") {
  CHECK(command(R"({"do":"run"})").act == Act::run);
  CHECK_FALSE(command(R"({"do":"run"})").until);
  CHECK(command(R"({"do":"run","until":12.5})").until == 12.5);
  CHECK(command(R"({"do":"pause","id":-3})").id == -3);
  CHECK(command(R"({"do":"step"})").steps == 1);
  CHECK(command(R"({"do":"step","steps":1000})").steps == 1000);
  CHECK(command(R"({"do":"speed","times":0})").times == 0);
  CHECK(command(R"({"do":"reset"})").act == Act::reset);
  CHECK(command(R"({"do":"open","scenario":3})").scenario == 3);
  CHECK(command(R"({"do":"program","robot":"car","program":2})").program == 2);
  CHECK(command(R"({"do":"program","robot":"car","program":2})").robot == "car");
  const Command set = command(R"({"do":"set","device":"car.drive","input":"steering","value":-0.25})");
  CHECK(set.device == "car.drive");
  CHECK(set.input == "steering");
  CHECK(set.value == -0.25);
}

TEST_CASE("serve: commands that are none") {
  CHECK(problem("") == "it is not a JSON object");
  CHECK(problem("[]") == "it is not a JSON object");
  CHECK(problem("{}") == "it has no \"do\"");
  CHECK(problem(R"({"do":"rum"})") == "there is no command \"rum\", did you mean \"run\"?");
  CHECK(problem(R"({"do":"set","device":"a","value":1})") == "the command \"set\" has no \"input\"");
  CHECK(problem(R"({"do":"pause","steps":1})") == "the command \"pause\" takes no \"steps\"");
  CHECK(problem(R"({"do":"step","steps":0})") == "\"steps\" must be a whole number from 1 to 1e9");
  CHECK(problem(R"({"do":"step","steps":1.5})") == "\"steps\" must be a whole number from 1 to 1e9");
  CHECK(problem(R"({"do":"open"})") == "the command \"open\" has no \"scenario\"");
  CHECK(problem(R"({"do":"open","scenario":-1})") == "\"scenario\" must be a whole number from 0 to 1e6");
  CHECK(problem(R"({"do":"program","program":0})") == "the command \"program\" has no \"robot\"");
  CHECK(problem(R"({"do":"program","robot":"car","program":0.5})") == "\"program\" must be a whole number from 0 to 1e6");
  CHECK(problem(R"({"do":"program","robot":"car","program":0,"scenario":0})") ==
        "the command \"program\" takes no \"scenario\"");
  CHECK(problem(R"({"do":"run","until":-1})") == "\"until\" must be seconds from 0 to 1e9");
  CHECK(problem(R"({"do":"speed","times":1e-9})") == "\"times\" must be 0, or a number from 0.001 to 1000");
  CHECK(problem(R"({"do":"set","device":1,"input":"a","value":1})") == "\"device\" must be a text");
  CHECK(problem(R"({"do":"set","device":"d","input":"a","value":1e999})") != "");
  CHECK(problem(R"({"do":"pause","id":1e300})") == "\"id\" must be a whole number");
  CHECK(problem(std::string(60000, '[')) == "it is not a JSON object");
  CHECK(problem("{\"do\":\"pause\",\"\":1}") == "the command \"pause\" takes no \"\"");
}

TEST_CASE("serve: who may come in") {
  const auto refused = [](std::string_view target, std::string_view host, std::string_view origin = "",
                          std::string_view token = "") {
    return !refusal({target, host, origin}, token).empty();
  };
  for (const char* host : {"localhost", "localhost:8765", "127.0.0.1:1", "127.1.2.3", "[::1]:80", "[::1]"})
    CHECK_FALSE(refused("/", host));
  for (const char* host : {"", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "127.0.0", "[::2]:80",
                           "localhost:", "localhost:x", "localhost:123456", "192.168.0.1:8765", "evil:127.0.0.1"})
    CHECK_MESSAGE(refused("/", host), host);
  CHECK(refused("/", "localhost", "null"));
  CHECK(refused("/", "localhost:1", "http://localhost:2"));
  CHECK(refused("/", "localhost:1", "file://localhost:1"));
  CHECK_FALSE(refused("/", "localhost:1", "http://localhost:1"));
  CHECK(refused("/", "sim.example:1", "", "secret"));
  CHECK(refused("/?token=", "sim.example:1", "", "secret"));
  CHECK(refused("/?token=secre", "sim.example:1", "", "secret"));
  CHECK(refused("/?token=secretsecret", "sim.example:1", "", "secret"));
  CHECK(refused("/token=secret", "sim.example:1", "", "secret"));
  CHECK(refused("/?atoken=secret", "sim.example:1", "", "secret"));
  CHECK_FALSE(refused("/?token=secret", "sim.example:1", "", "secret"));
  CHECK_FALSE(refused("/live?x=1&token=secret&y", "sim.example", "https://sim.example", "secret"));
  CHECK_FALSE(refusal({"/", "localhost", "", false}, "").empty());
}

TEST_CASE("serve: the pace of a run") {
  Pace pace(0.005);
  CHECK(pace.due(0, 10) == 0);
  pace.run(0, 10);
  CHECK(pace.due(0, 10.1001) == 20);
  CHECK(pace.due(20, 10.1001) == 0);
  CHECK(pace.seconds_to_next(20, 10.1) == doctest::Approx(0.005));
  // Twice as fast from here on.
  pace.set_speed(2, 20, 10.1);
  CHECK(pace.due(20, 10.1501) == 20);
  // What is late by more than a quarter of a second is forgiven.
  CHECK(pace.due(40, 11) == 1);
  CHECK(pace.due(41, 11.0051) == 1);
  pace.reached(140, 11.5);
  CHECK(pace.rate() == doctest::Approx(140 * 0.005 / 1.5));
  pace.set_speed(0, 140, 11.5);
  CHECK(pace.due(140, 11.5) > 100);
  CHECK(pace.seconds_to_next(140, 11.5) == 0);
  // To a step, and not beyond it.
  pace.run(140, 12, 150);
  CHECK(pace.due(140, 12) == 10);
  pace.reached(150, 12.1);
  CHECK_FALSE(pace.running());
  CHECK(pace.rate() == 0);
  CHECK(pace.due(150, 20) == 0);
  pace.run(150, 20, 150);
  CHECK_FALSE(pace.running());
  // Single steps, whatever the speed.
  pace.set_speed(0.001, 150, 20);
  pace.advance(150, 3);
  CHECK(pace.due(150, 20) == 3);
  pace.reached(153, 20);
  CHECK_FALSE(pace.running());
  pace.run(153, 21);
  CHECK(pace.running());
  pace.pause();
  CHECK(pace.seconds_to_next(153, 22) > 0);
}
