/// render: a picture of a body, robot or world.
#include "lib/render/render.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "apps/objconv/codes.hpp"
#include "apps/objconv/commands.hpp"
#include "apps/objconv/grasp_files.hpp"
#include "base/core/atomic_file.hpp"
#include "base/core/input.hpp"

namespace simbatch::objconv {
namespace {

struct RenderOptions {
  std::string file, output;
  std::string dof;         ///< --dof
  std::string size, view;  ///< as given
  GraspReadOptions read;
};

void draw_body(render::Scene& scene, const grasp::GraspBody* body, const geo::Pose& pose) {
  if (body == nullptr) return;
  std::vector<render::Color> colors(body->mesh.triangles.size());
  for (const inventor::Part& part : body->mesh.parts)
    for (std::size_t i = part.first; i < part.first + part.count; ++i) colors[i] = part.color;
  scene.add(body->mesh.points, body->mesh.triangles, colors, pose);
}

void draw_robot(render::Scene& scene, const grasp::GraspRobot& robot, std::span<const double> dofs, const geo::Pose& base) {
  draw_body(scene, robot.palm.get(), base);
  const auto poses = grasp::link_poses(robot.chains, dofs);
  for (std::size_t c = 0; c < poses.size(); ++c)
    for (std::size_t l = 0; l < poses[c].size(); ++l) draw_body(scene, robot.links[c][l].get(), base * poses[c][l]);
}

void draw_world(render::Scene& scene, const grasp::GraspWorld& world) {
  for (std::size_t i = 0; i < world.bodies.size(); ++i)
    draw_body(scene, world.bodies[i].get(), grasp::pose_of(world.model.bodies[i].transform));
  for (std::size_t i = 0; i < world.robots.size(); ++i)
    if (world.robots[i]) draw_robot(scene, *world.robots[i], world.dofs[i], grasp::pose_of(world.model.robots[i].transform));
}

/// Fills the scene with what the file is.
Diagnostics load_scene(const RenderOptions& options, render::Scene& scene) {
  const std::string& file = options.file;
  auto load = grasp_options(options.read);
  load.missing = Severity::warning;
  Diagnostics diagnostics(file);
  GraspFile kind = GraspFile::none;
  {
    const Input input = Input::open(file);
    kind = grasp_file(file, input.text());
  }
  if (kind == GraspFile::body || kind == GraspFile::body_xml) {
    auto body = grasp::load_body(file, load);
    diagnostics.append(std::move(body.diagnostics));
    if (body.value) draw_body(scene, &*body.value, {});
  } else if (kind == GraspFile::robot || kind == GraspFile::robot_xml) {
    auto robot = grasp::load_robot(file, load);
    diagnostics.append(std::move(robot.diagnostics));
    if (robot.value && !diagnostics.has_errors())
      if (const auto dofs = dof_values(*robot.value, options.dof, diagnostics)) draw_robot(scene, *robot.value, *dofs, {});
  } else if (kind == GraspFile::world || kind == GraspFile::world_xml) {
    auto world = grasp::load_world(file, load);
    diagnostics.append(std::move(world.diagnostics));
    if (world.value) draw_world(scene, *world.value);
  } else {
    diagnostics.report(code::kKind, {}, "only GraspIt! bodies, robots and worlds, Inventor and VRML files are drawn");
  }
  if (scene.empty() && !diagnostics.has_errors()) diagnostics.report(code::kNothingToDraw, {}, "there is nothing to draw");
  diagnostics.sort();
  return diagnostics;
}

/// --size and --view. Throws while the command line is being parsed.
render::Options picture_of(const RenderOptions& options) {
  render::Options draw;
  if (!options.size.empty()) {
    std::string numbers = options.size;  // 960x720 as in simrun, or 960,720
    std::replace(numbers.begin(), numbers.end(), 'x', ',');
    const auto size = exactly<2>(numbers, "--size");
    if (!(size[0] >= 1 && size[1] >= 1 && size[0] <= 8192 && size[1] <= 8192))
      throw CLI::ValidationError("--size", "expected WxH of 1 to 8192 pixels each");
    draw.width = static_cast<int>(size[0]);
    draw.height = static_cast<int>(size[1]);
  }
  if (!options.view.empty()) {
    const auto view = exactly<2>(options.view, "--view");
    draw.azimuth = view[0];
    draw.elevation = view[1];
  }
  return draw;
}

cli::ExitCode render_file(const cli::Common& common, const RenderOptions& options, const render::Options& picture) {
  cli::Reporter reporter(common);
  render::Scene scene;
  Diagnostics diagnostics = load_scene(options, scene);
  const bool failed = diagnostics.has_errors();
  reporter.show(std::move(diagnostics));
  if (!failed) write_file(options.output, image::to_png(render::draw(scene, picture)));
  return reporter.finish();
}

}  // namespace

void add_render(CLI::App& app, Program& program) {
  CLI::App* command = app.add_subcommand("render", "Draw a body, robot or world");
  auto options = std::make_shared<RenderOptions>();
  command->add_option("FILE", options->file, "A .iv, .wrl, .cfg, .wld or XML file")->type_name("")->required()->group("Input");
  command->add_option("--dof", options->dof, "A value for each DOF of a robot, rad or mm")->type_name("LIST")->group("Input");
  add_grasp_options(*command, options->read);
  command->add_option("-o,--output", options->output, "PNG file")->required()->type_name("FILE")->group("Output");
  command->add_option("--size", options->size, "Pixels (960x720)")->type_name("WxH")->group("Output");
  command->add_option("--view", options->view, "Where the camera is, degrees: azimuth from +x towards +y, elevation (-55,25)")
      ->type_name("AZ,EL")
      ->group("Output");
  command->callback([&program, options] {
    refuse_standard_input(options->file);
    (void)number_list(options->dof, "--dof");
    program.action = [&program, options, picture = picture_of(*options)] {
      return render_file(program.common, *options, picture);
    };
  });
}

}  // namespace simbatch::objconv
