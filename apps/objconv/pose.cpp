/// pose: poses of a robot's links.
#include <fmt/format.h>

#include <cmath>

#include "apps/common/console.hpp"
#include "apps/common/reporter.hpp"
#include "apps/objconv/commands.hpp"
#include "apps/objconv/grasp_files.hpp"
#include "base/core/number.hpp"

namespace simbatch::objconv {
namespace {

struct PoseOptions {
  std::string robot;
  DofOption dof;
  GraspReadOptions read;
  bool json = false;
};

std::string text_line(const std::string& name, const double (&numbers)[7]) {
  std::string line = fmt::format("{:<13}", name);
  for (const double v : numbers) line += fmt::format(" {:<12.9g}", std::abs(v) < 1e-12 ? 0.0 : v);
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string json_line(const std::string& name, const double (&numbers)[7]) {
  return fmt::format("{{\"link\":\"{}\",\"position_mm\":[{},{},{}],\"quaternion_wxyz\":[{},{},{},{}]}}\n", name,
                     number_text(numbers[0]), number_text(numbers[1]), number_text(numbers[2]), number_text(numbers[3]),
                     number_text(numbers[4]), number_text(numbers[5]), number_text(numbers[6]));
}

cli::ExitCode pose(const PoseOptions& options, cli::Reporter& reporter) {
  auto load = grasp_options(options.read);
  load.missing = Severity::note;
  auto robot = grasp::load_robot(options.robot, load);
  Diagnostics diagnostics = std::move(robot.diagnostics);
  std::string out;
  if (robot.value && !diagnostics.has_errors()) {
    if (const auto dofs = dof_values(*robot.value, options.dof, diagnostics)) {
      if (!options.json)
        out += "link          x_mm         y_mm         z_mm         qw           qx           qy           qz\n";
      const auto poses = grasp::link_poses(robot.value->chains, *dofs);
      for (std::size_t c = 0; c < poses.size(); ++c)
        for (std::size_t l = 0; l < poses[c].size(); ++l) {
          const geo::Pose& x = poses[c][l];
          const double numbers[] = {x.p.x * 1000, x.p.y * 1000, x.p.z * 1000, x.q.w, x.q.x, x.q.y, x.q.z};
          const std::string name = fmt::format("chain{}_link{}", c, l);
          out += options.json ? json_line(name, numbers) : text_line(name, numbers);
        }
    }
  }
  const bool failed = diagnostics.has_errors();
  reporter.show(std::move(diagnostics));
  if (!failed) cli::print(out);
  return reporter.finish();
}

}  // namespace

void add_pose(cli::Command& program) {
  cli::Command& command = program.add("pose", "Print where a GraspIt! robot's links are");
  auto& o = command.keep<PoseOptions>();
  command.group("Input");
  command.positional("ROBOT", o.robot, "A .cfg or robot XML").required();
  add_dof_option(command, o.dof, "A value for each DOF, rad or mm: 0.1,0.2,... (default: zeros)");
  add_grasp_options(command, o.read);
  command.group("Output");
  command.flag("--json", o.json, "One JSON object per link");
  command.examples({"objconv pose gripper.cfg --dof 20,0.1,0.1,0.1"});
  command.run([&o](cli::Reporter& reporter) { return pose(o, reporter); });
}

}  // namespace simbatch::objconv
