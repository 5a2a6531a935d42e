/// AutoSim configuration files in `check`, `info` and `fmt`: world, robot, map setup, house list.
#include <map>

#include "apps/objconv/kinds.hpp"
#include "formats/autosim/houses.hpp"
#include "formats/autosim/robot.hpp"
#include "formats/autosim/setup.hpp"
#include "formats/autosim/world.hpp"
#include "lib/scenario/check_meshes.hpp"

namespace simbatch::objconv {
namespace {

using file_kind::Kind;

template <auto read>
void check(std::string_view text, const std::string& file, const Reading&, Diagnostics& diagnostics) {
  diagnostics.append(read(text, file).diagnostics);
}

/// The same, then its meshes.
template <auto read, Kind kind>
void check_with_meshes(std::string_view text, const std::string& file, const Reading& reading, Diagnostics& diagnostics) {
  check<read>(text, file, reading, diagnostics);
  if (!diagnostics.has_errors()) scenario::check_meshes(text, file, kind, reading.root, diagnostics);
}

template <auto read, auto write>
std::optional<std::string> format(std::string_view text, const std::string& file, const Reading&, Diagnostics& diagnostics) {
  auto parsed = read(text, file);
  const bool is_good = parsed.ok();
  diagnostics.append(std::move(parsed.diagnostics));
  return is_good ? std::optional(write(*parsed.value)) : std::nullopt;
}

template <auto read, auto facts>
std::vector<Fact> info(std::string_view text, const std::string& file, const Reading&, Diagnostics& diagnostics) {
  auto parsed = read(text, file);
  diagnostics.append(std::move(parsed.diagnostics));
  return parsed.value ? facts(*parsed.value) : std::vector<Fact>{};
}

std::vector<Fact> world_facts(const autosim::World& world) {
  constexpr const char* kTerrains[] = {"none", "plane", "height map", "map folder"};
  return {fact("name", world.name), fact("step", world.physics.step),
          fact("terrain", std::string(kTerrains[static_cast<std::size_t>(world.terrain.kind)])),
          fact("robots", world.robots.size()), fact("static objects", world.statics.size())};
}

std::vector<Fact> robot_facts(const autosim::Robot& robot) {
  double mass = 0;
  for (const autosim::Body& body : robot.bodies) mass += body.mass;
  std::vector<Fact> facts = {fact("name", robot.name), fact("bodies", robot.bodies.size()), fact("links", robot.links.size()),
                             fact("mass", mass), fact("devices", robot.devices.size())};
  std::map<std::string, std::size_t> kinds;
  for (const autosim::Device& device : robot.devices) ++kinds[std::string(type_name(device))];
  for (const auto& [kind, count] : kinds) facts.push_back(fact(kind, count));
  return facts;
}

std::vector<Fact> setup_facts(const autosim::MapSetup& setup) {
  return {fact("name", setup.name), fact("lat", setup.osm.lat), fact("lon", setup.osm.lon),
          fact("highway kinds", setup.highways.kinds.size())};
}

std::vector<Fact> houses_facts(const autosim::HouseList& houses) {
  std::vector<Fact> facts = {fact("land uses", houses.sections.size())};
  for (const autosim::LanduseSection& section : houses.sections) facts.push_back(fact(section.landuse, section.models.size()));
  return facts;
}

constexpr FileKind kAutosimKinds[] = {
    {"autosim-world", "AutoSim World file (scenario)", twice(Kind::autosim_world),
     check_with_meshes<autosim::read_world, Kind::autosim_world>, info<autosim::read_world, world_facts>,
     format<autosim::read_world, autosim::write_world>},
    {"autosim-robot", "AutoSim Robot file", twice(Kind::autosim_robot),
     check_with_meshes<autosim::read_robot, Kind::autosim_robot>, info<autosim::read_robot, robot_facts>,
     format<autosim::read_robot, autosim::write_robot>},
    {"autosim-setup", "AutoSim Map Setup file", twice(Kind::autosim_setup), check<autosim::read_setup>,
     info<autosim::read_setup, setup_facts>, format<autosim::read_setup, autosim::write_setup>},
    {"autosim-houses", "AutoSim House File List", twice(Kind::autosim_houses), check<autosim::read_houses>,
     info<autosim::read_houses, houses_facts>, format<autosim::read_houses, autosim::write_houses>},
};

}  // namespace

std::span<const FileKind> autosim_kinds() { return kAutosimKinds; }

}  // namespace simbatch::objconv
