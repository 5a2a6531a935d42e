#include "formats/rndf/lines.hpp"

#include <fmt/format.h>

#include "base/core/number.hpp"
#include "formats/rndf/codes.hpp"

namespace simbatch::rndf::detail {

std::optional<std::string> without_comments(std::string_view text, Diagnostics& diagnostics) {
  if (text.find("/*") == std::string_view::npos) return std::nullopt;
  std::string out(text);
  for (std::size_t at = out.find("/*"); at != std::string::npos; at = out.find("/*", at)) {
    const std::size_t end = out.find("*/", at + 2);
    if (end == std::string::npos) {
      // Only the rest of the line, not of the file: a forgotten end must not swallow the map.
      diagnostics.report(code::kComment, position_at(text, at), "the comment is not closed; it is taken to end with its line");
      const std::size_t line_end = std::min(out.find('\n', at), out.size());
      for (; at < line_end; ++at) out[at] = ' ';
      // There is no end after this, so every further comment is one of these: blank them in one pass.
      for (std::size_t i = line_end; i + 1 < out.size(); ++i)
        if (out[i] == '/' && out[i + 1] == '*')
          for (; i < out.size() && out[i] != '\n'; ++i) out[i] = ' ';
      break;
    }
    for (; at < end + 2; ++at)
      if (out[at] != '\n' && out[at] != '\r') out[at] = ' ';
  }
  return out;
}

std::size_t points_ahead(LineReader lines) {
  std::size_t count = 0;
  for (Line line; lines.next(line);) {
    const std::string_view text = trimmed(line.text);
    if (text.empty()) continue;
    if (text.front() < '0' || text.front() > '9') break;
    ++count;
  }
  return count;
}

bool LineParser::next(LineReader& lines) {
  words_.clear();
  count_ = 0;
  while (words_.empty() && lines.next(line_)) {
    WordReader words(line_.text, line_.number);
    for (Token word; words.next(word); ++count_)
      if (count_ < kKept) words_.push_back(word);
  }
  return !words_.empty();
}

std::string LineParser::joined(WordReader words) const {
  std::string out;
  for (Token word; words.next(word);) {
    if (!out.empty()) out += ' ';
    out += word.text;
  }
  return out;
}

std::string LineParser::text() const { return joined(WordReader(line_.text, line_.number)); }

void LineParser::report_departure(const Code& code, Position at, std::string message) {
  diagnostics_.report_as(strict_ ? Severity::error : code.severity, code, at, std::move(message));
}

bool LineParser::has_word(std::size_t i, std::string_view what) {
  if (i < words_.size()) return true;
  const Token& last = words_.back();
  error(code::kValue, {last.at.line, last.at.column + static_cast<std::uint32_t>(last.text.size())},
        fmt::format("{} lacks its {}", quoted(keyword(), 30), what));
  return false;
}

std::string LineParser::name(bool required) {
  WordReader words(line_.text, line_.number);
  Token keyword_word;
  (void)words.next(keyword_word);
  std::string out = joined(words);
  if (out.empty() && required)
    report_departure(code::kName, at(), fmt::format("{} is empty", keyword()));
  else if (words_.size() > 2 || out.size() > 128 || out.find_first_of("\\*") != std::string::npos)
    report_departure(
        code::kName, words_.size() > 1 ? words_[1].at : at(),
        fmt::format("{} {} is not a single word of up to 128 characters without \\ and *", keyword(), quoted(out)));
  return out;
}

std::optional<std::int32_t> LineParser::integer(std::size_t i, std::int32_t min, std::string_view what) {
  if (!has_word(i, what)) return std::nullopt;
  const auto value = parse_integer<std::int32_t>(words_[i].text);
  if (!value || value.value < min) {
    error(code::kValue, words_[i].at,
          fmt::format("{} is {}, expected a whole number >= {}", what, quoted(words_[i].text, 30), min));
    return std::nullopt;
  }
  if (value.value > 32768)
    report_departure(code::kRange, words_[i].at, fmt::format("{} is {}, expected at most 32768", what, value.value));
  return value.value;
}

std::optional<double> LineParser::number(std::size_t i, std::string_view what) {
  if (!has_word(i, what)) return std::nullopt;
  const auto value = parse_double(words_[i].text);
  if (value) return value.value;
  error(code::kValue, words_[i].at, fmt::format("{} is {}, expected a number", what, quoted(words_[i].text, 30)));
  return std::nullopt;
}

std::optional<PointId> LineParser::id(std::size_t i, int parts, std::string_view what) {
  if (!has_word(i, what)) return std::nullopt;
  std::string_view rest = words_[i].text;
  std::int32_t values[3] = {0, 0, 0};
  std::string impossible;  // the first number that no id has
  for (int part = 0; part < parts; ++part) {
    const std::size_t dot = rest.find('.');
    const bool last = part + 1 == parts;
    const std::string_view digits = rest.substr(0, dot);
    if ((dot == std::string_view::npos) != last || !is_digits(digits)) {
      error(code::kId, words_[i].at,
            fmt::format("{} is {}, expected {} numbers joined by dots", what, quoted(words_[i].text, 30), parts));
      return std::nullopt;
    }
    const auto value = parse_integer<std::int32_t>(digits);
    constexpr std::string_view kParts[] = {"segment", "lane", "waypoint"};
    if ((!value || (part != 1 && value.value == 0)) && impossible.empty())
      impossible = fmt::format("{} {}", kParts[part], digits.substr(0, 30));
    values[part] = value.value;
    rest.remove_prefix(std::min(digits.size() + 1, rest.size()));
  }
  if (!impossible.empty()) {
    error(
        code::kId, words_[i].at,
        fmt::format("{} is {}: ids run from 1 to 32768, and {} does not exist", what, quoted(words_[i].text, 30), impossible));
    return std::nullopt;
  }
  return PointId{values[0], values[1], values[2]};
}

void LineParser::expect_words(std::size_t n) {
  if (words_.size() > n)
    report_departure(code::kTokens, words_[n].at,
                     fmt::format("{} has {} words, expected {}; {} is ignored", quoted(keyword(), 30), count_, n,
                                 quoted(words_[n].text, 30)));
}

}  // namespace simbatch::rndf::detail
