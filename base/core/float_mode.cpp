#include "base/core/float_mode.hpp"

#include <xmmintrin.h>
#include <cmath>
#include <span>

#include "base/core/hash.hpp"

namespace simbatch {
namespace {

// The lowest six bits of MXCSR are flags of what has happened, not modes.
constexpr std::uint32_t kFlags = 0x3F;

}  // namespace

FloatMode float_mode() {
  FloatMode mode;
  mode.mxcsr = _mm_getcsr() & ~kFlags;
  __asm__ volatile("fnstcw %0" : "=m"(mode.x87));
  return mode;
}

void set_float_mode(const FloatMode& mode) {
  _mm_setcsr((mode.mxcsr & ~kFlags) | (_mm_getcsr() & kFlags));
  __asm__ volatile("fldcw %0" : : "m"(mode.x87));
}

std::uint64_t math_fingerprint() {
  StateHash hash;
  // volatile: prevents constant folding.
  volatile double x = 0.7;
  for (int i = 0; i < 400; ++i) {
    const double a = x;
    const double values[] = {std::sin(a),  std::cos(a),       std::tan(a),      std::exp(a),
                             std::log(a),  std::pow(a, 1.3),  std::atan(a),     std::atan2(a, 1.7),
                             std::sinh(a), std::asin(a / 50), std::acos(a / 50)};
    hash.add(std::span<const double>(values));
    x = a + 0.1113;
  }
  return hash.value();
}

// Measured with glibc 2.36; g++ 12 and clang 14, -O0 and -O2, agree.
bool math_is_pinned() { return math_fingerprint() == 0xef551810817f748e; }

}  // namespace simbatch
