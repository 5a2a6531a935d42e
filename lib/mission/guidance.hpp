#pragma once
/// Path following: from a vehicle's pose to its speed and yaw rate.
///
/// Frame M: x east, y north (m), yaw counter-clockwise from east (rad). With the path's position p_d, direction psi_d and
/// curvature kappa at arc length s, the errors in the path's frame are: e_s along it (positive: the vehicle is ahead), e_y
/// across it (positive: to its left), e_psi = yaw - psi_d.

#include <optional>
#include <span>
#include <string_view>

#include "lib/mission/geometry.hpp"

namespace simbatch::mission {

enum class Law {
  /// Lapierre, Soetanto: Nonlinear path-following control of an AUV, Ocean Engineering 34 (2007) 1734-1744, kinematic part
  /// (eqs. 9-19): a virtual target moves along the path; the vehicle turns to an approach angle that depends on e_y.
  lapierre,
  /// Aguiar, Hespanha: Trajectory-tracking and path-following of underactuated autonomous vehicles with parametric modeling
  /// uncertainty, IEEE Trans. Automatic Control 52 (2007) 1362-1379, section III in the plane with speed and yaw rate as
  /// inputs: drives the error in the vehicle's own frame to a small constant offset, so that the input matrix is invertible.
  aguiar,
  /// Samson, Ait-Abderrahim: Mobile robot control part 1, INRIA RR-1288 (1990); Micaelli, Samson: Trajectory tracking for
  /// unicycle-type and two-steering-wheels mobile robots, INRIA RR-2097 (1993), section 3: follows the closest point of the
  /// path.
  samson,
  /// Fossen, Pettersen: On uniform semiglobal exponential stability (USGES) of proportional line-of-sight guidance laws,
  /// Automatica 50 (2014) 2912-2917: steers to a point `lookahead` ahead of the closest one.
  los,
};
std::string_view to_text(Law law);
std::optional<Law> parse_law(std::string_view text);

/// Gains; the defaults are those published with the vehicles' simulator, where available.
struct LawGains {
  double k1 = 1.0;            ///< 1/s, lapierre: the virtual target
  double k2 = 0.3;            ///< 1/s, lapierre, samson: yaw
  double k3 = 0.3;            ///< 1/m^2, lapierre, samson: cross-track term of the yaw rate
  double theta = 0.8;         ///< rad, lapierre, samson: largest approach angle
  double k_delta = 1.0;       ///< 1/(m m/s), lapierre, samson: how fast the approach angle saturates
  double epsilon = -1.0;      ///< m, aguiar: the offset along the vehicle's axis, not 0
  double kx = 0.8, ky = 0.8;  ///< 1/s, aguiar
  double lookahead = 3.0;     ///< m, los
  double k_yaw = 0.8;         ///< 1/s, los: from heading error to yaw rate
  double max_surge = 1.5;     ///< m/s, all
  double max_yaw_rate = 0.5;  ///< rad/s, all
};

/// Commands of a guidance law.
struct LawCommand {
  double surge = 0;     ///< m/s
  double yaw_rate = 0;  ///< rad/s, counter-clockwise positive
};

/// Tracking errors of a step, for traces.
struct LawErrors {
  double along = 0, cross = 0, yaw = 0;
};

/// Follows a path by one of the laws. Keeps the arc length of its target on the path.
class PathFollower {
 public:
  /// @pre the path is not empty
  PathFollower(Path path, Law law, const LawGains& gains = {});

  /// One step.
  /// @param at, yaw  the vehicle's pose in M
  /// @param surge    its speed along its axis (m/s); 0 if unknown: the desired speed is used instead
  /// @param speed    desired speed along the path (m/s), >= 0
  /// @param dt       s, > 0
  LawCommand step(Point at, double yaw, double surge, double speed, double dt);

  const Path& path() const { return path_; }
  double s() const { return s_; }  ///< arc length of the target (m)
  bool is_at_end() const { return s_ >= path_.length(); }
  /// Errors of the last step; the cross-track error is measured at the closest point for all laws.
  const LawErrors& errors() const { return errors_; }
  /// The errors at the path point nearest to `at`, searched locally, starting from the last step's result.
  LawErrors errors_at(Point at, double yaw) const;

 private:
  Path path_;
  Law law_;
  LawGains gains_;
  double s_ = 0;        // target of the law
  double closest_ = 0;  // arc length of the nearest point
  LawErrors errors_;
};

/// Cooperative speed correction: vehicles that each follow a shifted path of their own agree on the normalized path parameter.
/// Source: Ghabcheloo, Aguiar, Pascoal, Silvestre, Kaminer, Hespanha: Coordinated path-following in the presence of
/// communication losses and time delays, SIAM J. Control and Optimization 48 (2009) 234-265, section 5: the consensus term
/// - k sum over neighbors of (gamma_i - gamma_j), bounded here by a tanh.
struct CooperationGains {
  double k = 0.3;           ///< 1/s: m/s per meter that the others are behind on average
  double max_change = 0.1;  ///< m/s
};
/// @param gamma      own normalized path parameter
/// @param others     the neighbors' normalized path parameters
/// @param scale      m of own path for one unit of gamma here (the current piece's length)
/// @return correction of the desired speed (m/s), in [-max_change, max_change]
double cooperative_correction(double gamma, std::span<const double> others, double scale, const CooperationGains& gains = {});

}  // namespace simbatch::mission
