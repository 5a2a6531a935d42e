#include "lib/serve/foxglove_endpoint.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/core/diagnostics.hpp"
#include "base/core/number.hpp"
#include "base/json/write_json.hpp"
#include "lib/sim/device/device_node.hpp"

namespace simbatch::serve {
namespace {

using foxglove::Playback;

constexpr int kMaxMistakes = 20;
constexpr std::size_t kMaxSubscriptions = 10'000;  // per client
constexpr std::int64_t kSecondsAhead = 3600;       // length of the timeline of a run without an end

/// A service is a command of viewers; its request has the command's members.
struct Service {
  std::string_view name, act, request;
};
constexpr std::string_view kNothing = R"({"type":"object"})";
constexpr Service kServices[] = {
    {"/run", "run", R"({"type":"object","properties":{"until":{"type":"number","minimum":0,"description":"s"}}})"},
    {"/pause", "pause", kNothing},
    {"/step", "step", R"({"type":"object","properties":{"steps":{"type":"integer","minimum":1}}})"},
    {"/speed", "speed",
     R"({"type":"object","required":["times"],"properties":{"times":{"type":"number","minimum":0)"
     R"(,"description":"multiple of real time; 0: as fast as possible"}}})"},
    {"/reset", "reset", kNothing},
};

std::string services_text() {
  json::Writer out;
  out.open_object().member("op", "advertiseServices").key("services").open_array();
  std::uint32_t id = 0;
  for (const Service& service : kServices) {
    const auto schema = [&out](const char* key, const std::string& name, std::string_view text) {
      out.key(key).open_object().member("encoding", "json").member("schemaName", name);
      out.member("schemaEncoding", "jsonschema").member("schema", text).close();
    };
    const std::string type = "simbatch." + std::string(service.act);
    out.open_object().member("id", ++id).member("name", service.name).member("type", type);
    schema("request", type + ".Request", service.request);
    schema("response", type + ".Response", kNothing);
    // The field that clients of the older subprotocol read.
    out.member("requestSchema", service.request).member("responseSchema", kNothing).close();
  }
  return out.close().close().text();
}

/// Removes what was advertised under the numbers from 1 to `count`.
std::string end_of(std::string_view op, const char* key, std::size_t count) {
  json::Writer out;
  out.open_object().member("op", op).key(key).open_array();
  for (std::size_t i = 1; i <= count; ++i) out.value(i);
  return out.close().close().text();
}

}  // namespace

void FoxgloveEndpoint::begin(const view::BuiltView& view, const std::vector<const sim::TreeNode*>& nodes, std::string session,
                             std::optional<std::int64_t> steps) {
  view_ = &view;
  session_ = std::move(session);
  steps_ = steps;
  channels_ = foxglove::channels_of(view, nodes);
  channels_.push_back(foxglove::log_channel());
  log_channel_ = channels_.size() - 1;
  advertised_ = foxglove::advertisement(channels_);
  const std::size_t old = std::exchange(advertised_count_, channels_.size());
  sent_.assign(channels_.size(), -1e9);
  parameters_.clear();
  given_.clear();
  for (const sim::TreeNode* node : nodes) {
    const auto* device = dynamic_cast<const sim::DeviceNode*>(node);
    if (device == nullptr) continue;
    for (std::size_t i = 0; i < device->inputs().size(); ++i)
      parameters_[device->name() + "." + device->type().fields[i].name] = {device, i, device->inputs()[i].lower,
                                                                           device->inputs()[i].upper};
  }
  shown_step_ = -1;
  for (auto& [id, client] : clients_) {
    const bool plays = client.plays;
    client = {};
    client.plays = plays;
  }
  for (const ClientId client : present()) {
    if (old > 0) {
      out_.text(client, end_of("unadvertise", "channelIds", old));
      out_.text(client, end_of("unadvertiseServices", "serviceIds", std::size(kServices)));
    }
    welcome(client);
  }
}

FoxgloveEndpoint::Client* FoxgloveEndpoint::find(ClientId client) {
  const auto found = clients_.find(client);
  return found == clients_.end() ? nullptr : &found->second;
}

std::vector<ClientId> FoxgloveEndpoint::present() const {
  std::vector<ClientId> ids;
  for (const auto& [id, client] : clients_) ids.push_back(id);
  return ids;
}

void FoxgloveEndpoint::opened(ClientId client, std::string_view subprotocol) {
  clients_[client] = {};
  clients_[client].plays = foxglove::has_playback(subprotocol);
  welcome(client);
}

void FoxgloveEndpoint::welcome(ClientId client) {
  const Client* own = find(client);
  if (own == nullptr) return;
  out_.text(client, server_info(own->plays));
  out_.text(client, advertised_);
  out_.text(client, services_text());
}

std::string FoxgloveEndpoint::server_info(bool plays) const {
  const sim::Simulation& simulation = *view_->built.simulation;
  const auto start = static_cast<std::uint64_t>(std::max<std::int64_t>(0, simulation.settings().start_unix)) * 1'000'000'000;
  const double length = steps_ ? static_cast<double>(*steps_) * simulation.clock().dt : static_cast<double>(kSecondsAhead);
  json::Writer out;
  out.open_object().member("op", "serverInfo").member("name", "simbatch: " + view_->built.name);
  out.key("capabilities").open_array();
  for (const char* each : {"time", "parameters", "parametersSubscribe", "services"}) out.value(each);
  if (plays) out.value("playbackControl");
  out.close().key("supportedEncodings").open_array().value("json").close();
  out.key("metadata").open_object().member("scenario", view_->built.name).member("dt", number_text(simulation.clock().dt));
  out.member("seed", number_text(simulation.settings().seed)).close().member("sessionId", session_);
  if (plays) {
    out.key("dataStartTime").raw(foxglove::time_json(start));
    out.key("dataEndTime").raw(foxglove::time_json(start + static_cast<std::uint64_t>(std::llround(length * 1e9))));
  }
  return out.close().text();
}

bool FoxgloveEndpoint::received(ClientId client, std::string_view message, bool binary) {
  if (find(client) == nullptr) return false;
  const foxglove::ClientMessage parsed = foxglove::parse(message, binary);
  std::visit([&](const auto& each) { take(client, each); }, parsed);
  const Client* own = find(client);
  return own != nullptr && own->mistakes <= kMaxMistakes;
}

void FoxgloveEndpoint::take(ClientId client, const foxglove::Refused& message) {
  if (Client* own = find(client)) ++own->mistakes;
  out_.text(client, foxglove::status(foxglove::Level::error, message.problem));
}

void FoxgloveEndpoint::take(ClientId client, const foxglove::Subscribe& message) {
  for (const auto& [subscription, channel] : message.wanted) {
    Client* own = find(client);
    if (own == nullptr) return;
    if (channel < 1 || channel > channels_.size()) {
      take(client, foxglove::Refused{"there is no channel " + number_text(channel)});
    } else if (own->subscriptions.contains(subscription)) {
      take(client, foxglove::Refused{"subscription " + number_text(subscription) + " exists already"});
    } else if (own->subscriptions.size() >= kMaxSubscriptions) {
      take(client, foxglove::Refused{"too many subscriptions"});
    } else {
      own->subscriptions[subscription] = channel - 1;
      if (channel - 1 != log_channel_) send(client, subscription, channels_[channel - 1].message());
    }
  }
}

void FoxgloveEndpoint::take(ClientId client, const foxglove::Unsubscribe& message) {
  if (Client* own = find(client))
    for (const std::uint32_t subscription : message.subscriptions) own->subscriptions.erase(subscription);
}

std::string FoxgloveEndpoint::values_of(const std::vector<std::string>& names, std::string_view id) const {
  json::Writer out;
  out.open_object().member("op", "parameterValues").key("parameters").open_array();
  const auto write = [&](const std::string& name, const Parameter& parameter) {
    const auto given = given_.find(name);
    const double value = given != given_.end() ? given->second : parameter.device->values()[parameter.input];
    out.open_object().member("name", name).member("type", "float64").member("value", value).close();
  };
  if (names.empty())
    for (const auto& [name, parameter] : parameters_) write(name, parameter);
  for (const std::string& name : names)
    if (const auto found = parameters_.find(name); found != parameters_.end()) write(name, found->second);
  out.close();
  if (!id.empty()) out.member("id", id);
  return out.close().text();
}

void FoxgloveEndpoint::take(ClientId client, const foxglove::GetParameters& message) {
  out_.text(client, values_of(message.names, message.id));
}

std::string FoxgloveEndpoint::set(const foxglove::SetParameters::Value& value) {
  const auto found = parameters_.find(value.name);
  if (found == parameters_.end()) return "there is no parameter " + simbatch::quoted(value.name);
  const Parameter& parameter = found->second;
  if (!value.value || !(*value.value >= parameter.lower && *value.value <= parameter.upper))
    return simbatch::quoted(value.name) + " must be a number from " + number_text(parameter.lower) + " to " +
           number_text(parameter.upper);
  Command command;
  command.act = Act::set;
  command.device = parameter.device->name();
  command.input = parameter.device->type().fields[parameter.input].name;
  command.value = *value.value;
  return out_.execute(command);
}

void FoxgloveEndpoint::take(ClientId client, const foxglove::SetParameters& message) {
  std::vector<std::string> names;
  for (const foxglove::SetParameters::Value& value : message.values) {
    names.push_back(value.name);
    if (const std::string problem = set(value); !problem.empty())
      out_.text(client, foxglove::status(foxglove::Level::error, problem));
  }
  if (!message.id.empty() && !names.empty()) out_.text(client, values_of(names, message.id));
}

void FoxgloveEndpoint::take(ClientId client, const foxglove::WatchParameters& message) {
  Client* own = find(client);
  if (own == nullptr) return;
  if (message.names.empty()) {
    own->watches_all = message.on;
    if (!message.on) own->watched.clear();
  }
  for (const std::string& name : message.names) {
    if (!message.on)
      own->watched.erase(name);
    else if (parameters_.contains(name))
      own->watched.insert(name);
  }
}

void FoxgloveEndpoint::has_set(const std::string& device, const std::string& input, double value) {
  const std::string name = device + "." + input;
  if (!parameters_.contains(name)) return;
  given_[name] = value;
  for (const ClientId id : present())
    if (const Client* client = find(id); client != nullptr && (client->watches_all || client->watched.contains(name)))
      out_.text(id, values_of({name}, ""));
}

void FoxgloveEndpoint::take(ClientId client, const foxglove::CallService& message) {
  const auto fail = [&](const std::string& problem) {
    out_.text(client, foxglove::service_failure(message.service, message.call, problem));
  };
  if (message.service < 1 || message.service > std::size(kServices)) return fail("there is no such service");
  if (message.encoding != "json") return fail("the encoding must be \"json\"");
  nlohmann::json request =
      message.payload.empty() ? nlohmann::json::object() : nlohmann::json::parse(message.payload, nullptr, false);
  if (!request.is_object()) return fail("the request is not a JSON object");
  request["do"] = kServices[message.service - 1].act;
  auto parsed = parse_command(request.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  if (const auto* problem = std::get_if<std::string>(&parsed)) return fail(*problem);
  if (const std::string problem = out_.execute(std::get<Command>(parsed)); !problem.empty()) return fail(problem);
  out_.binary(client, foxglove::service_response(message.service, message.call, "{}"));
}

void FoxgloveEndpoint::take(ClientId client, const foxglove::ControlPlayback& message) {
  if (const Client* own = find(client); own != nullptr && !own->plays)
    return take(client, foxglove::Refused{"playback is not part of this subprotocol; foxglove.sdk.v1 has it"});
  std::string problem;
  const auto act = [&](const Command& command) {
    if (problem.empty()) problem = out_.execute(command);
  };
  Command speed;
  speed.act = Act::speed;
  speed.times = std::clamp(message.speed, 0.001, 1000.0);
  if (std::abs(speed.times - state_.speed) > 1e-6 * speed.times) act(speed);
  Command go;
  go.act = message.play ? Act::run : Act::pause;
  if (message.seek) {
    const sim::Simulation& simulation = *view_->built.simulation;
    const std::uint64_t now = foxglove::time_of(simulation);
    if (*message.seek < now) {
      problem = "a live run cannot seek back; the service /reset starts it again";
    } else if (*message.seek > now) {
      go.act = Act::run;
      go.until = simulation.clock().time + static_cast<double>(*message.seek - now) * 1e-9;
    }
  }
  act(go);
  if (!problem.empty()) out_.text(client, foxglove::status(foxglove::Level::warning, problem));
  state_.running = problem.empty() ? go.act == Act::run : state_.running;
  if (problem.empty()) state_.speed = speed.times;
  const Playback now = playback();
  if (Client* own = find(client)) own->shown = now;
  out_.binary(client, foxglove::playback_state(now, message.id));
}

Playback FoxgloveEndpoint::playback() const {
  Playback state;
  state.status = state_.ended ? Playback::Status::ended : state_.running ? Playback::Status::playing : Playback::Status::paused;
  state.time = foxglove::time_of(*view_->built.simulation);
  state.speed = static_cast<float>(state_.speed);
  return state;
}

void FoxgloveEndpoint::send(ClientId client, std::uint32_t subscription, std::string_view payload) {
  const std::uint64_t now = foxglove::time_of(*view_->built.simulation);
  out_.newest(client, subscription, std::make_shared<const std::string>(foxglove::message_data(subscription, now, payload)));
}

void FoxgloveEndpoint::show(const FoxgloveState& state, double now) {
  state_ = state;
  const std::int64_t step = view_->built.simulation->clock().step;
  const Playback playing = playback();
  for (const ClientId id : present()) {
    Client* client = find(id);
    if (client == nullptr || !client->plays) continue;
    const auto shown = std::exchange(client->shown, playing);
    if (!shown || shown->status != playing.status || shown->speed != playing.speed)
      out_.binary(id, foxglove::playback_state(playing, ""));
  }
  if (step == shown_step_) return;
  if (step > 0 && shown_step_ >= 0) given_.clear();
  shown_step_ = step;
  std::map<std::size_t, std::string> made;  // by channel, for those with subscribers
  const std::string time = foxglove::time_message(playing.time);
  for (const auto& [id, client] : clients_) {
    out_.newest(id, UINT32_MAX, std::make_shared<const std::string>(time));
    for (const auto& [subscription, index] : client.subscriptions) {
      const foxglove::Channel& channel = channels_[index];
      if (channel.once || index == log_channel_ || now - sent_[index] < channel.least_time) continue;
      const auto [payload, is_new] = made.try_emplace(index);
      if (is_new) payload->second = channel.message();
      send(id, subscription, payload->second);
    }
  }
  for (const auto& [index, payload] : made) sent_[index] = now;
}

void FoxgloveEndpoint::log(int level, std::string_view name, std::string_view text) {
  const std::uint64_t now = foxglove::time_of(*view_->built.simulation);
  const std::string payload = foxglove::log_message(now, level, name, text);
  for (const ClientId id : present()) {
    const Client* client = find(id);
    if (client == nullptr) continue;
    std::vector<std::uint32_t> wanted;
    for (const auto& [subscription, index] : client->subscriptions)
      if (index == log_channel_) wanted.push_back(subscription);
    for (const std::uint32_t subscription : wanted) out_.binary(id, foxglove::message_data(subscription, now, payload));
  }
}

}  // namespace simbatch::serve
