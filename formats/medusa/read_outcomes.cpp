// Outcome of a line on the vehicle and in the console. A line of plain numbers with the fields required by every program is
// kept by all readers; other lines are passed to the emulations of both programs.
#include <fmt/format.h>

#include "base/core/text.hpp"
#include "formats/medusa/codes.hpp"
#include "formats/medusa/emulate.hpp"
#include "formats/medusa/read_detail.hpp"

namespace simbatch::medusa::detail {

ReaderOutcome MissionScanner::outcome_elsewhere(std::string_view line) const {
  const LineReading vehicle = vehicle_line(line);
  const LineReading console = console_line(trimmed(line));
  const bool kept = !refused_by_vehicle_ && vehicle.is_section && vehicle.section.kind != Kind::none;
  return {false, !refused_by_console_ && console.is_section && console.reason.empty(), kept, kept};
}

ReaderOutcome MissionScanner::odd_line(std::string_view line) {
  if (version_ == 2) return {true, false, false, false};  // both reject it entirely
  const LineReading vehicle = vehicle_line(line);
  const LineReading console = console_line(trimmed(line));
  ReaderOutcome outcome{true, !refused_by_console_ && console.is_section && console.reason.empty(),
                        !refused_by_vehicle_ && vehicle.is_section && vehicle.section.kind != Kind::none, false};
  const Section& s = section_;
  const bool vehicle_differs = vehicle.is_section && vehicle.section.kind != Kind::none && differs(s, vehicle.section);
  outcome.misread = outcome.vehicle && vehicle_differs;
  if (!reported_ && (!vehicle.is_section || vehicle_differs)) {
    lossy(
        code::kDiffers, {line_, 1},
        vehicle_differs ? "the vehicle reads different values from this line" : "the vehicle drops the line: " + vehicle.reason,
        true, false);
  }
  const bool known_there = s.kind != Kind::depth && s.kind != Kind::alt;
  if (!reported_ && known_there && (!(console.is_section && console.reason.empty()) || differs(s, console.section))) {
    const std::size_t tab = line.find('\t');
    const std::size_t two = std::min(tab, line.find("  "));
    lossy(code::kSeparator, {line_, two == std::string_view::npos ? 1 : static_cast<std::uint32_t>(two) + 1},
          tab != std::string_view::npos ? "a tab between fields: the console and its bridge do not treat it as a blank"
                                        : "more than one blank between fields: the console reads an empty field there",
          false, true);
  }
  return outcome;
}

bool MissionScanner::differs(const Section& a, const Section& b) {
  const auto narrow = [](double x, double y) { return static_cast<float>(x) != static_cast<float>(y); };
  return a.xi != b.xi || a.yi != b.yi || a.xc != b.xc || a.yc != b.yc || a.xe != b.xe || a.ye != b.ye ||
         narrow(a.velocity, b.velocity) || narrow(a.radius, b.radius) || a.direction != b.direction ||
         narrow(a.heading, b.heading) || narrow(a.time, b.time) || narrow(a.depth, b.depth) || a.vehicle != b.vehicle;
}

}  // namespace simbatch::medusa::detail
