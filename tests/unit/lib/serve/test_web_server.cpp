// The web server with clients that are sockets of this process: what waits for one that does not read, and programs' endpoints.
#include <doctest/doctest.h>

#include <memory>
#include <string>

#include <sys/socket.h>
#include <unistd.h>

#include "base/core/input.hpp"
#include "base/core/number.hpp"
#include "base/process/socket.hpp"
#include "lib/serve/control_endpoints.hpp"
#include "lib/serve/web_server.hpp"

using namespace simbatch;
using namespace simbatch::serve;

namespace {

// A WebSocket client that speaks when it is asked to.
class Peer {
 public:
  Peer(std::uint16_t port, const std::string& path) : socket_(connect_socket(number_text(port))) {
    write("GET " + path +
          " HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
  }
  void write(const std::string& bytes) { REQUIRE(::write(socket_.get(), bytes.data(), bytes.size()) == std::ssize(bytes)); }
  // A text of less than 126 bytes, masked with zeros.
  void say(const std::string& text) {
    write(std::string("\x81") + static_cast<char>(0x80 | text.size()) + std::string(4, '\0') + text);
  }
  // What has come so far.
  const std::string& read() {
    char chunk[65536];
    for (ssize_t got = 0; (got = ::recv(socket_.get(), chunk, sizeof chunk, MSG_DONTWAIT)) > 0;)
      all_.append(chunk, static_cast<std::size_t>(got));
    return all_;
  }

 private:
  Descriptor socket_;
  std::string all_;
};

WebSettings any_port() {
  WebSettings settings;
  settings.port = 0;
  return settings;
}

}  // namespace

TEST_CASE("web server: what waits for a client that does not read is bounded in bytes, and the newest of it arrives") {
  ClientId client = 0;
  WebHandlers handlers;
  handlers.is_endpoint = [](std::string_view path) { return path == "/live"; };
  handlers.opened = [&](ClientId id, std::string_view, std::string_view) { client = id; };
  handlers.received = [](ClientId, std::string_view, bool) { return true; };
  handlers.closed = [](ClientId) {};
  WebSettings settings = any_port();
  settings.max_queue = 1 << 20;
  WebServer server(settings, handlers);
  Peer peer(server.port(), "/live");
  while (client == 0) server.wait(0.01);
  constexpr std::uint32_t kChannels = 400;
  constexpr std::size_t kFrame = 100'000;
  for (std::uint32_t channel = 0; channel < kChannels; ++channel)
    server.send_frame(client, std::make_shared<const std::string>(kFrame, static_cast<char>('a' + channel % 26)), channel);
  server.poll();
  // One is on its way, ten wait.
  CHECK(server.dropped() == kChannels - 11);
  CHECK(server.clients() == 1);
  for (int i = 0; i < 10'000 && !server.is_idle(client); ++i) {
    server.poll();
    peer.read();
  }
  CHECK(server.is_idle(client));
  const std::string& all = peer.read();
  CHECK(all.size() > 11 * kFrame);
  CHECK(all.size() < 12 * kFrame);
  CHECK(all.back() == static_cast<char>('a' + (kChannels - 1) % 26));
  // One that is larger than the bound is still sent.
  server.send_frame(client, std::make_shared<const std::string>(3 << 20, 'x'));
  for (int i = 0; i < 10'000 && !server.is_idle(client); ++i) {
    server.poll();
    peer.read();
  }
  CHECK(server.is_idle(client));
  CHECK(server.dropped() == kChannels - 11);
}

TEST_CASE("control endpoints: addresses and paths") {
  CHECK(parse_web_address("ws")->is_page);
  CHECK(parse_web_address("ws:4500")->port == 4500);
  CHECK(parse_web_address("ws:4500")->host == "127.0.0.1");
  CHECK(parse_web_address("ws:0.0.0.0:0")->host == "0.0.0.0");
  CHECK(parse_web_address("ws:[::1]:80")->host == "::1");
  for (const char* bad : {"ws:", "ws:x", "ws:70000", "ws:host:80", "wss:80", "tcp:80", "ws://127.0.0.1:80", ""})
    CHECK_FALSE_MESSAGE(parse_web_address(bad), bad);
  for (const std::string name : {"car", "my car", "%", "%41", "a/b?c#d", "K\xc3\xa4"})
    CHECK(robot_of_path(control_path(name)) == name);
  CHECK(control_path("K\xc3\xa4 1") == "/control/K%C3%A4%201");
  CHECK(robot_of_path("/control/a%2") == "a%2");
  CHECK(robot_of_path("/control/%zz%") == "%zz%");
  CHECK(robot_of_path("/live").empty());
  CHECK(robot_of_path("/control/").empty());
}

TEST_CASE("control endpoints: lines come and go, in order, and the end is noticed") {
  WebEndpointOpener opener("");
  const auto endpoint = opener("my car", "ws:0");
  const std::string address = endpoint->address();
  const std::string start = "ws://127.0.0.1:";
  REQUIRE(address.starts_with(start));
  REQUIRE(address.ends_with("/control/my%20car"));
  const auto port = parse_integer<int>(std::string_view(address).substr(start.size(), address.find('/', 7) - start.size()));
  REQUIRE(port);
  CHECK(endpoint->accept(deadline_in(0.01), {}) == nullptr);
  CHECK(endpoint->accept({}, [] { return false; }) == nullptr);

  auto peer = std::make_unique<Peer>(static_cast<std::uint16_t>(port.value), "/control/my%20car");
  const auto lines = endpoint->accept(deadline_in(20), {});
  REQUIRE(lines != nullptr);
  std::string line;
  CHECK(lines->receive(line, deadline_in(0.01)) == ChannelStatus::timeout);
  peer->say("one");
  peer->say("two\r\nthree\n");
  for (const char* each : {"one", "two", "three"}) {
    CHECK(lines->receive(line, deadline_in(20)) == ChannelStatus::ok);
    CHECK(line == each);
  }
  CHECK(lines->send("{\"hello\":1}\n", deadline_in(20)) == ChannelStatus::ok);
  while (peer->read().find("\x81\x0b{\"hello\":1}") == std::string::npos)
    CHECK(lines->receive(line, deadline_in(0.01)) == ChannelStatus::timeout);

  // A second program is none.
  Peer second(static_cast<std::uint16_t>(port.value), "/control/my%20car"),
      other(static_cast<std::uint16_t>(port.value), "/control/x");
  // Its endpoint has its program and accepts no other: it is not even looked at until another endpoint waits, here that of another robot.
  const auto next = opener("other", "ws:0");
  const auto both_have_answers = [&] { return second.read().size() > 12 && other.read().size() > 12; };
  for (int i = 0; i < 1000 && !both_have_answers(); ++i) CHECK(next->accept(deadline_in(0.05), {}) == nullptr);
  CHECK(next->address() == start + number_text(port.value) + "/control/other");
  CHECK(second.read().find(" 404 ") != std::string::npos);
  CHECK(other.read().find(" 404 ") != std::string::npos);
  CHECK_THROWS_AS(opener("other", "ws:0"), IoError);
  CHECK_THROWS_AS(opener("other", "ws"), IoError);
  CHECK_THROWS_AS(opener("other", "ws:0.0.0.0:0"), IoError);

  peer->say("last");
  peer.reset();
  CHECK(lines->receive(line, deadline_in(20)) == ChannelStatus::ok);
  CHECK(line == "last");
  CHECK(lines->receive(line, deadline_in(20)) == ChannelStatus::closed);
  CHECK(lines->send("x\n", deadline_in(20)) == ChannelStatus::closed);
}

TEST_CASE("control endpoints: long messages are lines, and what comes after them waits until it is read") {
  WebEndpointOpener opener("");
  const auto endpoint = opener("car", "ws:0");
  const std::string address = endpoint->address();
  const auto port = parse_integer<int>(std::string_view(address).substr(15, address.find('/', 7) - 15));
  REQUIRE(port);
  Peer peer(static_cast<std::uint16_t>(port.value), "/control/car");
  const auto lines = endpoint->accept(deadline_in(20), {});
  REQUIRE(lines != nullptr);
  std::string line;
  const std::string some = std::string("\x81\xfe\xff\xff", 4) + std::string(4, '\0') + std::string(65535, 'x');
  for (int i = 0; i < 16; ++i) {
    peer.write(some);
    CHECK(lines->send("1\n", deadline_in(20)) == ChannelStatus::ok);
    CHECK(lines->receive(line, deadline_in(20)) == ChannelStatus::ok);
    CHECK(line.size() == 65535);
  }
}
