#include <doctest/doctest.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/core/input.hpp"
#include "base/process/line_channel.hpp"
#include "base/process/socket.hpp"

using namespace simbatch;

namespace {

Descriptor connected(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  Descriptor made(::socket(AF_UNIX, SOCK_STREAM, 0));
  if (::connect(made.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return {};
  return made;
}

struct Folder {
  std::string path = std::filesystem::temp_directory_path() / ("sockets" + std::to_string(::getpid()));
  Folder() { std::filesystem::create_directory(path); }
  ~Folder() { std::filesystem::remove_all(path); }
};

}  // namespace

TEST_CASE("socket: addresses") {
  const auto text = [](std::string_view given) {
    const auto address = parse_socket_address(given);
    return address ? address->text() : "none";
  };
  CHECK(text("tcp:4500") == "tcp:127.0.0.1:4500");
  CHECK(text("tcp:0.0.0.0:0") == "tcp:0.0.0.0:0");
  CHECK(text("tcp:[::1]:65535") == "tcp:[::1]:65535");
  CHECK(text("unix:/run/a b") == "unix:/run/a b");
  for (const char* bad : {"", "tcp:", "tcp:x", "tcp:-1", "tcp:65536", "tcp:localhost:1", "tcp:1.2.3:1",
                          "tcp:1.2.3.4:", "unix:", "http:80", "4500", "tcp:1 2"})
    CHECK_MESSAGE(text(bad) == "none", bad);
  CHECK(text("unix:" + std::string(108, 'x')) == "none");
  CHECK(is_socket_address("tcp:nonsense"));
  CHECK_FALSE(is_socket_address("python3 tcp:4500"));
  for (const char* own : {"tcp:1", "tcp:127.9.9.9:1", "tcp:[::1]:1", "unix:x"}) CHECK(parse_socket_address(own)->is_loopback());
  for (const char* other : {"tcp:0.0.0.0:1", "tcp:[::]:1", "tcp:192.168.0.1:1", "tcp:128.0.0.1:1"})
    CHECK_FALSE(parse_socket_address(other)->is_loopback());
}

TEST_CASE("socket: lines both ways, and an end") {
  const Folder folder;
  Listener listener(*parse_socket_address("unix:" + folder.path + "/socket"));
  CHECK_THROWS_AS(Listener(*parse_socket_address("unix:" + folder.path + "/socket")), IoError);
  CHECK_FALSE(listener.accept(deadline_in(0.05), {}));
  CHECK_FALSE(listener.accept({}, [] { return false; }));
  Descriptor there = connected(folder.path + "/socket");
  REQUIRE(there);
  Descriptor here = listener.accept(deadline_in(5), {});
  REQUIRE(here);
  Descriptor copy = duplicate(here);
  LineChannel channel(std::move(here), std::move(copy), 100);
  REQUIRE(::write(there.get(), "one\ntwo", 7) == 7);
  std::string line;
  CHECK(channel.receive(line, deadline_in(5)) == ChannelStatus::ok);
  CHECK(line == "one");
  CHECK(channel.receive(line, deadline_in(0.05)) == ChannelStatus::timeout);
  CHECK(channel.send("answer\n", deadline_in(5)) == ChannelStatus::ok);
  // The other side reads an end of file, and what it sends still comes.
  channel.close_sending();
  char bytes[16];
  CHECK(::read(there.get(), bytes, sizeof bytes) == 7);
  CHECK(::read(there.get(), bytes, sizeof bytes) == 0);
  REQUIRE(::write(there.get(), "\n", 1) == 1);
  CHECK(channel.receive(line, deadline_in(5)) == ChannelStatus::ok);
  CHECK(line == "two");
  there.reset(-1);
  CHECK(channel.receive(line, deadline_in(5)) == ChannelStatus::closed);
  listener.close();
  CHECK_FALSE(std::filesystem::exists(folder.path + "/socket"));
}

TEST_CASE("socket: the file is its owner's alone, and files of other threads keep their mode") {
  const Folder folder;
  const mode_t before = ::umask(022);
  std::atomic<bool> done = false;
  int files = 0, narrow = 0;
  std::thread other([&] {
    for (; !done; ++files) {
      const std::string path = folder.path + "/file";
      const Descriptor file(::open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666));
      struct stat what {};
      if (::fstat(file.get(), &what) != 0 || (what.st_mode & 0777) != 0644) ++narrow;
      ::unlink(path.c_str());
    }
  });
  const std::string path = folder.path + "/socket";
  int open_to_others = 0;
  for (int i = 0; i < 2000; ++i) {
    const Listener listener(*parse_socket_address("unix:" + path));
    struct stat what {};
    if (::stat(path.c_str(), &what) != 0 || (what.st_mode & 0777) != 0600) ++open_to_others;
  }
  done = true;
  other.join();
  CHECK(::umask(before) == 022);
  CHECK(open_to_others == 0);
  CHECK(narrow == 0);
  CHECK(files > 0);
}

TEST_CASE("socket: what a killed program left is replaced, a file is not") {
  const Folder folder;
  const std::string path = folder.path + "/socket";
  {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    const Descriptor dead(::socket(AF_UNIX, SOCK_STREAM, 0));
    REQUIRE(::bind(dead.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  }
  CHECK(std::filesystem::exists(path));
  Listener listener(*parse_socket_address("unix:" + path));
  CHECK(listener.is_open());
  CHECK_THROWS_AS(Listener(*parse_socket_address("unix:" + folder.path)), IoError);
  Listener tcp(*parse_socket_address("tcp:0"));
  CHECK(tcp.address().port != 0);
}
