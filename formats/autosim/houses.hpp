#pragma once
/// The House File List (thesis C.6, docs/formats/autosim-houses.md): the houses and trees that osmgen may place in each land
/// use.

#include <string>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "formats/autosim/common.hpp"

namespace simbatch::autosim {

inline constexpr double kMaxHouseSize = 1000;  ///< m: larger is a typing error

/// `<house name=>`, `<tree name=>` or another element: a static object.
struct HouseModel {
  std::string type;  ///< element name: "house", "tree"
  std::string name;
  SourcePlace place;
  Model file;  ///< `<File path= type=/>`
  Vector3
      box_size;  ///< `<BoxSize x= y= z=/>` in the physics (m), > 0, up to kMaxHouseSize; x width, y height, z depth; all 0: that of the file
  double weight = 1;  ///< `<Weight value=/>`: how often it is chosen relative to the other models of its section; 0.001..1000
  bool has_size() const { return box_size.x > 0; }
  bool is_tree() const { return type == "tree"; }
  friend bool operator==(const HouseModel&, const HouseModel&) = default;
};
/// One section: a value of the OSM tag `landuse`.
struct LanduseSection {
  std::string landuse;
  SourcePlace place;
  std::vector<HouseModel> models;  ///< in file order; may be empty: nothing is placed there
  friend bool operator==(const LanduseSection&, const LanduseSection&) = default;
};
struct HouseList {
  std::string version, generator;  ///< attributes of `<houses>`, kept
  SourcePlace place;
  std::vector<LanduseSection> sections;  ///< in file order, each landuse once
  /// The section of a land use, or nullptr.
  const LanduseSection* find(std::string_view landuse) const;
  friend bool operator==(const HouseList&, const HouseList&) = default;
};

/// Reads a House File List. Reports every problem with its position. More than kMaxRecords named blocks are one error.
Parsed<HouseList> read_houses(std::string_view text, const std::string& file_name);
/// The canonical text; read_houses(write_houses(h)) == h.
std::string write_houses(const HouseList& houses);

}  // namespace simbatch::autosim
