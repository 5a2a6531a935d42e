#pragma once
/// Writing whole models.

#include <string>

#include "formats/osm/osm.hpp"

namespace simbatch::osm {

struct WriteOptions {
  std::string generator = "simbatch";  ///< written as `<osm generator=...>`, instead of the model's
};

/// The canonical XML of a model: two blanks of indentation, double quotes, at most 7 decimals. Authors, versions and time
/// stamps are not in a model and not in the output; positive ids get version="1" in 0.6 (JOSM demands one).
std::string write_xml(const Model& model, const WriteOptions& options = {});
/// Writes a model to a file, atomically, in the type of its name (.osm, .osm.gz, .osm.bz2, .osm.pbf).
/// @throws IoError
void write_file(const Model& model, const std::string& file, const WriteOptions& options = {});

}  // namespace simbatch::osm
