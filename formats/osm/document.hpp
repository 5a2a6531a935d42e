#pragma once
/// Results of reading an OSM file other than the model, and the options of reading.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "formats/osm/file_type.hpp"
#include "formats/osm/osm.hpp"

namespace simbatch {
class Workers;
}

namespace simbatch::osm {

/// Half of the machine's physical memory (bytes).
std::size_t half_of_memory();

struct ReadOptions {
  /// Keep only tags with these keys; empty = all. Tags that are not kept are still checked, and cost no memory.
  std::vector<std::string> keep_keys;
  /// Record the positions of nodes and ways with this tag in the file (Layout::located), for programs to find their earlier output.
  /// Empty = none. The key need not be among keep_keys.
  std::string locate_key;
  /// Objects with action='delete' (JOSM) or visible='false' are left out of the model, and counted. True keeps them.
  bool keep_deleted = false;
  /// Also report legal and common but noteworthy features (unsorted ids, several bounds, odd time stamps, rounded digits, ...),
  /// as notes with counts.
  bool remarks = false;
  /// If given, a large uncompressed XML text is read in two parts concurrently. The result is the same.
  Workers* workers = nullptr;
  /// Largest size of the model in memory (bytes); by default half of the machine's memory. A compressed file can contain a
  /// thousand times its own size: reading stops with osm-memory before the machine runs out of memory.
  std::size_t max_model_bytes = half_of_memory();
};

/// A range of bytes of the (decompressed) text.
struct Range {
  std::uint64_t begin = 0, end = 0;
  std::uint64_t size() const { return end - begin; }
  friend bool operator==(const Range&, const Range&) = default;
};

/// Positions in the text of an XML file, for the pass-through writer. Offsets are in the decompressed text.
struct Layout {
  std::uint64_t upload_at = 0;  ///< after the version attribute: insertion point of an upload attribute
  bool root_is_empty = false;   ///< `<osm .../>`: nothing inside
  Range root_close;             ///< `</osm>`, or the "/>" of an empty root
  Range upload;                 ///< value of the upload attribute of the root, without quotes; begin is 0 if there is none
  std::string upload_value;     ///< that value; empty if there is no such attribute
  std::uint64_t insert_at = 0;  ///< the `<` of the first node, way or relation; else of `</osm>`
  std::uint64_t ways_at = 0;    ///< the `<` of the first way or relation; else of `</osm>`
  std::string indent;           ///< blanks between the line's start and insert_at
  std::string newline;          ///< "\n" or "\r\n"
  char quote = '"';             ///< of the first attribute of the root
  /// Nodes and ways with ReadOptions::locate_key: from their `<` to the next `<` (so that trailing blanks belong to them).
  std::vector<Range> located;
  /// The nodes' numbers in the model, ascending (deleted ones have none), and their ids in the file's order. Also for PBF.
  std::vector<std::uint32_t> located_nodes;
  std::vector<Id> located_ids;
  std::vector<Id> located_ways;  ///< ids of the ways, in the file's order; also for PBF
  std::uint64_t size = 0;        ///< of the whole text
  friend bool operator==(const Layout&, const Layout&) = default;
};

/// Facts about a file beyond the model: for `info` and `check`, and for choosing new ids.
struct Facts {
  std::array<std::uint64_t, 3> objects{};            ///< by Kind, deleted ones too
  std::array<std::uint64_t, 3> deleted{};            ///< by Kind: action='delete' or visible='false'
  std::array<Id, 3> lowest_id{}, highest_id{};       ///< by Kind, deleted ones too; 0 if there is none
  Id lowest_other_node = 0, highest_other_node = 0;  ///< the same for nodes without those of Layout::located
  Id lowest_other_way = 0;                           ///< the same for ways
  std::array<std::uint64_t, 3> dangling{};           ///< references to absent objects, by Kind
  std::uint64_t tags = 0;                            ///< all, kept or not
  std::uint64_t longer_digits = 0;                   ///< coordinates with more than 7 decimals that were rounded
  bool sorted = true;                                ///< nodes, ways, relations in this order, ids in osmium's order
  bool nodes_first = true;                           ///< no node after a way or relation
  std::uint64_t text_bytes = 0;                      ///< decompressed
};

struct Document {
  Model model;    ///< its index is built
  Layout layout;  ///< XML only, except located_nodes and located_ids
  Facts facts;
  FileType type;
};

}  // namespace simbatch::osm
