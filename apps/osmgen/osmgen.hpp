#pragma once
/// The commands of osmgen. Each function declares the options of one, beside the code that uses them.

#include "apps/common/command.hpp"
#include "base/core/input.hpp"
#include "formats/osm/read.hpp"

namespace simbatch::osmgen {

/// Reads a map. A file of another kind yields a single error that names the right program.
Parsed<osm::Document> read_map(const Input& input, const osm::ReadOptions& options);

/// osmgen FILE: puts houses and trees along the roads of a map; with --remove it removes them again.
void add_generate(cli::Command& program);
/// osmgen init FILE: a folder with setup, house list, houses, and a scenario with a car.
void add_init(cli::Command& program);
/// osmgen check FILE: well-formedness, ids, references, bounds, and whether the setup covers the kinds of road. Reads only.
void add_check(cli::Command& program);
/// osmgen info FILE: contents of a map, as text or JSON. Reads only.
void add_info(cli::Command& program);

}  // namespace simbatch::osmgen
