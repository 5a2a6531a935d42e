// libsdformat loads the SDF that we make of the worlds below a folder, and of one of our own, without an error.
#include <cstdio>
#include <sdf/Root.hh>
#include <vector>

#include "lib/grasp/export.hpp"
#include "tests/peers/comparison.hpp"

int main(int argc, char** argv) {
  using namespace simbatch;
  const std::vector<std::string> files = peers::files_below(argc > 1 ? argv[1] : "", ".wld");
  std::size_t bad = 0;
  for (const std::string& file : files) {
    grasp::GraspOptions options;
    options.missing = Severity::warning;
    const auto world = grasp::load_world(file, options);
    grasp::MeshFiles meshes;
    Diagnostics diagnostics;
    const std::string text = simbatch::sdf::write_world(grasp::to_sdf(*world.value, {}, meshes, diagnostics));
    ::sdf::Root root;
    for (const auto& fault : root.LoadSdfString(text)) {
      ++bad;
      std::printf("%s: %s\n", file.c_str(), fault.Message().c_str());
    }
  }
  std::printf("%zu worlds, %zu faults\n", files.size(), bad);
  return bad == 0 ? 0 : 1;
}
