// Drives north between obstacles with a laser scanner, and stops where there is no way on. avoid.py does the same, number for
// number: all arithmetic is in double, in the same order, and only + - * / and comparisons (docs/controllers.md).

#include <string>

#include "UserProgramAPI.h"

using namespace UserProgramAPI;

namespace {

const int kRays = 91;                      // two degrees apart, from -90 (left) to 90 (right)
const double kStep = 0.03490658503988659;  // two degrees, rad
const double kStepCos = 0.9993908270190958, kStepSin = 0.03489949670250097;
const double kTurn = 6.283185307179586;
const double kHalfWidth = 1.7;  // m: of the car, and as much again as it needs
const double kFar = 22;         // m: what is further away is free

double limited(double x, double low, double high) { return x < low ? low : x > high ? high : x; }
double magnitude(double x) { return x < 0 ? -x : x; }

}  // namespace

int main(int, char* argv[]) {
  const std::string robot = argv[0];
  const SimDeviceName drive = robot + ".chassis.drive", scanner = robot + ".chassis.scanner",
                      compass = robot + ".chassis.compass", speedometer = robot + ".chassis.speed",
                      left = robot + ".chassis.indicator_left", right = robot + ".chassis.indicator_right";
  // Cosine and sine of 0, 2, ... 180 degrees, each from the one before.
  double cosines[kRays], sines[kRays];
  cosines[0] = 1;
  sines[0] = 0;
  for (int k = 1; k < kRays; ++k) {
    cosines[k] = cosines[k - 1] * kStepCos - sines[k - 1] * kStepSin;
    sines[k] = sines[k - 1] * kStepCos + cosines[k - 1] * kStepSin;
  }

  double steering = 0;
  for (;;) {
    float ranges[kRays], heading32 = 0, speed32 = 0;
    getData(scanner, ranges, sizeof ranges);
    GET_DATA(compass, heading32);
    GET_DATA(speedometer, speed32);
    const double heading = heading32, speed = speed32;

    // North, seen from the car: -pi to pi, positive to the right.
    double north = -heading;
    if (north < -kTurn / 2) north = north + kTurn;

    // How far each direction is free, for a car of that width.
    double best_score = -1e9, best_angle = 0, best_free = 0, ahead = kFar;
    for (int i = 10; i <= 80; ++i) {
      double free = kFar;
      for (int j = 0; j < kRays; ++j) {
        const int apart = i > j ? i - j : j - i;
        const double range = ranges[j];
        const double along = range * cosines[apart], beside = range * sines[apart];
        if (along > 0 && along < free && beside < kHalfWidth) free = along;
      }
      const double angle = (i - 45) * kStep;
      const double score = free - 4 * magnitude(angle - north) - 2 * magnitude(angle - 0.5 * steering);
      if (i == 45) ahead = free;
      if (score > best_score) {
        best_score = score;
        best_angle = angle;
        best_free = free;
      }
    }

    const bool stop = best_free < 7;
    steering = limited(2.2 * best_angle, -1, 1);
    const double wanted = stop ? 0 : limited(0.4 * (ahead < best_free ? ahead : best_free), 1.5, 7);
    const double push = 0.25 * (wanted - speed);
    float controls[3];
    controls[0] = static_cast<float>(limited(push, 0, 0.4));
    controls[1] = static_cast<float>(stop ? 0 : steering);
    controls[2] = static_cast<float>(stop ? 1 : limited(-push, 0, 1));
    setData(drive, controls, sizeof controls);
    float on = best_angle < -0.2 ? 1.0f : 0.0f;
    SET_DATA(left, on);
    on = best_angle > 0.2 ? 1.0f : 0.0f;
    SET_DATA(right, on);
    if (stop && magnitude(speed) < 0.2) return 0;
    sleepUntil(simTime() + 0.05);
  }
}
