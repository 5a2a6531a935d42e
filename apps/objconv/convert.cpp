/// convert: robots and worlds to URDF, SDFormat and back, GraspIt! text to XML and back, bodies to mesh files; worlds to glTF; roads; towns.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

#include "apps/common/environment.hpp"
#include "apps/common/new_folder.hpp"
#include "apps/common/outputs.hpp"
#include "apps/common/reporter.hpp"
#include "apps/objconv/batch.hpp"
#include "apps/objconv/codes.hpp"
#include "apps/objconv/commands.hpp"
#include "apps/objconv/grasp_files.hpp"
#include "apps/objconv/network.hpp"
#include "apps/objconv/obj.hpp"
#include "apps/objconv/roads.hpp"
#include "apps/objconv/robot_files.hpp"
#include "apps/objconv/world.hpp"
#include "apps/objconv/world_files.hpp"
#include "base/core/atomic_file.hpp"
#include "base/core/read_files.hpp"
#include "base/core/text.hpp"
#include "formats/gltf/gltf.hpp"
#include "lib/file_kind/file_kind.hpp"
#include "lib/grasp/dialect_files.hpp"
#include "lib/grasp/export.hpp"

namespace simbatch::objconv {
namespace {

using file_kind::Kind;

namespace fs = std::filesystem;

struct ConvertOptions {
  std::string input;
  GraspReadOptions read;
  std::string output = "-";
  std::string to;                                     ///< --to: a suffix without its dot
  std::string mesh_format = "stl", mesh_unit = "mm";  ///< --mesh-format, --mesh-unit
  std::string report;
  WorldOptions world;
};

struct Result {
  std::string text;
  grasp::MeshFiles meshes;
};

constexpr std::size_t kMostTargets = 8;
constexpr struct {
  Kind kind{};
  std::array<std::string_view, kMostTargets> targets;  // those after the last are empty
} kTargets[] = {
    {Kind::graspit_robot, {".urdf", ".cfg", ".xml", ".glb"}},
    {Kind::graspit_robot_xml, {".urdf", ".cfg", ".xml", ".glb"}},
    {Kind::graspit_world, {".sdf", ".wld", ".xml", ".obj", ".glb"}},
    {Kind::graspit_world_xml, {".sdf", ".wld", ".xml", ".obj", ".glb"}},
    {Kind::graspit_body, {".xml", ".iv", ".obj", ".stl", ".glb"}},
    {Kind::graspit_body_xml, {".xml", ".iv", ".obj", ".stl", ".glb"}},
    {Kind::autosim_world, {".urdf", ".sdf", ".obj", ".glb", ".geojson", ".xodr", ".lanelet2.osm", ".net.xml"}},
    {Kind::autosim_robot, {".urdf", ".sdf", ".obj", ".glb"}},
    {Kind::objects_v1, {".urdf", ".sdf", ".obj", ".glb"}},
    {Kind::objects_v2, {".urdf", ".sdf", ".obj", ".glb"}},
    {Kind::urdf, {".urdf", ".sdf", ".xml", ".obj", ".glb"}},
    {Kind::mjcf, {".urdf", ".sdf", ".xml", ".obj", ".glb"}},
    {Kind::sdf, {".urdf", ".sdf", ".wld", ".xml", ".obj", ".glb"}},
    {Kind::rndf, {".xodr", ".lanelet2.osm", ".net.xml"}},
    {Kind::osm, {".xodr", ".lanelet2.osm", ".net.xml", ".geojson"}},
    {Kind::mesh, {".glb"}},
};

/// "a, b or c".
std::string choice_of(const std::vector<std::string_view>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 == words.size() ? " or " : ", ", words[i]);
  return text;
}

/// "a URDF robot or an SDF world or model": what becomes such a target; empty: nothing does.
std::string sources_of(std::string_view target) {
  if (target == ".xacro") target = ".urdf";
  if (target == ".world") target = ".sdf";
  std::vector<std::string_view> names;
  for (const auto& row : kTargets)
    if (const std::string_view name = file_kind::describe(row.kind).name;
        std::find(row.targets.begin(), row.targets.end(), target) != row.targets.end() &&
        (names.empty() || names.back() != name))
      names.push_back(name);
  return choice_of(names);
}

/// That a file of this kind does not become such a target, and what it becomes instead, or what does.
void report_refused(Kind kind, const std::string& target, Diagnostics& diagnostics) {
  if (target.empty())
    return diagnostics.report(code::kNoConversion, {},
                              "the output has no suffix that shows its format: give -o one, or use --to");
  std::string message = fmt::format("{} cannot be converted to {}",
                                    kind == Kind::unknown ? "a file of unknown kind" : file_kind::describe(kind).name, target);
  const auto row = std::find_if(std::begin(kTargets), std::end(kTargets), [&](const auto& r) { return r.kind == kind; });
  if (row != std::end(kTargets))
    message += ", expected " + choice_of({row->targets.begin(), std::find(row->targets.begin(), row->targets.end(), "")});
  else if (const std::string sources = sources_of(target); !sources.empty())
    message += ", which is made from " + sources;
  if (kind == Kind::osm) message += "; a map folder, as osmgen init makes one, also becomes .sdf, .obj or .glb";
  diagnostics.report(code::kNoConversion, {}, std::move(message));
}

class Converter {
 public:
  Converter(const ConvertOptions& options, std::string file, std::string_view text, std::string target,
            Diagnostics& diagnostics)
      : options_(grasp_options(options.read)),
        mesh_unit_(options.mesh_unit == "m" ? 1 : 1000),
        file_(std::move(file)),
        output_(options.output),
        text_(text),
        target_(std::move(target)),
        diagnostics_(diagnostics) {
    options_.missing = Severity::warning;
    export_ = {mesh_folder_of(options.output), options.mesh_format};
  }

  std::optional<Result> run() {
    const Kind kind = file_kind::kind_of(file_, text_);
    switch (kind) {
      case Kind::graspit_body:
      case Kind::graspit_body_xml: return body(kind == Kind::graspit_body_xml);
      case Kind::graspit_robot:
      case Kind::graspit_robot_xml: return robot();
      case Kind::graspit_world:
      case Kind::graspit_world_xml: return world();
      case Kind::sdf: return from_sdf();
      default: break;
    }
    return refuse();
  }

 private:
  template <class T>
  std::optional<T> take(Parsed<T> parsed) {
    const bool good = parsed.ok();
    diagnostics_.append(std::move(parsed.diagnostics));
    if (!good) parsed.value.reset();
    return std::move(parsed.value);
  }

  std::optional<Result> refuse() {
    report_refused(file_kind::kind_of(file_, text_), target_, diagnostics_);
    return std::nullopt;
  }

  std::optional<Result> body(bool from_xml) {
    grasp::GraspOptions options = options_;
    options.missing = Severity::error;  // a robot can be converted without one of its shapes, a body cannot
    const auto body = take(grasp::load_body(file_, options));
    if (!body) return std::nullopt;
    using grasp::BodyTarget;
    if (target_ == ".obj" || target_ == ".stl") {
      grasp::report_body_losses(*body, BodyTarget::plain_mesh, diagnostics_);
      return Result{
          target_ == ".obj" ? grasp::write_obj(body->mesh, mesh_unit_, body->name) : grasp::write_stl(body->mesh, mesh_unit_),
          {}};
    }
    if (target_ == ".glb") return Result{gltf::write_glb(grasp::to_gltf(*body)), {}};
    if (target_ == ".xml") {
      graspit::Body out = body->given;
      if (!from_xml) out.geometry_file = fs::path(file_).filename().string();
      return Result{graspit::write_body_xml(out), {}};
    }
    if (target_ != ".iv") return refuse();
    grasp::report_body_losses(*body, from_xml ? BodyTarget::header : BodyTarget::scene, diagnostics_);
    if (from_xml) {
      // Back to a text body: the geometry's own bytes, with the XML's values in its header.
      const Input geometry = Input::open(body->file);
      return Result{graspit::set_body_header(geometry.text(), body->given), {}};
    }
    inventor::Mesh mesh = body->mesh;
    for (auto& point : mesh.points)
      for (double& x : point) x *= 1000;
    return Result{graspit::set_body_header(inventor::write_inventor(mesh), body->given), {}};
  }

  std::optional<Result> robot() {
    const bool xml = graspit::xml_kind(text_) == graspit::XmlKind::robot;
    if (target_ == ".urdf" || target_ == ".xacro") {
      const auto robot = take(grasp::load_robot(file_, options_));
      if (!robot) return std::nullopt;
      Result result;
      result.text = urdf::write_urdf(grasp::to_urdf(*robot, export_, result.meshes, diagnostics_));
      return result;
    }
    if (target_ == ".glb") {
      const auto robot = take(grasp::load_robot(file_, options_));
      return robot ? std::optional(Result{gltf::write_glb(grasp::to_gltf(*robot)), {}}) : std::nullopt;
    }
    if (target_ != ".xml" && target_ != ".cfg") return refuse();
    auto model = take(xml ? graspit::read_robot_xml(text_, file_) : graspit::read_cfg(text_, options_.reading, file_));
    if (!model) return std::nullopt;
    grasp::MeshFiles files;
    const fs::path beside = fs::path("iv");
    grasp::DialectBodies bodies((fs::path(file_).parent_path() / beside).string(),
                                output_ == "-" ? std::string() : (fs::path(output_).parent_path() / beside).string(), options_,
                                files, diagnostics_);
    const grasp::Renames names{[&](const std::string& name, Position at) {
                                 return target_ == ".xml" ? bodies.to_xml(name, at) : bodies.to_text(name, at);
                               },
                               {}};
    if (target_ == ".xml")
      return Result{graspit::write_robot_xml(xml ? *model : grasp::robot_for_xml(std::move(*model), diagnostics_, names)),
                    std::move(files)};
    return Result{graspit::write_cfg(xml ? grasp::robot_for_text(std::move(*model), diagnostics_, names) : *model),
                  std::move(files)};
  }

  std::optional<Result> world() {
    const bool xml = graspit::xml_kind(text_) == graspit::XmlKind::world;
    if (target_ == ".sdf" || target_ == ".world") {
      const auto world = take(grasp::load_world(file_, options_));
      if (!world) return std::nullopt;
      Result result;
      result.text = sdf::write_world(grasp::to_sdf(*world, export_, result.meshes, diagnostics_));
      return result;
    }
    if (target_ != ".xml" && target_ != ".wld") return refuse();
    auto model = take(xml ? graspit::read_world_xml(text_, file_) : graspit::read_wld(text_, options_.reading, file_));
    if (!model) return std::nullopt;
    const std::string root = grasp::root_of(file_, *model, options_);
    return text_or_xml(std::move(*model), xml, root);
  }

  std::optional<Result> text_or_xml(graspit::World model, bool xml, const std::string& root) {
    if (target_ == ".xml") {
      const grasp::Rename rename = grasp::existing_xml(root, diagnostics_);
      return Result{
          graspit::write_world_xml(xml ? model : grasp::world_for_xml(std::move(model), diagnostics_, {rename, rename})), {}};
    }
    const grasp::Renames names{grasp::existing_text(root, ".iv", diagnostics_),
                               grasp::existing_text(root, ".cfg", diagnostics_)};
    return Result{graspit::write_wld(xml ? grasp::world_for_text(std::move(model), diagnostics_, names) : model), {}};
  }

  std::optional<Result> from_sdf() {
    if (target_ != ".wld" && target_ != ".xml") return refuse();
    auto model = take(grasp::world_from_sdf(text_, file_));
    if (!model) return std::nullopt;
    // Its file names show whether it was text or XML.
    bool xml = false;
    for (const auto& body : model->bodies) xml = xml || body.file.ends_with(".xml");
    const std::string folder = fs::path(file_).parent_path().string();
    return text_or_xml(std::move(*model), xml, !options_.root.empty() ? options_.root : folder.empty() ? "." : folder);
  }

  grasp::GraspOptions options_;
  double mesh_unit_;  // of a single OBJ or STL, per meter
  grasp::ExportOptions export_;
  std::string file_, output_;
  std::string_view text_;
  std::string target_;
  Diagnostics& diagnostics_;
};

/// Writes all files or none; folders for meshes are made, and removed again if that fails.
void write_all(const ConvertOptions& options, const Result& result, const std::string& report) {
  cli::NewFolder folder(fs::path(options.output).parent_path());
  const auto add = [&folder](const std::string& name, const std::string& text) {
    AtomicFile file(name);
    file.write(text);
    folder.add(std::move(file));
  };
  for (const auto& mesh : result.meshes) folder.write(mesh.first, mesh.second);
  add(options.output, result.text);
  if (!options.report.empty()) add(options.report, report);
  folder.commit();
}

std::string target_of(const ConvertOptions& options) {
  if (options.to == "net") return ".net.xml";
  if (options.to == "lanelet2") return ".lanelet2.osm";
  if (!options.to.empty()) return "." + options.to;
  const std::string road = road_target(options.output);
  return road.empty() ? fs::path(options.output).extension().string() : road;
}

/// Whether the target is the input's own format, in which a robot, world or body may be rewritten in its file.
bool is_own_format(const std::string& file, std::string_view target) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return false;  // a folder; a pipe is read only once
  const Input input = Input::open(file);
  switch (file_kind::kind_of(input.name(), input.text())) {
    case Kind::graspit_robot: return target == ".cfg";
    case Kind::graspit_world: return target == ".wld";
    case Kind::graspit_body: return target == ".iv";
    case Kind::graspit_robot_xml:
    case Kind::graspit_world_xml:
    case Kind::graspit_body_xml: return target == ".xml";
    case Kind::urdf: return target == ".urdf" || target == ".xacro";
    case Kind::sdf: return target == ".sdf" || target == ".world";
    default: return false;
  }
}

cli::Outputs outputs_of(const ConvertOptions& o, bool in_place) {
  cli::Outputs files;
  files.reads("INPUT", o.input);
  if (const std::string map = street_map_of(o.input); map != o.input) files.reads("INPUT", map);
  files.reads("--trace", o.world.trace);
  files.reads("--rndf", o.world.rndf);
  files.writes("--output", o.output, in_place ? "INPUT" : "");
  files.writes("--report", o.report);
  return files;
}

/// False, after a report, if an output would replace one of the files that were read.
bool keeps_inputs(const ConvertOptions& options, const std::optional<Result>& result, const ReadFiles& read,
                  Diagnostics& diagnostics) {
  cli::Outputs files = outputs_of(options, is_own_format(options.input, target_of(options)));
  for (const auto& mesh : result ? result->meshes : grasp::MeshFiles())
    files.writes("a file beside the output", (fs::path(options.output).parent_path() / mesh.first).string());
  std::string conflict = files.conflict(read);
  if (conflict.empty()) return true;
  diagnostics.report(code::kOverwrite, {}, std::move(conflict));
  return false;
}

std::optional<Result> converted(const ConvertOptions& options, bool strict, Diagnostics& diagnostics) {
  const std::string target = target_of(options);
  std::error_code error;
  const bool is_folder = fs::is_directory(options.input, error);
  std::optional<Input> input;
  if (!is_folder || (target != ".glb" && target != ".obj" && target != ".geojson" && !is_model_target(target)))
    input = Input::open(street_map_of(options.input));
  const Kind kind = input ? file_kind::kind_of(input->name(), input->text()) : Kind::unknown;
  const bool is_graspit = file_kind::is_grasp_world(kind) || kind == Kind::graspit_robot || kind == Kind::graspit_robot_xml;
  WorldOptions world = options.world;
  world.graspit_root = cli::graspit_root(options.read.root);
  world.mesh_format = options.mesh_format;
  world.mesh_folder = mesh_folder_of(options.output);
  const auto whole = [](std::string text) { return text.empty() ? std::nullopt : std::optional(Result{std::move(text), {}}); };
  const auto with_files = [&](std::optional<WorldFiles> files) {
    return files && may_write(*files, options.output, diagnostics)
               ? std::optional(Result{std::move(files->text), std::move(files->files)})
               : std::nullopt;
  };
  if (target == ".glb" && input && is_obj_mesh(*input, kind)) return whole(mesh_glb(*input, diagnostics));
  if (target == ".geojson" && has_town(options.input, kind)) return whole(town_file(options.input, world, diagnostics));
  if (target == ".obj" && is_world(options.input, kind)) return whole(world_obj(options.input, kind, world, diagnostics));
  if (target == ".glb" && is_world(options.input, kind)) return whole(world_glb(options.input, kind, world, diagnostics));
  if (is_model_target(target) && is_robot_file(kind)) {
    return with_files(robot_files(options.input, kind, options.output, target, world, diagnostics));
  }
  if (is_model_target(target) && !is_graspit && is_world(options.input, kind)) {
    return with_files(model_files(options.input, kind, target, world, diagnostics));
  }
  if (target == ".xml" && input && is_for_autosim(kind, input->text())) {
    return with_files(autosim_files(options.input, options.output, world, diagnostics));
  }
  if (is_road_target(target) && has_roads(kind)) {
    auto text = roads_file(options.input, std::move(*input), target, options.world, strict, diagnostics);
    return text ? std::optional(Result{std::move(*text), {}}) : std::nullopt;
  }
  return Converter(options, input->name(), input->text(), target, diagnostics).run();
}

cli::ExitCode convert(const ConvertOptions& options, cli::Reporter& reporter) {
  Diagnostics diagnostics(options.input);
  const ReadFiles read;
  const auto result = converted(options, reporter.options().strict, diagnostics);
  const bool may_write = keeps_inputs(options, result, read, diagnostics);
  diagnostics.sort();
  const Diagnostics* const all[] = {&diagnostics};
  if (result && !diagnostics.has_errors() && !(reporter.options().strict && diagnostics.warnings() > 0))
    write_all(options, *result, report_text(all));
  else if (may_write && !options.report.empty())
    write_file(options.report, report_text(all));
  reporter.show(std::move(diagnostics));
  return reporter.finish();
}

}  // namespace

void add_convert(cli::Command& program) {
  cli::Command& command = program.add("convert", "Robots, worlds and roads by the output's suffix");
  auto& o = command.keep<ConvertOptions>();
  command.group("Input");
  command
      .positional(
          "INPUT", o.input,
          "A robot or world: .cfg, .wld, .iv, .wrl, .urdf, .sdf, MJCF or AutoSim XML; for .sdf and .glb also an object file or a map folder; for .xodr, "
          ".lanelet2.osm and .net.xml an OpenStreetMap file, a map folder or an RNDF; for .geojson the first two, or a scenario with a map")
      .required();
  add_grasp_options(command, o.read);
  command.option("--trace", "FILE", o.world.trace, "Trace of a run in this world: its motion becomes an animation (.glb)");
  command.option("--rndf", "FILE", o.world.rndf, "Road network of a CajunBot object file (.glb, .sdf)");
  add_planar_option(command, o.world.planar);
  command.option("--root", "FOLDER", o.world.root, "Folder that a scenario or robot may read (default: its own)");
  command.group("Output");
  command.option("-o,--output", "FILE", o.output,
                 "Output: .urdf .sdf .wld .cfg .xml .iv .obj .stl .glb .xodr .lanelet2.osm .net.xml .geojson");
  command.option("--to", "SUFFIX", o.to, "The output's format if it has no suffix (-o -)")
      .choices({"urdf", "sdf", "wld", "cfg", "xml", "iv", "obj", "stl", "glb", "xodr", "lanelet2", "net", "geojson"});
  command.option("--mesh-format", "FORMAT", o.mesh_format, "Meshes beside a URDF or SDF: stl or obj").choices({"stl", "obj"});
  command.option("--mesh-unit", "UNIT", o.mesh_unit, "Unit of a single .obj or .stl: mm or m (beside a URDF: m)")
      .choices({"mm", "m"});
  add_report_option(command, o.report);
  refuse_standard_input(command, o.input);
  command.check([&o]() -> std::string {
    if (o.output == "-" && o.to.empty()) return "-o or --to is required";
    if (o.output == "-" && (o.to == "urdf" || o.to == "sdf"))
      return "--to: an output with mesh files beside it needs a name (-o)";
    if (o.output == "-" && (o.to == "glb" || o.to == "stl") && ::isatty(STDOUT_FILENO) != 0)
      return "--output: a binary file would go to the terminal; name a file, or redirect it";
    if (!o.world.trace.empty() && target_of(o) != ".glb") return "--trace: only a scene (.glb) shows the motion of a run";
    // What is in the file is seen when it is read.
    return outputs_of(o, fs::path(o.input).extension() == target_of(o)).conflict();
  });
  command.examples({"objconv convert gripper.cfg -o gripper.urdf", "objconv convert world.wld -o world.sdf",
                    "objconv convert robot.xml -o robot.urdf", "objconv convert model.xml -o world.sdf",
                    "objconv convert can.iv -o can.glb", "objconv convert scenario.xml -o world.glb",
                    "objconv convert town.osm -o town.xodr", "objconv convert site.rndf -o site.lanelet2.osm",
                    "objconv convert town.osm -o town.net.xml", "objconv convert map -o town.geojson"});
  command.run([&o](cli::Reporter& reporter) { return convert(o, reporter); });
}

}  // namespace simbatch::objconv
