#pragma once
/// Lines to and from another process, which is not trusted to read, to write, or to be in time.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/process/process.hpp"

namespace simbatch::sim {

enum class ChannelStatus {
  ok,
  closed,  ///< the other side has closed its end
  timeout,
  too_long,     ///< a line above the limit, or so much sent without reading
  interrupted,  ///< go_on said no
};

class LineChannel {
 public:
  /// @param max_line  bytes of a line that is taken, without its end
  /// @param go_on     asked several times a second while waiting; empty: never
  LineChannel(Descriptor from, Descriptor to, std::size_t max_line, std::function<bool()> go_on = {});

  /// Sends `text` as it stands. What the other side writes meanwhile is kept (up to max_line and a bit), so that two that
  /// both write before they read do not wait for each other.
  ChannelStatus send(std::string_view text, Deadline deadline);
  /// The next line without its end (LF or CR LF). A last line without end does not count: closed.
  ChannelStatus receive(std::string& line, Deadline deadline);
  /// True if the other side closed behind an unfinished line.
  bool has_rest() const { return !buffer_.empty(); }
  /// Closes the sending end: the other side reads an end of file.
  void close_sending() { to_.reset(-1); }

 private:
  ChannelStatus wait(bool sending, bool receiving, Deadline deadline, bool& can_send, bool& can_receive);
  bool fill();
  Descriptor from_, to_;
  std::size_t max_line_;
  std::function<bool()> go_on_;
  std::vector<char> chunk_;  // what a read goes into
  std::string buffer_;
  std::size_t searched_ = 0;  // no line end before this
};

}  // namespace simbatch::sim
