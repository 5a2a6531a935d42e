// What user programs may do, one behavior per first argument. Those that check something throw when it is not so.

#include "ClientUserProgramAPI.h"

#include <cerrno>
#include <cfenv>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <windows.h>

#include <cassert>

using namespace UserProgramAPI;
using namespace ClientUserProgramAPI;

#define EXPECT(condition)                                                                             \
  do {                                                                                                \
    if (!(condition)) throw std::runtime_error("line " + std::to_string(__LINE__) + ": " #condition); \
  } while (false)

namespace {

int counter = 0;  // a static of this copy
volatile int zero = 0;
volatile int* volatile nowhere = nullptr;

struct Global {
  std::string robot;
  ~Global() {
    if (robot.empty()) return;
    float one = 1;
    SET_DATA(robot + ".part.lamp", one);  // seen by the test: destructors run when main has returned
  }
} global;

[[gnu::noinline]] void throw_int() { throw 5; }

int deep(int n) {
  volatile char room[4096];
  room[0] = static_cast<char>(n);
  return n <= 0 ? room[0] : deep(n + 1) + room[0];
}

// Every SimDeviceError.
int errors(const std::string& robot) {
  float one = 0.5f, two[2] = {0, 0};
  EXPECT(GET_DATA("nonesuch.part.sensor", one) == UNKNOWN_ROBOT);
  EXPECT(GET_DATA("", one) == UNKNOWN_ROBOT);
  EXPECT(GET_DATA(robot + ".part.missing", one) == UNKNOWN_DEVICE);
  EXPECT(GET_DATA(robot + ".missing", one) == UNKNOWN_DEVICE);
  EXPECT(GET_DATA(robot, one) == INVALID_DEVICE);
  EXPECT(SET_DATA(robot + ".part", one) == INVALID_DEVICE);
  EXPECT(SET_DATA(robot + ".part.sensor", one) == INVALID_OPERATION);
  EXPECT(GET_DATA(robot + ".part.sensor", two) == DATA_SIZE_MISMATCH);
  EXPECT(SET_DATA(robot + ".part.lamp", two) == DATA_SIZE_MISMATCH);
  EXPECT(getData(robot + ".part.sensor", &one, -4) == DATA_SIZE_MISMATCH);
  EXPECT(getData(robot + ".part.sensor", nullptr, 4) == DATA_SIZE_MISMATCH);
  EXPECT(one == 0.5f);
  EXPECT(GET_DATA(robot + ".part.sensor", one) == NO_DEVICE_ERROR);
  EXPECT(one == 7);
  one = 0.25f;
  EXPECT(SET_DATA(robot + ".part.lamp", one) == NO_DEVICE_ERROR);
  one = 0;
  EXPECT(GET_DATA(robot + ".part.lamp", one) == NO_DEVICE_ERROR && one == 0.25f);
  one = std::nanf("");
  EXPECT(SET_DATA(robot + ".part.lamp", one) == NO_DEVICE_ERROR);  // sets nothing
  EXPECT(GET_DATA(robot + ".part.lamp", one) == NO_DEVICE_ERROR && one == 0.25f);
  one = 9;
  SET_DATA(robot + ".part.lamp", one);
  EXPECT(GET_DATA(robot + ".part.lamp", one) == NO_DEVICE_ERROR && one == 1);  // the end of its range
  // Another thread has no turn.
  unsigned from_thread = NO_DEVICE_ERROR;
  std::thread([&] { from_thread = GET_DATA(robot + ".part.sensor", one); }).join();
  EXPECT(from_thread == INVALID_OPERATION);
  return 0;
}

// Every SimDeviceStatus but BLOCKED (see images) and PAUSED (see watch).
int states(const std::string& robot) {
  float value = 0;
  EXPECT(deviceStatus(robot + ".part.missing") == INVALID);
  EXPECT(deviceStatus(robot + ".part") == INVALID);
  EXPECT(deviceStatus(robot + ".part.sensor") == (READY | ACTIVE));
  EXPECT(deviceStatus(robot + ".part.camera") == READY);
  EXPECT(deviceStatus(robot + ".part.lamp") == READY);
  value = 0.5f;
  SET_DATA(robot + ".part.lamp", value);
  EXPECT(deviceStatus(robot + ".part.lamp") == (READY | ACTIVE));
  const std::vector<SimDeviceEntry> all = listDevices();
  EXPECT(all.size() >= 3);
  EXPECT(all[0].name == robot + ".part.sensor" && all[0].kind == "Sensor" && all[0].dataSize == 4 && !all[0].settable);
  EXPECT(all[1].name == robot + ".part.lamp" && all[1].settable);
  return 0;
}

int images(const std::string& robot) {
  const std::string camera = robot + ".part.camera";
  EXPECT(getImageWidth() == 4 && getImageHeight() == 3);
  EXPECT(getImage(robot + ".part.sensor") == nullptr);
  EXPECT(getImage("nonesuch.part.camera") == nullptr);
  VirtualCameraImage* image = getImage(camera);
  EXPECT(image != nullptr);
  for (int i = 0; i < 12; ++i) EXPECT(image[i] == 0xFF000000u + static_cast<unsigned>(i));
  EXPECT(deviceStatus(camera) == BLOCKED);
  EXPECT(getImage(camera) == nullptr);
  Sleep(200);
  EXPECT(image[11] == 0xFF00000Bu);
  unlockImage();
  unlockImage();
  EXPECT(deviceStatus(camera) == READY);
  EXPECT(getImage(camera) != nullptr);
  return 0;  // still held: freed when the program ends
}

// Every clock shows the simulation's time, and everything that sleeps does so in it.
int clocks() {
  const auto near = [](double a, double b) { return std::fabs(a - b) < 1e-6; };
  EXPECT(simTime() == 0);
  Sleep(300);
  EXPECT(near(simTime(), 0.3) && GetTickCount() == 300);
  sleep(1);
  EXPECT(near(simTime(), 1.3));
  usleep(200000);
  EXPECT(near(simTime(), 1.5));
  timespec span{0, 500000000}, left{9, 9};
  EXPECT(nanosleep(&span, &left) == 0 && left.tv_sec == 0);
  EXPECT(near(simTime(), 2));
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT(near(simTime(), 2.5));
  std::this_thread::sleep_until(std::chrono::steady_clock::now() + std::chrono::milliseconds(500));
  EXPECT(near(simTime(), 3));
  std::this_thread::sleep_until(std::chrono::system_clock::now() + std::chrono::milliseconds(500));
  EXPECT(near(simTime(), 3.5));
  sleepUntil(4);
  EXPECT(near(simTime(), 4));
  sleepUntil(1);  // long ago: one step
  EXPECT(near(simTime(), 4.1));
  Sleep(0);
  EXPECT(near(simTime(), 4.2));
  clock_nanosleep(CLOCK_MONOTONIC, 0, &span, nullptr);
  EXPECT(near(simTime(), 4.7));
  span = {5, 0};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &span, nullptr);
  EXPECT(near(simTime(), 5));
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  EXPECT(now.tv_sec == 5 && now.tv_nsec == 0);
  clock_gettime(CLOCK_REALTIME, &now);
  EXPECT(now.tv_sec == 946684805);
  timeval day{};
  gettimeofday(&day, nullptr);
  EXPECT(day.tv_sec == 946684805 && time(nullptr) == 946684805);
  EXPECT(std::chrono::steady_clock::now().time_since_epoch() == std::chrono::seconds(5));
  EXPECT(std::chrono::system_clock::now().time_since_epoch() == std::chrono::seconds(946684805));
  EXPECT(clock() == 5 * CLOCKS_PER_SEC);
  return 0;
}

// State of its own: statics, random numbers, errno, what it has caught, rounding.
int own_state(const std::string& robot) {
  const int mine = robot == "a" ? 1 : 2;
  EXPECT(rand() == 1804289383);  // glibc's first number, with the seed 1
  srand(static_cast<unsigned>(mine));
  const int expected = rand();
  srand(static_cast<unsigned>(mine));
  const double first = drand48();
  for (int i = 0; i < 5; ++i) {
    EXPECT(++counter == i + 1);
    errno = mine;
    fesetround(mine == 1 ? FE_UPWARD : FE_DOWNWARD);
    Sleep(100);
    EXPECT(errno == mine);
    EXPECT(fegetround() == (mine == 1 ? FE_UPWARD : FE_DOWNWARD));
  }
  fesetround(FE_TONEAREST);
  EXPECT(rand() == expected);
  EXPECT(drand48() != first);
  try {
    throw std::runtime_error(robot);
  } catch (...) {
    for (int i = 0; i < 3; ++i) {
      Sleep(100);
      try {
        throw;  // its own, whatever the other robot has caught meanwhile
      } catch (const std::exception& again) {
        EXPECT(again.what() == robot);
      }
      EXPECT(std::uncaught_exceptions() == 0);
    }
  }
  return 0;
}

// Looks at the other robot's lamp, whose program ends at once.
int watch() {
  Sleep(100);
  EXPECT(deviceStatus("b.part.lamp") == (READY | PAUSED));
  EXPECT(deviceStatus("a.part.lamp") == READY);
  float lit = 0.5f;
  EXPECT(SET_DATA("b.part.lamp", lit) == NO_DEVICE_ERROR);
  EXPECT(deviceStatus("b.part.lamp") == (READY | ACTIVE | PAUSED));
  EXPECT(deviceStatus("b.part.sensor") == (READY | ACTIVE));
  return 0;
}

// Ends in ways in which a program should not, or does not end.
int misbehave(const std::string& what) {
  if (what == "null") return *nowhere;
  if (what == "stack") return deep(1);
  if (what == "handler") {
    EXPECT(signal(SIGSEGV, SIG_IGN) == SIG_ERR && errno == EINVAL);
    EXPECT(signal(SIGUSR2, SIG_IGN) == SIG_DFL && signal(SIGUSR2, SIG_DFL) == SIG_IGN);
    return *nowhere;
  }
  if (what == "divide") return 100 / zero;
  if (what == "trap") __builtin_trap();
  if (what == "library")
    return static_cast<int>(std::strlen(const_cast<const char*>(reinterpret_cast<volatile char*>(nowhere))));
  if (what == "throw") throw std::runtime_error("no more fuel");
  if (what == "throw int") throw_int();
  if (what == "terminate") std::terminate();
  if (what == "noexcept")
    [&]() noexcept {
      if (zero == 0) throw_int();
    }();
  if (what == "thread exit") {
    std::thread([] { std::exit(6); }).detach();
    for (;;) Sleep(100);
  }
  if (what == "exit") std::exit(3);
  if (what == "_exit") _exit(4);
  if (what == "quick") std::quick_exit(5);
  if (what == "abort") std::abort();
  if (what == "assert") assert(zero == 1);
  if (what == "heap") {
    void* volatile block = std::malloc(64);
    std::free(block);
    std::free(block);
  }
  if (what == "loop") {
    std::fputs("in the loop\n", stderr);
    for (;;) zero = 0;
  }
  if (what == "allocate")  // mostly in the C library
    for (;;) {
      void* volatile block = std::malloc(100);
      std::free(block);
    }
  if (what == "block") {  // waits in the kernel for what is never sent
    int ends[2];
    char byte = 0;
    if (pipe(ends) != 0) return 1;
    while (read(ends[0], &byte, 1) != 1) {
    }
  }
  if (what == "child") {  // a child of its own may exit
    const pid_t child = fork();
    if (child == 0) _exit(9);
    return child > 0 ? 0 : 1;
  }
  return 0;
}

}  // namespace

int main(int argc, char* argv[]) {
  const std::string robot = argv[0];
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "return") return 42;
  if (what == "arguments")
    return argc == 4 && std::string(argv[2]) == "two words" && std::string(argv[3]).empty() && argv[4] == nullptr ? 0 : 1;
  if (what == "errors") return errors(robot);
  if (what == "states") return states(robot);
  if (what == "images") return images(robot);
  if (what == "clocks") return clocks();
  if (what == "own") return own_state(robot);
  if (what == "watch") return watch();
  if (what == "destructors") {
    global.robot = robot;
    return 0;
  }
  if (what == "forever") {
    for (float x = 0;; x = 1 - x) {
      SET_DATA(robot + ".part.lamp", x);
      Sleep(100);
    }
  }
  if (what == "stubborn") {  // no unwinding when it is dropped: this would swallow it, and go on
    for (;;) {
      try {
        Sleep(100);
      } catch (...) {
      }
    }
  }
  Sleep(200);  // what follows happens in step 2
  return misbehave(what);
}
