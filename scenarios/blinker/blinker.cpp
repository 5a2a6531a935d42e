// Turns an indicator on and off while the car rolls over uneven ground: on while its nose goes down, blinking.
//
// The manner of the example in the AutoSim thesis (B.3.4): an endless loop that reads a sensor, sets an actuator, and sleeps.

#include "UserProgramAPI.h"

#include <string>

#include <windows.h>  // Sleep: milliseconds of simulation time

using namespace UserProgramAPI;

int main(int argc, char* argv[]) {
  const RobotName robot = argv[0];
  // The first argument from the scenario, if there is one: which side blinks.
  const std::string side = argc > 1 ? argv[1] : "left";
  const SimDeviceName inclinometer = robot + ".chassis.inclino0";
  const SimDeviceName indicator = robot + ".chassis.indicator_light_back_" + side;
  const SimDeviceName drive = robot + ".chassis.drive_chassis";

  // DriveActuator: acceleration, steering, brake.
  float controls[3] = {0.25f, 0.0f, 0.0f};
  SET_DATA(drive, controls);

  float before = 0.0f;
  bool lit = false;
  while (true) {
    float angle = 0.0f;
    if (GET_DATA(inclinometer, angle) != NO_DEVICE_ERROR) return 1;
    lit = angle > before && !lit;
    before = angle;
    float intensity = lit ? 1.0f : 0.0f;
    SET_DATA(indicator, intensity);

    if (simTime() >= 8.0) {
      controls[0] = 0.0f;
      controls[2] = 0.5f;
      SET_DATA(drive, controls);
    }
    Sleep(300);
  }
}
