// Settings, classes of defaults and assets.

#include <fmt/format.h>

#include <algorithm>

#include "base/core/text.hpp"
#include "base/xml/codes.hpp"
#include "base/xml/number_list.hpp"
#include "formats/mjcf/codes.hpp"
#include "formats/mjcf/scope.hpp"

namespace simbatch::mjcf::detail {
namespace {

constexpr KnownAttribute kCompilerAttributes[] = {{"autolimits"},
                                                  {"boundmass"},
                                                  {"boundinertia"},
                                                  {"settotalmass"},
                                                  {"balanceinertia"},
                                                  {"strippath"},
                                                  {"coordinate"},
                                                  {"angle"},
                                                  {"eulerseq"},
                                                  {"meshdir"},
                                                  {"assetdir"},
                                                  {"inertiafromgeom"},
                                                  {"inertiagrouprange"},
                                                  {"fitaabb", Use::tuning},
                                                  {"texturedir", Use::tuning},
                                                  {"discardvisual", Use::tuning},
                                                  {"convexhull", Use::tuning},
                                                  {"usethread", Use::tuning},
                                                  {"fusestatic", Use::tuning},
                                                  {"exactmeshinertia", Use::tuning},
                                                  {"alignfree", Use::tuning},
                                                  {"saveinertial", Use::tuning},
                                                  {"conflict", Use::tuning}};
constexpr KnownAttribute kCompilerChildren[] = {{"lengthrange", Use::tuning}};
constexpr std::string_view kOptionTuning[] = {"apirate",          "impratio",       "tolerance",         "ls_tolerance",
                                              "noslip_tolerance", "ccd_tolerance",  "mpr_tolerance",     "sleep_tolerance",
                                              "o_margin",         "o_solref",       "o_solimp",          "o_friction",
                                              "integrator",       "cone",           "jacobian",          "solver",
                                              "iterations",       "ls_iterations",  "noslip_iterations", "ccd_iterations",
                                              "mpr_iterations",   "sdf_iterations", "sdf_initpoints",    "actuatorgroupdisable",
                                              "collision",        "magnetic"};
constexpr std::string_view kFlagsThatMatter[] = {"constraint", "frictionloss", "limit",    "contact",   "passive",     "spring",
                                                 "damper",     "gravity",      "equality", "actuation", "filterparent"};
constexpr KnownAttribute kMeshAttributes[] = {{"name"},
                                              {"class"},
                                              {"file"},
                                              {"scale"},
                                              {"vertex"},
                                              {"builtin"},
                                              {"params"},
                                              {"content_type", Use::tuning},
                                              {"inertia", Use::tuning},
                                              {"smoothnormal", Use::tuning},
                                              {"maxhullvert", Use::tuning},
                                              {"normal", Use::tuning},
                                              {"texcoord", Use::tuning},
                                              {"face", Use::tuning},
                                              {"material", Use::tuning},
                                              {"octree_maxdepth", Use::tuning},
                                              {"refpos", Use::ignored},
                                              {"refquat", Use::ignored}};
constexpr KnownAttribute kMeshChildren[] = {{"plugin", Use::ignored}};
constexpr KnownAttribute kAssets[] = {
    {"mesh"}, {"model"}, {"texture", Use::tuning}, {"material", Use::tuning}, {"hfield", Use::ignored}, {"skin", Use::tuning}};
constexpr std::string_view kAngles[] = {"degree", "radian"};
constexpr std::string_view kCoordinates[] = {"local", "global"};
constexpr std::string_view kFromGeoms[] = {"false", "true", "auto"};

void read_settings(Attributes& attributes, Settings& settings) {
  const auto not_negative = xml::Range::not_negative();
  settings.least_mass = attributes.number("boundmass", settings.least_mass, not_negative);
  settings.least_inertia = attributes.number("boundinertia", settings.least_inertia, not_negative);
  settings.total_mass = attributes.number("settotalmass", settings.total_mass);
  settings.balances_inertia = attributes.flag("balanceinertia", settings.balances_inertia);
  if (attributes.has("inertiafromgeom")) {
    const std::size_t how = attributes.choice("inertiafromgeom", kFromGeoms, 2);
    settings.only_inertials = how == 0;
    settings.from_geoms = how == 1;
  }
  if (const auto groups = attributes.range("inertiagrouprange"))
    settings.groups = {static_cast<int>(std::clamp((*groups)[0], -1e6, 1e6)),
                       static_cast<int>(std::clamp((*groups)[1], -1e6, 1e6))};
}

void read_compiler(const Node& node, Compiler& compiler, Settings& settings, Sources& sources) {
  Attributes attributes(node, nullptr);
  attributes.skip_others(kCompilerAttributes, sources);
  skip_children(node, kCompilerChildren, sources);
  compiler.degrees = attributes.choice("angle", kAngles, compiler.degrees ? 0 : 1) == 0;
  compiler.automatic_limits = attributes.flag("autolimits", compiler.automatic_limits);
  compiler.strips_path = attributes.flag("strippath", compiler.strips_path);
  if (attributes.choice("coordinate", kCoordinates, 0) == 1)
    attributes.fail(code::kCompiler, "coordinate",
                    "coordinate=\"global\" was removed from MuJoCo; save the model with version 2.3.3 or before, which writes "
                    "local ones");
  const std::string euler = attributes.text("eulerseq", compiler.euler);
  if (euler.size() == 3 && euler.find_first_not_of("xyzXYZ") == std::string::npos)
    compiler.euler = euler;
  else
    attributes.fail(code::kCompiler, "eulerseq", fmt::format("eulerseq={}, expected three of xyzXYZ", quoted(euler)));
  for (const std::string_view name : {"assetdir", "meshdir"})
    if (attributes.has(name)) compiler.mesh_folder = attributes.text(name);
  if (!compiler.mesh_folder.empty() && !compiler.mesh_folder.ends_with('/')) compiler.mesh_folder += '/';
  read_settings(attributes, settings);
}

void read_flags(const Node& node, Model& model, Sources& sources) {
  for (const std::string_view name : node.element.attribute_names()) {
    const bool off = node.element.attribute(name) == "disable";
    const bool matters =
        std::find(std::begin(kFlagsThatMatter), std::end(kFlagsThatMatter), name) != std::end(kFlagsThatMatter);
    if (off && name == "gravity")
      model.gravity = {};
    else if (off || !matters)
      sources.skip(off && matters ? code::kIgnored : code::kTuning, fmt::format("the flag {}", printable(name)), node,
                   node.element.attribute_position(name));
  }
}

void read_option(const Node& node, Model& model, Sources& sources) {
  Attributes attributes(node, nullptr);
  model.gravity = attributes.vector("gravity", model.gravity);
  model.step = attributes.number("timestep", model.step, xml::Range::positive());
  for (const std::string_view name : {"density", "viscosity"})
    if (attributes.number(name, 0) != 0)
      sources.skip(code::kIgnored, fmt::format("{} of <option>", name), node, node.element.attribute_position(name),
                   ": there is no medium");
  if (!(attributes.vector("wind", {}) == geo::Vec3{}))
    sources.skip(code::kIgnored, "wind of <option>", node, node.element.attribute_position("wind"));
  std::vector<KnownAttribute> known = {{"gravity"}, {"timestep"}, {"density"}, {"viscosity"}, {"wind"}};
  for (const std::string_view name : kOptionTuning) known.push_back({name, Use::tuning});
  attributes.skip_others(known, sources);
  constexpr KnownAttribute kChildren[] = {{"flag"}};
  skip_children(node, kChildren, sources);
  for (const Node& child : node.children)
    if (child.name() == "flag") read_flags(child, model, sources);
}

/// "a/b.stl": "b".
std::string stem_of(const std::string& file) {
  const std::size_t slash = file.find_last_of("/\\");
  const std::string name = slash == std::string::npos ? file : file.substr(slash + 1);
  return name.substr(0, name.rfind('.'));
}

std::string path_of(const std::string& file, const Compiler& compiler) {
  if (file.empty()) return file;
  if (compiler.strips_path) {
    const std::size_t slash = file.find_last_of("/\\");
    return compiler.mesh_folder + (slash == std::string::npos ? file : file.substr(slash + 1));
  }
  return file.starts_with('/') ? file : compiler.mesh_folder + file;
}

void read_points(Attributes& attributes, Mesh& mesh) {
  const std::string text = attributes.text("vertex");
  const xml::NumberList list = xml::read_number_list(text, 3 * kMaxPoints);
  if (!list.bad.empty() || list.count % 3 != 0 || list.count > 3 * kMaxPoints || list.count < 12) {
    attributes.fail(code::kVector, "vertex",
                    list.bad.empty()
                        ? fmt::format("vertex has {} numbers, expected three of each of 4 to {} points", list.count, kMaxPoints)
                        : fmt::format("{} of vertex is not a number", quoted(list.bad)));
    return;
  }
  for (std::size_t i = 0; i < list.values.size(); i += 3)
    mesh.points.push_back(
        {mesh.scale.x * list.values[i], mesh.scale.y * list.values[i + 1], mesh.scale.z * list.values[i + 2]});
}

void read_mesh(const Node& node, Scope& scope, Model& model, Sources& sources) {
  Attributes attributes = scope.attributes(node, "mesh", kMainClass);
  attributes.skip_others(kMeshAttributes, sources);
  skip_children(node, kMeshChildren, sources);
  Mesh mesh;
  const std::string file = attributes.text("file");
  mesh.file = path_of(file, scope.compiler);
  mesh.name = attributes.text("name", stem_of(file));
  mesh.place = node.place();
  mesh.scale = attributes.vector("scale", mesh.scale);
  if (mesh.scale.x == 0 || mesh.scale.y == 0 || mesh.scale.z == 0)
    attributes.fail(code::kSize, "scale", "a factor of scale is 0");
  if (attributes.has("vertex")) read_points(attributes, mesh);
  const std::string builtin = attributes.text("builtin");
  mesh.is_round = builtin == "sphere" || builtin == "supersphere";
  if (!builtin.empty() && !mesh.is_round)
    sources.skip(code::kIgnored, fmt::format("the built-in mesh {}", printable(builtin)), node, node.at());
  if (mesh.name.empty()) {
    node.report(code::kName, "a mesh needs a name or a file");
    return;
  }
  const auto [first, fresh] = scope.meshes.try_emplace(mesh.name, model.meshes.size());
  if (!fresh) {
    node.report(code::kName, fmt::format("two meshes are named {}", quoted(mesh.name)));
    return;
  }
  model.meshes.push_back(std::move(mesh));
}

void read_assets(const Node& node, Scope& scope, Model& model, Sources& sources) {
  skip_children(node, kAssets, sources);
  for (const Node& child : node.children) {
    if (child.name() == "mesh") read_mesh(child, scope, model, sources);
    if (child.name() != "model") continue;
    const std::string file(child.element.attribute("file").value_or(""));
    if (file.empty()) {
      child.report(xml::code::kAttributeMissing, "<model> needs the attribute \"file\"");
      continue;
    }
    scope.models.try_emplace(std::string(child.element.attribute("name").value_or(stem_of(file))), &child);
  }
}

void collect_names(const Node& node, Scope& scope) {
  for (const Node& child : node.children) {
    if (const auto name = child.element.attribute("name"); name && !name->empty()) {
      if (child.name() == "frame") scope.frames.try_emplace(std::string(*name), &child);
      if (child.name() == "body") scope.bodies.try_emplace(std::string(*name), &child);
    }
    collect_names(child, scope);
  }
}

}  // namespace

void read_head(Scope& scope, Model& model, bool is_main, Sources& sources) {
  // The settings hold for the whole file, wherever they are.
  Settings settings;
  Model other;
  for (const Node& child : scope.root.children) {
    if (child.name() == "compiler") read_compiler(child, scope.compiler, settings, sources);
    if (child.name() == "option") read_option(child, is_main ? model : other, sources);
    if (child.name() == "default") scope.classes.read(child, sources);
    if (child.name() == "worldbody") collect_names(child, scope);
  }
  if (is_main) model.settings = settings;
  for (const Node& child : scope.root.children)
    if (child.name() == "asset") read_assets(child, scope, model, sources);
}

}  // namespace simbatch::mjcf::detail
