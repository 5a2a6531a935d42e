// The specification's reading. Outline: one pass over the lines; header lines first (version, then reference or
// origin), then one primitive a line. A line of plain numbers with the fields that every program wants is kept by all
// three readers; any other line is put through the emulations of the vehicle and the console to learn its fate there.

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>
#include <iterator>
#include <set>

#include "base/core/text.hpp"
#include "formats/medusa/codes.hpp"
#include "formats/medusa/emulate.hpp"
#include "formats/medusa/emulate_detail.hpp"
#include "formats/medusa/fields.hpp"
#include "formats/medusa/medusa.hpp"

namespace simbatch::medusa {
namespace {

using detail::Field;
using detail::Fields;
using detail::Trouble;

constexpr std::string_view kKeywords[] = {"POINT", "LINE", "ARC", "DEPTH", "ALT", "FORMATION", "BIAS"};
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

enum class Stage { version, reference, translation, body };

class Scanner {
 public:
  Scanner(const ReadOptions& options, const std::string& file, MissionSink& sink)
      : options_(options), diagnostics_(file), sink_(sink) {}

  Diagnostics run(std::string_view text) {
    if (text.starts_with(kByteOrderMark)) {
      text.remove_prefix(kByteOrderMark.size());
      lossy(code::kEncoding, {1, 1},
            "the text begins with a byte order mark: the first line is then no comment, and no version", true, false);
      refused_by_vehicle_ = true;
    }
    detail::for_each_raw_line(text, [this](std::string_view line, std::uint32_t number) { take(line, number); });
    if (stage_ == Stage::version) diagnostics_.report(code::kVersion, {}, "there is no version line");
    if (stage_ == Stage::reference) diagnostics_.report(code::kReferenceMissing, {}, "there is no reference line");
    if (stage_ == Stage::translation) diagnostics_.report(code::kOrigin, {}, "there is no translation line");
    if (stage_ == Stage::body && index_ == 0) diagnostics_.report(code::kEmpty, {}, "the mission has no sections");
    return std::move(diagnostics_);
  }

 private:
  /// Reports what this reading can live with; an error if the reader asked about cannot.
  void lossy(const Code& code, Position at, std::string message, bool by_vehicle, bool by_console) {
    const bool lost =
        (options_.audience == Reader::vehicle && by_vehicle) || (options_.audience == Reader::console && by_console);
    diagnostics_.report_as(lost ? Severity::error : code.severity, code, at, std::move(message));
    said_ = true;
  }
  void error(const Code& code, Position at, std::string message) {
    diagnostics_.report(code, at, std::move(message));
    said_ = true;
  }

  std::int64_t comment_place() const {
    switch (stage_) {
      case Stage::version: return -1;
      case Stage::reference: return -2;
      case Stage::translation: return -3;
      case Stage::body: break;
    }
    return index_ == 0 && !seen_formation_ ? -4 : static_cast<std::int64_t>(index_);
  }

  void take(std::string_view raw, std::uint32_t number) {
    if (!raw.empty() && raw[0] == '#') {
      if (options_.comments) comment(raw);
      return;
    }
    line_ = number;
    said_ = false;
    std::string_view line = raw;
    if (line.ends_with('\r')) line.remove_suffix(1);
    // Primitives without any blank or trouble in front, the normal case, go straight to their fields.
    if (stage_ == Stage::body && !line.empty() && line[0] >= 'A' && line[0] <= 'Z') return body(raw, line);
    const std::string_view content = trimmed(line);
    if (content.empty()) return blank();
    if (content[0] == '#') {
      lossy(code::kCommentIndent, {number, 1}, "blanks before '#': for the vehicle this line is no comment",
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

  void comment(std::string_view text) {
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
    sink_.comment(text, comment_place());
  }

  void blank() {
    if (stage_ == Stage::version && !blank_said_) {
      lossy(code::kBlankVersion, {line_, 0}, "a blank line before the version, which the vehicle takes for version 0", true,
            false);
      blank_said_ = refused_by_vehicle_ = true;
    } else if (stage_ == Stage::reference && !blank_said_) {
      lossy(code::kBlankReference, {line_, 0},
            "a blank line before the reference: the vehicle keeps the reference of the mission before", true, false);
      blank_said_ = true;
    }
  }

  void version(std::string_view line, std::string_view content) {
    blank_said_ = false;
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

  void reference(std::string_view raw, std::string_view line) {
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

  void origin(std::string_view line) {
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

  void translation(std::string_view line) {
    stage_ = Stage::body;
    Fields fields(line);
    Field east, north;
    if (!fields.next(east) || !fields.next(north) || east.trouble != Trouble::none || north.trouble != Trouble::none) {
      error(code::kOrigin, {line_, 1},
            fmt::format("expected a translation east and north in metres, found {}", quoted(trimmed(line))));
      return;
    }
    origin_.east = east.value;
    origin_.north = north.value;
    if (origin_ok_) sink_.origin(origin_);
  }

  // A line behind the header.

  void body(std::string_view raw, std::string_view line) {
    stage_ = Stage::body;
    std::size_t start = 0;
    while (start < line.size() && (line[start] == ' ' || (line[start] >= '\t' && line[start] <= '\r'))) ++start;
    std::size_t end = start;
    const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; };
    while (end < line.size() && is_letter(line[end])) ++end;
    const std::string_view word = line.substr(start, end - start);
    const Kind kind = kind_of(word);
    const bool known = kind != Kind::none || word == "FORMATION" || word == "BIAS";
    const Position at{line_, static_cast<std::uint32_t>(start) + 1};
    if (known && start == 0) {
      if (kind == Kind::none) return offsets(raw, line.substr(end), word == "BIAS");
      return section(line, end, kind);
    }
    odd_keyword(raw, line, start, end, at);
  }

  static Kind kind_of(std::string_view word) {
    switch (word.size()) {
      case 3: return word == "ARC" ? Kind::arc : word == "ALT" ? Kind::alt : Kind::none;
      case 4: return word == "LINE" ? Kind::line : Kind::none;
      case 5: return word == "POINT" ? Kind::point : word == "DEPTH" ? Kind::depth : Kind::none;
      default: return Kind::none;
    }
  }

  void odd_keyword(std::string_view raw, std::string_view line, std::size_t start, std::size_t end, Position at) {
    const std::string_view word = line.substr(start, end - start);
    std::string_view meant;
    for (const std::string_view k : kKeywords)
      if (equal_ignoring_case(word, k)) meant = k;
    if (meant.empty()) {
      const std::string_view near = nearest(word.empty() ? trimmed(line).substr(0, 12) : word, kKeywords);
      const std::string_view shown = word.empty() ? trimmed(line) : word;
      error(code::kKeyword, at,
            fmt::format("expected a keyword, found {}{}", quoted(shown, 20),
                        near.empty() ? "" : fmt::format("; did you mean {}?", near)));
      sink_.lost(line_, fate_elsewhere(line));
      return;
    }
    if (meant != word)
      lossy(code::kKeywordCase, at, fmt::format("{} for {}: the programs ignore the line", quoted(word), meant), true, true);
    else
      lossy(code::kIndent, at, fmt::format("blanks before {}: the vehicle ignores the line", meant), true, false);
    const Kind kind = kind_of(meant);
    if (kind == Kind::none) return offsets(raw, line.substr(end), meant == "BIAS");
    section(line, end, kind);
  }

  /// What the programs make of a line that is not plain.
  Fate fate_elsewhere(std::string_view line) const {
    const LineReading vehicle = vehicle_line(line);
    const LineReading console = console_line(trimmed(line));
    const bool kept = !refused_by_vehicle_ && vehicle.is_section && vehicle.section.kind != Kind::none;
    return {false, !refused_by_console_ && console.is_section && console.reason.empty(), kept, kept};
  }

  void lost(std::string_view line) { sink_.lost(line_, fate_elsewhere(line)); }

  void bad_number(const Field& field, const Fields& fields, std::string_view what) {
    const Position at{line_, fields.column(field.text.data())};
    switch (field.trouble) {
      case Trouble::dots:
        return error(code::kNumberDots, at,
                     fmt::format("{} {} has two dots: the vehicle reads two numbers of it", what, quoted(field.text)));
      case Trouble::comma:
        return error(code::kNumberComma, at, fmt::format("{} {} has a comma: use blanks and points", what, quoted(field.text)));
      case Trouble::range:
        return error(code::kNumberRange, at, fmt::format("{} {} is not a finite decimal number", what, quoted(field.text)));
      default: return error(code::kNumber, at, fmt::format("expected {} (a number), found {}", what, quoted(field.text)));
    }
  }

  void section(std::string_view line, std::size_t keyword_end, Kind kind) {
    static constexpr std::array<std::string_view, 6> kPoint = {"x", "y", "radius", "velocity", "heading", "time"};
    static constexpr std::array<std::string_view, 5> kLine = {"start x", "start y", "end x", "end y", "velocity"};
    static constexpr std::array<std::string_view, 9> kArc = {"start x", "start y",  "centre x",  "centre y", "end x",
                                                             "end y",   "velocity", "direction", "radius"};
    static constexpr std::array<std::string_view, 2> kDepth = {"depth", "time"}, kAlt = {"altitude", "time"};
    const std::string_view* names = kPoint.data();
    std::size_t wanted = kPoint.size();
    if (kind == Kind::line) names = kLine.data(), wanted = kLine.size();
    if (kind == Kind::arc) names = kArc.data(), wanted = kArc.size();
    if (kind == Kind::depth || kind == Kind::alt) {
      names = kind == Kind::depth ? kDepth.data() : kAlt.data();
      wanted = kDepth.size();
    }
    if (line.find('\0') != std::string_view::npos)
      lossy(code::kEncoding, {line_, 1}, "a NUL byte, where the vehicle's line ends", true, false);
    if (keyword_end < line.size() && line[keyword_end] != ' ' && line[keyword_end] != '\t')
      lossy(code::kFused, {line_, static_cast<std::uint32_t>(keyword_end) + 1},
            fmt::format("no blank behind {}: the console ignores the line", keyword(kind)), false, true);

    Fields walk = fields_behind(line, keyword_end);
    std::array<double, 9> v{};
    std::array<std::string_view, 9> texts;
    bool direction_dotted = false;
    Field field;
    for (std::size_t i = 0; i < wanted; ++i) {
      if (!walk.next(field)) {
        error(code::kFields, {line_, 1},
              fmt::format("{} has {} of at least {} fields: {} is missing", keyword(kind), i, wanted, names[i]));
        return lost(line);
      }
      if (field.trouble != Trouble::none) {
        field_error(field, line, names[i]);
        return lost(line);
      }
      v[i] = field.value;
      texts[i] = field.text;
      if (i == 7) direction_dotted = field.dotted;
    }
    Section& s = section_;
    s = Section{};
    s.kind = kind;
    s.line = line_;
    switch (kind) {
      case Kind::point: s.xe = v[0], s.ye = v[1], s.radius = v[2], s.velocity = v[3], s.heading = v[4], s.time = v[5]; break;
      case Kind::line: s.xi = v[0], s.yi = v[1], s.xe = v[2], s.ye = v[3], s.velocity = v[4]; break;
      case Kind::arc:
        s.xi = v[0], s.yi = v[1], s.xc = v[2], s.yc = v[3], s.xe = v[4], s.ye = v[5], s.velocity = v[6], s.radius = v[8];
        direction(v[7], texts[7], direction_dotted, line);
        break;
      default: s.depth = v[0], s.time = v[1]; break;
    }
    const bool simple = tail(kind, line, walk) && !(kind == Kind::arc && direction_dotted);
    Fate fate{true, !refused_by_console_ && kind != Kind::depth && kind != Kind::alt, !refused_by_vehicle_, false};
    if (!(simple && walk.plain() && !said_)) fate = odd_line(line);
    if (options_.audience == Reader::console && (kind == Kind::depth || kind == Kind::alt))
      lossy(code::kDepthConsole, {line_, 1}, fmt::format("the console does not know {}", keyword(kind)), false, true);
    sink_.section(s, fate);
    ++index_;
  }

  static Fields fields_behind(std::string_view line, std::size_t keyword_end) { return Fields(line.substr(keyword_end)); }
  Position place(std::string_view line, std::string_view part) const {
    return {line_, static_cast<std::uint32_t>(part.data() - line.data()) + 1};
  }
  void field_error(const Field& field, std::string_view line, std::string_view what) { bad_number(field, Fields(line), what); }

  void direction(double value, std::string_view text, bool dotted, std::string_view line) {
    if (!(value == std::floor(value) && std::abs(value) < 1e9)) {
      error(code::kDirection, place(line, text), fmt::format("expected direction -1 or 1, found {}", quoted(text)));
      section_.direction = (value < 0) != (version_ == 2) ? -1 : 1;
      return;
    }
    // Version 2 has the opposite sign: in all of its files known, the arcs join their lines only so
    // (docs/formats/medusa.md).
    section_.direction = static_cast<std::int32_t>(version_ == 2 ? -value : value);
    if (section_.direction != -1 && section_.direction != 1)
      error(code::kDirection, place(line, text),
            fmt::format("expected direction -1 or 1, found {}: the vehicle turns counter-clockwise", quoted(text)));
    else if (dotted && version_ != 2)
      lossy(code::kDirectionFloat, place(line, text),
            fmt::format("direction {} has a point: the vehicle takes the rest of it for the radius", quoted(text)), true,
            false);
  }

  /// What stands behind the required fields. @return true if that is nothing, or a plain vehicle id
  bool tail(Kind kind, std::string_view line, Fields& walk) {
    Section& s = section_;
    const bool path = kind == Kind::line || kind == Kind::arc;
    const std::string_view rest = walk.rest();
    if (version_ == 2) {
      s.user_data = rest;
      return rest.empty();
    }
    Field id;
    Fields after = walk;
    const bool has_id = after.next(id) && id.trouble == Trouble::none;
    if (!has_id) {
      s.user_data = rest;
      if (!path && kind != Kind::point)
        lossy(code::kDepthFields, {line_, 1},
              fmt::format("{} without vehicle id: the vehicle keeps it as a section that never ends", keyword(kind)), true,
              false);
      return rest.empty() && (path || kind == Kind::point);
    }
    if (!(id.value == std::floor(id.value) && id.value >= -1 && id.value <= 2147483647)) {
      error(code::kVehicle, place(line, id.text),
            fmt::format("expected a vehicle id (-1, or 0 and up), found {}", quoted(id.text)));
    } else {
      s.vehicle = static_cast<std::int32_t>(id.value);
      if (id.dotted)
        lossy(code::kVehicleFloat, place(line, id.text),
              fmt::format("vehicle id {} has a point: the vehicle {}", quoted(id.text),
                          path ? "takes the rest of it for a gamma and drops the line" : "reads the number before it"),
              path, false);
    }
    walk = after;
    const std::string_view behind = walk.rest();
    if (behind.empty()) return !id.dotted;
    Field gamma;
    if (after.next(gamma) && gamma.trouble == Trouble::none) {
      s.gamma = gamma.value;
      walk = after;
      s.user_data = walk.rest();
      if (path)
        lossy(code::kGamma, place(line, gamma.text),
              fmt::format("gamma {} behind the vehicle id: the vehicle drops the line without a word", quoted(gamma.text)),
              true, false);
      return false;
    }
    s.user_data = behind;
    return false;
  }

  /// The fate of a line that is not plain, and a word about it if nothing was said yet.
  Fate odd_line(std::string_view line) {
    if (version_ == 2) return {true, false, false, false};  // both refuse it whole
    const LineReading vehicle = vehicle_line(line);
    const LineReading console = console_line(trimmed(line));
    Fate fate{true, !refused_by_console_ && console.is_section && console.reason.empty(),
              !refused_by_vehicle_ && vehicle.is_section && vehicle.section.kind != Kind::none, false};
    const Section& s = section_;
    const bool vehicle_differs = vehicle.is_section && vehicle.section.kind != Kind::none && differs(s, vehicle.section);
    fate.misread = fate.vehicle && vehicle_differs;
    if (!said_ && (!vehicle.is_section || vehicle_differs)) {
      lossy(
          code::kDiffers, {line_, 1},
          vehicle_differs ? "the vehicle reads other values out of this line" : "the vehicle drops the line: " + vehicle.reason,
          true, false);
    }
    const bool known_there = s.kind != Kind::depth && s.kind != Kind::alt;
    if (!said_ && known_there && (!(console.is_section && console.reason.empty()) || differs(s, console.section))) {
      const std::size_t tab = line.find('\t');
      const std::size_t two = std::min(tab, line.find("  "));
      lossy(code::kSeparator, {line_, two == std::string_view::npos ? 1 : static_cast<std::uint32_t>(two) + 1},
            tab != std::string_view::npos ? "a tab between fields: the console and its bridge do not take it for a blank"
                                          : "more than one blank between fields: the console reads an empty field there",
            false, true);
    }
    return fate;
  }

  /// In what is a double on the vehicle exactly, in what is a float there as floats.
  static bool differs(const Section& a, const Section& b) {
    const auto narrow = [](double x, double y) { return static_cast<float>(x) != static_cast<float>(y); };
    return a.xi != b.xi || a.yi != b.yi || a.xc != b.xc || a.yc != b.yc || a.xe != b.xe || a.ye != b.ye ||
           narrow(a.velocity, b.velocity) || narrow(a.radius, b.radius) || a.direction != b.direction ||
           narrow(a.heading, b.heading) || narrow(a.time, b.time) || narrow(a.depth, b.depth) || a.vehicle != b.vehicle;
  }

  void offsets(std::string_view raw, std::string_view list, bool is_bias) {
    const std::string_view name = is_bias ? "BIAS" : "FORMATION";
    const Position at{line_, 1};
    if (index_ > 0 && !late_said_) {
      diagnostics_.report(code::kFormationLate, at, fmt::format("{} stands behind sections: write it before them", name));
      late_said_ = true;
    }
    if (is_bias && options_.audience == Reader::console)
      lossy(code::kDepthConsole, at, "the console does not know BIAS", false, true);
    std::vector<Offset> found;
    std::vector<Field> values;
    Fields walk(list);
    Field field;
    bool clean = true;
    while (walk.next(field)) {
      if (field.trouble != Trouble::none) {
        bad_number(field, Fields({raw.data(), raw.size()}), name);
        clean = false;
      }
      values.push_back(field);
    }
    if (!clean) return;
    if (values.empty() || values.size() % 3 != 0)
      return error(code::kFormationCount, at,
                   fmt::format("{} has {} values, expected id, x, y for each vehicle", name, values.size()));
    const std::string_view inside = trimmed(list);
    if (inside.find("  ") != std::string_view::npos || list.starts_with("  ") ||
        (raw.ends_with('\r') && !list.empty() && list.back() == ' '))
      lossy(code::kFormationBlank, at,
            raw.ends_with('\r') && list.back() == ' '
                ? fmt::format("a blank before CR ends {}: the vehicle reads behind its end", name)
                : fmt::format("two blanks in {}: the vehicle's list ends there", name),
            true, true);
    for (std::size_t i = 0; i < values.size(); i += 3) {
      const double id = values[i].value;
      if (!(id == std::floor(id) && id >= 0 && id <= 2147483647)) {
        error(code::kVehicle, place(raw, values[i].text),
              fmt::format("expected a vehicle id from 0 up, found {}", quoted(values[i].text)));
        continue;
      }
      const Offset offset{static_cast<std::int32_t>(id), values[i + 1].value, values[i + 2].value};
      if (!ids_[is_bias ? 1 : 0].insert(offset.vehicle).second)
        error(code::kFormationDuplicate, place(raw, values[i].text),
              fmt::format("vehicle {} stands twice in {}", offset.vehicle, name));
      else
        found.push_back(offset);
    }
    seen_formation_ = true;
    if (!found.empty()) sink_.formation(found, at, is_bias);
  }

  const ReadOptions& options_;
  Diagnostics diagnostics_;
  MissionSink& sink_;
  Section section_;
  Origin origin_;
  std::set<std::int32_t> ids_[2];
  Stage stage_ = Stage::version;
  std::uint32_t line_ = 0;
  std::size_t index_ = 0;  // sections so far
  int version_ = 3;
  bool said_ = false;  // something was reported at this line
  bool blank_said_ = false, late_said_ = false, origin_ok_ = false, seen_formation_ = false;
  bool refused_by_vehicle_ = false, refused_by_console_ = false;
};

}  // namespace

Diagnostics scan_mission(std::string_view text, const ReadOptions& options, const std::string& file, MissionSink& sink) {
  return Scanner(options, file, sink).run(text);
}

}  // namespace simbatch::medusa
