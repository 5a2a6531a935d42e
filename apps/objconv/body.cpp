/// body set.
#include <array>
#include <optional>

#include "apps/common/outputs.hpp"
#include "apps/common/reporter.hpp"
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
  graspit::Body values;  ///< those that are given
  std::string output;    ///< empty: the file itself
};

cli::ExitCode set_body(const BodyOptions& options, cli::Reporter& reporter) {
  std::string text;
  {
    const Input input = Input::open(options.file);
    if (graspit::xml_kind(input.text()) == graspit::XmlKind::body) {
      auto changed = graspit::set_body_xml(input.text(), options.values, input.name());
      reporter.show(std::move(changed.diagnostics));
      if (!changed.value || reporter.failed()) return reporter.finish();
      text = std::move(*changed.value);
    } else if (input.text().starts_with("#Inventor") || input.text().starts_with("#VRML")) {
      text = graspit::set_body_header(input.text(), options.values);
    } else {  // it would be spoilt
      Diagnostics problem(input.name());
      problem.report(
          code::kKind, {},
          "expected an Inventor or VRML file, which starts with #Inventor or #VRML, or the XML of a body, whose root "
          "element is <root>");
      reporter.show(std::move(problem));
      return reporter.finish();
    }
  }
  write_file(options.output.empty() ? options.file : options.output, text);
  return reporter.finish();
}

}  // namespace

void add_body(cli::Command& program) {
  cli::Command& group =
      program.add("body", "GraspIt! bodies: body set FILE, with --mass, --material, --cog, --inertia or --youngs");
  cli::Command& command = group.add("set", "Set values of a body's header or XML; all other bytes stay as they are");
  auto& o = command.keep<BodyOptions>();
  graspit::Body& values = o.values;
  command.group("Input");
  command.positional("FILE", o.file, "A .iv or .wrl file, or the XML of a body").required();
  command.group("Values");
  command.option("--mass", "G", values.mass, "Mass in g").positive();
  command.option("--material", "NAME", values.material, "Material")
      .choices({std::begin(graspit::kMaterials), std::end(graspit::kMaterials)});
  command.option("--cog", "X,Y,Z", {values.cog, read_exactly<3>, "three numbers"}, "Center of gravity in mm");
  command.option("--inertia", "NUMBERS", {values.inertia, read_exactly<9>, "nine numbers"},
                 "Inertia, row by row, mm^2 per unit mass");
  command.option("--youngs", "NUMBER", values.youngs, "Young's modulus of a soft body").positive();
  command.group("Output");
  command.option("-o,--output", "FILE", o.output, "Output; - is standard output (default: the file itself)");
  command.check([&o]() -> std::string {
    if (o.values == graspit::Body{}) return "nothing to set: give --mass, --material, --cog, --inertia or --youngs";
    cli::Outputs files;
    files.reads("FILE", o.file);
    files.writes("--output", o.output, "FILE");
    return files.conflict();
  });
  command.examples({"objconv body set can.iv --mass 300 --material wood"});
  command.run([&o](cli::Reporter& reporter) { return set_body(o, reporter); });
}

}  // namespace simbatch::objconv
