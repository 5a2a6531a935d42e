// Opens the files, calls lib/town, reports: no output changes unless everything went well. The pipeline is drawn in
// lib/town/generate.cpp.
#include "apps/osmgen/generate.hpp"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "apps/osmgen/summary.hpp"
#include "base/core/atomic_file.hpp"
#include "base/core/workers.hpp"
#include "formats/autosim/houses.hpp"
#include "formats/autosim/setup.hpp"
#include "formats/osm/pass_through.hpp"
#include "formats/osm/read.hpp"
#include "lib/town/generate.hpp"
#include "lib/town/houses_geojson.hpp"
#include "lib/town/preview.hpp"
#include "lib/town/town.hpp"

namespace simbatch::osmgen {
namespace {

template <class T>
std::optional<T> load(const std::string& file, Parsed<T> (*read)(std::string_view, const std::string&),
                      cli::Reporter& reporter) {
  const Input input = Input::open(file, std::size_t{1} << 28);
  Parsed<T> parsed = read(input.text(), input.name());
  const bool ok = parsed.ok();
  reporter.show(std::move(parsed.diagnostics));
  if (!ok) return std::nullopt;
  return std::move(parsed.value);
}

cli::ExitCode remove(const GenerateOptions& options) {
  cli::Reporter reporter(options.common);
  const Input input = Input::open(options.input);
  osm::ReadOptions read;
  read.keep_keys = {std::string(town::kGeneratedKey)};
  read.locate_key = std::string(town::kGeneratedKey);
  Parsed<osm::Document> map = osm::read(input, read);
  const bool ok = map.ok();
  reporter.show(std::move(map.diagnostics));
  if (!ok || reporter.failed()) return reporter.finish(cli::ExitCode::input);
  osm::PassThroughOptions pass;
  pass.drop_located = true;
  pass.set_upload_false = false;
  const std::size_t count = map.value->layout.located_nodes.size();
  reporter.show(osm::pass_through(input, *map.value, options.output, pass, [](osm::NodeSink&) {}));
  if (!reporter.failed()) cli::info(options.common, fmt::format("{} generated houses and trees removed", count));
  return reporter.finish();
}

unsigned jobs_of(const GenerateOptions& options) {
  if (options.jobs != 0) return options.jobs;
  return std::clamp(std::thread::hardware_concurrency(), 1U, kMostJobs);
}

/// Tables are large and short-lived: each gets pages of its own, which go back to the system when it goes, instead of holes in
/// one heap or in one heap per thread. (By default the first large one that is freed makes malloc keep the next.)
void give_memory_back() {
  ::mallopt(M_MMAP_THRESHOLD, 1 << 17);
  ::mallopt(M_ARENA_MAX, 1);
}

void write_extras(const GenerateOptions& options, const osm::Document& document, town::Generated& generated,
                  std::vector<AtomicFile>& files) {
  auto next = files.begin();
  if (!options.preview.empty()) {
    town::PreviewOptions preview;
    preview.title = std::filesystem::path(options.input).filename().string();
    // A map from the database must name it; hand-made ones number their nodes from 1.
    preview.credit_osm = document.facts.highest_id[0] > 1'000'000;
    (next++)->write(town::preview_svg(document.model, generated.town, generated.placed, preview));
  }
  if (!options.geojson.empty()) (next++)->write(town::houses_geojson(generated.town, generated.placed));
  if (!options.report.empty()) (next++)->write(summary_json(generated.town, generated.placed));
}

}  // namespace

cli::ExitCode generate(const GenerateOptions& options) {
  if (options.remove) return remove(options);
  give_memory_back();
  cli::Reporter reporter(options.common);
  Workers workers(jobs_of(options));
  const std::optional<autosim::MapSetup> setup = load(options.setup, autosim::read_setup, reporter);
  const std::optional<autosim::HouseList> houses = load(options.houses, autosim::read_houses, reporter);
  const Input input = Input::open(options.input);
  AtomicFile output(options.output);
  Parsed<osm::Document> map = town::read_map(input, workers);
  const bool ok = map.ok() && setup && houses;
  reporter.show(std::move(map.diagnostics));
  if (!ok || reporter.failed()) return reporter.finish(cli::ExitCode::input);
  // All outputs are opened before the first is complete.
  std::vector<AtomicFile> files;
  files.reserve(4);
  for (const std::string* file : {&options.preview, &options.geojson, &options.report})
    if (!file->empty()) files.emplace_back(*file);

  Diagnostics about_houses(options.houses), about_map(input.name());
  town::report_deep_models(*houses, options.generate.place, about_houses);
  reporter.show(std::move(about_houses));
  if (reporter.failed()) return reporter.finish();
  town::GenerateOptions how = options.generate;
  how.keep_map = !options.preview.empty();
  how.keep_houses = how.keep_map || !options.geojson.empty();
  how.strict = options.common.strict;
  std::optional<town::Generated> generated =
      town::generate(input, *map.value, *setup, *houses, how, output, workers, about_map);
  reporter.show(std::move(about_map));
  if (!generated || reporter.failed()) return reporter.finish();
  write_extras(options, *map.value, *generated, files);
  files.push_back(std::move(output));
  AtomicFile::commit_all(files);
  cli::info(options.common, summary_text(generated->town, generated->placed));
  return reporter.finish();
}

}  // namespace simbatch::osmgen
