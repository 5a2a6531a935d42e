#include "apps/objconv/network.hpp"

#include "base/core/input.hpp"
#include "lib/file_kind/file_kind.hpp"

namespace simbatch::objconv {

void add_rndf_option(cli::Command& command, std::string& file, bool required) {
  command.group("Input");
  cli::Option& option = command.option("--rndf", "FILE", file, "Road network (RNDF) that waypoints are looked up in");
  if (required) option.required();
}

void add_planar_option(cli::Command& command, bool& planar) {
  command.group("Input");
  command.flag("--planar", planar, "Coordinates of RNDFs are meters on a plane, east and north, not degrees");
}

std::shared_ptr<const traffic::Network> load_network(const std::string& file, const rndf::ReadOptions& options,
                                                     Diagnostics& diagnostics) {
  if (file.empty()) return nullptr;
  const Input input = Input::open(file);
  if (file_kind::report_other_kind(input.text(), input.name(), file_kind::Purpose::network, diagnostics)) return nullptr;
  return traffic::read_network(input.text(), input.name(), options, diagnostics);
}

}  // namespace simbatch::objconv
