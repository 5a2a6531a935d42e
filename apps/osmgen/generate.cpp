// Read all inputs, report all problems, place, write all outputs: nothing is written unless all went well.
#include "apps/osmgen/generate.hpp"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>

#include "apps/osmgen/codes.hpp"
#include "apps/osmgen/summary.hpp"
#include "base/core/atomic_file.hpp"
#include "base/core/number.hpp"
#include "base/core/workers.hpp"
#include "formats/autosim/houses.hpp"
#include "formats/autosim/setup.hpp"
#include "formats/osm/pass_through.hpp"
#include "formats/osm/read.hpp"
#include "formats/osm/write.hpp"
#include "lib/town/codes.hpp"
#include "lib/town/house_nodes.hpp"
#include "lib/town/place.hpp"
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

/// Models that reach onto the pavement at the distance asked for.
void warn_about_depths(const autosim::HouseList& houses, const GenerateOptions& options, Diagnostics& diagnostics) {
  if (options.front_distance) return;
  for (const autosim::LanduseSection& section : houses.sections)
    for (const autosim::HouseModel& model : section.models)
      if (model.box_size.z / 2 > options.street_distance)
        diagnostics.report(
            town::code::kModelDeep, model.place.at,
            fmt::format("{} is {} m deep: with its middle {} m from the street its front would stand on the "
                        "pavement; it is set back",
                        simbatch::quoted(model.name), number_text(model.box_size.z), number_text(options.street_distance)));
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

/// Houses on their way from the threads that place them to the one that writes. Few wait at a time.
class HouseQueue {
 public:
  void push(std::span<const town::House> houses) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || waiting_.size() < kMost; });
    if (closed_) return;
    waiting_.insert(waiting_.end(), houses.begin(), houses.end());
    changed_.notify_all();
  }
  /// No more will come, or nobody takes what comes.
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  /// All that wait, in order; false when there is no more and never will be.
  bool pop(std::vector<town::House>& houses) {
    houses.clear();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || !waiting_.empty(); });
    houses.swap(waiting_);
    changed_.notify_all();
    return !houses.empty();
  }

 private:
  static constexpr std::size_t kMost = 8192;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<town::House> waiting_;
  bool closed_ = false;
};

constexpr std::uint64_t kSlice = std::uint64_t{1} << 22;  // bytes that the kernel is asked for at once

/// Asks for room for the output while there is nothing to write yet: the kernel takes long for it.
class Ahead {
 public:
  Ahead(std::uint64_t size, AtomicFile& output, Workers& workers)
      : task_(workers.start([this, size, &output] {
          for (std::uint64_t room = 0; room < size && !stop_; room += kSlice) output.reserve(size, kSlice);
        })) {}
  ~Ahead() { stop_ = true; }

 private:
  std::atomic<bool> stop_{false};
  Workers::Task task_;
};

/// Nobody may be left who waits for room in the queue.
struct CloseAtEnd {
  HouseQueue& queue;
  ~CloseAtEnd() { queue.close(); }
};

constexpr std::size_t kLarge = std::size_t{1} << 23;  // bytes of a map from which a thread more pays

unsigned jobs_of(const GenerateOptions& options) {
  if (options.jobs != 0) return options.jobs;
  return std::clamp(std::thread::hardware_concurrency(), 1U, kMostJobs);
}

}  // namespace

cli::ExitCode generate(const GenerateOptions& options) {
  if (options.remove) return remove(options);
  // Tables are large and short-lived: each gets pages of its own, which go back to the system when it goes, instead of holes
  // in one heap or in one heap a thread. (By default the first large one that is freed makes malloc keep the next.)
  ::mallopt(M_MMAP_THRESHOLD, 1 << 17);
  ::mallopt(M_ARENA_MAX, 1);
  cli::Reporter reporter(options.common);
  const unsigned jobs = jobs_of(options);
  Workers workers(jobs);
  const std::optional<autosim::MapSetup> setup = load(options.setup, autosim::read_setup, reporter);
  const std::optional<autosim::HouseList> houses = load(options.houses, autosim::read_houses, reporter);
  const Input input = Input::open(options.input);
  AtomicFile output(options.output);
  // Of plain files, which are written byte by byte as long as they are read.
  const bool plain =
      osm::type_of_bytes(input.text()) == osm::FileType{} && osm::type_of_name(options.output) == osm::FileType{};
  const bool threaded = jobs > 1 && plain && input.text().size() > kLarge;
  osm::ReadOptions read;
  read.keep_keys = town::town_keys();
  read.locate_key = std::string(town::kGeneratedKey);
  if (jobs > 1) read.workers = &workers;
  Parsed<osm::Document> map = osm::read(input, read);
  const bool ok = map.ok() && setup && houses;
  reporter.show(std::move(map.diagnostics));
  if (!ok || reporter.failed()) return reporter.finish(cli::ExitCode::input);
  osm::Document& document = *map.value;
  std::optional<Ahead> ahead;
  if (threaded) ahead.emplace(input.text().size(), output, workers);

  Diagnostics about_houses(options.houses), about_map(input.name());
  warn_about_depths(*houses, options, about_houses);
  const osm::Id lowest = town::lowest_node_id(document, !options.keep);
  osm::Id first = lowest - 1, step = -1;
  if (options.positive_ids_from) {
    first = *options.positive_ids_from;
    step = 1;
    const osm::Id highest = town::highest_node_id(document, !options.keep);
    if (first <= highest)
      about_map.report(code::kIds, {},
                       fmt::format("--positive-ids-from {} is not above the highest node id {}", first, highest));
  }

  document.model.drop_node_ids();

  town::TownOptions town_options;
  town_options.clearance = options.clearance;
  town_options.block_tunnels = !options.over_tunnels;
  town_options.block_paths = !options.ignore_paths;
  town_options.keep_generated = options.keep;
  town_options.not_along = options.not_along;
  town_options.workers = read.workers;
  town::Town town = town::make_town(document.model, *setup, *houses, document.layout.located_nodes, town_options, about_map);
  if (std::none_of(town.lengths.begin(), town.lengths.end(), [](const auto& kind) { return kind.in_setup; }))
    about_map.report(code::kRoadsNone, {}, "no road of the map has a kind that the setup lists");
  reporter.show(std::move(about_houses));
  reporter.show(std::move(about_map));
  if (reporter.failed()) return reporter.finish();
  // What is only needed for reading gives its memory to the placing; a preview draws from the map again.
  if (options.preview.empty()) {
    osm::Model rest;
    rest.version = document.model.version;  // which the writer asks for
    document.model = std::move(rest);
  }

  town::PlaceOptions place;
  place.street_distance = options.street_distance;
  place.front_distance = options.front_distance;
  place.house_distance = options.house_distance;
  place.clearance = options.clearance;
  place.clip_to_bounds = options.clip_to_bounds;
  place.forest_inside = options.forest_inside;
  place.workers = read.workers;

  // All outputs are opened before the first is complete.
  std::vector<AtomicFile> extra;
  extra.reserve(4);
  for (const std::string* file : {&options.preview, &options.geojson, &options.report})
    if (!file->empty()) extra.emplace_back(*file);

  ahead.reset();
  // Houses are written while others are still being placed.
  town::HouseWriter writer(town, first, step);
  HouseQueue queue;
  town::Placement placement;
  const bool draws = !options.preview.empty() || !options.geojson.empty();
  std::vector<town::House> all;
  Workers::Task placing = workers.start([&] {
    const CloseAtEnd close{queue};
    placement = town::place(town, place, [&queue](std::span<const town::House> set) { queue.push(set); });
  });
  const CloseAtEnd close{queue};
  osm::PassThroughOptions pass;
  pass.drop_located = !options.keep;
  // To give back the memory of a large mapped file takes long: it is done behind the one who writes, not at the end.
  std::vector<Workers::Task> releases;
  std::uint64_t released = 0;
  if (threaded)
    pass.passed = [&](std::uint64_t at) {
      releases.push_back(workers.start([&input, from = released, at] { input.release(from, at - from); }));
      released = at;
    };
  reporter.show(osm::pass_through(input, document, output, pass, [&](osm::NodeSink& sink) {
    for (std::vector<town::House> set; queue.pop(set);) {
      writer.write(set, sink);
      // The rest of the map follows the last house, when there is nothing else to do meanwhile.
      if (threaded) output.reserve(output.size() + input.text().size(), kSlice);
      if (draws) all.insert(all.end(), set.begin(), set.end());
    }
    placing.wait();
  }));
  if (reporter.failed()) return reporter.finish();
  placement.houses = std::move(all);

  auto next = extra.begin();
  if (!options.preview.empty()) {
    town::PreviewOptions preview;
    preview.title = std::filesystem::path(options.input).filename().string();
    // A map from the database must name it; hand-made ones number their nodes from 1.
    preview.credit_osm = document.facts.highest_id[0] > 1'000'000;
    (next++)->write(town::preview_svg(document.model, town, placement, preview));
  }
  if (!options.geojson.empty()) (next++)->write(town::houses_geojson(town, placement));
  if (!options.report.empty()) (next++)->write(summary_json(town, placement));
  extra.push_back(std::move(output));
  AtomicFile::commit_all(extra);
  cli::info(options.common, summary_text(town, placement));
  return reporter.finish();
}

}  // namespace simbatch::osmgen
