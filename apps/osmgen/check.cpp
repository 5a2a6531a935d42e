#include "apps/osmgen/check.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>

#include "apps/osmgen/codes.hpp"
#include "formats/autosim/setup.hpp"
#include "formats/osm/read.hpp"
#include "lib/town/codes.hpp"

namespace simbatch::osmgen {
namespace {

/// Kinds of road that the map has and the setup does not list: no houses along them, no road in the simulator.
void check_kinds(const osm::Model& model, const autosim::MapSetup& setup, const std::string& setup_file, Diagnostics& out) {
  const osm::StringId highway = model.strings.find("highway");
  if (highway == osm::kNone) {
    out.report(town::code::kRoadsNone, {}, "the map has no roads: no way has a tag \"highway\"");
    return;
  }
  std::map<std::string_view, std::size_t> kinds;  // sorted: the same order every time
  for (std::size_t way = 0; way < model.ways.size(); ++way)
    for (const osm::TagId tag : model.tags_of_way(way))
      if (model.tag_table[tag].key == highway) ++kinds[model.value(tag)];
  std::size_t covered = 0;
  for (const auto& [kind, count] : kinds) {
    if (setup.highways.find(kind) != nullptr) {
      covered += count;
      continue;
    }
    out.report(code::kKindUncovered, {},
               fmt::format("{} of the kind {}, which {} does not list",
                           count == 1 ? "1 way is" : fmt::format("{} ways are", count), quoted(kind), setup_file));
  }
  if (covered == 0 && !kinds.empty())
    out.report(town::code::kRoadsNone, {}, "no road of the map is of a kind that the setup lists");
}

}  // namespace

void add_check_options(CLI::App& command, CheckOptions& options) {
  command.add_option("FILE", options.input, "Map: .osm, .osm.gz, .osm.bz2, .osm.pbf; - is standard input")
      ->type_name("")
      ->required();
  command.add_option("--setup", options.setup, "Map setup: also report the kinds of road that it does not list")
      ->type_name("FILE")
      ->group("Input");
  cli::add_common(command, options.common);
}

cli::ExitCode check(const CheckOptions& options) {
  cli::Reporter reporter(options.common);
  std::optional<autosim::MapSetup> setup;
  if (!options.setup.empty()) {
    const Input input = Input::open(options.setup, std::size_t{1} << 28);
    auto parsed = autosim::read_setup(input.text(), input.name());
    if (parsed.ok()) setup = std::move(parsed.value);
    reporter.show(std::move(parsed.diagnostics));
  }
  osm::ReadOptions read;
  read.remarks = true;
  read.keep_keys = {"highway"};
  auto map = osm::read_file(options.input, read);
  if (map.value && setup) check_kinds(map.value->model, *setup, options.setup, map.diagnostics);
  reporter.show(std::move(map.diagnostics));
  return reporter.finish();
}

}  // namespace simbatch::osmgen
