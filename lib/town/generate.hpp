#pragma once
/// The whole of generating: from a map to the same map with houses and trees.

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
  /// The new nodes get these ids and the following ones (> 0); by default, negative ones below all that the map uses.
  std::optional<osm::Id> positive_ids_from{};
  bool keep_map = false;     ///< leave the map in the document for a preview, instead of giving its memory to the placing
  bool keep_houses = false;  ///< return the houses too, for drawing
  bool strict = false;       ///< write nothing if there are warnings
};

/// Reads a map with what generate() needs. @param workers  help with large maps; the result is the same without any
Parsed<osm::Document> read_map(const Input& input, Workers& workers);

/// Warns about models that reach onto the pavement at the distance from the street that is set.
void report_deep_models(const autosim::HouseList& houses, const PlaceOptions& options, Diagnostics& diagnostics);

struct Generated {
  Town town;
  PlacedHouses placed;
};
/// Makes the town, places houses, and writes them and the map. The output does not depend on the number of workers.
/// @param document  what read_map() made of the input. Its model loses its node ids, or everything (`keep_map`)
/// @param houses    must outlive the result
/// @param output    written, not committed
/// @param diagnostics  gets the problems
/// @return nothing if there were errors, or warnings with `strict`
/// @throws IoError
std::optional<Generated> generate(const Input& input, osm::Document& document, const autosim::MapSetup& setup,
                                  const autosim::HouseList& houses, GenerateOptions options, AtomicFile& output,
                                  Workers& workers, Diagnostics& diagnostics);

}  // namespace simbatch::town
