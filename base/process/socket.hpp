#pragma once
/// Stream sockets for remote programs: one listener, one peer (docs/controllers.md).

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/process/process.hpp"

namespace simbatch {

/// Where to listen.
struct SocketAddress {
  bool local = false;              ///< a Unix socket at `path`; else TCP
  std::string host = "127.0.0.1";  ///< IPv4 or IPv6 address of this machine, numeric
  std::uint16_t port = 0;          ///< 0: any free port
  std::string path = {};

  /// True if only this machine reaches it: a Unix socket, 127.0.0.0/8, ::1.
  bool is_loopback() const;
  /// "tcp:127.0.0.1:4500", "tcp:[::1]:4500", "unix:/run/car.sock"
  std::string text() const;
};

/// True if a text asks for a socket: it begins with "tcp:" or "unix:".
bool is_socket_address(std::string_view text);
/// "tcp:PORT" (of 127.0.0.1), "tcp:ADDRESS:PORT", "tcp:[ADDRESS]:PORT" with a numeric address, "unix:PATH" of at most 107
/// bytes. Empty: none of these.
std::optional<SocketAddress> parse_socket_address(std::string_view text);

/// Waits for connections. Removes its socket file when destroyed.
class Listener {
 public:
  Listener() = default;
  /// A Unix socket is accessible to its owner only; a stale one, on which no program listens, is replaced.
  /// @throws IoError
  explicit Listener(SocketAddress address);
  Listener(Listener&& other) noexcept = default;
  Listener& operator=(Listener&& other) noexcept;
  ~Listener() { close(); }

  bool is_open() const { return static_cast<bool>(socket_); }
  /// Includes the port that the system has chosen.
  const SocketAddress& address() const { return address_; }
  /// The next connection, ready to be read and written; empty at the deadline, or when keep_going (called several times a second)
  /// says false.
  Descriptor accept(Deadline deadline, const std::function<bool()>& keep_going);
  void close();

 private:
  SocketAddress address_;
  Descriptor socket_;
};

/// Connects to a listener. @param peer  "HOST:PORT", "[IPv6]:PORT", "PORT" of this machine, or "unix:PATH"; names are looked
/// up. @throws IoError
Descriptor connect_socket(const std::string& peer);

/// A second descriptor of the same socket. @throws IoError
Descriptor duplicate(const Descriptor& socket);

}  // namespace simbatch
