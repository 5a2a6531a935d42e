// Addresses of WebSockets, and what is escaped in them. Connections: tests/simrun/sockets.

#include <doctest/doctest.h>

#include <string>

#include "base/core/input.hpp"
#include "base/core/percent.hpp"
#include "lib/serve/gate.hpp"
#include "lib/serve/web_client.hpp"

using namespace simbatch;
using namespace simbatch::serve;

TEST_CASE("web client: the parts of an address") {
  struct Row {
    const char *url, *host, *peer, *target;
  };
  for (const Row& row :
       {Row{"ws://127.0.0.1:4500/control/car", "127.0.0.1:4500", "127.0.0.1:4500", "/control/car"},
        Row{"ws://simulator.example/control/car?token=x", "simulator.example", "simulator.example:80", "/control/car?token=x"},
        Row{"ws://[::1]:80", "[::1]:80", "[::1]:80", "/"}, Row{"ws://[::1]/a", "[::1]", "[::1]:80", "/a"},
        Row{"ws://host?token=x", "host", "host:80", "/?token=x"}}) {
    CAPTURE(row.url);
    const auto parsed = parse_web_url(row.url);
    REQUIRE(parsed);
    CHECK(parsed->host == row.host);
    CHECK(parsed->peer == row.peer);
    CHECK(parsed->target == row.target);
  }
}

TEST_CASE("web client: addresses that are none") {
  for (const char* url : {"", "ws:", "ws://", "ws:///control/car", "ws://:80/", "http://host/", "wss://host/", "127.0.0.1:4500",
                          "ws://host:0/", "ws://host:65536/", "ws://host:x/", "ws://host:/", "ws://user@host/", "ws://host/a b",
                          "ws://host/a\r\nX: y", "ws://host/\xc3\xa4"}) {
    CAPTURE(url);
    CHECK_FALSE(parse_web_url(url));
    CHECK_THROWS_AS(connect_web(url, "", 1000), IoError);
  }
  CHECK(is_web_url("ws://host"));
  CHECK(is_web_url("wss://host"));
  CHECK_FALSE(is_web_url("unix:ws://host"));
}

TEST_CASE("web: escapes of paths and queries") {
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  CHECK(percent_decoded(percent_encoded(all)) == all);
  CHECK(percent_encoded("a secret: 50 %") == "a%20secret%3A%2050%20%25");
  CHECK(percent_decoded("%zz%2%") == "%zz%2%");
  CHECK(refusal({"/?token=a%20b%C3%A4", "sim.example", ""}, "a b\xc3\xa4").empty());
  CHECK_FALSE(refusal({"/?token=a+b%C3%A4", "sim.example", ""}, "a b\xc3\xa4").empty());
}
