// Takes a picture with a virtual camera every second and stores it as a PPM file.
//
// Arguments: folder for the pictures; camera (chassis.windshield); how many (5).
//
// The manner of the example "VirtualCamera" of the AutoSim thesis (appendix B).

#include "ClientUserProgramAPI.h"
#include "UserProgramAPI.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include <windows.h>

using namespace UserProgramAPI;
using namespace ClientUserProgramAPI;

int main(int argc, char* argv[]) {
  const RobotName robot = argv[0];
  const std::string folder = argc > 1 ? argv[1] : ".";
  const SimDeviceName camera = robot + "." + (argc > 2 ? argv[2] : "chassis.windshield");
  const int count = argc > 3 ? std::atoi(argv[3]) : 5;
  for (int i = 0; i < count; ++i) {
    const VirtualCameraImage* image = getImage(camera);
    if (image == nullptr) return 1;
    char name[32];
    std::snprintf(name, sizeof name, "/picture-%03d.ppm", i);
    std::FILE* file = std::fopen((folder + name).c_str(), "wb");
    if (file == nullptr) {
      std::perror((folder + name).c_str());
      return 1;
    }
    std::fprintf(file, "P6\n%d %d\n255\n", getImageWidth(), getImageHeight());
    for (int p = 0; p < getImageWidth() * getImageHeight(); ++p)
      for (int shift = 0; shift < 24; shift += 8) std::fputc(static_cast<int>(image[p] >> shift & 0xFF), file);  // red first
    std::fclose(file);
    unlockImage();
    Sleep(1000);
  }
  return 0;
}
