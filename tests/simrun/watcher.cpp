// Looks through its robot's camera ten times a second, and shows what it saw by a light: the share of pixels that are rather
// blue. argv[1]: the camera.
#include <string>

#include <ClientUserProgramAPI.h>
#include <windows.h>

using namespace UserProgramAPI;
using namespace ClientUserProgramAPI;

int main(int argc, char** argv) {
  if (argc < 2) return 1;
  const std::string robot = argv[0], camera = robot + "." + argv[1];
  for (;;) {
    const VirtualCameraImage* image = getImage(camera);
    if (image == nullptr) return 2;
    const int pixels = getImageWidth() * getImageHeight();
    int blue = 0;
    for (int i = 0; i < pixels; ++i) blue += (image[i] >> 16 & 255) > (image[i] & 255) + 12 ? 1 : 0;
    if (getImage(camera) != nullptr) return 3;  // one at a time
    unlockImage();
    float share = static_cast<float>(blue) / static_cast<float>(pixels);
    if (SET_DATA(robot + ".chassis.indicator_light_front_left", share) != NO_DEVICE_ERROR) return 4;
    Sleep(100);
  }
}
