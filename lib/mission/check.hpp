#pragma once
/// All checks of a mission, in one pass over its text.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/core/diagnostics.hpp"
#include "formats/medusa/medusa.hpp"
#include "lib/mission/geometry.hpp"
#include "lib/mission/georeference.hpp"

namespace simbatch::mission {

/// Tolerances. Missions are written with two decimals: an arc's ends may then be 0.015 m off, a join 0.011 m (the
/// largest of the real files).
struct CheckOptions {
  medusa::Reader audience = medusa::Reader::vehicle;  ///< whose loss is an error
  std::string default_zone;
  double max_radius_error = 0.02;  ///< m
  double max_gap = 0.02;           ///< m, at a join
  double max_turn = 0.035;         ///< rad (2 degrees), at a join; larger for sections so short that rounding matters
  double max_half_error = 0.02;    ///< rad, of an arc's sweep from pi
  double low_speed = 0.05, high_speed = 1.5;  ///< m/s
};

/// Totals of a mission.
struct Summary {
  int version = 0;
  std::size_t lines = 0, arcs = 0, points = 0, depths = 0;
  std::size_t lost = 0;                                  ///< lines that look like sections but cannot be parsed
  std::size_t kept_by_console = 0, kept_by_vehicle = 0;  ///< of all sections() + lost
  std::size_t misread_by_vehicle = 0;                    ///< of the sections that are kept
  double length = 0;                                     ///< m, over all lines and arcs
  /// s, of the vehicle that sails longest: lines, arcs, journeys to points, and the times of the others
  double duration = 0;
  bool endless = false;  ///< a POINT holds indefinitely
  bool is_far = false;   ///< a section leads off the earth: length and duration say nothing
  std::optional<Georeference> georeference;
  Point first;  ///< in M: where the first LINE, ARC or POINT begins
  std::size_t sections() const { return lines + arcs + points + depths; }
};

struct CheckResult {
  Summary summary;
  Diagnostics diagnostics;  ///< diagnostics of the text and of its geometry, sorted
};

/// Reads and checks a mission; memory does not grow with the number of sections, only with that of vehicles.
CheckResult check_mission(std::string_view text, const std::string& file, const CheckOptions& options = {});

}  // namespace simbatch::mission
