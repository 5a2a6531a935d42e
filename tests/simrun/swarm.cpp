// A program for many robots: reads its own devices and its neighbor's, noise and all, sets its own and sometimes the
// neighbor's, keeps statics, and sleeps for different times.
#include <cstdlib>
#include <string>

#include <UserProgramAPI.h>
#include <windows.h>

using namespace UserProgramAPI;

static unsigned state = 1;  // every robot has its own

static float next() {
  state = state * 1664525u + 1013904223u;
  return static_cast<float>(state >> 8) / 16777216.0f;
}

int main(int argc, char* argv[]) {
  if (argc != 3) return 1;
  const std::string own = argv[0], neighbor = argv[1];
  state += static_cast<unsigned>(std::atoi(argv[2]));
  for (int turn = 0;; ++turn) {
    float range = 0, heading = 0, theirs = 0;
    GET_DATA(own + ".chassis.psd0", range);
    GET_DATA(own + ".chassis.compass0", heading);
    GET_DATA(neighbor + ".chassis.gyro0", theirs);
    float drive[3] = {0.3f * next(), heading - 3 + theirs + next() - 0.5f, range < 4 ? 0.8f : 0.0f};
    setData(own + ".chassis.drive_chassis", drive, sizeof drive);
    float light = next();
    SET_DATA(own + ".chassis.headlight_left", light);
    if (turn % 4 == 0) SET_DATA(neighbor + ".chassis.headlight_right", light);
    float seen = 0;
    GET_DATA(own + ".chassis.headlight_right", seen);
    if (seen > 0.5f) SET_DATA(own + ".chassis.indicator_light_back_left", seen);
    if (turn == 12 && next() < 0.2f) return 7;
    Sleep(static_cast<unsigned>(5 + 40 * next()));
  }
}
