#pragma once
/// Models as people see them, for pictures.

#include <functional>

#include "lib/robots/model.hpp"

namespace simbatch::robots {

/// The model with what its parts look like in place of the shapes that they collide with, where all visuals of a part can be drawn, or where it has
/// no collision shape. Only for models that are drawn and not run: parts without mass get some.
/// @param can_draw  false for a visual that is left out: a mesh that cannot be read
Model as_seen(Model model, const std::function<bool(const Solid&)>& can_draw);

}  // namespace simbatch::robots
