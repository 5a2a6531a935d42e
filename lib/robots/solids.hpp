#pragma once
/// Masses of parts from the densities of their shapes.

#include <functional>
#include <optional>
#include <string>

#include "base/core/diagnostics.hpp"
#include "lib/robots/model.hpp"

namespace simbatch::robots {

/// Volume (as the mass, m^3), center and tensor of a mesh of density 1, in its own axes and scaled; nothing if it cannot be read or
/// encloses nothing. Reports nothing: that is left to the code that makes the shape.
/// @param name  as written in the file  @param from  the file that names the mesh
using MeshMeasure = std::function<std::optional<Inertial>(const std::string& name, const std::string& from, Vec3 scale)>;

/// Gives parts that have densities instead of an inertial (Part::by_density) the inertial of their collision shapes. A part with a
/// shape that has no volume stays without one, after a report.
/// @param measure  null: meshes have no volume
void weigh(World& world, const MeshMeasure& measure, Diagnostics& problems);

namespace detail {

/// Mass, center and tensor of a shape of density 1, about its center, in its own axes; nothing for planes and meshes.
std::optional<Inertial> solid_of(const Shape& shape);
/// With its mass and tensor times a factor.
Inertial scaled(Inertial inertial, double factor);

}  // namespace detail
}  // namespace simbatch::robots
