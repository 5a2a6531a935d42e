#pragma once
/// Pieces of XML text.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "formats/osm/node_sink.hpp"
#include "formats/osm/osm.hpp"

namespace simbatch::osm::detail {

/// Appends text for a value within `quote`s: & < > and quotes as entities, tab and line ends by number, so that they come back
/// unchanged. Characters not allowed in XML (other control bytes, invalid UTF-8) become U+FFFD.
void append_escaped(std::string& out, std::string_view text, char quote = '"');
/// Appends 10^-7 degrees as degrees without trailing zeros: "-31.9834034", "0", "115.5".
void append_degrees(std::string& out, std::int32_t e7);
void append_integer(std::string& out, std::int64_t value);
/// The same into a buffer with room for 12 bytes. @return one past the last
char* put_degrees(char* to, std::int32_t e7);

/// Prints ids of which most follow the one before: then only the last two digits change.
class IdPrinter {
 public:
  /// @param to  room for 24 bytes @return one past the last
  char* put(char* to, Id id);

 private:
  void print_hundreds(Id hundreds);
  Id hundreds_ = 0;
  std::array<char, 24> digits_{};  // of the hundreds
  std::size_t size_ = 0;
};

/// Formatting of a new node.
struct NodeStyle {
  std::string indent = "  ";
  std::string newline = "\n";
  char quote = '"';
  bool versions = true;  ///< version="1" for positive ids
};
/// Appends a node from its `<` to its `>`.
void append_node(std::string& out, const NodeStyle& style, Id id, LatLon at, std::span<const TagText> tags);
/// The same of a way.
void append_way(std::string& out, const NodeStyle& style, Id id, std::span<const Id> nodes, std::span<const TagText> tags);
/// Appends a node's tags, each on a line of its own, up to and with the line end and indentation before "</node>".
void append_tags(std::string& out, const NodeStyle& style, std::span<const TagText> tags);

}  // namespace simbatch::osm::detail
