// The part of Simbatch that is linked into every user program (libsimbatch_program.a).
//
// It holds the API's functions, which call through the table that the simulator sets, and definitions of functions of the C
// library whose own versions would end the process, wait in real time, or share state between robots. All but
// simbatch_program_bind are hidden: the linker resolves the program's calls to them, and no other library sees them. What the
// program's other libraries call is not covered.
//
// No C++ runtime is used here, so that C programs can be linked without one.

#include "sdk/runtime/host.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define HIDDEN __attribute__((visibility("hidden")))

namespace {

const simbatch_host* host = nullptr;

// ---- at exit ------------------------------------------------------------------------------------------------------------

// What runs when the program ends. glibc's own list would run it when the simulator ends, long after its host is gone.
struct AtExit {
  void (*function)(void*);
  void* argument;
};
AtExit* at_exit = nullptr;
size_t at_exit_count = 0, at_exit_room = 0;

bool own_thread() { return host == nullptr || host->own_thread(host->self) != 0; }

int add_at_exit(void (*function)(void*), void* argument) {
  if (at_exit_count == at_exit_room) {
    const size_t room = at_exit_room == 0 ? 16 : 2 * at_exit_room;
    auto* grown = static_cast<AtExit*>(realloc(at_exit, room * sizeof(AtExit)));
    if (grown == nullptr) return -1;
    at_exit = grown;
    at_exit_room = room;
  }
  at_exit[at_exit_count++] = {function, argument};
  return 0;
}

void call_plain(void* function) { reinterpret_cast<void (*)()>(function)(); }

void run_at_exit() {
  while (at_exit_count > 0) {
    const AtExit next = at_exit[--at_exit_count];
    next.function(next.argument);
  }
}

// ---- time ---------------------------------------------------------------------------------------------------------------

double now() { return host != nullptr ? host->time(host->self) : 0; }

timespec as_timespec(double seconds, long long whole) {
  const double most = 9e15;
  const auto truncated = static_cast<time_t>(seconds < 0 ? 0 : seconds > most ? most : seconds);  // not floor(): of libm
  long nanoseconds = static_cast<long>((seconds - static_cast<double>(truncated)) * 1e9 + 0.5);
  timespec result;
  result.tv_sec = truncated + whole;
  if (nanoseconds >= 1000000000) {
    nanoseconds -= 1000000000;
    result.tv_sec += 1;
  }
  result.tv_nsec = nanoseconds;
  return result;
}

long long start_unix() { return host != nullptr ? host->start_unix(host->self) : 0; }

// Sleeps in simulation time on the program's own thread, in real time on others.
int sleep_for(double seconds) {
  if (host == nullptr) return 0;
  if (host->sleep_until(host->self, host->time(host->self) + seconds) == 0) return 0;
  const timespec span = as_timespec(seconds, 0);
  return static_cast<int>(syscall(SYS_nanosleep, &span, nullptr));
}

// ---- leaving ------------------------------------------------------------------------------------------------------------

[[noreturn]] void leave(const char* how, int status, const char* detail = nullptr) {
  if (host == nullptr) __builtin_trap();  // a static object's constructor: the library is just being loaded
  host->leave(host->self, how, status, detail);
  for (;;) syscall(SYS_exit_group, status);  // a child that the program forked
}

// ---- random numbers -----------------------------------------------------------------------------------------------------

// glibc's own generator with a state of this copy: the same numbers as rand() gives in a program by itself.
struct random_data random_state;
char random_bytes[128];
bool random_ready = false;

void seed(unsigned value) {
  if (random_ready) {
    srandom_r(value, &random_state);
    return;
  }
  memset(&random_state, 0, sizeof random_state);
  initstate_r(value, random_bytes, sizeof random_bytes, &random_state);
  random_ready = true;
}

long next_random() {
  if (!random_ready) seed(1);
  int32_t value = 0;
  random_r(&random_state, &value);
  return value;
}

struct drand48_data drand48_state;

}  // namespace

extern "C" {

__attribute__((visibility("default"))) int simbatch_program_bind(int interface, const simbatch_host* table,
                                                                 simbatch_runtime* runtime) {
  if (interface != SIMBATCH_INTERFACE) return SIMBATCH_INTERFACE;
  host = table;
  runtime->finish = run_at_exit;
  return SIMBATCH_INTERFACE;
}

// ---- the API ------------------------------------------------------------------------------------------------------------

HIDDEN unsigned simbatch_get_data(const char* device, void* data, int size) {
  return host != nullptr ? host->get_data(host->self, device, data, size) : unsigned{SIMBATCH_INVALID_OPERATION};
}
HIDDEN unsigned simbatch_set_data(const char* device, const void* data, int size) {
  return host != nullptr ? host->set_data(host->self, device, data, size) : unsigned{SIMBATCH_INVALID_OPERATION};
}
HIDDEN unsigned simbatch_device_status(const char* device) {
  return host != nullptr ? host->device_status(host->self, device) : unsigned{SIMBATCH_INVALID};
}
HIDDEN int simbatch_list_devices(const simbatch_device** first) {
  return host != nullptr ? host->list_devices(host->self, first) : 0;
}
HIDDEN double simbatch_time() { return now(); }
HIDDEN void simbatch_sleep(double seconds) { sleep_for(seconds); }
HIDDEN void simbatch_sleep_until(double time) {
  if (host != nullptr && host->sleep_until(host->self, time) != 0 && time > now()) sleep_for(time - now());
}
HIDDEN unsigned* simbatch_get_image(const char* camera) {
  return host != nullptr ? host->get_image(host->self, camera) : nullptr;
}
HIDDEN int simbatch_image_width() { return host != nullptr ? host->image_width(host->self) : 0; }
HIDDEN int simbatch_image_height() { return host != nullptr ? host->image_height(host->self) : 0; }
HIDDEN void simbatch_unlock_image() {
  if (host != nullptr) host->unlock_image(host->self);
}

// ---- ends of the process ------------------------------------------------------------------------------------------------

HIDDEN void exit(int status) noexcept { leave("exit", status); }
HIDDEN void _exit(int status) { leave("_exit", status); }
HIDDEN void _Exit(int status) noexcept { leave("_Exit", status); }
HIDDEN void quick_exit(int status) noexcept { leave("quick_exit", status); }
HIDDEN void abort() noexcept { leave("abort", 134); }
HIDDEN void __assert_fail(const char* expression, const char* file, unsigned line, const char*) noexcept {
  // "file:line: expression", without the C++ runtime's or stdio's help.
  static char text[256];
  char digits[12];
  char* digit = digits + sizeof digits;
  *--digit = '\0';
  for (unsigned n = line; digit == digits + sizeof digits - 1 || n > 0; n /= 10) *--digit = static_cast<char>('0' + n % 10);
  const char* slash = strrchr(file, '/');
  size_t used = 0;
  const char* const pieces[] = {slash != nullptr ? slash + 1 : file, ":", digit, ": ", expression};
  for (const char* piece : pieces) {
    const size_t length = strnlen(piece, sizeof text - 1 - used);
    memcpy(text + used, piece, length);
    used += length;
  }
  text[used] = '\0';
  leave("assert", 134, text);
}

// ---- signals ------------------------------------------------------------------------------------------------------------

// Faults, interrupts and ends are the simulator's to handle: these cannot be changed here.
static bool is_taken(int signal) {
  const int taken[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT, SIGINT, SIGTERM, SIGRTMIN + 5};
  for (const int one : taken)
    if (signal == one) return true;
  return false;
}
int __sigaction(int signal, const struct sigaction* action, struct sigaction* before) noexcept;  // glibc's own name for it
HIDDEN int sigaction(int number, const struct sigaction* action, struct sigaction* before) noexcept {
  if (action != nullptr && is_taken(number)) {
    errno = EINVAL;
    return -1;
  }
  return __sigaction(number, action, before);
}
HIDDEN sighandler_t signal(int number, sighandler_t handler) noexcept {
  struct sigaction action, before;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  return sigaction(number, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}

// ---- what runs at exit --------------------------------------------------------------------------------------------------

HIDDEN int __cxa_atexit(void (*function)(void*), void* argument, void*) noexcept { return add_at_exit(function, argument); }
HIDDEN int atexit(void (*function)()) noexcept { return add_at_exit(call_plain, reinterpret_cast<void*>(function)); }
int __cxa_thread_atexit_impl(void (*)(void*), void*, void*) noexcept;  // glibc
HIDDEN int __cxa_thread_atexit(void (*function)(void*), void* argument, void* library) noexcept {
  return own_thread() ? add_at_exit(function, argument) : __cxa_thread_atexit_impl(function, argument, library);
}

// ---- sleeping -----------------------------------------------------------------------------------------------------------

HIDDEN unsigned sleep(unsigned seconds) {
  sleep_for(seconds);
  return 0;
}
HIDDEN int usleep(unsigned microseconds) { return sleep_for(microseconds * 1e-6); }
HIDDEN int nanosleep(const timespec* wanted, timespec* left) {
  if (wanted->tv_sec < 0 || wanted->tv_nsec < 0 || wanted->tv_nsec > 999999999) {
    errno = EINVAL;
    return -1;
  }
  const double span = static_cast<double>(wanted->tv_sec) + static_cast<double>(wanted->tv_nsec) * 1e-9;
  if (left != nullptr) *left = {0, 0};  // may be what `wanted` points to
  return sleep_for(span);
}

// ---- clocks: simulation time, so that a program gives the same answers however fast the machine is ----------------------

HIDDEN int clock_gettime(clockid_t clock, timespec* out) noexcept {
  *out = as_timespec(now(), clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE ? start_unix() : 0);
  return 0;
}
HIDDEN int clock_nanosleep(clockid_t clock, int flags, const timespec* wanted, timespec* left) {
  if (wanted->tv_sec < 0 || wanted->tv_nsec < 0 || wanted->tv_nsec > 999999999) return EINVAL;
  if ((flags & TIMER_ABSTIME) == 0) return nanosleep(wanted, left) == 0 ? 0 : errno;
  const long long whole = clock == CLOCK_REALTIME ? wanted->tv_sec - start_unix() : wanted->tv_sec;
  simbatch_sleep_until(static_cast<double>(whole) + static_cast<double>(wanted->tv_nsec) * 1e-9);
  return 0;
}
HIDDEN int gettimeofday(timeval* __restrict out, void* __restrict) noexcept {
  const timespec t = as_timespec(now(), start_unix());
  *out = {t.tv_sec, t.tv_nsec / 1000};
  return 0;
}
HIDDEN time_t time(time_t* out) noexcept {
  const time_t t = as_timespec(now(), start_unix()).tv_sec;
  if (out != nullptr) *out = t;
  return t;
}
HIDDEN clock_t clock() noexcept { return static_cast<clock_t>(now() * CLOCKS_PER_SEC + 0.5); }

// std::chrono::steady_clock::now() and system_clock::now() of libstdc++: nanoseconds.
HIDDEN long simbatch_steady_now() __asm__("_ZNSt6chrono3_V212steady_clock3nowEv");
long simbatch_steady_now() {
  const timespec t = as_timespec(now(), 0);
  return t.tv_sec * 1000000000L + t.tv_nsec;
}
HIDDEN long simbatch_system_now() __asm__("_ZNSt6chrono3_V212system_clock3nowEv");
long simbatch_system_now() {
  const timespec t = as_timespec(now(), start_unix());
  return t.tv_sec * 1000000000L + t.tv_nsec;
}

// ---- random numbers -----------------------------------------------------------------------------------------------------

HIDDEN int rand() noexcept { return static_cast<int>(next_random()); }
HIDDEN void srand(unsigned value) noexcept { seed(value); }
HIDDEN long random() noexcept { return next_random(); }
HIDDEN void srandom(unsigned value) noexcept { seed(value); }
HIDDEN double drand48() noexcept {
  double value = 0;
  drand48_r(&drand48_state, &value);
  return value;
}
HIDDEN long lrand48() noexcept {
  long value = 0;
  lrand48_r(&drand48_state, &value);
  return value;
}
HIDDEN long mrand48() noexcept {
  long value = 0;
  mrand48_r(&drand48_state, &value);
  return value;
}
HIDDEN void srand48(long value) noexcept { srand48_r(value, &drand48_state); }

}  // extern "C"
