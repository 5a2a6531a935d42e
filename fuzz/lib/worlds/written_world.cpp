// Any AutoSim world of one file that can be built becomes SDF, which is read again without an error; what moves becomes URDF or is
// refused.
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

#include "formats/autosim/world.hpp"
#include "formats/sdf/read.hpp"
#include "formats/sdf/sdf.hpp"
#include "formats/urdf/urdf.hpp"
#include "fuzz/scratch_folder.hpp"
#include "lib/robots/to_sdf.hpp"
#include "lib/robots/to_urdf.hpp"
#include "lib/scenario/build.hpp"
#include "lib/worlds/models_of.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace simbatch;
  static const ScratchFolder folder("written");
  if (size > 20'000) return 0;
  // What the scenario says comes from memory.
  static const bool is_made = static_cast<bool>(std::ofstream(folder.path / "world.xml") << "<World/>");
  if (!is_made) std::abort();
  scenario::BuildOptions options;
  options.text = std::string(reinterpret_cast<const char*>(data), size);
  options.programs = scenario::ProgramUse::ignore;
  scenario::BuildResult built = scenario::build_scenario((folder.path / "world.xml").string(), options);
  if (built.value.has_value() == built.diagnostics.has_errors()) std::abort();
  if (!built.value) return 0;
  scenario::ScenarioFiles files;
  if (auto world = autosim::read_world(*options.text, "world.xml"); world.value) files.world = std::move(*world.value);
  Diagnostics problems;
  worlds::report_losses(files, "world.xml", problems);
  grasp::MeshFiles meshes;
  const robots::World world = worlds::models_of(*built.value, files, {.mesh_format = "obj"}, meshes, problems);
  const std::string sdf = sdf::write_world(robots::to_sdf(world, problems));
  if (!problems.has_errors() && !sdf::file::read_sdf(sdf, "again.sdf").ok()) std::abort();
  for (const robots::Model& model : world.models) {
    Diagnostics losses;
    const urdf::Robot robot = robots::to_urdf(model, losses);
    if (!losses.has_errors() && !urdf::read_urdf(urdf::write_urdf(robot), "again.urdf").ok()) std::abort();
  }
  return 0;
}
