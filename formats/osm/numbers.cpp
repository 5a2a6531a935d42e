#include "formats/osm/numbers.hpp"

#include <cmath>
#include <string_view>

#include "base/core/number.hpp"

namespace simbatch::osm::detail {

// Handles all forms, also those not covered by read_degrees_quickly(): more than 7 decimals, no point, "5.", ".5", exponents as
// in Java's small numbers ("-3.0E-4"), and invalid numbers.
bool read_degrees(const char* at, const char* end, std::int32_t limit_e7, std::int32_t& value, bool& longer) {
  const std::string_view text(at, static_cast<std::size_t>(end - at));
  const Number<double> number = parse_double(text);
  if (!number || !(std::fabs(number.value) <= 1000)) return false;
  std::int64_t e7 = 0;
  const bool negative = text.starts_with('-');
  if (text.find_first_of("eE") == std::string_view::npos) {
    // Decimal digits, exactly.
    std::string_view digits = text.substr(negative ? 1 : 0);
    std::size_t i = 0;
    for (; i < digits.size() && digits[i] != '.'; ++i) e7 = e7 * 10 + (digits[i] - '0');  // at most 1000
    std::string_view decimals = i < digits.size() ? digits.substr(i + 1) : std::string_view{};
    for (std::size_t k = 0; k < 7; ++k) e7 = e7 * 10 + (k < decimals.size() ? decimals[k] - '0' : 0);
    if (decimals.size() > 7) {
      if (decimals[7] >= '5') ++e7;
      if (decimals.find_first_not_of('0', 7) != std::string_view::npos) longer = true;
    }
    if (negative) e7 = -e7;
  } else {
    const double scaled = number.value * 1e7;
    e7 = std::llround(scaled);
    if (std::fabs(scaled - static_cast<double>(e7)) > 1e-6) longer = true;
  }
  if (e7 > limit_e7 || e7 < -limit_e7) return false;
  value = static_cast<std::int32_t>(e7);
  return true;
}

}  // namespace simbatch::osm::detail
