#pragma once
/// Passes on what an untrusted process prints, up to a limit, and to a terminal without control characters, which could forge what
/// others print there.

#include <array>
#include <cstddef>

#include "base/process/process.hpp"

namespace simbatch {

class Relay {
 public:
  /// @param limit  bytes in all
  explicit Relay(std::size_t limit) : limit_(limit) {}
  /// Passes on what comes from a pipe. @param to  a descriptor that stays open; 1 or 2  @pre at most two are added
  void add(Descriptor from, int to);
  /// Passes on what is there, without waiting. False if that is more than the limit: then the rest is dropped.
  [[nodiscard]] bool drain();
  /// The pipes, for poll(); -1 for those that have ended or were not added.
  std::array<int, 2> descriptors() const { return {streams_[0].from.get(), streams_[1].from.get()}; }

 private:
  struct Stream {
    Descriptor from;
    int to = -1;
    bool is_terminal = false;
    bool after_c2 = false;  ///< the last byte was the first of a control character in UTF-8
  };
  static void disarm(Stream& stream, char* bytes, std::size_t size);
  std::array<Stream, 2> streams_;
  std::size_t limit_, passed_ = 0;
};

}  // namespace simbatch
