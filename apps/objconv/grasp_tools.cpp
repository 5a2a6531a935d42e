/// body set, pose, render.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "apps/objconv/codes.hpp"
#include "apps/objconv/grasp.hpp"
#include "base/core/atomic_file.hpp"
#include "base/core/number.hpp"
#include "lib/grasp/export.hpp"
#include "lib/render/render.hpp"

namespace simbatch::objconv {
namespace {

template <std::size_t N>
std::array<double, N> exactly(const std::string& text, const char* option) {
  const auto values = number_list(text, option);
  if (values.size() != N) throw CLI::ValidationError(option, fmt::format("needs {} numbers, got {}", N, values.size()));
  std::array<double, N> out{};
  std::copy(values.begin(), values.end(), out.begin());
  return out;
}

// Throws while the command line is being parsed, so that a bad value is a usage error.
graspit::Body wanted_body(const GraspSettings& set) {
  graspit::Body body;
  if (!set.material.empty()) body.material = set.material;
  const auto positive = [](const std::string& text, const char* option) {
    const double value = exactly<1>(text, option)[0];
    if (!(value > 0)) throw CLI::ValidationError(option, "must be greater than 0");
    return value;
  };
  if (!set.mass.empty()) body.mass = positive(set.mass, "--mass");
  if (!set.youngs.empty()) body.youngs = positive(set.youngs, "--youngs");
  if (!set.cog.empty()) body.cog = exactly<3>(set.cog, "--cog");
  if (!set.inertia.empty()) body.inertia = exactly<9>(set.inertia, "--inertia");
  if (body == graspit::Body{})
    throw CLI::ValidationError("body set", "nothing to set: give --mass, --material, --cog, --inertia or --youngs");
  return body;
}

cli::ExitCode set_body(Session& session, const graspit::Body& body, bool in_place) {
  cli::Reporter reporter(session.common);
  const std::string file = session.inputs.front();
  std::string text;
  {
    const Input input = Input::open(file);
    if (!input.text().starts_with("#Inventor") && !input.text().starts_with("#VRML")) {  // it would be spoilt
      Diagnostics problem(input.name());
      problem.report(code::kKind, {}, "expected an Inventor or VRML file, which starts with #Inventor or #VRML");
      reporter.show(std::move(problem));
      return reporter.finish();
    }
    text = graspit::set_body_header(input.text(), body);
  }
  write_file(in_place ? file : session.output, text);
  return reporter.finish();
}

/// The DOF values of --dof, in the files' units, or zeros.
std::optional<std::vector<double>> dof_values(const grasp::GraspRobot& robot, const std::string& text,
                                              Diagnostics& diagnostics) {
  std::vector<double> values(robot.chains.dofs, 0);
  if (text.empty()) {
    // A DOF starts at 0 even when 0 is outside of its limits.
    return values;
  }
  const auto given = number_list(text, "--dof");
  if (given.size() != values.size()) {
    diagnostics.report(code::kDofCount, {},
                       fmt::format("the robot has {} DOFs, --dof gives {} values", values.size(), given.size()));
    return std::nullopt;
  }
  for (std::size_t i = 0; i < given.size(); ++i) values[i] = given[i] * (robot.dof_is_length[i] ? 0.001 : 1);
  return values;
}

cli::ExitCode pose(Session& session) {
  cli::Reporter reporter(session.common);
  auto options = grasp_options(session);
  options.missing = Severity::note;
  auto parsed = grasp::load_robot(session.inputs.front(), options);
  Diagnostics diagnostics = std::move(parsed.diagnostics);
  std::string out;
  if (parsed.value && !diagnostics.has_errors()) {
    if (const auto dofs = dof_values(*parsed.value, session.grasp.dof, diagnostics)) {
      const auto poses = grasp::link_poses(parsed.value->chains, *dofs);
      if (!session.json)
        out += "link          x_mm         y_mm         z_mm         qw           qx           qy           qz\n";
      for (std::size_t c = 0; c < poses.size(); ++c)
        for (std::size_t l = 0; l < poses[c].size(); ++l) {
          const geo::Pose& x = poses[c][l];
          const double numbers[] = {x.p.x * 1000, x.p.y * 1000, x.p.z * 1000, x.q.w, x.q.x, x.q.y, x.q.z};
          const std::string name = fmt::format("chain{}_link{}", c, l);
          if (session.json) {
            out +=
                fmt::format("{{\"link\":\"{}\",\"position_mm\":[{},{},{}],\"quaternion_wxyz\":[{},{},{},{}]}}\n", name,
                            number_text(numbers[0]), number_text(numbers[1]), number_text(numbers[2]), number_text(numbers[3]),
                            number_text(numbers[4]), number_text(numbers[5]), number_text(numbers[6]));
            continue;
          }
          out += fmt::format("{:<13}", name);
          for (const double v : numbers) out += fmt::format(" {:<12.9g}", std::abs(v) < 1e-12 ? 0.0 : v);
          out.erase(out.find_last_not_of(' ') + 1);
          out += '\n';
        }
    }
  }
  const bool failed = diagnostics.has_errors();
  reporter.show(std::move(diagnostics));
  if (!failed) cli::print(out);
  return reporter.finish();
}

void add_body(render::Scene& scene, const grasp::GraspBody* body, const geo::Pose& pose) {
  if (body == nullptr) return;
  std::vector<render::Color> colors(body->mesh.triangles.size());
  for (const inventor::Part& part : body->mesh.parts)
    for (std::size_t i = part.first; i < part.first + part.count; ++i) colors[i] = part.color;
  scene.add(body->mesh.points, body->mesh.triangles, colors, pose);
}

void add_robot(render::Scene& scene, const grasp::GraspRobot& robot, std::span<const double> dofs, const geo::Pose& base) {
  add_body(scene, robot.palm.get(), base);
  const auto poses = grasp::link_poses(robot.chains, dofs);
  for (std::size_t c = 0; c < poses.size(); ++c)
    for (std::size_t l = 0; l < poses[c].size(); ++l) add_body(scene, robot.links[c][l].get(), base * poses[c][l]);
}

render::Options picture_of(const GraspSettings& set) {
  render::Options draw;
  if (!set.size.empty()) {
    std::string numbers = set.size;  // 960x720 as in simrun, or 960,720
    std::replace(numbers.begin(), numbers.end(), 'x', ',');
    const auto size = exactly<2>(numbers, "--size");
    if (!(size[0] >= 1 && size[1] >= 1 && size[0] <= 8192 && size[1] <= 8192))
      throw CLI::ValidationError("--size", "expected WxH of 1 to 8192 pixels each");
    draw.width = static_cast<int>(size[0]);
    draw.height = static_cast<int>(size[1]);
  }
  if (!set.view.empty()) {
    const auto view = exactly<2>(set.view, "--view");
    draw.azimuth = view[0];
    draw.elevation = view[1];
  }
  (void)number_list(set.dof, "--dof");
  return draw;
}

cli::ExitCode render_file(Session& session, const render::Options& draw) {
  cli::Reporter reporter(session.common);
  const std::string& file = session.inputs.front();
  auto options = grasp_options(session);
  options.missing = Severity::warning;
  render::Scene scene;
  Diagnostics diagnostics(file);
  GraspFile kind = GraspFile::none;
  {
    const Input input = Input::open(file);
    kind = grasp_file(file, input.text());
  }
  if (kind == GraspFile::body || kind == GraspFile::body_xml) {
    auto body = grasp::load_body(file, options);
    diagnostics.append(std::move(body.diagnostics));
    if (body.value) add_body(scene, &*body.value, {});
  } else if (kind == GraspFile::robot || kind == GraspFile::robot_xml) {
    auto robot = grasp::load_robot(file, options);
    diagnostics.append(std::move(robot.diagnostics));
    if (robot.value && !diagnostics.has_errors())
      if (const auto dofs = dof_values(*robot.value, session.grasp.dof, diagnostics)) add_robot(scene, *robot.value, *dofs, {});
  } else if (kind == GraspFile::world || kind == GraspFile::world_xml) {
    auto world = grasp::load_world(file, options);
    diagnostics.append(std::move(world.diagnostics));
    if (world.value) {
      for (std::size_t i = 0; i < world.value->bodies.size(); ++i)
        add_body(scene, world.value->bodies[i].get(), grasp::pose_of(world.value->model.bodies[i].transform));
      for (std::size_t i = 0; i < world.value->robots.size(); ++i)
        if (world.value->robots[i])
          add_robot(scene, *world.value->robots[i], world.value->dofs[i],
                    grasp::pose_of(world.value->model.robots[i].transform));
    }
  } else {
    diagnostics.report(code::kKind, {}, "only GraspIt! bodies, robots and worlds, Inventor and VRML files are drawn");
  }
  if (scene.empty() && !diagnostics.has_errors()) diagnostics.report(code::kNothingToDraw, {}, "there is nothing to draw");
  const bool failed = diagnostics.has_errors();
  diagnostics.sort();
  reporter.show(std::move(diagnostics));
  if (!failed) write_file(session.output, image::to_png(render::draw(scene, draw)));
  return reporter.finish();
}

}  // namespace

void add_grasp_tools(CLI::App& app, Session& session) {
  GraspSettings& set = session.grasp;
  CLI::App* body =
      app.add_subcommand("body", "GraspIt! bodies: body set FILE, with --mass, --material, --cog, --inertia or --youngs");
  body->require_subcommand(1);
  CLI::App* command = body->add_subcommand("set", "Set values of a body's header; the geometry's bytes stay as they are");
  command->add_option("FILE", session.inputs, "A .iv or .wrl file")->type_name("")->required()->expected(1)->group("Input");
  command->add_option("--mass", set.mass, "g, > 0")->type_name("G")->group("Values");
  std::vector<std::string> materials(std::begin(graspit::kMaterials), std::end(graspit::kMaterials));
  command->add_option("--material", set.material, "Material")
      ->check(CLI::IsMember(materials))
      ->type_name("NAME")
      ->group("Values");
  command->add_option("--cog", set.cog, "Centre of gravity, mm: x,y,z")->type_name("X,Y,Z")->group("Values");
  command->add_option("--inertia", set.inertia, "Nine numbers, row by row, mm^2 per unit mass")
      ->type_name("NUMBERS")
      ->group("Values");
  command->add_option("--youngs", set.youngs, "Young's modulus of a soft body, > 0")->type_name("NUMBER")->group("Values");
  CLI::Option* output =
      command->add_option("-o,--output", session.output, "Output; - is standard output (default: the file itself)")
          ->type_name("FILE")
          ->group("Output");
  command->callback([&session, output] {
    session.action = [&session, wanted = wanted_body(session.grasp), in_place = output->count() == 0] {
      return set_body(session, wanted, in_place);
    };
  });

  command = app.add_subcommand("pose", "Print where a GraspIt! robot's links are");
  command->add_option("ROBOT", session.inputs, "A .cfg or robot XML")->type_name("")->required()->expected(1)->group("Input");
  command->add_option("--dof", set.dof, "A value for each DOF, rad or mm: 0.1,0.2,... (default: zeros)")
      ->type_name("LIST")
      ->group("Input");
  add_grasp_options(command, session);
  command->add_flag("--json", session.json, "One JSON object a link")->group("Output");
  command->callback([&session] {
    (void)number_list(session.grasp.dof, "--dof");
    session.action = [&session] { return pose(session); };
  });

  command = app.add_subcommand("render", "Draw a body, robot or world");
  command->add_option("FILE", session.inputs, "A .iv, .wrl, .cfg, .wld or XML file")
      ->type_name("")
      ->required()
      ->expected(1)
      ->group("Input");
  command->add_option("--dof", set.dof, "A value for each DOF of a robot, rad or mm")->type_name("LIST")->group("Input");
  add_grasp_options(command, session);
  command->add_option("-o,--output", session.output, "PNG file")->required()->type_name("FILE")->group("Output");
  command->add_option("--size", set.size, "Pixels (960x720)")->type_name("WxH")->group("Output");
  command->add_option("--view", set.view, "Where the camera is, degrees: azimuth from +x towards +y, elevation (-55,25)")
      ->type_name("AZ,EL")
      ->group("Output");
  command->callback([&session] {
    needs_a_name(session);
    session.action = [&session, draw = picture_of(session.grasp)] { return render_file(session, draw); };
  });
}

}  // namespace simbatch::objconv
