#pragma once
/// DepthCamera and SemanticCamera devices: one value per pixel, at a rate of their own. docs/devices.md has their data and
/// conventions.

#include <memory>
#include <vector>

#include "lib/sim/device/body_table.hpp"
#include "lib/sim/device/device_set.hpp"
#include "lib/sim/device/sample_clock.hpp"
#include "lib/sim/vision/embree_device.hpp"
#include "lib/sim/vision/ray_scene.hpp"

namespace simbatch::sim::vision {

struct RangeImageSettings {
  geo::Pose pose;              ///< of the camera in its part: +z forward, +y up
  double field_of_view = 1;    ///< vertical, rad, in (0, pi)
  int width = 1, height = 1;   ///< pixels, >= 1
  double near = 0, far = 100;  ///< m along the ray, 0 <= near < far
  double rate = 0;             ///< images per second; 0: one after every step
  bool semantic = false;       ///< classes in place of depths
  std::size_t pixels() const { return static_cast<std::size_t>(width) * static_cast<std::size_t>(height); }
};
/// Most pixels of such a camera, and of all of a simulation together.
inline constexpr std::size_t kMaxRangePixels = std::size_t{1} << 16, kMaxAllRangePixels = std::size_t{1} << 20;

/// What a pixel of a SemanticCamera shows.
enum class PixelClass { nothing, ground, building, robot, object };

/// Through the middles of pixels, rows from the top, in the camera's own frame; of length 1. A pinhole: equal pixels are
/// equally large on a plane across the axis.
std::vector<geo::Vec3> pixel_directions(const RangeImageSettings& settings);

class RangeImages final : public Participant {
 public:
  /// @param bodies  added to the simulation before this
  RangeImages(Simulation& simulation, BodyTable& bodies, std::shared_ptr<EmbreeDevice> device);
  ~RangeImages() override;

  /// Registers a node below the part: a value per pixel, then `images`. nullptr when the name is taken (reported).
  /// @pre settings.pixels() <= kMaxRangePixels
  DeviceNode* add_camera(const PartRef& part, const DeviceCommon& common, const RangeImageSettings& settings, Diagnostics&);
  /// Of all cameras so far.
  std::size_t pixels() const { return pixels_; }

  void start(const Clock& clock) override { look(clock.step); }
  void after_step(const Clock& clock) override { look(clock.step); }

 private:
  struct Camera {
    std::size_t offset, body;
    RangeImageSettings settings;
    std::vector<geo::Vec3> directions;  // in the camera
    int group;
    SampleClock clock;
    NoiseGenerator noise;
  };
  void look(std::int64_t step);
  void measure_depths(const Camera& camera, const geo::Pose& pose, std::span<double> values);
  void find_classes(const Camera& camera, const geo::Pose& pose, std::span<double> values);
  PixelClass class_of(physics::BodyId body) const;

  Simulation& simulation_;
  BodyTable& bodies_;
  RayScene scene_;
  std::vector<Camera> cameras_;
  std::vector<geo::Vec3> rays_;        // of the image at hand, in the world
  std::vector<physics::BodyId> seen_;  // likewise
  std::size_t pixels_ = 0;
};

}  // namespace simbatch::sim::vision
