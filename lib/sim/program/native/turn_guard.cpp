// The handlers only record the event and redirect the interrupted thread: at resume_elsewhere(), on the emptied stack of the
// coroutine. The kernel then restores the signal mask and leaves the alternative stack by itself, and the rest happens outside
// a handler.

#include "lib/sim/program/native/turn_guard.hpp"

#include <pthread.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <ctime>
#include <memory>

#include "base/core/sanitizers.hpp"

#if SIMBATCH_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace simbatch::sim {
namespace {

constexpr int kFaults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};
constexpr std::size_t kFaultCount = std::size(kFaults);
constexpr std::size_t kAltStack = 64 * 1024;
constexpr double kSystemCallGrace = 1, kGrace = 5;  // s after the timeout

thread_local std::atomic<GuardedTurn*> this_turn{nullptr};
thread_local std::atomic<std::uint64_t> this_serial{0};  // of turns

// One for the process; see the header.
struct Handlers {
  int users = 0;
  bool fork_handled = false;
  struct sigaction before[kFaultCount] {};
  std::unique_ptr<std::byte[]> alternative;
  stack_t alternative_before{};
  int tick = 0;  // the timer's signal
  struct sigaction tick_before {};
  timer_t timer{};
  bool has_timer = false;
  double interval = 0;
};
Handlers handlers;

// State of the timer's handler.
std::uint64_t seen_serial = 0;
double seen_since = 0;
double stopped_since = 0;  // time at which keep_going returned false; 0: not yet
bool hurrying = false;

double wall_clock() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

void set_timer(double seconds) {
  itimerspec spec{};
  spec.it_interval.tv_sec = static_cast<time_t>(seconds);
  spec.it_interval.tv_nsec = static_cast<long>((seconds - static_cast<double>(spec.it_interval.tv_sec)) * 1e9);
  spec.it_value = spec.it_interval;
  ::timer_settime(handlers.timer, 0, &spec, nullptr);
}

[[noreturn]] void resume_elsewhere() {
  __asm__ volatile("fninit");  // the interrupted code may have been in the middle of x87 arithmetic
  GuardedTurn* turn = this_turn.load(std::memory_order_relaxed);
#if SIMBATCH_ASAN
  __asan_unpoison_memory_region(reinterpret_cast<const void*>(turn->stack_bottom), turn->stack_top - turn->stack_bottom);
#endif
  turn->land(turn->owner);
  __builtin_trap();
}

void redirect(GuardedTurn& turn, ucontext_t& context, int signal) {
  const auto pc = static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RIP]);
  turn.signal = signal;
  turn.code_offset = pc >= turn.code_begin && pc < turn.code_end ? pc - turn.code_begin : 0;
  context.uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(&resume_elsewhere);
  // Some bytes below the top, aligned as after a call; the top holds the coroutine's first frame.
  context.uc_mcontext.gregs[REG_RSP] = static_cast<greg_t>((turn.stack_top & ~std::uintptr_t{15}) - 1024 - 8);
  context.uc_mcontext.gregs[REG_EFL] &= ~greg_t{0x500};  // direction and trap flags
}

extern "C" void on_fault(int signal, siginfo_t* info, void* context) {
  GuardedTurn* turn = this_turn.load(std::memory_order_relaxed);
  if (turn == nullptr || turn->signal != 0) {
    // Not caused by a program: default handling. A fault recurs at once; a signal from another process is raised again.
    for (std::size_t i = 0; i < kFaultCount; ++i)
      if (kFaults[i] == signal) ::sigaction(signal, &handlers.before[i], nullptr);
    if (info->si_code <= 0) ::raise(signal);
    return;
  }
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  if (signal == SIGSEGV || signal == SIGBUS) {
    turn->overflow = turn->is_overflow(turn->owner, address);
    turn->null_address = address < 4096;
  }
  redirect(*turn, *static_cast<ucontext_t*>(context), signal);
}

// Interrupted system calls show the instruction after `syscall`, or, if they are to be restarted, `syscall` itself.
bool in_system_call(std::uintptr_t pc) {
  const auto* code = reinterpret_cast<const unsigned char*>(pc);
  return (code[-2] == 0x0F && code[-1] == 0x05) || (code[0] == 0x0F && code[1] == 0x05);
}

extern "C" void on_tick(int signal, siginfo_t*, void* raw) {
  GuardedTurn* turn = this_turn.load(std::memory_order_relaxed);
  const std::uint64_t serial = this_serial.load(std::memory_order_relaxed);
  if (turn == nullptr || turn->signal != 0) return;
  const double now = wall_clock();
  if (serial != seen_serial) {
    seen_serial = serial;
    seen_since = now;
    stopped_since = 0;
    if (hurrying) set_timer(handlers.interval);
    hurrying = false;
    return;
  }
  if (stopped_since == 0 && turn->keep_going != nullptr && !turn->keep_going(turn->owner)) stopped_since = now;
  const bool stopped = stopped_since > 0;
  const double over = stopped ? now - stopped_since : turn->timeout > 0 ? now - seen_since - turn->timeout : -1;
  if (over < 0) return;
  auto& context = *static_cast<ucontext_t*>(raw);
  const auto pc = static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RIP]);
  const bool own_code = pc >= turn->code_begin && pc < turn->code_end;
  if (own_code || (over > kSystemCallGrace && in_system_call(pc)) || over > kGrace) {
    (stopped ? turn->interrupted : turn->timed_out) = true;
    redirect(*turn, context, signal);
    return;
  }
  if (!hurrying) set_timer(0.002);
  hurrying = true;
}

void install(struct sigaction& before, int signal, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  ::sigfillset(&action.sa_mask);
  ::sigaction(signal, &action, &before);
}

void install_faults() {
  for (std::size_t i = 0; i < kFaultCount; ++i) install(handlers.before[i], kFaults[i], on_fault);
}

void make_timer() {
  handlers.tick = SIGRTMIN + 5;
  install(handlers.tick_before, handlers.tick, on_tick);
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = handlers.tick;
  event._sigev_un._tid = static_cast<pid_t>(::syscall(SYS_gettid));
  handlers.has_timer = ::timer_create(CLOCK_MONOTONIC, &event, &handlers.timer) == 0;
}

}  // namespace

GuardedTurn* current_turn() { return this_turn.load(std::memory_order_relaxed); }

void enter_turn(GuardedTurn& turn) {
  this_serial.store(this_serial.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  this_turn.store(&turn, std::memory_order_relaxed);
}

void leave_turn() { this_turn.store(nullptr, std::memory_order_relaxed); }

TurnGuard::TurnGuard(double timeout) {
  if (!handlers.fork_handled) {
    // A child forked by a program has no turn: it must not continue as a second simulator.
    ::pthread_atfork(nullptr, nullptr, leave_turn);
    handlers.fork_handled = true;
  }
  if (handlers.users++ == 0) {
    handlers.alternative = std::make_unique<std::byte[]>(kAltStack);
    stack_t stack{};
    stack.ss_sp = handlers.alternative.get();
    stack.ss_size = kAltStack;
    ::sigaltstack(&stack, &handlers.alternative_before);
    install_faults();
  }
  const double interval = timeout > 0 ? std::clamp(timeout / 8, 0.005, 0.25) : 0.25;
  if (!handlers.has_timer) {
    make_timer();
    handlers.interval = 0;
  }
  if (handlers.has_timer && (handlers.interval == 0 || interval < handlers.interval)) {
    handlers.interval = interval;
    set_timer(interval);
  }
}

void renew_turn_guards() {
  if (handlers.users == 0) return;
  install_faults();
  if (!handlers.has_timer) return;
  make_timer();
  if (handlers.has_timer) set_timer(handlers.interval);
}

TurnGuard::~TurnGuard() {
  if (--handlers.users > 0) return;
  if (handlers.has_timer) {
    ::timer_delete(handlers.timer);
    ::sigaction(handlers.tick, &handlers.tick_before, nullptr);
    handlers.has_timer = false;
  }
  for (std::size_t i = 0; i < kFaultCount; ++i) ::sigaction(kFaults[i], &handlers.before[i], nullptr);
  ::sigaltstack(&handlers.alternative_before, nullptr);
  handlers.alternative.reset();
}

}  // namespace simbatch::sim
