// Brush model and Magic Formula with combined slip; see tire.hpp for the sources.

#include "lib/vehicle/tire.hpp"

#include <algorithm>
#include <cmath>

namespace simbatch::vehicle {

double friction(const TireSettings& tire, double load, double sliding_x, double sliding_y, double ground) {
  if (!(ground > 0)) return 0;
  double mu = tire.friction;
  if (tire.sliding_friction >= 0) {
    const double speed = std::sqrt(sliding_x * sliding_x + sliding_y * sliding_y);
    mu = tire.sliding_friction + (mu - tire.sliding_friction) * std::exp(-speed / tire.sliding_speed);
  }
  if (tire.load_sensitivity != 0) mu *= std::max(0.05, 1 - tire.load_sensitivity * (load / tire.nominal_load - 1));
  return mu * ground;
}

double full_sliding_slip(const TireSettings& tire, double mu) {
  if (!tire.curve) return 3 * mu / tire.stiffness;
  return 10 / tire.curve->b;  // far beyond the peak, which lies at about 2 / b
}

double force_per_load(const TireSettings& tire, double slip, double mu) { return secant(tire, slip, mu) * slip; }

double secant(const TireSettings& tire, double slip, double mu) {
  if (!(mu > 0)) return 0;
  if (tire.curve) {
    const MagicFormula& m = *tire.curve;
    const double bs = m.b * slip;
    if (bs < 1e-6) return mu * m.b * m.c;
    return mu * std::sin(m.c * std::atan(bs - m.e * (bs - std::atan(bs)))) / slip;
  }
  if (std::isinf(mu)) return tire.stiffness;
  const double x = tire.stiffness * slip / (3 * mu);
  // mu (1 - (1 - x)^3) / s with s = 3 mu x / c.
  return x < 1 ? tire.stiffness * (1 - x + x * x / 3) : mu / slip;
}

double combined_slip(const TireSettings& tire, Deflection e) {
  const double x = tire.stiffness_ratio * e.x / tire.relaxation_length_x, y = e.y / tire.relaxation_length_y;
  return std::sqrt(x * x + y * y);
}

Deflection advance(const TireSettings& tire, Deflection e, double sliding_x, double sliding_y, double transport, double mu,
                   double dt) {
  const Fade fade = fade_of(tire, transport, dt);
  e.x = (e.x - dt * sliding_x) * fade.x;
  e.y = (e.y - dt * sliding_y) * fade.y;
  return clipped(tire, e, mu);
}

Deflection clipped(const TireSettings& tire, Deflection e, double mu) {
  if (std::isinf(mu)) return e;
  const double most = full_sliding_slip(tire, mu);
  // Nearly always far below, which its square tells without a root.
  constexpr double kSurely = 1 - 1e-12;
  const double x = tire.stiffness_ratio * e.x / tire.relaxation_length_x, y = e.y / tire.relaxation_length_y;
  if (x * x + y * y < kSurely * (most * most)) return e;
  const double slip = combined_slip(tire, e);
  if (slip > most) {
    e.x *= most / slip;
    e.y *= most / slip;
  }
  return e;
}

}  // namespace simbatch::vehicle
