#pragma once
/// Default paints of objects without a model. Internal to this room.

#include <cstdint>
#include <vector>

#include "lib/sim/scene/paint.hpp"

namespace simbatch::scene {

/// @param key     chooses among the colors
/// @param base    y of the lowest floor, m
/// @param height  m
Paint building_paint(std::uint64_t key, double base, double height);
/// As building_paint(), with rows of windows up to the eaves.
/// @param walls  height of the eaves over the base, m; 0: no gable, the walls are as high as the house
Paint house_paint(std::uint64_t key, double base, double height, double walls);
/// Crown and trunk.
std::vector<Paint> tree_paints(std::uint64_t key);
/// @param belt  y above which there is glass, m;  @param height  of the car, m
Paint car_paint(std::uint64_t key, double belt, double height);
/// Of parked_car_figure().
std::vector<Paint> parked_car_paints(std::uint64_t key, double belt, double height);
/// @param radius  m
Paint wheel_paint(double radius);
/// Paints of other fixed objects, and of other moving objects.
Paint fixture_paint(std::uint64_t key);
Paint body_paint(std::uint64_t key);

}  // namespace simbatch::scene
