// Drives straight on at 10 m/s, and brakes as hard as it can from the moment in which the eye sees something, until it stands still.

#include "UserProgramAPI.h"

using namespace UserProgramAPI;

int main(int, char* argv[]) {
  const RobotName robot = argv[0];
  const SimDeviceName drive = robot + ".chassis.drive", eye = robot + ".chassis.eye", speedometer = robot + ".chassis.speed";
  const float kSpeed = 10;  // m/s
  float farthest = 0;
  bool seen = false;
  for (;;) {
    float distance = 0, speed = 0;
    if (GET_DATA(eye, distance) != NO_DEVICE_ERROR || GET_DATA(speedometer, speed) != NO_DEVICE_ERROR) return 1;
    // Nothing is as far away as the eye's range, which noise may exceed by a little.
    if (distance > farthest) farthest = distance;
    seen = seen || distance < farthest - 0.5f;
    const float push = 0.5f * (kSpeed - speed);
    float controls[3] = {seen || push < 0 ? 0 : push > 0.6f ? 0.6f : push, 0, seen ? 1.0f : 0.0f};
    setData(drive, controls, sizeof controls);
    if (seen && speed < 0.1f) return 0;
    sleepUntil(simTime() + 0.02);
  }
}
