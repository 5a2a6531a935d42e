#include <CLI/CLI.hpp>

#include "apps/pathparse/pathparse.hpp"

namespace simbatch::pathparse {

void add_source(CLI::App& app, Source& source) {
  CLI::Option* file = app.add_option("FILE", source.file, "Mission file; - is standard input")->type_name("");
  CLI::Option* string = app.add_option_function<std::string>(
      "--string",
      [&source](const std::string& text) {
        source.string = text;
        source.has_string = true;
      },
      "The mission itself, as the console sends it; \\n in a string without line breaks ends a line");
  string->type_name("MISSION")->excludes(file);
  app.parse_complete_callback([&source] {
    if (source.file.empty() && !source.has_string) throw CLI::RequiredError("FILE or --string");
  });
}

Text::Text(const Source& source) {
  if (!source.has_string) {
    input_.emplace(Input::open(source.file));
    name_ = input_->name();
    return;
  }
  name_ = "<string>";
  string_ = source.string;
  if (string_.find('\n') != std::string::npos) return;
  for (std::size_t at = 0; (at = string_.find("\\n", at)) != std::string::npos; ++at) string_.replace(at, 2, "\n");
}

std::optional<medusa::Mission> read(const Source& source, cli::Reporter& reporter, bool even_with_errors) {
  const Text text(source);
  auto parsed = medusa::read_mission(text.text(), text.name());
  const bool errors = parsed.diagnostics.has_errors();
  reporter.show(std::move(parsed.diagnostics));
  if (errors && !even_with_errors) return std::nullopt;
  return std::move(parsed.value);
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
