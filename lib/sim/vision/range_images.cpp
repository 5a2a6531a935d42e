// Pinhole cameras whose pixels are numbers: a ray each (Hartley and Zisserman, Multiple View Geometry, 2nd ed., section 6.1),
// through the scene that laser scanners see.

#include "lib/sim/vision/range_images.hpp"

#include <cmath>
#include <string>

#include "base/core/number.hpp"

namespace simbatch::sim::vision {
namespace {

std::shared_ptr<const NodeType> image_type(const RangeImageSettings& settings) {
  std::vector<Field> fields;
  fields.reserve(settings.pixels() + 1);
  for (int row = 0; row < settings.height; ++row)
    for (int column = 0; column < settings.width; ++column) {
      std::string name = settings.semantic ? "c" : "d";
      name += number_text(row) + "_" + number_text(column);
      if (settings.semantic)
        fields.push_back({std::move(name), "1", "", FieldType::integer});
      else
        fields.push_back({std::move(name), "m", "B"});
    }
  fields.push_back({"images", "1", "", FieldType::integer});
  return make_type(settings.semantic ? "SemanticCamera" : "DepthCamera", std::move(fields));
}

}  // namespace

std::vector<geo::Vec3> pixel_directions(const RangeImageSettings& s) {
  std::vector<geo::Vec3> directions;
  directions.reserve(s.pixels());
  const double size = 2 * std::tan(s.field_of_view / 2) / s.height;  // of a pixel at 1 m
  for (int row = 0; row < s.height; ++row)
    for (int column = 0; column < s.width; ++column)
      directions.push_back(
          geo::normalized(geo::Vec3{(column + 0.5 - 0.5 * s.width) * size, (0.5 * s.height - row - 0.5) * size, 1}));
  return directions;
}

RangeImages::RangeImages(Simulation& simulation, BodyTable& bodies, std::shared_ptr<EmbreeDevice> device)
    : simulation_(simulation), bodies_(bodies), scene_(simulation.world(), std::move(device)) {}
RangeImages::~RangeImages() = default;

DeviceNode* RangeImages::add_camera(const PartRef& part, const DeviceCommon& common, const RangeImageSettings& settings,
                                    Diagnostics& problems) {
  auto node = std::make_unique<DeviceNode>(common.name, image_type(settings), common.source, std::vector<DeviceInput>{},
                                           settings.pixels());
  DeviceNode* raw = node.get();
  if (part.node->register_child(std::move(node), problems) == nullptr) return nullptr;
  pixels_ += settings.pixels();
  cameras_.push_back({raw->values_offset(), part.index, settings, pixel_directions(settings), part.group,
                      SampleClock(settings.rate, simulation_.settings().physics.dt),
                      NoiseGenerator(simulation_.settings().seed, raw->name(), common.noise)});
  return raw;
}

void RangeImages::look(std::int64_t step) {
  bool is_current = false;
  for (Camera& camera : cameras_) {
    if (!camera.clock.due(step)) continue;
    const geo::Pose pose = bodies_[camera.body].pose * camera.settings.pose;
    const std::size_t n = camera.directions.size();
    const std::span<double> values = simulation_.tree().bank().subspan(camera.offset, n + 1);
    rays_.resize(n);
    for (std::size_t i = 0; i < n; ++i) rays_[i] = pose.q * camera.directions[i];
    if (!is_current) scene_.update();
    is_current = true;
    if (camera.settings.semantic) {
      find_classes(camera, pose, values.first(n));
    } else {
      measure_depths(camera, pose, values.first(n));
      if (!camera.noise.empty())
        for (double& depth : values.first(n)) depth += camera.noise.next();
    }
    values[n] += 1;
  }
}

void RangeImages::measure_depths(const Camera& camera, const geo::Pose& pose, std::span<double> values) {
  const RangeImageSettings& s = camera.settings;
  (void)scene_.cast({pose.p, rays_, s.near, s.far, camera.group}, values);
  // Along the camera's axis, as usual for depth images; rays that hit nothing stay at `far`.
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] < s.far) values[i] *= camera.directions[i].z;
}

void RangeImages::find_classes(const Camera& camera, const geo::Pose& pose, std::span<double> values) {
  const RangeImageSettings& s = camera.settings;
  seen_.resize(values.size());
  (void)scene_.cast({pose.p, rays_, s.near, s.far, camera.group}, values, seen_);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(class_of(seen_[i]));
}

PixelClass RangeImages::class_of(physics::BodyId body) const {
  const physics::World& world = simulation_.world();
  if (body == physics::kNoBody) return PixelClass::nothing;
  if (world.is_terrain(body)) return PixelClass::ground;
  if (world.group(body) != physics::kNoGroup) return PixelClass::robot;
  return world.kind(body) == physics::BodyKind::fixed ? PixelClass::building : PixelClass::object;
}

}  // namespace simbatch::sim::vision
