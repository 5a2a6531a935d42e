#include "lib/sim/tree/tree.hpp"

#include <algorithm>
#include <cassert>

#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "lib/sim/tree/codes.hpp"

namespace simbatch::sim {

std::shared_ptr<const NodeType> make_type(std::string kind, std::vector<Field> fields) {
  std::size_t numbers = 0;
  for (const Field& field : fields) numbers += field.type != FieldType::text;
  return std::make_shared<const NodeType>(NodeType{std::move(kind), std::move(fields), numbers});
}

TreeNode::TreeNode(std::string name, std::shared_ptr<const NodeType> type, Source source)
    : name_(std::move(name)), type_(std::move(type)), source_(std::move(source)) {}
TreeNode::~TreeNode() = default;

std::span<double> TreeNode::values() {
  return bank_ == nullptr ? std::span<double>{} : std::span<double>(*bank_).subspan(offset_, type_->numbers);
}
std::span<const double> TreeNode::values() const {
  return bank_ == nullptr ? std::span<const double>{} : std::span<const double>(*bank_).subspan(offset_, type_->numbers);
}

void TreeNode::text(std::size_t, std::span<const double>, std::string&) const {}

TreeNode::TextMaker TreeNode::text_maker(std::size_t) const { return {}; }

TreeNode* TreeNode::register_child(std::unique_ptr<TreeNode> child, Diagnostics& problems) {
  assert(child != nullptr && child->parent_ == nullptr);
  TreeNode& node = *child;
  node.parent_ = this;
  children_.push_back(std::move(child));
  node.rename_below(name_);
  if (announce(node, problems)) return &node;
  children_.pop_back();
  return nullptr;
}

void TreeNode::rename_below(const std::string& prefix) {
  const std::string own(local_name());
  name_ = prefix.empty() ? own : prefix + "." + own;
  local_ = name_.size() - own.size();
  for (const auto& child : children_) child->rename_below(name_);
}

// The thesis' notifyChildNodeRegistered: each parent up to the root is notified.
bool TreeNode::announce(TreeNode& node, Diagnostics& problems) { return child_registered(node, problems); }
bool TreeNode::child_registered(TreeNode& child, Diagnostics& problems) {
  return parent_ == nullptr || parent_->child_registered(child, problems);
}
std::vector<double>* TreeNode::bank_of_root() { return parent_ == nullptr ? nullptr : parent_->bank_of_root(); }

void TreeNode::to_bit_stream(BitWriter& out) const {
  out.numbers(values());
  for (const auto& child : children_) child->to_bit_stream(out);
}

bool TreeNode::from_bit_stream(BitReader& in) {
  if (!in.numbers(values())) return false;
  for (const auto& child : children_)
    if (!child->from_bit_stream(in)) return false;
  return true;
}

void TreeNode::print(std::string& out, int depth, std::span<const std::string> patterns) const {
  const std::span<const double> own = values();
  const std::size_t before = out.size();
  const bool wanted = is_chosen(patterns, name_);
  if (!name_.empty()) {
    out.append(static_cast<std::size_t>(depth) * 2, ' ');
    out += name_;
    out += " (" + type_->kind + ")";
    std::size_t next = 0;
    for (std::size_t i = 0; wanted && i < type_->fields.size(); ++i) {
      const Field& field = type_->fields[i];
      if (field.type != FieldType::text && own.empty()) continue;
      out += (i == 0 ? ": " : ", ") + field.name + "=";
      if (field.type == FieldType::text) {
        std::string shown;
        text(i, own, shown);
        out += quoted(shown, 200);
      } else {
        append_number(out, own[next++]);
        if (field.unit != "1" && !field.unit.empty()) out += " " + field.unit;
      }
    }
    out += '\n';
    ++depth;
  }
  const std::size_t own_end = out.size();
  for (const auto& child : children_) child->print(out, depth, patterns);
  if (!wanted && out.size() == own_end) out.resize(before);  // nothing below it either
}

void TreeNode::visit(const std::function<void(const TreeNode&)>& use) const {
  use(*this);
  for (const auto& child : children_) child->visit(use);
}

SimulationTree::SimulationTree() : TreeNode("", make_type("Simulation", {})) {}
SimulationTree::~SimulationTree() = default;

TreeNode* SimulationTree::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

bool SimulationTree::child_registered(TreeNode& child, Diagnostics& problems) {
  // A subtree may arrive at once: no name is registered before all of them are known to be free.
  std::vector<TreeNode*> arrived;
  std::unordered_map<std::string_view, TreeNode*> names;
  bool ok = true;
  const std::function<void(TreeNode&)> collect = [&](TreeNode& node) {
    if (!is_node_name(node.local_name())) {
      ok = false;
      Diagnostics found(node.source().file);
      found.report(tree_code::kName, node.source().at,
                   quoted(node.local_name()) + " cannot be the name of a " + node.type().kind);
      problems.append(std::move(found));
    }
    TreeNode* first = find(node.name());
    if (first == nullptr) {
      const auto [at, added] = names.emplace(node.name(), &node);
      if (!added) first = at->second;
    }
    if (first != nullptr) {
      ok = false;
      Diagnostics found(node.source().file);
      found.report(
          tree_code::kDuplicate, node.source().at,
          "the name " + quoted(node.name()) + " (" + node.type().kind + ") is already taken by a " + first->type().kind);
      problems.append(std::move(found));
      Diagnostics place(first->source().file);
      place.report_as(Severity::note, tree_code::kDuplicate, first->source().at, "first used here");
      problems.append(std::move(place));
    }
    arrived.push_back(&node);
    for (const auto& below : node.children_) collect(*below);
  };
  collect(child);
  if (!ok) return false;
  for (TreeNode* node : arrived) {
    node->bank_ = &numbers_;
    node->offset_ = numbers_.size();
    numbers_.resize(numbers_.size() + node->type().numbers, 0.0);
    nodes_.push_back(node);
    by_name_.emplace(node->name(), node);
  }
  return true;
}

std::string SimulationTree::printed(std::span<const std::string> patterns) const {
  std::string out;
  print(out, 0, patterns);
  return out;
}

bool is_node_name(std::string_view name) {
  if (name.empty() || find_invalid_utf8(name) != std::string_view::npos) return false;
  for (const char c : name)
    if (c == '.' || static_cast<unsigned char>(c) <= ' ' || c == 0x7f) return false;
  return true;
}

bool glob_matches(std::string_view pattern, std::string_view name) {
  // Greedy matching that backtracks to the last star only (own). O(pattern * name) at worst.
  std::size_t p = 0, n = 0, star = std::string_view::npos, retry = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      retry = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++retry;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool is_chosen(std::span<const std::string> patterns, std::string_view name) {
  return patterns.empty() ||
         std::any_of(patterns.begin(), patterns.end(), [name](const std::string& p) { return glob_matches(p, name); });
}

}  // namespace simbatch::sim
