// Ray casting over two bounding volume hierarchies of Embree (Wald et al., "Embree: a kernel framework for efficient CPU ray
// tracing", 2014): one over all static triangles, one over moving or round solids, which are intersected exactly as user
// geometry. A fan traverses both in packets of four; the first tree only identifies the triangle (see surface.hpp). A dozen
// solids or fewer are tested one by one, each first against its bounding sphere.

#include "lib/sim/vision/ray_scene.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>

#include <embree3/rtcore.h>

#include "base/core/float_mode.hpp"
#include "lib/sim/physics/rays.hpp"
#include "lib/sim/scene/bounds.hpp"
#include "lib/sim/scene/tessellate.hpp"
#include "lib/sim/vision/embree_errors.hpp"
#include "lib/sim/vision/surface.hpp"

namespace simbatch::sim::vision {

using namespace scene;

namespace scanned {

/// A solid for rays: a part of a body, or a wheel.
struct Solid {
  physics::detail::RayShape shape;
  Vec3 low, high;  // of the shape, in its own frame
  Pose in_body;
  physics::BodyId body = physics::kNoBody;  // or else a wheel:
  physics::VehicleId vehicle{};
  std::size_t wheel = 0;
  physics::BodyId owner = physics::kNoBody;  // the body, or the wheel's chassis
  int group = physics::kNoGroup;
  bool moves = false;
  std::unique_ptr<Surface> mesh;  // of a moving mesh
  Pose pose, inverse_pose;        // now
  Vec3 center;                    // of its bounding sphere, current
  double radius = 0;
};

/// A solid that a fan may hit.
struct Candidate {
  const Solid* solid;
  Vec3 to;  // center of its sphere relative to the fan's origin
  double length2, radius2;
  /// False if the ray misses the sphere.
  bool is_near(Vec3 d) const {
    const double along = dot(to, d);
    return length2 - along * along <= radius2 && (along >= 0 || length2 <= radius2);
  }
};

}  // namespace scanned

namespace {

using scanned::Candidate;
using scanned::Solid;

using physics::BodyId;

// SSE registers hold packets of four; Embree splits larger ones. Neighboring rays are nearly parallel, and declaring them
// coherent makes Embree 1.5 times as fast.
constexpr std::size_t kWidth = 4;
using Packet = RTCRayHit4;

/// Up to this many are tested one after another; more are found through Embree's tree.
constexpr std::size_t kFewSolids = 12;

/// Distance beyond `near` at which a ray of the fan enters a solid, if less than `best`.
bool enter(const Solid& solid, const RayFan& fan, Vec3 d, double& best) {
  const Vec3 from = solid.inverse_pose * (fan.from + fan.near * d), v = solid.inverse_pose.q * d;
  if (!solid.mesh) {
    Vec3 normal;
    return physics::detail::enter(solid.shape, from, v, best, normal);
  }
  Surface::Triangle triangle;
  if (!solid.mesh->first_hit(from, v, 0, best, triangle)) return false;
  const double t = std::max(solid.mesh->distance(triangle, from, v), 0.0);
  if (t >= best) return false;
  best = t;
  return true;
}

/// Embree's context with additional data for the callbacks.
struct Context : RTCIntersectContext {
  const std::vector<Solid>* solids;
  const RayFan* fan;
  double* best;           // distance beyond `near`
  physics::BodyId* seen;  // null: not asked for
};

void bounds(const RTCBoundsFunctionArguments* args) {
  const Solid& solid = (*static_cast<const std::vector<Solid>*>(args->geometryUserPtr))[args->primID];
  Vec3 middle = solid.pose * (0.5 * (solid.low + solid.high)), half = 0.5 * (solid.high - solid.low);
  if (!Surface::in_reach(middle) || !Surface::in_reach(half)) middle = half = {};  // then no ray can hit it there either
  const Vec3 x = solid.pose.q * Vec3{half.x, 0, 0}, y = solid.pose.q * Vec3{0, half.y, 0},
             z = solid.pose.q * Vec3{0, 0, half.z};
  const auto set = [](float& low, float& high, double at, double reach) {
    reach += 1e-3 + 1e-6 * std::abs(at);  // larger than the error of floats
    low = static_cast<float>(at - reach);
    high = static_cast<float>(at + reach);
  };
  RTCBounds& b = *args->bounds_o;
  set(b.lower_x, b.upper_x, middle.x, std::abs(x.x) + std::abs(y.x) + std::abs(z.x));
  set(b.lower_y, b.upper_y, middle.y, std::abs(x.y) + std::abs(y.y) + std::abs(z.y));
  set(b.lower_z, b.upper_z, middle.z, std::abs(x.z) + std::abs(y.z) + std::abs(z.z));
}

void meet(const RTCIntersectFunctionNArguments* args) {
  const Context& context = *static_cast<const Context*>(args->context);
  const Solid& solid = (*context.solids)[args->primID];
  if (solid.group != physics::kNoGroup && solid.group == context.fan->ignore_group) return;
  const Vec3 to = solid.center - context.fan->from;
  const Candidate candidate{&solid, to, dot(to, to), solid.radius * solid.radius};
  RTCRayN* rays = RTCRayHitN_RayN(args->rayhit, args->N);
  RTCHitN* hits = RTCRayHitN_HitN(args->rayhit, args->N);
  for (unsigned i = 0; i < args->N; ++i) {
    if (args->valid[i] == 0) continue;
    const unsigned id = RTCRayN_id(rays, args->N, i);
    const Vec3 d = context.fan->directions[id];
    if (!candidate.is_near(d) || !enter(solid, *context.fan, d, context.best[id])) continue;
    const double t = context.best[id];
    if (context.seen != nullptr) context.seen[id] = solid.owner;
    RTCRayN_tfar(rays, args->N, i) = static_cast<float>(context.fan->near + t);
    RTCHitN_geomID(hits, args->N, i) = args->geomID;
    RTCHitN_primID(hits, args->N, i) = args->primID;
  }
}

/// Four rays of the fan, starting at `first`; those past its end are invalid.
void fill_packet(const RayFan& fan, std::size_t first, Packet& packet, int* valid) {
  const std::size_t n = fan.directions.size();
  for (std::size_t i = 0; i < kWidth; ++i) {
    const std::size_t ray = std::min(first + i, n - 1);
    const Vec3 d = fan.directions[ray];
    valid[i] = first + i < n ? -1 : 0;
    packet.ray.org_x[i] = static_cast<float>(fan.from.x);
    packet.ray.org_y[i] = static_cast<float>(fan.from.y);
    packet.ray.org_z[i] = static_cast<float>(fan.from.z);
    packet.ray.dir_x[i] = static_cast<float>(d.x);
    packet.ray.dir_y[i] = static_cast<float>(d.y);
    packet.ray.dir_z[i] = static_cast<float>(d.z);
    packet.ray.tnear[i] = static_cast<float>(fan.near);
    packet.ray.tfar[i] = static_cast<float>(fan.far);
    packet.ray.time[i] = 0;
    packet.ray.mask[i] = ~0u;
    packet.ray.id[i] = static_cast<unsigned>(ray);
    packet.ray.flags[i] = 0;
    packet.hit.geomID[i] = RTC_INVALID_GEOMETRY_ID;
    packet.hit.instID[0][i] = RTC_INVALID_GEOMETRY_ID;
  }
}

bool has_flat_faces(const physics::Shape& shape) {
  return std::holds_alternative<physics::Box>(shape) || std::holds_alternative<physics::ConvexHull>(shape) ||
         std::holds_alternative<physics::TriangleMesh>(shape);
}

}  // namespace

/// Extent of an infinite plane for rays (m); beyond it floats cannot resolve a ray's origin.
constexpr double kPlane = 1e7;

struct RayScene::Parts {
  const physics::World& world;
  std::shared_ptr<EmbreeDevice> device;
  std::unique_ptr<Surface> fixed;
  std::vector<Solid> solids;
  bool anything_moves = false;
  std::size_t bodies = 0, vehicles = 0;  // already collected
  RTCScene scene = nullptr;
  RTCGeometry geometry = nullptr;

  ~Parts() { clear(); }
  void clear() {
    if (geometry != nullptr) rtcReleaseGeometry(geometry);
    if (scene != nullptr) rtcReleaseScene(scene);
    geometry = nullptr;
    scene = nullptr;
    solids.clear();
    anything_moves = false;
  }

  void collect() {
    clear();
    fixed = std::make_unique<Surface>(device);
    bodies = world.body_count();
    vehicles = world.vehicle_count();
    for (std::size_t i = 0; i < bodies; ++i) add_body(BodyId(static_cast<std::uint32_t>(i)));
    for (std::size_t i = 0; i < vehicles; ++i) add_wheels(physics::VehicleId(static_cast<std::uint32_t>(i)));
    fixed->commit();
    for (const Solid& solid : solids) anything_moves = anything_moves || solid.moves;
    if (solids.empty()) return;
    scene = checked(rtcNewScene(device->get()), device->get());
    rtcSetSceneFlags(scene, RTC_SCENE_FLAG_DYNAMIC);
    rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_LOW);
    geometry = checked(rtcNewGeometry(device->get(), RTC_GEOMETRY_TYPE_USER), device->get());
    rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned>(solids.size()));
    rtcSetGeometryUserData(geometry, &solids);
    rtcSetGeometryBoundsFunction(
        geometry, [](const RTCBoundsFunctionArguments* args) { bounds(args); }, nullptr);
    rtcSetGeometryIntersectFunction(geometry, [](const RTCIntersectFunctionNArguments* args) { meet(args); });
    rtcAttachGeometry(scene, geometry);
  }

  void add_wheels(physics::VehicleId id) {
    const auto& wheels = world.vehicle(id).wheels;
    for (std::size_t w = 0; w < wheels.size(); ++w) {
      const physics::Cylinder tire{wheels[w].radius, wheels[w].width};
      if (!physics::check_shape(tire).empty()) continue;
      Solid& solid = solids.emplace_back();
      solid.shape = tire;
      std::tie(solid.low, solid.high) = bounds_of(physics::Shape(tire));
      solid.in_body.q = geo::rotation_between({0, 1, 0}, {1, 0, 0});
      solid.vehicle = id;
      solid.wheel = w;
      solid.owner = world.chassis(id);
      solid.group = world.group(world.chassis(id));
      solid.moves = true;
    }
  }

  void add_body(BodyId body) {
    if (const std::optional<double> y = world.terrain_plane(body)) {
      const Vec3 corners[4] = {{-kPlane, *y, -kPlane}, {-kPlane, *y, kPlane}, {kPlane, *y, -kPlane}, {kPlane, *y, kPlane}};
      const std::uint32_t indices[6] = {0, 1, 2, 2, 1, 3};
      fixed->add_triangles(corners, indices, tag_of(body));
      return;
    }
    if (const physics::HeightGrid* grid = world.terrain_grid(body)) {
      add_ground(std::make_shared<const physics::TriangleMesh>(triangles_of(*grid)), body);
      return;
    }
    if (world.is_terrain(body)) {
      add_ground(world.mesh(body, 0), body);
      return;
    }
    const bool moves = world.kind(body) != physics::BodyKind::fixed;
    std::size_t number = 0;
    for (physics::Part& part : world.parts(body)) {
      const std::size_t index = number++;
      const auto* mesh = std::get_if<physics::TriangleMesh>(&part.shape);
      if (!moves && has_flat_faces(part.shape)) {
        const bool hull = std::holds_alternative<physics::ConvexHull>(part.shape);
        physics::TriangleMesh faces = hull ? world.hull_surface(body, index) : triangles_of(part.shape);
        const Pose pose = world.pose(body) * part.pose;
        for (Vec3& p : faces.points) p = pose * p;
        fixed->add_triangles(faces.points, faces.indices, tag_of(body) | (mesh != nullptr ? 0 : Surface::kClosed));
        continue;
      }
      Solid& solid = solids.emplace_back();
      solid.shape = physics::detail::ray_shape(part.shape);
      std::tie(solid.low, solid.high) = bounds_of(part.shape);
      solid.in_body = part.pose;
      solid.body = solid.owner = body;
      solid.group = world.group(body);
      solid.moves = moves;
      if (mesh != nullptr) {
        solid.mesh = std::make_unique<Surface>(device);
        solid.mesh->add_triangles(mesh->points, mesh->indices, 0);
        solid.mesh->commit();
      }
    }
  }

  void add_ground(std::shared_ptr<const physics::TriangleMesh> mesh, BodyId body) {
    const Surface::TagRun tag[] = {{0, tag_of(body)}};
    fixed->add_mesh(std::move(mesh), tag);
  }

  /// Solids that a ray of this fan may hit.
  std::vector<Candidate> candidates(const RayFan& fan) const {
    std::vector<Candidate> found;
    for (const Solid& solid : solids) {
      if (solid.group != physics::kNoGroup && solid.group == fan.ignore_group) continue;
      const Vec3 to = solid.center - fan.from;
      if (length(to) - solid.radius < fan.far) found.push_back({&solid, to, dot(to, to), solid.radius * solid.radius});
    }
    return found;
  }

  /// The mark of a fixed body's triangles.
  static std::uint32_t tag_of(BodyId body) { return static_cast<std::uint32_t>(body) & ~Surface::kClosed; }
  BodyId owner(Surface::Triangle triangle) const { return BodyId(fixed->tag(triangle) & ~Surface::kClosed); }

  /// Distance of a triangle of what never moves that Embree named, from the fan's point; fan.far if the ray only leaves solids.
  /// The triangle becomes the one that is entered.
  double fixed_distance(Surface::Triangle& triangle, const RayFan& fan, Vec3 d) const {
    if ((fixed->tag(triangle) & Surface::kClosed) == 0 || !(dot(fixed->normal(triangle), d) > 0))
      return fixed->distance(triangle, fan.from, d);
    // It started inside: once more, through what it leaves.
    return fixed->first_entry(fan.from, d, fan.near, fan.far, triangle) ? fixed->distance(triangle, fan.from, d) : fan.far;
  }

  void update_poses() {
    for (Solid& solid : solids) {
      const Pose in_world =
          solid.body != physics::kNoBody ? world.pose(solid.body) : world.wheel(solid.vehicle, solid.wheel).pose;
      solid.pose = in_world * solid.in_body;
      solid.inverse_pose = inverse(solid.pose);
      solid.center = solid.pose * (0.5 * (solid.low + solid.high));
      solid.radius = 0.5 * length(solid.high - solid.low) * (1 + 1e-9);
    }
    rtcCommitGeometry(geometry);
    rtcCommitScene(scene);
    throw_embree_error(device->get());
  }
};

RayScene::RayScene(const physics::World& world, std::shared_ptr<EmbreeDevice> device)
    : parts_(new Parts{world, std::move(device), nullptr, {}, false, 0, 0, nullptr, nullptr}) {}
RayScene::~RayScene() = default;

void RayScene::update() {
  const FloatModeGuard guard;
  Parts& p = *parts_;
  const bool fresh = !p.fixed || p.bodies != p.world.body_count() || p.vehicles != p.world.vehicle_count();
  if (fresh) p.collect();
  if (!p.solids.empty() && (fresh || p.anything_moves)) p.update_poses();
}

std::size_t RayScene::cast(const RayFan& fan, std::span<double> distances, std::span<physics::BodyId> seen) const {
  const FloatModeGuard guard;
  const Parts& p = *parts_;
  const double reach = fan.far - fan.near;
  // The simulation is diverging: the run ends after this step.
  if (fan.directions.empty() || !Surface::in_reach(fan.from) || !Surface::in_reach(fan.directions.front())) {
    std::fill(distances.begin(), distances.end(), fan.far);
    std::fill(seen.begin(), seen.end(), physics::kNoBody);
    return 0;
  }
  Context context{};
  rtcInitIntersectContext(&context);
  context.solids = &p.solids;
  context.fan = &fan;
  context.best = distances.data();
  context.seen = seen.empty() ? nullptr : seen.data();
  context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
  const std::vector<Candidate> candidates = p.candidates(fan);
  const bool few = candidates.size() <= kFewSolids;
  const auto n = fan.directions.size();
  std::size_t hits = 0;
  alignas(64) Packet packet;
  alignas(16) int valid[kWidth];
  for (std::size_t first = 0; first < n; first += kWidth) {
    const std::size_t count = std::min(kWidth, n - first);
    fill_packet(fan, first, packet, valid);
    if (!p.fixed->empty()) rtcIntersect4(valid, p.fixed->scene(), &context, &packet);
    for (std::size_t i = 0; i < count; ++i) {
      const Vec3 d = fan.directions[first + i];
      double best = reach;
      BodyId body = physics::kNoBody;
      if (packet.hit.geomID[i] != RTC_INVALID_GEOMETRY_ID) {
        Surface::Triangle triangle{packet.hit.geomID[i], packet.hit.primID[i]};
        best = std::clamp(p.fixed_distance(triangle, fan, d) - fan.near, 0.0, reach);
        if (best < reach) body = p.owner(triangle);
      }
      if (few)
        for (const Candidate& candidate : candidates)
          if (candidate.is_near(d) && enter(*candidate.solid, fan, d, best)) body = candidate.solid->owner;
      if (context.seen != nullptr) context.seen[first + i] = body;
      distances[first + i] = best;
    }
    if (!few) {
      for (std::size_t i = 0; i < count; ++i) {
        packet.ray.tfar[i] = static_cast<float>((fan.near + distances[first + i]) * (1 + 1e-6));
        packet.hit.geomID[i] = RTC_INVALID_GEOMETRY_ID;
      }
      rtcIntersect4(valid, p.scene, &context, &packet);
    }
    for (std::size_t i = 0; i < count; ++i) {
      double& distance = distances[first + i];
      if (distance < reach) ++hits;
      distance = distance < reach ? distance + fan.near : fan.far;
    }
  }
  return hits;
}

}  // namespace simbatch::sim::vision
