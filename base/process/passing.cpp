// Sources: unix(7) (SCM_RIGHTS), cmsg(3), memfd_create(2).

#include "base/process/passing.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/core/input.hpp"

namespace simbatch {
namespace {

constexpr std::size_t kPortion = 64 * 1024;
constexpr std::size_t kMaxPassed = 4;  // maximum number of descriptors received with a message; the kernel closes others

bool is_unix_socket(int fd) {
  int domain = 0;
  socklen_t size = sizeof domain;
  return ::getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && domain == AF_UNIX;
}

}  // namespace

LineSocket::LineSocket(int from, int to, std::size_t max_line)
    : from_(from), to_(to), max_line_(max_line), is_socket_(is_unix_socket(from) && is_unix_socket(to)) {}

bool LineSocket::fill() {
  if (begin_ > 0) buffer_.erase(0, begin_);
  begin_ = 0;
  const std::size_t before = buffer_.size();
  buffer_.resize(before + kPortion);
  iovec part{buffer_.data() + before, kPortion};
  alignas(cmsghdr) char control[CMSG_SPACE(kMaxPassed * sizeof(int))];
  ssize_t got = 0;
  do {
    if (!is_socket_) {
      got = ::read(from_, part.iov_base, part.iov_len);
      continue;
    }
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    got = ::recvmsg(from_, &message, MSG_CMSG_CLOEXEC);
    if (got < 0) continue;
    for (cmsghdr* head = CMSG_FIRSTHDR(&message); head != nullptr; head = CMSG_NXTHDR(&message, head)) {
      if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) continue;
      for (std::size_t at = 0; at + sizeof(int) <= head->cmsg_len - CMSG_LEN(0); at += sizeof(int)) {
        int fd = -1;
        std::memcpy(&fd, CMSG_DATA(head) + at, sizeof fd);
        passed_ = Descriptor(fd);
      }
    }
  } while (got < 0 && errno == EINTR);
  buffer_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return got > 0;
}

bool LineSocket::receive(std::string& line) {
  for (std::size_t searched = begin_;;) {
    const std::size_t end = buffer_.find('\n', searched);
    if (end != std::string::npos) {
      if (end - begin_ > max_line_) return false;
      line.assign(buffer_, begin_, end - begin_);
      begin_ = end + 1;
      return true;
    }
    const std::size_t kept = buffer_.size() - begin_;
    if (kept > max_line_ || !fill()) return false;
    searched = kept;
  }
}

Descriptor LineSocket::take_descriptor() { return std::move(passed_); }

bool LineSocket::send(std::string_view bytes, int descriptor) {
  NoSigpipe guard;
  while (!bytes.empty()) {
    ssize_t sent = 0;
    if (is_socket_) {
      iovec part{const_cast<char*>(bytes.data()), bytes.size()};  // sendmsg() does not write to it
      msghdr message{};
      message.msg_iov = &part;
      message.msg_iovlen = 1;
      alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
      if (descriptor >= 0) {
        message.msg_control = control;
        message.msg_controllen = sizeof control;
        cmsghdr* head = CMSG_FIRSTHDR(&message);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(sizeof(int));
        std::memcpy(CMSG_DATA(head), &descriptor, sizeof descriptor);
      }
      sent = ::sendmsg(to_, &message, MSG_NOSIGNAL);
    } else {
      sent = ::write(to_, bytes.data(), bytes.size());
    }
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return false;
    descriptor = -1;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool LineSocket::is_closed() const {
  // For pipes, checks the output: input may end before the answers are read.
  pollfd look{is_socket_ ? from_ : to_, static_cast<short>(is_socket_ ? POLLRDHUP : 0), 0};
  return ::poll(&look, 1, 0) > 0 && (look.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

void LineSocket::continue_with(Descriptor socket) {
  ::dup2(socket.get(), from_);
  if (to_ != from_) ::dup2(socket.get(), to_);
  is_socket_ = is_unix_socket(from_);
  buffer_.clear();
  begin_ = 0;
  passed_ = Descriptor();
}

SharedMemory::SharedMemory(std::size_t bytes)
    : file_(::memfd_create("simbatch", MFD_CLOEXEC)), size_(std::max<std::size_t>(bytes, 1)) {
  if (!file_ || ::ftruncate(file_.get(), static_cast<off_t>(size_)) != 0)
    throw IoError::from_errno("shared memory", "cannot make", errno);
  void* const at = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
  if (at == MAP_FAILED) throw IoError::from_errno("shared memory", "cannot map", errno);
  data_ = static_cast<std::byte*>(at);
}

SharedMemory::~SharedMemory() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

}  // namespace simbatch
