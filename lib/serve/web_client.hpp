#pragma once
/// Client of a control endpoint: exchanges lines with a remote simulation as text messages of a WebSocket (docs/serve.md).

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/process/line_channel.hpp"

namespace simbatch::serve {

/// Parts of "ws://HOST[:PORT][/PATH][?QUERY]".
struct WebTarget {
  std::string host;    ///< for the Host header, with the port if one is given
  std::string peer;    ///< for connect_socket()
  std::string target;  ///< path and query
};

/// True if a text begins like a WebSocket URL, with or without TLS: "ws://", "wss://".
bool is_web_url(std::string_view text);
/// Empty if it is not a URL without TLS, or contains bytes that a URL must not have.
std::optional<WebTarget> parse_web_url(std::string_view url);

/// Connects to a WebSocket. Each text received is a line, and each line is sent as a text.
/// @param url         see parse_web_url()
/// @param token       added to the query unless the query has one; empty: none
/// @param max_line    bytes of the longest text accepted
/// @param keep_going  called several times a second while waiting; empty: not called
/// @throws IoError if the connection fails, with the reason that the other side gives
std::unique_ptr<LineExchange> connect_web(const std::string& url, std::string_view token, std::size_t max_line,
                                          std::function<bool()> keep_going = {});

}  // namespace simbatch::serve
