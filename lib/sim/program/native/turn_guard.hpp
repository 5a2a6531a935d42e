#pragma once
/// Ends the turn of a program that crashes or does not sleep. Signals affect the whole process, so this state is global: only
/// one simulation at a time may run programs in this process.

#include <atomic>
#include <cstdint>

namespace simbatch::sim {

/// A program's turn, as used by the signal handlers.
struct GuardedTurn {
  std::uintptr_t code_begin = 0, code_end = 0;     ///< of the program's library: where it can be interrupted safely
  std::uintptr_t stack_bottom = 0, stack_top = 0;  ///< of its coroutine
  double timeout = 0;                              ///< s of wall time; 0: none
  /// called several times per second, in a signal handler; false ends the turn
  bool (*keep_going)(const void* owner) = nullptr;
  bool (*is_overflow)(const void* owner, std::uintptr_t address) = nullptr;
  void (*land)(void* owner) = nullptr;  ///< called on the emptied stack; does not return
  void* owner = nullptr;

  // Cause of its end; signal 0: none.
  int signal = 0;
  bool timed_out = false, interrupted = false, overflow = false, null_address = false;
  std::uintptr_t code_offset = 0;  ///< in the library; 0: elsewhere
};

/// The current turn of this thread. Set by enter and leave.
GuardedTurn* current_turn();
void enter_turn(GuardedTurn& turn);
void leave_turn();

/// While one exists, signals are handled: SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS and SIGABRT of a turn end it;
/// outside turns they keep their previous handling.
///
/// A turn that takes longer than its timeout, or that may not go on, is ended at the first moment, a few milliseconds apart, in
/// which it runs the program's own library, so that no lock of the C library is held; a second later also in which it waits in
/// a system call; five seconds later anywhere.
class TurnGuard {
 public:
  /// @param timeout  of subsequent turns, s; 0: none
  explicit TurnGuard(double timeout);
  ~TurnGuard();
  TurnGuard(const TurnGuard&) = delete;
  TurnGuard& operator=(const TurnGuard&) = delete;
};

/// In a copy of a process (base/process), which has neither its handlers nor its timer: makes them for the guards that exist.
void renew_turn_guards();

}  // namespace simbatch::sim
