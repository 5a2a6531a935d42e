// A mark touches a triangle if their extents along and across the mark overlap: two of the axes of the separating axis theorem,
// which may only find too many.
#include "lib/view/page_roads.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lib/view/blocks.hpp"

namespace simbatch::view::detail {
namespace {

using geo::Vec3;

constexpr double kHalfMark = 1.75;  // m along the road: half a crossing and a margin for the pixels beside it
constexpr double kSameLevel = 2;    // m
constexpr double kStep = 0.01;      // m
constexpr double kTurnStep = 1e-4;  // of unit directions
constexpr int kMostLanes = 63, kOneWay = 64;

bool touches(const scene::PlacedMark& mark, const Vec3* corners) {
  if (std::abs((corners[0].y + corners[1].y + corners[2].y) / 3 - mark.y) > kSameLevel)
    return false;  // never of those at any height
  double along[2] = {}, across[2] = {};
  for (int k = 0; k < 3; ++k) {
    const double x = corners[k].x - mark.x, z = corners[k].z - mark.z, a = x * mark.dx + z * mark.dz,
                 b = x * mark.dz - z * mark.dx;
    along[0] = k == 0 ? a : std::min(along[0], a);
    along[1] = k == 0 ? a : std::max(along[1], a);
    across[0] = k == 0 ? b : std::min(across[0], b);
    across[1] = k == 0 ? b : std::max(across[1], b);
  }
  return along[0] < kHalfMark && along[1] > -kHalfMark && across[0] < mark.width / 2 && across[1] > -mark.width / 2;
}

/// In one number, as web/src/surface.ts unpacks it: lanes, 64 if they lead in one direction, and where the lane has lines of its
/// own 128, 256 times the left one, 2048 times the right one.
std::int64_t lanes_of(const scene::RoadMap::Frame& frame) {
  std::int64_t code = std::clamp(frame.lanes, 0, kMostLanes) + (frame.is_one_way ? kOneWay : 0);
  if (frame.lines)
    code += 128 + 256 * static_cast<std::int64_t>(frame.lines->left) + 2048 * static_cast<std::int64_t>(frame.lines->right);
  return code;
}

/// 0: a crossing; stop lines over the whole road, right of its line, left of it.
int kind_of(const scene::PlacedMark& mark) { return !mark.is_stop_line ? 0 : mark.side == 0 ? 1 : mark.side > 0 ? 2 : 3; }

}  // namespace

RoadWriter::RoadWriter(const std::vector<scene::RoadAppearance>& roads) : roads_(roads), marks_(scene::placed_marks(roads)) {
  std::stable_sort(marks_.begin(), marks_.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
  for (const scene::PlacedMark& mark : marks_) reach_ = std::max(reach_, mark.width / 2 + kHalfMark);
}

std::vector<std::uint32_t> RoadWriter::marks_near(const Vec3* corners) const {
  const auto [low, high] = std::minmax({corners[0].x, corners[1].x, corners[2].x});
  std::vector<std::uint32_t> near;
  auto mark = std::lower_bound(marks_.begin(), marks_.end(), low - reach_,
                               [](const scene::PlacedMark& m, double x) { return m.x < x; });
  for (; mark != marks_.end() && mark->x <= high + reach_; ++mark)
    if (touches(*mark, corners)) near.push_back(static_cast<std::uint32_t>(mark - marks_.begin()));
  return near;
}

void RoadWriter::append(std::string& to, const scene::PaintedMesh& mesh, const std::vector<scene::Paint>& paints) {
  std::vector<std::int64_t> across, along, width, lanes, first, count;
  for (std::size_t t = 0; t < mesh.paints.size(); ++t) {
    const scene::Material material = paints[mesh.paints[t]].material;
    if (material != scene::Material::road && material != scene::Material::junction) continue;
    const std::uint32_t* c = &mesh.indices[3 * t];
    const Vec3 corners[] = {mesh.points[c[0]], mesh.points[c[1]], mesh.points[c[2]]};
    std::vector<std::uint32_t> near = marks_near(corners);
    count.push_back(static_cast<std::int64_t>(near.size()));
    if (near.empty()) {
      first.push_back(first.empty() ? 0 : first.back());
    } else {
      const auto [run, is_new] = runs_.try_emplace(near, static_cast<std::uint32_t>(table_.size()));
      if (is_new) table_.insert(table_.end(), near.begin(), near.end());
      first.push_back(run->second);
    }
    if (material != scene::Material::road) continue;
    const scene::RoadMap::Frame frame = roads_.frame_at((1.0 / 3) * (corners[0] + corners[1] + corners[2]));
    width.push_back(quantized(frame.width, kStep) * (frame.is_marked ? 1 : -1));
    lanes.push_back(lanes_of(frame));
    for (const Vec3& p : corners) {
      across.push_back(quantized((p.x - frame.x) * frame.dz - (p.z - frame.z) * frame.dx, kStep));
      along.push_back(quantized(frame.along + (p.x - frame.x) * frame.dx + (p.z - frame.z) * frame.dz, kStep));
    }
  }
  append_count(to, width.size());
  for (const auto* column : {&width, &lanes, &across, &along}) append_differences(to, *column);
  append_count(to, count.size());
  for (const auto* column : {&first, &count}) append_differences(to, *column);
}

void RoadWriter::append_table(std::string& to) const {
  std::vector<std::int64_t> columns[6];
  for (const std::uint32_t i : table_) {
    const scene::PlacedMark& mark = marks_[i];
    columns[0].push_back(quantized(mark.x, kStep));
    columns[1].push_back(quantized(mark.z, kStep));
    columns[2].push_back(quantized(mark.dx, kTurnStep));
    columns[3].push_back(quantized(mark.dz, kTurnStep));
    columns[4].push_back(quantized(mark.width, kStep));
    columns[5].push_back(kind_of(mark));
  }
  append_count(to, table_.size());
  for (const auto& column : columns) append_differences(to, column);
}

}  // namespace simbatch::view::detail
