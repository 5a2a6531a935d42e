#pragma once
/// Pictures of Camera devices, which programs, frames and snapshots get through Simulation::images().

#include <memory>
#include <utility>
#include <vector>

#include "lib/sim/device/image_source.hpp"
#include "lib/sim/participant.hpp"
#include "lib/sim/vision/renderer.hpp"

namespace simbatch::sim::vision {

struct ImagingCamera {
  const TreeNode* node = nullptr;  ///< its first seven numbers are its pose, which DeviceSet updates
  double field_of_view = 1;        ///< vertical, rad
  int width = 320, height = 240;   ///< pixels
};

/// No cost before the first picture, and no effect on the run: no node, no hash.
class Cameras final : public Participant, public ImageSource {
 public:
  Cameras(const Simulation& simulation, std::vector<ImagingCamera> cameras, scene::Appearance appearance,
          std::shared_ptr<EmbreeDevice> device);
  ~Cameras() override;

  std::optional<ImageSize> image_size(const TreeNode& camera) const override;
  void render(const TreeNode& camera, std::span<std::uint32_t> pixels) override;

  const std::vector<ImagingCamera>& cameras() const { return cameras_; }
  Renderer& renderer() { return renderer_; }
  /// The view of this camera; empty if it is not one of these.
  std::optional<View> view_of(const TreeNode& camera) const;

 private:
  std::vector<ImagingCamera> cameras_;
  Renderer renderer_;
};

}  // namespace simbatch::sim::vision
