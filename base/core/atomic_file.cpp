#include "base/core/atomic_file.hpp"

// Outline: open a nameless file in the target's folder; write through a buffer; on commit sync it, give it a temporary
// name (linkat) and rename that over the target. linkat cannot replace a file, hence the two steps; between them the
// temporary is in the table of names that discard_temporaries() unlinks.
// Sources: open(2) (O_TMPFILE and how to link it), rename(2), fsync(2).

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <optional>

#include "base/core/mapped_files.hpp"
#include "base/core/temporaries.hpp"

namespace simbatch {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 18;

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// Resolves a name through links, also if the final file does not exist yet. Pipes and devices keep their names: a link of
// /dev/fd to a pipe leads to a name that only the kernel follows.
std::string resolved(const std::string& given) {
  constexpr int kMaxLinks = 40;  // as in the kernel
  struct stat status {};
  if (::stat(given.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) return given;
  std::string path = given;
  for (int i = 0; i < kMaxLinks; ++i) {
    std::array<char, PATH_MAX> real{};
    if (::realpath(path.c_str(), real.data()) != nullptr) return real.data();
    if (errno == ELOOP) break;
    std::array<char, PATH_MAX> link{};
    const ssize_t size = ::readlink(path.c_str(), link.data(), link.size());
    if (size < 0) return path;
    const std::string to(link.data(), static_cast<std::size_t>(size));
    path = to.starts_with('/') ? to : folder_of(path) + "/" + to;
  }
  throw IoError::from_errno(given, "cannot write", ELOOP);
}

void write_all(int fd, std::string_view bytes, const std::string& name) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(fd, bytes.data(), bytes.size());
    if (done < 0) {
      if (errno == EINTR) continue;
      const int error = errno;
      // The bytes to be written are those of an input that has lost them.
      if (const std::string_view input = mapped_file_at(bytes.data()); error == EFAULT && !input.empty())
        throw IoError::truncated(std::string(input));
      throw IoError::from_errno(name, "cannot write", error);
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
  TemporarySlot* slot = nullptr;
  int fd = -1;
  std::optional<struct stat> replaced;  // the target, if it exists
  bool direct = false;                  // a pipe or a device: no renaming
  bool standard = false;                // standard output
  bool synced = false;

  ~State() {
    if (!temporary.empty()) ::unlink(temporary.c_str());
    forget_temporary(slot);
    if (fd > 2) ::close(fd);
  }

  void flush() {
    write_all(fd, buffer, path);
    buffer.clear();
  }

  /// Keeps owner and mode as far as permitted. Set-user-ID and set-group-ID bits are dropped.
  void take_over_owner_and_mode() {
    if ((replaced->st_uid != ::geteuid() || replaced->st_gid != ::getegid()) &&
        ::fchown(fd, replaced->st_uid, replaced->st_gid) != 0) {
      [[maybe_unused]] const int changed = ::fchown(fd, static_cast<uid_t>(-1), replaced->st_gid);
    }
    if (::fchmod(fd, replaced->st_mode & 0777) != 0) throw IoError::from_errno(path, "cannot set the mode of", errno);
  }

  /// Finds a name in the target's folder that is free for `create`, which returns 0 or an errno.
  template <class Create>
  void name_temporary(Create create) {
    static std::atomic<unsigned> counter{0};
    constexpr std::size_t kMaxName = 200;  // of 255 bytes
    const std::size_t slash = target.rfind('/');
    const std::string stem = target.substr(0, (slash == std::string::npos ? 0 : slash + 1) + kMaxName);
    for (int attempt = 0; attempt < 1000; ++attempt) {
      const std::string name = stem + ".tmp" + std::to_string(::getpid()) + "-" + std::to_string(counter++);
      TemporarySlot* place = remember_temporary(name, TemporaryKind::file);
      const int error = create(name);
      if (error == 0) {
        temporary = name;
        slot = place;
        return;
      }
      forget_temporary(place);
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
  if (path.empty()) throw IoError("\"\"", "file name is empty");
  s.target = resolved(path);
  struct stat status {};
  if (::stat(s.target.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) throw IoError(path, "is a folder, not a file");
    s.replaced = status;
    s.direct = !S_ISREG(status.st_mode);
    if (s.direct) {
      s.fd = ::open(s.target.c_str(), O_WRONLY | O_CLOEXEC);
      if (s.fd < 0) throw IoError::from_errno(path, "cannot write", errno);
      return;
    }
    if (::access(s.target.c_str(), W_OK) != 0) throw IoError::from_errno(path, "cannot write", errno);
  } else if (errno != ENOENT) {  // such as a name that is too long, which would be found when others are in place
    throw IoError::from_errno(path, "cannot write", errno);
  }
  // The kernel applies the umask to a new file; a replacement gets the old file's mode when it is complete.
  const mode_t mode = s.replaced ? 0600 : 0666;
  s.fd = ::open(folder_of(s.target).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
  if (s.fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)) {
    s.name_temporary([&](const std::string& name) {
      s.fd = ::open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode);
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
  if (bytes.size() >= kBuffer && !s.standard) {  // large pieces bypass the buffer
    s.flush();
    write_all(s.fd, bytes, s.path);
    return;
  }
  s.buffer += bytes;
  if (!s.standard && s.buffer.size() >= kBuffer) s.flush();
}

void AtomicFile::sync() {
  State& s = *state_;
  if (s.synced || s.standard) return;
  s.flush();
  if (!s.direct) {
    if (s.replaced) s.take_over_owner_and_mode();
    if (::fsync(s.fd) != 0) throw IoError::from_errno(s.path, "cannot write", errno);
  }
  s.synced = true;
}

void AtomicFile::link() {
  State& s = *state_;
  if (s.direct || s.standard || !s.temporary.empty()) return;
  const std::string self = "/proc/self/fd/" + std::to_string(s.fd);
  s.name_temporary([&](const std::string& name) {
    return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
  });
}

void AtomicFile::commit() {
  sync();
  link();
  State& s = *state_;
  if (s.standard) {
    s.flush();
  } else if (!s.direct) {
    if (::rename(s.temporary.c_str(), s.target.c_str()) != 0) throw IoError::from_errno(s.path, "cannot write", errno);
    s.temporary.clear();
    forget_temporary(s.slot);
    s.slot = nullptr;
  }
  if (s.fd > 2) {
    const int fd = s.fd;
    s.fd = -1;
    if (::close(fd) != 0 && errno != EINTR) throw IoError::from_errno(s.path, "cannot write", errno);
  }
}

void AtomicFile::commit_all(std::span<AtomicFile> files) {
  for (AtomicFile& file : files) file.sync();
  // Linking takes microseconds, syncing can take seconds: a killed program hardly ever leaves a temporary name.
  for (AtomicFile& file : files) file.link();
  for (AtomicFile& file : files) file.commit();
}

void write_file(const std::string& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

}  // namespace simbatch
