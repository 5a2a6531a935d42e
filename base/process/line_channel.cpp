#include "base/process/line_channel.hpp"

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace simbatch {
namespace {

using std::chrono::steady_clock;

constexpr int kSlice = 100;                // ms between two calls of keep_going
constexpr std::size_t kChunk = 64 * 1024;  // a pipe's usual capacity

void make_nonblocking(int fd) { ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK); }

bool would_block(int error) { return error == EAGAIN || error == EINTR; }

}  // namespace

LineChannel::LineChannel(Descriptor from, Descriptor to, std::size_t max_line, std::function<bool()> keep_going, Relay* beside)
    : from_(std::move(from)),
      to_(std::move(to)),
      max_line_(max_line),
      keep_going_(std::move(keep_going)),
      beside_(beside),
      chunk_(kChunk) {
  make_nonblocking(from_.get());
  make_nonblocking(to_.get());
}

ChannelStatus LineChannel::wait(bool sending, bool receiving, Deadline deadline, bool& can_send, bool& can_receive) {
  for (;;) {
    int slice = keep_going_ ? kSlice : -1;
    if (deadline) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - steady_clock::now()).count();
      if (left <= 0) return ChannelStatus::timeout;
      const int ms = static_cast<int>(std::min<long long>(left, 1'000'000));
      slice = slice < 0 ? ms : std::min(slice, ms);
    }
    const std::array<int, 2> printed = beside_ != nullptr ? beside_->descriptors() : std::array<int, 2>{-1, -1};
    pollfd fds[4] = {{sending ? to_.get() : -1, POLLOUT, 0},
                     {receiving ? from_.get() : -1, POLLIN, 0},
                     {printed[0], POLLIN, 0},
                     {printed[1], POLLIN, 0}};
    const int ready = ::poll(fds, 4, slice);
    if (beside_ != nullptr && !beside_->drain()) return ChannelStatus::flooded;
    if (ready > 0 && (fds[0].revents != 0 || fds[1].revents != 0)) {
      can_send = fds[0].revents != 0;
      can_receive = fds[1].revents != 0;
      return ChannelStatus::ok;
    }
    if (keep_going_ && !keep_going_()) return ChannelStatus::interrupted;
  }
}

// False at the end of the file.
bool LineChannel::fill() {
  const ssize_t got = ::read(from_.get(), chunk_.data(), chunk_.size());
  if (got > 0) buffer_.append(chunk_.data(), static_cast<std::size_t>(got));
  return got > 0 || (got < 0 && would_block(errno));
}

ChannelStatus LineChannel::send(std::string_view text, Deadline deadline) {
  if (!to_) return ChannelStatus::closed;
  NoSigpipe guard;
  bool ended = false;
  while (!text.empty()) {
    const ssize_t sent = ::write(to_.get(), text.data(), text.size());
    if (sent > 0) {
      text.remove_prefix(static_cast<std::size_t>(sent));
      continue;
    }
    if (sent < 0 && !would_block(errno)) return ChannelStatus::closed;
    if (buffer_.size() > max_line_ + kChunk) return ChannelStatus::too_long;
    bool can_send = false, can_receive = false;
    if (const ChannelStatus status = wait(true, !ended, deadline, can_send, can_receive); status != ChannelStatus::ok)
      return status;
    if (can_receive && !fill()) ended = true;
  }
  return ChannelStatus::ok;
}

void LineChannel::close_sending() {
  if (to_) ::shutdown(to_.get(), SHUT_WR);  // of a socket, whose other descriptor keeps it open; for a pipe it does nothing
  to_.reset(-1);
}

ChannelStatus LineChannel::receive(std::string& line, Deadline deadline) {
  for (;;) {
    const std::size_t end = buffer_.find('\n', searched_);
    if (end != std::string::npos) {
      if (end > max_line_) return ChannelStatus::too_long;
      line.assign(buffer_, 0, end > 0 && buffer_[end - 1] == '\r' ? end - 1 : end);
      buffer_.erase(0, end + 1);
      searched_ = 0;
      return ChannelStatus::ok;
    }
    searched_ = buffer_.size();
    if (buffer_.size() > max_line_) return ChannelStatus::too_long;
    const auto before = static_cast<ssize_t>(buffer_.size());
    if (!fill()) return ChannelStatus::closed;
    if (static_cast<ssize_t>(buffer_.size()) > before) continue;
    bool can_send = false, can_receive = false;
    if (const ChannelStatus status = wait(false, true, deadline, can_send, can_receive); status != ChannelStatus::ok)
      return status;
  }
}

}  // namespace simbatch
