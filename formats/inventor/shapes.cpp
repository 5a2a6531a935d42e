// Shapes into triangles: subdivision and faces as in "The Inventor Mentor" (Wernecke 1994, chapter 5) and the VRML 2.0
// specification (ISO/IEC 14772-1:1997, section 6); polygons by ear clipping (Meisters 1975).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "formats/inventor/scene_reader.hpp"

namespace simbatch::inventor::detail {
namespace {

std::int64_t whole(std::string_view range, std::int64_t otherwise) {
  std::int64_t value = otherwise;
  return Numbers(without_brackets(range)).next(value) ? value : otherwise;
}

// `parts (SIDES | TOP)` of Inventor, `top FALSE` of VRML 2.
bool has_part(std::string_view parts, std::string_view part, std::string_view flag) {
  if (!flag.empty()) return !flag.starts_with("FALSE") && flag[0] != '0';
  return parts.empty() || parts.find("ALL") != std::string_view::npos || parts.find(part) != std::string_view::npos;
}

constexpr std::ptrdiff_t kSample = 16 << 10;  // bytes of a list from which the number of its elements is estimated

// Reserves for the rest of the file, once: pages that stay untouched cost nothing, and nothing is copied in between.
template <class T>
void reserve_for(std::vector<T>& out, std::size_t before, std::ptrdiff_t consumed, std::ptrdiff_t left) {
  const double each = static_cast<double>(consumed) / static_cast<double>(std::max<std::size_t>(out.size() - before, 1));
  const double wanted = static_cast<double>(out.size()) + 1.02 * static_cast<double>(left) / std::max(each, 2.0) + 64;
  if (static_cast<double>(out.capacity()) < wanted) out.reserve(static_cast<std::size_t>(wanted));
}

}  // namespace

bool SceneReader::place_points(const State& state, std::uint32_t& base, std::uint32_t& count) {
  base = count = 0;
  if (state.points.empty()) return false;
  for (const Placed& known : placed_) {
    if (known.range != state.points.data() || known.to_mesh != state.to_mesh) continue;
    base = known.base;
    count = known.count;
    return count > 0;
  }
  std::vector<Point>& points = scene_.mesh.points;
  const std::size_t first = points.size();
  const std::string_view range = without_brackets(state.points);
  file_->scan.add_work(range.size());
  Numbers numbers(range);
  const bool identity = state.to_mesh.is_identity();
  bool estimated = static_cast<std::ptrdiff_t>(range.size()) < kSample;
  for (Point p{}; numbers.next(p[0]);) {
    double w = 1;
    if (!numbers.next(p[1]) || !numbers.next(p[2]) || (state.homogeneous && !numbers.next(w))) {
      if (!numbers.failed()) report(code::kNumber, numbers.at(), "the list of points ends inside a point");
      break;
    }
    if (state.homogeneous && w != 0)
      for (double& x : p) x /= w;
    points.push_back(identity ? p : state.to_mesh(p));
    if (!estimated && numbers.at() - range.data() > kSample) {
      estimated = true;
      reserve_for(points, first, numbers.at() - range.data(), file_->scan.end() - numbers.at());
    }
  }
  if (numbers.failed()) report(code::kNumber, numbers.at(), "a coordinate is expected");
  if (points.size() > 0xFFFF'FF00U) {
    points.resize(first);
    stopped_ = true;
    report(code::kLimit, range.data(), "the scene has more than 4294967040 points");
  }
  base = static_cast<std::uint32_t>(first);
  count = static_cast<std::uint32_t>(points.size() - first);
  placed_[next_placed_++ % placed_.size()] = {state.points.data(), state.to_mesh, base, count};
  return count > 0;
}

void SceneReader::triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c, bool flip) {
  const Point* points = scene_.mesh.points.data();
  if (a == b || b == c || a == c || points[a] == points[b] || points[b] == points[c] || points[a] == points[c]) {
    ++scene_.degenerate;
    return;
  }
  if (flip) std::swap(b, c);
  scene_.mesh.triangles.push_back({a, b, c});
}

void SceneReader::polygon(std::span<const std::uint32_t> corners, bool flip, bool concave) {
  if (corners.size() == 3) return triangle(corners[0], corners[1], corners[2], flip);
  if (!concave) {
    for (std::size_t i = 1; i + 1 < corners.size(); ++i) triangle(corners[0], corners[i], corners[i + 1], flip);
    return;
  }
  corner_points_.clear();
  for (const std::uint32_t corner : corners) corner_points_.push_back(scene_.mesh.points[corner]);
  cut_polygon(corner_points_,
              [&](std::size_t a, std::size_t b, std::size_t c) { triangle(corners[a], corners[b], corners[c], flip); });
}

void SceneReader::indexed_faces(std::string_view indexes, std::uint32_t base, std::uint32_t count, bool flip, bool concave) {
  const std::string_view range = without_brackets(indexes);
  file_->scan.add_work(range.size());
  Numbers numbers(range);
  corners_.clear();
  bool good = true, index_reported = false, face_reported = false;
  const std::size_t first = scene_.mesh.triangles.size();
  bool estimated = static_cast<std::ptrdiff_t>(range.size()) < kSample;
  const auto flush = [&] {
    if (good && corners_.size() >= 3) {
      polygon(corners_, flip, concave);
    } else if (good && !corners_.empty() && !face_reported) {
      face_reported = true;
      report(code::kFace, numbers.at(), fmt::format("a face of {} vertices before here is dropped", corners_.size()));
    }
    corners_.clear();
    good = true;
    if (!estimated && numbers.at() - range.data() > kSample) {
      estimated = true;
      reserve_for(scene_.mesh.triangles, first, numbers.at() - range.data(), file_->scan.end() - numbers.at());
    }
  };
  for (std::int64_t index = 0; numbers.next(index);) {
    if (index < 0) {
      flush();
    } else if (index < count) {
      corners_.push_back(base + static_cast<std::uint32_t>(index));
    } else {
      good = false;
      if (!index_reported)
        report(code::kIndex, numbers.at(), fmt::format("the index {} before here is beyond the {} points", index, count));
      index_reported = true;
    }
  }
  if (numbers.failed())
    report(code::kNumber, numbers.at(), "an index is expected");
  else
    flush();
}

void SceneReader::indexed_strips(std::string_view indexes, std::uint32_t base, std::uint32_t count, bool flip) {
  const std::string_view range = without_brackets(indexes);
  file_->scan.add_work(range.size());
  Numbers numbers(range);
  std::uint32_t a = 0, b = 0;
  std::size_t length = 0;
  bool reported = false;
  for (std::int64_t index = 0; numbers.next(index);) {
    if (index < 0) {
      length = 0;
      continue;
    }
    if (index >= count) {
      if (!reported)
        report(code::kIndex, numbers.at(), fmt::format("the index {} before here is beyond the {} points", index, count));
      reported = true;
      length = 0;
      continue;
    }
    const std::uint32_t c = base + static_cast<std::uint32_t>(index);
    // Every second triangle of a strip has the opposite winding.
    if (length >= 2) length % 2 == 0 ? triangle(a, b, c, flip) : triangle(b, a, c, flip);
    a = b;
    b = c;
    ++length;
  }
  if (numbers.failed()) report(code::kNumber, numbers.at(), "an index is expected");
}

void SceneReader::faces(Kind kind, const Fields& fields, const State& state, bool flip) {
  std::uint32_t base = 0, count = 0;
  if (!place_points(state, base, count)) return;
  std::int64_t at = std::clamp<std::int64_t>(whole(fields["startIndex"], 0), 0, count);
  std::string_view list = without_brackets(fields["numVertices"]);
  if (list.empty()) list = "-1";
  file_->scan.add_work(list.size());
  Numbers lengths(list);
  for (std::int64_t length = 0; lengths.next(length);) {
    if (length < 0) length = count - at;
    if (length > count - at) {
      report(code::kIndex, fields["numVertices"].empty() ? file_->scan.at() : fields["numVertices"].data(),
             fmt::format("{} vertices from number {} on are more than the {} points", length, at, count));
      break;
    }
    if (length < 3 && length > 0)
      report(code::kFace, file_->scan.at(), fmt::format("a face of {} vertices is dropped", length));
    const std::uint32_t first = base + static_cast<std::uint32_t>(at);
    if (kind == Kind::strip_set) {
      for (std::int64_t i = 2; i < length; ++i) {
        const std::uint32_t c = first + static_cast<std::uint32_t>(i);
        i % 2 == 0 ? triangle(c - 2, c - 1, c, flip) : triangle(c - 1, c - 2, c, flip);
      }
    } else if (length >= 3) {
      corners_.clear();
      for (std::int64_t i = 0; i < length; ++i) corners_.push_back(first + static_cast<std::uint32_t>(i));
      polygon(corners_, flip, state.concave);
    }
    at += length;
    if (at >= count) break;
  }
}

void SceneReader::quad_mesh(const Fields& fields, const State& state, bool flip) {
  std::uint32_t base = 0, count = 0;
  if (!place_points(state, base, count)) return;
  const std::int64_t columns = whole(fields["verticesPerRow"], 1), rows = whole(fields["verticesPerColumn"], 1);
  const std::int64_t start = std::max<std::int64_t>(whole(fields["startIndex"], 0), 0);
  if (columns < 2 || rows < 2) return;
  if (start > count || columns > count || rows > (count - start) / columns)
    return report(code::kIndex, file_->scan.at(), fmt::format("a mesh of {} rows of {} has not enough points", rows, columns));
  for (std::int64_t row = 0; row + 1 < rows; ++row) {
    for (std::int64_t column = 0; column + 1 < columns; ++column) {
      const auto p = base + static_cast<std::uint32_t>(start + row * columns + column);
      const auto q = p + static_cast<std::uint32_t>(columns);
      triangle(p, q, q + 1, flip);
      triangle(p, q + 1, p + 1, flip);
    }
  }
}

void SceneReader::shape(Kind kind, const Fields& fields, State& outer) {
  State state = outer;
  if (kind == Kind::shape) {
    appearance(fields["appearance"], state);
    visit_range(fields["geometry"], state);
    return;
  }
  const double determinant = state.to_mesh.determinant();
  const std::size_t first = scene_.mesh.triangles.size();
  if (!fields["ccw"].empty()) state.clockwise = fields["ccw"].starts_with("FALSE");
  if (!fields["convex"].empty()) state.concave = fields["convex"].starts_with("FALSE");
  const bool outward = options_.winding == Winding::outward;
  const bool flip = outward && (state.clockwise != (determinant < 0));
  if (const std::string_view list = inner_list(resolve_node(fields["vertexProperty"]), "vertex"); !list.empty())
    state.points = list, state.homogeneous = false;
  if (!fields["coord"].empty()) {
    state.points = inner_list(resolve_node(fields["coord"]), "point");
    state.homogeneous = false;
  }
  switch (kind) {
    case Kind::indexed_face_set:
    case Kind::indexed_strip_set: {
      const std::string_view indexes = fields["coordIndex"];
      std::uint32_t base = 0, count = 0;
      if (without_brackets(indexes).empty()) break;
      place_points(state, base, count);
      if (kind == Kind::indexed_face_set)
        indexed_faces(indexes, base, count, flip, state.concave);
      else
        indexed_strips(indexes, base, count, flip);
      break;
    }
    case Kind::face_set:
    case Kind::strip_set: faces(kind, fields, state, flip); break;
    case Kind::quad_mesh: quad_mesh(fields, state, flip); break;
    default: primitive(kind, fields, state, outward && determinant < 0); break;
  }
  note_part(first, state);
}

/// Cube, sphere, cylinder and cone.
void SceneReader::primitive(Kind kind, const Fields& fields, const State& state, bool mirrored) {
  Facets facets(scene_.mesh, state.to_mesh, mirrored);
  const auto size = [&](std::string_view name, double otherwise) {
    read(fields, name, otherwise);
    return otherwise;
  };
  switch (kind) {
    case Kind::cube: {
      Point edges{size("width", 2), size("height", 2), size("depth", 2)};
      read(fields, "size", edges);
      facets.cube(edges[0], edges[1], edges[2]);
      break;
    }
    case Kind::sphere: facets.sphere(size("radius", 1), state.complexity); break;
    case Kind::cylinder:
      facets.cylinder(size("radius", 1), size("height", 2), state.complexity,
                      has_part(fields["parts"], "SIDES", fields["side"]), has_part(fields["parts"], "TOP", fields["top"]),
                      has_part(fields["parts"], "BOTTOM", fields["bottom"]));
      break;
    case Kind::cone:
      facets.cone(size("bottomRadius", 1), size("height", 2), state.complexity,
                  has_part(fields["parts"], "SIDES", fields["side"]), has_part(fields["parts"], "BOTTOM", fields["bottom"]));
      break;
    default: break;
  }
  if (facets.dropped() == 0) return;
  scene_.degenerate += facets.dropped();
  report(code::kFace, file_->scan.at(),
         fmt::format("{} triangle{} without area of the shape before here {} dropped: is one of its sizes 0?", facets.dropped(),
                     facets.dropped() == 1 ? "" : "s", facets.dropped() == 1 ? "is" : "are"));
}

/// Records the scale and the color of the triangles from `first` on.
void SceneReader::note_part(std::size_t first, const State& state) {
  const std::size_t made = scene_.mesh.triangles.size() - first;
  if (made == 0) return;
  const double factor = std::cbrt(std::abs(state.to_mesh.determinant()));
  scene_.min_scale = first == 0 ? factor : std::min(scene_.min_scale, factor);
  scene_.max_scale = first == 0 ? factor : std::max(scene_.max_scale, factor);
  std::vector<Part>& parts = scene_.mesh.parts;
  if (!parts.empty() && parts.back().color == state.color)
    parts.back().count += made;
  else
    parts.push_back({first, made, state.color});
}

}  // namespace simbatch::inventor::detail
