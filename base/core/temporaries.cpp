#include "base/core/temporaries.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace simbatch {

// The state is set after the name is written and cleared before the slot is used again, so that a signal handler can read the
// table at any moment.
struct TemporarySlot {
  enum State { unused, being_filled, file, folder };
  std::array<char, PATH_MAX> name{};
  std::atomic<int> state{unused};
};

namespace {

std::array<TemporarySlot, 64> slots;

// Deletes the files of a folder and the folder. readdir() allocates; the system call beneath it does not.
void discard_folder(const char* name) noexcept {
  struct Entry {  // linux_dirent64 of getdents(2)
    std::uint64_t inode;
    std::int64_t next;
    std::uint16_t size;
    unsigned char type;
    char name[1];
  };
  const int fd = ::open(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return;
  alignas(Entry) std::array<char, 4096> buffer{};
  for (;;) {
    const long got = ::syscall(SYS_getdents64, fd, buffer.data(), buffer.size());
    if (got <= 0) break;
    for (long at = 0; at < got;) {
      const char* entry = buffer.data() + at;
      std::uint16_t size = 0;
      std::memcpy(&size, entry + offsetof(Entry, size), sizeof size);
      ::unlinkat(fd, entry + offsetof(Entry, name), 0);  // fails for "." and ".."
      at += size;
    }
  }
  ::close(fd);
  ::rmdir(name);
}

}  // namespace

TemporarySlot* remember_temporary(const std::string& name, TemporaryKind kind) {
  for (TemporarySlot& slot : slots) {
    int unused = TemporarySlot::unused;
    if (name.size() < slot.name.size() && slot.state.compare_exchange_strong(unused, TemporarySlot::being_filled)) {
      std::memcpy(slot.name.data(), name.c_str(), name.size() + 1);
      slot.state.store(kind == TemporaryKind::file ? TemporarySlot::file : TemporarySlot::folder);
      return &slot;
    }
  }
  return nullptr;
}

void forget_temporary(TemporarySlot* slot) noexcept {
  if (slot != nullptr) slot->state.store(TemporarySlot::unused);
}

void discard_temporaries() noexcept {
  for (TemporarySlot& slot : slots) {
    const int state = slot.state.load();
    if (state == TemporarySlot::file) ::unlink(slot.name.data());
    if (state == TemporarySlot::folder) discard_folder(slot.name.data());
  }
}

}  // namespace simbatch
