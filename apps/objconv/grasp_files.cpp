#include "apps/objconv/grasp_files.hpp"
#include "apps/common/environment.hpp"

#include <fmt/format.h>

#include <cmath>

#include "apps/objconv/codes.hpp"
#include "base/core/number.hpp"
#include "base/core/text.hpp"

namespace simbatch::objconv {

grasp::GraspOptions grasp_options(const GraspReadOptions& options) {
  grasp::GraspOptions load;
  if (options.reading == "loader") load.reading = graspit::Reading::loader;
  load.root = cli::graspit_root(options.root);
  if (options.bare_unit == "m") load.bare_unit = 1;
  return load;
}

void add_grasp_options(cli::Command& command, GraspReadOptions& options) {
  command.group("Input");
  command
      .option("--as", "READER", options.reading,
              "GraspIt! text: forgiving (what was meant) or loader (as GraspIt! 2.1 reads it)")
      .choices({"forgiving", "loader"});
  command.option("--graspit-root", "FOLDER", options.root, "Base folder of a GraspIt! world (default: $GRASPIT, or detected)");
  command
      .option("--bare-unit", "UNIT", options.bare_unit,
              "Unit of .iv and .wrl without an XML: mm, or m as in GraspIt! since 2017")
      .choices({"mm", "m"});
}

void refuse_standard_input(cli::Command& command, const std::string& input) {
  command.check([&input]() -> std::string {
    if (input != "-") return {};
    return "INPUT: must be a file, not standard input: files that it refers to are searched for in its folder";
  });
}

std::optional<std::vector<double>> read_numbers(std::string_view text) {
  std::vector<double> values;
  std::string blanks(text);
  for (char& c : blanks)
    if (c == ',') c = ' ';
  for (const Token& word : split_tokens(blanks, 1)) {
    const auto value = parse_double(word.text);
    if (!value || !std::isfinite(value.value)) return std::nullopt;
    values.push_back(value.value);
  }
  return values;
}

void add_dof_option(cli::Command& command, DofOption& dof, const char* help) {
  command.option("--dof", "LIST", {dof, read_numbers, "numbers between commas"}, help);
}

std::optional<std::vector<double>> dof_values(const grasp::GraspRobot& robot, const DofOption& given,
                                              Diagnostics& diagnostics) {
  std::vector<double> values(robot.chains.dofs, 0);
  // A DOF starts at 0 even if 0 is outside its limits.
  if (!given || given->empty()) return values;
  if (given->size() != values.size()) {
    diagnostics.report(code::kDofCount, {},
                       fmt::format("the robot has {} DOFs, --dof gives {} values", values.size(), given->size()));
    return std::nullopt;
  }
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = (*given)[i] * (robot.dof_is_length[i] ? grasp::kMillimeter : 1);
  return values;
}

}  // namespace simbatch::objconv
