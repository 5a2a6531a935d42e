#pragma once
/// The middle layer: the elements of an OSM XML text and how they nest. Processes windows in sequence, records the layout of
/// the text, and passes the objects to an ObjectBuilder.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/osm/document.hpp"
#include "formats/osm/object_builder.hpp"
#include "formats/osm/scan.hpp"
#include "formats/osm/text_position.hpp"
#include "formats/osm/xml_problems.hpp"

namespace simbatch::osm::detail {

class XmlReader {
 public:
  /// @param expected_bytes  of the whole text, or 0: an estimate for reserving memory
  XmlReader(Document& document, Diagnostics& diagnostics, const ReadOptions& options, std::uint64_t expected_bytes);

  /// Reads as far as possible in the window. @return the first byte not used, or null when reading ended (see failed())
  const char* run(const Window& window);
  /// After the last window: resolves references and reports what was counted. @return false: no usable map
  bool finish();
  /// Ends reading, for a reason reported elsewhere.
  void abandon() { failed_ = true; }
  /// Notes the places of these objects (ascending) while reading.
  void look_for(std::vector<WantedPlace>& places) { builder_.wanted = &places; }

  /// Makes this a reader of the later part of a text, from the `<` at `offset`, which is taken to be between two objects within
  /// <osm>. Its results are used only when another reader has joined it.
  void begin_inside(std::uint64_t offset);
  /// Appends the results of `rest`, which began where this reader stopped. @return false in unusual cases; then this reader
  /// must continue as if `rest` did not exist
  bool join(XmlReader& rest);

 private:
  enum class Element : std::uint8_t { osm, node, way, relation, tag, nd, member, bounds, bound, remark, silent, other };
  struct Open {
    Element element;
    std::uint32_t name_start;  // in open_names_
  };

  const char* leave(const char* used);
  const char* leave_before(const char* token);
  const char* end_of_text();
  const char* quick_tag(const char* at, const char* limit);
  const char* start_of_text(const char* at);
  const char* text_token(const char* at);
  const char* markup(const char* at);
  const char* slow_start(const char* at);
  const char* quick_end(const char* at, const char* limit, std::string_view tag);
  const char* end_element(const char* at);
  const char* stop(Step step);
  const char* stop(const Code& code, const char* at, std::string message) {
    return stop(scanner_.fail(code, at, std::move(message)));
  }
  Element element_of(std::string_view name, const char* at);
  TagTemplate* template_of(Element element);
  std::string open_name() const { return open_names_.substr(open_.back().name_start, 60); }
  static std::uint8_t role_of(std::string_view name);

  void root(const char* at, const char* after, bool empty);
  void root_attributes(const char* at);
  void start(Element element, const char* at, bool empty);
  void begin_object(Kind kind, const char* at);
  void end_object() {
    if (builder_.end(layout_)) note_located();
  }
  void note_located();
  void push(Element element, std::string_view name, const char* at);
  void note_first_object(const char* at);
  void close_located(const char* at);
  void join_layout(const XmlReader& rest, std::size_t nodes_before);
  bool is_skipped() const { return context_ == Element::silent || context_ == Element::other; }

  Document& document_;
  Layout& layout_;
  const ReadOptions& options_;
  Scanner scanner_;
  TextPosition position_;
  XmlProblems problems_;
  ObjectBuilder builder_;

  RoleValues tag_;
  TagTemplate node_template_, way_template_, relation_template_, tag_template_, nd_template_, member_template_;
  std::vector<Attribute> attributes_;
  std::string_view name_;
  std::string scratch_;

  std::vector<Open> open_;
  std::string open_names_;
  Element context_ = Element::other;  // of the innermost open element
  bool failed_ = false, usable_ = false, root_seen_ = false, root_closed_ = false, at_start_ = true;
  bool first_object_seen_ = false;
  bool located_open_ = false;     // the end of the last located node is not known yet
  const char* blanks_ = nullptr;  // where the blanks before the current token start
  std::uint64_t object_offset_ = 0, begin_ = 0;
  Position end_;
};

}  // namespace simbatch::osm::detail
