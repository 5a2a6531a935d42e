#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include "base/process/relay.hpp"

using namespace simbatch;

namespace {

std::string relayed(std::string_view text, int to, int seen, std::size_t limit, bool& within) {
  Pipe pipe = make_pipe();
  Relay relay(limit);
  REQUIRE(::write(pipe.write.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  pipe.write.reset(-1);
  relay.add(std::move(pipe.read), to);
  CHECK(relay.descriptors()[0] >= 0);
  CHECK(relay.descriptors()[1] == -1);
  within = relay.drain();
  if (within) CHECK(relay.descriptors()[0] == -1);  // it has ended
  char bytes[4096];
  const ssize_t got = ::read(seen, bytes, sizeof bytes);
  return {bytes, got > 0 ? static_cast<std::size_t>(got) : 0};
}

}  // namespace

TEST_CASE("relay: it passes on up to its limit") {
  Pipe out = make_pipe();
  bool within = false;
  CHECK(relayed("a\x1b[31mb\n", out.write.get(), out.read.get(), 100, within) == "a\x1b[31mb\n");
  CHECK(within);
  CHECK(relayed("0123456789", out.write.get(), out.read.get(), 4, within) == "0123");
  CHECK_FALSE(within);
}

TEST_CASE("relay: a terminal gets no control characters") {
  const int control = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  REQUIRE(control >= 0);
  REQUIRE(::grantpt(control) == 0);
  REQUIRE(::unlockpt(control) == 0);
  const int terminal = ::open(::ptsname(control), O_RDWR | O_NOCTTY | O_CLOEXEC);
  REQUIRE(terminal >= 0);
  termios settings{};
  REQUIRE(::tcgetattr(terminal, &settings) == 0);
  ::cfmakeraw(&settings);
  REQUIRE(::tcsetattr(terminal, TCSANOW, &settings) == 0);
  bool within = false;
  CHECK(relayed("tab\t\x1b]0;title\x07\rx\x7f \xc3\xa4 \xc2\x9b"
                "31m\n",
                terminal, control, 100, within) == "tab\t?]0;title??x? \xc3\xa4 \xc2?31m\n");
  CHECK(within);
  ::close(terminal);
  ::close(control);
}
