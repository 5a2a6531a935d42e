#include "lib/sim/record/recorder.hpp"

#include <cstring>

namespace simbatch::sim {

std::vector<const TreeNode*> traced_nodes(const SimulationTree& tree, const std::vector<std::string>& patterns) {
  std::vector<const TreeNode*> nodes;
  for (const TreeNode* node : tree.nodes()) {
    if (node->type().fields.empty()) continue;
    if (is_chosen(patterns, node->name())) nodes.push_back(node);
  }
  return nodes;
}

std::vector<trace::Device> trace_devices(const std::vector<const TreeNode*>& nodes) {
  std::vector<trace::Device> devices;
  for (const TreeNode* node : nodes) {
    trace::Device& device = devices.emplace_back(trace::Device{node->name(), node->type().kind, {}});
    for (const Field& field : node->type().fields) {
      trace::FieldType type = trace::FieldType::number;
      if (field.type == FieldType::integer) type = trace::FieldType::integer;
      if (field.type == FieldType::text) type = trace::FieldType::text;
      device.fields.push_back({field.name, field.unit, field.frame, type});
    }
  }
  return devices;
}

RowGatherer::RowGatherer(const SimulationTree& tree, const std::vector<const TreeNode*>& nodes) : tree_(tree) {
  std::size_t total = 0;
  for (const TreeNode* node : nodes) {
    const std::size_t count = node->type().numbers;
    if (!runs_.empty() && runs_.back().offset + runs_.back().count == node->values_offset())
      runs_.back().count += count;
    else if (count > 0)
      runs_.push_back({node->values_offset(), count});
    total += count;
    for (std::size_t i = 0; i < node->type().fields.size(); ++i)
      if (node->type().fields[i].type == FieldType::text) text_fields_.push_back({node, i, total - count});
  }
  if (runs_.size() > 1) copied_.resize(total);
  buffers_.resize(text_fields_.size());
  texts_.resize(text_fields_.size());
}

void RowGatherer::leave_texts_to(trace::Writer& writer) {
  struct Late {
    TreeNode::TextMaker make;
    std::size_t place, count;
  };
  std::vector<Late> late;
  for (const Text& text : text_fields_) {
    late.push_back({text.node->text_maker(text.field), text.place, text.node->type().numbers});
    if (!late.back().make) return;
  }
  if (late.empty()) return;
  const auto make = [late = std::move(late)](std::span<const double> numbers, std::size_t text, std::string& out) {
    late[text].make(numbers.subspan(late[text].place, late[text].count), out);
  };
  if (!writer.make_texts(make)) return;
  text_fields_.clear();
  texts_.clear();
}

void RowGatherer::gather() {
  const std::span<const double> bank = tree_.bank();
  if (runs_.size() <= 1) {
    numbers_ = runs_.empty() ? std::span<const double>{} : bank.subspan(runs_[0].offset, runs_[0].count);
  } else {
    double* to = copied_.data();
    for (const Run& run : runs_) {
      std::memcpy(to, bank.data() + run.offset, run.count * sizeof(double));
      to += run.count;
    }
    numbers_ = copied_;
  }
  for (std::size_t i = 0; i < text_fields_.size(); ++i) {
    buffers_[i].clear();
    text_fields_[i].node->text(text_fields_[i].field, text_fields_[i].node->values(), buffers_[i]);
    texts_[i] = buffers_[i];
  }
}

}  // namespace simbatch::sim
