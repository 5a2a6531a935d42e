// Rays and pictures per second, on one core, with Bullet's own ray test over the same shapes in the same run.
//
//   bench/vision SCENARIO [SECONDS [pictures]]        (scenarios/circle_town/scenario.xml)
//
// Scans take SECONDS (1), pictures 50 of a camera for each of them. The checksum is of ranges, ours of the scanner's scene and of
// World::ray_cast, and of pictures.
//
// For a real town: osmgen TOWN.osm -o map/map.osm --setup map/setup.xml --houses map/houses.xml, and a scenario whose Terrain
// is <Map name="town"><Folder path="map"/></Map>, with at least one robot.

#include <BulletCollision/CollisionDispatch/btCollisionWorld.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btTriangleMesh.h>
#include <btBulletCollisionCommon.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include "bench/bench.hpp"
#include "lib/scenario/build.hpp"
#include "lib/sim/scene/tessellate.hpp"
#include "lib/sim/vision/cameras.hpp"
#include "lib/sim/vision/embree_device.hpp"
#include "lib/sim/vision/laser_scanner.hpp"
#include "lib/sim/vision/ray_scene.hpp"

using namespace simbatch;
using geo::Vec3;

namespace {

btVector3 bt(Vec3 v) { return {v.x, v.y, v.z}; }

/// Everything of a world in a collision world of Bullet's own, as its users build one.
struct Stock {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btCollisionWorld world{&dispatcher, &broadphase, &configuration};
  std::vector<std::unique_ptr<btStridingMeshInterface>> meshes;
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btCollisionObject>> objects;

  explicit Stock(const physics::World& from) {
    for (std::size_t i = 0; i < from.body_count(); ++i) {
      const physics::BodyId body{static_cast<std::uint32_t>(i)};
      if (const auto* grid = from.terrain_grid(body)) {
        add(scene::triangles_of(*grid), {});
        continue;
      }
      for (const physics::Part& part : from.parts(body)) {
        const geo::Pose pose = from.pose(body) * part.pose;
        if (const auto* box = std::get_if<physics::Box>(&part.shape))
          add(std::make_unique<btBoxShape>(bt(0.5 * box->size)), pose);
        else if (const auto* hull = std::get_if<physics::ConvexHull>(&part.shape))
          add(std::make_unique<btConvexHullShape>(&hull->points[0].x, static_cast<int>(hull->points.size()), sizeof(Vec3)),
              pose);
        else
          add(scene::triangles_of(part.shape), pose);
      }
    }
  }
  ~Stock() {
    for (const auto& object : objects) world.removeCollisionObject(object.get());
  }
  void add(const physics::TriangleMesh& from, const geo::Pose& pose) {
    auto mesh = std::make_unique<btTriangleMesh>();
    for (std::size_t i = 0; i + 2 < from.indices.size(); i += 3)
      mesh->addTriangle(bt(from.points[from.indices[i]]), bt(from.points[from.indices[i + 1]]),
                        bt(from.points[from.indices[i + 2]]));
    add(std::make_unique<btBvhTriangleMeshShape>(mesh.get(), true), pose);
    meshes.push_back(std::move(mesh));
  }
  void add(std::unique_ptr<btCollisionShape> shape, const geo::Pose& pose) {
    auto object = std::make_unique<btCollisionObject>();
    object->setCollisionShape(shape.get());
    object->setWorldTransform(btTransform(btQuaternion(pose.q.x, pose.q.y, pose.q.z, pose.q.w), bt(pose.p)));
    world.addCollisionObject(object.get());
    shapes.push_back(std::move(shape));
    objects.push_back(std::move(object));
  }
};

/// 16 layers of 360 columns, all around.
std::vector<Vec3> scanner_directions() {
  sim::vision::LaserScannerSettings settings;
  settings.azimuth_min = -std::numbers::pi;
  settings.azimuth_max = std::numbers::pi;
  settings.columns = 360;
  settings.elevation_min = -15 * std::numbers::pi / 180;
  settings.elevation_max = -settings.elevation_min;
  settings.layers = 16;
  return sim::vision::ray_directions(settings);
}

/// 16 places on a circle about the first dynamic body, 2 m above the ground.
std::vector<Vec3> scan_places(physics::World& world) {
  Vec3 middle;
  for (std::size_t i = world.body_count(); i-- > 0;)
    if (const physics::BodyId id{static_cast<std::uint32_t>(i)}; world.kind(id) == physics::BodyKind::dynamic)
      middle = world.pose(id).p;
  std::vector<Vec3> places;
  for (int i = 0; i < 16; ++i) {
    const Vec3 p = middle + 15.0 * Vec3{std::sin(0.4 * i), 0, std::cos(0.4 * i)};
    places.push_back({p.x, world.terrain_height(p.x, p.z).value_or(middle.y) + 2, p.z});
  }
  return places;
}

/// Scans the places in turn for so long, in ten rounds, and prints the rates.
/// @param scanned  called after each scan that is not timed, and for the last one of each round, with the number of its place
/// @return million rays per second, median
template <class Scan, class Scanned>
double measure(const char* name, const std::vector<Vec3>& places, std::size_t rays_per_scan, double seconds, Scan&& scan,
               Scanned&& scanned) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    scan(places[i]);
    scanned(i);
  }
  std::vector<double> times;  // us a ray
  std::size_t next = 0;
  for (int round = 0; round < 10; ++round) {
    std::size_t rays = 0;
    const double start = bench::cpu_seconds();
    double spent = 0;
    for (; spent < seconds / 10; ++next) {
      scan(places[next % places.size()]);
      rays += rays_per_scan;
      spent = bench::cpu_seconds() - start;
    }
    times.push_back(1e6 * spent / static_cast<double>(rays));
    scanned((next - 1) % places.size());
  }
  std::printf("%-34s %8.2f million rays/s, median %.2f\n", name, 1 / bench::minimum(times), 1 / bench::median(times));
  return 1 / bench::median(times);
}

double stock_range(const Stock& stock, Vec3 from, Vec3 to) {
  const btVector3 a = bt(from), b = bt(to);
  btCollisionWorld::ClosestRayResultCallback nearest(a, b);
  stock.world.rayTest(a, b, nearest);
  return nearest.hasHit() ? 100 * nearest.m_closestHitFraction : 100;
}

double world_range(physics::World& world, Vec3 from, Vec3 to) {
  const auto hit = world.ray_cast(from, to);
  return hit ? 100 * hit->fraction : 100;
}

/// How often the three agree.
void compare(physics::World& world, const sim::vision::RayScene& scene, const Stock& stock, const std::vector<Vec3>& places,
             const std::vector<Vec3>& directions) {
  std::vector<double> ranges(directions.size());
  std::size_t hits = 0, near_own = 0, near_stock = 0, total = 0;
  for (const Vec3 from : places) {
    hits += scene.cast({from, directions, 0, 100, physics::kNoGroup}, ranges);
    for (std::size_t i = 0; i < directions.size(); ++i, ++total) {
      const Vec3 to = from + 100 * directions[i];
      near_own += std::abs(ranges[i] - world_range(world, from, to)) < 1e-6;
      near_stock += std::abs(ranges[i] - stock_range(stock, from, to)) < 0.05;
    }
  }
  const auto percent = [&](std::size_t n) { return 100.0 * static_cast<double>(n) / static_cast<double>(total); };
  std::printf("  %.1f %% hit something\n", percent(hits));
  std::printf("  same as World::ray_cast to 1 um: %.3f %%, as Bullet to 5 cm (wheels are ours only): %.2f %%\n",
              percent(near_own), percent(near_stock));
}

void scans(physics::World& world, double seconds, bench::Checksum& checksum) {
  const std::vector<Vec3> directions = scanner_directions(), places = scan_places(world);
  const double began = bench::cpu_seconds();
  sim::vision::RayScene scene(world, std::make_shared<sim::vision::EmbreeDevice>());
  scene.update();
  const double built = bench::cpu_seconds();
  scene.update();
  std::printf("scanner scene: built in %.1f ms, updated in %.1f us\n", (built - began) * 1e3,
              (bench::cpu_seconds() - built) * 1e6);
  const Stock stock(world);
  const std::size_t n = directions.size();
  std::vector<double> ranges(n);
  std::printf("LaserScanner, 16 x 360 rays, 100 m:\n");
  const auto hash = [&](const std::string& way) {
    return [&, way](std::size_t place) { checksum.add(way + " " + std::to_string(place), ranges); };
  };
  const double ours = measure(
      "  ours", places, n, seconds,
      [&](Vec3 from) {
        scene.cast({from, directions, 0, 100, physics::kNoGroup}, ranges);
      },
      hash("scene"));
  const double theirs = measure(
      "  Bullet's rayTest, same shapes", places, n, seconds,
      [&](Vec3 from) {
        for (std::size_t i = 0; i < n; ++i) ranges[i] = stock_range(stock, from, from + 100 * directions[i]);
      },
      [](std::size_t) {});
  const double single = measure(
      "  World::ray_cast", places, n, seconds,
      [&](Vec3 from) {
        for (std::size_t i = 0; i < n; ++i) ranges[i] = world_range(world, from, from + 100 * directions[i]);
      },
      hash("ray_cast"));
  std::printf("  ratio %.1f to Bullet, %.1f to World::ray_cast\n", ours / theirs, ours / single);
  compare(world, scene, stock, places, directions);
}

void pictures(sim::Simulation& simulation, sim::vision::Cameras& cameras, int count, bench::Checksum& checksum) {
  for (const auto& camera : cameras.cameras()) {
    sim::vision::View view = *cameras.view_of(*camera.node);
    view.width = 320;
    view.height = 240;
    std::vector<std::uint32_t> pixels(320 * 240);
    const double began = bench::cpu_seconds();
    cameras.renderer().draw(view, pixels);
    const double first = bench::cpu_seconds() - began;
    std::vector<double> times;
    double spent = 0;
    StateHash hash;
    for (int i = 0; i < count; ++i) {
      const double start = bench::cpu_seconds();
      simulation.step();
      view.pose = cameras.view_of(*camera.node)->pose;
      const double drawing = bench::cpu_seconds();
      cameras.renderer().draw(view, pixels);
      const double end = bench::cpu_seconds();
      times.push_back(end - drawing);
      spent += (end - start) / count;
      hash.add(std::string_view(reinterpret_cast<const char*>(pixels.data()), 4 * pixels.size()));
    }
    checksum.add(camera.node->name(), hash.value());
    std::printf("%-34s 320 x 240: %6.1f pictures/s with a step each (first %.1f ms, minimum %.2f ms, median %.2f ms)\n",
                camera.node->name().c_str(), 1 / spent, first * 1e3, bench::minimum(times) * 1e3, bench::median(times) * 1e3);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bench::Options options(argc, argv);
  const std::string path = options.words().empty() ? "scenarios/circle_town/scenario.xml" : options.words()[0];
  const double seconds = options.word(1, 1);
  bench::print_head(argc, argv, "processor time; minimum and median of rounds");
  auto built = scenario::build_scenario(path);
  if (!built.value) {
    for (const Diagnostic& problem : built.diagnostics.items()) std::printf("%s\n", to_text(problem).c_str());
    return 1;
  }
  sim::Simulation& simulation = *built.value->simulation;
  simulation.start();
  std::printf("%s: %zu bodies\n", path.c_str(), simulation.world().body_count());
  bench::Checksum checksum;
  if (options.words().size() < 3) scans(simulation.world(), seconds, checksum);  // a third word: pictures only
  pictures(simulation, *built.value->cameras, std::max(1, static_cast<int>(50 * seconds)), checksum);
  return checksum.finish("ranges and pictures");
}
