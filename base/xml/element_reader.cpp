#include <fmt/format.h>

#include <algorithm>

#include "base/core/text.hpp"
#include "base/xml/codes.hpp"
#include "base/xml/xml.hpp"

namespace simbatch::xml {
namespace {

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void remember(std::vector<std::string>& names, std::string_view name) {
  if (!contains(names, name)) names.emplace_back(name);
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const std::vector<std::string_view> candidates(known.begin(), known.end());
  const std::string_view near = nearest(word, candidates);
  return near.empty() ? std::string() : fmt::format(", did you mean \"{}\"?", near);
}

std::string range_text(const Range& range) {
  const Range all;
  const bool low = range.min > all.min, high = range.max < all.max;
  const std::string from = number_text(range.min), to = number_text(range.max);
  if (low && high)
    return fmt::format("from {}{} to {}{}", range.min_excluded ? "above " : "", from, range.max_excluded ? "below " : "", to);
  if (low) return fmt::format("{} {}", range.min_excluded ? ">" : ">=", from);
  return fmt::format("{} {}", range.max_excluded ? "<" : "<=", to);
}

}  // namespace

ElementReader::ElementReader(Element element, Diagnostics& diagnostics) : element_(element), diagnostics_(diagnostics) {}

void ElementReader::report(const Code& code, std::string_view attribute, std::string message) {
  if (code.severity == Severity::error) ok_ = false;
  std::string path = element_.path();
  if (!attribute.empty()) path += fmt::format("/@{}", attribute);
  diagnostics_.report(code, element_.attribute_position(attribute), std::move(message), std::move(path));
}

template <class T, class Parse>
std::optional<T> ElementReader::read(std::string_view name, bool required, Parse parse) {
  remember(known_attributes_, name);
  const auto value = element_.attribute(name);
  if (!value || (required && value->empty())) {
    if (required)
      report(code::kAttributeMissing, value ? name : std::string_view(),
             fmt::format("<{}> {} attribute \"{}\"", element_.name(), value ? "has an empty" : "needs the", name));
    return std::nullopt;
  }
  return parse(*value);
}

std::optional<std::string> ElementReader::string(std::string_view name) {
  return read<std::string>(name, false, [](std::string_view v) { return std::optional<std::string>(v); });
}

std::optional<std::string> ElementReader::required_string(std::string_view name) {
  return read<std::string>(name, true, [](std::string_view v) { return std::optional<std::string>(v); });
}

namespace {
/// A number's text without the blanks around it, as XML Schema reads it.
std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

template <class R>
auto number_parser(R& reader, std::string_view name, const Range& range) {
  return [&reader, name, range](std::string_view text) -> std::optional<double> {
    const Number<double> number = parse_double(without_blanks(text));
    if (!number) {
      reader.report(number.fault == NumberFault::syntax ? code::kNumber : code::kNumberRange, name,
                    fmt::format("{}={} {}", name, quoted(text),
                                number.fault == NumberFault::syntax ? "is not a number" : "does not fit a double"));
      return std::nullopt;
    }
    const double v = number.value;
    if (v < range.min || v > range.max || (range.min_excluded && v == range.min) || (range.max_excluded && v == range.max)) {
      reader.report(code::kNumberRange, name,
                    fmt::format("{}={}, expected a number {}", name, quoted(text), range_text(range)));
      return std::nullopt;
    }
    return v;
  };
}

template <class R>
auto integer_parser(R& reader, std::string_view name, std::int64_t min, std::int64_t max) {
  return [&reader, name, min, max](std::string_view text) -> std::optional<std::int64_t> {
    const Number<std::int64_t> number = parse_integer<std::int64_t>(without_blanks(text));
    if (number.fault == NumberFault::syntax) {
      reader.report(code::kNumber, name, fmt::format("{}={} is not a whole number", name, quoted(text)));
      return std::nullopt;
    }
    if (!number || number.value < min || number.value > max) {
      reader.report(code::kNumberRange, name,
                    fmt::format("{}={}, expected a whole number from {} to {}", name, quoted(text), min, max));
      return std::nullopt;
    }
    return number.value;
  };
}
}  // namespace

std::optional<double> ElementReader::number(std::string_view name, const Range& range) {
  return read<double>(name, false, number_parser(*this, name, range));
}
std::optional<double> ElementReader::required_number(std::string_view name, const Range& range) {
  return read<double>(name, true, number_parser(*this, name, range));
}
std::optional<std::int64_t> ElementReader::integer(std::string_view name, std::int64_t min, std::int64_t max) {
  return read<std::int64_t>(name, false, integer_parser(*this, name, min, max));
}
std::optional<std::int64_t> ElementReader::required_integer(std::string_view name, std::int64_t min, std::int64_t max) {
  return read<std::int64_t>(name, true, integer_parser(*this, name, min, max));
}

std::optional<bool> ElementReader::boolean(std::string_view name) {
  return read<bool>(name, false, [&](std::string_view text) -> std::optional<bool> {
    for (const std::string_view yes : {"true", "1", "yes"})
      if (equal_ignoring_case(text, yes)) return true;
    for (const std::string_view no : {"false", "0", "no"})
      if (equal_ignoring_case(text, no)) return false;
    report(code::kBoolean, name, fmt::format("{}={}, expected true or false", name, quoted(text)));
    return std::nullopt;
  });
}

std::optional<std::size_t> ElementReader::choice(std::string_view name, std::span<const std::string_view> words) {
  return read<std::size_t>(name, false, [&](std::string_view text) -> std::optional<std::size_t> {
    for (std::size_t i = 0; i < words.size(); ++i)
      if (text == words[i]) return i;
    report(code::kChoice, name, fmt::format("{}={}, expected one of {}", name, quoted(text), fmt::join(words, ", ")));
    return std::nullopt;
  });
}

std::optional<Element> ElementReader::child(std::string_view name) {
  remember(known_children_, name);
  const Element first = element_.first_child(name);
  if (!first) return std::nullopt;
  for (Element again = first.next_sibling(name); again; again = again.next_sibling(name)) {
    ok_ = false;
    diagnostics_.report(code::kElementRepeated, again.position(), fmt::format("duplicate <{}>, expected one", name),
                        again.path());
    diagnostics_.note(code::kElementRepeated, first.position(), "the first one is here");
  }
  return first;
}

std::optional<Element> ElementReader::required_child(std::string_view name) {
  auto found = child(name);
  if (!found) report(code::kElementMissing, {}, fmt::format("<{}> needs a <{}>", element_.name(), name));
  return found;
}

Children ElementReader::children(std::string_view name) {
  remember(known_children_, name);
  return element_.children(name);
}

void ElementReader::allow_attribute(std::string_view name) { remember(known_attributes_, name); }
void ElementReader::allow_child(std::string_view name) { remember(known_children_, name); }

Children ElementReader::all_children() {
  any_child_ = true;
  return element_.children();
}

std::string ElementReader::text() {
  any_text_ = true;
  return element_.text();
}

void ElementReader::finish(Severity severity) {
  const auto unknown = [&](const Code& code, Position at, std::string message, std::string path) {
    if (severity == Severity::error) ok_ = false;
    diagnostics_.report_as(severity, code, at, std::move(message), std::move(path));
  };
  for (const std::string_view name : element_.attribute_names()) {
    if (contains(known_attributes_, name) || name.starts_with("xmlns") || name.starts_with("xsi:")) continue;
    unknown(code::kAttributeUnknown, element_.attribute_position(name),
            fmt::format("<{}> has no attribute {}{}", element_.name(), quoted(name), did_you_mean(name, known_attributes_)),
            element_.path() + "/@" + std::string(name));
  }
  if (!any_child_) {
    for (Element child = element_.first_child(); child; child = child.next_sibling()) {
      if (contains(known_children_, child.name())) continue;
      unknown(code::kElementUnknown, child.position(),
              fmt::format("<{}> has no element {}{}", element_.name(), quoted(child.name()),
                          did_you_mean(child.name(), known_children_)),
              child.path());
    }
  }
  if (!any_text_ && element_.is_mixed())
    unknown(code::kTextStray, element_.position(),
            fmt::format("<{}> contains text {}, expected none", element_.name(), quoted(trimmed(element_.text()), 30)),
            element_.path());
}

}  // namespace simbatch::xml
