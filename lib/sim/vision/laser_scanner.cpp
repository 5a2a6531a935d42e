// Scanners: directions once, then per scan one call of RayScene::cast.
// Our own: rays at equal angles.

#include "lib/sim/vision/laser_scanner.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "base/core/number.hpp"
#include "lib/sim/vision/surface.hpp"

namespace simbatch::sim::vision {
namespace {

/// Value i of n from low to high; for a single value the middle.
double spread(double low, double high, int i, int n, bool around) {
  if (n == 1) return around ? low : (low + high) / 2;
  return low + (high - low) * i / (around ? n : n - 1);
}

std::shared_ptr<const NodeType> scanner_type(int layers, int columns) {
  std::vector<Field> fields;
  fields.reserve(static_cast<std::size_t>(layers) * static_cast<std::size_t>(columns) + 2);
  for (int layer = 0; layer < layers; ++layer)
    for (int column = 0; column < columns; ++column) {
      std::string name = "r";
      if (layers > 1) name += number_text(layer) + "_";
      fields.push_back({name + number_text(column), "m", "B"});
    }
  fields.push_back({"hits", "1", "", FieldType::integer});
  fields.push_back({"scans", "1", "", FieldType::integer});
  return make_type("LaserScanner", std::move(fields));
}

}  // namespace

std::vector<geo::Vec3> ray_directions(const LaserScannerSettings& s) {
  std::vector<geo::Vec3> directions;
  directions.reserve(s.rays());
  const bool around = s.azimuth_max - s.azimuth_min > 2 * std::numbers::pi * (1 - 1e-9);
  for (int layer = 0; layer < s.layers; ++layer) {
    const double elevation = spread(s.elevation_min, s.elevation_max, layer, s.layers, false);
    for (int column = 0; column < s.columns; ++column) {
      const double azimuth = spread(s.azimuth_min, s.azimuth_max, column, s.columns, around);
      directions.push_back(geo::normalized(
          geo::Vec3{std::sin(azimuth) * std::cos(elevation), std::sin(elevation), std::cos(azimuth) * std::cos(elevation)}));
    }
  }
  return directions;
}

LaserScanners::LaserScanners(Simulation& simulation, BodyTable& bodies, std::shared_ptr<EmbreeDevice> device)
    : simulation_(simulation), bodies_(bodies), scene_(simulation.world(), std::move(device)) {}
LaserScanners::~LaserScanners() = default;

DeviceNode* LaserScanners::add_scanner(const PartRef& part, const DeviceCommon& common, const LaserScannerSettings& settings,
                                       Diagnostics& problems) {
  auto& type = types_[{settings.layers, settings.columns}];
  if (!type) type = scanner_type(settings.layers, settings.columns);
  auto node = std::make_unique<DeviceNode>(common.name, type, common.source, std::vector<DeviceInput>{}, settings.rays());
  DeviceNode* raw = node.get();
  if (part.node->register_child(std::move(node), problems) == nullptr) return nullptr;
  std::vector<geo::Vec3> directions = ray_directions(settings);
  for (geo::Vec3& d : directions) d = settings.pose.q * d;
  rays_ += settings.rays();
  scanners_.push_back({raw->values_offset(), part.index, settings.pose, std::move(directions), settings.range_min,
                       settings.range_max, part.group, SampleClock(settings.rate, simulation_.settings().physics.dt),
                       NoiseGenerator(simulation_.settings().seed, raw->name(), common.noise)});
  return raw;
}

void LaserScanners::scan(std::int64_t step) {
  bool is_current = false;
  for (Scanner& scanner : scanners_) {
    if (!scanner.clock.due(step)) continue;
    if (!is_current) scene_.update();
    is_current = true;
    const geo::Pose& pose = bodies_[scanner.body].pose;
    const std::size_t n = scanner.directions.size();
    directions_.resize(n);
    for (std::size_t i = 0; i < n; ++i) directions_[i] = pose.q * scanner.directions[i];
    const std::span<double> values = simulation_.tree().bank().subspan(scanner.offset, n + 2);
    const RayFan fan{pose * scanner.pose.p, directions_, scanner.near, scanner.far, scanner.group};
    values[n] = static_cast<double>(scene_.cast(fan, values.first(n)));
    values[n + 1] += 1;
    if (!scanner.noise.empty())
      for (double& range : values.first(n)) range += scanner.noise.next();
  }
}

}  // namespace simbatch::sim::vision
