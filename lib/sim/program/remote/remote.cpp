#include "lib/sim/program/remote/remote.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/core/diagnostics.hpp"

namespace simbatch::sim {
namespace {

using Json = nlohmann::json;

constexpr int kProtocol = 1;
constexpr double kForever = 1e300;   // s
constexpr double kOverflow = 1e300;  // becomes an infinite float again

std::string line_of(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// RFC 4648, section 4; empty if it is none of that.
std::vector<std::uint8_t> decoded(std::string_view text) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t group = 0;
  int have = 0;
  for (const char c : text) {
    if (c == '=') break;
    const int digit = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                      : c == '/'             ? 63
                                             : -1;
    if (digit < 0) return {};
    group = group << 6 | static_cast<std::uint32_t>(digit);
    if (++have == 4) {
      for (const int shift : {16, 8, 0}) bytes.push_back(static_cast<std::uint8_t>(group >> shift));
      group = 0;
      have = 0;
    }
  }
  if (have >= 2) bytes.push_back(static_cast<std::uint8_t>(group >> (have == 2 ? 4 : 10)));
  if (have == 3) bytes.push_back(static_cast<std::uint8_t>(group >> 2));
  return bytes;
}

class RemoteApi final : public ProgramApi {
 public:
  explicit RemoteApi(RemoteRun& run) : run_(run), size_(run.first_image()) {}

  const std::string& robot() const override { return run_.robot(); }
  double time() const override { return run_.time(); }
  std::int64_t start_unix() const override { return run_.start_unix(); }

  DeviceError get_data(std::string_view device, void* data, std::int64_t size) override {
    const Json answer = asked({{"do", "get"}, {"device", device}});
    if (const DeviceError error = error_of(answer); error != DeviceError::none) return error;
    const auto room = static_cast<std::size_t>(std::max<std::int64_t>(0, size));
    if (answer.contains("text")) {
      const auto text = answer.at("text").get<std::string>();
      if (data == nullptr || room < text.size() + 1) return DeviceError::data_size_mismatch;
      std::memcpy(data, text.c_str(), text.size() + 1);
      return DeviceError::none;
    }
    const Json& values = answer.at("values");
    if (room != values.size() * sizeof(float) || (data == nullptr && room > 0)) return DeviceError::data_size_mismatch;
    std::size_t at = 0;
    for (const Json& value : values) {
      const float number = value.is_number() ? value.get<float>() : std::numeric_limits<float>::quiet_NaN();
      std::memcpy(static_cast<char*>(data) + at, &number, sizeof number);
      at += sizeof number;
    }
    return DeviceError::none;
  }

  DeviceError set_data(std::string_view device, const void* data, std::int64_t size) override {
    Json values = Json::array();
    const auto count = static_cast<std::size_t>(std::max<std::int64_t>(0, size)) / sizeof(float);
    // No device has that many values: the error must not depend on allocating memory for them.
    const bool is_odd = size < 0 || size % static_cast<std::int64_t>(sizeof(float)) != 0 || data == nullptr || count > 1000;
    for (std::size_t i = 0; i < count && !is_odd; ++i) {
      float value = 0;
      std::memcpy(&value, static_cast<const char*>(data) + i * sizeof value, sizeof value);
      if (std::isnan(value))
        values.push_back(nullptr);
      else
        values.push_back(std::isinf(value) ? std::copysign(kOverflow, static_cast<double>(value)) : static_cast<double>(value));
    }
    // Sends far too many values instead, so that the other side reports whatever else is wrong with the request.
    if (is_odd) values = Json(std::vector<double>(1000, 0.0));
    return error_of(asked({{"do", "set"}, {"device", device}, {"values", std::move(values)}}));
  }

  unsigned status(std::string_view device) override {
    return asked({{"do", "status"}, {"device", device}}).at("status").get<unsigned>();
  }

  std::vector<DeviceInfo> devices() const override {
    const Json answer = asked({{"do", "list"}, {"devices", "*"}});
    std::vector<DeviceInfo> all;
    for (const Json& each : answer.at("devices")) {
      DeviceInfo& made = all.emplace_back();
      made.name = each.at("name").get<std::string>();
      made.kind = each.at("kind").get<std::string>();
      made.settable = each.at("settable").get<bool>();
      if (each.contains("count"))
        made.size = each.at("count").get<std::size_t>() * sizeof(float);
      else if (const Json text = asked({{"do", "get"}, {"device", made.name}}); text.contains("text"))
        made.size = text.at("text").get_ref<const std::string&>().size() + 1;
    }
    return all;
  }

  std::uint32_t* get_image(std::string_view camera) override {
    const Json answer = asked({{"do", "image"}, {"device", camera}});
    if (error_of(answer) != DeviceError::none) return nullptr;
    const ImageSize size{answer.at("width").get<int>(), answer.at("height").get<int>()};
    const std::vector<std::uint8_t> rgba = decoded(answer.at("rgba").get_ref<const std::string&>());
    if (size.width < 1 || size.height < 1 || rgba.size() != 4 * size.pixels()) throw RemoteEnded("a picture is not one", false);
    size_ = size;
    pixels_.resize(size.pixels());
    for (std::size_t i = 0; i < pixels_.size(); ++i) {
      const std::uint8_t* p = &rgba[4 * i];
      pixels_[i] = std::uint32_t{p[3]} << 24 | std::uint32_t{p[2]} << 16 | std::uint32_t{p[1]} << 8 | std::uint32_t{p[0]};
    }
    return pixels_.data();
  }
  ImageSize image_size() const override { return size_; }
  void unlock_image() override {
    if (pixels_.empty()) return;
    pixels_.clear();
    if (!run_.is_over()) (void)asked({{"do", "unlock"}});
  }

 private:
  Json asked(const Json& request) const {
    Json answer = Json::parse(run_.ask(line_of(request)), nullptr, false);
    if (!answer.is_object()) throw RemoteEnded("an answer is not a JSON object", false);
    return answer;
  }
  static DeviceError error_of(const Json& answer) { return static_cast<DeviceError>(answer.at("error").get<unsigned>()); }

  RemoteRun& run_;
  ImageSize size_;
  std::vector<std::uint32_t> pixels_;
};

}  // namespace

RemoteRun::RemoteRun(std::unique_ptr<LineExchange> lines, std::string_view token) : lines_(std::move(lines)) {
  if (!token.empty()) send(line_of({{"token", token}}));
  const Json line = Json::parse(receive(), nullptr, false);
  if (!line.is_object() || !line.contains("hello")) fail("the other side is not a simulator with this protocol", false);
  try {
    const Json& hello = line.at("hello");
    if (hello.at("protocol").get<int>() != kProtocol) fail("the simulator speaks another version of the protocol", false);
    robot_ = hello.at("robot").get<std::string>();
    arguments_ = hello.at("arguments").get<std::vector<std::string>>();
    time_ = hello.at("time").get<double>();
    start_unix_ = hello.at("start_unix").get<std::int64_t>();
    image_ = {hello.at("image_size").at(0).get<int>(), hello.at("image_size").at(1).get<int>()};
    for (const Json& input : hello.at("inputs"))
      inputs_.push_back({input.at("name").get<std::string>(), input.at("digest").get<std::string>()});
  } catch (const Json::exception& error) {
    fail(std::string("the simulator's hello is invalid: ") + error.what(), false);
  }
}

void RemoteRun::fail(const std::string& what, bool is_over) {
  over_ = true;
  if (!is_over) problem_ = what;
  throw RemoteEnded(what, is_over);
}

void RemoteRun::send(const std::string& line) {
  if (over_) fail("the run is over", true);
  const ChannelStatus status = lines_->send(line + "\n", {});
  if (status == ChannelStatus::interrupted) fail("interrupted", true);
  if (status == ChannelStatus::too_long) fail("the simulator does not read", false);
}

std::string RemoteRun::receive() {
  std::string line;
  switch (lines_->receive(line, {})) {
    case ChannelStatus::ok: return line;
    case ChannelStatus::interrupted: fail("interrupted", true);
    case ChannelStatus::too_long: fail("the simulator has sent a line that is too long", false);
    case ChannelStatus::closed:
    case ChannelStatus::flooded:
    case ChannelStatus::timeout: break;
  }
  if (robot_.empty())
    fail("the simulator has closed the connection without a hello: is SIMBATCH_TOKEN the same on both sides?", false);
  if (lines_->has_rest()) fail("the connection ended in the middle of a line", false);
  fail("the run is over", true);
}

std::string RemoteRun::ask(const std::string& request) {
  send(request);
  return receive();
}

void RemoteRun::sleep_until(double time) {
  Json request = {{"do", "sleep_until"}, {"time", std::clamp(time, 0.0, kForever)}};
  if (std::isnan(time)) request = {{"do", "sleep"}, {"ms", 0}};
  const Json answer = Json::parse(ask(line_of(request)), nullptr, false);
  if (!answer.is_object() || !answer.contains("time") || !answer["time"].is_number()) fail("an answer has no time", false);
  time_ = answer["time"].get<double>();
}

void RemoteRun::compare(const RemoteInput& own) {
  try {
    (void)ask(line_of({{"do", "input"}, {"file", own.name}, {"digest", own.digest}}));
  } catch (const RemoteEnded& ended) {
    if (!ended.is_over()) throw;
    fail("this side's " + quoted(own.name) + " is another one than the run's", false);
  }
}

void RemoteRun::end(int status) { send(line_of({{"do", "end"}, {"status", std::clamp(status, 0, 255)}})); }

std::unique_ptr<ProgramApi> remote_api(RemoteRun& run) { return std::make_unique<RemoteApi>(run); }

}  // namespace simbatch::sim
