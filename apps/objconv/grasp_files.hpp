#pragma once
/// What the subcommands for GraspIt! and Inventor files share.

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/grasp/load.hpp"

namespace CLI {
class App;
}

namespace simbatch::objconv {

enum class GraspFile { none, body, body_xml, robot, robot_xml, world, world_xml, sdf };
/// By the name's suffix, and for XML by the root element.
GraspFile grasp_file(std::string_view file_name, std::string_view text);

/// Options of how to read GraspIt! files.
struct GraspReadOptions {
  std::string reading = "forgiving";  ///< --as
  std::string root;                   ///< --graspit-root
  std::string bare_unit = "mm";       ///< --bare-unit
};
void add_grasp_options(CLI::App& command, GraspReadOptions& options);
grasp::GraspOptions grasp_options(const GraspReadOptions& options);

/// Usage error for standard input as the input of a subcommand that looks for further files beside it.
void refuse_standard_input(const std::string& input);
/// Numbers between commas or blanks; usage error otherwise.
std::vector<double> number_list(const std::string& text, const char* option);
/// Usage error.
[[noreturn]] void refuse_count(const char* option, std::size_t wanted, std::size_t given);
/// Exactly N of them.
template <std::size_t N>
std::array<double, N> exactly(const std::string& text, const char* option) {
  const auto values = number_list(text, option);
  if (values.size() != N) refuse_count(option, N, values.size());
  std::array<double, N> out{};
  std::copy(values.begin(), values.end(), out.begin());
  return out;
}
/// A value for each DOF as --dof gives them, in the files' units; zeros if `given` is empty. Reports another count.
std::optional<std::vector<double>> dof_values(const grasp::GraspRobot& robot, const std::string& given,
                                              Diagnostics& diagnostics);

}  // namespace simbatch::objconv
