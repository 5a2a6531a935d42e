#include "apps/objconv/network.hpp"

#include "base/core/input.hpp"
#include "lib/file_kind/file_kind.hpp"

namespace simbatch::objconv {

void add_rndf_option(cli::Command& command, std::string& file, bool required) {
  command.group("Input");
  cli::Option& option = command.option("--rndf", "FILE", file, "Road network (RNDF) that waypoints are looked up in");
  if (required) option.required();
}

std::shared_ptr<const traffic::Network> load_network(const std::string& file, bool strict, Diagnostics& diagnostics) {
  if (file.empty()) return nullptr;
  const Input input = Input::open(file);
  if (file_kind::report_other_kind(input.text(), input.name(), file_kind::Purpose::network, diagnostics)) return nullptr;
  return traffic::read_network(input.text(), input.name(), {.strict = strict}, diagnostics);
}

}  // namespace simbatch::objconv
