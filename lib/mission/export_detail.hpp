#pragma once
/// Shared by the writers of mission exports: names, numbers and positions. Private to the room.

#include <string>
#include <vector>

#include "lib/mission/export.hpp"

namespace simbatch::mission::detail {

/// A vertex of a track as chords.
struct Vertex {
  mission::Point at;
  std::size_t section = 0;
};

/// State shared by the writers: one mission for one target.
struct Job {
  const medusa::Mission& mission;
  const mission::Georeference* georeference = nullptr;
  const ExportOptions& options;
  std::vector<Track> tracks;
  Diagnostics& out;
};

/// Points closer than this (m) are identical: consecutive sections are joined there.
inline constexpr double kJoined = 0.02;

/// "vehicle 2", or "all vehicles".
std::string vehicle_name(const Track& track);
/// The curves of a track as chords; sections that are joined share their common vertex.
std::vector<Vertex> polyline(const Track& track, double max_gap);
/// A position that export_mission() has already checked to be on earth.
geo::LatLon place_of(const Job& job, Point p);
std::vector<geo::LatLon> places_of(const Job& job, const std::vector<Vertex>& vertices);
/// UTM easting and northing of the reference point (m), or 0 0.
Point grid_origin(const Job& job);
/// "-9.093349518": degrees with at most 9 decimals (0.1 mm).
std::string degrees_text(double value);
/// Meters with at most 4 decimals.
std::string meters_text(double value);
/// A number of JSON and CSV; one that is not finite (sums of hostile coordinates) is "null".
std::string number_or_null(double value);

std::string write_geojson(const Job& job);
std::string write_kml(const Job& job);
std::string write_gpx(const Job& job);
std::string write_qgc_plan(const Job& job);
std::string write_wpl(const Job& job);
std::string write_csv(const Job& job);
std::string write_svg(const Job& job);
std::string write_dxf(const Job& job);

}  // namespace simbatch::mission::detail
