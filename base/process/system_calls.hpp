#pragma once
/// A list of permitted system calls, as a seccomp filter. Internal to this room.

#include <cstdint>
#include <initializer_list>
#include <map>
#include <vector>

#include <linux/filter.h>

namespace simbatch::detail {

/// A condition on an argument: (argument & mask) == value, for its lower 32 bits, which are all that the kernel uses of an int.
struct ArgumentIs {
  unsigned argument = 0;  ///< 0 to 5
  std::uint32_t mask = 0, value = 0;
  bool whole = false;  ///< the upper 32 bits must be 0 as well (for pointers and sizes)
};

/// Whatever is not permitted fails with EPERM; calls of other architectures and of x32 kill the process.
class SystemCalls {
 public:
  void permit(std::initializer_list<long> calls);
  /// Permits a call if all conditions hold; may be repeated for a call, which is then permitted if any of the sets holds.
  void permit(long call, std::vector<ArgumentIs> conditions);
  /// This call fails with another error.
  void refuse(long call, int error);
  /// Confines this thread, and all threads and processes that it creates. Cannot be undone. False if the kernel refuses.
  [[nodiscard]] bool enforce() const;

 private:
  std::vector<sock_filter> code() const;
  struct Rule {
    bool always = false;
    int error = 1;                                      // EPERM
    std::vector<std::vector<ArgumentIs>> alternatives;  // if not always
  };
  std::map<long, Rule> rules_;
};

}  // namespace simbatch::detail
