#pragma once
/// OpenStreetMap data for our programs: nodes, ways, relations, tags, bounds. No history, no authors.
///
/// Compact: 16 bytes per node (id and position in two arrays), 4 per reference of a way, 16 per way, 4 per tag, and at most 6
/// per node for the index from id to position. Objects are numbered in file order; everything refers to
/// nodes by that number, not by id. Source of the vocabulary: OSM wiki, "OSM XML" and "Elements".
///
/// The model is plain data: fill it by its add_...() functions or directly; call build_index() before find_node().

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace simbatch::osm {

/// An OSM id: positive in the database, negative for objects that only exist in this file. Not 0.
using Id = std::int64_t;

/// A position on WGS84 in 10^-7 degrees: lat -90e7..90e7, lon -180e7..180e7. (About 1.1 cm on the equator.)
struct LatLon {
  std::int32_t lat_e7 = 0;
  std::int32_t lon_e7 = 0;
  double lat_deg() const { return lat_e7 / 1e7; }
  double lon_deg() const { return lon_e7 / 1e7; }
  friend bool operator==(const LatLon&, const LatLon&) = default;
};

/// A rectangle; min.lat_e7 <= max.lat_e7; min.lon_e7 > max.lon_e7 if it crosses the 180th meridian. `origin` is the writer's
/// description of its source, may be empty.
struct Bounds {
  LatLon min, max;
  std::string origin;
  friend bool operator==(const Bounds&, const Bounds&) = default;
};

/// Number of a string in Strings; of a key-value pair in Model::tag_table.
using StringId = std::uint32_t;
using TagId = std::uint32_t;
inline constexpr std::uint32_t kNone = 0xFFFFFFFF;

/// Distinct strings, numbered from 0 in the order of their first appearance.
class Strings {
 public:
  /// The string's number; added if missing. Invalidates views returned before.
  StringId intern(std::string_view text);
  /// The string's number, or kNone. Cost: one hash.
  StringId find(std::string_view text) const;
  std::string_view operator[](StringId id) const {
    const std::uint32_t start = id == 0 ? 0 : ends_[id - 1];
    return {text_.data() + start, ends_[id] - start};
  }
  std::size_t size() const { return ends_.size(); }
  /// Bytes of heap memory in use.
  std::size_t memory() const;
  friend bool operator==(const Strings& a, const Strings& b) { return a.text_ == b.text_ && a.ends_ == b.ends_; }

 private:
  std::string text_;                  // all strings, concatenated; at most 4 GiB
  std::vector<std::uint32_t> ends_;   // end of each in text_
  std::vector<std::uint32_t> slots_;  // hash table of string numbers + 1, 0 = free; a power of two
};

struct Tag {
  StringId key = 0;
  StringId value = 0;
  friend bool operator==(const Tag&, const Tag&) = default;
};

/// Reference of a way or a relation to an object: its number in the model, or, with the upper bit set, the number of an id in
/// Model::missing: an object that is not in the file.
class Ref {
 public:
  static constexpr std::uint32_t kMissingBit = 0x80000000;
  constexpr Ref() = default;
  constexpr explicit Ref(std::uint32_t raw) : raw_(raw) {}
  static constexpr Ref missing(std::uint32_t number) { return Ref(number | kMissingBit); }
  constexpr bool is_missing() const { return (raw_ & kMissingBit) != 0; }
  /// Number of the node (way, relation), or of the entry in Model::missing.
  constexpr std::uint32_t number() const { return raw_ & ~kMissingBit; }
  friend constexpr bool operator==(Ref, Ref) = default;

 private:
  std::uint32_t raw_ = 0;
};

enum class Kind : std::uint8_t { node, way, relation };
std::string_view to_text(Kind kind);  ///< "node", "way", "relation"

struct Way {
  Id id = 0;
  std::uint32_t first_ref = 0;  ///< into Model::refs; they end where the next way's begin
  std::uint32_t first_tag = 0;  ///< into Model::way_tags; likewise
};

struct Member {
  Ref ref;  ///< of the kind's array
  StringId role = 0;
  Kind kind = Kind::node;
  friend bool operator==(const Member&, const Member&) = default;
};

struct Relation {
  Id id = 0;
  std::uint32_t first_member = 0;  ///< into Model::members; they end where the next relation's begin
  std::uint32_t first_tag = 0;     ///< into Model::relation_tags; likewise
};

enum class Version : std::uint8_t { v0_5, v0_6 };
std::string_view to_text(Version version);  ///< "0.5", "0.6"

/// A map. Tags of one object keep their order; nodes, ways and relations keep the file's order.
struct Model {
  Version version = Version::v0_6;
  std::string generator;
  /// Other attributes of `<osm>`: copyright, attribution, license, upload, ... in file order.
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<Bounds> bounds;

  std::vector<Id> node_ids;            ///< of each node
  std::vector<LatLon> node_positions;  ///< of each node; same length
  std::vector<Way> ways;
  std::vector<Ref> refs;  ///< nodes of all ways
  std::vector<Relation> relations;
  std::vector<Member> members;  ///< of all relations
  std::vector<Id> missing;      ///< ids that are referred to and absent, each object once

  Strings strings;
  std::vector<Tag> tag_table;                             ///< distinct key-value pairs
  std::vector<TagId> node_tags, way_tags, relation_tags;  ///< of all objects of the kind
  /// Nodes that have tags, ascending, and where their tags start in node_tags: they end where those of the next one start.
  /// Both arrays have the same length.
  std::vector<std::uint32_t> tagged_nodes;
  std::vector<std::uint32_t> tagged_first;

  std::size_t node_count() const { return node_positions.size(); }

  /// Each returns the new object's number. References, members and tags go to the object added last.
  std::uint32_t add_node(Id id, LatLon at);
  std::uint32_t add_way(Id id);
  std::uint32_t add_relation(Id id);
  void add_ref(Ref ref) { refs.push_back(ref); }               ///< to the way added last
  void add_member(Kind kind, Ref ref, std::string_view role);  ///< to the relation added last
  void add_tag(std::string_view key, std::string_view value);  ///< to the object added last
  TagId intern_tag(std::string_view key, std::string_view value);

  std::span<const Ref> refs_of(std::size_t way) const {
    const std::size_t end = way + 1 < ways.size() ? ways[way + 1].first_ref : refs.size();
    return std::span(refs).subspan(ways[way].first_ref, end - ways[way].first_ref);
  }
  std::span<const Member> members_of(std::size_t relation) const {
    const std::size_t end = relation + 1 < relations.size() ? relations[relation + 1].first_member : members.size();
    return std::span(members).subspan(relations[relation].first_member, end - relations[relation].first_member);
  }
  /// Tags of the n-th of `tagged_nodes`.
  std::span<const TagId> tags_of_tagged_node(std::size_t n) const {
    const std::size_t end = n + 1 < tagged_first.size() ? tagged_first[n + 1] : node_tags.size();
    return std::span(node_tags).subspan(tagged_first[n], end - tagged_first[n]);
  }
  std::span<const TagId> tags_of_node(std::size_t node) const;  ///< O(log n)
  std::span<const TagId> tags_of_way(std::size_t way) const {
    const std::size_t end = way + 1 < ways.size() ? ways[way + 1].first_tag : way_tags.size();
    return std::span(way_tags).subspan(ways[way].first_tag, end - ways[way].first_tag);
  }
  std::span<const TagId> tags_of_relation(std::size_t relation) const {
    const std::size_t end = relation + 1 < relations.size() ? relations[relation + 1].first_tag : relation_tags.size();
    return std::span(relation_tags).subspan(relations[relation].first_tag, end - relations[relation].first_tag);
  }

  std::string_view key(TagId tag) const { return strings[tag_table[tag].key]; }
  std::string_view value(TagId tag) const { return strings[tag_table[tag].value]; }
  /// The value under `key` among `of`, or nothing. For hot loops compare numbers instead: strings.find("highway") once,
  /// or a table over tag_table.
  std::optional<std::string_view> value_of(std::span<const TagId> of, std::string_view key) const;

  /// The id of a reference. @pre node ids were not dropped
  Id id_of(Kind kind, Ref ref) const {
    if (ref.is_missing()) return missing[ref.number()];
    if (kind == Kind::node) return node_ids[ref.number()];
    return kind == Kind::way ? ways[ref.number()].id : relations[ref.number()].id;
  }
  /// First and last reference are the same, and there are at least 4 (a triangle).
  bool is_closed(std::size_t way) const;

  /// Prepares find_node(): only a check if ids ascend, otherwise sorts node numbers by id (4 bytes each). Of nodes with the
  /// same id the first is found. Call again after nodes were added.
  void build_index();
  /// The node's number, or kNone. @pre build_index() since the last add_node()
  std::uint32_t find_node(Id id) const;
  /// find_node for many ids at once, several times faster because memory accesses overlap. @param found  space for ids.size()
  /// numbers
  void find_nodes(std::span<const Id> ids, std::uint32_t* found) const;
  /// Nodes whose id an earlier node has, ascending. @pre build_index()
  std::vector<std::uint32_t> repeated_nodes() const;

  /// Releases node ids and the index (8 to 14 bytes per node), for programs that only need positions. Afterwards find_node()
  /// finds nothing, and the model cannot be written.
  void drop_node_ids();
  /// Bytes of heap memory in use.
  std::size_t memory() const;

 private:
  std::vector<std::uint32_t> by_id_;      // node numbers by ascending id; empty when the ids themselves ascend
  std::vector<std::uint32_t> directory_;  // by_id_ place of the first id of each range of 2^shift_ ids
  unsigned shift_ = 0;
  std::vector<std::uint32_t> tag_slots_;  // hash table over tag_table: number + 1, 0 = free
  Kind last_ = Kind::node;                // kind of the object added last: where add_tag() goes
};

/// Equal as maps: same header, objects, tags and order. (Numbers of strings may differ.)
bool same(const Model& a, const Model& b);

}  // namespace simbatch::osm
