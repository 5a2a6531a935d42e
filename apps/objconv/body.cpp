/// body set.
#include <CLI/CLI.hpp>
#include <memory>

#include "apps/objconv/codes.hpp"
#include "apps/objconv/commands.hpp"
#include "apps/objconv/grasp_files.hpp"
#include "base/core/atomic_file.hpp"
#include "base/core/input.hpp"
#include "formats/graspit/graspit.hpp"

namespace simbatch::objconv {
namespace {

struct BodyOptions {
  std::string file;
  std::string mass, material, cog, inertia, youngs;  ///< as given; empty: not given
  std::string output;                                ///< empty: the file itself
};

double positive(const std::string& text, const char* option) {
  const double value = exactly<1>(text, option)[0];
  if (!(value > 0)) throw CLI::ValidationError(option, "must be greater than 0");
  return value;
}

/// Throws while the command line is being parsed, so that a bad value is a usage error.
graspit::Body values_of(const BodyOptions& options) {
  graspit::Body body;
  if (!options.material.empty()) body.material = options.material;
  if (!options.mass.empty()) body.mass = positive(options.mass, "--mass");
  if (!options.youngs.empty()) body.youngs = positive(options.youngs, "--youngs");
  if (!options.cog.empty()) body.cog = exactly<3>(options.cog, "--cog");
  if (!options.inertia.empty()) body.inertia = exactly<9>(options.inertia, "--inertia");
  if (body == graspit::Body{})
    throw CLI::ValidationError("body set", "nothing to set: give --mass, --material, --cog, --inertia or --youngs");
  return body;
}

cli::ExitCode set_body(const cli::Common& common, const BodyOptions& options, const graspit::Body& body) {
  cli::Reporter reporter(common);
  std::string text;
  {
    const Input input = Input::open(options.file);
    if (!input.text().starts_with("#Inventor") && !input.text().starts_with("#VRML")) {  // it would be spoilt
      Diagnostics problem(input.name());
      problem.report(code::kKind, {}, "expected an Inventor or VRML file, which starts with #Inventor or #VRML");
      reporter.show(std::move(problem));
      return reporter.finish();
    }
    text = graspit::set_body_header(input.text(), body);
  }
  write_file(options.output.empty() ? options.file : options.output, text);
  return reporter.finish();
}

}  // namespace

void add_body(CLI::App& app, Program& program) {
  CLI::App* group =
      app.add_subcommand("body", "GraspIt! bodies: body set FILE, with --mass, --material, --cog, --inertia or --youngs");
  group->require_subcommand(1);
  CLI::App* command = group->add_subcommand("set", "Set values of a body's header; the geometry's bytes stay as they are");
  auto options = std::make_shared<BodyOptions>();
  command->add_option("FILE", options->file, "A .iv or .wrl file")->type_name("")->required()->group("Input");
  command->add_option("--mass", options->mass, "g, > 0")->type_name("G")->group("Values");
  const std::vector<std::string> materials(std::begin(graspit::kMaterials), std::end(graspit::kMaterials));
  command->add_option("--material", options->material, "Material")
      ->check(CLI::IsMember(materials))
      ->type_name("NAME")
      ->group("Values");
  command->add_option("--cog", options->cog, "Center of gravity, mm: x,y,z")->type_name("X,Y,Z")->group("Values");
  command->add_option("--inertia", options->inertia, "Nine numbers, row by row, mm^2 per unit mass")
      ->type_name("NUMBERS")
      ->group("Values");
  command->add_option("--youngs", options->youngs, "Young's modulus of a soft body, > 0")->type_name("NUMBER")->group("Values");
  command->add_option("-o,--output", options->output, "Output; - is standard output (default: the file itself)")
      ->type_name("FILE")
      ->group("Output");
  command->callback([&program, options] {
    program.action = [&program, options, body = values_of(*options)] { return set_body(program.common, *options, body); };
  });
}

}  // namespace simbatch::objconv
