#pragma once
/// Source of the pictures of Camera devices. lib/sim/vision draws them; user programs, frames and snapshots request them
/// through Simulation::images().

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace simbatch::sim {

class TreeNode;

struct ImageSize {
  int width = 0, height = 0;  ///< pixels
  std::size_t pixels() const { return static_cast<std::size_t>(width) * static_cast<std::size_t>(height); }
};

class ImageSource {
 public:
  virtual ~ImageSource() = default;
  /// Nothing if the node is not a camera of this simulation.
  virtual std::optional<ImageSize> image_size(const TreeNode& camera) const = 0;
  /// Draws the camera's current view. Does not affect the simulation.
  /// @param pixels  image_size().pixels() of them, rows from the top, from left to right; each is alpha, blue, green, red
  ///                from the highest byte to the lowest (thesis, listing B.2)
  virtual void render(const TreeNode& camera, std::span<std::uint32_t> pixels) = 0;
};

}  // namespace simbatch::sim
