#pragma once
/// Which sanitizer this is compiled with, under g++ (__SANITIZE_*__) and clang (__has_feature) alike: SIMBATCH_ASAN and
/// SIMBATCH_TSAN are 0 or 1, so use #if. SIMBATCH_SHADOW_MEMORY is 1 for both: they reserve terabytes of addresses, which a
/// limit on the address space (RLIMIT_AS) would refuse.

#if defined(__SANITIZE_ADDRESS__)
#define SIMBATCH_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SIMBATCH_ASAN 1
#endif
#endif
#if !defined(SIMBATCH_ASAN)
#define SIMBATCH_ASAN 0
#endif

#if defined(__SANITIZE_THREAD__)
#define SIMBATCH_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SIMBATCH_TSAN 1
#endif
#endif
#if !defined(SIMBATCH_TSAN)
#define SIMBATCH_TSAN 0
#endif

#define SIMBATCH_SHADOW_MEMORY (SIMBATCH_ASAN || SIMBATCH_TSAN)
