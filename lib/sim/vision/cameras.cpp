#include "lib/sim/vision/cameras.hpp"

namespace simbatch::sim::vision {

using namespace scene;

Cameras::Cameras(const Simulation& simulation, std::vector<ImagingCamera> cameras, Appearance appearance,
                 std::shared_ptr<EmbreeDevice> device)
    : cameras_(std::move(cameras)), renderer_(simulation, std::move(appearance), std::move(device)) {}
Cameras::~Cameras() = default;

std::optional<View> Cameras::view_of(const TreeNode& camera) const {
  for (const ImagingCamera& look : cameras_) {
    if (look.node != &camera) continue;
    const auto v = camera.values();
    View view;
    view.pose = {{v[0], v[1], v[2]}, {v[3], v[4], v[5], v[6]}};
    view.field_of_view = look.field_of_view;
    view.width = look.width;
    view.height = look.height;
    return view;
  }
  return std::nullopt;
}

std::optional<ImageSize> Cameras::image_size(const TreeNode& camera) const {
  const auto view = view_of(camera);
  return view ? std::optional(ImageSize{view->width, view->height}) : std::nullopt;
}

void Cameras::render(const TreeNode& camera, std::span<std::uint32_t> pixels) {
  if (const auto view = view_of(camera)) renderer_.draw(*view, pixels);
}

}  // namespace simbatch::sim::vision
