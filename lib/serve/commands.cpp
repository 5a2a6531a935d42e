#include "lib/serve/commands.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "base/core/diagnostics.hpp"
#include "base/core/number.hpp"

namespace simbatch::serve {
namespace {

using Json = nlohmann::json;

constexpr double kExact = 9007199254740992;  // 2^53

struct ActWord {
  std::string_view name;
  Act act;
  std::array<std::string_view, 3> needs;
  std::string_view may;
};
constexpr ActWord kActs[] = {
    {"run", Act::run, {}, "until"},        {"pause", Act::pause, {}, ""},
    {"step", Act::step, {}, "steps"},      {"speed", Act::speed, {"times"}, ""},
    {"reset", Act::reset, {}, ""},         {"set", Act::set, {"device", "input", "value"}, ""},
    {"open", Act::open, {"scenario"}, ""}, {"program", Act::program, {"robot", "program"}, ""},
};

std::string expected(std::string_view key, std::string_view what) {
  return simbatch::quoted(key) + " must be " + std::string(what);
}

/// The number if it is in `low`..`high`, else empty.
std::optional<double> number_in(const Json& value, double low, double high) {
  if (!value.is_number()) return std::nullopt;
  const double n = value.get<double>();
  return n >= low && n <= high ? std::optional(n) : std::nullopt;
}

std::optional<std::int64_t> integer_in(const Json& value, double low, double high) {
  const auto n = number_in(value, low, high);
  if (!n || *n != std::floor(*n)) return std::nullopt;
  const auto whole = static_cast<std::int64_t>(*n);
  if (value.is_number_integer() && value.get<std::int64_t>() != whole) return std::nullopt;  // 2^53 + 1 is not a double
  return whole;
}

/// Reads one member. @return the error message, or empty
std::string take(const std::string& key, const Json& value, Command& command) {
  if (key == "id") {
    command.id = integer_in(value, -kExact, kExact);
    return command.id ? "" : expected(key, "a whole number");
  }
  if (key == "until") {
    command.until = number_in(value, 0, 1e9);
    return command.until ? "" : expected(key, "seconds from 0 to 1e9");
  }
  if (key == "steps") {
    const auto steps = integer_in(value, 1, 1e9);
    command.steps = steps.value_or(1);
    return steps ? "" : expected(key, "a whole number from 1 to 1e9");
  }
  if (key == "times") {
    const auto times = number_in(value, 0, 1000);
    if (!times || (*times > 0 && *times < 0.001)) return expected(key, "0, or a number from 0.001 to 1000");
    command.times = *times;
    return {};
  }
  if (key == "scenario" || key == "program") {
    const auto place = integer_in(value, 0, 1e6);
    (key == "scenario" ? command.scenario : command.program) = place.value_or(0);
    return place ? "" : expected(key, "a whole number from 0 to 1e6");
  }
  if (key == "value") {
    if (!value.is_number() || !std::isfinite(value.get<double>())) return expected(key, "a number");
    command.value = value.get<double>();
    return {};
  }
  if (!value.is_string()) return expected(key, "a text");
  (key == "device" ? command.device : key == "robot" ? command.robot : command.input) = value.get<std::string>();
  return {};
}

}  // namespace

std::variant<Command, std::string> parse_command(std::string_view message) {
  // No command nests deeper than one level; what is nested deeper than two is not stored.
  std::set<std::string> keys;
  std::string twice;
  const auto shallow = [&](int depth, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::key && depth == 1 && !keys.insert(value.get<std::string>()).second)
      twice = value.get<std::string>();
    return depth <= 2;
  };
  const Json read = Json::parse(message.begin(), message.end(), shallow, false);
  if (read.is_discarded() || !read.is_object()) return "it is not a JSON object";
  if (!twice.empty()) return "it has " + simbatch::quoted(twice, 40) + " twice";
  const auto word = read.find("do");
  if (word == read.end() || !word->is_string()) return "it has no \"do\"";
  const std::string name = word->get<std::string>();
  const ActWord* act = nullptr;
  std::array<std::string_view, std::size(kActs)> names;
  for (std::size_t i = 0; i < names.size(); ++i) {
    names[i] = kActs[i].name;
    if (names[i] == name) act = &kActs[i];
  }
  if (act == nullptr) {
    const std::string_view near = nearest(name, names);
    return "there is no command " + simbatch::quoted(name) +
           (near.empty() ? "" : ", did you mean " + simbatch::quoted(near) + "?");
  }
  Command command;
  command.act = act->act;
  for (const std::string_view needed : act->needs)
    if (!needed.empty() && !read.contains(needed))
      return "the command " + simbatch::quoted(name) + " has no " + simbatch::quoted(needed);
  for (const auto& [key, value] : read.items()) {
    if (key == "do") continue;
    const bool known =
        key == "id" || key == act->may || std::find(act->needs.begin(), act->needs.end(), key) != act->needs.end();
    if (!known || key.empty()) return "the command " + simbatch::quoted(name) + " takes no " + simbatch::quoted(key, 40);
    if (std::string problem = take(key, value, command); !problem.empty()) return problem;
  }
  return command;
}

}  // namespace simbatch::serve
