#pragma once
/// The road network of --rndf.

#include <memory>
#include <string>

#include "apps/common/command.hpp"
#include "base/core/diagnostics.hpp"
#include "lib/traffic/network.hpp"

namespace simbatch::objconv {

/// The option --rndf, required or not.
void add_rndf_option(cli::Command& command, std::string& file, bool required);
/// The option --planar, for RNDFs whose coordinates are meters (rndf::ReadOptions::planar).
void add_planar_option(cli::Command& command, bool& planar);
/// The network in `file`, checked; null if that is empty or the network cannot be used.
/// @throws IoError
std::shared_ptr<const traffic::Network> load_network(const std::string& file, const rndf::ReadOptions& options,
                                                     Diagnostics& diagnostics);

}  // namespace simbatch::objconv
