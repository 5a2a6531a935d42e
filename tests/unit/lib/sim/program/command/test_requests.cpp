#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include "lib/sim/program/command/requests.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::sim;

namespace {

RequestLine good(std::string_view line) {
  auto parsed = parse_requests(line);
  CAPTURE(line);
  if (const auto* problem = std::get_if<std::string>(&parsed)) FAIL(*problem);
  return std::get<RequestLine>(parsed);
}

}  // namespace

TEST_CASE("every request is read with what it needs") {
  RequestLine line = good(R"([{"do":"get","device":"r.p.psd0"}, {"do":"set","device":"r.p.d","values":[1,-0.5,null,1e300]},
    {"do":"status","device":"d"}, {"do":"list"}, {"do":"list","devices":"r.*"}, {"do":"time"}, {"do":"sleep","ms":50},
    {"time":1.5,"do":"sleep_until"}, {"do":"image","device":"c"}, {"do":"unlock"}, {"do":"log","text":"\u00e4"}, {"do":"end"}, {"do":"end","status":3},
    {"do":"input","file":"car.xml","digest":"0123456789abcdef"}])");
  CHECK(line.batch);
  REQUIRE(line.requests.size() == 14);
  CHECK(line.requests[13].verb == Verb::input);
  CHECK(line.requests[13].text == "car.xml");
  CHECK(line.requests[13].digest == "0123456789abcdef");
  CHECK(line.requests[0].verb == Verb::get);
  CHECK(line.requests[0].text == "r.p.psd0");
  REQUIRE(line.requests[1].values.size() == 4);
  CHECK(line.requests[1].values[1] == -0.5);
  CHECK(std::isnan(line.requests[1].values[2]));
  CHECK(line.requests[1].values[3] == 1e300);
  CHECK(line.requests[3].text == "*");
  CHECK(line.requests[4].text == "r.*");
  CHECK(line.requests[6].number == 50);
  CHECK(line.requests[7].number == 1.5);
  CHECK(line.requests[10].text == "\xc3\xa4");
  CHECK(line.requests[12].number == 3);
  CHECK_FALSE(good(R"({"do":"time"})").batch);
  CHECK(good("[]").requests.empty());
}

TEST_CASE("a line that breaks the protocol is told by what is wrong with it") {
  const struct {
    const char* line;
    const char* says;
  } rows[] = {
      {"", "not JSON"},
      {"hello", "not JSON at byte 1"},
      {R"({"do":"time"} x)", "not JSON"},
      {R"({"do":"time")", "not JSON"},
      {R"({"do":"sleep","ms":1e999})", "not JSON"},
      {"{\"do\":\"log\",\"text\":\"\xff\"}", "not JSON"},
      {"3", "a number found, expected a request"},
      {"null", "null found, expected a request"},
      {R"("time")", "a text found, expected a request"},
      {"[[]]", "an array found, expected a request"},
      {"[3]", "a number found, expected a request"},
      {R"({"do":{}})", "an object is the value of \"do\""},
      {R"({"do":3})", "a number is the value of \"do\""},
      {R"({"do":"sleep","ms":"50"})", "a text is the value of \"ms\""},
      {R"({"do":"sleep","ms":true})", "a truth value is the value of \"ms\""},
      {R"({"do":"sleep","ms":[50]})", "an array is the value of \"ms\""},
      {R"({"do":"set","device":"d","values":0.5})", "a number is the value of \"values\""},
      {R"({"do":"set","device":"d","values":["x"]})", "a text found among the values"},
      {R"({"do":"set","device":"d","values":[[1]]})", "an array found among the values"},
      {R"({"do":"set","device":"d","values":[{}]})", "found among the values"},
      {"{}", "no \"do\""},
      {R"({"device":"x"})", "no \"do\""},
      {R"({"do":"gett","device":"x"})", "no request \"gett\", did you mean \"get\"?"},
      {R"({"do":"get","devise":"x"})", "unknown key \"devise\", did you mean \"device\"?"},
      {R"({"do":"get"})", "\"get\" has no \"device\""},
      {R"({"do":"input","file":"x"})", "\"input\" has no \"digest\""},
      {R"({"do":"input","digest":"x"})", "\"input\" has no \"file\""},
      {R"({"do":"set","device":"x"})", "\"set\" has no \"values\""},
      {R"({"do":"get","device":"x","values":[]})", "\"get\" takes no \"values\""},
      {R"({"do":"time","time":3})", "\"time\" takes no \"time\""},
      {R"({"do":"time","do":"time"})", "\"do\" appears twice"},
      {R"({"do":"sleep","ms":-1})", "negative time"},
      {R"({"do":"end","status":0.5})", "whole number from 0 to 255"},
      {R"({"do":"end","status":256})", "whole number from 0 to 255"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.line);
    const auto parsed = parse_requests(row.line);
    REQUIRE(std::holds_alternative<std::string>(parsed));
    const std::string says = std::get<std::string>(parsed);
    CAPTURE(says);
    CHECK(says.find(row.says) != std::string::npos);
  }
}

TEST_CASE("hostile lines cost no more than their size") {
  CHECK(std::get<std::string>(parse_requests(std::string(kMaxRequestLine + 1, ' '))).find("more than") != std::string::npos);
  CHECK(std::holds_alternative<std::string>(parse_requests(std::string(kMaxRequestLine, '['))));
  std::string nested;
  for (int i = 0; i < 100'000; ++i) nested += "{\"do\":";
  CHECK(std::holds_alternative<std::string>(parse_requests(nested)));
  const std::string line =
      R"([{"do":"set","device":"r.p.d","values":[1,null,-2.5e-3]},{"do":"sleep","ms":50},{"do":"log","text":"\"x\""}])";
  test::for_every_prefix(line, [](std::string_view cut) { (void)parse_requests(cut); });
  for (std::uint64_t seed = 0; seed < 3000; ++seed) (void)parse_requests(test::mutated(line, seed));
}
