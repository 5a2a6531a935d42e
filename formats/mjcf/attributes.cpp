#include "formats/mjcf/attributes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/core/text.hpp"
#include "base/xml/codes.hpp"
#include "base/xml/number_list.hpp"
#include "formats/mjcf/codes.hpp"

namespace simbatch::mjcf::detail {
namespace {

constexpr std::string_view kFlags[] = {"false", "true"};
constexpr std::string_view kSwitches[] = {"false", "true", "auto"};

/// How a name that is not read is listed; nothing if it is.
const Code* code_of(std::string_view name, std::span<const KnownAttribute> known) {
  for (const KnownAttribute& one : known)
    if (one.name == name) return one.use == Use::read ? nullptr : one.use == Use::tuning ? &code::kTuning : &code::kIgnored;
  return &code::kUnknown;
}

std::string nearest_of(std::string_view name, std::span<const KnownAttribute> known) {
  std::vector<std::string_view> names;
  for (const KnownAttribute& one : known) names.push_back(one.name);
  const std::string_view near = simbatch::nearest(name, names);
  return near.empty() ? std::string() : fmt::format("; did you mean {}?", near);
}

}  // namespace

void Layers::add(const Node& node) {
  for (const std::string_view name : node.element.attribute_names()) {
    const std::string_view text = *node.element.attribute(name);
    const Value value{text, name, &node, xml::read_number_list(text, 1).count};
    std::vector<Value>& all = own[name];
    // Drop layers that are overridden by as many or more words, so that only a few remain, however many elements there are.
    all.erase(std::remove_if(all.begin(), all.end(), [&](const Value& before) { return before.words <= value.words; }),
              all.end());
    all.push_back(value);
  }
}

std::vector<Value> Attributes::find(std::string_view name) const {
  std::vector<Value> all;
  for (const Layers* layers = layers_; layers != nullptr; layers = layers->parent)
    if (const auto found = layers->own.find(name); found != layers->own.end())
      all.insert(all.begin(), found->second.begin(), found->second.end());
  if (const auto own = node_.element.attribute(name)) all.push_back({*own, name, &node_, 0});
  return all;
}

std::string Attributes::text(std::string_view name, std::string_view fallback) const {
  const std::vector<Value> all = find(name);
  return std::string(all.empty() ? fallback : all.back().text);
}

void Attributes::fail(const Code& code, std::string_view name, std::string message) {
  const std::vector<Value> all = find(name);
  const Node& node = all.empty() ? node_ : *all.back().node;
  node.report(code, node.element.attribute_position(name), std::move(message));
  ok_ = false;
}

std::vector<double> Attributes::numbers(std::string_view name, std::size_t max) {
  std::vector<double> values;
  for (const Value& value : find(name)) {
    const xml::NumberList list = xml::read_number_list(value.text, max);
    if (!list.bad.empty() || list.count > max || list.count == 0) {
      fail(code::kVector, name,
           fmt::format("{}={}, expected {}: {}", name, quoted(value.text),
                       max == 1 ? "a number" : fmt::format("up to {} numbers", max),
                       list.bad.empty() ? fmt::format("it has {} of them", list.count)
                                        : fmt::format("{} is not a number", quoted(list.bad))));
      return {};
    }
    if (values.size() < list.values.size()) values.resize(list.values.size());
    std::copy(list.values.begin(), list.values.end(), values.begin());
  }
  return values;
}

double Attributes::number(std::string_view name, double fallback, const xml::Range& range) {
  const std::vector<double> values = numbers(name, 1);
  if (values.empty()) return fallback;
  const double v = values.front();
  if (v >= range.min && v <= range.max && !(range.min_excluded && v == range.min)) return v;
  fail(xml::code::kNumberRange, name,
       fmt::format("{}={}, expected a number {} {}", name, v, range.min_excluded ? ">" : ">=", range.min));
  return fallback;
}

int Attributes::integer(std::string_view name, int fallback, int min, int max) {
  const std::vector<double> values = numbers(name, 1);
  if (values.empty()) return fallback;
  const double v = values.front();
  if (v >= min && v <= max && v == std::floor(v)) return static_cast<int>(v);
  fail(xml::code::kNumberRange, name, fmt::format("{}={}, expected a whole number from {} to {}", name, v, min, max));
  return fallback;
}

geo::Vec3 Attributes::vector(std::string_view name, geo::Vec3 fallback) {
  const std::vector<double> v = numbers(name, 3);
  if (v.size() == 3) return {v[0], v[1], v[2]};
  if (!v.empty()) fail(code::kVector, name, fmt::format("{} has {} numbers, expected 3", name, v.size()));
  return fallback;
}

std::size_t Attributes::choice(std::string_view name, std::span<const std::string_view> words, std::size_t fallback) {
  if (!has(name)) return fallback;
  const std::string word = text(name);
  const auto found = std::find(words.begin(), words.end(), word);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  const std::string_view near = simbatch::nearest(word, words);
  fail(xml::code::kChoice, name,
       fmt::format("{}={}, expected one of {}{}", name, quoted(word), fmt::join(words, ", "),
                   near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near)));
  return fallback;
}

bool Attributes::flag(std::string_view name, bool fallback) { return choice(name, kFlags, fallback ? 1 : 0) == 1; }

std::optional<std::array<double, 2>> Attributes::range(std::string_view name) {
  const std::vector<double> v = numbers(name, 2);
  if (v.empty()) return std::nullopt;
  if (v.size() != 2) {
    fail(code::kVector, name, fmt::format("{} has {} number, expected 2", name, v.size()));
    return std::nullopt;
  }
  return std::array{v[0], v[1]};
}

std::optional<std::array<double, 2>> Attributes::limited(std::string_view name, std::string_view switch_name, bool automatic) {
  auto ends = range(name);
  const std::size_t how = choice(switch_name, kSwitches, 2);
  const bool is_range = ends && (*ends)[0] < (*ends)[1];
  if (how == 0 || (how == 2 && (!automatic || !is_range))) return std::nullopt;
  if (is_range) return ends;
  if (ok_)
    fail(code::kLimit, ends ? name : switch_name,
         ends ? fmt::format("{} is {} .. {}, expected a lower end below the upper one", name, (*ends)[0], (*ends)[1])
              : fmt::format("{} is true, but there is no {}", switch_name, name));
  return std::nullopt;
}

void Attributes::skip_others(std::span<const KnownAttribute> known, Sources& sources) const {
  for (const std::string_view name : node_.element.attribute_names())
    if (const Code* code = code_of(name, known))
      sources.skip(*code, fmt::format("{} of <{}>", printable(name), printable(node_.name())), node_,
                   node_.element.attribute_position(name), code == &code::kUnknown ? nearest_of(name, known) : std::string());
}

void skip_children(const Node& node, std::span<const KnownAttribute> known, Sources& sources) {
  for (const Node& child : node.children)
    if (const Code* code = code_of(child.name(), known))
      sources.skip(*code, fmt::format("<{}> in <{}>", printable(child.name()), printable(node.name())), child, child.at(),
                   code == &code::kUnknown ? nearest_of(child.name(), known) : std::string());
}

}  // namespace simbatch::mjcf::detail
