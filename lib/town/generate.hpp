#pragma once
/// The whole pipeline: from a map to the same map with houses and trees.

#include <cstdint>
#include <optional>
#include <vector>

#include "base/core/atomic_file.hpp"
#include "base/core/diagnostics.hpp"
#include "base/core/input.hpp"
#include "base/core/workers.hpp"
#include "formats/autosim/houses.hpp"
#include "formats/autosim/setup.hpp"
#include "formats/osm/document.hpp"
#include "lib/town/place.hpp"
#include "lib/town/place_options.hpp"
#include "lib/town/town.hpp"
#include "lib/town/town_options.hpp"

namespace simbatch::town {

struct GenerateOptions {
  TownOptions town;
  PlaceOptions place;
  /// The new nodes get these ids and the following ones (> 0); by default, negative ids below all ids used by the map.
  std::optional<osm::Id> positive_ids_from{};
  bool keep_map = false;      ///< keep the map in the document for a preview, instead of releasing its memory for the placement
  bool keep_houses = false;   ///< also return the houses, for drawing
  bool as_buildings = false;  ///< outlines with heights (BuildingWriter) instead of nodes with models
  bool strict = false;        ///< write nothing if there are warnings
};

/// Reads the parts of a map that generate() needs. @param workers  used for large maps; the result does not depend on them
Parsed<osm::Document> read_map(const Input& input, Workers& workers);

/// Warns about models that would reach onto the pavement at the configured distance from the street.
void report_deep_models(const autosim::HouseList& houses, const PlaceOptions& options, Diagnostics& diagnostics);

struct Generated {
  Town town;
  PlacedHouses placed;
};
/// Makes the town, places houses, and writes them and the map. The output does not depend on the number of workers.
/// @param document  the result of read_map(). Its node ids are released, or, without `keep_map`, its whole model
/// @param houses    must outlive the result
/// @param output    written, not committed
/// @param diagnostics  gets the problems
/// @return nothing if there were errors, or warnings with `strict`
/// @throws IoError
std::optional<Generated> generate(const Input& input, osm::Document& document, const autosim::MapSetup& setup,
                                  const autosim::HouseList& houses, GenerateOptions options, AtomicFile& output,
                                  Workers& workers, Diagnostics& diagnostics);

}  // namespace simbatch::town
