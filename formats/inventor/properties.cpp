// Effect of property nodes on the state ("The Inventor Mentor", Wernecke 1994, chapters 3 and 9). Row-vector matrices of the
// files are transposed to column vectors here.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "formats/inventor/scene_reader.hpp"

namespace simbatch::inventor::detail {
namespace {

double meters_of(std::string_view unit) {
  static constexpr std::pair<std::string_view, double> kUnits[] = {
      {"METERS", 1},           {"CENTIMETERS", 0.01}, {"MILLIMETERS", 0.001}, {"MICROMETERS", 1e-6},   {"MICRONS", 1e-6},
      {"NANOMETERS", 1e-9},    {"ANGSTROMS", 1e-10},  {"KILOMETERS", 1000},   {"FEET", 0.3048},        {"INCHES", 0.0254},
      {"POINTS", 0.0254 / 72}, {"YARDS", 0.9144},     {"MILES", 1609.344},    {"NAUTICAL_MILES", 1852}};
  for (const auto& [name, meters] : kUnits)
    if (name == unit) return meters;
  return 0;
}

/// The place to report for a number that is not there: the end of the numbers, or the "nan" or "inf" that follows them.
const char* missing_number(const char* at, const char* end) {
  const char* word = at;
  while (word != end && (*word == ' ' || *word == '\t' || *word == ',')) ++word;
  const auto begins_with = [end](const char* place, std::string_view name) {
    return static_cast<std::size_t>(end - place) >= name.size() &&
           std::equal(name.begin(), name.end(), place, [](char a, char b) { return a == (b | 0x20); });
  };
  return begins_with(word, "nan") || begins_with(word, "inf") ? word : at;
}

}  // namespace

template <std::size_t N>
bool SceneReader::read(const Fields& fields, std::string_view name, std::array<double, N>& values) {
  const std::string_view range = fields[name];
  if (range.empty()) return false;
  std::array<double, N> read{};
  Numbers numbers(without_brackets(range));
  for (double& value : read) {
    if (numbers.next(value)) continue;
    report(code::kNumber, missing_number(numbers.at(), file_->scan.end()),
           fmt::format("the field {} needs {} number{}", quoted(name), N, N == 1 ? "" : "s"));
    return false;
  }
  values = read;
  return true;
}

template bool SceneReader::read<3>(const Fields&, std::string_view, std::array<double, 3>&);

void SceneReader::read(const Fields& fields, std::string_view name, double& value) {
  std::array<double, 1> one{};
  if (read(fields, name, one)) value = one[0];
}

std::string_view SceneReader::resolve_node(std::string_view range) {
  if (range.empty()) return {};
  Scanner& scan = file_->scan;
  const char* back = scan.at();
  scan.go_to(range.data());
  std::string_view type = scan.word();
  while (type == "DEF") {
    scan.word();
    type = scan.word();
  }
  std::string_view node;
  if (type == "USE") {
    const std::string_view name = scan.word();
    if (!file_->has_definitions) index_definitions();
    const auto found = file_->definitions.find(name);
    const char* target = nullptr;
    if (found != file_->definitions.end())
      for (const char* place : found->second)
        if (place < range.data()) target = place;
    if (target == nullptr) {
      report(code::kUse, range.data(), fmt::format("USE {}: no DEF of this name comes before", quoted(name)));
    } else {
      scan.go_to(target);
      scan.peek();
      const char* first = scan.at();
      if (scan.skip_node()) node = {first, static_cast<std::size_t>(scan.at() - first)};
      if (node.starts_with("USE")) node = {};
    }
  } else if (!type.empty() && scan.peek() == '{') {
    if (scan.skip_brackets()) node = {type.data(), static_cast<std::size_t>(scan.at() - type.data())};
  }
  scan.go_to(back);
  return node;
}

std::string_view SceneReader::inner_list(std::string_view node_range, std::string_view field) {
  std::string_view value;
  if (node_range.empty()) return value;
  Scanner& scan = file_->scan;
  const char* back = scan.at();
  scan.go_to(node_range.data());
  scan.word();
  if (scan.peek() == '{') {
    scan.go_to(scan.at() + 1);
    const char* stop = node_range.data() + node_range.size();
    while (scan.at() < stop && scan.peek() != '}') {
      const std::string_view name = scan.word();
      scan.peek();
      const char* first = scan.at();
      if (name.empty() || !scan.skip_value() || scan.at() > stop) break;
      if (name == field) value = {first, static_cast<std::size_t>(scan.at() - first)};
    }
  }
  scan.go_to(back);
  return value;
}

void SceneReader::appearance(std::string_view range, State& state) {
  const std::string_view node = resolve_node(range);
  const std::string_view texture = inner_list(node, "texture");
  if (!texture.empty()) visit_range(texture, state);
  const std::string_view material = resolve_node(inner_list(node, "material"));
  if (material.empty()) return;
  Fields fields(field_stack_, field_stack_.size());
  fields.add("diffuseColor", inner_list(material, "diffuseColor"));
  state.color = State{}.color;
  property(Kind::material, fields, state);
}

void SceneReader::property(Kind kind, const Fields& fields, State& state) {
  switch (kind) {
    case Kind::coordinate3:
    case Kind::coordinate4:
      state.points = fields["point"];
      state.homogeneous = kind == Kind::coordinate4;
      break;
    case Kind::vertex_property:
      if (!fields["vertex"].empty()) {
        state.points = fields["vertex"];
        state.homogeneous = false;
      }
      break;
    case Kind::shape_hints:
      if (!fields["vertexOrdering"].empty()) state.clockwise = fields["vertexOrdering"].starts_with("CLOCKWISE");
      if (!fields["faceType"].empty()) state.concave = fields["faceType"].starts_with("UNKNOWN");
      break;
    case Kind::complexity: read(fields, "value", state.complexity); break;
    case Kind::material:
    case Kind::base_color: {
      const std::string_view name = kind == Kind::material ? "diffuseColor" : "rgb";
      if (without_brackets(fields[name]).find_first_not_of(" \t\r\n,") == std::string_view::npos) break;
      Point color{0, 0, 0};
      if (read(fields, name, color))
        for (std::size_t i = 0; i < 3; ++i) state.color[i] = static_cast<float>(std::fmin(std::fmax(color[i], 0), 1));
      break;
    }
    default: transform_property(kind, fields, state); break;
  }
}

void SceneReader::transform_property(Kind kind, const Fields& fields, State& state) {
  std::array<double, 4> turn{0, 0, 1, 0};
  Point vector{0, 0, 0};
  switch (kind) {
    case Kind::translation:
      if (read(fields, "translation", vector)) state.to_mesh = state.to_mesh * translation(vector);
      break;
    case Kind::rotation:
      if (read(fields, "rotation", turn)) state.to_mesh = state.to_mesh * rotation(turn);
      break;
    case Kind::rotation_xyz: {
      const std::string_view axis = fields["axis"];
      const char letter = axis.empty() ? 'X' : axis[0];
      turn = {letter == 'X' ? 1.0 : 0.0, letter == 'Y' ? 1.0 : 0.0, letter == 'Z' ? 1.0 : 0.0, 0};
      read(fields, "angle", turn[3]);
      state.to_mesh = state.to_mesh * rotation(turn);
      break;
    }
    case Kind::scale:
      if (read(fields, "scaleFactor", vector)) state.to_mesh = state.to_mesh * scale(vector);
      break;
    case Kind::transform: {
      // T C R SR S -SR -C, the same in Inventor and VRML 2 (where the factor is called scale).
      Point move{0, 0, 0}, center{0, 0, 0}, factor{1, 1, 1};
      std::array<double, 4> orientation{0, 0, 1, 0};
      read(fields, "translation", move);
      read(fields, "center", center);
      read(fields, "rotation", turn);
      if (!read(fields, "scaleFactor", factor)) read(fields, "scale", factor);
      read(fields, "scaleOrientation", orientation);
      std::array<double, 4> back = orientation;
      back[3] = -back[3];
      state.to_mesh = state.to_mesh * translation(move) * translation(center) * rotation(turn) * rotation(orientation) *
                      scale(factor) * rotation(back) * translation({-center[0], -center[1], -center[2]});
      break;
    }
    case Kind::matrix_transform: {
      std::array<double, 16> rows{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
      if (!read(fields, "matrix", rows)) break;
      Affine map;
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 3; ++k) map.m[i * 3 + k] = rows[k * 4 + i];
      map.t = {rows[12], rows[13], rows[14]};
      state.to_mesh = state.to_mesh * map;
      break;
    }
    case Kind::units: {
      const double meters = meters_of(fields["units"]);
      if (meters > 0) {
        const double factor = meters / state.unit;
        state.to_mesh = state.to_mesh * scale({factor, factor, factor});
        state.unit = meters;
      }
      break;
    }
    case Kind::reset_transform: state.to_mesh = {}; break;
    default: break;
  }
}

}  // namespace simbatch::inventor::detail
