#pragma once
#include <string>
#include <vector>

#include "lib/mission/export.hpp"

namespace simbatch::mission::detail {

/// A vertex of a track as chords.
struct Vertex {
  mission::Point at;
  std::size_t section = 0;
};

/// What the writers share: one mission in one target.
struct Job {
  const medusa::Mission& mission;
  const mission::Placement* placement = nullptr;
  const ExportOptions& options;
  std::vector<Track> tracks;
  Diagnostics& out;
};

/// The curves of a track as chords; consecutive curves share their common vertex, if it is the same to 2 cm.
std::vector<Vertex> polyline(const Track& track, double max_gap);
/// "-9.093349518": degrees with 9 decimals (0.1 mm), without trailing zeros.
std::string degrees_text(double value);
/// Metres with 4 decimals at most.
std::string metres_text(double value);
/// A number of JSON and CSV; what is not finite (sums of hostile coordinates) is "null".
std::string number_or_null(double value);

std::string write_geojson(const Job& job);
std::string write_kml(const Job& job);
std::string write_qgc_plan(const Job& job);
std::string write_wpl(const Job& job);
std::string write_csv(const Job& job);
std::string write_svg(const Job& job);
std::string write_dxf(const Job& job);

}  // namespace simbatch::mission::detail
