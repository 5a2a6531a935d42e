#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "lib/models/packed_model.hpp"

/// What the process that reads a model file may send.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace simbatch::models;
  const auto model = unpack({reinterpret_cast<const char*>(data), size});
  if (!model) return 0;
  const auto within = [](double x, double low, double high) { return x >= low && x <= high; };
  for (const auto& p : model->mesh.points)
    for (const double x : {p.x, p.y, p.z})
      if (!within(x, -kMaxModelCoordinate, kMaxModelCoordinate)) std::abort();
  for (const auto& c : model->colors)
    for (const double x : {c.x, c.y, c.z})
      if (!within(x, 0, 1)) std::abort();
  for (const std::uint32_t i : model->mesh.indices)
    if (i >= model->mesh.points.size()) std::abort();
  for (const std::uint8_t paint : model->paint)
    if (paint >= model->colors.size()) std::abort();
  if (!unpack(pack(*model))) std::abort();
  return 0;
}
