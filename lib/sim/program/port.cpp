#include "lib/sim/program/port.hpp"

#include <algorithm>

namespace simbatch::sim {

std::shared_ptr<ProgramBoard> ProgramBoard::of(Simulation& simulation) {
  if (simulation.programs() == nullptr) simulation.set_programs(std::make_shared<ProgramBoard>());
  return simulation.programs();
}

ProgramPort::ProgramPort(ProgramPort&& other) noexcept
    : simulation_(other.simulation_),
      board_(std::move(other.board_)),
      robot_(std::move(other.robot_)),
      held_(std::exchange(other.held_, nullptr)),
      size_(other.size_),
      pixels_(std::move(other.pixels_)) {}

DeviceNode* ProgramPort::find(std::string_view device, DeviceError& error) {
  TreeNode* node = simulation_->tree().find(device);
  if (node == nullptr) {
    const TreeNode* robot = simulation_->tree().find(device.substr(0, device.find('.')));
    error = robot == nullptr ? DeviceError::unknown_robot : DeviceError::unknown_device;
    return nullptr;
  }
  auto* found = dynamic_cast<DeviceNode*>(node);
  error = found == nullptr ? DeviceError::invalid_device : DeviceError::none;
  return found;
}

DeviceError ProgramPort::get_data(std::string_view device, void* data, std::int64_t size) {
  DeviceError error = DeviceError::none;
  const DeviceNode* node = find(device, error);
  if (node == nullptr) return error;
  if (size < 0 || (data == nullptr && size > 0)) return DeviceError::data_size_mismatch;
  return node->get_data(data, static_cast<std::size_t>(size));
}

DeviceError ProgramPort::set_data(std::string_view device, const void* data, std::int64_t size) {
  DeviceError error = DeviceError::none;
  DeviceNode* node = find(device, error);
  if (node == nullptr) return error;
  if (node->inputs().empty()) return DeviceError::invalid_operation;
  if (size < 0 || (data == nullptr && size > 0)) return DeviceError::data_size_mismatch;
  error = node->set_data(data, static_cast<std::size_t>(size));
  if (error == DeviceError::none) ++board_->settings_;
  return error;
}

unsigned ProgramPort::status(std::string_view device) {
  DeviceError error = DeviceError::none;
  const DeviceNode* node = find(device, error);
  if (node == nullptr) return static_cast<unsigned>(DeviceStatus::invalid);
  if (board_->is_held(*node)) return static_cast<unsigned>(DeviceStatus::blocked);
  auto status = static_cast<unsigned>(DeviceStatus::ready);
  if (node->inputs().empty()) {
    if (node->type().kind != "Camera") status |= static_cast<unsigned>(DeviceStatus::active);
    return status;
  }
  const auto inputs = node->values().first(node->inputs().size());
  if (std::any_of(inputs.begin(), inputs.end(), [](double value) { return value != 0; }))
    status |= static_cast<unsigned>(DeviceStatus::active);
  if (board_->all_ended(device.substr(0, device.find('.')))) status |= static_cast<unsigned>(DeviceStatus::paused);
  return status;
}

std::vector<DeviceInfo> ProgramPort::devices() const {
  std::vector<DeviceInfo> result;
  for (const TreeNode* node : simulation_->tree().nodes())
    if (const auto* device = dynamic_cast<const DeviceNode*>(node))
      result.push_back({device->name(), device->type().kind, device->data_size(), !device->inputs().empty()});
  return result;
}

std::uint32_t* ProgramPort::get_image(std::string_view camera) {
  ImageSource* images = simulation_->images();
  const TreeNode* node = simulation_->tree().find(camera);
  if (images == nullptr || node == nullptr || held_ != nullptr || board_->is_held(*node)) return nullptr;
  const auto size = images->image_size(*node);
  if (!size || size->pixels() == 0) return nullptr;
  size_ = *size;
  pixels_.resize(size_.pixels());
  images->render(*node, pixels_);
  held_ = node;
  board_->held_.emplace(node, 1);
  return pixels_.data();
}

ImageSize ProgramPort::image_size() const {
  const ImageSource* images = simulation_->images();
  if (size_.pixels() != 0 || images == nullptr) return size_;
  const std::string own = robot_ + ".";
  for (const TreeNode* node : simulation_->tree().nodes())
    if (node->name().starts_with(own))
      if (const auto size = images->image_size(*node)) return *size;
  return {};
}

void ProgramPort::unlock_image() {
  if (held_ == nullptr) return;
  board_->held_.erase(held_);
  held_ = nullptr;
}

}  // namespace simbatch::sim
