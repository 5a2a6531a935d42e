#pragma once
/// MJCF models as worlds: each top-level body with its descendants becomes a model.

#include <functional>
#include <optional>
#include <string>

#include "base/core/diagnostics.hpp"
#include "formats/mjcf/mjcf.hpp"
#include "lib/robots/model.hpp"

namespace simbatch::robots {

/// Volume (as the mass, m^3), center and tensor of a mesh of density 1, in its own axes and scaled; nothing if it cannot be read or
/// encloses nothing. Reports nothing: that is left to the code that makes the shape.
/// @param name  as written in the file  @param from  the file that names the mesh
using MeshMeasure = std::function<std::optional<Inertial>(const std::string& name, const std::string& from, Vec3 scale)>;

/// Masses and tensors are those that MuJoCo's compiler computes from inertials and geoms. A body with several joints gets
/// intermediate parts of a thousandth of its mass between them; a model with such a body does not collide with itself.
/// Actuators become motors.
/// @param measure  null: meshes without a mass have none
/// @pre the model was read without errors
World from_mjcf(const mjcf::Model& model, const MeshMeasure& measure, Diagnostics& problems);

namespace detail {

/// The inertial of a body, explicit or computed from its geoms; nothing for a body without mass.
std::optional<Inertial> inertial_of(const mjcf::Body& body, const mjcf::Model& model, const MeshMeasure& measure);
/// Mass, center and tensor of a shape of density 1, about its center, in its own axes; nothing for planes and mesh files.
std::optional<Inertial> unit_solid(const mjcf::Geom& geom, const mjcf::Mesh* mesh);

}  // namespace detail
}  // namespace simbatch::robots
