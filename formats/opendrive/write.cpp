// OpenDRIVE 1.4 (ASAM), with elements in the order that its schema requires.
#include <fmt/format.h>

#include <algorithm>

#include "base/core/number.hpp"
#include "base/xml/xml.hpp"
#include "formats/opendrive/opendrive.hpp"

namespace simbatch::opendrive {
namespace {

constexpr int kMeters = 6, kRadians = 12;  // decimals

std::string_view to_text(MarkType type) {
  switch (type) {
    case MarkType::none: return "none";
    case MarkType::solid: return "solid";
    case MarkType::broken: return "broken";
    case MarkType::solid_solid: return "solid solid";
  }
  return {};
}

std::string_view to_text(MarkColor color) {
  switch (color) {
    case MarkColor::standard: return "standard";
    case MarkColor::white: return "white";
    case MarkColor::yellow: return "yellow";
  }
  return {};
}

class NetworkWriter {
 public:
  std::string write(const Network& network) {
    out_.start("OpenDRIVE");
    write_header(network);
    for (const Road& road : network.roads) write_road(road);
    for (const Junction& junction : network.junctions) write_junction(junction);
    out_.end();
    return out_.take();
  }

 private:
  void number(std::string_view name, double value, int decimals = kMeters) {
    out_.attribute(name, rounded_text(value, decimals));
  }
  void number(std::string_view name, std::size_t value) { out_.attribute(name, static_cast<std::int64_t>(value)); }

  void write_header(const Network& network) {
    double south = 0, north = 0, west = 0, east = 0;
    bool is_first = true;
    for (const Road& road : network.roads)
      for (const Geometry& piece : road.plan) {
        south = is_first ? piece.y : std::min(south, piece.y), north = is_first ? piece.y : std::max(north, piece.y);
        west = is_first ? piece.x : std::min(west, piece.x), east = is_first ? piece.x : std::max(east, piece.x);
        is_first = false;
      }
    out_.start("header");
    out_.attribute("revMajor", 1);
    out_.attribute("revMinor", 4);
    out_.attribute("name", network.name);
    out_.attribute("version", "1.00");
    for (const auto& [name, value] :
         {std::pair("north", north), std::pair("south", south), std::pair("east", east), std::pair("west", west)})
      number(name, value);
    out_.attribute("vendor", "Simbatch");
    out_.element("geoReference",
                 fmt::format("+proj=tmerc +lat_0={} +lon_0={} +k=1 +x_0=0 +y_0=0 +datum=WGS84 +units=m{} +no_defs",
                             rounded_text(network.origin.lat, 9), rounded_text(network.origin.lon, 9),
                             network.datum == Network::Datum::geoid ? " +geoidgrids=egm96_15.gtx +vunits=m" : ""));
    out_.end();
  }

  void write_link(std::string_view element, const std::optional<Link>& link) {
    if (!link) return;
    out_.start(element);
    out_.attribute("elementType", link->is_junction ? "junction" : "road");
    number("elementId", link->id);
    if (!link->is_junction) out_.attribute("contactPoint", link->contact == Contact::start ? "start" : "end");
    out_.end();
  }

  void write_road(const Road& road) {
    out_.start("road");
    out_.attribute("name", road.name);
    number("length", road.length());
    number("id", road.id);
    if (road.junction)
      number("junction", *road.junction);
    else
      out_.attribute("junction", -1);
    if (road.predecessor || road.successor) {
      out_.start("link");
      write_link("predecessor", road.predecessor);
      write_link("successor", road.successor);
      out_.end();
    }
    if (!road.type.empty()) {
      out_.start("type");
      number("s", 0.0);
      out_.attribute("type", road.type);
      if (road.speed) {
        out_.start("speed");
        number("max", *road.speed, 4);
        out_.attribute("unit", "m/s");
        out_.end();
      }
      out_.end();
    }
    write_plan(road);
    if (!road.elevations.empty()) {
      out_.start("elevationProfile");
      for (const Cubic& elevation : road.elevations) write_cubic("elevation", "s", elevation);
      out_.end();
    }
    write_lanes(road);
    write_signals(road);
    for (const auto& [code, value] : road.user_data) {
      out_.start("userData");
      out_.attribute("code", code);
      out_.attribute("value", value);
      out_.end();
    }
    out_.end();
  }

  void write_plan(const Road& road) {
    out_.start("planView");
    for (const Geometry& piece : road.plan) {
      out_.start("geometry");
      number("s", piece.s);
      number("x", piece.x);
      number("y", piece.y);
      number("hdg", piece.heading, kRadians);
      number("length", piece.length);
      if (const auto* arc = std::get_if<Arc>(&piece.shape)) {
        out_.start("arc");
        number("curvature", arc->curvature, kRadians);
      } else if (const auto* poly = std::get_if<ParamPoly3>(&piece.shape)) {
        out_.start("paramPoly3");
        constexpr std::string_view kNames[2][4] = {{"aU", "bU", "cU", "dU"}, {"aV", "bV", "cV", "dV"}};
        for (std::size_t k = 0; k < 4; ++k) number(kNames[0][k], poly->u[k]);
        for (std::size_t k = 0; k < 4; ++k) number(kNames[1][k], poly->v[k]);
        out_.attribute("pRange", "normalized");
      } else {
        out_.start("line");
      }
      out_.end();
      out_.end();
    }
    out_.end();
  }

  void write_cubic(std::string_view element, std::string_view s, const Cubic& cubic) {
    out_.start(element);
    number(s, cubic.s);
    number("a", cubic.a);
    number("b", cubic.b, kRadians);
    number("c", cubic.c, kRadians);
    number("d", cubic.d, kRadians);
    out_.end();
  }

  void write_lanes(const Road& road) {
    out_.start("lanes");
    for (const Cubic& offset : road.offsets) write_cubic("laneOffset", "s", offset);
    out_.start("laneSection");
    number("s", 0.0);
    if (!road.left.empty()) {
      out_.start("left");
      for (auto lane = road.left.rbegin(); lane != road.left.rend(); ++lane) write_lane(*lane);
      out_.end();
    }
    out_.start("center");
    Lane center;
    center.mark = road.center;
    write_lane(center);
    out_.end();
    if (!road.right.empty()) {
      out_.start("right");
      for (const Lane& lane : road.right) write_lane(lane);
      out_.end();
    }
    out_.end();
    out_.end();
  }

  void write_lane(const Lane& lane) {
    out_.start("lane");
    out_.attribute("id", lane.id);
    out_.attribute("type", lane.id == 0 ? "none" : lane.type == LaneType::sidewalk ? "sidewalk" : "driving");
    out_.attribute("level", "false");
    if (lane.predecessor || lane.successor) {
      out_.start("link");
      for (const auto& [name, other] : {std::pair("predecessor", lane.predecessor), std::pair("successor", lane.successor)}) {
        if (!other) continue;
        out_.start(name);
        out_.attribute("id", *other);
        out_.end();
      }
      out_.end();
    }
    for (const Cubic& width : lane.widths) write_cubic("width", "sOffset", width);
    out_.start("roadMark");
    number("sOffset", 0.0);
    out_.attribute("type", to_text(lane.mark.type));
    out_.attribute("weight", "standard");
    out_.attribute("color", to_text(lane.mark.color));
    number("width", 0.12, 2);
    out_.end();
    out_.end();
  }

  void write_signals(const Road& road) {
    if (road.signals.empty()) return;
    out_.start("signals");
    for (const Signal& signal : road.signals) {
      out_.start("signal");
      number("s", signal.s);
      number("t", signal.t);
      number("id", signal.id);
      out_.attribute("name", "");
      out_.attribute("dynamic", signal.is_dynamic ? "yes" : "no");
      out_.attribute("orientation", signal.is_forward ? "+" : "-");
      number("zOffset", signal.is_dynamic ? 5.0 : 2.0, 2);
      out_.attribute("country", signal.country.empty() ? "OpenDRIVE" : signal.country);
      out_.attribute("type", signal.type);
      out_.attribute("subtype", "-1");
      out_.attribute("value", -1);
      out_.end();
    }
    out_.end();
  }

  void write_junction(const Junction& junction) {
    out_.start("junction");
    out_.attribute("name", junction.name);
    number("id", junction.id);
    std::size_t id = 0;
    for (const Connection& connection : junction.connections) {
      out_.start("connection");
      number("id", id++);
      number("incomingRoad", connection.incoming);
      number("connectingRoad", connection.connecting);
      out_.attribute("contactPoint", "start");
      out_.start("laneLink");
      out_.attribute("from", connection.from);
      out_.attribute("to", connection.to);
      out_.end();
      out_.end();
    }
    out_.end();
  }

  xml::Writer out_;
};

}  // namespace

std::string write(const Network& network) { return NetworkWriter().write(network); }

}  // namespace simbatch::opendrive
