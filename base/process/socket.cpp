#include "base/process/socket.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/core/input.hpp"
#include "base/core/number.hpp"

namespace simbatch {
namespace {

using std::chrono::steady_clock;

constexpr int kAcceptSlice = 100;  // ms between two calls of keep_going

union AnyAddress {
  sockaddr any;
  sockaddr_in v4;
  sockaddr_in6 v6;
  sockaddr_un local;
};

/// The system's representation of an address; 0: it is not an address.
socklen_t system_address(const SocketAddress& address, AnyAddress& to) {
  std::memset(&to, 0, sizeof to);
  if (address.local) {
    if (address.path.empty() || address.path.size() >= sizeof to.local.sun_path) return 0;
    to.local.sun_family = AF_UNIX;
    std::memcpy(to.local.sun_path, address.path.data(), address.path.size());
    return sizeof to.local;
  }
  if (::inet_pton(AF_INET, address.host.c_str(), &to.v4.sin_addr) == 1) {
    to.v4.sin_family = AF_INET;
    to.v4.sin_port = htons(address.port);
    return sizeof to.v4;
  }
  if (::inet_pton(AF_INET6, address.host.c_str(), &to.v6.sin6_addr) == 1) {
    to.v6.sin6_family = AF_INET6;
    to.v6.sin6_port = htons(address.port);
    return sizeof to.v6;
  }
  return 0;
}

[[noreturn]] void fail(const SocketAddress& address, const char* what) {
  throw IoError::from_errno(address.text(), what, errno);
}

/// True if the path is a socket that no program listens on: left by a program that was killed.
bool is_left_over(const SocketAddress& address, const AnyAddress& system, socklen_t size) {
  struct stat what {};
  if (::lstat(address.path.c_str(), &what) != 0 || !S_ISSOCK(what.st_mode)) return false;
  // A datagram socket: a live stream socket refuses it with a different error and sees no connection.
  const Descriptor probe(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  return probe && ::connect(probe.get(), &system.any, size) != 0 && errno == ECONNREFUSED;
}

}  // namespace

bool SocketAddress::is_loopback() const {
  if (local) return true;
  AnyAddress system{};
  if (system_address(*this, system) == 0) return false;
  if (system.any.sa_family == AF_INET) return ntohl(system.v4.sin_addr.s_addr) >> 24 == 127;
  return IN6_IS_ADDR_LOOPBACK(&system.v6.sin6_addr);
}

std::string SocketAddress::text() const {
  if (local) return "unix:" + path;
  const bool is_v6 = host.find(':') != std::string::npos;
  return "tcp:" + (is_v6 ? "[" + host + "]" : host) + ":" + number_text(port);
}

bool is_socket_address(std::string_view text) { return text.starts_with("tcp:") || text.starts_with("unix:"); }

std::optional<SocketAddress> parse_socket_address(std::string_view text) {
  SocketAddress address;
  if (text.starts_with("unix:")) {
    address.local = true;
    address.path = text.substr(5);
  } else if (text.starts_with("tcp:")) {
    text.remove_prefix(4);
    if (const std::size_t colon = text.rfind(':'); colon != std::string_view::npos) {
      std::string_view host = text.substr(0, colon);
      if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
      address.host = host;
      text.remove_prefix(colon + 1);
    }
    const auto port = parse_integer<int>(text);
    if (!port || port.value < 0 || port.value > 65535) return std::nullopt;
    address.port = static_cast<std::uint16_t>(port.value);
  } else {
    return std::nullopt;
  }
  AnyAddress system{};
  if (system_address(address, system) == 0) return std::nullopt;
  return address;
}

Listener::Listener(SocketAddress address) : address_(std::move(address)) {
  AnyAddress system{};
  socklen_t size = system_address(address_, system);
  if (size == 0) {
    errno = EINVAL;
    fail(address_, "listen");
  }
  Descriptor made(::socket(system.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!made) fail(address_, "open a socket");
  const int yes = 1;
  if (!address_.local) ::setsockopt(made.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (address_.local && is_left_over(address_, system, size)) ::unlink(address_.path.c_str());
  // Linux gives the file the socket's mode. umask() would be that of all threads.
  if (address_.local && ::fchmod(made.get(), S_IRUSR | S_IWUSR) != 0) fail(address_, "listen");
  if (::bind(made.get(), &system.any, size) != 0) fail(address_, "listen");
  socket_ = std::move(made);
  if (::listen(socket_.get(), 4) != 0) fail(address_, "listen");
  if (!address_.local && ::getsockname(socket_.get(), &system.any, &size) == 0)
    address_.port = ntohs(system.any.sa_family == AF_INET ? system.v4.sin_port : system.v6.sin6_port);
}

Listener& Listener::operator=(Listener&& other) noexcept {
  if (this == &other) return *this;
  close();
  address_ = std::move(other.address_);
  socket_ = std::move(other.socket_);
  return *this;
}

void Listener::close() {
  if (socket_ && address_.local) ::unlink(address_.path.c_str());
  socket_.reset(-1);
}

Descriptor Listener::accept(Deadline deadline, const std::function<bool()>& keep_going) {
  for (;;) {
    Descriptor made(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (made) {
      // The peer waits for each line, so none may be delayed (Nagle's algorithm). Keep-alive detects a peer that is gone.
      const int yes = 1;
      if (!address_.local) {
        ::setsockopt(made.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        ::setsockopt(made.get(), SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
      }
      return made;
    }
    int slice = kAcceptSlice;
    if (deadline) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - steady_clock::now()).count();
      if (left <= 0) return {};
      slice = static_cast<int>(std::min<long long>(left, slice));
    }
    pollfd waiting{socket_.get(), POLLIN, 0};
    (void)::poll(&waiting, 1, slice);
    if (keep_going && !keep_going()) return {};
  }
}

Descriptor connect_socket(const std::string& peer) {
  if (peer.starts_with("unix:")) {
    const auto address = parse_socket_address(peer);
    AnyAddress system{};
    const socklen_t size = address ? system_address(*address, system) : 0;
    Descriptor made(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    errno = size == 0 ? EINVAL : errno;
    if (size == 0 || !made || ::connect(made.get(), &system.any, size) != 0) throw IoError::from_errno(peer, "connect", errno);
    return made;
  }
  std::string host = "127.0.0.1", port = peer.starts_with("tcp:") ? peer.substr(4) : peer;
  if (const std::size_t colon = port.rfind(':'); colon != std::string::npos) {
    host = port.substr(0, colon);
    port = port.substr(colon + 1);
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  }
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_NUMERICSERV;
  addrinfo* found = nullptr;
  if (const int error = ::getaddrinfo(host.c_str(), port.c_str(), &wanted, &found); error != 0)
    throw IoError(peer, std::string("cannot connect: ") + ::gai_strerror(error));
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> all(found, &::freeaddrinfo);
  int error = ECONNREFUSED;
  for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
    Descriptor made(::socket(each->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!made || ::connect(made.get(), each->ai_addr, each->ai_addrlen) != 0) {
      error = errno;
      continue;
    }
    const int yes = 1;
    ::setsockopt(made.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    ::setsockopt(made.get(), SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
    return made;
  }
  throw IoError::from_errno(peer, "connect", error);
}

Descriptor duplicate(const Descriptor& socket) {
  Descriptor copy(::fcntl(socket.get(), F_DUPFD_CLOEXEC, 0));
  if (!copy) throw IoError::from_errno("socket", "duplicate", errno);
  return copy;
}

}  // namespace simbatch
