// Any bytes: reading ends in a mesh whose indexes are good; what is written of it reads back the same.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "formats/inventor/inventor.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace simbatch;
  inventor::ReadOptions options;
  options.spare_triangles = 20'000;
  options.resolve = [](std::string_view, std::string_view name, bool) {
    inventor::Referenced file;
    if (name == "x.iv") {
      file.state = inventor::Referenced::State::found;
      file.name = "x.iv";
      file.text = "#Inventor V2.1 ascii\nFile { name x.iv } Cube {}";
    }
    return file;
  };
  const auto scene = inventor::read_inventor({reinterpret_cast<const char*>(data), size}, options, "fuzz.iv");
  bool finite = true;
  for (const auto& triangle : scene.value->mesh.triangles)
    for (const auto corner : triangle) {
      if (corner >= scene.value->mesh.points.size()) std::abort();
    }
  for (const auto& point : scene.value->mesh.points)
    for (const double x : point) finite = finite && std::isfinite(x);
  if (!finite || !scene.diagnostics.empty()) return 0;
  const auto again = inventor::read_inventor(inventor::write_inventor(scene.value->mesh), {}, "again.iv");
  if (again.value->mesh != scene.value->mesh) std::abort();
  return 0;
}
