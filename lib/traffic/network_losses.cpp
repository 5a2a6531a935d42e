// What maps cannot hold of a road network. Lines of the 1.1 extensions have no documented meaning (docs/formats/rndf.md), so none
// is guessed: a wrong `maxspeed` is worse than none.
#include <fmt/format.h>

#include "base/core/text.hpp"
#include "lib/traffic/codes.hpp"
#include "lib/traffic/export.hpp"

namespace simbatch::traffic {
namespace {

/// Lines that begin with the same word, in the order of their first ones.
class LostLines {
 public:
  void add(const std::vector<rndf::Extension>& extensions) {
    for (const rndf::Extension& e : extensions) {
      const std::string_view first = std::string_view(e.text).substr(0, e.text.find_first_of(" \t\n"));
      Word* known = nullptr;
      for (Word& word : words_)
        if (word.text == first) known = &word;
      // A file can hold any number of words: beyond the first, all others are one.
      if (known == nullptr && words_.size() == kWords) known = &words_.back();
      if (known == nullptr)
        known = &words_.emplace_back(Word{std::string(words_.size() + 1 < kWords ? first : "other words"), e.place.at});
      ++known->count;
    }
  }
  void report(Diagnostics& diagnostics) const {
    for (const Word& word : words_)
      diagnostics.report(
          code::kLossExtension, word.first,
          fmt::format("{} of {} lost, first here", word.count == 1 ? "1 line" : fmt::format("{} lines", word.count),
                      simbatch::quoted(word.text, 40) + (word.count == 1 ? " is" : " are")));
  }

 private:
  static constexpr std::size_t kWords = 32;
  struct Word {
    std::string text;
    Position first;
    std::size_t count = 0;
  };
  std::vector<Word> words_;
};

}  // namespace

void report_network_losses(const rndf::Rndf& network, NetworkMap map, Diagnostics& diagnostics) {
  if (!network.name.empty() || !network.format_version.empty() || !network.creation_date.empty())
    diagnostics.report(code::kLossHeader, {}, "the network's name, format version and creation date are lost");
  LostLines lines;
  lines.add(network.extensions);
  const auto too_few = [&](const char* what, const rndf::PointId& id, const SourcePlace& place, std::size_t points) {
    diagnostics.report(
        code::kLossPoints, place.at,
        fmt::format("{} {}.{} is lost: it has {} point{}", what, id.segment, id.lane, points, points == 1 ? "" : "s"));
  };
  for (const rndf::Segment& segment : network.segments) {
    lines.add(segment.extensions);
    for (const rndf::Lane& lane : segment.lanes) {
      lines.add(lane.extensions);
      // GeoJSON has a point for a lane of one waypoint.
      if (lane.waypoints.size() < (map == NetworkMap::osm ? 2U : 1U))
        too_few("lane", {lane.segment, lane.number, 0}, lane.place, lane.waypoints.size());
    }
  }
  for (const rndf::Zone& zone : network.zones) {
    lines.add(zone.extensions);
    if (zone.perimeter.size() < 3) too_few("perimeter", {zone.id, 0, 0}, zone.place, zone.perimeter.size());
    for (const rndf::Spot& spot : zone.spots) {
      lines.add(spot.extensions);
      if (spot.waypoints.size() < 2) too_few("spot", {spot.zone, spot.number, 0}, spot.place, spot.waypoints.size());
    }
  }
  lines.report(diagnostics);
}

}  // namespace simbatch::traffic
