#pragma once
/// The simulation tree (thesis 4.1-4.4): every robot, part, link and device is a node with a fully qualified name.
///
/// A node's state is numbers, kept in one array of the root (the bank) in the order in which the nodes were registered, so that
/// a recorder can copy or a hash can cover the whole world with one call. A text that a node shows (an NMEA sentence) is a
/// function of its numbers, so the bit stream need not carry it.
///
/// Deviation from the thesis: its root keeps a sorted map; ours a hash table, which is never iterated.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "lib/sim/tree/bit_stream.hpp"

namespace simbatch::sim {

/// Position of a node's description, for messages. Line 0: not from a file.
struct Source {
  std::string file;
  Position at;
};

enum class FieldType {
  number,
  integer,  ///< stored as a double, exact up to 2^53
  text,     ///< not stored: TreeNode::text() makes it from the node's numbers
};

/// One value of a node.
struct Field {
  std::string name;   ///< of this node: "distance"; unique in it
  std::string unit;   ///< SI ("m", "rad/s"), or "1" for a dimensionless number, "" for text
  std::string frame;  ///< "W" world, "B" body, "G" geographic, "" if not applicable
  FieldType type = FieldType::number;
};

/// Properties common to all nodes of a kind; shared between them.
struct NodeType {
  std::string kind;  ///< the XML element's name ("PSDSensor"), or a name chosen by a participant
  std::vector<Field> fields;
  std::size_t numbers = 0;  ///< number of fields that are not text; set by make_type
};
std::shared_ptr<const NodeType> make_type(std::string kind, std::vector<Field> fields);

class SimulationTree;

/// A member of the tree.
class TreeNode {
 public:
  /// @param name  of this node alone ("psd0"); registering puts the parent's name and a dot before it
  TreeNode(std::string name, std::shared_ptr<const NodeType> type, Source source = {});
  virtual ~TreeNode();
  TreeNode(const TreeNode&) = delete;
  TreeNode& operator=(const TreeNode&) = delete;

  /// Fully qualified once registered: "impreza.chassis.psd0".
  const std::string& name() const { return name_; }
  std::string_view local_name() const { return std::string_view(name_).substr(local_); }
  const NodeType& type() const { return *type_; }
  const Source& source() const { return source_; }
  TreeNode* parent() const { return parent_; }
  std::span<const std::unique_ptr<TreeNode>> children() const { return children_; }

  /// Makes `child` (and everything below it) part of this node: renames it to "<this>.<child>" and notifies all nodes up to the
  /// root, which registers the name and gives the child its numbers, all 0. May be called before this node is itself
  /// registered.
  /// A name that exists already is an error with a note at the first one's position; the child is then discarded.
  /// @return the child, or nullptr after an error
  TreeNode* register_child(std::unique_ptr<TreeNode> child, Diagnostics& problems);

  /// This node's numbers: its fields that are not text, in their order. Empty until the node is below a root.
  /// The span is valid until the next registration; keep values_offset() for longer.
  std::span<double> values();
  std::span<const double> values() const;
  /// Offset of the first number in the root's bank().
  std::size_t values_offset() const { return offset_; }

  /// Appends the text of field number `field` (of all fields), made from values. Must not depend on anything that
  /// changes during a run. The default appends nothing.
  virtual void text(std::size_t field, std::span<const double> values, std::string& out) const;
  /// Appends what text() does, without the node: may be called by any thread, and after the node is gone. Empty if the text needs
  /// more than the values.
  using TextMaker = std::function<void(std::span<const double> values, std::string& out)>;
  virtual TextMaker text_maker(std::size_t field) const;

  /// Appends this node's numbers, then its children's, in the order of registration.
  void to_bit_stream(BitWriter& out) const;
  /// Reads the same numbers from the front. @return false if there are too few bytes
  bool from_bit_stream(BitReader& in);
  /// Appends this node's name, kind and values, then its children's, each on a line, two blanks deeper.
  /// @param patterns  of the names to print; others are printed, without values, only as ancestors of those. None: all
  void print(std::string& out, int depth = 0, std::span<const std::string> patterns = {}) const;
  /// Calls `use` for this node, then for its children.
  void visit(const std::function<void(const TreeNode&)>& use) const;

 private:
  friend class SimulationTree;
  virtual bool child_registered(TreeNode& child, Diagnostics& problems);
  void rename_below(const std::string& prefix);
  bool announce(TreeNode& node, Diagnostics& problems);
  virtual std::vector<double>* bank_of_root();

  std::string name_;
  std::size_t local_ = 0;  // start of the node's own name in name_
  std::shared_ptr<const NodeType> type_;
  Source source_;
  TreeNode* parent_ = nullptr;
  std::vector<double>* bank_ = nullptr;
  std::size_t offset_ = 0;
  std::vector<std::unique_ptr<TreeNode>> children_;
};

/// The root: it has no name, so that names start with the robot's.
class SimulationTree final : public TreeNode {
 public:
  SimulationTree();
  ~SimulationTree() override;

  /// The node of that fully qualified name, or nullptr. O(1).
  TreeNode* find(std::string_view name) const;
  /// All nodes, in the order of registration, without the root.
  std::span<TreeNode* const> nodes() const { return nodes_; }
  /// All numbers of all nodes, in the order of registration.
  std::span<double> bank() { return numbers_; }
  std::span<const double> bank() const { return numbers_; }
  /// Nodes that are registered from now on only show what there is: they are no part of the state, of its hash and of
  /// recordings.
  void end_state() { state_numbers_ = std::min(state_numbers_, numbers_.size()); }
  /// The numbers of nodes that are part of the state.
  std::span<const double> state() const { return std::span(numbers_).first(std::min(state_numbers_, numbers_.size())); }
  bool is_state(const TreeNode& node) const { return node.type().numbers == 0 || node.values_offset() < state_numbers_; }

  /// All nodes, or those whose names match one of the patterns, below their ancestors (without values).
  std::string printed(std::span<const std::string> patterns = {}) const;
  /// Bytes of to_bit_stream: 8 for each number.
  std::size_t bit_stream_size() const { return numbers_.size() * sizeof(double); }

 private:
  bool child_registered(TreeNode& child, Diagnostics& problems) override;
  std::vector<double>* bank_of_root() override { return &numbers_; }

  std::vector<double> numbers_;
  std::size_t state_numbers_ = SIZE_MAX;
  std::vector<TreeNode*> nodes_;
  std::unordered_map<std::string_view, TreeNode*> by_name_;  // keys are views of the nodes' names
};

/// True if `name` may be a node's own name: not empty, no dot, no blank or control character, valid UTF-8.
bool is_node_name(std::string_view name);

/// True if a fully qualified name matches a pattern of `*` (any run of characters, dots included) and `?` (one byte).
bool glob_matches(std::string_view pattern, std::string_view name);
/// True if a name matches one of these patterns, or there are none: then every name is chosen.
bool is_chosen(std::span<const std::string> patterns, std::string_view name);

}  // namespace simbatch::sim
