// What happens to pictures and scanners where memory ends.
#include <doctest/doctest.h>
#include <sys/resource.h>

#include <cstdio>
#include <memory>
#include <new>
#include <vector>

#include "base/core/sanitizers.hpp"
#include "lib/sim/vision/surface.hpp"

using namespace simbatch;
using namespace simbatch::sim::vision;

#if !SIMBATCH_SHADOW_MEMORY
TEST_CASE("vision: a scene that does not fit into memory is out of memory, not a bug") {
  Surface surface(std::make_shared<EmbreeDevice>());
  std::vector<geo::Vec3> points;
  std::vector<std::uint32_t> indices;
  for (std::uint32_t i = 0; i < 200'000; ++i) {
    const double x = i % 500, z = i / 500;
    for (const geo::Vec3 p : {geo::Vec3{x, 0, z}, geo::Vec3{x + 1, 0, z}, geo::Vec3{x, 0, z + 1}}) {
      indices.push_back(static_cast<std::uint32_t>(points.size()));
      points.push_back(p);
    }
  }
  surface.add_triangles(points, indices, 0);
  long pages = 0;
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  REQUIRE(file != nullptr);
  REQUIRE(std::fscanf(file, "%ld", &pages) == 1);
  std::fclose(file);
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_AS, &before) == 0);
  const rlimit tight{static_cast<rlim_t>(pages) * 4096 + (rlim_t{4} << 20), before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_AS, &tight) == 0);
  bool is_out_of_memory = false;
  try {
    surface.commit();
  } catch (const std::bad_alloc&) {
    is_out_of_memory = true;
  }
  REQUIRE(setrlimit(RLIMIT_AS, &before) == 0);
  CHECK(is_out_of_memory);
}
#endif
