#pragma once
/// Colors of surfaces, from material and position. Plain arithmetic and square roots only: the same bits on every processor.
/// For this room and lib/sim/vision.

#include <cstdint>
#include <optional>
#include <vector>

#include "lib/sim/scene/appearance.hpp"

namespace simbatch::scene {

using geo::Vec3;

/// Linear light, 1 = white paper in the sun.
struct Rgb {
  float r = 0, g = 0, b = 0;
};
constexpr Rgb operator+(Rgb a, Rgb b) { return {a.r + b.r, a.g + b.g, a.b + b.b}; }
constexpr Rgb operator*(Rgb a, Rgb b) { return {a.r * b.r, a.g * b.g, a.b * b.b}; }
constexpr Rgb operator*(float s, Rgb a) { return {s * a.r, s * a.g, s * a.b}; }
constexpr Rgb mix(Rgb a, Rgb b, float share) { return (1 - share) * a + share * b; }
/// From sRGB values of a color picker.
constexpr Rgb screen_color(int red, int green, int blue) {
  // The screen's transfer curve approximated as x^2 (0.8 + 0.2 x): within 1 % of x^2.2, without pow().
  const auto linear = [](int byte) {
    const float x = static_cast<float>(byte) / 255;
    return x * x * (0.8f + 0.2f * x);
  };
  return {linear(red), linear(green), linear(blue)};
}
inline constexpr Rgb kHorizon = screen_color(205, 221, 234);
/// Of water that is not part of a map: what dives is seen.
inline constexpr Rgb kWaterColor = screen_color(63, 127, 174);
inline constexpr float kWaterOpacity = 0.62f;
/// Linear 0..1 to a display byte; table of 4096 steps.
std::uint8_t screen_byte(float value);

/// A paint. Triangles' tags are indices of these.
struct Paint {
  Material material = Material::plain;
  Rgb color{0.5f, 0.5f, 0.5f};
  Rgb second{0.2f, 0.2f, 0.2f};      ///< roof, glass, rim
  float base = 0, floor_height = 3;  ///< of buildings: y of the lowest floor, height of one floor (m)
  float windows = 0;                 ///< m over base: height of the walls with windows
};

/// Position on a road.
class RoadMap {
 public:
  explicit RoadMap(const std::vector<RoadAppearance>& roads);
  struct Place {
    double across = 0;  ///< m from the middle line, either side
    double along = 0;   ///< m from the line's start
    double width = 0;   ///< m; 0: on no road
    bool is_marked = false;
    int lanes = 0;
    bool is_one_way = false;
    double right = 0;                                        ///< m, signed: to the right of the line as it runs
    const std::vector<RoadMarkAppearance>* marks = nullptr;  ///< of the road; null: none
    std::optional<LaneLines> lines = {};                     ///< RoadAppearance::lines
  };
  /// @param p  on a road's surface; of roads over each other that at this height
  Place at(Vec3 p) const;
  /// The segment of a road's center line that Place refers to: its start, unit direction, and the position of the start along
  /// the line.
  struct Frame {
    double x = 0, z = 0, dx = 0, dz = 1, along = 0;
    double width = 0;  ///< m; 0: on no road
    bool is_marked = false;
    int lanes = 0;
    bool is_one_way = false;
    std::optional<LaneLines> lines = {};  ///< RoadAppearance::lines
  };
  Frame frame_at(Vec3 p) const;
  bool has_marks() const { return has_marks_; }

 private:
  struct Segment {
    double x = 0, z = 0, dx = 0, dz = 0, length = 0, along = 0, width = 0;
    bool is_marked = false, is_one_way = false;
    int lanes = 0;
    std::uint32_t road = 0;
    double y = 0, dy = 0;  // dy: a meter along; y: NaN at any height
    std::optional<LaneLines> lines;
  };
  double cell_ = 8;  // m
  /// The nearest segment whose road contains this point; where a track without markings lies on a street, that of the street.
  /// Also returns the squared distance. nullptr: none.
  const Segment* segment_at(Vec3 p, double& square) const;
  std::vector<Segment> segments_;
  std::vector<std::vector<RoadMarkAppearance>> marks_;  // of each road
  std::vector<std::uint32_t> starts_, items_;           // segments near each cell
  bool has_marks_ = false;
  double x0_ = 0, z0_ = 0;
  int nx_ = 0, nz_ = 0;
};

/// The color of a point on a surface. @param p        world; for movers: in their own frame @param normal   in the same frame
/// @param pixel    size of a pixel there (m): finer detail is averaged
Rgb surface_color(const Paint& paint, const RoadMap& roads, Vec3 p, Vec3 normal, double pixel);

Rgb sky_color(Vec3 ray, Vec3 sun_direction);

}  // namespace simbatch::scene
