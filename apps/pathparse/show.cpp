#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/pathparse/pathparse.hpp"
#include "base/core/number.hpp"
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

/// What is shown, from whichever reader.
struct Shown {
  std::string name;
  medusa::Mission mission;
  medusa::Reading reading;  ///< of the vehicle or console
};

nlohmann::ordered_json to_json(const Shown& shown, const std::optional<mission::Georeference>& placement, std::string_view as) {
  using Json = nlohmann::ordered_json;
  const auto number = [](double v) { return std::isfinite(v) ? Json(v) : Json(nullptr); };
  Json json;
  json["file"] = shown.name;
  json["as"] = as;
  json["version"] = shown.mission.version;
  if (as != "spec") {
    json["refused"] = shown.reading.refused ? Json(shown.reading.refusal) : Json(nullptr);
    json["remarks"] = shown.reading.remarks;
    json["dropped"] = Json::array();
    for (const auto& d : shown.reading.dropped) json["dropped"].push_back({{"line", d.line}, {"reason", d.reason}});
  }
  if (shown.mission.reference) {
    const medusa::Reference& r = *shown.mission.reference;
    json["reference"] = {{"easting", number(r.easting)}, {"northing", number(r.northing)}, {"zone", r.zone}};
  }
  if (placement) {
    if (const auto at = placement->at({0, 0}))
      json["origin"] = {{"lat", at->lat}, {"lon", at->lon}, {"convergence_deg", geo::degrees(placement->convergence())}};
  }
  json["formation"] = Json::array();
  for (const medusa::Offset& o : shown.mission.formation)
    json["formation"].push_back({{"vehicle", o.vehicle}, {"x", number(o.x)}, {"y", number(o.y)}});
  json["sections"] = Json::array();
  for (const Section& s : shown.mission.sections) {
    Json j;
    j["type"] = static_cast<int>(s.kind);
    j["kind"] = medusa::keyword(s.kind);
    j["line"] = s.line;
    j["xi"] = number(s.xi), j["yi"] = number(s.yi), j["xc"] = number(s.xc), j["yc"] = number(s.yc), j["xe"] = number(s.xe),
    j["ye"] = number(s.ye);
    j["velocity"] = number(s.velocity), j["direction"] = s.direction, j["radius"] = number(s.radius),
    j["heading"] = number(s.heading);
    j["time"] = number(s.time), j["vehicle"] = s.vehicle, j["gamma_s"] = number(s.gamma_s), j["gamma_e"] = number(s.gamma_e),
    j["depth"] = number(s.depth);
    if (const auto segment = mission::Segment::of(s)) j["length"] = segment->length();
    if (s.gamma) j["gamma_column"] = number(*s.gamma);
    if (!s.user_data.empty()) j["user_data"] = s.user_data;
    json["sections"].push_back(std::move(j));
  }
  return json;
}

std::string table(const Shown& shown) {
  std::string out =
      fmt::format("{:>4} {:>5} {:<6} {:>4} {:>10} {:>10} {:>10} {:>10} {:>9} {:>6} {:>9} {:>10} {:>10}\n", "#", "line", "kind",
                  "id", "from x", "from y", "to x", "to y", "length m", "m/s", "time s", "gamma s", "gamma e");
  std::optional<mission::Point> last;
  double length = 0, time = 0;
  bool endless = false;
  for (std::size_t i = 0; i < shown.mission.sections.size(); ++i) {
    const Section& s = shown.mission.sections[i];
    const auto segment = mission::Segment::of(s);
    const auto duration = mission::duration(s, last);
    const std::string seconds = duration ? fmt::format("{:.1f}", *duration) : "for ever";
    length += segment ? segment->length() : 0;
    time += duration.value_or(0);
    endless = endless || !duration;
    if (s.kind == Kind::depth || s.kind == Kind::alt || s.kind == Kind::none) {
      out += fmt::format("{:>4} {:>5} {:<6} {:>4} {:>10} {:>10} {:>10} {:>10.2f} {:>9} {:>6} {:>9}\n", i + 1, s.line,
                         medusa::keyword(s.kind), s.vehicle, "", "", "", s.depth, "", "", seconds);
      continue;
    }
    const bool point = s.kind == Kind::point;
    const auto place = [](double v) { return fmt::format("{:.2f}", v); };
    out += fmt::format("{:>4} {:>5} {:<6} {:>4} {:>10} {:>10} {:>10.2f} {:>10.2f} {:>9} {:>6.4g} {:>9} {:>10.3f} {:>10.3f}\n",
                       i + 1, s.line, medusa::keyword(s.kind), s.vehicle, point ? "" : place(s.xi), point ? "" : place(s.yi),
                       s.xe, s.ye, segment ? place(segment->length()) : "", s.velocity, seconds, s.gamma_s, s.gamma_e);
    last = mission::Point{s.xe, s.ye};
  }
  return out + fmt::format("total {:.2f} m, {:.1f} s{}\n", length, time, endless ? " and a section without end" : "");
}

cli::ExitCode show(const ShowOptions& o, const cli::Common& common) {
  cli::Reporter reporter(common);
  Shown shown;
  const Text text(o.source);
  shown.name = text.name();
  if (o.as == "spec") {
    auto parsed = medusa::read_mission(text.text(), text.name());
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
    cli::print(to_json(shown, placement, o.as).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
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

void add_show(CLI::App& app, cli::Common& common, Run& run) {
  auto o = std::make_shared<ShowOptions>();
  CLI::App* sub = app.add_subcommand("show", "Print the sections: kind, from, to, length, speed, duration, gamma");
  add_source(*sub, o->source);
  sub->add_option("--as", o->as, "Whose reading is shown")
      ->type_name("READER")
      ->check(CLI::IsMember({"vehicle", "console", "spec"}))
      ->capture_default_str();
  sub->add_option("--id", o->id, "The vehicle's own id, for --as vehicle")->type_name("ID")->capture_default_str();
  sub->add_option("--zone", o->zone, "UTM zone of a reference that names none, like 29S")->type_name("ZONE");
  sub->add_flag("--true-gamma", o->true_gamma, "Gammas by arc length, not by the radius field");
  sub->add_flag("--json", o->json, "Print JSON");
  sub->final_callback([&run, o, &common] { run = [o, &common] { return show(*o, common); }; });
}

}  // namespace simbatch::pathparse
