#pragma once
/// Pictures of Camera devices, which programs, frames and snapshots get through Simulation::images().

#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "lib/sim/device/image_source.hpp"
#include "lib/sim/device/noise.hpp"
#include "lib/sim/device/sampling.hpp"
#include "lib/sim/participant.hpp"
#include "lib/sim/vision/moment.hpp"
#include "lib/sim/vision/renderer.hpp"

namespace simbatch::sim::vision {

struct ImagingCamera {
  const TreeNode* node = nullptr;     ///< its first seven numbers are its pose, which DeviceSet updates
  double field_of_view = 1;           ///< vertical, rad
  int width = 320, height = 240;      ///< pixels
  Sampling sampling = {};             ///< rate and latency; the node's pose has them as well (SensorSampling)
  std::vector<NoiseSpec> noise = {};  ///< of each channel of each pixel, as shares of its full value
};

/// No cost before the first picture, and no effect on the run: no node, no hash. Of cameras with a rate or a latency the poses
/// of all that moves are kept at each sample, and drawn when a picture is requested.
class Cameras final : public Participant, public ImageSource {
 public:
  Cameras(const Simulation& simulation, std::vector<ImagingCamera> cameras, scene::Appearance appearance,
          std::shared_ptr<EmbreeDevice> device);
  ~Cameras() override;

  std::optional<ImageSize> image_size(const TreeNode& camera) const override;
  void render(const TreeNode& camera, std::span<std::uint32_t> pixels) override;
  void start(const Clock& clock) override;
  void after_step(const Clock& clock) override;

  const std::vector<ImagingCamera>& cameras() const { return cameras_; }
  Renderer& renderer() { return renderer_; }
  /// The view of this camera, at its last sample that has arrived; empty if it is not one of these.
  std::optional<View> view_of(const TreeNode& camera) const;

 private:
  struct Samples {
    struct Sample {
      std::int64_t shows = 0;  // step
      std::shared_ptr<const Moment> moment;
    };
    SampleClock clock;
    std::int64_t delay = 0;  // steps
    std::deque<Sample> waiting;
    std::shared_ptr<const Moment> shown;
  };
  std::shared_ptr<const Moment> now();

  const Simulation& simulation_;
  std::vector<ImagingCamera> cameras_;
  std::vector<std::optional<Samples>> samples_;  // of each camera; none: its pictures show the moment of the request
  std::vector<std::shared_ptr<Moment>> moments_;
  std::size_t next_moment_ = 0;  // in moments_, the one that is likely no longer in use
  Renderer renderer_;
};

/// Count of the numbers that are kept for a camera's pictures; bounded by kMaxDelayed.
double delayed_numbers(const Simulation& simulation, const ImagingCamera& camera, std::size_t lights);

}  // namespace simbatch::sim::vision
