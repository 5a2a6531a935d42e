// The web console's reader. Lines are taken without blanks at their ends; fields are separated by single blanks,
// so that two blanks make an empty field and a tab makes none; numbers are the longest decimal prefix (parseFloat).

#include <charconv>
#include <cmath>
#include <limits>

#include "base/core/text.hpp"
#include "formats/medusa/emulate.hpp"
#include "formats/medusa/emulate_detail.hpp"

namespace simbatch::medusa {
namespace {

double parse_float(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const bool number = !text.empty() && (text[0] == '-' || text[0] == '.' || (text[0] >= '0' && text[0] <= '9'));
  if (!number || std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc::invalid_argument)
    return std::numeric_limits<double>::quiet_NaN();
  return value;
}

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t start = 0;;) {
    const std::size_t end = line.find(' ', start);
    fields.push_back(line.substr(start, end - start));
    if (end == std::string_view::npos) return fields;
    start = end + 1;
  }
}

std::int32_t to_id(double value) { return value > -1e9 && value < 1e9 ? static_cast<std::int32_t>(value) : kAllVehicles; }

}  // namespace

LineReading console_line(std::string_view line) {
  LineReading r;
  const std::vector<std::string_view> fields = split(line);
  Section& s = r.section;
  std::size_t wanted = 0;
  if (fields[0] == "LINE")
    wanted = 6, s.kind = Kind::line;
  else if (fields[0] == "ARC")
    wanted = 10, s.kind = Kind::arc;
  else if (fields[0] == "POINT")
    wanted = 7, s.kind = Kind::point;
  r.is_primitive = r.is_section = wanted != 0;
  if (wanted == 0) {
    r.reason = "the console knows only POINT, LINE and ARC, followed by a blank";
    return r;
  }
  std::vector<double> v;
  for (std::size_t i = 1; i < fields.size(); ++i) v.push_back(parse_float(fields[i]));
  if (v.size() < wanted) v.push_back(kAllVehicles);  // intended as the vehicle id, regardless of missing fields
  const bool enough = v.size() >= wanted;
  v.resize(std::max(v.size(), wanted), std::numeric_limits<double>::quiet_NaN());
  bool numbers = enough;
  for (std::size_t i = 0; i < wanted; ++i) numbers = numbers && !std::isnan(v[i]);
  if (!numbers) r.reason = "a field is not a number there: the section cannot be drawn or saved";
  s.line = 0;
  if (s.kind == Kind::point) {
    s.xe = v[0], s.ye = v[1], s.radius = v[2], s.velocity = v[3], s.heading = v[4], s.time = v[5];
  } else if (s.kind == Kind::line) {
    s.xi = v[0], s.yi = v[1], s.xe = v[2], s.ye = v[3], s.velocity = v[4];
  } else {
    s.xi = v[0], s.yi = v[1], s.xc = v[2], s.yc = v[3], s.xe = v[4], s.ye = v[5], s.velocity = v[6];
    s.direction = to_id(v[7]);
    s.radius = v[8];
  }
  s.vehicle = to_id(v[wanted - 1]);
  if (v.size() > wanted && !std::isnan(v[wanted])) s.gamma = v[wanted];
  return r;
}

namespace detail {

Reading emulate_console(std::string_view text) {
  Reading r;
  r.reader = Reader::console;
  int version = 0, header = 0;
  for_each_raw_line(text, [&](std::string_view line, std::uint32_t number) {
    if (r.refused || line.starts_with('#')) return;
    line = trimmed(line);
    if (line.empty()) return;
    if (version == 0) {
      std::from_chars(line.data() + (line.starts_with('+') ? 1 : 0), line.data() + line.size(), version);
      if (version != 3 && version != 5) {
        r.refused = true;
        r.refusal = "version " + std::to_string(version) + " is not supported";
      }
      return;
    }
    const std::vector<std::string_view> fields = split(line);
    const auto field = [&](std::size_t i) { return i < fields.size() ? parse_float(fields[i]) : std::nan(""); };
    if (header == 0 && version == 5) {
      r.origin = Origin{field(0), field(1), 0, 0, {number, 1}};
      header = 1;
    } else if (header == 1 && version == 5) {
      r.origin->east = field(0);
      r.origin->north = field(1);
      header = 2;
    } else if (header == 0) {
      r.reference = {field(0), field(1), fields.size() > 2 ? std::string(fields[2]) : "", {number, 1}, {}};
      header = 2;
    } else if (fields[0] == "FORMATION") {
      const std::size_t count = fields.size() - 1;
      if (count % 3 != 0) {
        r.refused = true;
        r.refusal = "FORMATION is not a list of id, x, y";
        return;
      }
      r.formation.clear();
      for (std::size_t i = 1; i + 2 < fields.size(); i += 3)
        r.formation.push_back({to_id(field(i)), field(i + 1), field(i + 2)});
    } else {
      LineReading read = console_line(line);
      if (!read.reason.empty() && looks_like_section(line)) r.dropped.push_back({number, read.reason});
      if (!read.is_section || !read.reason.empty()) return;
      read.section.line = number;
      r.sections.push_back(std::move(read.section));
    }
  });
  if (version == 0) {
    r.refused = true;
    r.refusal = "no version";
  }
  if (r.refused) r.sections.clear();
  assign_gammas(r.sections);
  return r;
}

bool looks_like_section(std::string_view line) {
  line = trimmed(line);
  for (const std::string_view word : {"POINT", "LINE", "ARC", "DEPTH", "ALT"}) {
    if (line.size() < word.size() || !equal_ignoring_case(line.substr(0, word.size()), word)) continue;
    if (line.size() == word.size()) return true;
    const char c = line[word.size()];
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_')) return true;
  }
  return false;
}

}  // namespace detail

Reading emulate(std::string_view text, Reader reader, const EmulateOptions& options) {
  return reader == Reader::console ? detail::emulate_console(text) : detail::emulate_vehicle(text, options);
}

}  // namespace simbatch::medusa
