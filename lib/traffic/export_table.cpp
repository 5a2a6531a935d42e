// The table of `objconv resolve`, and helpers shared by the exports.
#include <fmt/format.h>

#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "lib/traffic/export_detail.hpp"

namespace simbatch::traffic {
namespace detail {

std::string name_of(const cajunbot::Object& object, std::size_t index) {
  if (object.name && !object.name->empty()) return *object.name;
  return fmt::format("Object {}", object.id ? *object.id : static_cast<std::int32_t>(index + 1));
}

double heading_deg(double heading) {
  const double degrees = std::fmod(geo::degrees(heading), 360);
  return degrees < 0 ? degrees + 360 : degrees;
}

std::vector<geo::LatLon> places_of(const std::vector<rndf::Waypoint>& waypoints) {
  std::vector<geo::LatLon> places;
  for (const rndf::Waypoint& w : waypoints) places.push_back(place_of(w));
  return places;
}

std::vector<geo::LatLon> goal_path(const PlacedObject& object) {
  std::vector<geo::LatLon> path{object.place};
  path.insert(path.end(), object.target_places.begin(), object.target_places.end());
  return path;
}

}  // namespace detail

std::string to_table(const ObjectMap& map) {
  constexpr int kDegreeDecimals = 9;  // 0.1 mm
  std::string out = "object\tgoal\tname\twaypoint\teast_m\tnorth_m\tup_m\theading_deg\tlatitude\tlongitude\tarrival_s\n";
  const auto row = [&](std::size_t object, std::size_t goal, const std::string& name, const std::string& waypoint,
                       const geo::Vec3& at, double heading, geo::LatLon place, const std::string& arrival) {
    out += fmt::format("{}\t{}\t{}\t{}\t{:.4f}\t{:.4f}\t{:.4f}\t{:.4f}\t{}\t{}\t{}\n", object, goal, name, waypoint, at.x, at.z,
                       at.y, detail::heading_deg(heading), rounded_text(place.lat, kDegreeDecimals),
                       rounded_text(place.lon, kDegreeDecimals), arrival);
  };
  for (const PlacedObject& p : map.placed.objects) {
    const cajunbot::Object& o = map.file.objects[p.index];
    const std::string name = printable(detail::name_of(o, p.index));  // a tab in it would be a column, a line end a row
    row(p.index + 1, 0, name, to_text(o.start), p.position, p.heading, p.place, "0");
    const Motion motion = p.motion();
    for (std::size_t k = 0; k < p.targets.size(); ++k)
      row(p.index + 1, k + 1, name, k < o.goals.size() ? to_text(o.goals[k].to) : "-", p.targets[k].to,
          motion.at(motion.arrival(k)).heading, p.target_places[k], fmt::format("{:.4f}", motion.arrival(k)));
  }
  return out;
}

}  // namespace simbatch::traffic
