// Sources: seccomp(2); linux/filter.h for the filter's instructions. Little-endian: the lower half of an argument comes first.

#include "base/process/system_calls.hpp"

#include <cerrno>
#include <cstddef>

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

namespace simbatch::detail {
namespace {

constexpr std::uint32_t kX32 = 0x40000000;  // bit of the numbers of x32 system calls

sock_filter load(std::size_t offset) { return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)); }
sock_filter give(std::uint32_t answer) { return BPF_STMT(BPF_RET | BPF_K, answer); }
// Skips `count` instructions unless the comparison holds.
sock_filter unless(unsigned comparison, std::uint32_t value, std::size_t count) {
  return BPF_JUMP(static_cast<std::uint16_t>(BPF_JMP | comparison | BPF_K), value, 0, static_cast<std::uint8_t>(count));
}

std::vector<sock_filter> allowed_if(const std::vector<ArgumentIs>& conditions) {
  // From the end: each condition that does not hold skips the rest.
  std::vector<sock_filter> code{give(SECCOMP_RET_ALLOW)};
  for (auto at = conditions.rbegin(); at != conditions.rend(); ++at) {
    const std::size_t place = offsetof(seccomp_data, args) + at->argument * sizeof(std::uint64_t);
    std::vector<sock_filter> test;
    if (at->whole) {
      test.push_back(load(place + sizeof(std::uint32_t)));
      test.push_back(unless(BPF_JEQ, 0, code.size() + 3));
    }
    test.push_back(load(place));
    test.push_back(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, at->mask));
    test.push_back(unless(BPF_JEQ, at->value, code.size()));
    code.insert(code.begin(), test.begin(), test.end());
  }
  return code;
}

}  // namespace

void SystemCalls::permit(std::initializer_list<long> calls) {
  for (const long call : calls) rules_[call].always = true;
}

void SystemCalls::permit(long call, std::vector<ArgumentIs> conditions) {
  rules_[call].alternatives.push_back(std::move(conditions));
}

void SystemCalls::refuse(long call, int error) { rules_[call].error = error; }

std::vector<sock_filter> SystemCalls::code() const {
  std::vector<sock_filter> code{load(offsetof(seccomp_data, arch)),  unless(BPF_JEQ, AUDIT_ARCH_X86_64, 1),
                                BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0), give(SECCOMP_RET_KILL_PROCESS),
                                load(offsetof(seccomp_data, nr)),    unless(BPF_JGE, kX32, 1),
                                give(SECCOMP_RET_KILL_PROCESS)};
  for (const auto& [call, rule] : rules_) {
    std::vector<sock_filter> block;
    if (rule.always) {
      block.push_back(give(SECCOMP_RET_ALLOW));
    } else {
      for (const auto& conditions : rule.alternatives) {
        const std::vector<sock_filter> one = allowed_if(conditions);
        block.insert(block.end(), one.begin(), one.end());
      }
      block.push_back(give(SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(rule.error)));
    }
    code.push_back(unless(BPF_JEQ, static_cast<std::uint32_t>(call), block.size()));
    code.insert(code.end(), block.begin(), block.end());
  }
  code.push_back(give(SECCOMP_RET_ERRNO | EPERM));
  return code;
}

bool SystemCalls::enforce() const {
  std::vector<sock_filter> all = code();
  const sock_fprog program{static_cast<unsigned short>(all.size()), all.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

}  // namespace simbatch::detail
