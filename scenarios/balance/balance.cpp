// Keeps a robot on two wheels upright and near where it started. The lean comes from the inertial unit: the gyroscope's rate summed up, pulled
// slowly towards what the accelerometer says is up (a complementary filter), with the gyroscope's bias learned on the way. The way
// comes from the encoders. The four gains are those of a linear quadratic regulator (weights 4, 1, 20, 1 on place, speed, lean and its rate, 6 on the
// torque of a wheel) of the robot in balancer.xml, at 100 Hz.

#include <string>

#include "UserProgramAPI.h"

using namespace UserProgramAPI;

int main(int, char* argv[]) {
  const std::string body = std::string(argv[0]) + ".";
  const SimDeviceName imu = body + "body.imu", left = body + "body.left_encoder", right = body + "body.right_encoder",
                      left_motor = body + "left_motor", right_motor = body + "right_motor";
  const double kStep = 0.01;                                      // s
  const double kRadius = 0.1;                                     // m, of the wheels
  const double kX = 0.73, kV = 1.04, kLean = 6.45, kRate = 1.14;  // N m for each m, m/s, rad, rad/s
  double lean = 0, bias = 0;
  bool first = true;
  for (;;) {
    float inertial[6], a[3], b[3];
    getData(imu, inertial, sizeof inertial);
    getData(left, a, sizeof a);
    getData(right, b, sizeof b);
    const double forward = inertial[2], up = inertial[1], turning = inertial[3];
    const double seen = up > 1 ? -forward / up : 0;  // lean forward, as the accelerometer has it; small angles
    if (first) lean = seen;
    first = false;
    lean = lean + kStep * (turning - bias);
    bias = bias - 0.002 * (seen - lean) * kStep * 10;
    lean = lean + 0.004 * (seen - lean);
    const double rate = turning - bias;
    const double x = kRadius * (0.5 * (a[1] + b[1]) + lean), v = kRadius * (0.5 * (a[2] + b[2]) + rate);
    const double torque = kX * x + kV * v + kLean * lean + kRate * rate;
    const double turn = 0.05 * (a[1] - b[1]);  // both wheels as far as each other: straight on
    float to_left = static_cast<float>(torque - turn), to_right = static_cast<float>(torque + turn);
    SET_DATA(left_motor, to_left);
    SET_DATA(right_motor, to_right);
    sleepUntil(simTime() + kStep);
  }
}
