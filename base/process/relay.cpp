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
  stream = {std::move(from), to};
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
      pass_on(stream.to, bytes, part);
      passed_ += part;
      if (part < static_cast<std::size_t>(got)) return false;
    }
  return true;
}

}  // namespace simbatch
