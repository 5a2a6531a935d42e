#pragma once
/// Samples with every element, and generated models.

#include <cstdint>
#include <string_view>

#include "formats/autosim/houses.hpp"
#include "formats/autosim/robot.hpp"
#include "formats/autosim/setup.hpp"
#include "formats/autosim/world.hpp"

namespace simbatch::autosim::test {

extern const std::string_view kEveryRobotElement;
extern const std::string_view kEveryWorldElement;

/// Valid models with all kinds of fields, present or not: the same for the same seed.
Robot random_robot(std::uint64_t seed);
World random_world(std::uint64_t seed);
MapSetup random_setup(std::uint64_t seed);
HouseList random_houses(std::uint64_t seed);

}  // namespace simbatch::autosim::test
