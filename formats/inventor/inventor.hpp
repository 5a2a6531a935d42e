#pragma once
/// ASCII Inventor 1.0, 2.0, 2.1 and VRML 1.0, 2.0 restricted to shapes, transforms and colors. A file becomes one mesh of
/// triangles; see docs/formats/inventor.md.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"

namespace simbatch::inventor {

using Point = std::array<double, 3>;
using Triangle = std::array<std::uint32_t, 3>;  ///< indexes into Mesh::points
using Color = std::array<float, 3>;             ///< red, green, blue in [0, 1]

/// Triangles of one color: [first, first + count) of Mesh::triangles.
struct Part {
  std::size_t first = 0, count = 0;
  Color color{0.8F, 0.8F, 0.8F};  ///< diffuse; the toolkit's default is this gray
  friend bool operator==(const Part&, const Part&) = default;
};

/// A body as triangles, in the file's own unit and in the frame of its root, with all transforms applied.
struct Mesh {
  std::vector<Point> points;  ///< points that no triangle uses may be among them
  std::vector<Triangle> triangles;
  std::vector<Part> parts;  ///< in order, without gaps, cover all triangles
  friend bool operator==(const Mesh&, const Mesh&) = default;
};

/// The smallest box, parallel to the axes, around the points that triangles use; empty for a mesh without triangles.
struct Box {
  Point min, max;
};
std::optional<Box> bounding_box(const Mesh& mesh);

/// The head of a file.
enum class Dialect { inventor_1_0, inventor_2_0, inventor_2_1, vrml_1_0, vrml_2_0 };
std::string_view to_text(Dialect dialect);  ///< "Inventor V2.1", ...

/// A file and statistics of its contents.
struct Scene {
  Dialect dialect = Dialect::inventor_2_1;
  Mesh mesh;
  std::map<std::string, std::size_t, std::less<>> nodes;    ///< how often each type occurs, as far as visited
  std::map<std::string, std::size_t, std::less<>> unknown;  ///< of these: types skipped because they are not known
  std::size_t degenerate = 0;                               ///< triangles dropped because two of their vertices are equal
  double min_scale = 1, max_scale = 1;                      ///< cube root of |det| of the transform above any shape
  std::vector<std::string> files;                           ///< files included by File, Inline and the like
};

/// Winding of triangles.
enum class Winding {
  /// counter-clockwise seen from outside, as far as specified in the file: faces of vertexOrdering CLOCKWISE (VRML 2: ccw
  /// FALSE) are reversed, and so are those under a mirroring transform
  outward,
  as_written,
};

/// Resolves references to other files.
struct Referenced {
  enum class State { found, missing, other_case, outside } state = State::missing;
  std::string text;     ///< if found and requested
  std::string name;     ///< the found file's full name (for the diagnostics and to see loops)
  std::string nearest;  ///< other_case: the name that exists
};
/// @param from      full name of the file that refers
/// @param name      as written
/// @param contents  true: return the text (an included scene); false: only check its existence (a texture)
using Resolver = std::function<Referenced(std::string_view from, std::string_view name, bool contents)>;

/// Searches for the name beside the referring file, in its folder or below; absolute names and names with `..` are `outside`.
Referenced resolve_beside(std::string_view from, std::string_view name, bool contents);

struct ReadOptions {
  Winding winding = Winding::outward;
  Resolver resolve;                         ///< empty: nothing is included, and no reference is checked
  std::size_t max_depth = 512;              ///< nesting of nodes, files included
  std::size_t max_files = 256;              ///< included files, all together
  std::size_t spare_triangles = 2'000'000;  ///< limit per file: this many plus 2 per byte
};

/// Reads a whole file. Coordinates are double precision though the format only promises single.
///
/// Faceting follows the toolkit's callback action (measured with Coin 4.0): a cube has 12 triangles, a cylinder or cone 40 c
/// sides, a sphere 30 c slices and 30 c - 1 bands, c = Complexity, 0.5 unless set. Polygons of convex shapes are fans from
/// their first vertex; where a file declares possibly concave faces, concave ones are cut into ears. Triangles with two equal
/// vertices are dropped, as in GraspIt!.
///
/// Memory: the mesh, and a little for each long list; the text is not copied. Cost: O(text), twice where nodes are USEd.
/// @param file_name  for diagnostics and as the base for resolving references
Parsed<Scene> read_inventor(std::string_view text, const ReadOptions& options, std::string_view file_name);

/// A mesh as `#Inventor V2.1 ascii`: one Separator, a Coordinate3, and per part a Material and an IndexedFaceSet.
/// Deterministic; read_inventor gives the same mesh again (points exactly, colors exactly), if no triangle is degenerate.
std::string write_inventor(const Mesh& mesh);

}  // namespace simbatch::inventor
