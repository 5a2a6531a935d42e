// OBJ (Wavefront's appendix B1) and binary STL (3D Systems 1989: 80 bytes of head, a count, 50 bytes per triangle, little
// endian, single precision). Written directly: two small formats need less code than a library for fifty.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/core/number.hpp"
#include "lib/grasp/export.hpp"

namespace simbatch::grasp {
namespace {

static_assert(std::endian::native == std::endian::little);

template <class T>
void append_bytes(std::string& out, T value) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  out.append(bytes, sizeof(T));
}

// New indices of points used by triangles, in the order of the mesh; kUnused for others.
constexpr std::uint32_t kUnused = 0xFFFFFFFFU;
std::vector<std::uint32_t> used_points(const inventor::Mesh& mesh) {
  std::vector<std::uint32_t> index(mesh.points.size(), kUnused);
  for (const auto& triangle : mesh.triangles)
    for (const std::uint32_t corner : triangle) index[corner] = 0;
  std::uint32_t next = 0;
  for (std::uint32_t& i : index)
    if (i != kUnused) i = next++;
  return index;
}

}  // namespace

std::string write_obj(const inventor::Mesh& mesh, double scale, std::string_view name) {
  std::string out = "o " + std::string(name) + "\n";
  const std::vector<std::uint32_t> index = used_points(mesh);
  for (std::size_t i = 0; i < mesh.points.size(); ++i) {
    if (index[i] == kUnused) continue;
    out += 'v';
    for (const double x : mesh.points[i]) {
      out += ' ';
      append_number(out, x * scale);
    }
    out += '\n';
  }
  for (const auto& triangle : mesh.triangles) {
    out += 'f';
    for (const std::uint32_t corner : triangle) {
      out += ' ';
      out += number_text(index[corner] + 1);
    }
    out += '\n';
  }
  return out;
}

std::string write_stl(const inventor::Mesh& mesh, double scale) {
  std::string out(80, ' ');
  out.replace(0, 10, "binary STL");
  out.reserve(84 + 50 * mesh.triangles.size());
  append_bytes(out, static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const auto& triangle : mesh.triangles) {
    const auto &a = mesh.points[triangle[0]], &b = mesh.points[triangle[1]], &c = mesh.points[triangle[2]];
    const geo::Vec3 normal =
        geo::normalized(geo::cross({b[0] - a[0], b[1] - a[1], b[2] - a[2]}, {c[0] - a[0], c[1] - a[1], c[2] - a[2]}));
    for (const double x : {normal.x, normal.y, normal.z}) append_bytes(out, static_cast<float>(x));
    for (const std::uint32_t corner : triangle)
      for (const double x : mesh.points[corner]) append_bytes(out, static_cast<float>(x * scale));
    append_bytes(out, std::uint16_t{0});
  }
  return out;
}

}  // namespace simbatch::grasp
