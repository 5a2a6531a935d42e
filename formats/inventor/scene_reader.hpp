#pragma once
/// Traversal of a scene's text with the state of Inventor's traversal. Internal to this room. There is no tree of nodes: shapes
/// are converted to triangles immediately. Data that may be used later is kept as a range of the text (the points of a
/// Coordinate3, the position of a DEF) and read on use, directly into the mesh.

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/inventor/build.hpp"
#include "formats/inventor/codes.hpp"
#include "formats/inventor/inventor.hpp"
#include "formats/inventor/scanner.hpp"

namespace simbatch::inventor::detail {

enum class Kind : std::uint8_t;

/// Inherited traversal state.
struct State {
  Affine to_mesh;
  double unit = 1;          // meters of the current Units node
  std::string_view points;  // the range of the current coordinates' list
  bool homogeneous = false;
  bool clockwise = false, concave = false;
  double complexity = 0.5;
  Color color{0.8F, 0.8F, 0.8F};
};

class SceneReader {
 public:
  SceneReader(const ReadOptions& options, Scene& scene, Diagnostics& diagnostics)
      : options_(options), scene_(scene), diagnostics_(&diagnostics) {}
  /// Walks a whole text: the root, or an included file.
  void walk_file(std::string_view text, std::string_view name, State& state);
  void finish();

 private:
  struct File;
  struct Field {
    std::string_view name, value;
  };
  /// The fields of one node, on a stack shared by all nodes.
  class Fields;
  /// Which children of a group are visited.
  struct Choice {
    static constexpr std::int64_t kAll = -3;  // SO_SWITCH_ALL
    std::int64_t chosen = kAll;               // index of a child; -1: none
    bool has(std::int64_t child) const { return chosen == kAll || chosen == child; }
  };

  // scene_reader.cpp: the text's structure
  void nodes(State& state, char close);
  bool node(State& state);
  bool named_node(std::string_view type, State& state);
  /// A node's body, after its '{'.
  void body(Kind kind, State& outer);
  /// Reads its fields, and visits those children that are written as nodes, up to its '}'.
  void read_contents(Kind kind, Fields& fields, Choice& choice, State& state);
  void visit_child(bool chosen, State& state);
  /// @return false if the text ended
  bool read_field(std::string_view name, Fields& fields);
  void skip_stray(const char* place);
  /// Executes the node once its fields are known. @param state  inside of it @param outer  around it
  void apply(Kind kind, const Fields& fields, const Choice& choice, State& state, State& outer);
  void include_all(const Fields& fields, State& state);
  void visit_chosen(std::string_view list, const Choice& choice, State& state);
  void use(const char* place, std::string_view name, State& state);
  void include(std::string_view name, const char* place, State& state);
  void check_texture(const Fields& fields);
  void index_definitions();
  void visit_range(std::string_view range, State& state);
  bool over_budget(const char* place);
  void end_of_text(const char* opened);
  void report(const Code& code, const char* place, std::string message);
  Position position(const char* place) const;

  // properties.cpp: effects of a node's fields
  void property(Kind kind, const Fields& fields, State& state);
  void transform_property(Kind kind, const Fields& fields, State& state);
  void appearance(std::string_view range, State& state);
  template <std::size_t N>
  bool read(const Fields& fields, std::string_view name, std::array<double, N>& values);
  void read(const Fields& fields, std::string_view name, double& value);
  std::string_view inner_list(std::string_view node_range, std::string_view field);
  std::string_view resolve_node(std::string_view range);

  // shapes.cpp
  void shape(Kind kind, const Fields& fields, State& outer);
  void indexed_faces(std::string_view indexes, std::uint32_t base, std::uint32_t count, bool flip, bool concave);
  void indexed_strips(std::string_view indexes, std::uint32_t base, std::uint32_t count, bool flip);
  void primitive(Kind kind, const Fields& fields, const State& state, bool mirrored);
  void note_part(std::size_t first_triangle, const State& state);
  void faces(Kind kind, const Fields& fields, const State& state, bool flip);
  void quad_mesh(const Fields& fields, const State& state, bool flip);
  bool place_points(const State& state, std::uint32_t& base, std::uint32_t& count);
  void polygon(std::span<const std::uint32_t> corners, bool flip, bool concave);
  void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c, bool flip);

  const ReadOptions& options_;
  Scene& scene_;
  Diagnostics* diagnostics_;
  File* file_ = nullptr;
  std::vector<std::unique_ptr<std::string>> texts_;  // of included files: ranges of the state may point into them
  std::vector<Field> field_stack_;
  std::vector<const char*> open_uses_;
  std::vector<std::string> open_files_;
  std::size_t depth_ = 0, file_count_ = 0;
  std::uint64_t work_ = 0, bytes_ = 0;
  bool stopped_ = false;
  std::vector<std::uint32_t> corners_;
  std::vector<Point> corner_points_;

  struct Placed {
    const char* range = nullptr;
    Affine to_mesh;
    std::uint32_t base = 0, count = 0;
  };
  std::array<Placed, 8> placed_;
  std::size_t next_placed_ = 0;
};

struct SceneReader::File {
  File(std::string_view text, std::string_view its_name) : scan(text), lines(text), name(its_name) {}
  Scanner scan;
  LineIndex lines;
  std::string name;
  bool is_vrml2 = false;
  bool end_reported = false;
  bool has_definitions = false;
  std::unordered_map<std::string_view, std::vector<const char*>> definitions;  // name -> places after it, ascending
};

class SceneReader::Fields {
 public:
  Fields(std::vector<Field>& stack, std::size_t first) : stack_(stack), first_(first) {}
  Fields(const Fields&) = delete;
  Fields& operator=(const Fields&) = delete;
  ~Fields() { stack_.resize(first_); }
  /// The value's text, or an empty range. The last of two fields of one name counts.
  std::string_view operator[](std::string_view name) const {
    for (std::size_t i = stack_.size(); i-- > first_;)
      if (stack_[i].name == name) return stack_[i].value;
    return {};
  }
  void add(std::string_view name, std::string_view value) {
    // More fields than any node has: only the latest are kept.
    if (stack_.size() - first_ >= 64) stack_.erase(stack_.begin() + static_cast<std::ptrdiff_t>(first_));
    stack_.push_back({name, value});
  }

 private:
  std::vector<Field>& stack_;
  std::size_t first_;
};

/// Treatment of a type of node.
enum class Kind : std::uint8_t {
  // groups; their state
  separator,
  group,
  transform_separator,
  switch_node,
  level_of_detail,
  file,
  vrml2_group,
  // properties
  coordinate3,
  coordinate4,
  vertex_property,
  shape_hints,
  complexity,
  material,
  base_color,
  translation,
  rotation,
  rotation_xyz,
  scale,
  transform,
  matrix_transform,
  units,
  reset_transform,
  // shapes
  cube,
  sphere,
  cylinder,
  cone,
  face_set,
  indexed_face_set,
  strip_set,
  indexed_strip_set,
  quad_mesh,
  shape,
  texture,
  ignored,  // known, and without effect on triangles
  unknown,
};
Kind kind_of(std::string_view type);
inline bool is_group(Kind kind) { return kind <= Kind::vrml2_group; }
inline bool is_property(Kind kind) { return kind >= Kind::coordinate3 && kind <= Kind::reset_transform; }
inline bool is_shape(Kind kind) { return kind >= Kind::cube && kind <= Kind::shape; }

}  // namespace simbatch::inventor::detail
