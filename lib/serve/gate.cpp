#include "lib/serve/gate.hpp"

#include <algorithm>

#include <sys/random.h>

#include "base/core/input.hpp"
#include "base/core/percent.hpp"

namespace simbatch::serve {
namespace {

/// The value of a query parameter, still encoded.
std::string_view query_value(std::string_view target, std::string_view name) {
  std::size_t at = target.find('?');
  while (at != std::string_view::npos) {
    target.remove_prefix(at + 1);
    const std::size_t end = target.find('&');
    const std::string_view pair = target.substr(0, end);
    if (pair.size() > name.size() && pair.starts_with(name) && pair[name.size()] == '=') return pair.substr(name.size() + 1);
    at = end;
  }
  return {};
}

/// Four numbers of 0 to 255, the first of which is 127.
bool is_loopback(std::string_view address) {
  if (!address.starts_with("127.")) return false;
  int parts = 0;
  for (std::size_t dot = 0; dot != std::string_view::npos; ++parts) {
    dot = address.find('.');
    const std::string_view part = address.substr(0, dot);
    int value = 0;
    for (const char c : part) {
      if (c < '0' || c > '9' || part.size() > 3) return false;
      value = 10 * value + (c - '0');
    }
    if (part.empty() || value > 255) return false;
    if (dot != std::string_view::npos) address.remove_prefix(dot + 1);
  }
  return parts == 4;
}

}  // namespace

bool is_own_host(std::string_view host) {
  if (const std::size_t colon = host.rfind(':');
      colon != std::string_view::npos && host.find(']', colon) == std::string_view::npos) {
    const std::string_view port = host.substr(colon + 1);
    if (port.empty() || port.size() > 5 || !std::all_of(port.begin(), port.end(), [](char c) { return c >= '0' && c <= '9'; }))
      return false;
    host = host.substr(0, colon);
  }
  return host == "localhost" || host == "[::1]" || is_loopback(host);
}

bool is_same_secret(std::string_view given, std::string_view secret) {
  unsigned difference = given.size() == secret.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i)
    difference |= static_cast<unsigned char>(given[i] ^ (secret.empty() ? '\0' : secret[i % secret.size()]));
  return difference == 0;
}

std::string refusal(const Visit& visit, std::string_view token, const std::vector<std::string>& origins) {
  if (!visit.one_host || visit.host.empty()) return "a request needs one Host";
  if (token.empty() && !is_own_host(visit.host)) return "this server answers to localhost only";
  if (!visit.origin.empty() && std::find(origins.begin(), origins.end(), visit.origin) == origins.end()) {
    const std::size_t at = visit.origin.find("://");
    const std::string_view scheme = visit.origin.substr(0, at);
    if (at == std::string_view::npos || (scheme != "http" && scheme != "https") || visit.origin.substr(at + 3) != visit.host)
      return "this server answers to its own page only";
  }
  if (!token.empty() && !is_same_secret(percent_decoded(query_value(visit.target, "token")), token))
    return "the address lacks the token that simrun has printed (?token=...)";
  return {};
}

std::string new_token() {
  unsigned char bytes[16];
  if (::getrandom(bytes, sizeof bytes, 0) != sizeof bytes) throw IoError("token", "the system has no random numbers");
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace simbatch::serve
