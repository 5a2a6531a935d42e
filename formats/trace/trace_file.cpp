#include "formats/trace/trace_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/core/input.hpp"

namespace simbatch::trace::detail {

TraceFile::TraceFile(const std::string& path, Lines lines) : path_(path == "-" ? "<stdout>" : path) {
  if (lines == Lines::at_the_end) {
    file_.emplace(path);
  } else if (path != "-") {
    open_alone(path);
  }
  if (const auto container = container_named(path)) packer_.emplace(*container, [this](std::string_view bytes) { put(bytes); });
}
TraceFile::~TraceFile() {
  if (fd_ > 2) ::close(fd_);
}

// Two runs in one file would form one broken trace: the second is refused before it truncates the first.
void TraceFile::open_alone(const std::string& path) {
  fd_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  struct stat status {};
  if (fd_ < 0 || ::fstat(fd_, &status) != 0) throw IoError::from_errno(path_, "cannot write", errno);
  if (!S_ISREG(status.st_mode)) return;
  const bool taken = ::flock(fd_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (!taken && ::ftruncate(fd_, 0) == 0) return;
  const int error = errno;
  ::close(std::exchange(fd_, -1));
  if (taken) throw IoError(path_, "is being written by another run");
  throw IoError::from_errno(path_, "cannot write", error);
}

void TraceFile::write(std::string_view bytes) {
  constexpr std::size_t kFlush = std::size_t{1} << 16;
  if (!packer_) return put(bytes);
  packer_->write(bytes);
  unflushed_ += bytes.size();
  if (file_ || unflushed_ < kFlush) return;
  packer_->flush();
  unflushed_ = 0;
}

void TraceFile::put(std::string_view bytes) {
  if (file_) {
    file_->write(bytes);
    return;
  }
  while (!bytes.empty()) {
    const ssize_t done = ::write(fd_, bytes.data(), bytes.size());
    if (done < 0) {
      if (errno == EINTR) continue;
      throw IoError::from_errno(path_, "cannot write", errno);
    }
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
}

void TraceFile::finish() {
  if (packer_) packer_->finish();
  if (file_) file_->commit();
  if (fd_ <= 2) return;
  if (::close(std::exchange(fd_, -1)) != 0 && errno != EINTR) throw IoError::from_errno(path_, "cannot write", errno);
}

}  // namespace simbatch::trace::detail
