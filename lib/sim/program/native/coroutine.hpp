#pragma once
/// A second stack to run a function on, and to leave and enter again (docs/adr/0009).

#include <cstddef>
#include <cstdint>

namespace simbatch::sim {

/// Not movable: the stack knows it. All of one coroutine happens in one thread.
class Coroutine {
 public:
  using Entry = void (*)(void*);
  /// Maps a stack, with an unreadable page below it; memory is taken as it is used.
  /// @param entry  must not return: the last thing it does is suspend()
  /// @throws std::bad_alloc
  Coroutine(std::size_t stack_size, Entry entry, void* argument);
  /// Forgets what runs on the stack: nothing is unwound. The stack stays mapped unless release() was called, since threads
  /// may look at it.
  ~Coroutine();
  Coroutine(const Coroutine&) = delete;
  Coroutine& operator=(const Coroutine&) = delete;

  /// Called outside: goes on inside, until it suspends. The floating-point mode of each side is its own.
  void resume();
  /// Called inside: goes back to where resume() was called.
  void suspend();
  /// What ran there has come to its end: the destructor may unmap the stack.
  void release() { released_ = true; }

  /// Of the stack, after the guard page.
  std::uintptr_t bottom() const;
  std::uintptr_t top() const { return reinterpret_cast<std::uintptr_t>(mapping_) + size_; }
  /// True if an access at `address` was past the end of the stack.
  bool is_overflow(std::uintptr_t address) const;

 private:
  static void start(void* self);

  std::byte* mapping_ = nullptr;
  std::size_t size_ = 0;
  Entry entry_;
  void* argument_;
  void* inside_ = nullptr;  // stack pointers while not running
  void* outside_ = nullptr;
  bool released_ = false;
  [[maybe_unused]] void* fiber_ = nullptr;  // of the thread sanitizer
  [[maybe_unused]] void* outside_fiber_ = nullptr;
  [[maybe_unused]] const void* outside_stack_ = nullptr;  // of the address sanitizer
  [[maybe_unused]] std::size_t outside_stack_size_ = 0;
};

}  // namespace simbatch::sim
