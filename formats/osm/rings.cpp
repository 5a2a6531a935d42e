// The ways of a relation joined at their ends (OSM wiki, "Relation:multipolygon/Algorithm", ring assignment): start with an
// unused way, go on with an unused one that ends at the same node, until the ring closes.
#include "formats/osm/rings.hpp"

#include <algorithm>
#include <utility>

namespace simbatch::osm {
namespace {

/// An open way of the relation.
struct Piece {
  std::uint32_t way = 0;
  std::uint32_t first = 0, last = 0;  // nodes
  bool outer = true, used = false;
};

/// An end of a piece, for finding the pieces at a node.
struct End {
  std::uint32_t node, piece;
};

std::vector<End> ends_of(const std::vector<Piece>& pieces) {
  std::vector<End> ends;
  for (std::uint32_t i = 0; i < pieces.size(); ++i) {
    ends.push_back({pieces[i].first, i});
    ends.push_back({pieces[i].last, i});
  }
  std::sort(ends.begin(), ends.end(),
            [](const End& a, const End& b) { return a.node != b.node ? a.node < b.node : a.piece < b.piece; });
  return ends;
}

void append_nodes(const Model& map, const Piece& piece, bool forward, std::vector<std::uint32_t>& nodes) {
  const auto refs = map.refs_of(piece.way);
  for (std::size_t k = 0; k < refs.size(); ++k) {
    const Ref ref = refs[forward ? k : refs.size() - 1 - k];
    if (!ref.is_missing() && (nodes.empty() || nodes.back() != ref.number())) nodes.push_back(ref.number());
  }
}

/// Goes on from piece to piece until the ring closes. @return whether it does
bool close_ring(const Model& map, const std::vector<End>& ends, std::vector<Piece>& pieces, const Piece& start, Ring& ring) {
  append_nodes(map, start, true, ring.nodes);
  std::uint32_t at = start.last;
  while (at != start.first) {
    auto end = std::lower_bound(ends.begin(), ends.end(), at, [](const End& e, std::uint32_t n) { return e.node < n; });
    while (end != ends.end() && end->node == at && pieces[end->piece].used) ++end;
    if (end == ends.end() || end->node != at) return false;
    Piece& next = pieces[end->piece];
    next.used = true;
    const bool forward = next.first == at;
    append_nodes(map, next, forward, ring.nodes);
    at = forward ? next.last : next.first;
  }
  while (ring.nodes.size() > 1 && ring.nodes.front() == ring.nodes.back()) ring.nodes.pop_back();
  return true;
}

}  // namespace

std::vector<std::uint32_t> ring_of_way(const Model& map, std::size_t way) {
  std::vector<std::uint32_t> nodes;
  for (const Ref ref : map.refs_of(way))
    if (!ref.is_missing() && (nodes.empty() || nodes.back() != ref.number())) nodes.push_back(ref.number());
  while (nodes.size() > 1 && nodes.front() == nodes.back()) nodes.pop_back();
  return nodes;
}

Rings assemble(const Model& map, std::size_t relation) {
  Rings result;
  std::vector<Piece> pieces;
  for (const Member& member : map.members_of(relation)) {
    if (member.kind != Kind::way) continue;
    if (member.ref.is_missing()) {
      result.complete = false;
      continue;
    }
    const std::uint32_t way = member.ref.number();
    const bool outer = map.strings[member.role] != "inner";
    const auto refs = map.refs_of(way);
    if (refs.size() < 2) continue;
    if (map.is_closed(way)) {
      Ring ring{ring_of_way(map, way), outer};
      if (ring.nodes.size() >= 3) result.rings.push_back(std::move(ring));
      continue;
    }
    if (refs.front().is_missing() || refs.back().is_missing()) {
      result.complete = false;
      continue;
    }
    pieces.push_back({way, refs.front().number(), refs.back().number(), outer, false});
  }
  const std::vector<End> ends = ends_of(pieces);
  for (Piece& start : pieces) {
    if (start.used) continue;
    start.used = true;
    Ring ring;
    ring.outer = start.outer;
    if (!close_ring(map, ends, pieces, start, ring))
      result.complete = false;
    else if (ring.nodes.size() >= 3)
      result.rings.push_back(std::move(ring));
  }
  return result;
}

}  // namespace simbatch::osm
