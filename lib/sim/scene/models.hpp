#pragma once
/// Models of bodies, wheels and houses, as they are drawn. Internal to this room.

#include <optional>
#include <string_view>

#include "base/core/diagnostics.hpp"
#include "lib/models/model_reader.hpp"
#include "lib/sim/scene/appearance.hpp"

namespace simbatch::scene {

using models::Model;

/// Reads LOD0/model.<type> of the folder (or the folder itself if it is a file). Empty, with a warning where it is
/// referenced, if there is no such file or it cannot be read. @param instead  the substitute, for the warning
std::optional<Model> read_model(models::ModelReader& reader, const models::ModelFile& file, std::string_view instead,
                                Diagnostics& problems);

/// Stretches a model so that its bounding box has `size` and is centered at the origin.
void fit_into_box(Model& model, geo::Vec3 size);

}  // namespace simbatch::scene
