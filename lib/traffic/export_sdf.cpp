/// OpenStreetMap data of a network, and SDFormat worlds of objects.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numbers>

#include "base/xml/xml.hpp"
#include "lib/traffic/codes.hpp"
#include "lib/traffic/maps.hpp"

namespace simbatch::traffic {

std::string to_osm(const rndf::Rndf& network) {
  xml::Writer w;
  w.start("osm");
  w.attribute("version", "0.6");
  w.attribute("generator", "simbatch");
  w.attribute("upload", "false");
  const auto tag = [&](std::string_view key, std::string_view value) {
    w.start("tag");
    w.attribute("k", key);
    w.attribute("v", value);
    w.end();
  };
  std::map<rndf::PointId, std::int64_t> ids;
  std::map<rndf::PointId, std::vector<std::pair<std::string, std::string>>> tags;
  std::int64_t next = 0;
  const auto each = [&](const auto& use) {
    for (const auto& s : network.segments)
      for (const auto& l : s.lanes) use(l.waypoints);
    for (const auto& z : network.zones) {
      use(z.perimeter);
      for (const auto& s : z.spots) use(s.waypoints);
    }
  };
  for (const auto& s : network.segments)
    for (const auto& l : s.lanes) {
      for (const auto& c : l.checkpoints) tags[c.at].emplace_back("rndf:checkpoint", std::to_string(c.id));
      for (const auto& stop : l.stops) tags[stop.at].emplace_back("highway", "stop");
    }
  for (const auto& z : network.zones)
    for (const auto& s : z.spots)
      for (const auto& c : s.checkpoints) tags[c.at].emplace_back("rndf:checkpoint", std::to_string(c.id));
  each([&](const std::vector<rndf::Waypoint>& points) {
    for (const rndf::Waypoint& p : points) {
      if (!ids.emplace(p.id, next - 1).second) continue;
      --next;
      w.start("node");
      w.attribute("id", next);
      w.attribute("lat", fmt::format("{:.7f}", p.lat));
      w.attribute("lon", fmt::format("{:.7f}", p.lon));
      tag("rndf:id", to_text(p.id));
      if (const auto at = tags.find(p.id); at != tags.end())
        for (const auto& [key, value] : at->second) tag(key, value);
      w.end();
    }
  });
  const auto way = [&](const std::vector<rndf::PointId>& points,
                       const std::vector<std::pair<std::string, std::string>>& way_tags) {
    w.start("way");
    w.attribute("id", --next);
    for (const rndf::PointId& id : points) {
      w.start("nd");
      w.attribute("ref", ids.at(id));
      w.end();
    }
    for (const auto& [key, value] : way_tags)
      if (!value.empty()) tag(key, value);
    w.end();
  };
  const auto ids_of = [](const std::vector<rndf::Waypoint>& points) {
    std::vector<rndf::PointId> out;
    for (const auto& p : points) out.push_back(p.id);
    return out;
  };
  const auto exits = [&](const std::vector<rndf::Exit>& list) {
    for (const rndf::Exit& e : list)
      if (ids.count(e.from) != 0 && ids.count(e.to) != 0 && e.from != e.to)
        way({e.from, e.to}, {{"highway", "service"}, {"oneway", "yes"}, {"rndf:exit", to_text(e.from) + " " + to_text(e.to)}});
  };
  for (const auto& s : network.segments)
    for (const auto& l : s.lanes) {
      if (l.waypoints.size() >= 2)
        way(ids_of(l.waypoints),
            {{"highway", "residential"},
             {"oneway", "yes"},
             {"lanes", "1"},
             {"name", s.name},
             {"rndf:lane", fmt::format("{}.{}", l.segment, l.number)},
             {"width", l.width_ft && *l.width_ft > 0 ? fmt::format("{:.2f}", *l.width_ft * rndf::kMetresPerFoot) : ""}});
      exits(l.exits);
    }
  for (const auto& z : network.zones) {
    auto ring = ids_of(z.perimeter);
    if (ring.size() >= 3) {
      ring.push_back(ring.front());
      way(ring, {{"amenity", "parking"}, {"name", z.name}, {"rndf:zone", std::to_string(z.id)}});
    }
    exits(z.exits);
    for (const auto& s : z.spots)
      if (s.waypoints.size() >= 2)
        way(ids_of(s.waypoints),
            {{"highway", "service"}, {"service", "parking_aisle"}, {"rndf:spot", fmt::format("{}.{}", s.zone, s.number)}});
  }
  w.end();
  return w.take();
}

namespace {

/// 500 kg/m^3 over the box: what a car is, roughly; no file says a mass.
constexpr double kDensity = 500;

sdf::Inertial inertia_of(const cajunbot::Vector& size) {
  sdf::Inertial i;
  const double x = std::max(size.x, 0.01), y = std::max(size.y, 0.01), z = std::max(size.z, 0.01);
  i.mass = kDensity * x * y * z;
  i.inertia = {i.mass / 12 * (y * y + z * z), 0, 0, i.mass / 12 * (x * x + z * z), 0, i.mass / 12 * (x * x + y * y)};
  return i;
}

/// Axes of object files are those of SDFormat with y forward: no exchange.
std::pair<sdf::Geometry, sdf::Pose> geometry_of(const cajunbot::Object& o) {
  const double x = std::max(o.size.x, 0.01), y = std::max(o.size.y, 0.01), z = std::max(o.size.z, 0.01);
  switch (o.shape) {
    case cajunbot::Shape::sphere: return {sdf::Sphere{x / 2}, {}};
    case cajunbot::Shape::cylinder: return {sdf::Cylinder{x / 2, z}, {}};
    case cajunbot::Shape::wheel: return {sdf::Cylinder{z / 2, x}, {{}, {0, std::numbers::pi / 2, 0}}};
    default: return {sdf::Box{{x, y, z}}, {}};
  }
}

void add_shape(sdf::Link& link, const std::string& name, const sdf::Geometry& geometry, const sdf::Pose& pose) {
  link.visuals.push_back({name + "_visual", pose, geometry, {0.6F, 0.6F, 0.65F}});
  link.collisions.push_back({name + "_collision", pose, geometry, std::nullopt});
}

/// Wheels at the corners of the lower side; where exactly no file says.
void add_wheels(sdf::Model& model, const cajunbot::Object& o) {
  const double radius = std::max(o.wheel_radius, 0.01), width = std::max(o.wheel_width, 0.01);
  for (const auto& [name, side, end] : {std::tuple{"front_left", -1, 1}, std::tuple{"front_right", 1, 1},
                                        std::tuple{"rear_left", -1, -1}, std::tuple{"rear_right", 1, -1}}) {
    sdf::Link wheel;
    wheel.name = std::string(name) + "_wheel";
    wheel.pose.xyz = {side * (o.size.x - width) / 2, end * (o.size.y / 2 - radius), radius};
    wheel.inertial = inertia_of({width, 2 * radius, 2 * radius});
    add_shape(wheel, name, sdf::Cylinder{radius, width}, {{}, {0, std::numbers::pi / 2, 0}});
    model.links.push_back(std::move(wheel));
    sdf::Joint joint;
    joint.name = std::string(name) + "_axle";
    joint.type = "revolute";
    joint.parent = "body";
    joint.child = std::string(name) + "_wheel";
    joint.axis = {1, 0, 0};
    model.joints.push_back(std::move(joint));
  }
}

}  // namespace

sdf::World to_sdf(const ObjectMap& map, Diagnostics& diagnostics) {
  sdf::World world;
  world.name = "objects";
  sdf::Model ground;
  ground.name = "ground";
  ground.is_static = true;
  sdf::Link plane;
  plane.name = "link";
  add_shape(plane, "ground", sdf::Plane{{0, 0, 1}, {10'000, 10'000}}, {});
  ground.links.push_back(std::move(plane));
  world.models.push_back(std::move(ground));
  for (const traffic::Placed& p : map.resolved.objects) {
    const cajunbot::Object& o = map.file.objects[p.index];
    if (o.type == cajunbot::Type::mesh) {
      diagnostics.report(code::kLossMesh, o.place.at, fmt::format("object {}: the mesh is left out", p.index + 1));
      continue;
    }
    if (!p.targets.empty())
      diagnostics.report(code::kLossGoals, o.place.at,
                         fmt::format("object {}: {} goals are dropped", p.index + 1, p.targets.size()));
    sdf::Model model;
    model.name = fmt::format("object_{}", p.index + 1);
    model.is_static = o.type == cajunbot::Type::fixed;
    // A heading is clockwise, a yaw counter-clockwise; at both zeros forward (y) is north (y).
    model.pose = {{p.position.x, p.position.z, p.position.y},
                  {geo::radians(o.orientation_deg.x), geo::radians(o.orientation_deg.y), -p.heading}};
    sdf::Link body;
    body.name = "body";
    const bool wheels = o.type == cajunbot::Type::autonomous;
    const double clearance = wheels ? std::min(o.wheel_radius, o.size.z / 2) : 0;
    cajunbot::Object shape = o;
    shape.size.z -= clearance;
    body.pose.xyz = {0, 0, clearance + std::max(shape.size.z, 0.01) / 2};
    if (!model.is_static) body.inertial = inertia_of(shape.size);
    const auto [geometry, pose] = geometry_of(shape);
    add_shape(body, "body", geometry, pose);
    model.links.push_back(std::move(body));
    if (wheels) add_wheels(model, o);
    world.models.push_back(std::move(model));
  }
  return world;
}

}  // namespace simbatch::traffic
