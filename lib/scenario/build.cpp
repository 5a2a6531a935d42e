#include "lib/scenario/build.hpp"

#include <algorithm>
#include <filesystem>

#include "base/core/number.hpp"
#include "lib/file_kind/file_kind.hpp"
#include "lib/scenario/build_cache.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/scenario/import.hpp"
#include "lib/scenario/site.hpp"

namespace simbatch::scenario {
namespace detail {
namespace {

SimulationSettings settings_of(const autosim::World& file, const BuildOptions& options) {
  SimulationSettings settings;
  settings.physics.dt = options.dt.value_or(file.physics.step);
  settings.physics.gravity = vec(file.physics.gravity);
  if (options.cache) settings.physics.meshes = options.cache->meshes();
  settings.seed = options.seed.value_or(file.physics.seed);
  if (!file.grasps.empty()) {
    // Gripping needs friction in two directions, and more iterations than driving.
    settings.physics.solver_iterations = 50;
    settings.physics.friction_directions = 2;
  }
  if (file.physics.origin) settings.origin = geo::LatLon{file.physics.origin->latitude, file.physics.origin->longitude};
  if (file.physics.start_time) settings.start_unix = unix_time(*file.physics.start_time).value_or(settings.start_unix);
  return settings;
}

/// Sorts by name, the order in which the world is built, so that the order in a file does not affect tree, trace or run.
void sort_objects(autosim::World& world) {
  const auto by_name = [](auto& objects) {
    std::stable_sort(objects.begin(), objects.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  };
  by_name(world.robots);
  by_name(world.statics);
  by_name(world.traffic);
  by_name(world.grasps);
}

/// Reports a camera whose samples would need too much memory.
void check_cameras(const Site& site, const Scene& scene) {
  double numbers = 0;
  for (const vision::ImagingCamera& camera : scene.cameras) {
    numbers += vision::delayed_numbers(site.simulation, camera, scene.appearance.lights.size());
    if (numbers <= static_cast<double>(kMaxDelayed)) continue;
    site.files.report(code::kSensorLatency, camera.node->source().file, camera.node->source().at,
                      "with the latency of " + quoted(camera.node->name()) + " more than " +
                          number_text(static_cast<std::int64_t>(kMaxDelayed)) +
                          " numbers would be in transit; give it a shorter latency or a lower rate");
    return;
  }
}

/// Passes the participants to the simulation, in the order in which they act: first those that make decisions, then those that
/// others read (bodies, links), then devices, then the medium.
void add_participants(Assembly&& assembly, Scene&& scene, std::unique_ptr<ProgramScheduler> programs, BuiltScenario& built) {
  Simulation& simulation = assembly.simulation;
  simulation.add(std::make_unique<Timeline>(std::move(scene.settings), simulation.settings().physics.dt));
  for (auto& mission : scene.missions) simulation.add(std::move(mission));
  for (auto& participant : scene.participants) simulation.add(std::move(participant));
  // After all other decision makers: a program overrides them.
  if (programs) built.programs = &simulation.add(std::move(programs));
  if (!assembly.sampling->empty()) simulation.add(assembly.sampling->first());
  simulation.add(std::move(assembly.bodies));
  simulation.add(std::move(assembly.links));
  simulation.add(std::move(assembly.devices));
  if (assembly.scanners) simulation.add(std::move(assembly.scanners));
  if (assembly.range_images) simulation.add(std::move(assembly.range_images));
  simulation.add(std::move(assembly.sensors));
  if (!assembly.sampling->empty()) simulation.add(assembly.sampling->last());
  simulation.add(std::move(assembly.fluid));
  built.cameras = &simulation.add(std::make_unique<vision::Cameras>(simulation, std::move(scene.cameras),
                                                                    std::move(scene.appearance), assembly.vision_device));
  simulation.set_images(built.cameras);
}

/// @param text     text whose digest is recorded
/// @param objects  the CajunBot object file that needs `file` as its world; null: `file` was read from `text`
/// @param made     the result of an imported file, replacing the files of robots; may be null
BuildResult build_world(const std::string& path, const autosim::World& file, std::string_view text, const Input* objects,
                        const BuildOptions& options, Diagnostics problems, const robots::AutosimWorld* made = nullptr) {
  BuildResult result;
  result.diagnostics = std::move(problems);
  BuiltScenario built;
  built.simulation = std::make_unique<Simulation>(settings_of(file, options));
  built.name = std::filesystem::path(path).filename().string();
  built.world = file.name;
  Files files(path, options, result.diagnostics);
  if (!text.empty()) files.note(built.name, text);
  if (made != nullptr) note_included(files, made->included);
  Assembly assembly(*built.simulation, file);
  assembly.meshes = models::ModelReader(options.mesh_seconds);
  const Site site{file, options, files, assembly, *built.simulation, made == nullptr ? nullptr : &made->robots};

  Scene scene = build_terrain(site);
  assembly.given_origin = built.simulation->settings().origin;
  set_origin_of_networks(site);
  scene.append(build_statics(site));
  scene.append(build_robots(site));
  scene.append(build_traffic(site));
  if (objects != nullptr) scene.append(build_objects(site, *objects));
  scene.append(build_networks(site));
  build_grasps(site);
  if (file.physics.water) scene.appearance.water_level = file.physics.water->level;
  auto programs = build_programs(site, scene.vehicles);
  if (!files.problems().has_errors()) {
    check_overlaps(site);
    check_speeds(site);
    for (const autosim::GraspWorld& world : file.grasps)
      check_support(*built.simulation, world.name + ".",
                    (std::filesystem::path(files.scenario()).parent_path() / world.file).string(), files.problems());
  }
  check_cameras(site, scene);
  built.expectations = build_expectations(site);
  built.plans = std::move(scene.plans);
  built.network_lines = std::move(scene.network_lines);
  built.duration = file.expectations.duration.value_or(0);
  add_participants(std::move(assembly), std::move(scene), std::move(programs), built);

  built.changes = options.changes;
  built.inputs = files.take_inputs();
  std::vector<RunInput> inputs;
  for (const FileDigest& input : built.inputs) inputs.push_back({input.name, input.digest});
  ProgramBoard::of(*built.simulation)->set_inputs(built.name, std::move(inputs));
  result.unreadable = files.unreadable();
  if (!result.diagnostics.has_errors()) result.value = std::move(built);
  return result;
}

BuildResult build_imported(const std::string& path, const Input& input, file_kind::Kind kind, const BuildOptions& options,
                           Diagnostics problems) {
  const ScenarioRoot root(path, options.root, options.library);
  const auto made = import_scenario(input, kind, root, options.look, problems);
  if (made) return build_world(path, made->world, input.text(), nullptr, options, std::move(problems), &*made);
  BuildResult result;
  result.diagnostics = std::move(problems);
  return result;
}

BuildResult build_grasp(const std::string& path, const Input& input, const BuildOptions& options) {
  BuildResult result = build_grasp_world(path, input, options);
  for (const ProgramChoice& choice : options.program_choices)
    if (!choice.may_miss) refuse_grasp(choice.robot, path, result.diagnostics);
  for (const ControllerChoice& choice : options.controllers)
    if (!choice.may_miss) refuse_grasp(choice.robot, path, result.diagnostics);
  if (result.diagnostics.has_errors()) result.value.reset();
  return result;
}

}  // namespace
}  // namespace detail

BuiltScenario::BuiltScenario() = default;
BuiltScenario::BuiltScenario(BuiltScenario&&) noexcept = default;
BuiltScenario& BuiltScenario::operator=(BuiltScenario&&) noexcept = default;
BuiltScenario::~BuiltScenario() = default;

BuildResult build_scenario(const std::string& path, const BuildOptions& options) {
  BuildResult result;
  result.diagnostics = Diagnostics(path);  // whose problems come first
  if (file_kind::report_folder(path, result.diagnostics)) return result;
  const Input input = Input::open(path);
  const file_kind::Kind kind = file_kind::kind_of(input.text());
  if (file_kind::report_other_kind(kind, input.text(), input.name(), file_kind::Purpose::scenario, result.diagnostics))
    return result;
  if (detail::is_imported(kind)) return detail::build_imported(path, input, kind, options, std::move(result.diagnostics));
  // With a network the file must be an object file, whatever its first line looks like.
  const bool objects = file_kind::is_objects(kind) ||
                       (kind == file_kind::Kind::unknown && !options.rndf.empty() && !file_kind::is_xml(input.text()));
  if (!objects && !options.rndf.empty()) {
    Diagnostics unused(input.name());
    unused.report(code::kNetworkUnused, {}, "this is not a CajunBot object file; --rndf has no effect");
    result.diagnostics.append(std::move(unused));
  }
  if (path.ends_with(".wld") || file_kind::is_grasp_world(kind)) {
    BuildResult grasp = detail::build_grasp(path, input, options);
    result.diagnostics.append(std::move(grasp.diagnostics));
    grasp.diagnostics = std::move(result.diagnostics);
    return grasp;
  }
  if (objects)
    return detail::build_world(path, detail::world_of_objects(), input.text(), &input, options, std::move(result.diagnostics));
  if (!file_kind::is_xml(input.text())) {
    file_kind::report_unknown_kind(input.text(), input.name(), result.diagnostics);
    return result;
  }
  const std::string_view text = options.text ? std::string_view(*options.text) : input.text();
  auto parsed = autosim::read_world(text, input.name());
  result.diagnostics.append(std::move(parsed.diagnostics));
  if (!parsed.value) return result;
  detail::sort_objects(*parsed.value);
  return detail::build_world(path, *parsed.value, options.changes.empty() ? text : input.text(), nullptr, options,
                             std::move(result.diagnostics));
}

autosim::World detail::world_of_map() {
  autosim::World world;
  world.name = "map";
  world.terrain.kind = autosim::Terrain::Kind::map;
  world.terrain.name = "map";
  world.terrain.path = ".";
  return world;
}

BuildResult build_map(const std::string& folder, const BuildOptions& options) {
  return detail::build_world((std::filesystem::path(folder) / "map").string(), detail::world_of_map(), {}, nullptr, options,
                             {});
}

BuildResult build_robot(const std::string& file, const BuildOptions& options) {
  autosim::World world = detail::world_of_objects();
  world.name = "robot";
  world.physics.origin.emplace();  // 0 north, 0 east: a GPS needs an origin
  autosim::RobotEntry& robot = world.robots.emplace_back();
  robot.name = std::filesystem::path(file).stem().string();
  robot.file = std::filesystem::path(file).filename().string();
  return detail::build_world((std::filesystem::path(file).parent_path() / "world").string(), world, {}, nullptr, options, {});
}

}  // namespace simbatch::scenario
