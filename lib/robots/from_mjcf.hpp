#pragma once
/// MJCF models as worlds: each top-level body with its descendants becomes a model.

#include <optional>
#include <string>

#include "base/core/diagnostics.hpp"
#include "formats/mjcf/mjcf.hpp"
#include "lib/robots/model.hpp"
#include "lib/robots/solids.hpp"

namespace simbatch::robots {

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
