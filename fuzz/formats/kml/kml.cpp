// Any text: the places of a KML file, written and read again, are the same to 1e-9 degrees.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "formats/kml/kml.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace simbatch;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto parsed = kml::read_kml(text, "m");
  if (!parsed.value) return 0;
  kml::Writer writer(text);
  std::size_t geometries = 0;
  for (const kml::Geometry& g : *parsed.value) {
    std::vector<geo::LatLon> line;
    for (const geo::LatLon p : g.places) {
      if (std::abs(p.lat) > 90 || std::abs(p.lon) > 180) std::abort();
      line.push_back(p);
    }
    if (!g.altitudes.empty() && g.altitudes.size() != g.places.size()) std::abort();
    if (line.size() < 2) continue;
    writer.line("l", line);
    ++geometries;
  }
  const auto again = kml::read_kml(writer.take(), "m");
  if (!again.ok() || again.value->size() != geometries) std::abort();
  std::size_t next = 0;
  for (const kml::Geometry& g : *parsed.value) {
    if (g.places.size() < 2) continue;
    const kml::Geometry& same = (*again.value)[next++];
    if (same.places.size() != g.places.size()) std::abort();
    for (std::size_t i = 0; i < g.places.size(); ++i)
      if (std::abs(same.places[i].lat - g.places[i].lat) > 1e-9 || std::abs(same.places[i].lon - g.places[i].lon) > 1e-9)
        std::abort();
  }
  return 0;
}
