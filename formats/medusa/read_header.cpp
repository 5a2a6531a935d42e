// The header lines of a mission, and the dispatch of each line, by the specification.
#include <fmt/format.h>

#include <cmath>

#include "base/core/text.hpp"
#include "formats/medusa/codes.hpp"
#include "formats/medusa/emulate_detail.hpp"
#include "formats/medusa/read_detail.hpp"

namespace simbatch::medusa {
namespace detail {
Diagnostics MissionScanner::run(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) {
    text.remove_prefix(kByteOrderMark.size());
    lossy(code::kEncoding, {1, 1},
          "the text begins with a byte order mark: to the vehicle, the first line is neither a comment nor a version", true,
          false);
    refused_by_vehicle_ = true;
  }
  detail::for_each_raw_line(text, [this](std::string_view line, std::uint32_t number) { take(line, number); });
  if (stage_ == Stage::version) diagnostics_.report(code::kVersion, {}, "there is no version line");
  if (stage_ == Stage::reference) diagnostics_.report(code::kReferenceMissing, {}, "there is no reference line");
  if (stage_ == Stage::translation) diagnostics_.report(code::kOrigin, {}, "there is no translation line");
  if (stage_ == Stage::body && index_ == 0 && !diagnostics_.has_errors())
    diagnostics_.report(code::kEmpty, {}, "the mission has no sections");
  return std::move(diagnostics_);
}

void MissionScanner::lossy(const Code& code, Position at, std::string message, bool by_vehicle, bool by_console) {
  const bool lost =
      (options_.audience == Reader::vehicle && by_vehicle) || (options_.audience == Reader::console && by_console);
  diagnostics_.report_as(lost ? Severity::error : code.severity, code, at, std::move(message));
  reported_ = true;
}

void MissionScanner::error(const Code& code, Position at, std::string message) {
  diagnostics_.report(code, at, std::move(message));
  reported_ = true;
}

std::int64_t MissionScanner::comment_place() const {
  switch (stage_) {
    case Stage::version: return -1;
    case Stage::reference: return -2;
    case Stage::translation: return -3;
    case Stage::body: break;
  }
  return index_ == 0 && !seen_formation_ ? -4 : static_cast<std::int64_t>(index_);
}

void MissionScanner::take(std::string_view raw, std::uint32_t number) {
  if (!raw.empty() && raw[0] == '#') {
    if (options_.comments) comment(raw);
    return;
  }
  line_ = number;
  reported_ = false;
  std::string_view line = raw;
  if (line.ends_with('\r')) line.remove_suffix(1);
  // Primitives at the start of a line, the normal case, are parsed directly.
  if (stage_ == Stage::body && !line.empty() && line[0] >= 'A' && line[0] <= 'Z') return body(raw, line);
  const std::string_view content = trimmed(line);
  if (content.empty()) return blank();
  if (content[0] == '#') {
    lossy(code::kCommentIndent, {number, 1}, "blanks before '#': the vehicle does not take this line as a comment",
          stage_ != Stage::body, false);
    if (stage_ == Stage::version) refused_by_vehicle_ = true;
    if (options_.comments) comment(content);
    return;
  }
  switch (stage_) {
    case Stage::version: return version(line, content);
    case Stage::reference: return reference(raw, line);
    case Stage::translation: return translation(line);
    case Stage::body: return body(raw, line);
  }
}

void MissionScanner::comment(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  sink_.comment(text, comment_place());
}

void MissionScanner::blank() {
  if (stage_ == Stage::version && !blank_reported_) {
    lossy(code::kBlankVersion, {line_, 0}, "a blank line before the version, which the vehicle takes for version 0", true,
          false);
    blank_reported_ = refused_by_vehicle_ = true;
  } else if (stage_ == Stage::reference && !blank_reported_) {
    lossy(code::kBlankReference, {line_, 0},
          "a blank line before the reference: the vehicle keeps the reference of the previous mission", true, false);
    blank_reported_ = true;
  }
}

void MissionScanner::version(std::string_view line, std::string_view content) {
  blank_reported_ = false;
  const std::size_t digits = std::min(content.find_first_not_of("0123456789"), content.size());
  const Number<int> number = parse_integer<int>(content.substr(0, digits));
  const std::uint32_t column = static_cast<std::uint32_t>(content.data() - line.data()) + 1;
  stage_ = Stage::reference;
  std::string_view word;
  Fields fields(line);
  fields.next_word(word);
  const bool alone = word == content;
  const bool known = number && (number.value == 2 || number.value == 3 || number.value == 5);
  if (!number || (!alone && !known)) {
    error(code::kVersion, {line_, column}, fmt::format("expected a version, found {}", quoted(content)));
    refused_by_vehicle_ = refused_by_console_ = true;
    sink_.version(3);
    if (!alone && !number)
      body(line, line);  // a mission that begins with its sections
    else if (!alone && content.size() > digits)
      reference(line, line);  // or with its reference
    return;
  }
  version_ = number.value;
  if (digits != content.size())
    diagnostics_.report_as(Severity::warning, code::kVersion, {line_, column},
                           fmt::format("the version {} is read as {}", quoted(content), version_));
  if (!known) {
    error(code::kVersion, {line_, column}, fmt::format("expected version 2, 3 or 5, found {}", version_));
    refused_by_vehicle_ = refused_by_console_ = true;
    version_ = 3;
  } else if (version_ != 3) {
    lossy(code::kVersionOld, {line_, column},
          fmt::format("version {}: the vehicle refuses the whole mission{}", version_,
                      version_ == 2 ? ", and so does the console" : ""),
          true, version_ == 2);
    refused_by_vehicle_ = true;
    refused_by_console_ = version_ == 2;
  }
  sink_.version(version_);
}

void MissionScanner::reference(std::string_view raw, std::string_view line) {
  if (version_ == 5) return origin(line);
  stage_ = Stage::body;
  const std::uint32_t start = static_cast<std::uint32_t>(trimmed(line).data() - line.data()) + 1;
  if (detail::looks_like_section(line) || trimmed(line).starts_with("FORMATION")) {
    error(code::kReferenceMissing, {line_, start}, "expected a reference line, found a section");
    return body(raw, line);
  }
  Fields fields(line);
  Field east, north;
  if (!fields.next(east) || !fields.next(north) || east.trouble != Trouble::none || north.trouble != Trouble::none) {
    error(code::kReference, {line_, start},
          fmt::format("expected easting, northing and zone, found {}", quoted(trimmed(line))));
    return;
  }
  Reference r{east.value, north.value, {}, {line_, start}, {}};
  std::string_view word;
  r.zone_at = {line_, fields.column()};
  if (fields.next_word(word)) {
    r.zone = word;
    r.zone_at.column = fields.column(word.data());
    const std::string_view digits = word;
    // "29 S": a zone in two words.
    if (is_digits(digits) && fields.next_word(word) && word.size() == 1) r.zone += word;
  }
  sink_.reference(r);
}

void MissionScanner::origin(std::string_view line) {
  stage_ = Stage::translation;
  Fields fields(line);
  Field lat, lon;
  origin_ = {};
  origin_.at = {line_, 1};
  origin_ok_ = fields.next(lat) && fields.next(lon) && lat.trouble == Trouble::none && lon.trouble == Trouble::none &&
               std::abs(lat.value) <= 90 && std::abs(lon.value) <= 180;
  if (!origin_ok_) {
    error(code::kOrigin, {line_, 1},
          fmt::format("expected latitude and longitude in degrees, found {}", quoted(trimmed(line))));
    return;
  }
  origin_.lat = lat.value;
  origin_.lon = lon.value;
}

void MissionScanner::translation(std::string_view line) {
  stage_ = Stage::body;
  Fields fields(line);
  Field east, north;
  if (!fields.next(east) || !fields.next(north) || east.trouble != Trouble::none || north.trouble != Trouble::none) {
    error(code::kOrigin, {line_, 1},
          fmt::format("expected a translation east and north in meters, found {}", quoted(trimmed(line))));
    return;
  }
  origin_.east = east.value;
  origin_.north = north.value;
  if (origin_ok_) sink_.origin(origin_);
}

}  // namespace detail

Diagnostics scan_mission(std::string_view text, const ReadOptions& options, const std::string& file, MissionSink& sink) {
  return detail::MissionScanner(options, file, sink).run(text);
}

}  // namespace simbatch::medusa
