// libsdformat loads the SDF that we make of the worlds below a folder, and of one of our own, without an error.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <sdf/Root.hh>
#include <vector>

#include "lib/grasp/export.hpp"

int main(int argc, char** argv) {
  using namespace simbatch;
  std::vector<std::string> files;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator entry(argc > 1 ? argv[1] : "", error), end; !error && entry != end;
       entry.increment(error))
    if (entry->path().extension() == ".wld") files.push_back(entry->path().string());
  std::sort(files.begin(), files.end());
  if (files.empty()) std::printf("skipped: no world below %s\n", argc > 1 ? argv[1] : "");
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
