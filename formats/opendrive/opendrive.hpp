#pragma once
/// OpenDRIVE road networks: roads along reference lines, with lanes beside them, joined in junctions. Written only.
///
/// Source: ASAM OpenDRIVE 1.4 to 1.6 (the elements used are the same in all of them); docs/formats/opendrive.md describes the
/// part that is written. Lengths in meters, angles in radians, counterclockwise from the x axis (east), as in the files.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/geo/geo.hpp"

namespace simbatch::opendrive {

struct Line {
  friend bool operator==(const Line&, const Line&) = default;
};
struct Arc {
  double curvature = 0;  ///< 1/m, positive to the left; not 0
  friend bool operator==(const Arc&, const Arc&) = default;
};
/// u(p), v(p) in the frame of the geometry's start, p from 0 to 1 (pRange "normalized").
struct ParamPoly3 {
  std::array<double, 4> u{}, v{};  ///< a, b, c, d
  friend bool operator==(const ParamPoly3&, const ParamPoly3&) = default;
};

/// A piece of a reference line.
struct Geometry {
  double s = 0;                      ///< m along the road, where it begins
  double x = 0, y = 0, heading = 0;  ///< of its start: m east and north, rad
  double length = 0;                 ///< m, > 0
  std::variant<Line, Arc, ParamPoly3> shape;
};

/// a + b ds + c ds^2 + d ds^3 from `s` on: a width, an offset to the left, or a height.
struct Cubic {
  double s = 0, a = 0, b = 0, c = 0, d = 0;  ///< m along the road; m, 1, 1/m, 1/m^2
};

enum class MarkType : std::uint8_t { none, solid, broken, solid_solid };
enum class MarkColor : std::uint8_t { standard, white, yellow };
struct RoadMark {
  MarkType type = MarkType::none;
  MarkColor color = MarkColor::standard;
};

enum class LaneType : std::uint8_t { driving, sidewalk };

struct Lane {
  int id =
      0;  ///< negative: right of the reference line and in its direction; positive: left of it, in the opposite direction; 0: center
  LaneType type = LaneType::driving;
  std::vector<Cubic> widths;  ///< none for the center
  RoadMark mark;              ///< at the outer border
  std::optional<int> predecessor, successor;
};

enum class Contact : std::uint8_t { start, end };
struct Link {
  bool is_junction = false;
  std::size_t id = 0;
  Contact contact = Contact::start;  ///< of a road
};

/// A sign or traffic light beside or above a road.
struct Signal {
  std::size_t id = 0;
  double s = 0, t = 0;  ///< m along the road, and to the left of its reference line
  bool is_dynamic = false;
  bool is_forward = true;  ///< for lanes with the reference line's direction
  std::string type;        ///< e.g. "1000001", a traffic light
  std::string country;     ///< whose list contains `type`, e.g. "US"; empty: OpenDRIVE's own list
};

struct Road {
  std::size_t id = 0;
  std::string name;
  std::optional<std::size_t> junction;  ///< of connecting roads
  std::optional<Link> predecessor, successor;
  std::string type;               ///< "town", "motorway", ...; empty: none
  std::optional<double> speed;    ///< m/s; only with a type
  std::vector<Geometry> plan;     ///< at least one, each beginning where the previous one ends
  std::vector<Cubic> elevations;  ///< of the reference line and all that is beside it; none: 0
  std::vector<Cubic> offsets;     ///< of lane 0 from the reference line
  std::vector<Lane> left, right;  ///< from the center outwards
  RoadMark center;
  std::vector<Signal> signals;
  std::vector<std::pair<std::string, std::string>> user_data;  ///< code, value

  double length() const { return plan.empty() ? 0 : plan.back().s + plan.back().length; }
};

/// A way through a junction, from the end of an incoming road along a connecting road.
struct Connection {
  std::size_t incoming = 0, connecting = 0;  ///< road ids; the connecting road's start is met
  int from = 0, to = 0;                      ///< lane ids
};
struct Junction {
  std::size_t id = 0;
  std::string name;
  std::vector<Connection> connections;
};

struct Network {
  std::string name;
  geo::LatLon origin;  ///< of the transverse Mercator map on which x and y are measured (geo::LocalFrame)
  /// What elevations are measured from: nothing on the earth (the map's own zero), or the geoid of EGM96.
  enum class Datum : std::uint8_t { own, geoid } datum = Datum::own;
  std::vector<Road> roads;
  std::vector<Junction> junctions;
};

/// The document, version 1.4. Lengths to 1 um, headings and curvatures to 1e-12: the same bytes on all machines.
/// @pre all numbers are finite; each road has a plan
std::string write(const Network& network);

}  // namespace simbatch::opendrive
