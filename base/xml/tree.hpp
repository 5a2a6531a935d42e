#pragma once
/// Where the elements of an XML text are, and what is written in their tags. Internal to base/xml.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "base/xml/xml.hpp"

namespace simbatch::xml::detail {

/// An element of a text. Offsets in bytes.
struct Node {
  std::uint32_t begin = 0, end = 0;  ///< from its `<` until after its last `>`
  std::uint32_t parent = 0;
  std::uint32_t after = 0;  ///< index of the first node that is not inside
};

/// The value of an attribute whose written form differs from it.
struct Decoded {
  std::uint32_t at = 0;                ///< offset of the written value in the text
  std::uint32_t begin = 0, bytes = 0;  ///< in Tree::decoded
};

/// The elements of a text in document order, after a node for the document.
struct Tree {
  std::vector<Node> nodes;
  std::vector<Decoded> values;  ///< ascending
  std::string decoded;

  /// First child, next sibling; 0 if there is none.
  std::uint32_t first_child(std::uint32_t node) const { return sibling(node + 1, node); }
  std::uint32_t next(std::uint32_t node) const { return sibling(nodes[node].after, nodes[node].parent); }

 private:
  std::uint32_t sibling(std::uint32_t index, std::uint32_t parent) const {
    return index < nodes.size() && nodes[index].parent == parent ? index : 0;
  }
};

/// Goes through the attributes of a start tag.
class Attributes {
 public:
  /// @param begin  offset of the tag's `<`
  Attributes(std::string_view text, std::size_t begin);
  bool next();
  std::string_view name() const { return text_.substr(name_, name_end_ - name_); }
  std::string_view written() const { return text_.substr(value_, value_end_ - value_); }
  std::size_t value_at() const { return value_; }
  /// Once next() is false: offset of the content; npos if the tag is that of an empty element.
  std::size_t content() const;

 private:
  std::string_view text_;
  std::size_t at_, name_ = 0, name_end_ = 0, value_ = 0, value_end_ = 0;
};

/// Name of the element whose `<` is there.
std::string_view name_at(std::string_view text, std::size_t begin);

/// Number of UTF-8 bytes of a reference's character (`&lt;`, `&#228;`).
std::size_t decoded_size(std::string_view reference);
enum class Written { attribute, content, cdata };
/// Appends text as an XML processor passes it on (XML 1.0, sections 2.11, 3.3.3, 4.6): line ends and, except in CDATA,
/// references are replaced; in attributes, all literal blanks become spaces.
void append_decoded(std::string& out, std::string_view written, Written kind);

/// The text in UTF-8, if it is in one of the other encodings that Expat reads.
std::optional<std::string> to_utf8(std::string_view text);

/// True if the text is well-formed and within the limits; otherwise the first violation is reported.
/// @param encoding  instead of what the text declares, if not null
/// @param tree      receives the elements of a text in UTF-8
bool scan(std::string_view text, const char* encoding, const Limits& limits, Tree& tree, Diagnostics& diagnostics);

}  // namespace simbatch::xml::detail
