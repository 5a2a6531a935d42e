// The vehicle's parser. A line is compared with keywords at column 0, then converted by sscanf; the required results are in the
// table of docs/formats/medusa.md. Velocity, radius, heading, time and depth are floats there.

#include <cmath>

#include "formats/medusa/emulate.hpp"
#include "formats/medusa/emulate_detail.hpp"
#include "formats/medusa/scan_format.hpp"

namespace simbatch::medusa {
namespace {

using detail::ScanFormat;

bool next_float(ScanFormat& scan, double& value) {
  float narrow = 0;
  if (!scan.next(narrow)) return false;
  value = static_cast<double>(narrow);
  return true;
}

LineReading point(std::string_view rest) {
  LineReading r;
  r.is_primitive = true;
  Section& s = r.section;
  s.kind = Kind::point;
  ScanFormat scan(rest);
  (void)(scan.next(s.xe) && scan.next(s.ye) && next_float(scan, s.radius) && next_float(scan, s.velocity) &&
         next_float(scan, s.heading) && next_float(scan, s.time) && scan.next(s.vehicle));
  r.is_section = scan.converted() >= 6;
  if (!r.is_section) r.reason = "converts " + std::to_string(scan.converted()) + " of at least 6 fields";
  if (scan.converted() == 6) s.vehicle = kAllVehicles;
  return r;
}

LineReading line_or_arc(Kind kind, std::string_view rest) {
  LineReading r;
  r.is_primitive = true;
  Section& s = r.section;
  s.kind = kind;
  ScanFormat scan(rest);
  double gamma = 0;
  const int wanted = kind == Kind::line ? 5 : 9;
  bool more = scan.next(s.xi) && scan.next(s.yi);
  if (kind == Kind::arc) more = more && scan.next(s.xc) && scan.next(s.yc);
  more = more && scan.next(s.xe) && scan.next(s.ye) && next_float(scan, s.velocity);
  if (kind == Kind::arc) more = more && scan.next(s.direction) && next_float(scan, s.radius);
  (void)(more && scan.next(s.vehicle) && scan.next(gamma));
  const int got = scan.converted();
  if (got == wanted) s.vehicle = kAllVehicles;
  r.is_section = got == wanted || got == wanted + 1;
  if (got > wanted + 1) r.reason = "a number after the vehicle id";
  if (got < wanted) r.reason = "converts " + std::to_string(got) + " of at least " + std::to_string(wanted) + " fields";
  return r;
}

LineReading depth(Kind kind, std::string_view rest) {
  LineReading r;
  r.is_primitive = r.is_section = true;
  Section& s = r.section;
  ScanFormat scan(rest);
  (void)(next_float(scan, s.depth) && next_float(scan, s.time) && scan.next(s.vehicle));
  if (scan.converted() == 3)
    s.kind = kind;
  else
    r.reason = "converts " + std::to_string(scan.converted()) + " of 3 fields: becomes a section that never ends";
  return r;
}

/// FORMATION and BIAS: fields between single blanks or tabs, three at a time, until an empty id.
bool offsets(std::string_view line, int own_id, std::vector<Offset>& list, Offset& own, Reading& reading) {
  std::vector<std::string_view> fields;
  for (std::size_t start = 0;;) {
    const std::size_t end = line.find_first_of(" \t", start);
    fields.push_back(line.substr(start, end - start));
    if (end == std::string_view::npos) break;
    start = end + 1;
  }
  bool found = false;
  for (std::size_t i = 1; i < fields.size(); i += 3) {
    const std::string_view id = fields[i].substr(0, fields[i].find('\0'));
    if (id.empty()) break;
    if (i + 2 >= fields.size()) {
      reading.remarks.emplace_back("reads past the end of the list: undefined behavior");
      break;
    }
    const Offset offset{detail::c_atoi(fields[i]), detail::c_atof(fields[i + 1]), detail::c_atof(fields[i + 2])};
    list.push_back(offset);
    if (offset.vehicle == own_id) {
      own = offset;
      found = true;
    }
  }
  return found;
}

}  // namespace

LineReading vehicle_line(std::string_view line) {
  if (line.starts_with("POINT")) return point(line.substr(5));
  if (line.starts_with("LINE")) return line_or_arc(Kind::line, line.substr(4));
  if (line.starts_with("ARC")) return line_or_arc(Kind::arc, line.substr(3));
  if (line.starts_with("DEPTH")) return depth(Kind::depth, line.substr(5));
  if (line.starts_with("ALT")) return depth(Kind::alt, line.substr(3));
  LineReading nothing;
  nothing.reason = "no keyword at the first column";
  return nothing;
}

namespace detail {

Reading emulate_vehicle(std::string_view text, const EmulateOptions& options) {
  Reading r;
  r.reader = Reader::vehicle;
  r.reference = options.previous;
  bool formation_mode = false, bias_mode = false, returned = false;
  Offset own;
  int useful = 0;
  for_each_raw_line(text, [&](std::string_view line, std::uint32_t number) {
    if (line.starts_with('#') || returned) return;
    ++useful;
    if (useful == 1) {
      int version = 0;
      ScanFormat(line).next(version);
      if (version != 3) {
        r.refused = returned = true;
        r.refusal = "the first line that is not a comment is read as version " + std::to_string(version) + ", not 3";
      }
      return;
    }
    if (useful == 2) {
      // The line is not skipped afterwards: it is then compared with the keywords.
      ScanFormat scan(line);
      const bool both = scan.next(r.reference.easting) && scan.next(r.reference.northing);
      if (!both) r.remarks.emplace_back("the reference point stays that of the mission before");
    }
    const bool formation = line.starts_with("FORMATION");
    if (formation || line.starts_with("BIAS")) {
      if (offsets(line, options.own_id, r.formation, own, r)) (formation ? formation_mode : bias_mode) = true;
      if (!(formation ? formation_mode : bias_mode)) {
        r.remarks.emplace_back("id " + std::to_string(options.own_id) + " is not in " + (formation ? "FORMATION" : "BIAS") +
                               ": reading ends there, the walker does not start, the sections so far go to the path service");
        r.walker_starts = false;
        returned = true;
      }
      return;
    }
    LineReading read = vehicle_line(line);
    if (!read.reason.empty() && (read.is_primitive || looks_like_section(line))) r.dropped.push_back({number, read.reason});
    if (!read.is_section) return;
    read.section.line = number;
    r.sections.push_back(std::move(read.section));
  });
  if (useful == 0) {
    // An empty text: the version is never checked, so it is accepted.
    r.remarks.emplace_back("an empty mission");
  }
  assign_gammas(r.sections, 2 * 3.14159265);
  if (!returned && formation_mode)
    for (Section& s : r.sections)
      if (s.vehicle == kAllVehicles) shift(s, own.x, own.y);
  if (r.refused) r.sections.clear();
  r.walker_starts = r.walker_starts && !r.sections.empty();
  return r;
}

}  // namespace detail
}  // namespace simbatch::medusa
