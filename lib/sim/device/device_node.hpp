#pragma once
/// Devices as nodes of the tree, with the access of the thesis' User Program API (5.5, A.1).

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "lib/sim/device/noise.hpp"
#include "lib/sim/tree/tree.hpp"

namespace simbatch::sim {

/// Numbers as in the thesis' listing A.1.
enum class DeviceError : unsigned {
  none = 0,
  unknown_robot = 1,
  unknown_device = 2,
  invalid_device = 3,
  invalid_operation = 4,  ///< setting a sensor
  data_size_mismatch = 5,
};

/// One settable value of an actuator.
struct DeviceInput {
  double lower = -1, upper = 1;  ///< values outside are clamped
  bool noisy = true;             ///< gets the device's noise
};

class DeviceNode final : public TreeNode {
 public:
  /// Makes the text of a field from the node's numbers.
  using TextFunction = void (*)(std::span<const double> values, std::string& out);

  /// @param inputs   of actuators: ranges of the first fields, which are set from outside; empty for sensors
  /// @param shared   number of leading fields returned by get_data; the rest (true values) appears only in traces
  DeviceNode(std::string name, std::shared_ptr<const NodeType> type, Source source, std::vector<DeviceInput> inputs,
             std::size_t shared, TextFunction text_function = nullptr);

  std::span<const DeviceInput> inputs() const { return inputs_; }
  /// Position of an input ("steering") among inputs(), or npos.
  std::size_t find_input(std::string_view field) const;
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

  /// Noise added to every value that is set, drawn once per setting. For actuators.
  void set_input_noise(NoiseGenerator noise) { noise_ = std::move(noise); }
  /// Sets an input. The noise is added before the value is clamped to its range. Holds until set again.
  void set(std::size_t input, double value);

  /// Bytes that get_data writes: 4 for each number (float, in the order of the fields), or, of a device with a text, the
  /// text and its terminating zero.
  std::size_t data_size() const;
  /// @param size  of a text: at least data_size(); otherwise exactly data_size()
  DeviceError get_data(void* data, std::size_t size) const;
  /// Inputs after the first `count` may be omitted in set_data and then stay unchanged. By default all are required.
  void set_needed_inputs(std::size_t count) { needed_ = count; }
  /// Takes one float for each input, in their order.
  DeviceError set_data(const void* data, std::size_t size);

  void text(std::size_t field, std::span<const double> values, std::string& out) const override;
  TextMaker text_maker(std::size_t field) const override;

 private:
  std::vector<DeviceInput> inputs_;
  std::size_t needed_;
  std::size_t shared_;
  TextFunction text_;
  NoiseGenerator noise_;
};

}  // namespace simbatch::sim
