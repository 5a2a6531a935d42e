#include "lib/sim/device/device_node.hpp"

#include <algorithm>
#include <cstring>

namespace simbatch::sim {
namespace {

void append_line(DeviceNode::TextFunction text, std::span<const double> values, std::string& out) {
  text(values, out);
  // A line end is for programs, which read lines; in a table it would split the row.
  while (out.ends_with('\r') || out.ends_with('\n')) out.pop_back();
}

}  // namespace

DeviceNode::DeviceNode(std::string name, std::shared_ptr<const NodeType> type, Source source, std::vector<DeviceInput> inputs,
                       std::size_t shared, TextFunction text_function)
    : TreeNode(std::move(name), std::move(type), std::move(source)),
      inputs_(std::move(inputs)),
      needed_(inputs_.size()),
      shared_(shared),
      text_(text_function) {}

std::size_t DeviceNode::find_input(std::string_view field) const {
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    if (type().fields[i].name == field) return i;
  return npos;
}

void DeviceNode::set(std::size_t input, double value) {
  const DeviceInput& range = inputs_[input];
  values()[input] = std::clamp(range.noisy ? value + noise_.next() : value, range.lower, range.upper);
}

std::size_t DeviceNode::data_size() const {
  if (text_ == nullptr) return shared_ * sizeof(float);
  std::string text;
  text_(values(), text);
  return text.size() + 1;
}

DeviceError DeviceNode::get_data(void* data, std::size_t size) const {
  if (text_ != nullptr) {
    std::string text;
    text_(values(), text);
    if (size < text.size() + 1) return DeviceError::data_size_mismatch;
    std::memcpy(data, text.c_str(), text.size() + 1);
    return DeviceError::none;
  }
  if (size != shared_ * sizeof(float)) return DeviceError::data_size_mismatch;
  const std::span<const double> own = values();
  for (std::size_t i = 0; i < shared_; ++i) {
    const auto value = static_cast<float>(own[i]);
    std::memcpy(static_cast<char*>(data) + i * sizeof value, &value, sizeof value);
  }
  return DeviceError::none;
}

DeviceError DeviceNode::set_data(const void* data, std::size_t size) {
  if (inputs_.empty()) return DeviceError::invalid_operation;
  const std::size_t count = size / sizeof(float);
  if (size % sizeof(float) != 0 || count < needed_ || count > inputs_.size()) return DeviceError::data_size_mismatch;
  for (std::size_t i = 0; i < count; ++i) {
    float value = 0;
    std::memcpy(&value, static_cast<const char*>(data) + i * sizeof value, sizeof value);
    if (value == value) set(i, static_cast<double>(value));  // a NaN is ignored
  }
  return DeviceError::none;
}

void DeviceNode::text(std::size_t, std::span<const double> values, std::string& out) const {
  if (text_ != nullptr) append_line(text_, values, out);
}

TreeNode::TextMaker DeviceNode::text_maker(std::size_t) const {
  if (text_ == nullptr) return {};
  return [function = text_](std::span<const double> values, std::string& out) { append_line(function, values, out); };
}

}  // namespace simbatch::sim
