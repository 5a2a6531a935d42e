#include "lib/robots/as_seen.hpp"

#include <utility>

namespace simbatch::robots {

Model as_seen(Model model, const std::function<bool(const Solid&)>& can_draw) {
  for (Part& part : model.parts) {
    std::vector<Solid> seen;
    for (const Solid& solid : part.visuals)
      if (solid.shape.kind != Shape::Kind::plane && can_draw(solid)) seen.push_back(solid);
    if (!seen.empty() && (seen.size() == part.visuals.size() || part.collisions.empty())) {
      part.collisions = std::move(seen);
      part.by_density = false;
    }
    if (!part.inertial && !part.by_density) part.inertial = Inertial{1, {}, {1, 1, 1, 0, 0, 0}};
  }
  return model;
}

}  // namespace simbatch::robots
