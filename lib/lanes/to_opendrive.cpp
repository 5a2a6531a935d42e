#include "lib/lanes/to_opendrive.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "lib/lanes/elevation.hpp"
#include "lib/lanes/sampling.hpp"
#include "lib/lanes/surface.hpp"

namespace simbatch::lanes {
namespace {

using opendrive::Cubic;

constexpr double kRoadError = 0.005, kTurnError = 0.02;  // m: how far cubics may be from heights

opendrive::RoadMark mark_of(Mark mark) {
  using enum opendrive::MarkType;
  switch (mark) {
    case Mark::none: return {none, opendrive::MarkColor::standard};
    case Mark::solid: return {solid, opendrive::MarkColor::white};
    case Mark::broken: return {broken, opendrive::MarkColor::white};
    case Mark::double_yellow: return {solid_solid, opendrive::MarkColor::yellow};
    case Mark::solid_yellow: return {solid, opendrive::MarkColor::yellow};
  }
  return {};
}

/// OpenDRIVE's road type, by the kind of way.
std::string type_of(std::string_view kind) {
  if (kind.starts_with("motorway")) return "motorway";
  if (kind == "living_street" || kind == "service") return "lowSpeed";
  return kind == "lane" ? "unknown" : "town";
}

/// From one value to another over a length, level at both ends.
Cubic blended(double from, double to, double length) {
  const double d = to - from;
  return {0, from, 0, 3 * d / (length * length), -2 * d / (length * length * length)};
}

class Converter {
 public:
  explicit Converter(const Network& network) : network_(network) {}

  opendrive::Network run() {
    out_.name = network_.name;
    out_.origin = network_.origin;
    if (network_.is_above_geoid) out_.datum = opendrive::Network::Datum::geoid;
    std::size_t turns = 0;
    std::vector<std::vector<std::pair<Turn, TurnCurve>>> curves(network_.junctions.size());
    for (std::size_t j = 0; j < network_.junctions.size(); ++j)
      for (const Turn& turn : network_.junctions[j].turns)
        if (const auto curve = curve_of(network_, turn)) curves[j].emplace_back(turn, *curve), ++turns;
    first_junction_ = network_.roads.size() + turns;
    for (const Road& road : network_.roads) add(road);
    for (std::size_t j = 0; j < curves.size(); ++j) {
      out_.junctions.push_back({first_junction_ + j, network_.junctions[j].source, {}});
      for (const auto& [turn, curve] : curves[j]) add(turn, curve, out_.junctions.back());
    }
    return std::move(out_);
  }

 private:
  static std::vector<opendrive::Lane> lanes_of(const std::vector<Lane>& side, int sign) {
    std::vector<opendrive::Lane> lanes;
    for (const Lane& lane : side) {
      opendrive::Lane out;
      out.id = sign * static_cast<int>(lanes.size() + 1);
      out.type = lane.is_sidewalk ? opendrive::LaneType::sidewalk : opendrive::LaneType::driving;
      out.widths = {{0, lane.width, 0, 0, 0}};
      out.mark = mark_of(lane.outer);
      lanes.push_back(std::move(out));
    }
    return lanes;
  }

  void add(const Road& road) {
    opendrive::Road out;
    out.id = out_.roads.size();
    out.name = road.name;
    if (road.start_junction) out.predecessor = {true, first_junction_ + *road.start_junction, {}};
    if (road.end_junction) out.successor = {true, first_junction_ + *road.end_junction, {}};
    out.type = type_of(road.kind);
    out.speed = road.speed;
    double s = 0;
    for (const Piece& piece : road.line.pieces) {
      opendrive::Geometry geometry{s, piece.start.at.east, piece.start.at.north, piece.start.heading, piece.length, {}};
      if (piece.curvature != 0) geometry.shape = opendrive::Arc{piece.curvature};
      out.plan.push_back(geometry);
      s += piece.length;
    }
    add_elevations(road, out);
    if (road.shift != 0) out.offsets = {{0, road.shift, 0, 0, 0}};
    out.right = lanes_of(road.right, -1);
    out.left = lanes_of(road.left, 1);
    out.center = mark_of(road.center);
    add_signs(road, out);
    out.user_data = {{"source", road.source}, {"kind", road.kind}};
    out_.roads.push_back(std::move(out));
  }

  void add_elevations(const Road& road, opendrive::Road& out) const {
    if (!network_.height_at) return;
    const std::vector<double> stations = detail::stations_between(network_, 0, road.line.length);
    std::vector<double> heights;
    for (const double s : stations) heights.push_back(detail::height_on(network_, road, s, place_at(road.line, s).at));
    out.elevations = detail::elevations_of(heights, stations[1], std::nullopt, std::nullopt, kRoadError);
  }

  /// Of a road's end, in the direction of a lane's traffic. The road is as high beside its line as on it.
  detail::Grade grade_of(std::size_t road, LaneId lane, bool at_end) const {
    const opendrive::Road& made = out_.roads[road];
    detail::Grade grade = detail::grade_at(made.elevations, at_end ? made.length() : 0);
    if (lane > 0) grade.slope = -grade.slope;
    return grade;
  }

  /// From one road to the other, with their heights and slopes at both ends.
  void add_elevations(const Turn& turn, const TurnCurve& curve, opendrive::Road& out) const {
    if (!network_.height_at) return;
    const detail::Grade begin = grade_of(turn.from_road, turn.from_lane, turn.from_lane < 0),
                        end = grade_of(turn.to_road, turn.to_lane, turn.to_lane > 0);
    std::vector<Place> places = detail::places_of(curve);
    detail::set_heights(network_, turn, begin.height, end.height, places);
    std::vector<double> heights;
    for (const Place& place : places) heights.push_back(place.height);
    out.elevations = detail::elevations_of(heights, curve.length / static_cast<double>(heights.size() - 1), begin.slope,
                                           end.slope, kTurnError);
  }

  void add_signs(const Road& road, opendrive::Road& out) {
    for (const Sign& sign : road.signs) {
      double t = road.shift;
      for (const Lane& lane : sign.is_forward ? road.right : road.left) t += sign.is_forward ? -lane.width : lane.width;
      opendrive::Signal signal;
      signal.id = next_signal_++;
      signal.s = sign.s;
      signal.t = t;
      signal.is_dynamic = sign.is_light;
      signal.is_forward = sign.is_forward;
      signal.type = sign.is_light ? "1000001" : "206";  // OpenDRIVE's traffic light; the stop sign of its German list
      signal.country = sign.is_light ? "" : "DE";
      out.signals.push_back(std::move(signal));
    }
  }

  /// A connecting road: its line is the middle of its only lane.
  void add(const Turn& turn, const TurnCurve& curve, opendrive::Junction& junction) {
    opendrive::Road out;
    out.id = out_.roads.size();
    out.junction = junction.id;
    using opendrive::Contact;
    out.predecessor = {false, turn.from_road, turn.from_lane < 0 ? Contact::end : Contact::start};
    out.successor = {false, turn.to_road, turn.to_lane < 0 ? Contact::start : Contact::end};
    out.plan = {{0, curve.start.at.east, curve.start.at.north, curve.start.heading, curve.length,
                 opendrive::ParamPoly3{curve.u, curve.v}}};
    add_elevations(turn, curve, out);
    out.offsets = {blended(curve.from_width / 2, curve.to_width / 2, curve.length)};
    opendrive::Lane lane;
    lane.id = -1;
    lane.widths = {blended(curve.from_width, curve.to_width, curve.length)};
    lane.predecessor = turn.from_lane;
    lane.successor = turn.to_lane;
    out.right = {std::move(lane)};
    junction.connections.push_back({turn.from_road, out.id, turn.from_lane, -1});
    out_.roads.push_back(std::move(out));
  }

  const Network& network_;
  opendrive::Network out_;
  std::size_t first_junction_ = 0, next_signal_ = 0;
};

}  // namespace

opendrive::Network to_opendrive(const Network& network) { return Converter(network).run(); }

}  // namespace simbatch::lanes
