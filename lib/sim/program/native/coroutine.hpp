#pragma once
/// A second stack for running a function that can be suspended and resumed (docs/adr/0009).

#include <cstddef>
#include <cstdint>

namespace simbatch::sim {

/// Not movable: the stack refers to it. A coroutine is confined to one thread.
class Coroutine {
 public:
  using Entry = void (*)(void*);
  /// Maps a stack, with an unreadable page below it; memory is committed on use.
  /// @param entry  must not return: the last thing it does is suspend()
  /// @throws std::bad_alloc
  Coroutine(std::size_t stack_size, Entry entry, void* argument);
  /// Abandons the function on the stack: nothing is unwound. The stack stays mapped unless release() was called, since threads
  /// may refer to it.
  ~Coroutine();
  Coroutine(const Coroutine&) = delete;
  Coroutine& operator=(const Coroutine&) = delete;

  /// Called outside: continues inside until it suspends. Each side has its own floating-point mode.
  void resume();
  /// Called inside: returns to the caller of resume().
  void suspend();
  /// Marks the function as finished: the destructor may unmap the stack.
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
