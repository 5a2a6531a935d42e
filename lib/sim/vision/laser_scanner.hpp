#pragma once
/// LaserScanner devices (the thesis' future work, chapter 7): many rays from one point, at their own rate. docs/devices.md has
/// their data and conventions.

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "lib/sim/device/body_table.hpp"
#include "lib/sim/device/device_set.hpp"
#include "lib/sim/device/sample_clock.hpp"
#include "lib/sim/vision/embree_device.hpp"
#include "lib/sim/vision/ray_scene.hpp"

namespace simbatch::sim::vision {

struct LaserScannerSettings {
  geo::Pose pose;                               ///< of the scanner in its part: +z forward, +y up
  double azimuth_min = 0, azimuth_max = 0;      ///< rad, 0 = forward, positive to the right; max >= min, at most 2 pi apart
  int columns = 1;                              ///< >= 1
  double elevation_min = 0, elevation_max = 0;  ///< rad, positive up, within +-pi/2
  int layers = 1;                               ///< >= 1
  double range_min = 0, range_max = 100;        ///< m, 0 <= min < max
  double rate = 0;                              ///< scans per second; 0: one after every step
  std::size_t rays() const { return static_cast<std::size_t>(columns) * static_cast<std::size_t>(layers); }
};
/// Maximum number of rays of a scanner, and of all scanners of a simulation together.
inline constexpr std::size_t kMaxRays = std::size_t{1} << 18, kMaxAllRays = std::size_t{1} << 22;

/// Directions of a scanner's rays in its own frame, of length 1: layer by layer from elevation_min up, each from azimuth_min to
/// the right. Both ends are included, except for a full circle (azimuths 2 pi apart), whose last column would coincide with the
/// first. A single column or layer is at the middle of its field.
std::vector<geo::Vec3> ray_directions(const LaserScannerSettings& settings);

class LaserScanners final : public Participant {
 public:
  /// @param bodies  added to the simulation before this
  LaserScanners(Simulation& simulation, BodyTable& bodies, std::shared_ptr<EmbreeDevice> device);
  ~LaserScanners() override;

  /// Registers a node below the part: a range per ray, then `hits` and `scans`. nullptr when the name is taken (reported).
  /// @pre settings.rays() <= kMaxRays
  DeviceNode* add_scanner(const PartRef& part, const DeviceCommon& common, const LaserScannerSettings& settings, Diagnostics&);
  /// Of all scanners so far.
  std::size_t rays() const { return rays_; }

  void start(const Clock& clock) override { scan(clock.step); }
  void after_step(const Clock& clock) override { scan(clock.step); }

 private:
  struct Scanner {
    std::size_t offset, body;
    geo::Pose pose;
    std::vector<geo::Vec3> directions;  // in the part
    double near, far;
    int group;
    SampleClock clock;
    NoiseGenerator noise;
  };
  void scan(std::int64_t step);

  Simulation& simulation_;
  BodyTable& bodies_;
  RayScene scene_;
  std::vector<Scanner> scanners_;
  std::vector<geo::Vec3> directions_;  // of the current scan, in the world
  std::map<std::pair<int, int>, std::shared_ptr<const NodeType>> types_;
  std::size_t rays_ = 0;
};

}  // namespace simbatch::sim::vision
