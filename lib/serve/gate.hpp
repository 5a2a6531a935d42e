#pragma once
/// Who may come in: what a browser says of itself when it asks for something.

#include <string>
#include <string_view>

namespace simbatch::serve {

/// What a request says.
struct Visit {
  std::string_view target;  ///< path and query
  std::string_view host;    ///< header Host
  std::string_view origin;  ///< header Origin; empty: none, as of programs other than browsers
  bool one_host = true;     ///< exactly one header Host
};

/// Why a request is refused; empty: it is not. Where there is no token, Host must be a name of this machine for itself (localhost, 127.x.x.x,
/// [::1], any port: it may be forwarded), so that no page elsewhere reaches us under its own name (DNS rebinding). Origin, if there is one,
/// must be the page that we have served. @param token  that the query must have; empty: none
std::string refusal(const Visit& visit, std::string_view token);

/// True for names and addresses by which a machine calls itself: without or with a port.
bool is_own_host(std::string_view host);

/// True if both are the same, in a time that does not depend on where they differ.
bool is_same_secret(std::string_view given, std::string_view secret);

}  // namespace simbatch::serve
