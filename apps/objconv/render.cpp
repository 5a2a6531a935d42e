// objconv render: a picture of a body, robot or world.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "apps/common/outputs.hpp"
#include "apps/common/reporter.hpp"
#include "apps/objconv/codes.hpp"
#include "apps/objconv/commands.hpp"
#include "apps/objconv/grasp_files.hpp"
#include "apps/objconv/network.hpp"
#include "apps/objconv/world.hpp"
#include "base/core/atomic_file.hpp"
#include "base/core/input.hpp"
#include "base/core/read_files.hpp"
#include "lib/file_kind/file_kind.hpp"
#include "lib/view/mesh_view.hpp"
#include "lib/view/still.hpp"

namespace simbatch::objconv {
namespace {

using file_kind::Kind;

struct RenderOptions {
  std::string file, output;
  DofOption dof;
  std::optional<std::array<double, 2>> size;  ///< --size: width and height, pixels
  std::optional<std::array<double, 2>> view;  ///< --view: azimuth and elevation, degrees
  GraspReadOptions read;
  WorldOptions world;
};

/// The bodies of what GraspIt! and Inventor describe.
using Meshes = std::vector<view::ColoredMesh>;

void draw_body(Meshes& meshes, const grasp::GraspBody* body, const geo::Pose& pose) {
  if (body == nullptr) return;
  view::ColoredMesh& mesh = meshes.emplace_back();
  mesh.points = body->mesh.points;
  mesh.triangles = body->mesh.triangles;
  mesh.pose = pose;
  mesh.colors.resize(body->mesh.triangles.size());
  for (const inventor::Part& part : body->mesh.parts)
    for (std::size_t i = part.first; i < part.first + part.count; ++i) mesh.colors[i] = part.color;
}

void draw_robot(Meshes& meshes, const grasp::GraspRobot& robot, std::span<const double> dofs, const geo::Pose& base) {
  draw_body(meshes, robot.palm.get(), base);
  const auto poses = grasp::link_poses(robot.chains, dofs);
  for (std::size_t c = 0; c < poses.size(); ++c)
    for (std::size_t l = 0; l < poses[c].size(); ++l) draw_body(meshes, robot.links[c][l].get(), base * poses[c][l]);
}

void draw_world(Meshes& meshes, const grasp::GraspWorld& world) {
  for (std::size_t i = 0; i < world.bodies.size(); ++i)
    draw_body(meshes, world.bodies[i].get(), grasp::pose_of(world.model.bodies[i].transform));
  for (std::size_t i = 0; i < world.robots.size(); ++i)
    if (world.robots[i]) draw_robot(meshes, *world.robots[i], world.dofs[i], grasp::pose_of(world.model.robots[i].transform));
}

Kind kind_of_file(const std::string& file) {
  const Input input = Input::open(file);
  return file_kind::kind_of(file, input.text());
}

/// Adds the contents of the file.
Diagnostics load_meshes(const RenderOptions& options, Meshes& meshes) {
  const std::string& file = options.file;
  auto load = grasp_options(options.read);
  load.missing = Severity::warning;
  Diagnostics diagnostics(file);
  const Kind kind = kind_of_file(file);
  if (kind == Kind::graspit_body || kind == Kind::graspit_body_xml) {
    auto body = grasp::load_body(file, load);
    diagnostics.append(std::move(body.diagnostics));
    if (body.value) draw_body(meshes, &*body.value, {});
  } else if (kind == Kind::graspit_robot || kind == Kind::graspit_robot_xml) {
    auto robot = grasp::load_robot(file, load);
    diagnostics.append(std::move(robot.diagnostics));
    if (robot.value && !diagnostics.has_errors())
      if (const auto dofs = dof_values(*robot.value, options.dof, diagnostics)) draw_robot(meshes, *robot.value, *dofs, {});
  } else if (kind == Kind::graspit_world || kind == Kind::graspit_world_xml) {
    auto world = grasp::load_world(file, load);
    diagnostics.append(std::move(world.diagnostics));
    if (world.value) draw_world(meshes, *world.value);
  } else {
    diagnostics.report(code::kKind, {},
                       "only robots, worlds, CajunBot objects, GraspIt! bodies, Inventor and VRML files are drawn");
  }
  return diagnostics;
}

/// 960x720 as in simrun, or 960,720.
std::optional<std::array<double, 2>> read_size(std::string_view text) {
  std::string numbers(text);
  std::replace(numbers.begin(), numbers.end(), 'x', ',');
  const auto size = read_exactly<2>(numbers);
  if (!size || !((*size)[0] >= 1 && (*size)[1] >= 1 && (*size)[0] <= 8192 && (*size)[1] <= 8192)) return std::nullopt;
  return size;
}

/// Nothing but ground.
bool is_bare(const scene::PaintedScene& scene) {
  const auto is_invisible = [](const scene::MovingFigure& mover) { return mover.mesh.indices.empty(); };
  return scene.fixed.size() <= 1 && scene.instances.empty() &&
         std::all_of(scene.movers.begin(), scene.movers.end(), is_invisible);
}

cli::Outputs outputs_of(const RenderOptions& options) {
  cli::Outputs files;
  files.reads("FILE", options.file);
  files.reads("--rndf", options.world.rndf);
  files.writes("--output", options.output);
  return files;
}

/// Reports if the picture would replace one of the files that were read.
void report_overwriting(const RenderOptions& options, const ReadFiles& read, Diagnostics& diagnostics) {
  if (std::string conflict = outputs_of(options).conflict(read); !conflict.empty())
    diagnostics.report(code::kOverwrite, {}, std::move(conflict));
}

/// A world that can be simulated.
cli::ExitCode render_world(const RenderOptions& options, Kind kind, const view::StillOptions& picture,
                           cli::Reporter& reporter) {
  const ReadFiles read;
  Diagnostics diagnostics(options.file);
  auto view = world_view(options.file, kind, options.world, diagnostics);
  if (view && !diagnostics.has_errors() && is_bare(view->scene))
    diagnostics.report(code::kNothingToDraw, {}, "there is nothing to draw; bodies are drawn by their collision shapes");
  report_overwriting(options, read, diagnostics);
  const bool failed = !view || diagnostics.has_errors();
  reporter.show(std::move(diagnostics));
  if (failed || reporter.failed()) return reporter.finish(cli::ExitCode::input);
  write_file(options.output, image::to_png(view::still_of(*view, picture)));
  return reporter.finish();
}

/// GraspIt! worlds are drawn as their files have them, with colors and hands that need not be simulated.
bool is_drawn_as_world(Kind kind) { return is_world({}, kind) && !file_kind::is_grasp_world(kind); }

cli::ExitCode render_file(const RenderOptions& options, cli::Reporter& reporter) {
  view::StillOptions picture;
  if (options.size) {
    picture.width = static_cast<int>((*options.size)[0]);
    picture.height = static_cast<int>((*options.size)[1]);
  }
  if (options.view) {
    picture.azimuth = (*options.view)[0];
    picture.elevation = (*options.view)[1];
  }
  if (const Kind kind = kind_of_file(options.file); is_drawn_as_world(kind))
    return render_world(options, kind, picture, reporter);
  const ReadFiles read;
  Meshes meshes;
  Diagnostics diagnostics = load_meshes(options, meshes);
  auto view = diagnostics.has_errors() ? std::nullopt : view::view_of_meshes(meshes, diagnostics);
  if (!view && !diagnostics.has_errors()) diagnostics.report(code::kNothingToDraw, {}, "there is nothing to draw");
  report_overwriting(options, read, diagnostics);
  diagnostics.sort();
  const bool failed = diagnostics.has_errors();
  reporter.show(std::move(diagnostics));
  if (!failed) write_file(options.output, image::to_png(view::still_of(*view, picture)));
  return reporter.finish();
}

}  // namespace

void add_render(cli::Command& program) {
  cli::Command& command = program.add("render", "Draw a body, robot or world");
  auto& o = command.keep<RenderOptions>();
  command.group("Input");
  command.positional("FILE", o.file, "A robot, world or body: .urdf, .sdf, .cfg, .wld, .iv, .wrl or XML, or CajunBot objects")
      .required();
  add_dof_option(command, o.dof, "A value for each DOF of a robot, rad or mm");
  add_grasp_options(command, o.read);
  command.option("--root", "DIR", o.world.root, "Folder that a robot or world may read files from (default: its own)");
  command.option("--rndf", "FILE", o.world.rndf, "Road network of CajunBot objects");
  add_planar_option(command, o.world.planar);
  command.group("Output");
  command.option("-o,--output", "FILE", o.output, "PNG file").required();
  command.option("--size", "WxH", {o.size, read_size, "WxH of 1 to 8192 pixels each"}, "Pixels (960x720)");
  command.option("--view", "AZ,EL", {o.view, read_exactly<2>, "two numbers"},
                 "Where the camera is, degrees: azimuth from +x towards +y, elevation (-55,25)");
  refuse_standard_input(command, o.file);
  command.check([&o] { return outputs_of(o).conflict(); });
  command.examples({"objconv render gripper.cfg --dof 20,0.1,0.1,0.1 -o gripper.png",
                    "objconv render robot.urdf --view 30,20 -o robot.png"});
  command.run([&o](cli::Reporter& reporter) { return render_file(o, reporter); });
}

}  // namespace simbatch::objconv
