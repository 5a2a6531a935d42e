// Finding, opening and reading the files of GraspIt! worlds: each file once; missing ones are reported where they are
// referenced.
#include "lib/grasp/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/core/input.hpp"
#include "base/core/paths.hpp"
#include "base/core/text.hpp"
#include "formats/graspit/codes.hpp"
#include "lib/grasp/material.hpp"
#include "lib/grasp/solid.hpp"

namespace simbatch::grasp {
namespace {

namespace fs = std::filesystem;

bool is_xml(std::string_view file) { return file.ends_with(".xml"); }

constexpr std::size_t kMaxMeshBytes = std::size_t{1} << 31;
constexpr std::size_t kMaxTextBytes = std::size_t{1} << 28;

std::optional<Input> open(const std::string& file, const GraspOptions& options, std::size_t max_bytes) {
  return options.open ? options.open(file) : Input::open(file, max_bytes);
}

/// Files included by a scene are searched for beside it, and opened like all others.
inventor::Resolver resolver_of(const GraspOptions& options) {
  return [&options](std::string_view from, std::string_view name, bool contents) {
    inventor::Referenced found = inventor::resolve_beside(from, name, false);
    if (found.state != inventor::Referenced::State::found || !contents) return found;
    const auto input = open(found.name, options, kMaxMeshBytes);
    if (input)
      found.text = std::string(input->text());
    else
      found.state = inventor::Referenced::State::outside;
    return found;
  };
}

// Loads each file once.
class Loader {
 public:
  Loader(const GraspOptions& options, std::string file) : options_(options), diagnostics_(std::move(file)) {}
  Diagnostics& diagnostics() { return diagnostics_; }
  /// What is added to messages about missing files.
  void set_hint(std::string hint) { hint_ = std::move(hint); }

  /// `name`, written at `at`, relative to `folder`; null if it does not exist.
  std::shared_ptr<const GraspBody> body(const std::string& folder, const std::string& name, Position at) {
    const auto path = find(folder, name, at);
    if (!path) return nullptr;
    auto& known = bodies_[*path];
    if (known.second) return known.first;
    known.second = true;
    auto loaded = load_body(*path, options_);
    diagnostics_.append(std::move(loaded.diagnostics));
    if (loaded.value) known.first = std::make_shared<GraspBody>(std::move(*loaded.value));
    return known.first;
  }

  std::optional<std::string> find(const std::string& folder, const std::string& name, Position at) {
    const auto found = inventor::resolve_beside((fs::path(folder) / "x").string(), name, false);
    using State = inventor::Referenced::State;
    if (found.state == State::found) return found.name;
    if (!reported_.emplace(folder + "/" + name, true).second) return std::nullopt;
    const std::string_view shown = folder.empty() ? "the working folder" : std::string_view(folder);
    if (found.state == State::other_case) {
      diagnostics_.report_as(
          options_.missing, graspit::code::kFileCase, at,
          fmt::format("there is no file {} in {}, but {}", simbatch::quoted(name), shown, simbatch::quoted(found.nearest)));
      return std::nullopt;
    }
    diagnostics_.report_as(options_.missing, graspit::code::kFileMissing, at,
                           found.state == State::outside
                               ? fmt::format("{} leads out of its folder and is not read", simbatch::quoted(name))
                               : fmt::format("there is no file {} in {}{}", simbatch::quoted(name), shown, hint_));
    return std::nullopt;
  }

 private:
  const GraspOptions& options_;
  Diagnostics diagnostics_;
  std::map<std::string, std::pair<std::shared_ptr<const GraspBody>, bool>> bodies_;
  std::map<std::string, bool> reported_;
  std::string hint_;
};

// Header and geometry together.
constexpr double kReach = 1e6;  // m

bool is_in_reach(const inventor::Mesh& mesh) {
  return std::all_of(mesh.points.begin(), mesh.points.end(), [](const auto& point) {
    return std::all_of(point.begin(), point.end(), [](double x) { return std::abs(x) <= kReach; });
  });
}

void check_body(const GraspBody& body, Diagnostics& diagnostics) {
  const auto box = inventor::bounding_box(body.mesh);
  if (!box) return;
  double largest = 0;
  for (std::size_t i = 0; i < 3; ++i) largest = std::max(largest, box->max[i] - box->min[i]);
  if (largest < 0.002 || largest > 50)
    diagnostics.report(graspit::code::kScale, {},
                       fmt::format("read as millimeters, the body is {:.4g} mm large{}", largest * 1000,
                                   largest < 0.002 ? "; is it in meters?" : ""));
  if (body.given.cog) {
    const double cog[3] = {body.cog.x, body.cog.y, body.cog.z};
    double outside = 0;
    for (std::size_t i = 0; i < 3; ++i) outside = std::max({outside, box->min[i] - cog[i], cog[i] - box->max[i]});
    if (outside > 0.5 * largest)
      diagnostics.report(graspit::code::kCogOutside, {},
                         fmt::format("the center of gravity is {:.4g} mm outside the body's box", outside * 1000));
  }
  if (!body.closed && !(body.given.cog && body.given.inertia))
    diagnostics.report(graspit::code::kMeshOpen, {},
                       "the mesh is not closed: its center of gravity and inertia are computed anyway");
}

void fill_mass(GraspBody& body) {
  const SolidProperties solid = measure_solid(body.mesh.points, body.mesh.triangles);
  body.closed = solid.closed;
  body.volume = solid.volume;
  body.centroid = {solid.centroid[0], solid.centroid[1], solid.centroid[2]};
  body.computed_inertia = solid.inertia;
  body.material = body.given.material.value_or(std::string(kDefaultMaterial));
  body.mass = body.given.mass ? *body.given.mass * 0.001 : kDefaultMass;
  body.cog = body.given.cog ? meters(*body.given.cog) : body.centroid;
  for (std::size_t i = 0; i < 9; ++i) {
    const std::size_t t = i % 3 * 3 + i / 3;
    // An asymmetric matrix (as in flask.iv) is replaced by the mean of itself and its transpose.
    const double unit =
        body.given.inertia ? ((*body.given.inertia)[i] + (*body.given.inertia)[t]) / 2 * 1e-6 : solid.inertia[i];
    body.inertia[i] = unit * body.mass;
  }
}

/// How many numbers the line of a robot in a world needs, and why.
std::string dof_count_message(const GraspRobot& robot, const graspit::WorldRobot& entry) {
  std::size_t least = 0, flags = 0;
  for (std::size_t d = 0; d < robot.model.dofs.size(); ++d) {
    ++least;
    if (robot.model.dofs[d].kind != graspit::DofKind::breakaway) continue;
    for (const graspit::Chain& chain : robot.model.chains)
      for (const graspit::Joint& joint : chain.joints) flags += joint.variable.dof == d ? 1 : 0;
  }
  const std::size_t found = entry.dof_values.size();
  std::string text = fmt::format("{} has {} DOF{} and needs {} number{}, its line has {}", simbatch::quoted(entry.file),
                                 robot.model.dofs.size(), robot.model.dofs.size() == 1 ? "" : "s", least + flags,
                                 least + flags == 1 ? "" : "s", found);
  if (flags > 0)
    text += ": a breakaway DOF's value is followed by a flag for each of its joints, and a flag of 1 by the joint's value";
  return text;
}

std::string find_root(const std::string& file, const graspit::World& world, const std::string& within) {
  std::vector<std::string> names;
  for (const auto& body : world.bodies) names.push_back(body.file);
  for (const auto& robot : world.robots) names.push_back(robot.file);
  fs::path folder = fs::path(file).parent_path();
  const fs::path first = folder.empty() ? fs::path(".") : folder;
  std::error_code error;
  const fs::path outer = within.empty() ? fs::path() : fs::weakly_canonical(within, error);
  fs::path at = within.empty() ? fs::absolute(first, error) : fs::weakly_canonical(first, error);
  for (int up = 0; up < 6 && !at.empty() && (outer.empty() || is_inside(at, outer)); ++up) {
    for (const std::string& name : names)
      if (!name.empty() && fs::exists(at / name, error)) return up == 0 ? first.string() : at.string();
    if (at == at.parent_path()) break;
    at = at.parent_path();
  }
  return first.string();
}

/// The files of optional sections are not read here; GraspIt! loads a robot without them.
void report_missing_sections(const graspit::Robot& robot, const std::string& file, Diagnostics& diagnostics) {
  for (const auto& [section, name] : {std::pair<std::string_view, const std::string&>{"EigenGrasps", robot.eigen_grasps},
                                      {"VirtualContacts", robot.virtual_contacts},
                                      {"CyberGlove", robot.cyber_glove}}) {
    if (name.empty()) continue;
    const auto found = inventor::resolve_beside(file, name, false);
    if (found.state == inventor::Referenced::State::missing)
      diagnostics.report_as(
          Severity::warning, graspit::code::kFileMissing, {},
          fmt::format("there is no file {} beside the robot's, which {} names", simbatch::quoted(name), section));
    else if (found.state == inventor::Referenced::State::other_case)
      diagnostics.report_as(Severity::warning, graspit::code::kFileCase, {},
                            fmt::format("there is no file {}, which {} names, but {}", simbatch::quoted(name), section,
                                        simbatch::quoted(found.nearest)));
  }
}

std::string stem(const std::string& file) { return fs::path(file).stem().string(); }

/// The format of a geometry that is neither Inventor nor VRML, by its name: "PLY"; else empty.
std::string_view other_geometry(std::string_view text, std::string_view file) {
  if (text.starts_with("#Inventor") || text.starts_with("#VRML")) return {};
  constexpr std::pair<std::string_view, std::string_view> kFormats[] = {
      {".ply", "PLY"}, {".off", "OFF"}, {".obj", "OBJ"}, {".stl", "STL"}, {".dae", "COLLADA"}};
  const std::string name = lower_ascii(file);
  for (const auto& [suffix, format] : kFormats)
    if (name.ends_with(suffix)) return format;
  return {};
}

std::string unread_geometry(std::string_view which) {
  return fmt::format("geometry {} is not read, only Inventor and VRML: convert it to .iv or .wrl", which);
}

}  // namespace

std::string root_of(const std::string& file, const graspit::World& world, const GraspOptions& options) {
  return options.root.empty() ? find_root(file, world, options.search_within) : options.root;
}

Parsed<GraspBody> load_body(const std::string& file, const GraspOptions& options) {
  Parsed<GraspBody> result{std::nullopt, Diagnostics(file)};
  GraspBody body;
  body.name = stem(file);
  body.file = body.described = file;
  body.meters_per_unit = options.bare_unit;
  const auto input = open(file, options, kMaxMeshBytes);
  if (!input) return result;
  std::optional<Input> geometry;
  std::string_view text = input->text();
  if (is_xml(file)) {
    auto xml = graspit::read_body_xml(text, file);
    result.diagnostics.append(std::move(xml.diagnostics));
    if (!xml.value) return result;
    body.given = std::move(*xml.value);
    body.meters_per_unit = kMillimeter;
    if (!body.given.geometry_type.empty() && body.given.geometry_type != "Inventor") {
      result.diagnostics.report(graspit::code::kGeometryType, body.given.geometry_place.at,
                                unread_geometry(fmt::format("of type {}", simbatch::quoted(body.given.geometry_type))));
      return result;
    }
    Loader finder(options, file);
    const auto path =
        finder.find(fs::path(file).parent_path().string(), body.given.geometry_file, body.given.geometry_place.at);
    result.diagnostics.append(std::move(finder.diagnostics()));
    if (!path) return result;
    body.file = *path;
    geometry = open(*path, options, kMaxMeshBytes);
    if (!geometry) return result;
    text = geometry->text();
    if (const std::string_view other = other_geometry(text, *path); !other.empty()) {
      result.diagnostics.report(
          graspit::code::kGeometryType, body.given.geometry_place.at,
          unread_geometry(fmt::format("of {}, a {} file,", simbatch::quoted(body.given.geometry_file), other)));
      return result;
    }
  } else {
    auto header = graspit::read_body_header(text, options.reading, file);
    result.diagnostics.append(std::move(header.diagnostics));
    body.given = std::move(*header.value);
  }
  inventor::ReadOptions read;
  read.resolve = resolver_of(options);
  auto scene = inventor::read_inventor(text, read, body.file);
  result.diagnostics.append(std::move(scene.diagnostics));
  body.mesh = std::move(scene.value->mesh);
  body.min_scale = scene.value->min_scale;
  body.max_scale = scene.value->max_scale;
  const graspit::Vector3 scale = body.given.scaling.value_or(graspit::Vector3{1, 1, 1});
  const geo::Pose offset = pose_of(body.given.geometry_offset);  // of the scaled geometry in the body
  const bool mirrored = scale[0] * scale[1] * scale[2] < 0;
  for (auto& point : body.mesh.points) {
    for (std::size_t i = 0; i < 3; ++i) point[i] = point[i] * scale[i] * body.meters_per_unit;
    if (body.given.geometry_offset.empty()) continue;
    const geo::Vec3 moved = offset * geo::Vec3{point[0], point[1], point[2]};
    point = {moved.x, moved.y, moved.z};
  }
  if (mirrored)
    for (auto& triangle : body.mesh.triangles) std::swap(triangle[1], triangle[2]);
  if (!is_in_reach(body.mesh)) {
    result.diagnostics.report(graspit::code::kBodyReach, {}, "the body reaches farther than 1000 km from its origin");
    return result;
  }
  fill_mass(body);
  check_body(body, result.diagnostics);
  result.value = std::move(body);
  return result;
}

Parsed<GraspRobot> load_robot(const std::string& file, const GraspOptions& options) {
  const auto input = open(file, options, kMaxTextBytes);
  if (!input) return {std::nullopt, Diagnostics(file)};
  auto read =
      is_xml(file) ? graspit::read_robot_xml(input->text(), file) : graspit::read_cfg(input->text(), options.reading, file);
  Parsed<GraspRobot> result{std::nullopt, std::move(read.diagnostics)};
  if (!read.value) return result;
  GraspRobot robot;
  robot.name = stem(file);
  robot.file = file;
  robot.model = std::move(*read.value);
  robot.chains = chains_of(robot.model, &robot.dof_is_length);
  Loader loader(options, file);
  const std::string folder = (fs::path(file).parent_path() / "iv").string();
  if (!robot.model.palm.empty()) robot.palm = loader.body(folder, robot.model.palm, robot.model.palm_place.at);
  for (const auto& chain : robot.model.chains) {
    robot.links.emplace_back();
    for (const auto& link : chain.links)
      robot.links.back().push_back(link.file.empty() ? nullptr : loader.body(folder, link.file, link.place.at));
  }
  report_missing_sections(robot.model, file, result.diagnostics);
  result.diagnostics.append(std::move(loader.diagnostics()));
  result.value = std::move(robot);
  return result;
}

Parsed<GraspWorld> load_world(const std::string& file, const GraspOptions& options) {
  const auto input = open(file, options, kMaxTextBytes);
  if (!input) return {std::nullopt, Diagnostics(file)};
  return load_world(file, input->text(), options);
}

Parsed<GraspWorld> load_world(const std::string& file, std::string_view text, const GraspOptions& options) {
  auto read = is_xml(file) ? graspit::read_world_xml(text, file) : graspit::read_wld(text, options.reading, file);
  Parsed<GraspWorld> result{std::nullopt, std::move(read.diagnostics)};
  if (!read.value) return result;
  GraspWorld world;
  world.model = std::move(*read.value);
  world.root = root_of(file, world.model, options);
  Loader loader(options, file);
  if (options.root.empty())
    loader.set_hint("; --graspit-root names the folder that a world's files are relative to, $GRASPIT by default");
  for (const auto& body : world.model.bodies) {
    world.bodies.push_back(body.file.empty() ? nullptr : loader.body(world.root, body.file, body.place.at));
    const auto& loaded = world.bodies.back();
    if (loaded && body.obstacle && !body.material.empty() && loaded->material != body.material)
      loader.diagnostics().report(graspit::code::kObstacleMaterial, body.place.at,
                                  fmt::format("{} is declared as {}, but GraspIt! uses the material of its file: {}",
                                              simbatch::quoted(body.file), body.material, loaded->material));
  }
  std::map<std::string, std::shared_ptr<const GraspRobot>> known;
  for (const auto& robot : world.model.robots) {
    std::shared_ptr<const GraspRobot> loaded;
    if (const auto path = loader.find(world.root, robot.file, robot.place.at)) {
      auto& slot = known[*path];
      if (!slot) {
        auto one = load_robot(*path, options);
        loader.diagnostics().append(std::move(one.diagnostics));
        if (one.value) slot = std::make_shared<GraspRobot>(std::move(*one.value));
      }
      loaded = slot;
    }
    std::vector<double> dofs;
    if (loaded) {
      const DofValues split = split_dof_values(loaded->model, robot.dof_values);
      dofs = split.values;
      if (!split.complete)
        loader.diagnostics().report(graspit::code::kDofCount, robot.place.at, dof_count_message(*loaded, robot));
      const auto limits = dof_limits(loaded->chains);
      for (std::size_t i = 0; i < dofs.size(); ++i)
        // The files have six significant digits.
        if (dofs[i] < limits[i].min - 1e-5 || dofs[i] > limits[i].max + 1e-5)
          loader.diagnostics().report(graspit::code::kDofRange, robot.place.at,
                                      fmt::format("DOF {} of {} is {:.6g}, outside of {:.6g} .. {:.6g}", i,
                                                  simbatch::quoted(robot.file), dofs[i], limits[i].min, limits[i].max));
    }
    world.robots.push_back(std::move(loaded));
    world.dofs.push_back(std::move(dofs));
  }
  for (const auto& c : world.model.connections) {
    world.mounts.push_back(c.mount.empty() ? nullptr : loader.body(world.root, c.mount, c.mount_place.at));
    if (c.parent_robot < world.robots.size() && world.robots[c.parent_robot] &&
        c.parent_chain >= world.robots[c.parent_robot]->model.chains.size())
      loader.diagnostics().report(
          graspit::code::kChainIndex, c.place.at,
          fmt::format("robot {} has {} chains, the connection names chain {} (counted from 0)", c.parent_robot,
                      world.robots[c.parent_robot]->model.chains.size(), c.parent_chain));
  }
  result.diagnostics.append(std::move(loader.diagnostics()));
  result.value = std::move(world);
  return result;
}

}  // namespace simbatch::grasp
