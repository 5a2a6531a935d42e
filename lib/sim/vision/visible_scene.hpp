#pragma once
/// What a Renderer draws: triangles with paint. Internal to this room.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/sim/simulation.hpp"
#include "lib/sim/vision/models.hpp"
#include "lib/sim/vision/paint.hpp"
#include "lib/sim/vision/surface.hpp"

namespace simbatch::sim::vision {

struct Figure;

/// A body or wheel that moves: triangles in its own frame.
struct Mover {
  std::unique_ptr<Surface> surface;
  physics::BodyId body = physics::kNoBody;  // or else a wheel
  physics::VehicleId vehicle{};
  std::size_t wheel = 0;
  geo::Vec3 middle;  // of a sphere about it, own frame
  double radius = 0;
  geo::Pose pose, inverse_pose;  // now
  geo::Vec3 center;              // of the sphere, now
};

class VisibleScene {
 public:
  VisibleScene(const Simulation& simulation, Appearance appearance, std::shared_ptr<EmbreeDevice> device);

  /// Takes in what is new, brings movers to where they are.
  void update();
  const Surface& fixed() const { return *fixed_; }
  const std::vector<Mover>& movers() const { return movers_; }
  const Paint& paint(std::uint32_t tag) const { return paints_[tag]; }
  const RoadMap& roads() const { return roads_; }
  const std::vector<LightAppearance>& lights() const { return appearance_.lights; }
  /// y of the plain that goes on where the terrain ends.
  double plain_y() const { return plain_y_; }
  bool has_plain() const { return has_plain_; }
  Diagnostics& problems() { return problems_; }

 private:
  void collect();
  void add_terrain(physics::BodyId body);
  void add_fixed(physics::BodyId body);
  void add_body(physics::BodyId body);
  void add_wheels(physics::VehicleId vehicle);
  /// Into a box of `size` about the origin. False if there is no such model, or none that can be read.
  /// @param instead  what is drawn then
  bool load_model(const ModelFile& file, std::string_view instead, const geo::Vec3* fit, Figure& figure,
                  std::vector<Paint>& paints);
  const std::optional<Model>& model_of(const ModelFile& file, std::string_view instead);
  void report_missing();
  void add_figure(Surface& to, const Figure& figure, const std::vector<Paint>& paints, const geo::Pose& pose);
  std::uint32_t add_paint(const Paint& paint);
  void finish(Mover& mover, const Figure& figure, const std::vector<Paint>& paints, const geo::Pose& in_frame = {});

  const Simulation& simulation_;
  Appearance appearance_;
  std::shared_ptr<EmbreeDevice> device_;
  std::unique_ptr<Surface> fixed_;
  std::vector<Mover> movers_;
  std::vector<Paint> paints_;
  RoadMap roads_;
  Diagnostics problems_;
  std::map<std::pair<std::string, std::string>, std::optional<Model>> models_;  // by folder and type: each is read once
  std::map<std::string, std::vector<std::string>> missing_;                     // models of a map, by its file
  std::size_t model_triangles_ = 0;                                             // of all that was placed
  bool too_many_ = false;                                                       // told
  double plain_y_ = 0;
  bool has_plain_ = false;
  std::size_t bodies_ = 0, vehicles_ = 0;
};

}  // namespace simbatch::sim::vision
