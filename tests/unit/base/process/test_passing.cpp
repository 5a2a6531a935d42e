// Lines over sockets and pipes, in any portions; descriptors that come with them; memory that another process sees.
#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include <sys/socket.h>
#include <unistd.h>

#include "base/process/passing.hpp"

using namespace simbatch;

namespace {

struct Pair {
  Descriptor a, b;
  Pair() {
    int ends[2];
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    a = Descriptor(ends[0]);
    b = Descriptor(ends[1]);
  }
};

void write_all(int fd, std::string_view text) {
  REQUIRE(::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
}

}  // namespace

TEST_CASE("passing: lines come whole, whatever their portions") {
  Pair pair;
  LineSocket socket(pair.a.get(), pair.a.get(), 100);
  CHECK(socket.passes_descriptors());
  std::string line;
  for (const char c : std::string("one\n\nthree\nfo")) write_all(pair.b.get(), std::string(1, c));
  CHECK((socket.receive(line) && line == "one"));
  CHECK((socket.receive(line) && line.empty()));
  CHECK((socket.receive(line) && line == "three"));
  CHECK_FALSE(socket.is_closed());
  pair.b.reset(-1);
  CHECK(socket.is_closed());
  CHECK_FALSE(socket.receive(line));  // half a line is none
  CHECK_FALSE(socket.send("x"));
}

TEST_CASE("passing: a line that is too long ends the conversation") {
  Pair pair;
  LineSocket socket(pair.a.get(), pair.a.get(), 8);
  std::string line;
  write_all(pair.b.get(), "12345678\n123456789\n");
  CHECK((socket.receive(line) && line == "12345678"));
  CHECK_FALSE(socket.receive(line));
  Pair other;
  LineSocket endless(other.a.get(), other.a.get(), 8);
  write_all(other.b.get(), "123456789");
  CHECK_FALSE(endless.receive(line));
}

TEST_CASE("passing: descriptors come with their line, over sockets only") {
  Pair pair;
  LineSocket here(pair.a.get(), pair.a.get(), 100), there(pair.b.get(), pair.b.get(), 100);
  SharedMemory memory(4096);
  std::memcpy(memory.bytes().data(), "shared", 7);
  REQUIRE(here.send("take this\n", memory.descriptor()));
  std::string line;
  REQUIRE(there.receive(line));
  CHECK(line == "take this");
  const Descriptor got = there.take_descriptor();
  REQUIRE(got);
  CHECK_FALSE(there.take_descriptor());
  char text[7] = {};
  CHECK(::pread(got.get(), text, sizeof text, 0) == sizeof text);
  CHECK(std::string(text) == "shared");

  Pipe pipe = make_pipe();
  LineSocket over_pipe(pipe.read.get(), pipe.write.get(), 100);
  CHECK_FALSE(over_pipe.passes_descriptors());
  REQUIRE(over_pipe.send("plain\n", memory.descriptor()));
  CHECK((over_pipe.receive(line) && line == "plain"));
  CHECK_FALSE(over_pipe.take_descriptor());
  CHECK_FALSE(over_pipe.is_closed());
  pipe.read.reset(-1);
  CHECK(over_pipe.is_closed());
}

TEST_CASE("passing: a conversation goes on over another socket") {
  Pair first, second;
  LineSocket socket(first.a.get(), first.a.get(), 100);
  write_all(first.b.get(), "old\nrest");
  std::string line;
  REQUIRE(socket.receive(line));
  socket.continue_with(std::move(second.a));
  write_all(second.b.get(), "new\n");
  CHECK((socket.receive(line) && line == "new"));
  char byte = 0;
  CHECK(::read(first.b.get(), &byte, 1) == 0);  // the first one's other side sees its end
}
