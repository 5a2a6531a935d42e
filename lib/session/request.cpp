#include "lib/session/request.hpp"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/core/diagnostics.hpp"

namespace simbatch::session {
namespace {

using Json = nlohmann::json;

constexpr double kMaxSteps = 9007199254740992;  // 2^53
constexpr int kMaxDepth = 3;                    // {"set":[["device","input",0]]}

struct VerbWord {
  std::string_view name;
  Verb verb;
  std::array<std::string_view, 3> keys;  // allowed ones
};
constexpr VerbWord kVerbs[] = {
    {"step", Verb::step, {"steps", "set"}},
    {"get", Verb::get, {"node"}},
    {"image", Verb::image, {"camera"}},
    {"hash", Verb::hash, {}},
    {"save", Verb::save, {"trace", "format", "script"}},
    {"fork", Verb::fork, {}},
    {"end", Verb::end, {}},
};

std::string take_settings(const Json& list, std::vector<Setting>& settings) {
  constexpr const char* kShape = "\"set\" must be a list of [device, input, value]";
  if (!list.is_array()) return kShape;
  settings.reserve(list.size());
  for (const Json& each : list) {
    if (!each.is_array() || each.size() != 3 || !each[0].is_string() || !each[1].is_string() || !each[2].is_number())
      return kShape;
    settings.push_back({each[0].get<std::string>(), each[1].get<std::string>(), each[2].get<double>()});
    if (!std::isfinite(settings.back().value)) return "a value of \"set\" is not finite";
  }
  return {};
}

/// Reads one member. @return the error message, or empty
std::string take(const std::string& key, const Json& value, Request& request) {
  if (key == "set") return take_settings(value, request.settings);
  if (key == "steps") {
    const double steps = value.is_number() ? value.get<double>() : -1;
    if (!(steps >= 0 && steps <= kMaxSteps) || steps != std::floor(steps))
      return "\"steps\" must be a whole number from 0 to 2^53";
    request.steps = static_cast<std::int64_t>(steps);
    return {};
  }
  if (!value.is_string()) return simbatch::quoted(key) + " must be a text";
  std::string& to = key == "trace"    ? request.trace
                    : key == "format" ? request.format
                    : key == "script" ? request.script
                                      : request.name;
  to = value.get<std::string>();
  return {};
}

}  // namespace

std::variant<Request, std::string> parse_request(std::string_view line) {
  const auto shallow = [](int depth, Json::parse_event_t, Json&) { return depth <= kMaxDepth; };
  const Json read = Json::parse(line.begin(), line.end(), shallow, false);
  if (read.is_discarded() || !read.is_object()) return "it is not a JSON object";
  const auto word = read.find("do");
  if (word == read.end() || !word->is_string()) return "it has no \"do\"";
  const auto& name = word->get_ref<const std::string&>();
  const VerbWord* verb = nullptr;
  std::array<std::string_view, std::size(kVerbs)> names;
  for (std::size_t i = 0; i < names.size(); ++i) {
    names[i] = kVerbs[i].name;
    if (names[i] == name) verb = &kVerbs[i];
  }
  if (verb == nullptr) {
    const std::string_view near = nearest(name, names);
    return "there is no request " + simbatch::quoted(name) +
           (near.empty() ? "" : ", did you mean " + simbatch::quoted(near) + "?");
  }
  Request request;
  request.verb = verb->verb;
  for (const auto& [key, value] : read.items()) {
    if (key == "do") continue;
    bool known = false;
    for (const std::string_view each : verb->keys) known = known || (!each.empty() && each == key);
    if (!known) return "the request " + simbatch::quoted(name) + " takes no " + simbatch::quoted(key, 40);
    if (std::string problem = take(key, value, request); !problem.empty()) return problem;
  }
  if ((request.verb == Verb::get || request.verb == Verb::image) && request.name.empty())
    return "the request " + simbatch::quoted(name) + " has no " + simbatch::quoted(verb->keys[0]);
  if (request.verb == Verb::save && request.trace.empty() && request.script.empty())
    return "the request \"save\" has neither \"trace\" nor \"script\"";
  return request;
}

}  // namespace simbatch::session
