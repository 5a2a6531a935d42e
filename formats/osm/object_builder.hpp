#pragma once
/// The upper layer: interprets the elements of an OSM XML text. Fills a model and its facts, element by element.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/osm/document.hpp"
#include "formats/osm/references.hpp"
#include "formats/osm/scan.hpp"
#include "formats/osm/way_references.hpp"
#include "formats/osm/xml_problems.hpp"

namespace simbatch::osm::detail {

/// Roles of the attributes that matter (RoleValues).
enum AttributeRole : std::uint8_t {
  kIdRole,
  kLat,
  kLon,
  kRefRole,
  kK,
  kV,
  kType,
  kMemberRole,
  kVisible,
  kAction,
  kTimestampRole,
  kVersionRole,
  kOtherRole = RoleValues::kRoles - 1
};

/// Widens a range of ids; 0 to 0 if there is none yet.
inline void widen(Id& lowest, Id& highest, Id id) {
  if (lowest == 0)
    lowest = highest = id;
  else if (id > highest)
    highest = id;
  else if (id < lowest)
    lowest = id;
}

/// An object whose tag's position is wanted.
struct WantedPlace {
  RepeatedObject object;
  Position at;
};

class ObjectBuilder {
 public:
  ObjectBuilder(Document& document, const ReadOptions& options, XmlProblems& problems, TextPosition& position,
                std::uint64_t expected_bytes);

  /// The text before `offset` is read elsewhere: references are deferred until append().
  void begin_part(std::uint64_t offset);

  // Elements, in the order of the text. `at` is the `<` of the tag.
  /// @return false when the model has reached its limit
  bool begin(Kind kind, const RoleValues& tag, const char* at);
  void add_nd(const RoleValues& tag, const char* at);
  void add_tag(const RoleValues& tag, const char* at);
  void add_member(const RoleValues& tag, const char* at);
  /// <bounds>, or <bound box=...> of version 0.5.
  void add_bounds(std::span<const Attribute> attributes, bool old_form, const char* at);
  /// @param layout  receives the object if it has the tag ReadOptions::locate_key @return true if it has
  bool end(Layout& layout) {
    if (kind_ != Kind::node || located_) return end_other(layout);
    if (id_ != 0) widen(facts_.lowest_other_node, facts_.highest_other_node, id_);
    return false;
  }

  /// Call before a window is released.
  void end_window() { references_.flush(); }
  /// After the last element: resolves deferred references.
  void finish();
  /// Appends the results of the builder of the text's later part (see begin_part()). @return false in unusual cases; then
  /// nothing was changed
  bool append(ObjectBuilder& rest);

  /// If set, the positions of these objects (ascending) are recorded.
  std::vector<WantedPlace>* wanted = nullptr;

 private:
  bool end_other(Layout& layout);
  bool is_kept(std::string_view key, std::uint64_t hash) const;
  void report_id(Kind kind, const RoleValues& tag, const char* at);
  void report_ref(const RoleValues& tag, const char* at);
  void note_id(Kind kind, Id id, const char* at);
  void note_break(Kind kind, std::uint64_t place, const char* at);
  void note_remarks(Kind kind, const RoleValues& tag, const char* at);
  std::optional<LatLon> read_position(const RoleValues& tag, const char* at, bool deleted);
  std::optional<LatLon> read_position_slowly(const RoleValues& tag, const char* at, bool deleted);
  void report_position(const RoleValues& tag, const char* at, bool deleted);
  void note_longer(const char* at);
  void note_wanted(const char* at);
  bool within_limits(const char* at);
  void reserve_nodes(const char* at);
  void append_tags(Model& from, std::uint32_t nodes_before);
  void append_facts(const ObjectBuilder& rest);

  Document& document_;
  Model& model_;
  Facts& facts_;
  const ReadOptions& options_;
  XmlProblems& problems_;
  TextPosition& position_;
  std::uint64_t expected_bytes_, begin_ = 0;   // of the whole text; offset where this part begins
  std::vector<const std::string*> kept_keys_;  // hash table, mostly free
  bool all_keys_kept_ = false;

  // The current object
  Kind kind_ = Kind::node;
  bool skip_ = false, located_ = false;
  std::uint32_t number_ = 0;
  std::uint64_t ref_count_ = 0;
  Id id_ = 0, last_ref_ = 0;
  Position object_at_;                     // of a way, when remarks are requested
  std::vector<std::uint64_t> key_hashes_;  // to find repeated keys

  // The order of ids
  std::uint64_t last_rank_ = 0;
  std::uint64_t first_node_rank_ = 0;
  Kind highest_kind_ = Kind::node;

  MissingIds missing_;
  WayReferences references_;
  std::vector<Id> member_ids_;
  bool index_built_ = false, late_nodes_ = false;
  std::string scratch_, scratch2_;
};

}  // namespace simbatch::osm::detail
