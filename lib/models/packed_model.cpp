#include "lib/models/packed_model.hpp"

#include <algorithm>
#include <cstring>

namespace simbatch::models {
namespace {

using geo::Vec3;

struct Heading {
  std::uint64_t magic = kMagic, points = 0, triangles = 0, colors = 0;
  static constexpr std::uint64_t kMagic = 0x53424d4f44454c31;  // "SBMODEL1"
};
static_assert(sizeof(Heading) == 32 && sizeof(Vec3) == 24);

template <class Value>
void append(std::string& out, const std::vector<Value>& values) {
  out.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value));
}

bool within(Vec3 v, double low, double high) {  // false for NaN
  return v.x >= low && v.x <= high && v.y >= low && v.y <= high && v.z >= low && v.z <= high;
}

}  // namespace

std::string pack(const Model& model) {
  const Heading heading{Heading::kMagic, model.mesh.points.size(), model.paint.size(), model.colors.size()};
  std::string out(reinterpret_cast<const char*>(&heading), sizeof heading);
  append(out, model.mesh.points);
  append(out, model.mesh.indices);
  append(out, model.paint);
  append(out, model.colors);
  return out;
}

std::optional<Model> unpack(std::string_view bytes) {
  Heading heading;
  if (bytes.size() < sizeof heading) return std::nullopt;
  std::memcpy(&heading, bytes.data(), sizeof heading);
  if (heading.magic != Heading::kMagic || heading.triangles > kMaxModelTriangles || heading.points > 3 * kMaxModelTriangles ||
      heading.colors < 1 || heading.colors > 256)
    return std::nullopt;
  if (bytes.size() != sizeof heading + heading.points * 24 + heading.triangles * 13 + heading.colors * 24) return std::nullopt;
  Model model;
  const char* at = bytes.data() + sizeof heading;
  const auto take = [&](auto& into, std::size_t count) {
    into.resize(count);
    const std::size_t n = count * sizeof into[0];
    if (n > 0) std::memcpy(static_cast<void*>(into.data()), at, n);
    at += n;
  };
  take(model.mesh.points, heading.points);
  take(model.mesh.indices, heading.triangles * 3);
  take(model.paint, heading.triangles);
  take(model.colors, heading.colors);
  for (const Vec3& p : model.mesh.points)
    if (!within(p, -kMaxModelCoordinate, kMaxModelCoordinate)) return std::nullopt;
  for (const std::uint32_t i : model.mesh.indices)
    if (i >= heading.points) return std::nullopt;
  for (const Vec3& color : model.colors)
    if (!within(color, 0, 1)) return std::nullopt;
  for (std::uint8_t& paint : model.paint)
    if (paint >= heading.colors) paint = static_cast<std::uint8_t>(heading.colors - 1);
  return model;
}

}  // namespace simbatch::models
