// GPX 1.1 (Topografix, gpx.xsd of 2004): gpxType, wptType, rteType, trkType. The schema orders the children of <gpx>: metadata,
// wpt, rte, trk. Dates by std::chrono's proleptic Gregorian calendar.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <stdexcept>

#include "base/core/number.hpp"
#include "base/xml/xml.hpp"
#include "formats/gpx/gpx.hpp"

namespace simbatch::gpx {
namespace {

constexpr int kDegreeDecimals = 9;  // 1e-9 degrees are 0.1 mm

/// xsd:dateTime in UTC, "2007-11-03T12:00:00.05Z"; nothing outside of its years.
std::optional<std::string> time_text(double utc) {
  constexpr double kFirst = -62135596800, kLast = 253402300799;  // 0001-01-01T00:00:00Z, 9999-12-31T23:59:59Z
  if (!(utc >= kFirst && utc <= kLast)) return std::nullopt;
  const auto milliseconds = static_cast<std::int64_t>(std::llround(utc * 1000));
  constexpr std::int64_t kDay = 86'400'000;
  const std::int64_t day = milliseconds >= 0 ? milliseconds / kDay : (milliseconds - kDay + 1) / kDay;
  const std::int64_t clock = milliseconds - day * kDay;
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{day}}};
  std::string text =
      fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                  static_cast<unsigned>(date.day()), clock / 3'600'000, clock / 60'000 % 60, clock / 1000 % 60);
  if (const std::int64_t rest = clock % 1000; rest != 0) {
    text += fmt::format(".{:03}", rest);
    while (text.back() == '0') text.pop_back();
  }
  return text + 'Z';
}

class GpxText {
 public:
  std::string write(const Document& document) {
    writer_.start("gpx");
    writer_.attribute("xmlns", "http://www.topografix.com/GPX/1/1");
    writer_.attribute("version", "1.1");
    writer_.attribute("creator", "simbatch");
    writer_.start("metadata");
    writer_.element("name", document.name);
    writer_.end();
    for (const Waypoint& waypoint : document.waypoints) point("wpt", waypoint.point, &waypoint.name);
    for (const Path& route : document.routes) {
      writer_.start("rte");
      writer_.element("name", route.name);
      for (const Point& each : route.points) point("rtept", each);
      writer_.end();
    }
    for (const Path& track : document.tracks) {
      writer_.start("trk");
      writer_.element("name", track.name);
      writer_.start("trkseg");
      for (const Point& each : track.points) point("trkpt", each);
      writer_.end();
      writer_.end();
    }
    writer_.end();
    return writer_.take();
  }

 private:
  void point(std::string_view element, const Point& point, const std::string* name = nullptr) {
    if (!(std::abs(point.at.lat) <= 90) || !(std::abs(point.at.lon) <= 180))
      throw std::invalid_argument("gpx: a place is not on the earth");
    writer_.start(element);
    writer_.attribute("lat", rounded_text(point.at.lat, kDegreeDecimals));
    const std::string lon = rounded_text(point.at.lon, kDegreeDecimals);
    writer_.attribute("lon", lon == "180" ? "-180" : lon);  // the schema's longitudes are less than 180
    if (const auto time = point.utc ? time_text(*point.utc) : std::nullopt) writer_.element("time", *time);
    if (name != nullptr) writer_.element("name", *name);
    writer_.end();
  }

  xml::Writer writer_;
};

}  // namespace

std::string write_gpx(const Document& document) { return GpxText().write(document); }

}  // namespace simbatch::gpx
