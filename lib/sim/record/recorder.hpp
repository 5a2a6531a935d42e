#pragma once
/// Copies values of the simulation tree to traces and recordings.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/trace/write.hpp"
#include "lib/sim/simulation.hpp"

namespace simbatch::sim {

/// The nodes of the tree in a trace: those with values whose names match one of the patterns (none: all), in the order of
/// registration.
std::vector<const TreeNode*> traced_nodes(const SimulationTree& tree, const std::vector<std::string>& patterns);

/// Describes the nodes for a trace's header.
std::vector<trace::Device> trace_devices(const std::vector<const TreeNode*>& nodes);

/// Copies the values of nodes into rows.
class RowGatherer {
 public:
  RowGatherer(const SimulationTree& tree, const std::vector<const TreeNode*>& nodes);
  /// Reads the tree. The spans below show the row until the next call. No allocation after the first.
  void gather();
  std::span<const double> numbers() const { return numbers_; }
  /// Lets `writer` make the texts where it can, and where they need nothing but numbers: texts() is empty from then on. For a
  /// gatherer whose rows go to this writer alone.
  void leave_texts_to(trace::Writer& writer);
  std::span<const std::string_view> texts() const { return texts_; }

 private:
  struct Run {  // numbers that are contiguous in the bank
    std::size_t offset, count;
  };
  struct Text {
    const TreeNode* node;
    std::size_t field;
    std::size_t place;  // of the node's first number in a row
  };
  const SimulationTree& tree_;
  std::vector<Run> runs_;
  std::vector<Text> text_fields_;
  std::vector<double> copied_;
  std::span<const double> numbers_;
  std::vector<std::string> buffers_;
  std::vector<std::string_view> texts_;
};

}  // namespace simbatch::sim
