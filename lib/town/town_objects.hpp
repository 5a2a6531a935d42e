#pragma once
/// Converts the objects of a map to those of a town. Private to the room.

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "formats/osm/osm.hpp"
#include "lib/town/tag_meaning.hpp"
#include "lib/town/town.hpp"
#include "lib/town/town_options.hpp"

namespace simbatch::town::detail {

/// The combined meaning of the tags of one object.
struct Tags {
  int highway = -1, use = -1;
  int water_line = -1, railway = -1, structure = -1, wall = -1;
  bool building = false, water_area = false, coastline = false;
  bool bridge = false, tunnel = false, oneway = false, reversed = false, roundabout = false, area = false;
  bool multipolygon = false;
  bool road_area = false, driveway = false, generated = false;
  int power_line = -1, place = -1;
  std::uint32_t name = 0, ref = 0;
  std::uint16_t height = 0, stories = 0;  ///< dm; 0: unknown
  Roof roof = Roof::unknown;
  bool is_area() const { return building || use >= 0 || water_area || structure >= 0 || road_area; }
};

/// Shared read-only data, complete once all relations have been added.
struct TownSource {
  const osm::Model& map;
  const TownOptions& options;
  TagMeanings meanings;
  std::vector<bool> taken;  ///< ways whose area has been added as part of a relation
};

/// Index of that kind of obstacle in the town; added if missing. @param radius  see ObstacleGrid::Kind
std::uint16_t obstacle_kind(Town& town, Reason reason, double radius);

/// Adds roads, obstacles and areas to a town that has its plane, kinds of roads and land uses.
class TownObjects {
 public:
  TownObjects(Town& town, TownSource& source)
      : town_(town), source_(source), map_(source.map), options_(source.options), meanings_(source.meanings) {}
  /// Adds a multipolygon as an area, including the tags of its outlines. Add all multipolygons before any way.
  void add_relation(std::size_t number);
  void add_way(std::size_t number);
  /// Nodes that are houses or buildings. @param generated  see make_town()
  void add_nodes(std::span<const std::uint32_t> generated);
  /// Merges the objects added by another instance to its own town, which had this town's plane and kinds and no objects.
  void append(Town& part, const TownObjects& of_part);

  std::size_t far = 0;   ///< nodes that are too far away
  std::size_t open = 0;  ///< multipolygons that do not close

 private:
  using Outline = std::vector<std::pair<std::vector<Point>, bool>>;  // rings, and whether they are outer ones

  std::uint16_t kind_of(Reason reason, double half_width);
  Tags tags_of(std::span<const osm::TagId> of) const;
  std::optional<Point> point(std::uint32_t node);
  void add_point(std::uint32_t node, std::vector<Point>& points);
  void add_point(osm::Ref node, std::vector<Point>& points);
  template <class Nodes>
  void set_points(const Nodes& nodes, std::vector<Point>& points);
  void add_segments(std::uint32_t first, std::uint32_t count, std::uint16_t kind);
  void add_line(std::span<const Point> points, std::uint16_t kind, bool closed);
  void add_solid(const Outline& rings, Reason reason, osm::Id id);
  void add_area(const Outline& rings, const Tags& tags, osm::Id id);
  void add_road(std::size_t number, const Tags& tags, bool closed);
  void add_corridor(const TownRoad& road, const RoadKind& of, std::uint16_t kind);

  Town& town_;
  TownSource& source_;
  const osm::Model& map_;
  const TownOptions& options_;
  const TagMeanings& meanings_;
  // Of the way being added; kept, so that not every way takes memory of its own.
  Outline ring_{{{}, true}};
};

}  // namespace simbatch::town::detail
