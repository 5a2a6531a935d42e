#pragma once
/// Shared by the subcommands for GraspIt! and Inventor files.

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/common/command.hpp"
#include "lib/grasp/load.hpp"

namespace simbatch::objconv {

/// Options for reading GraspIt! files.
struct GraspReadOptions {
  std::string reading = "forgiving";  ///< --as
  std::string root;                   ///< --graspit-root
  std::string bare_unit = "mm";       ///< --bare-unit
};
void add_grasp_options(cli::Command& command, GraspReadOptions& options);
grasp::GraspOptions grasp_options(const GraspReadOptions& options);

/// Usage error for standard input as the input of a subcommand that reads further files beside it.
void refuse_standard_input(cli::Command& command, const std::string& input);

/// Finite numbers between commas or blanks, for options; nothing if one is not a number.
std::optional<std::vector<double>> read_numbers(std::string_view text);
/// Exactly N of them.
template <std::size_t N>
std::optional<std::array<double, N>> read_exactly(std::string_view text) {
  const auto numbers = read_numbers(text);
  if (!numbers || numbers->size() != N) return std::nullopt;
  std::array<double, N> out{};
  std::copy(numbers->begin(), numbers->end(), out.begin());
  return out;
}

/// --dof: a value for each DOF of a robot.
using DofOption = std::optional<std::vector<double>>;
void add_dof_option(cli::Command& command, DofOption& dof, const char* help);
/// The values of --dof converted from the files' units to SI; zeros without it. Reports a wrong count.
std::optional<std::vector<double>> dof_values(const grasp::GraspRobot& robot, const DofOption& given, Diagnostics& diagnostics);

}  // namespace simbatch::objconv
