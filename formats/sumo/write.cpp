// SUMO's net_file.xsd and "Networks/SUMO_Road_Networks" in its documentation, with elements in the order that its schema
// requires. Bits of requests are written from the last link to the first.
#include <fmt/format.h>

#include <algorithm>

#include "base/core/number.hpp"
#include "base/xml/xml.hpp"
#include "formats/sumo/sumo.hpp"

namespace simbatch::sumo {
namespace {

constexpr int kMeters = 3, kSpeed = 6, kDegrees = 9;  // decimals

std::string to_text(geo::EastNorth at) { return rounded_text(at.east, kMeters) + "," + rounded_text(at.north, kMeters); }

std::string to_text(const std::vector<bool>& bits) {
  std::string text(bits.size(), '0');
  for (std::size_t i = 0; i < bits.size(); ++i)
    if (bits[i]) text[bits.size() - 1 - i] = '1';
  return text;
}

std::string to_text(const std::vector<std::string>& ids) { return fmt::format("{}", fmt::join(ids, " ")); }

/// The smallest rectangle around points.
struct Extent {
  geo::EastNorth low, high;
  bool is_empty = true;
  void add(const Point& at) {
    if (is_empty) low = high = {at.east, at.north};
    low = {std::min(low.east, at.east), std::min(low.north, at.north)};
    high = {std::max(high.east, at.east), std::max(high.north, at.north)};
    is_empty = false;
  }
};

class NetWriter {
 public:
  std::string write(const Net& net) {
    has_heights_ = net.has_heights;
    out_.start("net");
    out_.attribute("version", "1.9");
    write_location(net);
    for (const Edge& edge : net.edges) write_edge(edge);
    for (const Program& program : net.programs) write_program(program);
    for (const Junction& junction : net.junctions) write_junction(junction);
    for (const Connection& connection : net.connections) write_connection(connection);
    for (const Roundabout& roundabout : net.roundabouts) {
      out_.start("roundabout");
      out_.attribute("nodes", to_text(roundabout.nodes));
      out_.attribute("edges", to_text(roundabout.edges));
      out_.end();
    }
    out_.end();
    return out_.take();
  }

 private:
  void number(std::string_view name, double value, int decimals = kMeters) {
    out_.attribute(name, rounded_text(value, decimals));
  }
  void number(std::string_view name, std::size_t value) { out_.attribute(name, static_cast<std::int64_t>(value)); }
  void optional(std::string_view name, const std::string& value) {
    if (!value.empty()) out_.attribute(name, value);
  }

  std::string shape_text(const std::vector<Point>& shape) const {
    std::string text;
    for (const Point& at : shape) {
      text += (text.empty() ? "" : " ") + to_text(geo::EastNorth{at.east, at.north});
      if (has_heights_) text += "," + rounded_text(at.height, kMeters);
    }
    return text;
  }

  void write_location(const Net& net) {
    Extent extent;
    for (const Edge& edge : net.edges)
      for (const Lane& lane : edge.lanes)
        for (const Point& at : lane.shape) extent.add(at);
    const geo::LocalFrame frame(net.origin);
    const geo::LatLon low = frame.to_geographic(extent.low), high = frame.to_geographic(extent.high);
    out_.start("location");
    out_.attribute("netOffset", "0,0");
    out_.attribute("convBoundary", to_text(extent.low) + "," + to_text(extent.high));
    out_.attribute("origBoundary", fmt::format("{},{},{},{}", rounded_text(low.lon, kDegrees), rounded_text(low.lat, kDegrees),
                                               rounded_text(high.lon, kDegrees), rounded_text(high.lat, kDegrees)));
    out_.attribute("projParameter",
                   fmt::format("+proj=tmerc +lat_0={} +lon_0={} +k=1 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs",
                               rounded_text(net.origin.lat, kDegrees), rounded_text(net.origin.lon, kDegrees)));
    out_.end();
  }

  void write_edge(const Edge& edge) {
    out_.start("edge");
    out_.attribute("id", edge.id);
    if (edge.is_internal) {
      out_.attribute("function", "internal");
    } else {
      out_.attribute("from", edge.from);
      out_.attribute("to", edge.to);
      optional("name", edge.name);
      out_.attribute("priority", edge.priority);
      optional("type", edge.type);
    }
    for (std::size_t i = 0; i < edge.lanes.size(); ++i) {
      const Lane& lane = edge.lanes[i];
      out_.start("lane");
      out_.attribute("id", lane_id(edge.id, i));
      number("index", i);
      optional("allow", lane.allow);
      optional("disallow", lane.disallow);
      number("speed", lane.speed, kSpeed);
      number("length", lane.length);
      number("width", lane.width);
      out_.attribute("shape", shape_text(lane.shape));
      out_.end();
    }
    out_.end();
  }

  void write_program(const Program& program) {
    out_.start("tlLogic");
    out_.attribute("id", program.id);
    out_.attribute("type", "static");
    out_.attribute("programID", "0");
    out_.attribute("offset", "0");
    for (const Phase& phase : program.phases) {
      out_.start("phase");
      out_.attribute("duration", phase.duration);
      out_.attribute("state", phase.state);
      out_.end();
    }
    out_.end();
  }

  void write_junction(const Junction& junction) {
    out_.start("junction");
    out_.attribute("id", junction.id);
    out_.attribute("type", junction.type);
    number("x", junction.at.east);
    number("y", junction.at.north);
    if (has_heights_) number("z", junction.at.height);
    out_.attribute("incLanes", to_text(junction.incoming));
    out_.attribute("intLanes", to_text(junction.internal));
    optional("shape", shape_text(junction.shape));
    for (std::size_t i = 0; i < junction.requests.size(); ++i) {
      const Request& request = junction.requests[i];
      out_.start("request");
      number("index", i);
      out_.attribute("response", to_text(request.response));
      out_.attribute("foes", to_text(request.foes));
      out_.attribute("cont", request.waits_inside ? "1" : "0");
      out_.end();
    }
    out_.end();
  }

  void write_connection(const Connection& connection) {
    out_.start("connection");
    out_.attribute("from", connection.from);
    out_.attribute("to", connection.to);
    number("fromLane", connection.from_lane);
    number("toLane", connection.to_lane);
    optional("via", connection.via);
    if (connection.light_index) {
      out_.attribute("tl", connection.light);
      number("linkIndex", *connection.light_index);
    }
    out_.attribute("dir", std::string_view(&connection.direction, 1));
    out_.attribute("state", std::string_view(&connection.state, 1));
    out_.end();
  }

  xml::Writer out_;
  bool has_heights_ = false;
};

}  // namespace

std::string lane_id(const std::string& edge, std::size_t lane) { return fmt::format("{}_{}", edge, lane); }

std::string write(const Net& net) { return NetWriter().write(net); }

}  // namespace simbatch::sumo
