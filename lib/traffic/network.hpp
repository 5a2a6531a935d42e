#pragma once
/// A road network ready for use: read and checked once, then shared by all inputs of a run.

#include <memory>
#include <string>
#include <string_view>

#include "base/core/diagnostics.hpp"
#include "base/geo/geo.hpp"
#include "formats/rndf/rndf.hpp"

namespace simbatch::traffic {

/// Not copyable, since the index refers to the network. May be read from several threads.
struct Network {
  explicit Network(rndf::Rndf network, std::string file_name = {});
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  const std::string file;  ///< that it was read from; empty: none
  const rndf::Rndf rndf;
  const rndf::Index index;
  const geo::LatLon origin;  ///< the first waypoint; 0 0 if there is none
};

/// Reads and checks a network (rndf::read_rndf, rndf::check).
/// @return null if it has errors; `diagnostics` has its problems in any case
std::shared_ptr<const Network> read_network(std::string_view text, const std::string& file, const rndf::ReadOptions& options,
                                            Diagnostics& diagnostics);

}  // namespace simbatch::traffic
