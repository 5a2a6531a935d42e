#pragma once
/// Heights as cubics. Internal to lib/lanes.

#include <optional>
#include <span>
#include <vector>

#include "formats/opendrive/opendrive.hpp"

namespace simbatch::lanes::detail {

/// A smooth curve of cubics that deviates from heights by at most `error`.
/// @param heights  at places `step` (m) apart, from s = 0 on; at least 2
/// @param begin, end  slopes there; nothing: those of the heights
std::vector<opendrive::Cubic> elevations_of(std::span<const double> heights, double step, std::optional<double> begin,
                                            std::optional<double> end, double error);

/// Height and slope at `s`. @pre not empty
struct Grade {
  double height = 0, slope = 0;
};
Grade grade_at(std::span<const opendrive::Cubic> elevations, double s);

}  // namespace simbatch::lanes::detail
