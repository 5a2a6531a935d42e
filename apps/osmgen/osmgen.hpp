#pragma once
/// The commands of osmgen. Each function declares the options of one, beside the code that uses them.

#include "apps/common/command.hpp"

namespace simbatch::osmgen {

/// osmgen FILE: puts houses and trees along the roads of a map; with --remove it takes them out again.
void add_generate(cli::Command& program);
/// osmgen check FILE: well-formedness, ids, references, bounds, and whether the setup covers the kinds of road. Reads only.
void add_check(cli::Command& program);
/// osmgen info FILE: what a map contains, for people or as JSON. Reads only.
void add_info(cli::Command& program);

}  // namespace simbatch::osmgen
