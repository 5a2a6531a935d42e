#pragma once
/// Escapes of addresses.

#include <string>
#include <string_view>

namespace simbatch {

/// Encodes all bytes except letters, digits, '-', '.', '_', '~' as %XX, for a path or a query (RFC 3986, 2.3).
std::string percent_encoded(std::string_view text);
/// Decodes %XX; incomplete or invalid escapes are kept as they are.
std::string percent_decoded(std::string_view text);

}  // namespace simbatch
