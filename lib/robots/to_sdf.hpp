#pragma once
/// Models and worlds as SDF.

#include "base/core/diagnostics.hpp"
#include "formats/sdf/sdf.hpp"
#include "lib/robots/model.hpp"

namespace simbatch::robots {

/// Links have the frames of their parts, and joints keep their places, with the numbers of a file (the `written` ones) where there are
/// any; scopes become models in the model. Reports what SDF cannot express: rotors, kinds of motors, planar joints, parts without mass,
/// names that are in use. Meshes keep their file names.
sdf::Model to_sdf(const Model& model, Diagnostics& problems);
/// Names are made unique. An empty name becomes "world_of_models", since "world" is reserved.
sdf::World to_sdf(const World& world, Diagnostics& problems);

}  // namespace simbatch::robots
