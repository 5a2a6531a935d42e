#pragma once
/// Writing OSM files: whole models, and new nodes put into an existing file that otherwise stays as it is.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/core/atomic_file.hpp"
#include "base/core/diagnostics.hpp"
#include "formats/osm/osm.hpp"
#include "formats/osm/read.hpp"

namespace simbatch::osm {

struct WriteOptions {
  std::string generator = "simbatch";  ///< written as <osm generator=...>, instead of the model's
};

/// The canonical XML of a model: two blanks of indentation, double quotes, at most 7 decimals. Authors, versions and time
/// stamps are not in a model and not in the output; positive ids get version="1" in 0.6 (JOSM demands one).
std::string write_xml(const Model& model, const WriteOptions& options = {});
/// Writes a model to a file, atomically, in the type of its name (.osm, .osm.gz, .osm.bz2, .osm.pbf).
/// @throws IoError
void write_file(const Model& model, const std::string& file, const WriteOptions& options = {});

/// A tag of a new node, as text without entities.
struct TagText {
  std::string_view key, value;
};

/// Takes new nodes, one by one.
class NodeSink {
 public:
  virtual ~NodeSink() = default;
  virtual void node(Id id, LatLon at, std::span<const TagText> tags) = 0;
  /// Makes tags ready for many nodes that differ in the value of one of them.
  /// @param varying  which one; its value here does not count
  /// @return a number for the other node()
  virtual std::size_t prepare(std::span<const TagText> tags, std::size_t varying);
  /// The same as node(id, at, tags) with `value` as the varying tag's, several times as fast.
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
  /// Leaves out the nodes of Layout::located.
  bool drop_located = false;
  /// Type of the output; by default that of its name.
  std::optional<FileType> type;
  /// Told now and then up to which byte of an XML input's (decompressed) text all has been written: it is not read again.
  std::function<void(std::uint64_t)> passed;
};

/// Copies a file and puts new nodes before its first node, way or relation. In an XML file every other byte stays as it
/// was (but for upload="false" and the located nodes, if asked for); a PBF file is decoded and encoded by libosmium, all
/// of its objects' data is kept. Between XML and PBF libosmium converts: only 0.6, and attributes of <osm> are lost.
/// Input and output may be the same file; the output is complete or untouched.
///
/// @param input   what `document` was read from (`read(input)`), still open
/// @param output  `-` is standard output
/// @param new_nodes  called once, writes all new nodes in the order they shall have; their ids ascend in osmium's order
///                   (-1, -2, ...) for a file that is to stay sorted
/// @return problems: when the kind cannot be converted
/// @throws IoError
Diagnostics pass_through(const Input& input, const Document& document, const std::string& output,
                         const PassThroughOptions& options, const std::function<void(NodeSink&)>& new_nodes);

/// The same into a file that is opened already. The caller commits it; if there are problems, there is nothing to commit.
Diagnostics pass_through(const Input& input, const Document& document, AtomicFile& output, const PassThroughOptions& options,
                         const std::function<void(NodeSink&)>& new_nodes);

/// The same for an XML text in memory: the new text.
std::string pass_through_text(std::string_view text, const Layout& layout, Version version, const PassThroughOptions& options,
                              const std::function<void(NodeSink&)>& new_nodes);

}  // namespace simbatch::osm
