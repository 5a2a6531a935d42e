// The Foxglove WebSocket protocol, byte by byte.

#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include <nlohmann/json.hpp>

#include "lib/serve/foxglove_channels.hpp"
#include "lib/serve/foxglove_messages.hpp"

using namespace simbatch::serve;
using namespace std::string_literals;
using Json = nlohmann::json;

namespace {

template <class T>
std::string bytes(T value) {
  std::string made(sizeof value, '\0');
  std::memcpy(made.data(), &value, sizeof value);
  return made;
}
template <class T>
T read(std::string_view message, bool binary = false) {
  auto parsed = foxglove::parse(message, binary);
  REQUIRE_MESSAGE(std::holds_alternative<T>(parsed), message);
  return std::get<T>(parsed);
}
std::string refusal_of(std::string_view message, bool binary = false) {
  return read<foxglove::Refused>(message, binary).problem;
}

}  // namespace

TEST_CASE("foxglove: subprotocols") {
  CHECK(foxglove::choose_subprotocol("") == "");
  CHECK(foxglove::choose_subprotocol("foxglove.websocket.v1") == "foxglove.websocket.v1");
  CHECK(foxglove::choose_subprotocol("foxglove.websocket.v1 ,\tfoxglove.sdk.v1") == "foxglove.sdk.v1");
  CHECK(foxglove::choose_subprotocol("foxglove.websocket.v2, foxglove") == "");
  CHECK(foxglove::choose_subprotocol(",,foxglove.websocket.v1,") == "foxglove.websocket.v1");
  CHECK(foxglove::has_playback("foxglove.sdk.v1"));
  CHECK_FALSE(foxglove::has_playback("foxglove.websocket.v1"));
  CHECK_FALSE(foxglove::has_playback(""));
}

TEST_CASE("foxglove: texts of clients") {
  const auto wanted = read<foxglove::Subscribe>(
                          R"({"op":"subscribe","subscriptions":[{"id":7,"channelId":3},{"id":8,"channelId":1,"more":0}]})")
                          .wanted;
  REQUIRE(wanted.size() == 2);
  CHECK(wanted[0] == std::pair(7U, 3U));
  CHECK(read<foxglove::Unsubscribe>(R"({"op":"unsubscribe","subscriptionIds":[7,4294967295]})").subscriptions.back() ==
        4294967295U);
  CHECK(read<foxglove::GetParameters>(R"({"op":"getParameters","parameterNames":["a"],"id":"x"})").id == "x");
  const auto set = read<foxglove::SetParameters>(
      R"({"op":"setParameters","parameters":[{"name":"a","value":0.5},{"name":"b","value":"1"},{"name":"c"}]})");
  REQUIRE(set.values.size() == 3);
  CHECK(set.values[0].value == 0.5);
  CHECK_FALSE(set.values[1].value);
  CHECK_FALSE(set.values[2].value);
  CHECK(read<foxglove::WatchParameters>(R"({"op":"subscribeParameterUpdates","parameterNames":[]})").on);
  CHECK_FALSE(read<foxglove::WatchParameters>(R"({"op":"unsubscribeParameterUpdates","parameterNames":["a"]})").on);
}

TEST_CASE("foxglove: texts that are refused") {
  CHECK(refusal_of("") == "a text is not a JSON object");
  CHECK(refusal_of("[]") == "a text is not a JSON object");
  CHECK(refusal_of("{}") == "a message has no \"op\"");
  CHECK(refusal_of(R"({"op":"advertise"})") == "\"advertise\" is not offered by this server");
  CHECK(refusal_of(R"({"op":"subscribe","subscriptions":[{"id":1}]})") ==
        "\"subscribe\" lacks \"id\" and \"channelId\" of a subscription");
  CHECK(refusal_of(R"({"op":"subscribe","subscriptions":[7]})") ==
        "\"subscribe\" lacks \"id\" and \"channelId\" of a subscription");
  CHECK(refusal_of(R"({"op":"subscribe","subscriptions":[{"id":4294967296,"channelId":1}]})") != "");
  CHECK(refusal_of(R"({"op":"unsubscribe","subscriptionIds":[-1]})") == "\"unsubscribe\" lacks numbers in \"subscriptionIds\"");
  CHECK(refusal_of(R"({"op":"setParameters","parameters":[{"value":1}]})") ==
        "\"setParameters\" lacks the \"name\" of a parameter");
  CHECK(refusal_of(R"({"op":"getParameters","parameterNames":[1]})") == "\"getParameters\" lacks a list of \"parameterNames\"");
  std::string many = R"({"op":"unsubscribe","subscriptionIds":[0)";
  for (int i = 0; i < 10'000; ++i) many += ",1";
  CHECK(refusal_of(many + "]}") == "\"unsubscribe\" lacks a list of \"subscriptionIds\"");
}

TEST_CASE("foxglove: binary messages of clients") {
  const auto call = read<foxglove::CallService>("\2"s + bytes(3U) + bytes(9U) + bytes(4U) + "json{}", true);
  CHECK(call.service == 3);
  CHECK(call.call == 9);
  CHECK(call.encoding == "json");
  CHECK(call.payload == "{}");
  const std::string control = "\3\1"s + bytes(2.5F) + "\1" + bytes(std::uint64_t{5'000'000'000}) + bytes(2U) + "id";
  const auto paused = read<foxglove::ControlPlayback>(control, true);
  CHECK_FALSE(paused.play);
  CHECK(paused.speed == 2.5);
  CHECK(paused.seek == 5'000'000'000);
  CHECK(paused.id == "id");
  for (std::size_t size = 0; size < control.size(); ++size) CHECK(refusal_of(control.substr(0, size), true) != "");
  CHECK(refusal_of("\2"s + bytes(3U) + bytes(9U) + bytes(0xFFFFFFFFU) + "json", true) == "a call of a service is too short");
  CHECK(refusal_of("\3\2"s + control.substr(2), true) == "a playback control message is invalid");
  CHECK(refusal_of("\1\0\0\0\0"s, true) != "");
}

TEST_CASE("foxglove: messages of the server") {
  CHECK(foxglove::message_data(7, 258, "{}") == "\1\7\0\0\0\2\1\0\0\0\0\0\0{}"s);
  CHECK(foxglove::time_message(258) == "\2\2\1\0\0\0\0\0\0"s);
  CHECK(foxglove::service_response(1, 2, "{}") == "\3\1\0\0\0\2\0\0\0\4\0\0\0json{}"s);
  CHECK(foxglove::playback_state({foxglove::Playback::Status::paused, 1, 1, true}, "ab") ==
        "\5\1\1\0\0\0\0\0\0\0\0\0\x80\x3f\1\2\0\0\0ab"s);
  CHECK(foxglove::time_json(1'500'000'007) == R"({"sec":1,"nsec":500000007})");
  CHECK(Json::parse(foxglove::status(foxglove::Level::error, "a \"b\""))["message"] == "a \"b\"");
  CHECK(Json::parse(foxglove::service_failure(1, 2, "no"))["callId"] == 2);
}

TEST_CASE("foxglove: schemas are JSON, and named as they are") {
  for (const char* name : {"foxglove.FrameTransforms", "foxglove.SceneUpdate", "foxglove.PointCloud", "foxglove.LocationFix",
                           "foxglove.CompressedImage", "foxglove.CameraCalibration", "foxglove.Log"})
    CHECK(Json::parse(foxglove::known_schema(name))["title"] == name);
  CHECK_THROWS(foxglove::known_schema("foxglove.Nothing"));
  const Json log = Json::parse(foxglove::log_message(3, 4, "robot", "text"));
  CHECK(log["level"] == 4);
  CHECK(log["timestamp"]["nsec"] == 3);
}
