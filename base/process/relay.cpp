#include "base/process/relay.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <unistd.h>

namespace simbatch {
namespace {

void pass_on(int to, const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t done = ::write(to, bytes, size);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return;  // the reader is gone
    bytes += done;
    size -= static_cast<std::size_t>(done);
  }
}

}  // namespace

void Relay::add(Descriptor from, int to) {
  ::fcntl(from.get(), F_SETFL, O_NONBLOCK);
  Stream& stream = streams_[streams_[0].to < 0 ? 0 : 1];
  stream = {std::move(from), to, ::isatty(to) == 1};
}

// Replaces control characters, but for line ends and tabs, by question marks.
void Relay::disarm(Stream& stream, char* bytes, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    const bool is_control = (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7F;
    const bool is_c1 = stream.after_c2 && byte >= 0x80 && byte < 0xA0;  // U+0080 to U+009F
    stream.after_c2 = byte == 0xC2;
    if (is_control || is_c1) bytes[i] = '?';
  }
}

bool Relay::drain() {
  char bytes[16384];
  for (Stream& stream : streams_)
    while (stream.from) {
      const ssize_t got = ::read(stream.from.get(), bytes, sizeof bytes);
      if (got < 0 && errno == EINTR) continue;
      if (got == 0) stream.from.reset(-1);
      if (got <= 0) break;
      const std::size_t part = std::min(limit_ - passed_, static_cast<std::size_t>(got));
      if (stream.to == STDOUT_FILENO) std::fflush(stdout);
      if (stream.is_terminal) disarm(stream, bytes, part);
      pass_on(stream.to, bytes, part);
      passed_ += part;
      if (part < static_cast<std::size_t>(got)) return false;
    }
  return true;
}

}  // namespace simbatch
