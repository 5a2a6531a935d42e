#pragma once
/// Scripts: external inputs set while a scenario ran, step by step (docs/formats/script.md).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"

namespace simbatch::script {

/// `<Set step= device= input= value=/>`
struct Setting {
  std::int64_t step = 0;  ///< number of completed steps when it took effect; 0..2^52
  std::string device;     ///< fully qualified: "impreza.chassis.drive_chassis"
  std::string input;      ///< input field of the device: "steering"
  double value = 0;       ///< finite
  Position at = {};       ///< of the element; not written
  friend bool operator==(const Setting& a, const Setting& b) {
    return a.step == b.step && a.device == b.device && a.input == b.input && a.value == b.value;
  }
};

/// `<Script scenario= steps=>`
struct Script {
  std::string scenario;           ///< name of the scenario file, informative; may be empty
  std::int64_t steps = 0;         ///< of the recorded run; 0: unknown
  std::vector<Setting> settings;  ///< by step
  friend bool operator==(const Script&, const Script&) = default;
};

/// Reads a script and reports every problem with its position.
Parsed<Script> read_script(std::string_view text, const std::string& file_name);
/// The canonical text; read_script(write_script(s)) == s. @pre values are finite
std::string write_script(const Script& script);

}  // namespace simbatch::script
