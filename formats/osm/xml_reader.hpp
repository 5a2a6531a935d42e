#pragma once
/// The middle layer: what the tokens of an OSM XML text mean. Takes windows one after the other and fills a Document.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/osm/codes.hpp"
#include "formats/osm/read.hpp"
#include "formats/osm/scan.hpp"

namespace simbatch::osm::detail {

/// A problem that is told once, with a count and the first place.
struct Counted {
  std::uint64_t count = 0;
  Position first;
  std::string example;
};

/// An object of the model whose place is wanted, because it turned out later to be a duplicate.
struct Wanted {
  Kind kind{};
  std::uint32_t number = 0;
  Position at;
};

class XmlReader {
 public:
  XmlReader(Document& document, Diagnostics& diagnostics, const ReadOptions& options, std::uint64_t expected_bytes);

  /// Reads as far as the window allows. @return the first byte not used, or null when reading ended (see failed())
  const char* run(const Window& window);
  /// After the last window: resolves what had to wait, reports what was counted. @return false: no usable map
  bool finish();
  bool failed() const { return failed_; }
  /// There will be no more text, for a reason that is told elsewhere.
  void abandon() { failed_ = true; }
  /// Makes this a reader of the later part of a text, from the `<` at `offset` on, which is taken to stand between two
  /// objects within <osm>. What it reads is only worth something once another reader has joined it.
  void begin_inside(std::uint64_t offset);
  /// Takes over what `rest` has read, which began where this reader has stopped, as if this had read it itself.
  /// @return false when something is unusual; then this is to read on as if `rest` had not been
  bool join(XmlReader& rest);
  /// Places of these objects are noted while reading (ascending numbers within a kind).
  std::vector<Wanted>* wanted = nullptr;
  /// Duplicates found by finish() whose places are not known.
  std::vector<Wanted> repeated;

 private:
  enum class Element : std::uint8_t { osm, node, way, relation, tag, nd, member, bounds, bound, remark, silent, other };
  enum Role : std::uint8_t {
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
    kOtherRole = 15
  };
  struct Open {
    Element element;
    std::uint32_t name_start;  // in open_names_
  };

  // Tokens
  const char* start_of_text(const char* at);
  const char* text_token(const char* at);
  const char* token(const char* at);
  const char* slow_start(const char* at);
  const char* end_element(const char* at);
  const char* stop(Step step);
  Element element_of(std::string_view name, const char* at);
  std::string open_name() const;
  static std::size_t name_length(const char* at);
  static std::uint8_t role_of(std::string_view name);

  // Meaning
  void root(const char* at, const char* behind, bool empty);
  void start(Element element, const char* at, bool empty);
  void note_first_object(const char* at);
  void begin_object(Kind kind, const char* at);
  bool read_position(const char* at, bool deleted, LatLon& where);
  void end_object();
  void close_located(const char* at);
  void note_wanted(const char* at);
  void check_memory(const char* at);
  bool is_deleted() const;
  void add_nd(const char* at);
  void add_tag(const char* at);
  void add_member(const char* at);
  void add_bounds(const char* at, bool old_form);
  void push(Element element, std::string_view name, const char* at);
  bool has(Role role) const { return (seen_ >> role & 1) != 0; }
  std::string_view value(Role role, std::string& scratch) const { return decoded(values_[role], scratch); }

  // References
  void flush_refs();
  void pack_ref(Id id);
  bool unpack_refs(XmlReader& rest);
  bool fits(const XmlReader& rest) const;
  void join_tags(XmlReader& rest, std::uint32_t nodes_before);
  void join_facts(const XmlReader& rest, std::uint32_t nodes_before);
  void resolve_late();
  void resolve_members();
  std::uint32_t missing_number(Id id);
  void find_repeated();

  // Places and problems
  std::uint64_t offset(const char* at) const;
  void settle_lines();
  void move_line_count(const char* to);
  Position position(const char* at);
  void report(const Code& code, const char* at, std::string message);
  void count(Counted& counted, const char* at, std::string example = {});
  void count_object(Counted& counted);
  void remarks();
  void tell(const Code& code, const Counted& counted, std::string message);
  void reserve_nodes(const char* at);

  Document& document_;
  Model& model_;
  Facts& facts_;
  Layout& layout_;
  Diagnostics& diagnostics_;
  const ReadOptions& options_;
  std::uint64_t expected_bytes_;
  Scanner scanner_;
  std::array<Value, Pattern::kRoles> values_;
  std::uint32_t seen_ = 0;
  Pattern node_pattern_, way_pattern_, relation_pattern_, tag_pattern_, nd_pattern_, member_pattern_;
  std::vector<Attribute> attributes_;
  std::string_view name_;

  std::uint64_t window_offset_ = 0;  // of the window's first byte in the text
  // Line counting: all line ends before `counted_` (in the window) are in `line_`.
  const char* counted_ = nullptr;
  const char* token_ = nullptr;
  std::string_view uncounted_;  // text of an earlier window whose lines were not counted yet: nobody may ask
  std::uint64_t uncounted_offset_ = 0;
  std::uint32_t window_line_ = 1;
  std::uint64_t window_line_start_ = 0;
  std::uint32_t line_ = 1;
  std::uint64_t line_start_ = 0;  // offset in the text

  std::vector<Open> open_;
  std::string open_names_;
  bool failed_ = false, usable_ = false, root_seen_ = false, root_closed_ = false, at_start_ = true;
  bool first_object_seen_ = false;
  Element context_ = Element::other;  // of the innermost open element
  const char* blanks_ = nullptr;      // where the blanks before the current token start

  // The current object
  Kind kind_ = Kind::node;
  bool skip_ = false, located_ = false, located_open_ = false, keys_full_ = false;
  std::uint64_t object_offset_ = 0;
  std::uint32_t object_number_ = 0;
  std::uint64_t object_refs_ = 0;
  Id object_id_ = 0, last_ref_ = 0;
  Position object_at_;                     // of a way, when remarks are wanted
  std::vector<std::uint64_t> key_hashes_;  // of the current object, to find repeated keys
  std::uint64_t last_rank_ = 0;
  int highest_kind_ = 0;

  // Tag filter
  std::array<bool, 256> key_kept_{};

  // References waiting to be looked up: the latency of many look-ups overlaps.
  static constexpr std::size_t kBatch = 64;
  std::array<Id, kBatch> pending_{};
  std::array<std::uint64_t, kBatch> pending_offsets_{};
  std::size_t pending_count_ = 0;
  bool index_built_ = false, late_nodes_ = false;
  std::vector<Id> member_ids_;

  // A reader of a later part: references wait until all nodes are known, each as the difference from the one before.
  bool inside_ = false;
  std::uint64_t begin_ = 0;       // offset of its part
  std::uint64_t first_rank_ = 0;  // of its first object, if that is a node
  std::vector<std::uint8_t> packed_refs_;
  std::size_t packed_count_ = 0;
  Id packed_last_ = 0;
  std::vector<std::uint32_t> missing_slots_;  // hash table over model_.missing

  Counted unknown_, text_, repeated_keys_, dangling_, timestamps_, digits_, versions_, short_ways_, long_ways_, stutter_,
      unsorted_, dangling_members_, remark_;
  std::string scratch_, scratch2_;
  Position second_bounds_, end_;
};

}  // namespace simbatch::osm::detail
