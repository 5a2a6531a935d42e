#pragma once
/// Interface for adding new nodes to a file.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/osm/file_type.hpp"
#include "formats/osm/osm.hpp"

namespace simbatch::osm {

/// A tag of a new node, as text without entities.
struct TagText {
  std::string_view key, value;
};

/// Receives new nodes, and new ways where these are inserted, one by one.
class NodeSink {
 public:
  virtual ~NodeSink() = default;
  virtual void node(Id id, LatLon at, std::span<const TagText> tags) = 0;
  virtual void way(Id id, std::span<const Id> nodes, std::span<const TagText> tags) = 0;
  /// Prepares tags for many nodes that differ in the value of one tag. @param varying  index of that tag; its value here is
  /// ignored @return a number for the other node()
  virtual std::size_t prepare(std::span<const TagText> tags, std::size_t varying);
  /// The same as node(id, at, tags) with `value` for the varying tag, several times faster.
  virtual void node(Id id, LatLon at, std::size_t prepared, std::string_view value);

 private:
  struct Prepared {
    std::vector<std::pair<std::string, std::string>> tags;
    std::size_t varying = 0;
  };
  std::vector<Prepared> prepared_;
};

struct PassThroughOptions {
  /// Sets upload="false" on <osm>: invented data must never reach the database.
  bool set_upload_false = true;
  /// Omits the nodes and ways of Layout::located.
  bool drop_located = false;
  /// If given, called once where new ways belong: before the first way or relation, after the new nodes.
  std::function<void(NodeSink&)> new_ways;
  /// Type of the output; by default that of its name.
  std::optional<FileType> type;
  /// Called periodically with the offset in an XML input's (decompressed) text before which everything was written: that part
  /// is not read again.
  std::function<void(std::uint64_t)> passed;
};

}  // namespace simbatch::osm
