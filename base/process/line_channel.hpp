#pragma once
/// Exchanges lines with another process, which is not trusted to read, to write, or to respond in time.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/process/process.hpp"
#include "base/process/relay.hpp"

namespace simbatch {

enum class ChannelStatus {
  ok,
  closed,  ///< the other side has closed its end
  timeout,
  too_long,     ///< a line above the limit, or that much sent without reading the answers
  interrupted,  ///< keep_going returned false
  flooded,      ///< the other side printed more than is passed on
};

/// Exchanges lines with a program, independently of the transport.
class LineExchange {
 public:
  virtual ~LineExchange() = default;
  /// Sends `text`, which is one line with its end, or several.
  virtual ChannelStatus send(std::string_view text, Deadline deadline) = 0;
  /// The next line without its end.
  virtual ChannelStatus receive(std::string& line, Deadline deadline) = 0;
  /// True if the other side closed after an unfinished line.
  virtual bool has_rest() const = 0;
  /// Signals the end of the stream to the other side.
  virtual void close_sending() = 0;
};

/// Over pipes and stream sockets.
class LineChannel final : public LineExchange {
 public:
  /// @param from, to   pipes, or two descriptors of one socket
  /// @param max_line  longest line accepted, in bytes without the line end
  /// @param keep_going     called several times a second while waiting; empty: not called
  /// @param beside  passed on while waiting; null: nothing
  LineChannel(Descriptor from, Descriptor to, std::size_t max_line, std::function<bool()> keep_going = {},
              Relay* beside = nullptr);

  /// Sends `text` unchanged. Data received meanwhile is buffered (slightly more than max_line), so that two sides that both
  /// write before they read do not deadlock.
  ChannelStatus send(std::string_view text, Deadline deadline) override;
  /// The next line without its end (LF or CR LF). A last line without an end is not returned: closed.
  ChannelStatus receive(std::string& line, Deadline deadline) override;
  bool has_rest() const override { return !buffer_.empty(); }
  /// Closes the sending end: the other side reads an end of file.
  void close_sending() override;

 private:
  ChannelStatus wait(bool sending, bool receiving, Deadline deadline, bool& can_send, bool& can_receive);
  bool fill();
  Descriptor from_, to_;
  std::size_t max_line_;
  std::function<bool()> keep_going_;
  Relay* beside_;
  std::vector<char> chunk_;  // buffer of one read
  std::string buffer_;
  std::size_t searched_ = 0;  // there is no line end before this offset
};

}  // namespace simbatch
