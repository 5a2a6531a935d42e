// Our own representation: headings in hundredths of a degree, exact in the four main directions.
#include "lib/town/house.hpp"

#include <array>
#include <cmath>

#include "base/geo/geo.hpp"

namespace simbatch::town {

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
    case Reason::cut_off: return "cut off from the street";
    case Reason::unsettled: return "no sign of settlement";
    case Reason::ramp: return "bridge, ramp or cutting";
  }
  return "";
}

Vec2 direction_of(std::uint16_t heading) {
  // Called for every test against a house. Whole degrees and hundredths, combined by the addition theorems: tables that fit
  // into the L1 cache.
  struct Tables {
    std::array<Vec2, 360> degrees;
    std::array<Vec2, 100> hundredths;
  };
  static const Tables tables = [] {
    const auto of = [](double degrees) {
      const double a = geo::radians(degrees);
      return Vec2{std::sin(a), std::cos(a)};
    };
    Tables t{};
    for (std::size_t i = 0; i < 360; ++i) t.degrees[i] = of(static_cast<double>(i));
    for (std::size_t i = 0; i < 100; ++i) t.hundredths[i] = of(static_cast<double>(i) * 0.01);
    t.degrees[0] = {0, 1};
    t.degrees[90] = {1, 0};
    t.degrees[180] = {0, -1};
    t.degrees[270] = {-1, 0};
    return t;
  }();
  const Vec2 a = tables.degrees[heading / 100U], b = tables.hundredths[heading % 100U];
  return {a.x * b.z + a.z * b.x, a.z * b.z - a.x * b.x};
}

namespace {
/// Arc tangent of y / x for 0 <= y <= x, x > 0, to 1e-13: the nearest sixteenth from a table, the rest by its series. Called at
/// every bend; takes a third of the time of std::atan2.
double small_arc(double y, double x) {
  static const std::array<double, 17> table = [] {
    std::array<double, 17> t{};
    for (std::size_t i = 0; i < t.size(); ++i) t[i] = std::atan(static_cast<double>(i) / 16);
    return t;
  }();
  const auto nearest = static_cast<std::size_t>(16 * y / x + 0.5);
  const double c = static_cast<double>(nearest) / 16;
  const double r = (y - c * x) / (x + c * y), r2 = r * r;
  return table[nearest] + r * (1 - r2 * (1.0 / 3 - r2 * (1.0 / 5 - r2 * (1.0 / 7 - r2 / 9))));
}
}  // namespace

std::uint16_t heading_of(Vec2 direction) {
  const double x = std::fabs(direction.x), z = std::fabs(direction.z);
  if (!(x > 0 || z > 0)) return 0;
  double degrees = geo::degrees(x <= z ? small_arc(x, z) : small_arc(z, x));  // from the nearer of the two axes
  if (x > z) degrees = 90 - degrees;
  if (direction.z < 0) degrees = 180 - degrees;
  if (direction.x < 0) degrees = 360 - degrees;
  return static_cast<std::uint16_t>(static_cast<unsigned>(degrees * 100 + 0.5) % 36000);
}

}  // namespace simbatch::town
