#pragma once
/// Types shared by the AutoSim configuration files (docs/formats/autosim.md). All values are in the files' units: meters,
/// kilograms, seconds, newtons, degrees; world frame x east, y up, z north (docs/conventions.md).

#include <string>
#include <vector>

#include "base/core/boxed.hpp"
#include "base/core/position.hpp"

namespace simbatch::autosim {

struct Vector3 {
  double x = 0, y = 0, z = 0;  ///< in the unit and frame of the member that it is
  friend bool operator==(const Vector3&, const Vector3&) = default;
};

/// A folder with a graphics model in LOD0/model.* (thesis C.7). `path` is relative to the file's folder.
struct Model {
  std::string path;
  std::string type;  ///< suffix of the model files: 3ds, obj, ...
  friend bool operator==(const Model&, const Model&) = default;
};

inline constexpr int kMaxHulls = 64;

/// Shape of a body, in its own frame: centered at the origin; capsules and cylinders are along y (as in PAL).
struct Shape {
  enum class Kind { box, sphere, capsule, cylinder, mesh };
  Kind kind = Kind::box;
  Vector3 size;       ///< box: full lengths (m), > 0; mesh: factors on its coordinates, not 0
  double radius = 0;  ///< sphere, capsule, cylinder (m), > 0
  double length = 0;  ///< cylinder: whole length; capsule: length between the caps (m), > 0
  std::string file;   ///< mesh: path of a model file, relative to the file's folder
  int hulls = 1;      ///< moving mesh: maximum number of convex hulls, 1..kMaxHulls; 1: the hull of the whole
  friend bool operator==(const Shape&, const Shape&) = default;
};

}  // namespace simbatch::autosim
