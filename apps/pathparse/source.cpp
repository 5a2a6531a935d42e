#include <fmt/format.h>

#include <cmath>

#include "apps/common/outputs.hpp"
#include "apps/pathparse/codes.hpp"
#include "apps/pathparse/pathparse.hpp"
#include "lib/file_kind/file_kind.hpp"
#include "lib/mission/geometry.hpp"

namespace simbatch::pathparse {

void add_source(cli::Command& command, Source& source) {
  command.positional("FILE", source.file, "Mission file; - is standard input");
  command.option("--string", "MISSION", source.string,
                 "The mission itself, as the console sends it; \\n in a string without line breaks ends a line");
  command.check([&source]() -> std::string {
    if (source.file.empty() && !source.string) return "FILE or --string is required";
    if (!source.file.empty() && source.string) return "--string excludes FILE";
    return {};
  });
}

void add_output(cli::Command& command, const Source& source, std::string& output, bool in_place) {
  command.option("-o,--output", "FILE", output, "Output file; - is standard output").show_default();
  command.check([&source, &output, in_place] {
    cli::Outputs outputs;
    outputs.reads("FILE", source.file);
    outputs.writes("--output", output, in_place ? "FILE" : "");
    return outputs.conflict();
  });
}

void add_zone(cli::Command& command, std::string& zone) {
  command.option("--zone", "ZONE", zone, "UTM zone of a reference that names none, like 29S");
}

std::string name_of(const Source& source) { return source.string ? "<string>" : source.file == "-" ? "<stdin>" : source.file; }

Text::Text(const Source& source) {
  if (!source.string) {
    input_.emplace(Input::open(source.file));
    name_ = input_->name();
    return;
  }
  name_ = "<string>";
  string_ = *source.string;
  if (string_.find('\n') != std::string::npos) return;
  for (std::size_t at = 0; (at = string_.find("\\n", at)) != std::string::npos; ++at) string_.replace(at, 2, "\n");
}

Parsed<medusa::Mission> read_text(const Text& text) {
  auto parsed = medusa::read_mission(text.text(), text.name());
  if (file_kind::explain_errors(text.text(), text.name(), file_kind::Purpose::mission, parsed.diagnostics))
    parsed.value.reset();
  return parsed;
}

std::optional<medusa::Mission> read(const Source& source, cli::Reporter& reporter) {
  const Text text(source);
  auto parsed = read_text(text);
  const bool errors = parsed.diagnostics.has_errors();
  reporter.show(std::move(parsed.diagnostics));
  if (errors) return std::nullopt;
  return std::move(parsed.value);
}

bool is_for(const medusa::Mission& mission, int vehicle, const std::string& name, cli::Reporter& reporter) {
  if (vehicle == medusa::kAllVehicles || mission::sections_for(mission, vehicle)) return true;
  Diagnostics problem(name);
  problem.report(code::kVehicle, {}, fmt::format("vehicle {} is not in FORMATION: the mission is not for it", vehicle));
  reporter.show(std::move(problem));
  return false;
}

std::string decimals_text(double value, int decimals) {
  constexpr double kMost = 1e12;  // beyond it a double has no three decimals
  return std::abs(value) < kMost ? fmt::format("{:.{}f}", value, decimals) : fmt::format("{:.6g}", value);
}

std::optional<mission::Georeference> place(const medusa::Mission& mission, const std::string& zone, const std::string& name,
                                           cli::Reporter& reporter, bool loud) {
  mission::Point sample;
  for (const medusa::Section& s : mission.sections) {
    if (s.kind == medusa::Kind::depth || s.kind == medusa::Kind::alt) continue;
    sample = s.kind == medusa::Kind::point ? mission::Point{s.xe, s.ye} : mission::Point{s.xi, s.yi};
    break;
  }
  Diagnostics diagnostics(name);
  auto placement = mission::find_georeference(mission.reference, mission.origin, zone, sample, diagnostics);
  if (loud) reporter.show(std::move(diagnostics));
  return placement;
}

}  // namespace simbatch::pathparse
