// Everything at once: drives a round by a timetable, signals each turn, lights the way while it moves, and shows what the camera sees.
//
// The AutoSim thesis' DemoUserProgram (appendix B) has a window with the camera's image, a steering wheel and switches for the lamps. Here
// the image goes to the terminal as characters every two seconds, and the timetable turns the wheel.

#include "ClientUserProgramAPI.h"
#include "UserProgramAPI.h"

#include <cstdio>
#include <string>

#include <windows.h>

using namespace UserProgramAPI;
using namespace ClientUserProgramAPI;

namespace {

struct Leg {
  double until;  // s
  float acceleration, steering, brake;
};
constexpr Leg kRound[] = {{3, 0.3f, 0, 0}, {6, 0.1f, 0.5f, 0}, {8, 0.1f, 0, 0}, {11, 0.1f, -0.5f, 0}, {13, 0, 0, 1}};

// The image as 32 x 10 characters, dark to bright.
void show(const SimDeviceName& camera) {
  const VirtualCameraImage* image = getImage(camera);
  if (image == nullptr) return;
  constexpr int kColumns = 32, kRows = 10;
  const int width = getImageWidth(), height = getImageHeight();
  std::printf("%s at %g s\n", camera.c_str(), simTime());
  for (int row = 0; row < kRows; ++row) {
    for (int column = 0; column < kColumns; ++column) {
      const unsigned pixel = image[(row * height / kRows) * width + column * width / kColumns];
      const unsigned sum = (pixel & 0xFF) + (pixel >> 8 & 0xFF) + (pixel >> 16 & 0xFF);
      std::putchar(" .:-=+*%@#"[sum * 10 / (3 * 256)]);
    }
    std::putchar('\n');
  }
  unlockImage();
}

}  // namespace

int main(int, char* argv[]) {
  const RobotName robot = argv[0];
  const SimDeviceName drive = robot + ".chassis.drive_chassis";
  double next_picture = 0;
  bool blink = false;
  for (const Leg& leg : kRound) {
    while (simTime() < leg.until) {
      float controls[3] = {leg.acceleration, leg.steering, leg.brake};
      if (SET_DATA(drive, controls) != NO_DEVICE_ERROR) return 1;
      float headlight = leg.brake > 0 ? 0.0f : 1.0f;
      SET_DATA(robot + ".chassis.headlight", headlight);
      blink = !blink;
      float left = leg.steering < 0 && blink ? 1.0f : 0.0f, right = leg.steering > 0 && blink ? 1.0f : 0.0f;
      SET_DATA(robot + ".chassis.indicator_light_back_left", left);
      SET_DATA(robot + ".chassis.indicator_light_back_right", right);
      if (simTime() >= next_picture) {
        show(robot + ".chassis.windshield");
        next_picture += 2;
      }
      Sleep(500);
    }
  }
  return 0;
}
