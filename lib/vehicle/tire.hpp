#pragma once
/// Tire forces from slip, and the transient state between tread and rim. Pure functions; SI units, radians.
///
/// Slip means theoretical slip: the sliding velocity of the contact point over the transport speed |R w| of the tread. It has
/// two components, s_x along the wheel and s_y along its axle, and the force is parallel to it. Without sliding a tire is a
/// spring: slip is the deflection of the tread over its relaxation length, so that a parked car does not creep.
///
/// Sources: H. B. Pacejka, Tire and Vehicle Dynamics, 3rd ed. 2012, chapter 3 (brush model, combined slip), 4.3 (Magic
/// Formula), 7.2 and 8.6 (transient single contact point model with deflections).

#include <optional>

namespace simbatch::vehicle {

/// Pacejka's Magic Formula of the combined slip s: F / Fz = D sin(C atan(B s - E (B s - atan(B s)))), D is the friction
/// coefficient.
struct MagicFormula {
  double b = 10;   ///< stiffness factor; b * c * friction is the slip stiffness per unit load
  double c = 1.4;  ///< shape factor, 1 to 2
  double e = 0;    ///< curvature factor, at most 1
};

/// A tire. The defaults are those of a passenger car on dry asphalt.
struct TireSettings {
  double stiffness = 20;              ///< C_y / Fz at small slip angles, 1/rad; of the brush model
  double stiffness_ratio = 1;         ///< C_x / C_y, longitudinal over lateral
  double friction = 1;                ///< peak force over load on a ground of friction 1; infinity: linear, unlimited
  double sliding_friction = -1;       ///< the same for a fully sliding tread; negative: equal to `friction`
  double sliding_speed = 6;           ///< m/s: friction decays from peak to sliding as exp(-|sliding speed| / this)
  double load_sensitivity = 0;        ///< friction = friction0 * (1 - load_sensitivity * (Fz / nominal_load - 1))
  double nominal_load = 4000;         ///< N
  double relaxation_length_x = 0.15;  ///< m, > 0
  double relaxation_length_y = 0.4;   ///< m, > 0
  double rolling_resistance = 0;      ///< rolling resistance force over load, e.g. 0.012
  std::optional<MagicFormula> curve;  ///< instead of the brush model
};

/// Friction coefficient of a tire on a ground.
/// @param load  normal force Fz (N), >= 0
/// @param sliding_x, sliding_y  velocity of the tread over the ground (m/s)
/// @param ground  friction of the ground, 1 for dry asphalt; 0: none for any tire
/// @return at least 0.05 times the unloaded value for any load
double friction(const TireSettings& tire, double load, double sliding_x, double sliding_y, double ground);

/// Force over load at a combined slip.
/// Brush: mu (1 - (1 - theta s)^3) with theta = c / (3 mu), and mu beyond full sliding at s = 1 / theta.
/// @param slip  >= 0; @param mu  friction coefficient, >= 0
double force_per_load(const TireSettings& tire, double slip, double mu);

/// The secant force_per_load(s) / s; at 0 the slip stiffness per unit load. Never negative, so that it is dissipative as a
/// coefficient of sliding at any step size.
double secant(const TireSettings& tire, double slip, double mu);

/// The slip beyond which the entire tread slides. Deflections are limited to this times the relaxation length.
double full_sliding_slip(const TireSettings& tire, double mu);

/// State of a tire between steps: the deflection of its tread relative to the rim, positive if the force on the vehicle is
/// positive.
struct Deflection {
  double x = 0;  ///< m, along the wheel
  double y = 0;  ///< m, along the axle, positive to the right
};

/// The deflection after `dt` for constant sliding velocity (implicit Euler of e' = -V_s - |R w| e / sigma), clipped at full
/// sliding.
/// @param sliding_x, sliding_y  velocity of the tread over the ground (m/s)
/// @param transport             |R w| (m/s)
Deflection advance(const TireSettings& tire, Deflection e, double sliding_x, double sliding_y, double transport, double mu,
                   double dt);

/// Remaining part of a deflection after the tread has moved for `dt` (implicit Euler).
struct Fade {
  double x = 1, y = 1;
};
inline Fade fade_of(const TireSettings& tire, double transport, double dt) {
  const double y = 1 / (1 + dt * transport / tire.relaxation_length_y);
  if (tire.relaxation_length_x == tire.relaxation_length_y) return {y, y};
  return {1 / (1 + dt * transport / tire.relaxation_length_x), y};
}
/// The deflection, clipped at full sliding.
Deflection clipped(const TireSettings& tire, Deflection e, double mu);

/// Combined slip of a deflection: each component over its relaxation length, the longitudinal one weighted by the ratio of
/// the stiffnesses (friction ellipse).
double combined_slip(const TireSettings& tire, Deflection e);

}  // namespace simbatch::vehicle
