// Drag and buoyancy: lib/sim/fluid.

#include "lib/sim/fluid/fluid.hpp"

#include "tests/closed_forms/common.hpp"
#include "tests/closed_forms/table.hpp"

namespace simbatch::closed_forms {
namespace {

struct Medium {
  sim::Simulation simulation;
  sim::FluidForces* fluid;
  Medium(double hz, std::optional<sim::WaterBody> water)
      : simulation([&] {
          sim::SimulationSettings settings;
          settings.physics = at_rate(hz);
          return settings;
        }()),
        fluid(&simulation.add(std::make_unique<sim::FluidForces>(simulation, water))) {}
  BodyId add(const Shape& shape, double mass, Vec3 at, const sim::FluidSettings& settings) {
    BodySettings b = body("body", shape, {at, {}}, mass);
    const std::vector<Part> parts = b.parts;
    const BodyId id = simulation.world().add_body(std::move(b));
    fluid->add(id, parts, settings);
    return id;
  }
};

double falling_in_air(double hz, double t) {
  Medium air(hz, std::nullopt);
  sim::FluidSettings settings;
  settings.quadratic_drag = {0.05, 0.05, 0.05};
  const BodyId id = air.add(Sphere{0.1}, 2, {}, settings);
  const auto steps = std::lround(t * hz);
  for (long i = 0; i < steps; ++i) air.simulation.step();
  return -air.simulation.world().center_velocity(id).y;
}

double sinking_with_linear_drag(double hz) {
  Medium air(hz, std::nullopt);
  sim::FluidSettings settings;
  settings.linear_drag = {1, 1, 1};
  const BodyId id = air.add(Sphere{0.1}, 2, {}, settings);
  const auto steps = std::lround(2 * hz);
  for (long i = 0; i < steps; ++i) air.simulation.step();
  return -air.simulation.world().center_velocity(id).y;
}

double heave_periods(double hz) {
  Medium sea(hz, sim::WaterBody{0, 1000, {}});
  // 1 m x 0.4 m x 1 m of half the density of water: 0.2 m deep; let go 5 cm too high.
  const BodyId id = sea.add(Box{{1, 0.4, 1}}, 200, {0, 0.05, 0}, {});
  const auto height = [&] { return sea.simulation.world().pose(id).p.y; };
  double last = height(), first = 0;
  for (int n = 0; sea.simulation.world().time() < 60;) {
    sea.simulation.step();
    const double now = height();
    if (last > 0 && now <= 0) {
      const double at = sea.simulation.world().time() - now / (now - last) / hz;
      if (n == 0) first = at;
      if (n++ == 5) return at - first;
    }
    last = now;
  }
  return 0;
}

}  // namespace

void add_fluids(Table& table) {
  const double limit = std::sqrt(2 * kG / 0.05);
  table.push_back({"2 kg falling with a drag of 0.05 N/(m/s)^2: speed after 1 s", "v tanh(g t / v)", "m/s",
                   limit * std::tanh(kG / limit), [](double hz) { return falling_in_air(hz, 1); }, 0, 0.002});
  table.push_back({"the same, after 20 s", "v = sqrt(m g / k)", "m/s", limit * std::tanh(20 * kG / limit),
                   [](double hz) { return falling_in_air(hz, 20); }, 0, 1e-6});
  table.push_back({"2 kg falling with a drag of 1 N/(m/s): speed after 2 s", "m g / k (1 - exp(-k t / m))", "m/s",
                   2 * kG * (1 - std::exp(-1.0)), sinking_with_linear_drag, 0, 0.003});
  table.push_back({"200 kg raft of 1 m^2 heaving in water: 5 periods", "10 pi sqrt(m / (rho g A))", "s",
                   10 * kPi * std::sqrt(0.2 / kG), heave_periods, 0, 6e-4});
}

}  // namespace simbatch::closed_forms
