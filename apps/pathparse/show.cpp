#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "apps/common/console.hpp"
#include "apps/pathparse/pathparse.hpp"
#include "base/json/write_json.hpp"
#include "formats/medusa/emulate.hpp"
#include "lib/mission/geometry.hpp"

namespace simbatch::pathparse {
namespace {

using medusa::Kind;
using medusa::Section;

struct ShowOptions {
  Source source;
  std::string as = "spec", zone;
  int id = 1;
  bool json = false, true_gamma = false;
};

/// Output data, common to all readers.
struct Shown {
  std::string name;
  medusa::Mission mission;
  medusa::Reading reading;  ///< of the vehicle or console
};

void write_section(json::Writer& out, const Section& s) {
  out.open_object();
  out.member("type", static_cast<int>(s.kind)).member("kind", medusa::keyword(s.kind)).member("line", s.line);
  for (const auto& [name, value] : {std::pair{"xi", s.xi}, std::pair{"yi", s.yi}, std::pair{"xc", s.xc}, std::pair{"yc", s.yc},
                                    std::pair{"xe", s.xe}, std::pair{"ye", s.ye}, std::pair{"velocity", s.velocity}})
    out.member(name, value);
  out.member("direction", s.direction).member("radius", s.radius).member("heading", s.heading).member("time", s.time);
  out.member("vehicle", s.vehicle).member("gamma_s", s.gamma_s).member("gamma_e", s.gamma_e).member("depth", s.depth);
  if (const auto segment = mission::Segment::of(s)) out.member("length", segment->length());
  if (s.gamma) out.member("gamma_column", *s.gamma);
  if (!s.user_data.empty()) out.member("user_data", s.user_data);
  out.close();
}

void write_reading(json::Writer& out, const medusa::Reading& reading) {
  out.member("refused", reading.refused ? std::optional(reading.refusal) : std::nullopt);
  out.key("remarks").open_array();
  for (const std::string& remark : reading.remarks) out.value(remark);
  out.close();
  out.key("dropped").open_array();
  for (const auto& d : reading.dropped) out.open_object().member("line", d.line).member("reason", d.reason).close();
  out.close();
}

std::string to_json(const Shown& shown, const std::optional<mission::Georeference>& placement, std::string_view as) {
  json::Writer out(2);
  out.open_object();
  out.member("file", shown.name).member("as", as).member("version", shown.mission.version);
  if (as != "spec") write_reading(out, shown.reading);
  if (shown.mission.reference) {
    const medusa::Reference& r = *shown.mission.reference;
    out.key("reference").open_object();
    out.member("easting", r.easting).member("northing", r.northing).member("zone", r.zone).close();
  }
  if (placement) {
    if (const auto at = placement->at({0, 0})) {
      out.key("origin").open_object().member("lat", at->lat).member("lon", at->lon);
      out.member("convergence_deg", geo::degrees(placement->convergence())).close();
    }
  }
  out.key("formation").open_array();
  for (const medusa::Offset& o : shown.mission.formation)
    out.open_object().member("vehicle", o.vehicle).member("x", o.x).member("y", o.y).close();
  out.close();
  out.key("sections").open_array();
  for (const Section& s : shown.mission.sections) write_section(out, s);
  out.close();
  out.close();
  return out.text() + "\n";
}

std::string table(const Shown& shown) {
  std::string out =
      fmt::format("{:>4} {:>5} {:<6} {:>4} {:>10} {:>10} {:>10} {:>10} {:>9} {:>6} {:>9} {:>10} {:>10}\n", "#", "line", "kind",
                  "id", "from x", "from y", "to x", "to y", "length m", "m/s", "time s", "gamma s", "gamma e");
  std::map<std::int32_t, mission::Point> places;  // where each vehicle's last LINE, ARC or POINT ended
  std::map<std::int32_t, double> times;           // of each vehicle's own sections, s
  double length = 0;
  bool endless = false;
  for (std::size_t i = 0; i < shown.mission.sections.size(); ++i) {
    const Section& s = shown.mission.sections[i];
    const auto segment = mission::Segment::of(s);
    const auto place = places.find(s.vehicle);
    const auto duration = mission::duration(s, place != places.end() ? std::optional(place->second) : std::nullopt);
    const std::string seconds = duration ? decimals_text(*duration, 1) : "endless";
    length += segment ? segment->length() : 0;
    times[s.vehicle] += duration.value_or(std::max(0.0, s.time));
    endless = endless || !duration;
    if (s.kind == Kind::depth || s.kind == Kind::alt || s.kind == Kind::none) {
      out += fmt::format("{:>4} {:>5} {:<6} {:>4} {:>10} {:>10} {:>10} {:>10} {:>9} {:>6} {:>9}\n", i + 1, s.line,
                         medusa::keyword(s.kind), s.vehicle, "", "", "", decimals_text(s.depth, 2), "", "", seconds);
      continue;
    }
    const bool point = s.kind == Kind::point;
    const auto meters = [](double v) { return decimals_text(v, 2); };
    out += fmt::format("{:>4} {:>5} {:<6} {:>4} {:>10} {:>10} {:>10} {:>10} {:>9} {:>6.4g} {:>9} {:>10} {:>10}\n", i + 1,
                       s.line, medusa::keyword(s.kind), s.vehicle, point ? "" : meters(s.xi), point ? "" : meters(s.yi),
                       meters(s.xe), meters(s.ye), segment ? meters(segment->length()) : "", s.velocity, seconds,
                       decimals_text(s.gamma_s, 3), decimals_text(s.gamma_e, 3));
    places[s.vehicle] = mission::Point{s.xe, s.ye};
  }
  // Vehicles sail side by side, each the sections for all, too.
  double time = 0;
  for (const auto& [vehicle, own] : times)
    if (vehicle != medusa::kAllVehicles) time = std::max(time, own);
  if (const auto all = times.find(medusa::kAllVehicles); all != times.end()) time += all->second;
  return out + fmt::format("total {} m, {} s{}\n", decimals_text(length, 2), decimals_text(time, 1),
                           endless ? " and an endless section" : "");
}

cli::ExitCode show(const ShowOptions& o, cli::Reporter& reporter) {
  Shown shown;
  const Text text(o.source);
  shown.name = text.name();
  if (o.as == "spec") {
    auto parsed = read_text(text);
    reporter.show(std::move(parsed.diagnostics));
    if (!parsed.value) return reporter.finish();
    shown.mission = std::move(*parsed.value);
    if (o.true_gamma) mission::assign_true_gammas(shown.mission.sections);
  } else {
    medusa::EmulateOptions emulate;
    emulate.own_id = o.id;
    shown.reading =
        medusa::emulate(text.text(), o.as == "console" ? medusa::Reader::console : medusa::Reader::vehicle, emulate);
    shown.mission.sections = shown.reading.sections;
    shown.mission.reference = shown.reading.reference;
    shown.mission.origin = shown.reading.origin;
    if (shown.mission.origin) shown.mission.version = 5;
    shown.mission.formation = shown.reading.formation;
  }
  const auto placement = place(shown.mission, o.zone, shown.name, reporter, false);
  if (o.json) {
    cli::print(to_json(shown, placement, o.as));
    return reporter.finish();
  }
  std::string out;
  if (shown.reading.refused) out += fmt::format("the {} refuses the mission: {}\n", o.as, shown.reading.refusal);
  for (const std::string& remark : shown.reading.remarks) out += remark + "\n";
  for (const auto& d : shown.reading.dropped) out += fmt::format("line {}: {}\n", d.line, d.reason);
  if (o.as == "vehicle" && !shown.reading.refused && !shown.reading.walker_starts) out += "the section walker does not start\n";
  cli::print(out + table(shown));
  return reporter.finish();
}

}  // namespace

void add_show(cli::Command& program) {
  cli::Command& command = program.add("show", "Print the sections: kind, from, to, length, speed, duration, gamma");
  auto& o = command.keep<ShowOptions>();
  add_source(command, o.source);
  command.option("--as", "READER", o.as, "Reader whose interpretation is shown")
      .choices({"vehicle", "console", "spec"})
      .show_default();
  command.option("--id", "ID", o.id, "The vehicle's own id, for --as vehicle").show_default();
  add_zone(command, o.zone);
  command.flag("--true-gamma", o.true_gamma, "Compute gammas from arc length instead of the radius field");
  command.flag("--json", o.json, "Print JSON");
  command.examples({"pathparse show --as vehicle --id 2 mission.txt", "pathparse show --json mission.txt"});
  command.run([&o](cli::Reporter& reporter) { return show(o, reporter); });
}

}  // namespace simbatch::pathparse
