#pragma once
/// The commands of osmgen. Each function declares the options of one, beside the code that uses them.

#include "apps/common/command.hpp"
#include "base/core/input.hpp"
#include "formats/osm/read.hpp"

namespace simbatch::osmgen {

/// Reads a map. Of a file that is of another kind, the problems are one error that names the program that reads it.
Parsed<osm::Document> read_map(const Input& input, const osm::ReadOptions& options);

/// osmgen FILE: puts houses and trees along the roads of a map; with --remove it takes them out again.
void add_generate(cli::Command& program);
/// osmgen check FILE: well-formedness, ids, references, bounds, and whether the setup covers the kinds of road. Reads only.
void add_check(cli::Command& program);
/// osmgen info FILE: what a map contains, for people or as JSON. Reads only.
void add_info(cli::Command& program);

}  // namespace simbatch::osmgen
