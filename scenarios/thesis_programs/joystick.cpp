// Drives a car with a joystick: the first axis steers, the second accelerates and, pulled back, brakes; button 0 is the headlight.
//
// Arguments: a file of events as Linux' joystick driver gives them (linux/joystick.h), recorded with
//     cat /dev/input/js0 > drive.js
// or the device itself, /dev/input/js0. A recorded file is played in simulation time, so the drive is the same in every run; the device is
// read as it comes, so no two drives are. Second argument: the drive (chassis.drive_chassis). Third: the headlight (chassis.headlight).
//
// The manner of the example "Joystick" of the AutoSim thesis (appendix B).

#include "UserProgramAPI.h"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <windows.h>  // Sleep: milliseconds of simulation time

using namespace UserProgramAPI;

namespace {

// struct js_event of linux/joystick.h.
struct Event {
  std::uint32_t time;   // ms
  std::int16_t value;   // axes: -32767..32767; buttons: 0, 1
  std::uint8_t type;    // 1: button, 2: axis; with 0x80: what it was at the start
  std::uint8_t number;  // of the axis or button
};
static_assert(sizeof(Event) == 8);

constexpr float kDeadZone = 0.05f;

float axis_of(const Event& event) {
  const float value = static_cast<float>(event.value) / 32767.0f;
  return value > -kDeadZone && value < kDeadZone ? 0.0f : value;
}

}  // namespace

int main(int argc, char* argv[]) {
  const RobotName robot = argv[0];
  if (argc < 2) {
    std::fprintf(stderr, "joystick: the first argument is a recorded file, or /dev/input/js0\n");
    return 1;
  }
  const SimDeviceName drive = robot + "." + (argc > 2 ? argv[2] : "chassis.drive_chassis");
  const SimDeviceName headlight = robot + "." + (argc > 3 ? argv[3] : "chassis.headlight");
  const int file = ::open(argv[1], O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) {
    std::perror(argv[1]);
    return 1;
  }
  struct stat about {};
  const bool recorded = ::fstat(file, &about) == 0 && S_ISREG(about.st_mode);

  float controls[3] = {0.0f, 0.0f, 0.0f};  // acceleration, steering, brake
  Event event{};
  std::uint32_t first = 0;
  bool started = false, waiting = false;  // waiting: `event` is due later
  while (true) {
    while (true) {
      errno = 0;
      if (!waiting && ::read(file, &event, sizeof event) != static_cast<ssize_t>(sizeof event)) {
        // The end of a recording, or a device that was pulled out (ENODEV): stop. A device has no events now: EAGAIN; no writer of a
        // pipe: 0 bytes.
        if (recorded || (errno != 0 && errno != EAGAIN && errno != EINTR)) {
          controls[0] = controls[1] = 0.0f;
          controls[2] = 1.0f;
          SET_DATA(drive, controls);
          return 0;
        }
        break;
      }
      if (!started) first = event.time;
      started = true;
      waiting = recorded && static_cast<double>(event.time - first) / 1000.0 > simTime();
      if (waiting) break;
      const int kind = event.type & 0x7F;
      if (kind == 2 && event.number == 0) controls[1] = axis_of(event);
      if (kind == 2 && event.number == 1) {  // forward is negative
        const float push = -axis_of(event);
        controls[0] = push > 0 ? push : 0.0f;
        controls[2] = push < 0 ? -push : 0.0f;
      }
      if (kind == 1 && event.number == 0) {
        float light = event.value != 0 ? 1.0f : 0.0f;
        SET_DATA(headlight, light);
      }
    }
    if (SET_DATA(drive, controls) != NO_DEVICE_ERROR) return 1;
    Sleep(20);
  }
}
