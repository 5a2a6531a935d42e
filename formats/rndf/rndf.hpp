#pragma once
/// Route network definition files (RNDF) and mission data files (MDF) of the DARPA Urban Challenge.
///
/// Source: DARPA, "Route Network Definition File (RNDF) and Mission Data File (MDF) Formats", 14 March 2007; its "1.1"
/// extensions as later teams used them. docs/formats/rndf.md has the grammar, what real files do, and our readings.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "base/geo/geo.hpp"

namespace simbatch::rndf {

/// segment.lane.point, as files write it. In a zone lane 0 is the perimeter and lane k spot k.
struct PointId {
  std::int32_t segment = 0, lane = 0, point = 0;
  friend bool operator==(const PointId&, const PointId&) = default;
  friend auto operator<=>(const PointId&, const PointId&) = default;
};
/// "1.2.3"
std::string to_text(const PointId& id);

/// Degrees, WGS84 (the document says ITRF00/GRS80, the same at this precision).
struct Waypoint {
  PointId id;
  bool is_placed = true;  ///< false: its coordinates are broken, which was reported; lat and lon are 0
  double lat = 0, lon = 0;
  SourcePlace place;
  friend bool operator==(const Waypoint&, const Waypoint&) = default;
};

struct Checkpoint {
  PointId at;
  std::int32_t id = 0;  ///< > 0, unique in a file
  SourcePlace place;
  friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
};

struct Stop {
  PointId at;
  SourcePlace place;
  friend bool operator==(const Stop&, const Stop&) = default;
};

struct Exit {
  PointId from, to;
  SourcePlace place;
  friend bool operator==(const Exit&, const Exit&) = default;
};

/// Lines not defined in the document, kept verbatim (blanks collapsed, lines joined by LF).
struct Extension {
  std::string text;
  SourcePlace place;
  friend bool operator==(const Extension&, const Extension&) = default;
};

enum class Boundary : std::uint8_t { unknown, double_yellow, solid_yellow, solid_white, broken_white };
std::string_view to_text(Boundary boundary);

struct Lane {
  std::int32_t segment = 0, number = 0;
  std::optional<double> width_ft;  ///< feet, >= 0; absent or 0: unknown
  Boundary left = Boundary::unknown, right = Boundary::unknown;
  std::vector<Checkpoint> checkpoints;
  std::vector<Stop> stops;
  std::vector<Exit> exits;
  std::vector<Extension> extensions;
  std::vector<Waypoint> waypoints;  ///< in driving order
  SourcePlace place;
  friend bool operator==(const Lane&, const Lane&) = default;
};

struct Segment {
  std::int32_t id = 0;
  std::string name;  ///< may be empty
  std::vector<Extension> extensions;
  std::vector<Lane> lanes;
  SourcePlace place;
  friend bool operator==(const Segment&, const Segment&) = default;
};

/// A parking place; waypoint 1 is its entrance, 2 the position of the parked vehicle's front.
struct Spot {
  std::int32_t zone = 0, number = 0;
  std::optional<double> width_ft;  ///< feet, >= 0; absent or 0: unknown
  std::vector<Checkpoint> checkpoints;
  std::vector<Extension> extensions;
  std::vector<Waypoint> waypoints;
  SourcePlace place;
  friend bool operator==(const Spot&, const Spot&) = default;
};

struct Zone {
  std::int32_t id = 0;
  std::string name;
  std::vector<Exit> exits;          ///< of the perimeter
  std::vector<Waypoint> perimeter;  ///< not closed: the first point is not repeated
  std::vector<Extension> extensions;
  std::vector<Spot> spots;
  SourcePlace place;
  friend bool operator==(const Zone&, const Zone&) = default;
};

struct Rndf {
  std::string name, format_version, creation_date;  ///< the last two may be empty; contents are free
  std::vector<Segment> segments;
  std::vector<Zone> zones;
  std::vector<Extension> extensions;
  friend bool operator==(const Rndf&, const Rndf&) = default;
};

struct SpeedLimit {
  std::int32_t area = 0;            ///< segment or zone
  double min_mph = 0, max_mph = 0;  ///< miles per hour; 0: no limit
  SourcePlace place;
  friend bool operator==(const SpeedLimit&, const SpeedLimit&) = default;
};

struct Visit {
  std::int32_t checkpoint = 0;
  SourcePlace place;
  friend bool operator==(const Visit&, const Visit&) = default;
};

struct Mdf {
  std::string name, rndf, format_version, creation_date;
  std::vector<Visit> checkpoints;  ///< in order; repeats allowed
  std::vector<SpeedLimit> speed_limits;
  std::vector<Extension> extensions;
  SourcePlace rndf_place;  ///< of the network's name
  friend bool operator==(const Mdf&, const Mdf&) = default;
};

inline constexpr double kMetersPerFoot = 0.3048;  ///< m

struct ReadOptions {
  bool strict = false;  ///< deviations from DARPA's document are errors instead of warnings
  /// Coordinates are x (east) and y (north) on a plane (m), not degrees: its 0 0 is put at `plane_origin`.
  bool planar = false;
  geo::LatLon plane_origin{};
};

/// Reads what it can and reports the rest, each problem with its position. O(size). Too many segments, lanes,
/// zones and spots, or checkpoints to visit, are one error (rndf-many).
Parsed<Rndf> read_rndf(std::string_view text, std::string file, const ReadOptions& options = {});
Parsed<Mdf> read_mdf(std::string_view text, std::string file, const ReadOptions& options = {});
/// True if the first keyword is an MDF's.
bool looks_like_mdf(std::string_view text);
/// True for a text that begins like a network.
bool looks_like_rndf(std::string_view text);

/// Writes DARPA's order, tabs, LF, degrees with at least six decimals. Extensions go into the header of their block. The model
/// of a file without problems in strict mode is written without problems.
std::string write_rndf(const Rndf& rndf);
std::string write_mdf(const Mdf& mdf);

/// Finds waypoints by id. Keeps pointers into the model, which must outlive it unchanged.
class Index {
 public:
  explicit Index(const Rndf& rndf);
  /// The waypoint, perimeter point or spot waypoint, or null. With duplicate ids the first.
  const Waypoint* find(const PointId& id) const;
  const Lane* lane(std::int32_t segment, std::int32_t number) const;
  /// All points of a lane, perimeter (lane 0) or spot, in order; empty if there is none.
  std::span<const Waypoint> points(std::int32_t segment, std::int32_t lane) const;
  const Zone* zone(std::int32_t id) const;
  const Checkpoint* checkpoint(std::int32_t id) const;
  bool has_area(std::int32_t id) const;
  /// All waypoints, perimeter points and spot waypoints, by id; those of one id in the file's order.
  const std::vector<const Waypoint*>& waypoints() const { return waypoints_; }

 private:
  struct Run {
    std::int32_t segment, number;
    const Lane* lane;  // null for perimeters and spots
    std::span<const Waypoint> points;
  };
  std::vector<Run> runs_;                       // sorted by (segment, number)
  std::vector<const Waypoint*> waypoints_;      // sorted by id
  std::vector<const Checkpoint*> checkpoints_;  // sorted by id
  std::vector<const Zone*> zones_;
  std::vector<std::int32_t> areas_;
};

/// Reports problems that other parsers of the format are not known to check: dangling exits, checkpoints and stops, duplicate
/// checkpoint ids, lanes of one point, steps of no length or of more than 5 km, exits to themselves, perimeters that cross
/// themselves.
void check(const Rndf& rndf, Diagnostics& diagnostics);
/// @param rndf  null: only checks within the mission
/// @param rndf_file  the network's file, whose name the mission may name instead of the network's own; empty: not known
void check(const Mdf& mdf, const Rndf* rndf, Diagnostics& diagnostics, std::string_view rndf_file = {});

}  // namespace simbatch::rndf
