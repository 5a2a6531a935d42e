#pragma once
/// Scenarios, as they were built, as models of lib/robots: what becomes URDF and SDF. z up and right-handed.

#include "base/core/diagnostics.hpp"
#include "lib/grasp/export.hpp"
#include "lib/robots/model.hpp"
#include "lib/scenario/build.hpp"
#include "lib/scenario/scenario_files.hpp"

namespace simbatch::worlds {

/// Every body where it is, with the mass, center and tensor that it is simulated with: robots with their joints, loose objects, and what
/// never moves, the ground too. Bodies that a program of ours moves (CajunBot objects) stay where they are. Boxes, spheres,
/// cylinders and capsules stay what they are; anything else becomes a file of triangles. With friction and restitution where they
/// are not 1 and 0, and the colors that are drawn.
/// @param files   of the same scenario
/// @param meshes  gets the files: "MESH_FOLDER/NAME.stl"
robots::World models_of(const scenario::BuiltScenario& built, const scenario::ScenarioFiles& files,
                        const grasp::ExportOptions& options, grasp::MeshFiles& meshes, Diagnostics& problems);

/// Reports what files of a scenario say that no body shows: devices, water, settings in time, programs, missions, expectations.
void report_losses(const scenario::ScenarioFiles& files, const std::string& scenario, Diagnostics& problems);

}  // namespace simbatch::worlds
