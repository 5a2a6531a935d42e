#pragma once
/// Differences between processors and math libraries, and how to keep them from affecting results (docs/adr/0001).

#include <cstdint>

namespace simbatch {

/// Rounding, flush-to-zero and the like of this thread: MXCSR and the x87 control word.
struct FloatMode {
  std::uint32_t mxcsr = 0x1F80;
  std::uint16_t x87 = 0x037F;
  friend bool operator==(const FloatMode&, const FloatMode&) = default;
};
/// The mode that a program starts with: round to nearest, nothing flushed, no traps. Exception flags do not count.
inline constexpr FloatMode kDefaultFloatMode{};
FloatMode float_mode();
void set_float_mode(const FloatMode& mode);

/// Restores the mode on destruction. For use around foreign code: dlopen of a library built with -ffast-math sets flush-to-zero
/// permanently, and a user program may set any mode.
class FloatModeGuard {
 public:
  FloatModeGuard() : before_(float_mode()) {}
  ~FloatModeGuard() { set_float_mode(before_); }
  FloatModeGuard(const FloatModeGuard&) = delete;
  FloatModeGuard& operator=(const FloatModeGuard&) = delete;
  /// True if the mode has changed since construction.
  bool changed() const { return float_mode() != before_; }

 private:
  FloatMode before_;
};

/// A hash over values of the math library's functions where its variants for processors with and without fused multiply-add
/// differ. Equal on all x86-64 machines with the same library when the variants are pinned; cheap (some microseconds).
std::uint64_t math_fingerprint();
/// True if the library behaves like its plain SSE2 variants: math_fingerprint() is the one of glibc 2.36 with
/// GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-AVX2,-FMA4 (apps/common's run_main sets that).
bool math_is_pinned();

}  // namespace simbatch
