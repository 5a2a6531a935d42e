// The switch saves the registers that the System V ABI for x86-64 (3.2.1) requires a function to preserve: rbx, rbp, r12-r15,
// the x87 control word and the control bits of MXCSR. ucontext does the same with two additional system calls (0.5 us instead
// of some nanoseconds).

#include "lib/sim/program/native/coroutine.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <new>

#include "base/core/sanitizers.hpp"

#if SIMBATCH_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/lsan_interface.h>
#endif
#if SIMBATCH_TSAN
#include <sanitizer/tsan_interface.h>
#endif

// void simbatch_switch(void** from, void* to): saves the stack pointer in *from and continues at the point saved in `to`.
// simbatch_coroutine_start: what a new stack returns to; r12 is the function, r13 its argument. A debugger's walk ends there.
__asm__(R"(
.text
.p2align 4
.globl simbatch_switch
.hidden simbatch_switch
.type simbatch_switch, @function
simbatch_switch:
.cfi_startproc
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  subq $8, %rsp
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  ldmxcsr (%rsp)
  fldcw 4(%rsp)
  addq $8, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.cfi_endproc
.size simbatch_switch, . - simbatch_switch

.globl simbatch_coroutine_start
.hidden simbatch_coroutine_start
.type simbatch_coroutine_start, @function
simbatch_coroutine_start:
.cfi_startproc
.cfi_undefined rip
  xorl %ebp, %ebp
  movq %r13, %rdi
  callq *%r12
  ud2
.cfi_endproc
.size simbatch_coroutine_start, . - simbatch_coroutine_start
)");

extern "C" {
void simbatch_switch(void** from, void* to);
void simbatch_coroutine_start();
}

namespace simbatch::sim {
namespace {

std::size_t page() {
  static const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return size;
}

}  // namespace

Coroutine::Coroutine(std::size_t stack_size, Entry entry, void* argument)
    : size_((stack_size + page() - 1) / page() * page() + page()), entry_(entry), argument_(argument) {
  void* mapping =
      ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) throw std::bad_alloc();
  if (::mprotect(mapping, page(), PROT_NONE) != 0) {
    ::munmap(mapping, size_);
    throw std::bad_alloc();
  }
  mapping_ = static_cast<std::byte*>(mapping);
  // As simbatch_switch leaves a stack: control words, r15, r14, r13, r12, rbx, rbp, return address. The start is entered as
  // by a jump, with the stack at a multiple of 16.
  std::uint64_t frame[9] = {};
  std::uint32_t mxcsr = 0;
  std::uint16_t x87 = 0;
  __asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(mxcsr), "=m"(x87));
  frame[0] = (mxcsr & ~std::uint32_t{0x3F}) | std::uint64_t{x87} << 32;
  frame[3] = reinterpret_cast<std::uint64_t>(this);                       // r13
  frame[4] = reinterpret_cast<std::uint64_t>(&Coroutine::start);          // r12
  frame[7] = reinterpret_cast<std::uint64_t>(&simbatch_coroutine_start);  // return address
  std::byte* at = mapping_ + size_ - 16 - sizeof(frame) + sizeof(std::uint64_t);
  std::memcpy(at, frame, sizeof frame);
  inside_ = at;
#if SIMBATCH_TSAN
  fiber_ = __tsan_create_fiber(0);
#endif
#if SIMBATCH_ASAN
  __lsan_register_root_region(mapping_ + page(), size_ - page());
  __asan_unpoison_memory_region(mapping_ + page(), size_ - page());  // an earlier stack at this address was abandoned
#endif
}

Coroutine::~Coroutine() {
#if SIMBATCH_TSAN
  __tsan_destroy_fiber(fiber_);
#endif
  if (!released_) return;
#if SIMBATCH_ASAN
  __lsan_unregister_root_region(mapping_ + page(), size_ - page());
#endif
  ::munmap(mapping_, size_);
}

void Coroutine::start(void* self) {
  auto* coroutine = static_cast<Coroutine*>(self);
#if SIMBATCH_ASAN
  __sanitizer_finish_switch_fiber(nullptr, &coroutine->outside_stack_, &coroutine->outside_stack_size_);
#endif
  coroutine->entry_(coroutine->argument_);
}

void Coroutine::resume() {
#if SIMBATCH_TSAN
  outside_fiber_ = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(fiber_, 0);
#endif
#if SIMBATCH_ASAN
  void* fake = nullptr;
  __sanitizer_start_switch_fiber(&fake, mapping_ + page(), size_ - page());
#endif
  simbatch_switch(&outside_, inside_);
#if SIMBATCH_ASAN
  __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
}

void Coroutine::suspend() {
#if SIMBATCH_TSAN
  __tsan_switch_to_fiber(outside_fiber_, 0);
#endif
#if SIMBATCH_ASAN
  void* fake = nullptr;
  __sanitizer_start_switch_fiber(&fake, outside_stack_, outside_stack_size_);
#endif
  simbatch_switch(&inside_, outside_);
#if SIMBATCH_ASAN
  __sanitizer_finish_switch_fiber(fake, &outside_stack_, &outside_stack_size_);
#endif
}

std::uintptr_t Coroutine::bottom() const { return reinterpret_cast<std::uintptr_t>(mapping_) + page(); }

bool Coroutine::is_overflow(std::uintptr_t address) const {
  // A large frame may step over the page; accesses up to 64 KiB below also count.
  const auto bottom = reinterpret_cast<std::uintptr_t>(mapping_);
  return address < bottom + page() && address + 0x10000 >= bottom;
}

}  // namespace simbatch::sim
