// Tags: OSM wiki, "Simple 3D Buildings", "Tag:barrier=hedge", "Tag:amenity=parking_space". Roofs are own: on houses up to 12 m wide
// that of the neighborhood (gabled without Rules::heights), a third of the height, else flat; 3 m a story, as renderers assume.
#include "lib/town/building_ways.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include "base/core/number.hpp"
#include "lib/town/place.hpp"

namespace simbatch::town {
namespace {
constexpr double kStory = 3;            // m
constexpr double kWidestGable = 12;     // m
constexpr double kHighestPitched = 14;  // m

std::string_view building_of(std::string_view landuse) {
  for (const std::string_view same : {"retail", "commercial", "industrial"})
    if (landuse == same) return same;
  return landuse == "residential" ? "house" : "yes";
}

std::string_view shape_of(Roof roof) {
  if (roof == Roof::flat) return "flat";
  return roof == Roof::hipped ? "hipped" : "gabled";
}

/// To the centimeter: tags are read by people.
std::string meters_text(double m) { return number_text(std::round(m * 100) / 100); }
}  // namespace

Roof BuildingWriter::roof_of(const House& house) {
  const autosim::HouseModel& model = *town_.models[house.model];
  const std::string& use = land_use_of(town_, house);
  if (std::min(model.box_size.x, model.box_size.z) > kWidestGable || use == "industrial" || use == "commercial")
    return Roof::flat;
  if (!town_.rules.heights) return Roof::gabled;
  if (model.box_size.y > kHighestPitched) return Roof::flat;
  return town_.neighborhoods.at(meters(house.center), near_).roof;
}

void BuildingWriter::write(std::span<const House> houses, osm::NodeSink& sink) {
  const std::array<osm::TagText, 1> mark{{{kGeneratedKey, kGeneratedValue}}};
  for (const House& house : houses) {
    const autosim::HouseModel& model = *town_.models[house.model];
    if (model.is_tree()) {
      const std::string height = meters_text(model.box_size.y);
      const std::array<osm::TagText, 3> tags{{{"natural", "tree"}, {"height", height}, mark[0]}};
      sink.node(next_, plane_.to_geographic(house.center), tags);
      next_ += step_;
      continue;
    }
    outlines_.push_back({next_, house.model, roof_of(house)});
    const Vec2 front = direction_of(house.heading), side{front.z, -front.x};
    // Counter-clockwise, as outlines usually are.
    constexpr std::array<std::array<double, 2>, 4> kCorners{{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}}};
    for (const auto& [a, b] : kCorners) {
      const Vec2 corner = meters(house.center) + side * (a * model.box_size.x / 2) + front * (b * model.box_size.z / 2);
      sink.node(next_, plane_.to_geographic(millimeters(corner)), mark);
      next_ += step_;
    }
  }
}

std::array<osm::Id, 5> BuildingWriter::nodes_of(const Outline& outline) const {
  return {outline.first_node, outline.first_node + step_, outline.first_node + 2 * step_, outline.first_node + 3 * step_,
          outline.first_node};
}

void BuildingWriter::write_ways(osm::NodeSink& sink) {
  for (const Outline& outline : outlines_) {
    const autosim::HouseModel& model = *town_.models[outline.model];
    const std::string& use = land_use_of(town_, {{}, 0, outline.model});
    const double height = model.box_size.y, roof = outline.roof == Roof::flat ? 0 : height / 3;
    const double stories = (height - roof) / kStory;
    const std::string height_text = meters_text(height), roof_text = meters_text(roof),
                      levels = number_text(std::max(1.0, std::floor(stories + (town_.rules.heights ? 0.5 : 1e-9))));
    if (outline.model >= town_.first_small) {
      write_small(outline, height_text, sink);
      continue;
    }
    const std::array<osm::Id, 5> nodes = nodes_of(outline);
    const std::array<osm::TagText, 7> tags{{{"building", building_of(use)},
                                            {"height", height_text},
                                            {"building:levels", levels},
                                            {"roof:shape", shape_of(outline.roof)},
                                            {"roof:height", roof_text},
                                            {"simbatch:model", model.name},
                                            {kGeneratedKey, kGeneratedValue}}};
    sink.way(next_way_, nodes, tags);
    next_way_ += step_;
  }
  outlines_.clear();
}

/// A hedge or a fence as the area that it covers; the ground of a car.
void BuildingWriter::write_small(const Outline& outline, std::string_view height, osm::NodeSink& sink) {
  const autosim::HouseModel& model = *town_.models[outline.model];
  const std::array<osm::Id, 5> nodes = nodes_of(outline);
  if (model.type == "car") {
    const std::array<osm::TagText, 3> tags{
        {{"amenity", "parking_space"}, {"simbatch:model", model.name}, {kGeneratedKey, kGeneratedValue}}};
    sink.way(next_way_, nodes, tags);
  } else {
    const std::array<osm::TagText, 5> tags{{{"barrier", model.type},
                                            {"area", "yes"},
                                            {"height", height},
                                            {"simbatch:model", model.name},
                                            {kGeneratedKey, kGeneratedValue}}};
    sink.way(next_way_, nodes, tags);
  }
  next_way_ += step_;
}

}  // namespace simbatch::town
