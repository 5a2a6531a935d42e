#include "bench/search/models.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace simbatch::bench {
namespace {

/// Piecewise linear; extrapolated beyond the ends of the table.
template <std::size_t n>
double table(const std::array<double, n>& x, const std::array<double, n>& y, double at) {
  std::size_t i = 0;
  while (i + 2 < n && at >= x[i + 1]) ++i;
  return y[i] + (y[i + 1] - y[i]) / (x[i + 1] - x[i]) * (at - x[i]);
}

constexpr std::array<double, 10> kThrottles{0, 20, 30, 40, 50, 60, 70, 80, 90, 100};
constexpr std::array<double, 11> kSpeeds{800, 1200, 1600, 2000, 2400, 2800, 3200, 3600, 4000, 4400, 4800};
constexpr std::array<std::array<double, 11>, 10> kTorques{{{-40, -44, -49, -53, -57, -61, -65, -70, -74, -78, -82},
                                                           {215, 117, 85, 66, 44, 29, 10, -2, -13, -22, -32},
                                                           {245, 208, 178, 148, 122, 104, 85, 66, 48, 33, 18},
                                                           {264, 260, 241, 219, 193, 167, 152, 133, 119, 96, 85},
                                                           {264, 279, 282, 275, 260, 238, 223, 208, 189, 171, 152},
                                                           {267, 290, 293, 297, 290, 275, 260, 256, 234, 212, 193},
                                                           {267, 297, 305, 305, 305, 301, 293, 282, 267, 249, 226},
                                                           {267, 301, 308, 312, 319, 323, 319, 316, 297, 279, 253},
                                                           {267, 301, 312, 319, 327, 327, 327, 327, 312, 293, 267},
                                                           {267, 301, 312, 319, 327, 334, 334, 334, 319, 305, 275}}};
constexpr std::array<double, 21> kRatios{0,    0.1,  0.2,  0.3,  0.4,  0.5,  0.6,  0.7, 0.8,  0.81, 0.82,
                                         0.83, 0.84, 0.85, 0.86, 0.87, 0.88, 0.89, 0.9, 0.92, 0.94};
constexpr std::array<double, 21> kFactors{137.4652, 137.065,  135.8644, 135.6644, 137.5653, 140.3666, 145.2689,
                                          152.8725, 162.9773, 164.2779, 166.1788, 167.9797, 170.0807, 172.782,
                                          175.3832, 179.5852, 183.5871, 189.8901, 197.6938, 215.9024, 244.516};
constexpr std::array<double, 21> kGains{2.232, 2.075, 1.975, 1.846, 1.72,  1.564, 1.409, 1.254, 1.096, 1.08, 1.061,
                                        1.043, 1.028, 1.012, 1.002, 1.002, 1.001, 0.998, 0.999, 1.001, 1.002};
constexpr std::array<double, 4> kGears{2.393, 1.45, 1, 0.677};
constexpr std::array<double, 6> kUpThrottles{0, 25, 35, 50, 90, 100}, kDownThrottles{0, 5, 40, 50, 90, 100};
/// Speeds (mph) above which the first three gears are left, and below which the upper three are.
constexpr std::array<std::array<double, 6>, 3> kUp{
    {{10, 10, 15, 23, 40, 40}, {30, 30, 30, 41, 70, 70}, {50, 50, 50, 60, 100, 100}}};
constexpr std::array<std::array<double, 6>, 3> kDown{
    {{5, 5, 5, 5, 30, 30}, {20, 20, 25, 30, 50, 50}, {35, 35, 40, 50, 80, 80}}};
constexpr double kEngineInertia = 0.0219914882835559, kVehicleInertia = 12.09414785731247, kFinalDrive = 3.23,
                 kShiftTime = 0.08;

double engine_torque(double throttle, double rpm) {
  std::size_t i = 0;
  while (i + 2 < kThrottles.size() && throttle >= kThrottles[i + 1]) ++i;
  const double low = table(kSpeeds, kTorques[i], rpm), high = table(kSpeeds, kTorques[i + 1], rpm);
  return low + (high - low) * (throttle - kThrottles[i]) / (kThrottles[i + 1] - kThrottles[i]);
}

}  // namespace

void Transmission::step(double throttle, double brake, double dt) {
  const auto gear = static_cast<std::size_t>(gear_);
  const double ratio = kGears[gear] * kFinalDrive * wheel_ / rpm_;
  const double quotient = rpm_ / table(kRatios, kFactors, ratio);
  const double impeller = quotient * quotient, turbine = impeller * table(kRatios, kGains, ratio);
  const double load = (speed_ >= 0 ? 1 : -1) * (40 + 0.02 * speed_ * speed_ + brake);
  const double wheel_torque = kFinalDrive * kGears[gear] * turbine - load;
  const double engine = engine_torque(throttle, rpm_) - impeller;
  rpm_ = std::clamp(rpm_ + dt * engine / kEngineInertia, 600.0, 6000.0);
  wheel_ += dt * wheel_torque / kVehicleInertia;
  speed_ = wheel_ * 2 * std::numbers::pi * 60 / 5280;
  // A gear is shifted when its threshold has been passed for a while.
  int wants = 0;
  if (gear_ < 3 && speed_ > table(kUpThrottles, kUp[gear], throttle)) wants = 1;
  if (gear_ > 0 && speed_ < table(kDownThrottles, kDown[gear - 1], throttle)) wants = -1;
  since_ = wants != 0 && wants == wanted_ ? since_ + dt : 0;
  wanted_ = wants;
  if (wants != 0 && since_ >= kShiftTime) {
    gear_ += wants;
    wanted_ = 0;
  }
}

void ChasingCars::step(double throttle, double brake, double dt) {
  const std::array<double, kCars> before = y_;
  y_[0] += dt * v_[0];
  v_[0] += dt * (-throttle - brake * v_[0]);
  for (std::size_t i = 1; i < kCars; ++i) {
    const double gap = before[i] - before[i - 1];
    Mode& mode = modes_[i];
    if (mode == Mode::chasing && gap <= 10)
      mode = Mode::keeping;
    else if (mode == Mode::keeping && gap >= 15)
      mode = Mode::chasing;
    else if (mode == Mode::keeping && gap <= 5)
      mode = Mode::braking;
    else if (mode == Mode::braking && gap >= 20)
      mode = Mode::chasing;
    y_[i] += dt * (mode == Mode::keeping ? v_[i] : -v_[i]);
    v_[i] += dt * (mode == Mode::chasing ? 1 : mode == Mode::braking ? -v_[i] : 0);
  }
}

}  // namespace simbatch::bench
