#include "lib/traffic/network.hpp"

#include "lib/traffic/traffic.hpp"

namespace simbatch::traffic {

Network::Network(rndf::Rndf network, std::string file_name)
    : file(std::move(file_name)), rndf(std::move(network)), index(rndf), origin(first_place(rndf).value_or(geo::LatLon{})) {}

std::shared_ptr<const Network> read_network(std::string_view text, const std::string& file, const rndf::ReadOptions& options,
                                            Diagnostics& diagnostics) {
  Parsed<rndf::Rndf> parsed = rndf::read_rndf(text, file, options);
  if (parsed.value) rndf::check(*parsed.value, parsed.diagnostics);
  const bool usable = parsed.ok();
  diagnostics.append(std::move(parsed.diagnostics));
  return usable ? std::make_shared<const Network>(std::move(*parsed.value), file) : nullptr;
}

}  // namespace simbatch::traffic
