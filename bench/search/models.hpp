#pragma once
/// Models of the falsification problems of ARCH-COMP (G. Ernst et al., ARCH-COMP 2021 category report: falsification), as
/// functions of their inputs: bench/search.cpp evaluates them without a simulator around them, plant.cpp runs them as user
/// programs.

#include <array>
#include <cstddef>

namespace simbatch::bench {

/// Automatic transmission (B. Hoxha, H. Abbas, G. Fainekos, Benchmarks for temporal logic requirements for automotive systems,
/// ARCH 2014; the tables are those of MathWorks' example sldemo_autotrans): engine, torque converter, four gears with their
/// shift logic, and a vehicle.
class Transmission {
 public:
  /// @param throttle  0..100 %  @param brake  torque, 0..325 ft lbf  @param dt  s
  void step(double throttle, double brake, double dt);
  double speed() const { return speed_; }  ///< mph
  double rpm() const { return rpm_; }
  int gear() const { return gear_ + 1; }  ///< 1..4

 private:
  double rpm_ = 1000, wheel_ = 0, speed_ = 0;  // wheel: rpm
  int gear_ = 0, wanted_ = 0;                  // wanted: -1 down, 1 up, for `since_`
  double since_ = 0;
};

/// Chasing cars (J. Hu, J. Lygeros, S. Sastry, Towards a theory of stochastic hybrid systems, HSCC 2000, in the deterministic
/// version of ARCH-COMP, whose cars fall back while they keep their distance): the first of five cars has a throttle and a
/// brake; each of the others chases the one before it while that is far, keeps its distance, and brakes when it is near.
class ChasingCars {
 public:
  static constexpr std::size_t kCars = 5;
  /// @param throttle, brake  0..1  @param dt  s
  void step(double throttle, double brake, double dt);
  const std::array<double, kCars>& places() const { return y_; }  ///< m; cars drive towards smaller values

 private:
  enum class Mode { keeping, chasing, braking };
  std::array<double, kCars> y_{0, 10, 20, 30, 40}, v_{};
  std::array<Mode, kCars> modes_{};
};

}  // namespace simbatch::bench
