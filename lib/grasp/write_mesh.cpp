// OBJ (Wavefront's appendix B1), binary STL (3D Systems 1989: 80 bytes of head, a count, 50 bytes a triangle, little
// endian, single precision) and binary glTF 2.0 (Khronos specification, section 4.4). Written by hand: three small formats
// are less than a library that reads fifty.
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

// Points that triangles use, in the order of the mesh; for the others kUnused.
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

std::string write_glb(const inventor::Mesh& mesh, double scale, std::string_view name) {
  const std::vector<std::uint32_t> index = used_points(mesh);
  std::string points, corners;
  std::array<float, 3> low{}, high{};
  std::size_t count = 0;
  for (std::size_t i = 0; i < mesh.points.size(); ++i) {
    if (index[i] == kUnused) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto x = static_cast<float>(mesh.points[i][k] * scale);
      low[k] = count == 0 ? x : std::min(low[k], x);
      high[k] = count == 0 ? x : std::max(high[k], x);
      append_bytes(points, x);
    }
    ++count;
  }
  for (const auto& triangle : mesh.triangles)
    for (const std::uint32_t corner : triangle) append_bytes(corners, index[corner]);

  const auto number = [](std::size_t n) { return number_text(n); };
  const auto vector = [](const std::array<float, 3>& v) {
    return "[" + number_text(static_cast<double>(v[0])) + "," + number_text(static_cast<double>(v[1])) + "," +
           number_text(static_cast<double>(v[2])) + "]";
  };
  std::string quoted_name;
  for (const char c : name)
    quoted_name +=
        c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7F ? '_' : c;
  // The file is y up: our z turns onto its y.
  std::string json =
      R"({"asset":{"version":"2.0","generator":"simbatch"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"name":")" +
      quoted_name + R"(","mesh":0,"rotation":[-0.70710678118654757,0,0,0.70710678118654757]}],"meshes":[{"primitives":[)";
  std::string accessors, materials;
  for (std::size_t i = 0; i < mesh.parts.size(); ++i) {
    const inventor::Part& part = mesh.parts[i];
    const std::string comma = i > 0 ? "," : "";
    json += comma + R"({"attributes":{"POSITION":0},"indices":)" + number(i + 1) + R"(,"material":)" + number(i) + "}";
    accessors += R"(,{"bufferView":1,"byteOffset":)" + number(part.first * 12) + R"(,"componentType":5125,"count":)" +
                 number(part.count * 3) + R"(,"type":"SCALAR"})";
    // Files have display colors, glTF has linear ones.
    std::string color;
    for (const float c : part.color) color += number_text(std::round(1e6 * std::pow(static_cast<double>(c), 2.2)) / 1e6) + ",";
    materials += comma + R"({"pbrMetallicRoughness":{"baseColorFactor":[)" + color +
                 R"(1],"metallicFactor":0,"roughnessFactor":0.7},"doubleSided":true})";
  }
  json += R"(]}],"materials":[)" + materials + R"(],"accessors":[{"bufferView":0,"componentType":5126,"count":)" +
          number(count) + R"(,"type":"VEC3","min":)" + vector(low) + R"(,"max":)" + vector(high) + "}" + accessors +
          R"(],"bufferViews":[{"buffer":0,"byteLength":)" + number(points.size()) +
          R"(,"target":34962},{"buffer":0,"byteOffset":)" + number(points.size()) + R"(,"byteLength":)" +
          number(corners.size()) + R"(,"target":34963}],"buffers":[{"byteLength":)" + number(points.size() + corners.size()) +
          "}]}";
  json.resize((json.size() + 3) / 4 * 4, ' ');
  std::string out;
  append_bytes(out, std::uint32_t{0x46546C67});
  append_bytes(out, std::uint32_t{2});
  append_bytes(out, static_cast<std::uint32_t>(12 + 8 + json.size() + 8 + points.size() + corners.size()));
  append_bytes(out, static_cast<std::uint32_t>(json.size()));
  append_bytes(out, std::uint32_t{0x4E4F534A});
  out += json;
  append_bytes(out, static_cast<std::uint32_t>(points.size() + corners.size()));
  append_bytes(out, std::uint32_t{0x004E4942});
  return out + points + corners;
}

}  // namespace simbatch::grasp
