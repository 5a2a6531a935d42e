#include "lib/sim/program/port.hpp"

namespace simbatch::sim {

DeviceNode* ProgramPort::find(std::string_view device, DeviceError& error) {
  TreeNode* node = simulation_.tree().find(device);
  if (node == nullptr) {
    const TreeNode* robot = simulation_.tree().find(device.substr(0, device.find('.')));
    error = robot == nullptr ? DeviceError::unknown_robot : DeviceError::unknown_device;
    return nullptr;
  }
  auto* found = dynamic_cast<DeviceNode*>(node);
  error = found == nullptr ? DeviceError::invalid_device : DeviceError::none;
  return found;
}

DeviceError ProgramPort::get_data(std::string_view device, void* data, std::size_t size) {
  DeviceError error = DeviceError::none;
  const DeviceNode* node = find(device, error);
  return node == nullptr ? error : node->get_data(data, size);
}

DeviceError ProgramPort::set_data(std::string_view device, const void* data, std::size_t size) {
  DeviceError error = DeviceError::none;
  DeviceNode* node = find(device, error);
  return node == nullptr ? error : node->set_data(data, size);
}

unsigned ProgramPort::status(std::string_view device) {
  DeviceError error = DeviceError::none;
  return find(device, error) == nullptr ? static_cast<unsigned>(DeviceStatus::invalid)
                                        : static_cast<unsigned>(DeviceStatus::ready);
}

std::vector<DeviceInfo> ProgramPort::devices() const {
  std::vector<DeviceInfo> result;
  for (const TreeNode* node : simulation_.tree().nodes())
    if (const auto* device = dynamic_cast<const DeviceNode*>(node))
      result.push_back({device->name(), device->type().kind, device->data_size(), !device->inputs().empty()});
  return result;
}

}  // namespace simbatch::sim
