#pragma once
/// Pictures of a simulation, rendered on the CPU: see docs/vision.md.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "base/core/diagnostics.hpp"
#include "base/geo/pose.hpp"
#include "lib/sim/scene/appearance.hpp"
#include "lib/sim/simulation.hpp"
#include "lib/sim/vision/embree_device.hpp"

namespace simbatch::sim::vision {

class Moment;
struct PixelNoise;

struct View {
  geo::Pose pose;                 ///< of the eye: +z looks forward, +y is up in the picture
  double field_of_view = 1;       ///< vertical, rad, in (0, pi)
  int width = 320, height = 240;  ///< pixels, > 0
  int samples = 1;                ///< per pixel and direction: n x n rays each
  double daylight = 1;            ///< 0 (night) to 1
  /// What was then is drawn; null: what is now. Never before the simulation's start.
  std::shared_ptr<const Moment> moment = nullptr;
  std::shared_ptr<const PixelNoise> noise = nullptr;  ///< added to the pixels; null: none
};

class Renderer {
 public:
  /// Nothing is built before the first draw().
  Renderer(const Simulation& simulation, scene::Appearance appearance, std::shared_ptr<EmbreeDevice> device);
  ~Renderer();

  /// Draws everything at its pose of that moment. Does not affect the simulation.
  /// @throws std::invalid_argument for numbers out of the ranges of View
  /// @param pixels  width * height; alpha (255), blue, green, red from the highest byte down; rows from the top
  void draw(const View& view, std::span<std::uint32_t> pixels) { (void)draw(view, pixels, {}); }
  /// The same, step by step: calls keep_going(rows done, rows in all) every few rows of rays. False, with an unfinished
  /// picture, when that returned false.
  bool draw(const View& view, std::span<std::uint32_t> pixels, const std::function<bool(int, int)>& keep_going);

  /// Reads the models that draw() would use to report their problems, and builds nothing.
  void check_models();
  /// Problems of model files, which are read at the first draw() or check_models().
  const Diagnostics& problems() const;
  /// The appearance of objects.
  const scene::Appearance& appearance() const;

 private:
  struct Scene;
  std::unique_ptr<Scene> scene_;
};

/// The upright pose of an eye at `from` looking at `to`. Straight up or down: the picture's top is north.
geo::Pose looking_at(geo::Vec3 from, geo::Vec3 to);

}  // namespace simbatch::sim::vision
