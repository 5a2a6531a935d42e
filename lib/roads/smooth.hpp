#pragma once
/// The profile of ramps. Private to the room.

namespace simbatch::roads::detail {

/// 3 s^2 - 2 s^3 from 0 to 1, level before and after; at most 1.5 times as steep as the straight line.
constexpr double smooth(double s) { return s <= 0 ? 0 : s >= 1 ? 1 : s * s * (3 - 2 * s); }

}  // namespace simbatch::roads::detail
