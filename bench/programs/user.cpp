// The program of bench/programs.cpp: argv[1] times getData in each of its turns, one turn a step.
#include <cstdlib>
#include <string>

#include <UserProgramAPI.h>

using namespace UserProgramAPI;

int main(int argc, char* argv[]) {
  const std::string device = std::string(argv[0]) + ".chassis.psd0";
  const int gets = argc > 1 ? std::atoi(argv[1]) : 0;
  float range = 0;
  for (;;) {
    for (int i = 0; i < gets; ++i) GET_DATA(device, range);
    simbatch_sleep(0);
  }
}
