#include "apps/common/command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/core/diagnostics.hpp"
#include "base/core/number.hpp"

namespace simbatch::cli {
namespace {

/// Whether a value with this name is that of a file or folder.
bool is_path(std::string_view value_name) {
  constexpr std::string_view kPaths[] = {"FILE", "FOLDER", "DIR", "INPUT", "SCENARIO", "TRACE", "RECORDING", "STUDY"};
  return std::find(std::begin(kPaths), std::end(kPaths), value_name) != std::end(kPaths);
}

constexpr double kUnlimited = 4503599627370496;  // 2^52: larger integer limits are not shown

bool set_number(std::string_view word, const Limits& limits, double& value) {
  const Number<double> number = parse_double(word);  // finite, or nothing
  if (!number || !limits.contain(number.value)) return false;
  value = number.value;
  return true;
}

template <class T>
bool set_number(std::string_view word, const Limits& limits, T& value) {
  const Number<T> number = parse_integer<T>(word);
  if (!number || !limits.contain(static_cast<double>(number.value))) return false;
  value = number.value;
  return true;
}

template <class T>
auto to(T& value) {
  return [&value](std::string_view word, const Limits& limits) { return set_number(word, limits, value); };
}

template <class T>
auto to(std::optional<T>& value) {
  return [&value](std::string_view word, const Limits& limits) {
    T number{};
    if (!set_number(word, limits, number)) return false;
    value = number;
    return true;
  };
}

constexpr const char* kWhole = "a whole number";
constexpr const char* kNumber = "a number";

/// 1000000, not 1e+06.
std::string limit_text(double limit) {
  constexpr double kExact = 9007199254740992;  // 2^53
  return limit == std::floor(limit) && std::fabs(limit) <= kExact ? rounded_text(limit, 0) : number_text(limit);
}

std::string text_of(const Limits& limits) {
  const bool low = limits.low > -kUnlimited, high = limits.high < kUnlimited;
  if (low && high) return fmt::format("{} to {}", limit_text(limits.low), limit_text(limits.high));
  if (low && limits.above_low) return fmt::format("greater than {}", number_text(limits.low));
  if (low) return fmt::format("{} or more", number_text(limits.low));
  if (high) return fmt::format("at most {}", number_text(limits.high));
  return {};
}

}  // namespace

Value::Value(std::string& text) : initial_(text) {
  set_ = [&text](std::string_view word, const Limits&) {
    text = word;
    return true;
  };
}
Value::Value(std::optional<std::string>& text) {
  set_ = [&text](std::string_view word, const Limits&) {
    text = word;
    return true;
  };
}
Value::Value(std::vector<std::string>& words) : repeats_(true) {
  set_ = [&words](std::string_view word, const Limits&) {
    words.emplace_back(word);
    return true;
  };
}
Value::Value(int& n) : set_(to(n)), expected_(kWhole), initial_(number_text(n)), is_number_(true) {}
Value::Value(unsigned& n) : set_(to(n)), expected_(kWhole), initial_(number_text(n)), is_number_(true) {}
Value::Value(std::int64_t& n) : set_(to(n)), expected_(kWhole), initial_(number_text(n)), is_number_(true) {}
Value::Value(std::uint64_t& n) : set_(to(n)), expected_(kWhole), initial_(number_text(n)), is_number_(true) {}
Value::Value(double& n) : set_(to(n)), expected_(kNumber), initial_(number_text(n)), is_number_(true) {}
Value::Value(std::optional<int>& n) : set_(to(n)), expected_(kWhole), is_number_(true) {}
Value::Value(std::optional<std::int64_t>& n) : set_(to(n)), expected_(kWhole), is_number_(true) {}
Value::Value(std::optional<std::uint64_t>& n) : set_(to(n)), expected_(kWhole), is_number_(true) {}
Value::Value(std::optional<double>& n) : set_(to(n)), expected_(kNumber), is_number_(true) {}

Option::Option(std::string names, std::string value_name, Value value, std::string help, std::string group)
    : names_(std::move(names)),
      value_name_(std::move(value_name)),
      help_(std::move(help)),
      group_(std::move(group)),
      value_(std::move(value)) {}

Option Option::flag(std::string names, std::function<void(std::size_t)> set, std::string help, std::string group) {
  std::string nowhere;
  Option made(std::move(names), "", nowhere, std::move(help), std::move(group));
  made.value_.set_ = nullptr;
  made.set_flag_ = std::move(set);
  return made;
}

Option& Option::required() {
  required_ = true;
  return *this;
}
Option& Option::show_default() {
  shows_default_ = true;
  return *this;
}
Option& Option::range(double low, double high) {
  limits_ = {low, high, false};
  return *this;
}
Option& Option::at_least(double low) {
  limits_.low = low;
  return *this;
}
Option& Option::positive() {
  limits_.low = 0;
  limits_.above_low = true;
  return *this;
}
Option& Option::choices(std::vector<std::string> words) {
  choices_ = std::move(words);
  return *this;
}
Option& Option::accepts(std::function<bool(std::string_view)> condition, std::string expected) {
  condition_ = std::move(condition);
  condition_text_ = std::move(expected);
  return *this;
}

std::string Option::shown_name() const { return names_.substr(names_.rfind(',') + 1); }

std::string Option::full_help() const {
  const std::string limits = value_.is_number_ ? text_of(limits_) : "";
  return limits.empty() ? help_ : fmt::format("{}; {}", help_, limits);
}

std::string Option::read(const std::vector<std::string>& words) {
  if (set_flag_) {
    set_flag_(words.size());
    return {};
  }
  for (const std::string& word : words) {
    // "$UNSET" of a shell: without an output a command would write elsewhere, even over its input.
    if (word.empty() && is_path(is_positional() ? names_ : value_name_))
      return fmt::format("{}: expected a name, found \"\"", shown_name());
    if (!choices_.empty() && std::find(choices_.begin(), choices_.end(), word) == choices_.end()) {
      const std::vector<std::string_view> candidates(choices_.begin(), choices_.end());
      const std::string_view near = nearest(word, candidates);
      return fmt::format("{}: expected {}, found {}{}", shown_name(), fmt::join(choices_, ", "), quoted(word),
                         near.empty() ? "" : fmt::format("; did you mean {}?", near));
    }
    if (condition_ && !condition_(word))
      return fmt::format("{}: expected {}, found {}", shown_name(), condition_text_, quoted(word));
    if (value_.set_(word, limits_)) continue;
    const std::string limits = value_.is_number_ ? text_of(limits_) : "";
    const char* link = limits.empty()                             ? ""
                       : limits.starts_with("greater")            ? " "
                       : limits.find(" to ") != std::string::npos ? " from "
                                                                  : " of ";
    return fmt::format("{}: expected {}{}{}, found {}", shown_name(), value_.expected_, link, limits, quoted(word));
  }
  return {};
}

Command& Command::add(std::string name, std::string help) {
  commands_.push_back(std::make_unique<Command>(std::move(name), std::move(help)));
  return *commands_.back();
}

Option& Command::push(Option option) {
  options_.push_back(std::make_unique<Option>(std::move(option)));
  return *options_.back();
}

Option& Command::option(std::string names, std::string value_name, Value value, std::string help) {
  return push(Option(std::move(names), std::move(value_name), std::move(value), std::move(help), group_));
}
Option& Command::flag(std::string names, bool& value, std::string help) {
  return push(Option::flag(
      std::move(names), [&value](std::size_t) { value = true; }, std::move(help), group_));
}
Option& Command::flag(std::string names, int& count, std::string help) {
  return push(Option::flag(
      std::move(names), [&count](std::size_t times) { count = static_cast<int>(times); }, std::move(help), group_));
}
Option& Command::positional(std::string name, Value value, std::string help) {
  return push(Option(std::move(name), "", std::move(value), std::move(help), "Positionals"));
}

}  // namespace simbatch::cli
