#pragma once
/// Heights along roads and turns, where Network::height_at is known. Internal to lib/lanes.

#include <span>
#include <vector>

#include "lib/lanes/network.hpp"

namespace simbatch::lanes::detail {

/// Of a road at `s`, at a place beside its line (m); 0 if heights are not known.
double height_on(const Network& network, const Road& road, double s, geo::EastNorth at);
/// Where heights are looked at between two places of a road: both, and at least every height_step between them.
std::vector<double> stations_between(const Network& network, double begin, double end);
/// The samples with what has to be between them, so that heights of the lanes' edges and of the line deviate by at most 2 cm.
std::vector<double> with_heights(const Network& network, const Road& road, const std::vector<double>& samples);
/// How much longer the road's line is than on the plane (m).
double climb_of(const Network& network, const Road& road);

/// Sets the heights along a turn, from `begin` to `end`, which are those of the roads that it joins.
void set_heights(const Network& network, const Turn& turn, double begin, double end, std::span<Place> along);
/// The length of a polyline, less that on the plane (m).
double climb_of(std::span<const Place> along);

}  // namespace simbatch::lanes::detail
