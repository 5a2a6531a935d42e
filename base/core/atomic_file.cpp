#include "base/core/atomic_file.hpp"

// Outline: open a nameless file in the target's folder; write through a buffer; on commit sync it, give it a temporary
// name (linkat) and rename that over the target. linkat cannot replace a file, hence the two steps; between them the
// temporary is in the table of names that discard_temporaries() unlinks.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

namespace simbatch {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 18;

// Names of temporaries that exist right now. A slot's pointer is set after the name is written and cleared before it
// is freed, so that a signal handler can read it at any moment.
struct Slot {
  std::array<char, PATH_MAX> name{};
  std::atomic<int> state{0};  // 0 free, 1 being filled, 2 in use
};
std::array<Slot, 16> slots;

Slot* remember(const std::string& name) {
  for (Slot& slot : slots) {
    int free = 0;
    if (name.size() < slot.name.size() && slot.state.compare_exchange_strong(free, 1)) {
      std::memcpy(slot.name.data(), name.c_str(), name.size() + 1);
      slot.state.store(2);
      return &slot;
    }
  }
  return nullptr;
}

void forget(Slot* slot) {
  if (slot != nullptr) slot->state.store(0);
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string resolved(const std::string& path) {
  char* real = ::realpath(path.c_str(), nullptr);
  if (real == nullptr) return path;
  std::string result = real;
  std::free(real);
  return result;
}

void write_all(int fd, std::string_view bytes, const std::string& name) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(fd, bytes.data(), bytes.size());
    if (done < 0) {
      if (errno == EINTR) continue;
      throw IoError::from_errno(name, "cannot write", errno);
    }
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
}

}  // namespace

struct AtomicFile::State {
  std::string path;    // as given
  std::string target;  // links followed
  std::string buffer;
  std::string temporary;  // its name, while it has one
  Slot* slot = nullptr;
  int fd = -1;
  mode_t mode = 0;
  std::uint64_t written = 0, reserved = 0;
  bool direct = false;    // a pipe or a device: no renaming
  bool standard = false;  // standard output
  bool prepared = false;

  ~State() {
    if (!temporary.empty()) ::unlink(temporary.c_str());
    forget(slot);
    if (fd > 2) ::close(fd);
  }

  void write_now(std::string_view bytes) {
    write_all(fd, bytes, path);
    written += bytes.size();
  }
  void flush() {
    write_now(buffer);
    buffer.clear();
  }

  /// Finds a name in the target's folder that is free for `create`, which returns 0 or an errno.
  template <class Create>
  void name_temporary(Create create) {
    static std::atomic<unsigned> counter{0};
    for (int attempt = 0; attempt < 1000; ++attempt) {
      const std::string name = target + ".tmp" + std::to_string(::getpid()) + "-" + std::to_string(counter++);
      Slot* place = remember(name);
      const int error = create(name);
      if (error == 0) {
        temporary = name;
        slot = place;
        return;
      }
      forget(place);
      if (error != EEXIST) throw IoError::from_errno(path, "cannot write", error);
    }
    throw IoError(path, "cannot find a name for a temporary file");
  }
};

AtomicFile::AtomicFile(const std::string& path) : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.path = path == "-" ? "<stdout>" : path;
  if (path == "-") {
    s.fd = 1;
    s.standard = true;
    return;
  }
  if (path.empty()) throw IoError("\"\"", "is no name for a file");
  s.target = resolved(path);
  struct stat status {};
  if (::stat(s.target.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) throw IoError(path, "is a folder, not a file");
    s.mode = status.st_mode & 07777;
    s.direct = !S_ISREG(status.st_mode);
    if (s.direct) {
      s.fd = ::open(s.target.c_str(), O_WRONLY | O_CLOEXEC);
      if (s.fd < 0) throw IoError::from_errno(path, "cannot write", errno);
      return;
    }
    if (::access(s.target.c_str(), W_OK) != 0) throw IoError::from_errno(path, "cannot write", errno);
  } else {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    s.mode = 0666 & ~mask;
  }
  s.fd = ::open(folder_of(s.target).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (s.fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)) {
    s.name_temporary([&s](const std::string& name) {
      s.fd = ::open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
      return s.fd < 0 ? errno : 0;
    });
  }
  if (s.fd < 0) throw IoError::from_errno(path, "cannot write", errno);
}

AtomicFile::AtomicFile(AtomicFile&&) noexcept = default;
AtomicFile& AtomicFile::operator=(AtomicFile&&) noexcept = default;
AtomicFile::~AtomicFile() = default;

const std::string& AtomicFile::path() const { return state_->path; }

void AtomicFile::write(std::string_view bytes) {
  State& s = *state_;
  if (bytes.size() >= kBuffer && !s.standard) {  // large pieces go past the buffer
    s.flush();
    s.write_now(bytes);
    return;
  }
  s.buffer += bytes;
  if (!s.standard && s.buffer.size() >= kBuffer) s.flush();
}

std::uint64_t AtomicFile::size() const { return state_->written + state_->buffer.size(); }

void AtomicFile::reserve(std::uint64_t bytes, std::uint64_t at_most) {
  State& s = *state_;
  if (bytes > s.reserved) bytes = s.reserved + std::min(bytes - s.reserved, at_most);
  if (s.direct || s.standard || bytes <= s.reserved || bytes > INT64_MAX) return;
  // Without its size: so a program that is killed leaves no room behind, and write() alone says how long the file is.
  if (::fallocate(s.fd, FALLOC_FL_KEEP_SIZE, static_cast<off_t>(s.reserved), static_cast<off_t>(bytes - s.reserved)) == 0)
    s.reserved = bytes;
}

void AtomicFile::prepare() {
  State& s = *state_;
  if (s.prepared || s.standard) return;
  s.flush();
  if (!s.direct) {
    if (s.reserved > s.written && ::ftruncate(s.fd, static_cast<off_t>(s.written)) != 0)
      throw IoError::from_errno(s.path, "cannot write", errno);
    if (::fchmod(s.fd, s.mode) != 0) throw IoError::from_errno(s.path, "cannot set the mode of", errno);
    if (::fsync(s.fd) != 0) throw IoError::from_errno(s.path, "cannot write", errno);
    if (s.temporary.empty()) {
      const std::string self = "/proc/self/fd/" + std::to_string(s.fd);
      s.name_temporary([&](const std::string& name) {
        return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
      });
    }
  }
  s.prepared = true;
}

void AtomicFile::commit() {
  prepare();
  State& s = *state_;
  if (s.standard) {
    s.flush();
  } else if (!s.direct) {
    if (::rename(s.temporary.c_str(), s.target.c_str()) != 0) throw IoError::from_errno(s.path, "cannot write", errno);
    s.temporary.clear();
    forget(s.slot);
    s.slot = nullptr;
  }
  if (s.fd > 2) {
    const int fd = s.fd;
    s.fd = -1;
    if (::close(fd) != 0 && errno != EINTR) throw IoError::from_errno(s.path, "cannot write", errno);
  }
}

void AtomicFile::commit_all(std::span<AtomicFile> files) {
  for (AtomicFile& file : files) file.prepare();
  for (AtomicFile& file : files) file.commit();
}

void write_file(const std::string& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

void discard_temporaries() noexcept {
  for (Slot& slot : slots)
    if (slot.state.load() == 2) ::unlink(slot.name.data());
}

}  // namespace simbatch
