// A URDF robot, or an SDF or MJCF file, that is read without an error becomes SDF and, model by model, URDF or is refused: what is
// written is read again without an error.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "formats/mjcf/mjcf.hpp"
#include "formats/sdf/read.hpp"
#include "formats/sdf/sdf.hpp"
#include "formats/urdf/urdf.hpp"
#include "lib/robots/from_mjcf.hpp"
#include "lib/robots/from_sdf.hpp"
#include "lib/robots/from_urdf.hpp"
#include "lib/robots/to_autosim.hpp"
#include "lib/robots/to_sdf.hpp"
#include "lib/robots/to_urdf.hpp"

namespace {
using namespace simbatch;

std::optional<robots::World> world_of(std::string_view text) {
  Diagnostics problems;
  std::optional<robots::World> world;
  if (text.find("<robot") != std::string_view::npos) {
    const auto read = urdf::read_urdf(text, "fuzz");
    if (!read.ok()) return std::nullopt;
    world.emplace();
    world->models.push_back(robots::from_urdf(*read.value));
  } else if (text.find("<mujoco") != std::string_view::npos) {
    const auto read = mjcf::read_mjcf(text, "fuzz", nullptr);
    if (!read.ok()) return std::nullopt;
    world = robots::from_mjcf(*read.value, nullptr, problems);
  } else {
    const auto read = sdf::file::read_sdf(text, "fuzz");
    if (!read.ok()) return std::nullopt;
    world = robots::from_sdf(
        *read.value, "fuzz",
        [](const std::string&, const std::string&, Position) -> std::optional<robots::IncludedFile> { return std::nullopt; },
        problems);
  }
  if (problems.has_errors()) return std::nullopt;
  return world;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::optional<robots::World> world = world_of({reinterpret_cast<const char*>(data), size});
  if (!world) return 0;
  Diagnostics problems;
  const std::string sdf = sdf::write_world(robots::to_sdf(*world, problems));
  if (!problems.has_errors() && !sdf::file::read_sdf(sdf, "again.sdf").ok()) std::abort();
  for (const robots::Model& model : world->models) {
    Diagnostics losses;
    const urdf::Robot robot = robots::to_urdf(model, losses);
    if (!losses.has_errors() && !urdf::read_urdf(urdf::write_urdf(robot), "again.urdf").ok()) std::abort();
  }
  Diagnostics assumed;
  (void)robots::to_autosim(
      *world, "fuzz", [](const std::string& name, const std::string&, Position) { return std::optional(name); }, assumed);
  return 0;
}
