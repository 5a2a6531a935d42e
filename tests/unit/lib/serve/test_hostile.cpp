// What comes from viewers as a table: every message that is almost a command, every header that is almost ours, and a pace whose clock
// jumps. A model of the pace counts along.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <variant>

#include "base/core/random.hpp"
#include "lib/serve/commands.hpp"
#include "lib/serve/gate.hpp"
#include "lib/serve/pace.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::serve;

namespace {

// The problem of a message; "" if it is a command.
std::string problem(std::string_view text) {
  const auto parsed = parse_command(text);
  const std::string* said = std::get_if<std::string>(&parsed);
  if (said == nullptr) return {};
  CHECK_FALSE(said->empty());
  return *said;
}

}  // namespace

TEST_CASE("serve: numbers of commands are accepted up to the ends of their ranges, and no farther") {
  struct Row {
    const char* before;
    const char* accepted;
    const char* refused;
  };
  for (const Row& row : {
           Row{R"({"do":"run","until":)", "0", "-1e-300"},
           Row{R"({"do":"run","until":)", "1e9", "1000000000.0000001"},
           Row{R"({"do":"run","until":)", "0.1", "\"1\""},
           Row{R"({"do":"step","steps":)", "1", "0"},
           Row{R"({"do":"step","steps":)", "1e9", "1000000001"},
           Row{R"({"do":"step","steps":)", "2.0", "2.5"},
           Row{R"({"do":"step","steps":)", "3", "true"},
           Row{R"({"do":"step","steps":)", "3", "null"},
           Row{R"({"do":"step","steps":)", "3", "18446744073709551616"},
           Row{R"({"do":"speed","times":)", "0", "-0.001"},
           Row{R"({"do":"speed","times":)", "0.001", "0.0009999"},
           Row{R"({"do":"speed","times":)", "1000", "1000.0001"},
           Row{R"({"do":"speed","times":)", "-0.0", "[1]"},
           Row{R"({"do":"pause","id":)", "9007199254740992", "9007199254740994"},
           Row{R"({"do":"pause","id":)", "-9007199254740992", "-9007199254740994"},
           Row{R"({"do":"pause","id":)", "0", "0.5"},
           Row{R"({"do":"pause","id":)", "7", "9007199254740993"},
           Row{R"({"do":"set","device":"d","input":"i","value":)", "1.7976931348623157e308", "1.8e308"},
           Row{R"({"do":"set","device":"d","input":"i","value":)", "-5e-324", "\"0\""},
           Row{R"({"do":"set","device":"d","input":"i","value":)", "18446744073709551615", "{}"},
           Row{R"({"do":"set","input":"i","value":1,"device":)", "\"\"", "null"},
           Row{R"({"do":"set","device":"d","value":1,"input":)", "\"\\u00e9\"", "[\"i\"]"},
       }) {
    CAPTURE(row.before);
    CAPTURE(row.refused);
    CHECK(problem(std::string(row.before) + row.accepted + "}") == "");
    CHECK(problem(std::string(row.before) + row.refused + "}") != "");
  }
}

TEST_CASE("serve: messages that are almost commands say what is wrong with them") {
  for (const auto& row : {
           std::pair{R"("run")", "it is not a JSON object"},
           {R"(null)", "it is not a JSON object"},
           {R"({"do":"run"} x)", "it is not a JSON object"},
           {R"({"do":"run",})", "it is not a JSON object"},
           {R"({'do':'run'})", "it is not a JSON object"},
           {R"({"do":"run","until":NaN})", "it is not a JSON object"},
           {"{\"do\":\"ru\xff\"}", "it is not a JSON object"},
           {"{\"do\":\"run\"", "it is not a JSON object"},
           {R"({"do":1})", "it has no \"do\""},
           {R"({"DO":"run"})", "it has no \"do\""},
           {R"({"do":["run"]})", "it has no \"do\""},
           {R"({"do":""})", "there is no command \"\""},
           {R"({"do":"RUN"})", "there is no command \"RUN\""},
           {R"({"do":"paus"})", "did you mean \"pause\"?"},
           {R"({"do":"speed"})", "the command \"speed\" has no \"times\""},
           {R"({"do":"set"})", "the command \"set\" has no \"device\""},
           {R"({"do":"set","device":"d","input":"i"})", "has no \"value\""},
           {R"({"do":"reset","until":1})", "the command \"reset\" takes no \"until\""},
           {R"({"do":"run","times":1})", "the command \"run\" takes no \"times\""},
           {R"({"do":"pause","value":1})", "takes no \"value\""},
           {R"({"do":"pause","what":{"a":[{"b":1}]}})", "takes no \"what\""},
           {R"({"do":"speed","times":{"a":{"b":{"c":1}}}})", "\"times\" must be"},
           {R"({"do":"run","until":5,"do":"pause"})", "it has \"do\" twice"},
           {R"({"do":"speed","times":1,"times":1})", "it has \"times\" twice"},
       }) {
    CAPTURE(row.first);
    const std::string said = problem(row.first);
    CAPTURE(said);
    CHECK(said.find(row.second) != std::string::npos);
  }
  // The same key in an object inside is another one.
  CHECK(problem(R"({"do":"pause","id":{"id":1}})") == "\"id\" must be a whole number");
  // Names that a viewer sends come back shortened.
  const std::string name(60'000, 'x');
  CHECK(problem("{\"do\":\"" + name + "\"}").size() < 1000);
  CHECK(problem("{\"do\":\"pause\",\"" + name + "\":1}").size() < 1000);
}

TEST_CASE("serve: cut and damaged messages are commands or problems, never anything else") {
  for (const std::string text :
       {R"({"do":"set","device":"car.chassis.drive","input":"steering","value":-0.25,"id":12})",
        R"({"do":"run","until":12.5,"id":-3})", R"({"id":1,"do":"step","steps":1000})", R"({"do":"speed","times":0.5})"}) {
    REQUIRE(problem(text) == "");
    test::for_every_prefix(text, [&](std::string_view cut) {
      if (cut.size() < text.size()) REQUIRE(problem(cut) == "it is not a JSON object");
    });
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
      const auto parsed = parse_command(test::mutated(text, seed));
      const Command* command = std::get_if<Command>(&parsed);
      if (command == nullptr) continue;
      CHECK(std::isfinite(command->value));
      CHECK(command->steps >= 1);
      CHECK(command->steps <= 1'000'000'000);
      CHECK((command->times == 0 || (command->times >= 0.001 && command->times <= 1000)));
      if (command->until) CHECK((*command->until >= 0 && *command->until <= 1e9));
    }
  }
}

TEST_CASE("serve: names by which this machine calls itself, and those that only look like it") {
  for (const char* const own : {"localhost", "localhost:1", "localhost:65535", "127.0.0.1", "127.255.255.254:80"})
    CHECK_MESSAGE(is_own_host(own), own);
  for (const char* const other : {" localhost",
                                  "localhost ",
                                  "localhost.",
                                  "localhost:0x50",
                                  "localhost:-1",
                                  "localhost:80:80",
                                  "127.0.0.1.",
                                  "127.0.0.256",
                                  "127.0.0.1:",
                                  "127..0.1",
                                  "127.0.0.",
                                  "127.1",
                                  "127.0.0.0001",
                                  "127.0.0.01.example",
                                  "128.0.0.1",
                                  "0.0.0.0",
                                  "::1",
                                  "[::1",
                                  "[::1]x",
                                  "[::1]:",
                                  "[::ffff:127.0.0.1]",
                                  "[0:0:0:0:0:0:0:2]",
                                  "evil@localhost",
                                  "localhost@evil",
                                  "localhost#evil",
                                  "localhost/evil",
                                  "l\xd0\xbe"
                                  "calhost",
                                  "127.0.0.1\r\nHost: evil",
                                  "local",
                                  "localhostlocalhost"})
    CHECK_FALSE_MESSAGE(is_own_host(other), other);
}

TEST_CASE("serve: a secret is the same or it is not, at every byte and length") {
  const std::string secret = "4f1d9c77a0";
  CHECK(is_same_secret(secret, secret));
  CHECK_FALSE(is_same_secret("", secret));
  for (std::size_t i = 0; i < secret.size(); ++i) {
    std::string other = secret;
    other[i] = static_cast<char>(other[i] ^ 1);
    CHECK_FALSE(is_same_secret(other, secret));
    CHECK_FALSE(is_same_secret(secret.substr(0, i), secret));
    CHECK_FALSE(is_same_secret(secret + secret.substr(0, i + 1), secret));
  }
  CHECK_FALSE(is_same_secret(secret + std::string(1, '\0'), secret));
}

TEST_CASE("serve: of several tokens in a query a wrong one does not come in") {
  const auto allowed = [](std::string_view target) { return refusal({target, "sim.example", ""}, "secret").empty(); };
  for (const char* const target : {"/?token=secret", "/live?a=b&token=secret", "/?token=secret&token2=x", "/?token=%73ecret"})
    CHECK_MESSAGE(allowed(target), target);
  for (const char* const target :
       {"/", "", "?", "/?", "/?token", "/?token=", "/?Token=secret", "/?token=Secret", "/?token=secret%00", "/?token=%73ecre",
        "/?xtoken=secret", "/?token=secret#x", "/?token =secret", "/?token=wrong;token=secret", "/?token=wrong&token=secret",
        "/?a=token=secret"})
    CHECK_FALSE_MESSAGE(allowed(target), target);
}

TEST_CASE("serve: whatever the clock and the viewers do, a run makes the steps that its time allows") {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    CAPTURE(seed);
    RandomStream random(seed, "pace");
    const double dt = 0.001 + 0.02 * random.uniform();
    Pace pace(dt);
    std::int64_t step = 0;
    double now = 100 * random.uniform();
    // Since the pace was set last: how many steps there may be at most, and who set it.
    double set_at = now;
    std::int64_t set_step = 0;
    bool single = false;
    for (int i = 0; i < 200; ++i) {
      const std::uint64_t what = random.below(40);
      if (what == 0) {
        pace.run(step, now);
      } else if (what == 1) {
        pace.run(step, now, step + static_cast<std::int64_t>(random.below(300)));
      } else if (what == 2) {
        pace.pause();
      } else if (what == 3) {
        pace.advance(step, 1 + static_cast<std::int64_t>(random.below(50)));
      } else if (what == 4) {
        pace.set_speed(random.below(4) == 0 ? 0 : 0.1 + 10 * random.uniform(), step, now);
      }
      if (what <= 4) set_at = now, set_step = step, single = what == 3 || (what == 4 && single && pace.running());
      now += random.below(30) == 0 ? 5 * random.uniform() : 0.02 * random.uniform();  // sometimes the computer hangs
      const std::int64_t due = pace.due(step, now);
      REQUIRE(due >= 0);
      REQUIRE(due <= 1000);
      if (!pace.running()) REQUIRE(due == 0);
      if (pace.until()) REQUIRE(step + due <= *pace.until());
      step += due;
      pace.reached(step, now);
      if (pace.until()) REQUIRE(step < *pace.until());
      if (pace.speed() > 0 && !single)
        REQUIRE(static_cast<double>(step - set_step) * dt <= (now - set_at) * pace.speed() + dt * 1.0001);
      const double wait = pace.seconds_to_next(step, now);
      REQUIRE(wait >= 0);
      REQUIRE(wait <= 0.05);
      REQUIRE(pace.rate() >= 0);
      // After that wait a step is due, unless it was cut at its longest.
      if (pace.running() && wait > 0 && wait < 0.05 && !pace.until()) CHECK(pace.due(step, now + wait + 1e-9) >= 1);
    }
  }
}
