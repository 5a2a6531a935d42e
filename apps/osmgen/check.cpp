#include <fmt/format.h>

#include <map>

#include "apps/common/outputs.hpp"
#include "apps/common/reporter.hpp"
#include "apps/osmgen/codes.hpp"
#include "apps/osmgen/osmgen.hpp"
#include "formats/autosim/setup.hpp"
#include "formats/osm/read.hpp"
#include "lib/file_kind/file_kind.hpp"
#include "lib/town/codes.hpp"

namespace simbatch::osmgen {
namespace {

struct CheckOptions {
  std::string input;
  std::string setup;  ///< map setup to which the kinds of road are compared; empty: none
};

/// Kinds of road in the map that the setup does not list: no houses along them, no road in the simulator.
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

cli::ExitCode check(const CheckOptions& options, cli::Reporter& reporter) {
  std::optional<autosim::MapSetup> setup;
  if (!options.setup.empty()) {
    const Input input = Input::open(options.setup, std::size_t{1} << 28);
    auto parsed = autosim::read_setup(input.text(), input.name());
    if (parsed.ok()) setup = std::move(parsed.value);
    file_kind::explain_errors(input.text(), input.name(), file_kind::Purpose::setup, parsed.diagnostics);
    reporter.show(std::move(parsed.diagnostics));
  }
  osm::ReadOptions read;
  read.remarks = true;
  read.keep_keys = {"highway"};
  auto map = read_map(Input::open(options.input), read);
  if (map.value && setup) check_kinds(map.value->model, *setup, options.setup, map.diagnostics);
  reporter.show(std::move(map.diagnostics));
  return reporter.finish();
}

}  // namespace

Parsed<osm::Document> read_map(const Input& input, const osm::ReadOptions& options) {
  Parsed<osm::Document> map = osm::read(input, options);
  file_kind::explain_errors(input.text(), input.name(), file_kind::Purpose::map, map.diagnostics);
  return map;
}

void add_check(cli::Command& program) {
  cli::Command& command = program.add("check", "Report everything that is wrong or unusual in a map");
  auto& o = command.keep<CheckOptions>();
  command.positional("FILE", o.input, "Map: .osm, .osm.gz, .osm.bz2, .osm.pbf; - is standard input").required();
  command.group("Input");
  command.option("--setup", "FILE", o.setup, "Map setup: also report the kinds of road that it does not list");
  command.check([&o] {
    cli::Outputs files;
    files.reads("FILE", o.input);
    files.reads("--setup", o.setup);
    return files.conflict();
  });
  command.examples({"osmgen check town.osm --setup setup.xml"});
  command.run([&o](cli::Reporter& reporter) { return check(o, reporter); });
}

}  // namespace simbatch::osmgen
