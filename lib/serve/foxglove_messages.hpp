#pragma once
/// Messages of the Foxglove WebSocket protocol (docs/serve.md), subprotocols foxglove.sdk.v1 and foxglove.websocket.v1: JSON
/// texts, and little-endian binary messages that begin with an opcode byte.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace simbatch::serve::foxglove {

/// The newest supported subprotocol of those that a client offers; empty: none.
std::string choose_subprotocol(std::string_view offered);
/// True if a subprotocol has playback: foxglove.sdk.v1. Clients of the older one, or of none, know neither its messages nor its
/// capability.
bool has_playback(std::string_view subprotocol);

// ---- From clients

struct Subscribe {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> wanted;  ///< subscription id chosen by the client, channel
};
struct Unsubscribe {
  std::vector<std::uint32_t> subscriptions;
};
struct GetParameters {
  std::vector<std::string> names;  ///< none: all
  std::string id;                  ///< empty: none
};
struct SetParameters {
  struct Value {
    std::string name;
    std::optional<double> value;  ///< empty if it was not a number
  };
  std::vector<Value> values;
  std::string id;
};
struct WatchParameters {
  std::vector<std::string> names;  ///< none: all
  bool on = true;
};
struct CallService {
  std::uint32_t service = 0, call = 0;
  std::string encoding;
  std::string payload;
};
struct ControlPlayback {
  bool play = false;
  double speed = 1;
  std::optional<std::uint64_t> seek;  ///< ns since 1970
  std::string id;
};
/// What is not offered here ("advertise", ...), or makes no sense.
struct Refused {
  std::string problem;  ///< one clause
};
using ClientMessage =
    std::variant<Refused, Subscribe, Unsubscribe, GetParameters, SetParameters, WatchParameters, CallService, ControlPlayback>;

/// Reads a message. Sizes and counts in it are checked against its length; unknown keys are skipped, as the protocol requires.
ClientMessage parse(std::string_view message, bool binary);

// ---- From the server

/// s and ns as JSON: {"sec":1,"nsec":2}
std::string time_json(std::uint64_t ns);
/// Message of a channel. @param ns  since 1970
std::string message_data(std::uint32_t subscription, std::uint64_t ns, std::string_view payload);
std::string time_message(std::uint64_t ns);
std::string service_response(std::uint32_t service, std::uint32_t call, std::string_view json);
std::string service_failure(std::uint32_t service, std::uint32_t call, std::string_view problem);

enum class Level { info = 0, warning = 1, error = 2 };
std::string status(Level level, std::string_view text);

struct Playback {
  enum class Status : std::uint8_t { playing = 0, paused = 1, buffering = 2, ended = 3 };
  Status status = Status::paused;
  std::uint64_t time = 0;  ///< ns since 1970
  float speed = 1;
  bool did_seek = false;
};
/// @param id  of the request that this answers; empty: none
std::string playback_state(const Playback& state, std::string_view id);

}  // namespace simbatch::serve::foxglove
