#include "apps/objconv/network.hpp"

#include <CLI/CLI.hpp>

#include "base/core/input.hpp"

namespace simbatch::objconv {

void add_rndf_option(CLI::App& command, std::string& file, bool required) {
  command.add_option("--rndf", file, "Road network (RNDF) that waypoints are looked up in")
      ->required(required)
      ->type_name("FILE")
      ->group("Input");
}

std::shared_ptr<const traffic::Network> load_network(const std::string& file, bool strict, Diagnostics& diagnostics) {
  if (file.empty()) return nullptr;
  const Input input = Input::open(file);
  return traffic::read_network(input.text(), input.name(), {.strict = strict}, diagnostics);
}

}  // namespace simbatch::objconv
