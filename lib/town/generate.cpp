// The pipeline, with as many threads as there are workers:
//
//   read_map -> make_town -> place --HouseQueue--> HouseWriter -> pass_through -> output
//                              |                                      |
//                              streets in parallel, houses in order   Release of the input's pages
//
// make_town() needs the whole map, so reading is complete before it begins. Houses are written while others are still being
// placed: they precede the map's own nodes in the output, and the rest of the map follows the last house.
#include "lib/town/generate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "formats/osm/antimeridian.hpp"
#include "formats/osm/pass_through.hpp"
#include "formats/osm/read.hpp"
#include "lib/town/building_ways.hpp"
#include "lib/town/codes.hpp"
#include "lib/town/house_nodes.hpp"
#include "lib/town/house_queue.hpp"
#include "lib/town/make_town.hpp"

namespace simbatch::town {
namespace {

// bytes: smallest map for which threads for memory management are worthwhile
constexpr std::size_t kLargeMap = std::size_t{1} << 23;

// The highest N of --positive-ids-from: 2^62 ids follow, more than a town has nodes.
constexpr osm::Id kHighestFirst = osm::Id{1} << 62;

/// Ids of new nodes: first, first + step, ...
struct NodeIds {
  osm::Id first = -1, step = -1, first_way = -1;
};

NodeIds choose_ids(const osm::Document& document, const GenerateOptions& options, Diagnostics& diagnostics) {
  const bool replaces = !options.town.keep_generated;
  const osm::Facts& facts = document.facts;
  if (!options.positive_ids_from) {
    const osm::Id lowest = std::min(lowest_node_id(document, replaces), facts.lowest_id[1]);
    if (lowest < -kHighestFirst)
      diagnostics.report(code::kIds, {}, fmt::format("the map's id {} leaves too few ids below it for new nodes", lowest));
    const osm::Id lowest_way = replaces ? facts.lowest_other_way : facts.lowest_id[1];
    return {lowest_node_id(document, replaces) - 1, -1, std::min<osm::Id>(lowest_way, 0) - 1};
  }
  const osm::Id first = *options.positive_ids_from, highest = highest_node_id(document, replaces);
  if (first <= highest)
    diagnostics.report(code::kIds, {},
                       fmt::format("--positive-ids-from {} is not above the highest node id {}", first, highest));
  if (first > kHighestFirst)
    diagnostics.report(
        code::kIds, {},
        fmt::format("--positive-ids-from {} leaves too few ids above it: at most {} is allowed", first, kHighestFirst));
  if (options.as_buildings && first <= facts.highest_id[1])
    diagnostics.report(code::kIds, {},
                       fmt::format("--positive-ids-from {} is not above the highest way id {}", first, facts.highest_id[1]));
  return {first, 1, first};
}

/// Places houses and writes them into the map at the same time.
PlacedHouses place_and_write(const Input& input, const osm::Document& document, Town& town, const GenerateOptions& options,
                             NodeIds ids, bool manage_memory, AtomicFile& output, Workers& workers, Diagnostics& diagnostics) {
  HouseWriter writer(town, ids.first, ids.step);
  BuildingWriter buildings(town, ids.first, ids.step, ids.first_way);
  detail::HouseQueue queue;
  PlacedHouses placed;
  std::vector<House> all;
  Workers::Task placing = workers.start([&] {
    const detail::QueueCloser close(queue);
    placed = place(town, options.place, [&queue](std::span<const House> houses) { queue.push(houses); });
  });
  const detail::QueueCloser close(queue);
  osm::PassThroughOptions pass;
  pass.drop_located = !options.town.keep_generated;
  if (options.as_buildings) pass.new_ways = [&](osm::NodeSink& sink) { buildings.write_ways(sink); };
  // Unmapping a large file is slow: idle threads do it in slices instead of this one at the end.
  std::vector<Workers::Task> releases;
  std::uint64_t released = 0;
  if (manage_memory)
    pass.passed = [&](std::uint64_t at) {
      releases.push_back(workers.start([&input, from = released, at] { input.release(from, at - from); }));
      released = at;
    };
  diagnostics.append(osm::pass_through(input, document, output, pass, [&](osm::NodeSink& sink) {
    for (std::vector<House> houses; queue.pop(houses);) {
      if (options.as_buildings)
        buildings.write(houses, sink);
      else
        writer.write(houses, sink);
      if (options.keep_houses) all.insert(all.end(), houses.begin(), houses.end());
    }
    placing.wait();
  }));
  placed.houses = std::move(all);
  return placed;
}

}  // namespace

Parsed<osm::Document> read_map(const Input& input, Workers& workers) {
  osm::ReadOptions read;
  read.keep_keys = town_keys();
  read.locate_key = std::string(kGeneratedKey);
  if (workers.count() > 1) read.workers = &workers;
  return osm::read(input, read);
}

void report_deep_models(const autosim::HouseList& houses, const PlaceOptions& options, Diagnostics& diagnostics) {
  if (options.front_distance || options.fronts_by_street) return;
  for (const autosim::LanduseSection& section : houses.sections)
    for (const autosim::HouseModel& model : section.models)
      if (model.box_size.z / 2 > options.street_distance)
        diagnostics.report(
            code::kModelDeep, model.place.at,
            fmt::format("{} is {} m deep: with its middle {} m from the street its front would be on the "
                        "pavement; it is set back",
                        quoted(model.name), number_text(model.box_size.z), number_text(options.street_distance)));
}

std::optional<Generated> generate(const Input& input, osm::Document& document, const autosim::MapSetup& setup,
                                  const autosim::HouseList& houses, GenerateOptions options, AtomicFile& output,
                                  Workers& workers, Diagnostics& diagnostics) {
  if (workers.count() > 1) options.town.workers = options.place.workers = &workers;
  // Input and output have about the same length only for uncompressed files.
  const bool plain = document.type == osm::FileType{} && osm::type_of_name(output.path()) == osm::FileType{};
  const bool manage_memory = workers.count() > 1 && plain && input.text().size() > kLargeMap;
  if (osm::crosses_antimeridian(document.model)) {
    diagnostics.report(code::kAntimeridian, {}, osm::kAntimeridianText);
    return std::nullopt;
  }
  const NodeIds ids = choose_ids(document, options, diagnostics);
  document.model.drop_node_ids();
  Generated result;
  result.town = make_town(document.model, setup, houses, document.layout.located_nodes, options.town, diagnostics);
  const std::vector<KindLength>& lengths = result.town.lengths;
  if (std::none_of(lengths.begin(), lengths.end(), [](const KindLength& kind) { return kind.in_setup; }))
    diagnostics.report(code::kRoadsNone, {}, "no road of the map has a kind that the setup lists");
  if (diagnostics.has_errors() || (options.strict && diagnostics.warnings() > 0)) return std::nullopt;
  if (!options.keep_map) {
    osm::Model rest;
    rest.version = document.model.version;  // requested by the writer
    document.model = std::move(rest);
  }
  result.placed = place_and_write(input, document, result.town, options, ids, manage_memory, output, workers, diagnostics);
  if (!result.placed.refused.empty()) diagnostics.report(code::kCrowded, {}, result.placed.refused);
  if (diagnostics.has_errors()) return std::nullopt;
  return result;
}

}  // namespace simbatch::town
