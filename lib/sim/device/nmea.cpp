// NMEA 0183 version 2.3, sentence RMC. Conversion of days to dates by the algorithm of Howard Hinnant, "chrono-compatible
// low-level date algorithms" (civil_from_days).

#include "lib/sim/device/nmea.hpp"

#include <algorithm>
#include <cmath>

namespace simbatch::sim {
namespace {

/// A sentence while it grows: 100 robots make 24,000 of them in a simulated second.
class Line {
 public:
  void text(std::string_view text) { end_ = std::copy(text.begin(), text.end(), end_); }
  void character(char c) { *end_++ = c; }
  // `value` >= 0 in decimal with at least `width` digits.
  void digits(std::int64_t value, int width) {
    char text[20];
    int n = 0;
    do {
      text[n++] = static_cast<char>('0' + value % 10);
      value /= 10;
    } while (value > 0);
    while (n < width) text[n++] = '0';
    while (n > 0) *end_++ = text[--n];
  }
  // A number of hundredths as "12.34", with at least `width` digits before the point.
  void hundredths(std::int64_t value, int width) {
    digits(value / 100, width);
    character('.');
    digits(value % 100, 2);
  }
  // Degrees as dddmm.mmmmm and a letter.
  void angle(double degrees, int width, char positive, char negative) {
    constexpr std::int64_t kMinute = 100000;
    const auto units = static_cast<std::int64_t>(std::llround(std::abs(degrees) * 60 * kMinute));
    digits(units / (60 * kMinute), width);
    digits(units % (60 * kMinute) / kMinute, 2);
    character('.');
    digits(units % kMinute, 5);
    character(',');
    character(degrees < 0 ? negative : positive);
    character(',');
  }
  std::string_view so_far() const { return {text_, static_cast<std::size_t>(end_ - text_)}; }

 private:
  char text_[256] = {};  // twelve numbers of up to 19 digits, and what is between them
  char* end_ = text_;
};

struct Date {
  std::int64_t year;
  int month, day;
};
// Days since 1970-01-01 to a date of the Gregorian calendar. Shifts the year to begin in March, so that the leap day is its
// last; 400 years are 146,097 days, and five months from March on are 153.
Date date_of(std::int64_t days) {
  const std::int64_t shifted = days + 719468;  // from 0000-03-01
  const std::int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  const std::int64_t day_of_era = shifted - era * 146097;
  const std::int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const std::int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t month = (5 * day_of_year + 2) / 153;  // 0 = March
  Date date{};
  date.day = static_cast<int>(day_of_year - (153 * month + 2) / 5 + 1);
  date.month = static_cast<int>(month < 10 ? month + 3 : month - 9);
  date.year = year_of_era + era * 400 + (date.month <= 2 ? 1 : 0);
  return date;
}

}  // namespace

std::uint8_t nmea_checksum(std::string_view body) {
  unsigned sum = 0;
  for (const char c : body) sum ^= static_cast<unsigned char>(c);
  return static_cast<std::uint8_t>(sum);
}

void append_rmc(std::string& out, const Fix& fix) {
  constexpr std::int64_t kDay = 8640000;  // hundredths of a second
  constexpr double kMetresPerSecondToKnots = 3600.0 / 1852.0;
  const auto time = static_cast<std::int64_t>(std::llround(fix.utc * 100));
  const std::int64_t day = time >= 0 ? time / kDay : (time - kDay + 1) / kDay;
  const std::int64_t clock = time - day * kDay;
  Line line;
  line.text("$GPRMC,");
  line.digits(clock / 360000, 2);
  line.digits(clock % 360000 / 6000, 2);
  line.hundredths(clock % 6000, 2);
  line.text(",A,");
  line.angle(fix.place.lat, 2, 'N', 'S');
  line.angle(fix.place.lon, 3, 'E', 'W');
  line.hundredths(static_cast<std::int64_t>(std::llround(std::min(fix.speed, 1e6) * kMetresPerSecondToKnots * 100)), 3);
  line.character(',');
  line.hundredths(static_cast<std::int64_t>(std::llround(fix.course * 100)) % 36000, 3);
  line.character(',');
  const Date date = date_of(day);
  line.digits(date.day, 2);
  line.digits(date.month, 2);
  line.digits(((date.year % 100) + 100) % 100, 2);
  line.text(",,,A");
  const std::uint8_t sum = nmea_checksum(line.so_far().substr(1));
  line.character('*');
  line.character("0123456789ABCDEF"[sum >> 4]);
  line.character("0123456789ABCDEF"[sum & 15]);
  line.text("\r\n");
  out += line.so_far();
}

}  // namespace simbatch::sim
