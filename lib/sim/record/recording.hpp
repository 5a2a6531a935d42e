#pragma once
/// Binary recordings: the tree's bit stream, step after step (docs/formats/trace.md, "Recordings").

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/atomic_file.hpp"
#include "base/core/diagnostics.hpp"
#include "formats/trace/trace.hpp"
#include "lib/sim/tree/tree.hpp"

namespace simbatch::sim {

/// Precedes the steps. The steps themselves contain no metadata: reading them requires the tree built from the same scenario,
/// and `tree` verifies that it is the same.
struct RecordingHeader {
  std::string scenario;  ///< file name without folder
  std::uint64_t seed = 0;
  double dt = 0;           ///< s
  std::int64_t every = 1;  ///< steps per frame, from step 0 on
  std::uint64_t tree = 0;  ///< tree_fingerprint
  std::uint64_t frame_bytes = 0;
  std::vector<std::string> devices = {};  ///< patterns of the nodes that are recorded; empty: all
};

/// The nodes of a recording, depth first: those whose names match one of the patterns (none: all).
std::vector<const TreeNode*> recorded_nodes(const SimulationTree& tree, const std::vector<std::string>& patterns);

/// Hash over names, kinds and fields of the recorded nodes: equal for trees with compatible frames.
std::uint64_t tree_fingerprint(const SimulationTree& tree, const std::vector<std::string>& patterns = {});

/// Writes a recording; the file appears only on finish().
class RecordingWriter {
 public:
  /// @param description  what the frames are, for readers without the scenario; its devices are replaced by the recorded nodes
  /// @throws IoError
  RecordingWriter(const std::string& path, const SimulationTree& tree, RecordingHeader header,
                  std::optional<trace::Header> description = {});
  /// Appends the same bytes as SimulationTree::to_bit_stream for the recorded nodes, by a precomputed plan.
  void frame();
  /// A state hash, for the description.
  void hash(trace::HashPoint point) { hashes_.push_back(point); }
  /// @param end  of the run, for the description
  void finish(const trace::End& end = {});

 private:
  struct Run {  // numbers that are contiguous in the bank, in depth-first order
    std::size_t offset, count;
  };
  const SimulationTree& tree_;
  AtomicFile file_;
  std::vector<Run> runs_;
  std::string buffer_;
  std::uint64_t frames_ = 0;
  std::optional<trace::Header> description_;
  std::vector<std::uint64_t> places_;  // of the description's devices: of the first number in a frame
  std::vector<trace::HashPoint> hashes_;
};

/// What the frames of a recording are.
struct RecordingDescription {
  trace::Trace head;                  ///< header with the recorded nodes, hashes and end; no rows
  std::vector<std::uint64_t> places;  ///< by device: of its first number in a frame, counted in numbers
};

/// A recording in memory (or mapped); frames are views.
struct RecordingView {
  RecordingHeader header;
  std::uint64_t frames = 0;
  std::string_view data;
  std::optional<RecordingDescription> description;  ///< absent: of an older recording
  std::string_view frame(std::uint64_t index) const { return data.substr(index * header.frame_bytes, header.frame_bytes); }
};
/// Whether a file starts as recordings do.
bool is_recording(std::string_view bytes);
/// @param bytes  must outlive the view
Parsed<RecordingView> read_recording(std::string_view bytes, const std::string& file_name);

/// Restores a frame into the tree. @param nodes  recorded_nodes() of the recording's header @return false if the frame's size
/// does not match these nodes
bool restore_frame(std::string_view frame, SimulationTree& tree, const std::vector<const TreeNode*>& nodes);

/// Nodes as a JSON object of name -> {"kind","values":{field:value}}, in their order.
std::string nodes_json(const std::vector<const TreeNode*>& nodes);
/// All nodes, in the order of printing.
inline std::string tree_json(const SimulationTree& tree) { return nodes_json(recorded_nodes(tree, {})); }

}  // namespace simbatch::sim
