#include "lib/mapgen/obstacle_grid.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "lib/geo/geo.hpp"

namespace simbatch::mapgen {
namespace {
constexpr std::int32_t kPage = 8;  // cells along a page's side
constexpr std::uint32_t kPageCells = kPage * kPage;
constexpr std::size_t kMaxRing = 64;  // corners of a ring that is tested directly

}  // namespace

const char* to_text(Reason reason) {
  switch (reason) {
    case Reason::road: return "road corridor";
    case Reason::path: return "path";
    case Reason::building: return "mapped building";
    case Reason::house: return "another house";
    case Reason::water: return "water";
    case Reason::railway: return "railway";
    case Reason::land_use: return "land use";
    case Reason::median: return "median";
    case Reason::bounds: return "outside the bounds";
    case Reason::barrier: return "other structure";
  }
  return "";
}

Vec2 direction_of(std::uint16_t heading) {
  // The four main directions exactly, so that boxes along a north-south street have exact sides.
  switch (heading) {
    case 0: return {0, 1};
    case 9000: return {1, 0};
    case 18000: return {0, -1};
    case 27000: return {-1, 0};
    default: break;
  }
  // Asked for at every look at a house: from a table.
  static const std::vector<Vec2> table = [] {
    std::vector<Vec2> all(36000);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double a = geo::radians(static_cast<double>(i) * 0.01);
      all[i] = {std::sin(a), std::cos(a)};
    }
    return all;
  }();
  return table[heading % 36000];
}

std::uint16_t heading_of(Vec2 direction) {
  const double degrees = geo::degrees(std::atan2(direction.x, direction.z));
  long hundredths = std::lrint(degrees * 100);
  hundredths %= 36000;
  if (hundredths < 0) hundredths += 36000;
  return static_cast<std::uint16_t>(hundredths);
}

ObstacleGrid::Range ObstacleGrid::range(Vec2 centre, Vec2 reach) const {
  const double scale = 1 / cell_;
  const std::int32_t max_x = pages_x_ * kPage - 1, max_z = pages_z_ * kPage - 1;
  const auto cell = [&](double at, double low, std::int32_t max) {
    return static_cast<std::int32_t>(std::clamp((at - low) * scale, 0.0, static_cast<double>(max)));
  };
  return {cell(centre.x - reach.x, low_.x, max_x), cell(centre.x + reach.x, low_.x, max_x),
          cell(centre.z - reach.z, low_.z, max_z), cell(centre.z + reach.z, low_.z, max_z)};
}

ObstacleGrid::Range ObstacleGrid::range_of(const Obstacle& obstacle, bool& thin) const {
  Point low{INT32_MAX, INT32_MAX}, high{INT32_MIN, INT32_MIN};
  for (std::uint32_t i = obstacle.first; i < obstacle.first + obstacle.count; ++i) {
    low = {std::min(low.x, points_[i].x), std::min(low.z, points_[i].z)};
    high = {std::max(high.x, points_[i].x), std::max(high.z, points_[i].z)};
  }
  const double radius = kinds_[obstacle.kind].radius + 0.002;  // and what rounding to millimetres can move
  const Vec2 a = metres(low), b = metres(high);
  const Range r = range((a + b) * 0.5, (b - a) * 0.5 + Vec2{radius, radius});
  thin = obstacle.count == 2 && r.x1 > r.x0 && r.z1 > r.z0;  // a slanting corridor: not all cells of its box
  return r;
}

ObstacleGrid::Range ObstacleGrid::row_of(const Obstacle& obstacle, const Range& all, std::int32_t z) const {
  // The part of the segment that is near the row, and what lies within the radius of it.
  const double radius = kinds_[obstacle.kind].radius + 0.002;
  const Vec2 a = metres(points_[obstacle.first]), b = metres(points_[obstacle.first + 1]);
  const double low = low_.z + z * cell_ - radius, high = low_.z + (z + 1) * cell_ + radius;
  double t0 = (low - a.z) / (b.z - a.z), t1 = (high - a.z) / (b.z - a.z);
  if (t0 > t1) std::swap(t0, t1);
  t0 = std::clamp(t0, 0.0, 1.0);
  t1 = std::clamp(t1, 0.0, 1.0);
  const double xa = a.x + t0 * (b.x - a.x), xb = a.x + t1 * (b.x - a.x);
  const Range row = range({(xa + xb) / 2, low_.z + (z + 0.5) * cell_}, {std::fabs(xb - xa) / 2 + radius, 0});
  return {std::max(row.x0, all.x0), std::min(row.x1, all.x1), z, z};
}

std::uint32_t ObstacleGrid::cell_at(std::int32_t x, std::int32_t z) const {
  const std::uint32_t page = pages_[static_cast<std::size_t>(z / kPage) * static_cast<std::size_t>(pages_x_) +
                                    static_cast<std::size_t>(x / kPage)];
  if (page == kNone) return kNone;
  return page + static_cast<std::uint32_t>((z % kPage) * kPage + x % kPage);
}

std::uint32_t ObstacleGrid::need_cell(std::int32_t x, std::int32_t z) {
  std::uint32_t& page = pages_[static_cast<std::size_t>(z / kPage) * static_cast<std::size_t>(pages_x_) +
                               static_cast<std::size_t>(x / kPage)];
  if (page == kNone) {
    // The last cell is a guard that ends the list of the one before; the new page begins in its place.
    page = static_cast<std::uint32_t>(cells_.size() - 1);
    Cell fresh = cells_.back();
    fresh.house = kNone;
    cells_.resize(cells_.size() + kPageCells, fresh);
  }
  return page + static_cast<std::uint32_t>((z % kPage) * kPage + x % kPage);
}

template <class Use>
void ObstacleGrid::each_cell(const Obstacle& obstacle, Use use) {
  bool thin = false;
  const Range r = range_of(obstacle, thin);
  for (std::int32_t z = r.z0; z <= r.z1; ++z) {
    const Range row = thin ? row_of(obstacle, r, z) : r;
    for (std::int32_t x = row.x0; x <= row.x1; ++x) use(x, z);
  }
}

void ObstacleGrid::build(std::span<const Point> points, std::vector<Obstacle> obstacles, std::vector<Kind> kinds,
                         std::vector<Model> models) {
  points_ = points;
  obstacles_ = std::move(obstacles);
  kinds_ = std::move(kinds);
  models_ = std::move(models);
  houses_.clear();
  for (const Model& model : models_) reach_ = std::max(reach_, std::hypot(model.half_x, model.half_z));

  Point low{0, 0}, high{0, 0};
  if (!obstacles_.empty()) {
    low = {INT32_MAX, INT32_MAX};
    high = {INT32_MIN, INT32_MIN};
  }
  for (const Obstacle& obstacle : obstacles_)
    for (std::uint32_t i = obstacle.first; i < obstacle.first + obstacle.count; ++i) {
      low = {std::min(low.x, points_[i].x), std::min(low.z, points_[i].z)};
      high = {std::max(high.x, points_[i].x), std::max(high.z, points_[i].z)};
    }
  constexpr double kMargin = 64;  // houses stand beside the outermost roads
  low_ = metres(low) - Vec2{kMargin, kMargin};
  const Vec2 extent = metres(high) + Vec2{kMargin, kMargin} - low_;
  // The table of pages may not outgrow the map: a few objects strewn over a continent get larger cells.
  // And obstacles that cross many cells, so that the lists stay in proportion.
  const double most_pages = std::max<double>(65536, static_cast<double>(obstacles_.size()));
  const double most_listed = 1e6 + 16.0 * static_cast<double>(obstacles_.size());
  double spread = 0;  // metres that obstacles extend over, together
  for (const Obstacle& obstacle : obstacles_) {
    spread += 4 * kinds_[obstacle.kind].radius;
    for (std::uint32_t i = obstacle.first; i + 1 < obstacle.first + obstacle.count; ++i)
      spread += std::fabs(metres(points_[i + 1]).x - metres(points_[i]).x) +
                std::fabs(metres(points_[i + 1]).z - metres(points_[i]).z);
  }
  const auto too_fine = [&] {
    return std::ceil(extent.x / (cell_ * kPage)) * std::ceil(extent.z / (cell_ * kPage)) > most_pages ||
           spread / cell_ > most_listed;
  };
  for (cell_ = 32; too_fine();) cell_ *= 2;
  pages_x_ = static_cast<std::int32_t>(std::ceil(extent.x / (cell_ * kPage)));
  pages_z_ = static_cast<std::int32_t>(std::ceil(extent.z / (cell_ * kPage)));
  pages_.assign(static_cast<std::size_t>(pages_x_) * static_cast<std::size_t>(pages_z_), kNone);
  cells_.assign(1, Cell{});

  // Count, add up, fill from behind: each cell's start ends where it belongs.
  for (const Obstacle& obstacle : obstacles_)
    each_cell(obstacle, [&](std::int32_t x, std::int32_t z) { ++cells_[need_cell(x, z)].start; });
  cells_.back() = Cell{};
  std::uint32_t sum = 0;
  for (Cell& cell : cells_) cell.start = sum += cell.start;
  listed_.resize(sum);
  for (std::size_t i = obstacles_.size(); i-- > 0;)
    each_cell(obstacles_[i], [&](std::int32_t x, std::int32_t z) {
      listed_[--cells_[cell_at(x, z)].start] = static_cast<std::uint32_t>(i);
    });
}

ObstacleGrid::Hit ObstacleGrid::test_obstacle(const Box& box, const Obstacle& obstacle) const {
  const Kind& kind = kinds_[obstacle.kind];
  double clear = 0;
  if (obstacle.count <= 2) {
    const Vec2 a = box.local(points_[obstacle.first]);
    const Vec2 b = obstacle.count == 2 ? box.local(points_[obstacle.first + 1]) : a;
    clear = distance_to_clear_segment(box, a, b, kind.radius);
  } else {
    std::array<Vec2, kMaxRing> ring;
    const std::size_t n = std::min<std::size_t>(obstacle.count, kMaxRing);
    for (std::size_t i = 0; i < n; ++i) ring[i] = box.local(points_[obstacle.first + i]);
    Box grown = box;
    grown.half_u += kind.radius;
    grown.half_v += kind.radius;
    clear = distance_to_clear_ring(grown, std::span(ring.data(), n));
  }
  return {clear > 0, kind.reason, clear};
}

ObstacleGrid::Hit ObstacleGrid::test(const Box& box, double gap) const {
  const Vec2 reach = box.reach();
  Range r = range(box.centre, reach);
  // Most of what lies in the same cells is seen to be free by its extent alone.
  const double x0 = (box.centre.x - reach.x) * 1000, x1 = (box.centre.x + reach.x) * 1000;
  const double z0 = (box.centre.z - reach.z) * 1000, z1 = (box.centre.z + reach.z) * 1000;
  const auto apart = [&](const Obstacle& obstacle) {
    const Point* p = points_.data() + obstacle.first;
    Point low = p[0], high = p[0];
    for (std::uint32_t k = 1; k < obstacle.count; ++k) {
      low = {std::min(low.x, p[k].x), std::min(low.z, p[k].z)};
      high = {std::max(high.x, p[k].x), std::max(high.z, p[k].z)};
    }
    // A ring is tested against the box grown by the radius, whose corners reach farther.
    const double by = kinds_[obstacle.kind].radius * (obstacle.count > 2 ? 1415 : 1000);
    return low.x - by > x1 || high.x + by < x0 || low.z - by > z1 || high.z + by < z0;
  };
  for (std::int32_t z = r.z0; z <= r.z1; ++z)
    for (std::int32_t x = r.x0; x <= r.x1; ++x) {
      const std::uint32_t cell = cell_at(x, z);
      if (cell == kNone) continue;
      for (std::uint32_t i = cells_[cell].start; i < cells_[cell + 1].start; ++i) {
        const Obstacle& obstacle = obstacles_[listed_[i]];
        if (apart(obstacle)) continue;
        const Hit hit = test_obstacle(box, obstacle);
        if (hit.hit) return hit;
      }
    }
  if (houses_.empty()) return {};
  Box grown = box;
  grown.half_u += gap;
  grown.half_v += gap;
  r = range(box.centre, reach + Vec2{reach_ + gap, reach_ + gap});
  for (std::int32_t z = r.z0; z <= r.z1; ++z)
    for (std::int32_t x = r.x0; x <= r.x1; ++x) {
      const std::uint32_t cell = cell_at(x, z);
      if (cell == kNone) continue;
      for (std::uint32_t i = cells_[cell].house; i != kNone; i = houses_[i].next) {
        const House& house = houses_[i];
        // Far ones first, without a sine.
        const Vec2 d = metres(house.centre) - box.centre;
        const Model& model = models_[house.model];
        const double far = model.half_x + model.half_z + grown.half_u + grown.half_v;
        if (dot(d, d) >= far * far) continue;
        const double clear = distance_to_clear_box(grown, box_of(house));
        if (clear > 0) return {true, Reason::house, clear};
      }
    }
  return {};
}

std::uint32_t ObstacleGrid::first_crossing(Vec2 a, Vec2 b) const {
  const Vec2 middle = (a + b) * 0.5, half{std::fabs(b.x - a.x) * 0.5, std::fabs(b.z - a.z) * 0.5};
  const Range r = range(middle, half);
  std::uint32_t best = kNone;
  double best_t = 2;
  for (std::int32_t z = r.z0; z <= r.z1; ++z)
    for (std::int32_t x = r.x0; x <= r.x1; ++x) {
      const std::uint32_t cell = cell_at(x, z);
      if (cell == kNone) continue;
      for (std::uint32_t i = cells_[cell].start; i < cells_[cell + 1].start; ++i) {
        const Obstacle& obstacle = obstacles_[listed_[i]];
        if (obstacle.count != 2 || kinds_[obstacle.kind].reason != Reason::road) continue;
        const Vec2 p = metres(points_[obstacle.first]), q = metres(points_[obstacle.first + 1]);
        const double along = cross(b - a, q - p);
        if (along == 0) continue;
        const double t = cross(p - a, q - p) / along, s = cross(p - a, b - a) / along;
        if (t < 0 || t > 1 || s < 0 || s > 1) continue;
        if (t < best_t || (t == best_t && listed_[i] < best)) {
          best_t = t;
          best = listed_[i];
        }
      }
    }
  return best;
}

void ObstacleGrid::add(House house) {
  const Range r = range(metres(house.centre), {0, 0});
  Cell& cell = cells_[need_cell(r.x0, r.z0)];
  house.next = cell.house;
  cell.house = static_cast<std::uint32_t>(houses_.size());
  houses_.push_back(house);
}

Box ObstacleGrid::box_of(const House& house) const {
  const Model& model = models_[house.model];
  const Vec2 front = direction_of(house.heading);
  return {metres(house.centre), {front.z, -front.x}, front, model.half_x, model.half_z};
}

std::size_t ObstacleGrid::memory() const {
  return obstacles_.capacity() * sizeof(Obstacle) + pages_.capacity() * sizeof(std::uint32_t) +
         cells_.capacity() * sizeof(Cell) + listed_.capacity() * sizeof(std::uint32_t) +
         houses_.capacity() * sizeof(House);
}

}  // namespace simbatch::mapgen
