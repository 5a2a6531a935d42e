// A SAX reader, so that the memory for a hostile line is bounded by its requests: nothing nests deeper than line > request >
// values.

#include "lib/sim/program/command/requests.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/core/diagnostics.hpp"
#include "base/core/number.hpp"

namespace simbatch::sim {
namespace {

using nlohmann::json;

struct Word {
  std::string_view name;
  Verb verb;
  std::string_view needs, may;  // a key each
};
constexpr Word kWords[] = {
    {"get", Verb::get, "device", ""},
    {"set", Verb::set, "device", "values"},
    {"status", Verb::status, "device", ""},
    {"list", Verb::list, "", "devices"},
    {"time", Verb::time, "", ""},
    {"sleep", Verb::sleep, "ms", ""},
    {"sleep_until", Verb::sleep_until, "time", ""},
    {"image", Verb::image, "device", ""},
    {"unlock", Verb::unlock, "", ""},
    {"log", Verb::log, "text", ""},
    {"input", Verb::input, "file", "digest"},
    {"end", Verb::end, "", "status"},
};
constexpr std::string_view kKeys[] = {"do", "device", "devices", "values", "ms", "time", "text", "status", "file", "digest"};
enum Key : std::size_t { kDo, kDevice, kDevices, kValues, kMs, kTime, kText, kStatus, kFile, kDigest, kKeyCount };
constexpr bool is_text_key(std::size_t key) {
  return key == kDo || key == kDevice || key == kDevices || key == kText || key == kFile || key == kDigest;
}

// Called by nlohmann::json::sax_parse; every function returns false to stop.
class Reader {
 public:
  RequestLine line;
  std::string problem;

  bool null() {
    if (!in_values_) return wrong("null");
    return value(std::numeric_limits<double>::quiet_NaN());
  }
  bool boolean(bool) { return wrong("a truth value"); }
  bool number_integer(json::number_integer_t n) { return number(static_cast<double>(n)); }
  bool number_unsigned(json::number_unsigned_t n) { return number(static_cast<double>(n)); }
  bool number_float(json::number_float_t n, const std::string&) { return number(n); }
  bool string(std::string& text) {
    if (!in_request_ || in_values_ || !key_ || !is_text_key(*key_)) return wrong("a text");
    texts_[*key_] = std::move(text);
    return seen();
  }
  bool binary(json::binary_t&) { return false; }
  bool start_object(std::size_t) {
    if (in_request_) return wrong("an object");
    in_request_ = true;
    seen_ = {};
    key_.reset();
    values_.clear();
    for (std::string& text : texts_) text.clear();
    return true;
  }
  bool key(std::string& name) {
    for (std::size_t i = 0; i < kKeyCount; ++i)
      if (kKeys[i] == name) {
        if (seen_[i]) return fail("the key " + simbatch::quoted(name) + " appears twice in a request");
        key_ = i;
        return true;
      }
    const std::string_view near = simbatch::nearest(name, kKeys);
    return fail("a request has the unknown key " + simbatch::quoted(name) +
                (near.empty() ? "" : ", did you mean " + simbatch::quoted(near) + "?"));
  }
  bool end_object() {
    in_request_ = false;
    return finish_request();
  }
  bool start_array(std::size_t) {
    if (!in_request_ && !line.batch && line.requests.empty()) return line.batch = true;
    if (in_request_ && !in_values_ && key_ == kValues) return in_values_ = true;
    return wrong("an array");
  }
  bool end_array() {
    if (!in_values_) return true;  // the batch
    in_values_ = false;
    return seen();
  }
  bool parse_error(std::size_t position, const std::string&, const json::exception& error) {
    // nlohmann's texts begin with "[json.exception...] parse error at ...: ": the cause follows the last ": " but one.
    std::string_view what = error.what();
    if (const std::size_t at = what.find("syntax error"); at != std::string_view::npos)
      what.remove_prefix(at);
    else if (const std::size_t close = what.find("] "); close != std::string_view::npos)
      what.remove_prefix(close + 2);
    return fail("it is not JSON at byte " + number_text(position) + " (" + std::string(what.substr(0, 120)) + ")");
  }

 private:
  bool fail(std::string text) {
    problem = std::move(text);
    return false;
  }
  bool wrong(std::string_view what) {
    if (!in_request_) return fail(std::string(what) + " found, expected a request (an object)");
    if (in_values_) return fail(std::string(what) + " found among the values of a request, expected numbers");
    return fail(std::string(what) + " is the value of " + simbatch::quoted(key_ ? kKeys[*key_] : "") + " in a request");
  }
  bool seen() {
    seen_[*key_] = true;
    return true;
  }
  bool value(double n) {
    values_.push_back(n);
    return true;
  }
  bool number(double n) {
    if (in_values_) return value(n);
    if (!in_request_ || (key_ != kMs && key_ != kTime && key_ != kStatus)) return wrong("a number");
    numbers_[*key_] = n;
    return seen();
  }

  bool finish_request() {
    if (!seen_[kDo]) return fail("a request has no \"do\"");
    const Word* word = nullptr;
    std::array<std::string_view, std::size(kWords)> names;
    for (std::size_t i = 0; i < names.size(); ++i) {
      names[i] = kWords[i].name;
      if (kWords[i].name == texts_[kDo]) word = &kWords[i];
    }
    if (word == nullptr) {
      const std::string_view near = simbatch::nearest(texts_[kDo], names);
      return fail("there is no request " + simbatch::quoted(texts_[kDo]) +
                  (near.empty() ? "" : ", did you mean " + simbatch::quoted(near) + "?"));
    }
    for (std::size_t i = 1; i < kKeyCount; ++i) {
      const bool needed =
          kKeys[i] == word->needs || (word->verb == Verb::set && i == kValues) || (word->verb == Verb::input && i == kDigest);
      if (needed && !seen_[i])
        return fail("the request " + simbatch::quoted(word->name) + " has no " + simbatch::quoted(kKeys[i]));
      if (seen_[i] && !needed && kKeys[i] != word->may)
        return fail("the request " + simbatch::quoted(word->name) + " takes no " + simbatch::quoted(kKeys[i]));
    }
    Request request;
    request.verb = word->verb;
    switch (word->verb) {
      case Verb::get:
      case Verb::status:
      case Verb::image: request.text = std::move(texts_[kDevice]); break;
      case Verb::set:
        request.text = std::move(texts_[kDevice]);
        request.values = std::move(values_);
        break;
      case Verb::list: request.text = seen_[kDevices] ? std::move(texts_[kDevices]) : "*"; break;
      case Verb::log: request.text = std::move(texts_[kText]); break;
      case Verb::input:
        request.text = std::move(texts_[kFile]);
        request.digest = std::move(texts_[kDigest]);
        break;
      case Verb::sleep:
      case Verb::sleep_until:
        request.number = numbers_[word->verb == Verb::sleep ? kMs : kTime];
        if (!(request.number >= 0)) return fail("negative time in the request " + simbatch::quoted(word->name));
        break;
      case Verb::end:
        request.number = seen_[kStatus] ? numbers_[kStatus] : 0;
        if (!(request.number >= 0 && request.number <= 255 && request.number == std::floor(request.number)))
          return fail("the status of the request \"end\" must be a whole number from 0 to 255");
        break;
      case Verb::time:
      case Verb::unlock: break;
    }
    values_ = {};
    line.requests.push_back(std::move(request));
    return true;
  }

  bool in_request_ = false, in_values_ = false;
  std::optional<std::size_t> key_;
  std::array<bool, kKeyCount> seen_{};
  std::array<std::string, kKeyCount> texts_;
  std::array<double, kKeyCount> numbers_{};
  std::vector<double> values_;
};

}  // namespace

std::variant<RequestLine, std::string> parse_requests(std::string_view text) {
  if (text.size() > kMaxRequestLine) return "it has more than " + number_text(kMaxRequestLine) + " bytes";
  Reader reader;
  if (!json::sax_parse(text.begin(), text.end(), &reader)) return reader.problem.empty() ? "it is not JSON" : reader.problem;
  return std::move(reader.line);
}

}  // namespace simbatch::sim
