#pragma once
/// Lets the triangles of a mesh share their corners.

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/geo/triangle_mesh.hpp"

namespace simbatch::geo {

/// Finds points that were added to a mesh a little before, which is where strips of streets and their curbs meet: it remembers
/// one point for each of a few thousand hashes, so that it takes 32 KiB and a few nanoseconds a point however large the mesh is.
class PointWelder {
 public:
  /// The index of a point with these bits in the mesh, which is added unless it is remembered.
  std::uint32_t add(TriangleMesh& mesh, Vec3 p) {
    const Bits bits = bits_of(p);
    const std::uint64_t mixed = (bits[0] * 0x9E3779B97F4A7C15u ^ bits[1]) * 0xC2B2AE3D27D4EB4Fu ^ bits[2];
    std::uint32_t& known = known_[mixed * 0x9E3779B97F4A7C15u >> (64 - kBits)];
    // What is remembered of another mesh, or of nothing yet, does not have these bits.
    if (known < mesh.points.size() && bits_of(mesh.points[known]) == bits) return known;
    known = static_cast<std::uint32_t>(mesh.points.size());
    mesh.points.push_back(p);
    return known;
  }

 private:
  using Bits = std::array<std::uint64_t, 3>;
  static Bits bits_of(Vec3 p) { return std::bit_cast<Bits>(p); }

  static constexpr unsigned kBits = 13;
  std::vector<std::uint32_t> known_ = std::vector<std::uint32_t>(std::size_t{1} << kBits);
};

}  // namespace simbatch::geo
