// Reads and writes Map Setup files. Source: thesis, C.5; docs/formats/autosim-setup.md.

#include "formats/autosim/setup.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include "base/xml/codes.hpp"
#include "formats/autosim/block.hpp"

namespace simbatch::autosim {
namespace {
using detail::BlockReader;

template <class T>
void start(BlockReader& block, T& section) {
  section.name = block.name();
  section.place = block.place();
}

OsmSetup read_osm(const xml::Element& element, Diagnostics& diagnostics) {
  BlockReader block(element, diagnostics);
  OsmSetup osm;
  start(block, osm);
  if (const auto offset = block.required_child("NodeOffset")) {
    xml::ElementReader reader(*offset, diagnostics);
    osm.lat = reader.required_number("lat", xml::Range::between(-90, 90)).value_or(0);
    osm.lon = reader.required_number("lon", xml::Range::between(-180, 180)).value_or(0);
    reader.finish();
  }
  block.finish();
  return osm;
}

RoadDimensions read_roads(const xml::Element& element, Diagnostics& diagnostics) {
  BlockReader block(element, diagnostics);
  RoadDimensions roads;
  start(block, roads);
  roads.height_above_terrain = block.required_number("HeightAboveTerrain", xml::Range::between(0, kMaxRoadHeight));
  roads.curb_height = block.required_number("CurbHeight", xml::Range::between(0, kMaxRoadHeight));
  roads.levels_of_detail = block.number("LevelsOfDetail", 1, {.min = 1});
  block.finish();
  return roads;
}

/// Values of the tag `highway` of ways, by how often they occur, and some that are out of use.
/// Source: OpenStreetMap wiki, Key:highway; taginfo.
constexpr std::string_view kKinds[] = {
    "residential",    "service",       "track",         "footway",    "unclassified", "path",         "tertiary",
    "secondary",      "primary",       "living_street", "cycleway",   "trunk",        "motorway",     "motorway_link",
    "steps",          "pedestrian",    "road",          "trunk_link", "primary_link", "proposed",     "construction",
    "secondary_link", "tertiary_link", "bridleway",     "raceway",    "busway",       "bus_guideway", "corridor",
    "escape",         "via_ferrata",   "ladder",        "rest_area",  "services",     "platform",     "elevator",
    "crossing",       "emergency_bay", "planned",       "disused",    "abandoned",    "razed",        "unsurfaced",
    "byway",          "minor",         "footpath",      "ford",       "trailhead"};

/// The elements are named after kinds of highway, which the user chooses.
HighwayDimensions read_highways(const xml::Element& element, Diagnostics& diagnostics) {
  BlockReader block(element, diagnostics);
  HighwayDimensions highways;
  start(block, highways);
  detail::NameTable names;
  for (const xml::Element& child : block.reader().all_children()) {
    HighwayKind kind;
    kind.kind = child.name();
    kind.place.at = child.position();
    names.add(kind.kind, kind.place.at, "highway kind", diagnostics);
    if (std::find(std::begin(kKinds), std::end(kKinds), kind.kind) == std::end(kKinds))
      diagnostics.report(code::kHighway, kind.place.at,
                         "OpenStreetMap has no kind of highway " + quoted(kind.kind) + detail::did_you_mean(kind.kind, kKinds));
    xml::ElementReader reader(child, diagnostics);
    kind.width = reader.required_number("width", xml::Range::positive()).value_or(0);
    kind.left_pavement = reader.number("leftPavementWidth", xml::Range::not_negative()).value_or(0);
    kind.right_pavement = reader.number("rightPavementWidth", xml::Range::not_negative()).value_or(0);
    reader.finish();
    if (reader.ok()) highways.kinds.push_back(std::move(kind));
  }
  block.finish();
  return highways;
}

RoadTextures read_road_textures(const xml::Element& element, Diagnostics& diagnostics) {
  BlockReader block(element, diagnostics);
  RoadTextures textures;
  start(block, textures);
  const auto file = [&](std::string_view tag) { return block.optional_text(tag, "file").value_or(""); };
  textures.road = file("Road");
  textures.left_pavement = file("LeftPavement");
  textures.right_pavement = file("RightPavement");
  textures.left_curb = file("LeftCurb");
  textures.right_curb = file("RightCurb");
  textures.intersection = file("Intersection");
  block.finish();
  return textures;
}

TerrainTextures read_terrain_textures(const xml::Element& element, Diagnostics& diagnostics) {
  BlockReader block(element, diagnostics);
  TerrainTextures textures;
  start(block, textures);
  textures.texture = block.optional_text("Texture", "file").value_or("");
  textures.texture_repeat = block.number("TextureRepeat", 1, xml::Range::positive());
  textures.sky_box = block.model("SkyBox").value_or(Model{});
  block.finish();
  return textures;
}

TerrainDimensions read_terrain(const xml::Element& element, Diagnostics& diagnostics) {
  BlockReader block(element, diagnostics);
  TerrainDimensions terrain;
  const TerrainDimensions fallback;
  start(block, terrain);
  const xml::Range positive = xml::Range::positive(), not_negative = xml::Range::not_negative();
  if (const auto size = block.required_child("Size")) {
    xml::ElementReader reader(*size, diagnostics);
    terrain.width = reader.required_number("width", positive).value_or(fallback.width);
    terrain.height = reader.required_number("height", positive).value_or(fallback.height);
    reader.finish();
  }
  terrain.tile_size = block.number("TileSize", fallback.tile_size, positive);
  terrain.maximum_lod = block.number("MaximumLOD", fallback.maximum_lod, xml::Range::between(0, 7));
  terrain.levels_of_detail = block.number("LevelsOfDetail", fallback.levels_of_detail, not_negative);
  terrain.layers_of_each_lod = block.number("LayersOfEachLOD", fallback.layers_of_each_lod, not_negative);
  terrain.height_data_per_area = block.required_number("HeightDataPerArea", positive);
  terrain.camera_steps_per_tile =
      block.number("CameraStepsPerTile", fallback.camera_steps_per_tile, xml::Range::between(-1, 7));
  terrain.height_division = block.required_number("HeightDivisionCoefficient", positive);
  block.finish();
  if (block.ok() && std::fmod(terrain.tile_size, terrain.height_data_per_area) != 0)
    block.report(code::kTileSize, "TileSize",
                 "TileSize " + number_text(terrain.tile_size) + " m is not a multiple of HeightDataPerArea " +
                     number_text(terrain.height_data_per_area) + " m");
  return terrain;
}

void write_file(xml::Writer& writer, std::string_view tag, const std::string& file) {
  if (!file.empty()) detail::write_text(writer, tag, "file", file);
}

void write_textures(xml::Writer& writer, const MapSetup& setup) {
  if (setup.road_textures) {
    const RoadTextures& textures = *setup.road_textures;
    detail::start_block(writer, "RoadTextures", textures.name);
    write_file(writer, "Road", textures.road);
    write_file(writer, "LeftPavement", textures.left_pavement);
    write_file(writer, "RightPavement", textures.right_pavement);
    write_file(writer, "LeftCurb", textures.left_curb);
    write_file(writer, "RightCurb", textures.right_curb);
    write_file(writer, "Intersection", textures.intersection);
    writer.end();
  }
  if (setup.terrain_textures) {
    const TerrainTextures& textures = *setup.terrain_textures;
    detail::start_block(writer, "TerrainTextures", textures.name);
    write_file(writer, "Texture", textures.texture);
    detail::write_number(writer, "TextureRepeat", textures.texture_repeat);
    if (textures.sky_box != Model{}) detail::write_model(writer, "SkyBox", textures.sky_box);
    writer.end();
  }
}

void write_terrain(xml::Writer& writer, const TerrainDimensions& terrain) {
  detail::start_block(writer, "TerrainDimensions", terrain.name);
  writer.start("Size");
  writer.attribute("width", terrain.width);
  writer.attribute("height", terrain.height);
  writer.end();
  detail::write_number(writer, "TileSize", terrain.tile_size);
  detail::write_number(writer, "MaximumLOD", terrain.maximum_lod);
  detail::write_number(writer, "LevelsOfDetail", terrain.levels_of_detail);
  detail::write_number(writer, "LayersOfEachLOD", terrain.layers_of_each_lod);
  detail::write_number(writer, "HeightDataPerArea", terrain.height_data_per_area);
  detail::write_number(writer, "CameraStepsPerTile", terrain.camera_steps_per_tile);
  detail::write_number(writer, "HeightDivisionCoefficient", terrain.height_division);
  writer.end();
}

}  // namespace

const HighwayKind* HighwayDimensions::find(std::string_view kind) const {
  for (const HighwayKind& k : kinds)
    if (k.kind == kind) return &k;
  return nullptr;
}

Parsed<MapSetup> read_setup(std::string_view text, const std::string& file_name) {
  Parsed<MapSetup> result{std::nullopt, Diagnostics(file_name)};
  Diagnostics& diagnostics = result.diagnostics;
  const auto document = detail::open_document(text, file_name, "Setup", diagnostics);
  if (!document) return result;
  MapSetup setup;
  BlockReader root(document->root(), diagnostics);
  start(root, setup);
  if (const auto main = root.required_child("TerrainSetup")) {
    xml::ElementReader reader(*main, diagnostics);
    if (const auto e = reader.required_child("OsmSetup")) setup.osm = read_osm(*e, diagnostics);
    if (const auto e = reader.required_child("RoadDimensions")) setup.roads = read_roads(*e, diagnostics);
    if (const auto e = reader.required_child("HighwayDimensions")) setup.highways = read_highways(*e, diagnostics);
    if (const auto e = reader.child("RoadTextures")) setup.road_textures = read_road_textures(*e, diagnostics);
    if (const auto e = reader.child("TerrainTextures")) setup.terrain_textures = read_terrain_textures(*e, diagnostics);
    if (const auto e = reader.child("TerrainDimensions")) setup.terrain = read_terrain(*e, diagnostics);
    reader.finish();
  }
  root.finish();
  diagnostics.sort();
  result.value = std::move(setup);
  return result;
}

std::string write_setup(const MapSetup& setup) {
  xml::Writer writer;
  detail::start_block(writer, "Setup", setup.name);
  writer.start("TerrainSetup");
  detail::start_block(writer, "OsmSetup", setup.osm.name);
  writer.start("NodeOffset");
  writer.attribute("lat", setup.osm.lat);
  writer.attribute("lon", setup.osm.lon);
  writer.end();
  writer.end();
  detail::start_block(writer, "RoadDimensions", setup.roads.name);
  detail::write_number(writer, "HeightAboveTerrain", setup.roads.height_above_terrain);
  detail::write_number(writer, "CurbHeight", setup.roads.curb_height);
  detail::write_number(writer, "LevelsOfDetail", setup.roads.levels_of_detail);
  writer.end();
  detail::start_block(writer, "HighwayDimensions", setup.highways.name);
  for (const HighwayKind& kind : setup.highways.kinds) {
    writer.start(kind.kind);
    writer.attribute("width", kind.width);
    writer.attribute("leftPavementWidth", kind.left_pavement);
    writer.attribute("rightPavementWidth", kind.right_pavement);
    writer.end();
  }
  writer.end();
  write_textures(writer, setup);
  if (setup.terrain) write_terrain(writer, *setup.terrain);
  writer.end();
  writer.end();
  return writer.take();
}

}  // namespace simbatch::autosim
