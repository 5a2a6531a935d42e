#pragma once
/// Access control by the headers of a request.

#include <string>
#include <string_view>
#include <vector>

namespace simbatch::serve {

/// The relevant parts of a request.
struct Visit {
  std::string_view target;  ///< path and query
  std::string_view host;    ///< header Host
  std::string_view origin;  ///< header Origin; empty: none, as from programs other than browsers
  bool one_host = true;     ///< exactly one header Host
};

/// The reason for refusing a request; empty: accepted. Without a token, Host must be a loopback name (localhost, 127.x.x.x,
/// [::1], any port, which may be forwarded), to prevent DNS rebinding. Origin, if present, must be that of our own page or one
/// of `origins`. @param token  required in the query; empty: none
std::string refusal(const Visit& visit, std::string_view token, const std::vector<std::string>& origins = {});

/// True for loopback names and addresses, with or without a port.
bool is_own_host(std::string_view host);

/// Compares in constant time, i.e. independently of the position of the first difference.
bool is_same_secret(std::string_view given, std::string_view secret);

/// 128 unpredictable bits as hexadecimal digits. @throws IoError
std::string new_token();

}  // namespace simbatch::serve
