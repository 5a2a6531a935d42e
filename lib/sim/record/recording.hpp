#pragma once
/// Binary recordings: the tree's bit stream, step after step (docs/formats/trace.md, "Recordings").

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/atomic_file.hpp"
#include "base/core/diagnostics.hpp"
#include "lib/sim/tree/tree.hpp"

namespace simbatch::sim {

/// Precedes the steps. The steps themselves carry no metadata: reading them takes the tree that the same
/// scenario builds, and `tree` shows whether it is the same.
struct RecordingHeader {
  std::string scenario;  ///< file name without folder
  std::uint64_t seed = 0;
  double dt = 0;           ///< s
  std::int64_t every = 1;  ///< steps per frame, from step 0 on
  std::uint64_t tree = 0;  ///< tree_fingerprint
  std::uint64_t frame_bytes = 0;
};

/// Hash over names, kinds and fields of all nodes: equal for trees whose bit streams mean the same.
std::uint64_t tree_fingerprint(const SimulationTree& tree);

/// Writes a recording; it appears under its name only with finish().
class RecordingWriter {
 public:
  /// @throws IoError
  RecordingWriter(const std::string& path, const SimulationTree& tree, RecordingHeader header);
  /// Appends what SimulationTree::to_bit_stream would append, by a plan that is made once.
  void frame();
  void finish();

 private:
  struct Run {  // numbers that are contiguous in the bank, in depth-first order
    std::size_t offset, count;
  };
  const SimulationTree& tree_;
  AtomicFile file_;
  std::vector<Run> runs_;
  std::string buffer_;
  std::uint64_t frames_ = 0;
};

/// A recording in memory (or mapped); frames are views.
struct RecordingView {
  RecordingHeader header;
  std::uint64_t frames = 0;
  std::string_view data;
  std::string_view frame(std::uint64_t index) const { return data.substr(index * header.frame_bytes, header.frame_bytes); }
};
/// @param bytes  must outlive the view
Parsed<RecordingView> read_recording(std::string_view bytes, const std::string& file_name);

/// The tree as a JSON object of name -> {"kind","values":{field:value}}, in the order of printing.
std::string tree_json(const SimulationTree& tree);

}  // namespace simbatch::sim
