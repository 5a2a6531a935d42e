// Sources: the specification of the Foxglove WebSocket protocol (docs/spec.md of foxglove/ws-protocol, MIT, until July 2025),
// and of playback control its successor in the Foxglove SDK (rust/foxglove/src/protocol).

#include "lib/serve/foxglove_messages.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/core/diagnostics.hpp"
#include "base/core/text.hpp"
#include "base/json/write_json.hpp"

namespace simbatch::serve::foxglove {
namespace {

using Json = nlohmann::json;

static_assert(std::endian::native == std::endian::little, "numbers are copied as they lie in memory");

constexpr std::string_view kSubprotocols[] = {"foxglove.sdk.v1", "foxglove.websocket.v1"};
constexpr std::size_t kMaxEntries = 10'000;  // maximum length of a list in one message

enum ToServer : char { kCall = 2, kControl = 3 };
enum FromServer : char { kData = 1, kTime = 2, kResponse = 3, kPlayback = 5 };

template <class T>
void put(std::string& to, T value) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  to.append(bytes, sizeof(T));
}

/// Takes numbers and texts off the front of a message; good() is false once one was missing.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  template <class T>
  T take() {
    T value{};
    if (bytes_.size() < sizeof(T)) {
      good_ = false;
      return value;
    }
    std::memcpy(&value, bytes_.data(), sizeof(T));
    bytes_.remove_prefix(sizeof(T));
    return value;
  }
  std::string text() {
    const auto size = take<std::uint32_t>();
    if (!good_ || bytes_.size() < size) {
      good_ = false;
      return {};
    }
    std::string text(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
    return text;
  }
  std::string_view rest() const { return bytes_; }
  bool good() const { return good_; }

 private:
  std::string_view bytes_;
  bool good_ = true;
};

Refused lacks(std::string_view op, std::string_view what) { return {simbatch::quoted(op) + " lacks " + std::string(what)}; }

std::optional<std::uint32_t> number_at(const Json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  if (!object.is_object() || found == object.end() || !found->is_number_unsigned()) return std::nullopt;
  const auto value = found->get<std::uint64_t>();
  return value <= UINT32_MAX ? std::optional(static_cast<std::uint32_t>(value)) : std::nullopt;
}

/// A list of a message; nullptr if there is none, or it is too long.
const Json* list_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_array() && found->size() <= kMaxEntries ? &*found : nullptr;
}

std::optional<std::vector<std::string>> names_at(const Json& object, const char* key) {
  const Json* list = list_at(object, key);
  if (list == nullptr) return std::nullopt;
  std::vector<std::string> names;
  for (const Json& name : *list) {
    if (!name.is_string()) return std::nullopt;
    names.push_back(name.get<std::string>());
  }
  return names;
}

std::string id_of(const Json& object) {
  const auto found = object.find("id");
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

ClientMessage subscribe(const Json& object) {
  const Json* list = list_at(object, "subscriptions");
  if (list == nullptr) return lacks("subscribe", "a list of \"subscriptions\"");
  Subscribe message;
  for (const Json& each : *list) {
    const auto id = number_at(each, "id"), channel = number_at(each, "channelId");
    if (!id || !channel) return lacks("subscribe", "\"id\" and \"channelId\" of a subscription");
    message.wanted.emplace_back(*id, *channel);
  }
  return message;
}

ClientMessage unsubscribe(const Json& object) {
  const Json* list = list_at(object, "subscriptionIds");
  if (list == nullptr) return lacks("unsubscribe", "a list of \"subscriptionIds\"");
  Unsubscribe message;
  for (const Json& id : *list) {
    if (!id.is_number_unsigned() || id.get<std::uint64_t>() > UINT32_MAX)
      return lacks("unsubscribe", "numbers in \"subscriptionIds\"");
    message.subscriptions.push_back(id.get<std::uint32_t>());
  }
  return message;
}

ClientMessage set_parameters(const Json& object) {
  const Json* list = list_at(object, "parameters");
  if (list == nullptr) return lacks("setParameters", "a list of \"parameters\"");
  SetParameters message;
  message.id = id_of(object);
  for (const Json& each : *list) {
    const auto name = each.is_object() ? each.find("name") : each.end();
    if (!each.is_object() || name == each.end() || !name->is_string())
      return lacks("setParameters", "the \"name\" of a parameter");
    const auto value = each.find("value");
    SetParameters::Value to{name->get<std::string>(), std::nullopt};
    if (value != each.end() && value->is_number()) to.value = value->get<double>();
    message.values.push_back(std::move(to));
  }
  return message;
}

ClientMessage parse_text(std::string_view text) {
  const Json object = Json::parse(text, nullptr, false);
  if (!object.is_object()) return Refused{"a text is not a JSON object"};
  const auto op_at = object.find("op");
  if (op_at == object.end() || !op_at->is_string()) return Refused{"a message has no \"op\""};
  const auto op = op_at->get<std::string>();
  if (op == "subscribe") return subscribe(object);
  if (op == "unsubscribe") return unsubscribe(object);
  if (op == "setParameters") return set_parameters(object);
  if (op == "getParameters" || op == "subscribeParameterUpdates" || op == "unsubscribeParameterUpdates") {
    auto names = names_at(object, "parameterNames");
    if (!names) return lacks(op, "a list of \"parameterNames\"");
    if (op == "getParameters") return GetParameters{std::move(*names), id_of(object)};
    return WatchParameters{std::move(*names), op == "subscribeParameterUpdates"};
  }
  return Refused{simbatch::quoted(op) + " is not offered by this server"};
}

ClientMessage parse_binary(std::string_view bytes) {
  if (bytes.empty()) return Refused{"a binary message is empty"};
  Reader in(bytes.substr(1));
  if (bytes[0] == kCall) {
    CallService call;
    call.service = in.take<std::uint32_t>();
    call.call = in.take<std::uint32_t>();
    call.encoding = in.text();
    call.payload = in.rest();
    if (!in.good()) return Refused{"a call of a service is too short"};
    return call;
  }
  if (bytes[0] == kControl) {
    ControlPlayback control;
    const auto command = in.take<std::uint8_t>();
    const auto speed = in.take<float>();
    const bool has_seek = in.take<std::uint8_t>() != 0;
    const auto seek = in.take<std::uint64_t>();
    control.id = in.text();
    if (!in.good() || command > 1 || find_invalid_utf8(control.id) != std::string_view::npos)
      return Refused{"a playback control message is invalid"};
    control.play = command == 0;
    control.speed = std::isfinite(speed) ? double{speed} : 0;
    if (has_seek) control.seek = seek;
    return control;
  }
  return Refused{"a binary message of a kind that this server does not support"};
}

}  // namespace

bool has_playback(std::string_view subprotocol) { return subprotocol == kSubprotocols[0]; }

std::string choose_subprotocol(std::string_view offered) {
  for (const std::string_view ours : kSubprotocols) {
    std::string_view rest = offered;
    while (!rest.empty()) {
      const std::size_t comma = rest.find(',');
      std::string_view each = rest.substr(0, comma);
      while (each.starts_with(' ') || each.starts_with('\t')) each.remove_prefix(1);
      while (each.ends_with(' ') || each.ends_with('\t')) each.remove_suffix(1);
      if (each == ours) return std::string(ours);
      rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    }
  }
  return {};
}

ClientMessage parse(std::string_view message, bool binary) { return binary ? parse_binary(message) : parse_text(message); }

std::string time_json(std::uint64_t ns) {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  json::Writer out;
  return out.open_object().member("sec", ns / kSecond).member("nsec", ns % kSecond).close().text();
}

std::string message_data(std::uint32_t subscription, std::uint64_t ns, std::string_view payload) {
  std::string bytes(1, kData);
  bytes.reserve(13 + payload.size());
  put(bytes, subscription);
  put(bytes, ns);
  bytes += payload;
  return bytes;
}

std::string time_message(std::uint64_t ns) {
  std::string bytes(1, kTime);
  put(bytes, ns);
  return bytes;
}

std::string service_response(std::uint32_t service, std::uint32_t call, std::string_view json) {
  constexpr std::string_view kEncoding = "json";
  std::string bytes(1, kResponse);
  put(bytes, service);
  put(bytes, call);
  put(bytes, static_cast<std::uint32_t>(kEncoding.size()));
  bytes += kEncoding;
  bytes += json;
  return bytes;
}

std::string service_failure(std::uint32_t service, std::uint32_t call, std::string_view problem) {
  json::Writer out;
  out.open_object().member("op", "serviceCallFailure").member("serviceId", service).member("callId", call);
  return out.member("message", problem).close().text();
}

std::string status(Level level, std::string_view text) {
  json::Writer out;
  return out.open_object()
      .member("op", "status")
      .member("level", static_cast<int>(level))
      .member("message", text)
      .close()
      .text();
}

std::string playback_state(const Playback& state, std::string_view id) {
  std::string bytes(1, kPlayback);
  put(bytes, static_cast<std::uint8_t>(state.status));
  put(bytes, state.time);
  put(bytes, state.speed);
  put(bytes, static_cast<std::uint8_t>(state.did_seek ? 1 : 0));
  put(bytes, static_cast<std::uint32_t>(id.size()));
  bytes += id;
  return bytes;
}

}  // namespace simbatch::serve::foxglove
