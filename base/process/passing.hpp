#pragma once
/// Lines that carry open descriptors over a Unix socket, and memory that other processes can map, as needed for a session with
/// another process (lib/session).

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/process/process.hpp"

namespace simbatch {

/// A conversation over two descriptors, which remain the caller's: a Unix stream socket (the same for both), or two pipes, which
/// carry no descriptors. Blocks while the other side is silent.
class LineSocket {
 public:
  /// @param max_line  longest line accepted, in bytes without its end
  LineSocket(int from, int to, std::size_t max_line);

  /// True if descriptors can be sent and received.
  bool passes_descriptors() const { return is_socket_; }
  /// The next line without its end. @return false if the other side has closed, or sent a line that is too long, or half of one
  bool receive(std::string& line);
  /// The last descriptor received since the previous call; empty: none.
  Descriptor take_descriptor();
  /// Sends bytes; with the first of them, a descriptor (-1: none). @return false if the other side has closed
  bool send(std::string_view bytes, int descriptor = -1);
  /// True if the other side has closed: its socket, or the pipe that it reads. Does not wait.
  bool is_closed() const;
  /// Continues with another socket, which replaces the current descriptors; data that was received but not read is discarded.
  void continue_with(Descriptor socket);

 private:
  bool fill();
  int from_, to_;
  std::size_t max_line_;
  bool is_socket_ = false;
  std::string buffer_;
  std::size_t begin_ = 0;  // of what is not read yet, in buffer_
  Descriptor passed_;
};

/// Memory that is shared with other processes through its descriptor; initially zero. Freed when its last user ends.
class SharedMemory {
 public:
  /// @throws IoError
  explicit SharedMemory(std::size_t bytes);
  SharedMemory(SharedMemory&&) = delete;
  ~SharedMemory();
  int descriptor() const { return file_.get(); }
  std::span<std::byte> bytes() const { return {data_, size_}; }

 private:
  Descriptor file_;
  std::byte* data_ = nullptr;
  std::size_t size_;
};

}  // namespace simbatch
