// What cameras see: a checker board against a golden picture, and what must hold of every picture.

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>

#include "base/core/atomic_file.hpp"
#include "base/core/float_mode.hpp"
#include "base/core/input.hpp"
#include "lib/sim/scene/codes.hpp"
#include "lib/sim/scene/paint.hpp"
#include "lib/sim/vision/cameras.hpp"
#include "tests/unit/lib/sim/device/rig.hpp"

using namespace simbatch;
using namespace simbatch::sim;
using namespace simbatch::scene;
using namespace simbatch::sim::vision;
using geo::Vec3;

namespace {

constexpr const char* kGolden = "tests/golden/vision/checker.ppm";

/// A board of 8 x 8 light and dark squares of 1 m, a ball, a box and a hull on it, on grass.
struct Board {
  Simulation simulation{rig_settings()};
  Appearance looks;

  Board() {
    physics::World& world = simulation.world();
    world.add_terrain(physics::HeightGrid{2, 2, 400, -200, -200, {-0.05, -0.05, -0.05, -0.05}});
    physics::TriangleMesh board;
    std::vector<TerrainStretch> stretches;
    for (int i = 0; i < 64; ++i) {
      const double x = i % 8 - 4, z = i / 8 - 4;
      const auto first = static_cast<std::uint32_t>(board.points.size());
      board.points.insert(board.points.end(), {{x, 0, z}, {x, 0, z + 1}, {x + 1, 0, z}, {x + 1, 0, z + 1}});
      board.indices.insert(board.indices.end(), {first, first + 1, first + 2, first + 2, first + 1, first + 3});
      stretches.push_back({static_cast<std::size_t>(2 * i), (i % 8 + i / 8) % 2 == 0 ? Material::junction : Material::kerb});
    }
    looks.terrains[static_cast<std::uint32_t>(world.add_terrain(board, {"board"}))] = stretches;
    const auto stand = [&](const char* name, physics::Shape shape, Vec3 at, double turn) {
      physics::BodySettings body;
      body.name = name;
      body.kind = physics::BodyKind::kinematic;
      body.parts = {{std::move(shape), {}}};
      body.pose = {at, geo::rotation({0, 1, 0}, turn)};
      world.add_body(body);
    };
    stand("ball", physics::Sphere{0.8}, {1, 0.8, -0.5}, 0);
    stand("box", physics::Box{{1, 1.6, 1}}, {-2, 0.8, 1.5}, 0.6);
    stand("hull", physics::ConvexHull{{{0, 1.2, 0}, {0.8, 0, 0.8}, {-0.8, 0, 0.8}, {-0.8, 0, -0.8}, {0.8, 0, -0.8}}},
          {2.2, 0, 2.3}, 0.3);
  }
  static View view() {
    View view;
    view.pose = looking_at({1, 3.2, -7}, {0, 0.2, 0});
    view.field_of_view = 0.9;
    view.width = 160;
    view.height = 120;
    return view;
  }
};

std::vector<std::uint32_t> drawn(Renderer& renderer, const View& view) {
  std::vector<std::uint32_t> pixels(static_cast<std::size_t>(view.width) * static_cast<std::size_t>(view.height));
  renderer.draw(view, pixels);
  return pixels;
}

int red(std::uint32_t p) { return static_cast<int>(p & 255); }
int green(std::uint32_t p) { return static_cast<int>(p >> 8 & 255); }
int blue(std::uint32_t p) { return static_cast<int>(p >> 16 & 255); }

/// Where a place is in a picture.
std::size_t pixel_of(const View& view, Vec3 place) {
  const Vec3 own = inverse(view.pose) * place;
  const double scale = view.height / (2 * std::tan(view.field_of_view / 2));
  const auto x = static_cast<std::size_t>(view.width / 2.0 + own.x / own.z * scale);
  const auto y = static_cast<std::size_t>(view.height / 2.0 - own.y / own.z * scale);
  return y * static_cast<std::size_t>(view.width) + x;
}

}  // namespace

TEST_CASE("pictures: water is translucent, over what is below it only, and once") {
  Board board;
  const View view = Board::view();
  const auto device = std::make_shared<EmbreeDevice>();
  const auto picture = [&] {
    Renderer renderer(board.simulation, board.looks, device);
    return drawn(renderer, view);
  };
  const auto dry = picture();
  board.looks.water_level = 0.4;
  const auto wet = picture();
  // Two squares of the board, light and dark, and the ball's top.
  const std::size_t light = pixel_of(view, {-1.5, 0, -2.5}), dark = pixel_of(view, {-0.5, 0, -2.5});
  const std::size_t top = pixel_of(view, {1, 1.55, -0.6});
  for (const std::size_t p : {light, dark}) CHECK(blue(wet[p]) - red(wet[p]) > blue(dry[p]) - red(dry[p]) + 40);
  CHECK(std::abs(green(wet[light]) - green(wet[dark])) > 20);
  CHECK(std::abs(green(wet[light]) - green(wet[dark])) < std::abs(green(dry[light]) - green(dry[dark])));
  CHECK(wet[top] == dry[top]);
  // Where a surface at the same height, such as a map's water, is drawn, that is seen.
  board.looks.water_level = 0;
  CHECK(picture()[light] == dry[light]);
  board.looks.water_level = 0.4;
  board.looks.water_is_drawn = true;
  CHECK(picture() == dry);
}

TEST_CASE("pictures: a checker board is the golden one, within two of 256 steps") {
  Board board;
  Renderer renderer(board.simulation, board.looks, std::make_shared<EmbreeDevice>());
  const View view = Board::view();
  const auto pixels = drawn(renderer, view);
  std::string ppm = "P6\n160 120\n255\n";
  for (const std::uint32_t p : pixels)
    for (const int c : {red(p), green(p), blue(p)}) ppm += static_cast<char>(c);
  if (std::getenv("SIMBATCH_UPDATE_GOLDEN") != nullptr) write_file(kGolden, ppm);
  const Input golden = Input::open(kGolden);
  REQUIRE(golden.text().size() == ppm.size());
  // An edge may fall on the other side of a pixel's middle; apart from that all is arithmetic that is the same everywhere.
  std::size_t off = 0;
  double sum = 0;
  for (std::size_t i = 0; i < ppm.size(); ++i) {
    const int d = std::abs(static_cast<int>(static_cast<unsigned char>(ppm[i])) -
                           static_cast<int>(static_cast<unsigned char>(golden.text()[i])));
    sum += d;
    if (d > 2) ++off;
  }
  CHECK(off <= ppm.size() / 500);
  CHECK(sum / static_cast<double>(ppm.size()) < 0.1);
}

TEST_CASE("pictures: squares, sky, grass, shadow are where the camera's geometry puts them") {
  Board board;
  Renderer renderer(board.simulation, board.looks, std::make_shared<EmbreeDevice>());
  const View view = Board::view();
  const auto pixels = drawn(renderer, view);
  for (const auto& [x, z] : {std::pair{-3, -4}, {-2, -3}, {1, -4}, {0, -3}, {3, -2}, {-4, 0}}) {
    const int a = x, b = z;
    CAPTURE(a);
    CAPTURE(b);
    const std::uint32_t p = pixels[pixel_of(view, {a + 0.5, 0, b + 0.5})];
    const bool is_light = green(p) > 140;
    const bool should_be = (a + b) % 2 != 0;
    CHECK(is_light == should_be);
  }
  const std::uint32_t sky = pixels[5 * 160 + 80], grass = pixels[pixel_of(view, {7, -0.05, 5})];
  CHECK(blue(sky) > red(sky) + 10);
  CHECK(green(grass) > blue(grass) + 20);
  // The sun is in the south-east, so the ball's shadow falls to the north-west, on a light square.
  const Vec3 shadow = Vec3{1, 0, -0.5} + 1.25 * Vec3{-0.71, 0, 0.7};
  CHECK(green(pixels[pixel_of(view, shadow)]) < 125);
  std::size_t opaque = 0;
  for (const std::uint32_t p : pixels) opaque += p >> 24 == 255u ? 1 : 0;
  CHECK(opaque == pixels.size());
}

TEST_CASE(
    "pictures: the same bytes again, whatever was drawn before; more samples only smooth; the floating-point mode stays") {
  Board board;
  const FloatMode mode = float_mode();
  Renderer renderer(board.simulation, board.looks, std::make_shared<EmbreeDevice>());
  View view = Board::view();
  const auto first = drawn(renderer, view);
  view.pose.p.x += 1;
  view.width = 33;  // no multiple of a tile, nor of two
  view.height = 17;
  drawn(renderer, view);
  view = Board::view();
  CHECK(drawn(renderer, view) == first);
  Renderer other(board.simulation, board.looks, std::make_shared<EmbreeDevice>());
  CHECK(drawn(other, view) == first);
  view.samples = 3;
  const auto smooth = drawn(renderer, view);
  double difference = 0;
  for (std::size_t i = 0; i < first.size(); ++i) difference += std::abs(green(first[i]) - green(smooth[i]));
  CHECK(difference / static_cast<double>(first.size()) < 5);
  CHECK(float_mode() == mode);
  view.pose.p.x = std::nan("");  // nothing to see, and no harm
  CHECK(drawn(renderer, view)[0] == 0xff000000u);
}

TEST_CASE("pictures: a view that no picture can be drawn of is refused") {
  Board board;
  Renderer renderer(board.simulation, board.looks, std::make_shared<EmbreeDevice>());
  const auto refused = [&](auto change) {
    View view = Board::view();
    change(view);
    std::vector<std::uint32_t> pixels(160 * 120);
    try {
      renderer.draw(view, pixels);
    } catch (const std::invalid_argument&) {
      return true;
    }
    return false;
  };
  CHECK_FALSE(refused([](View&) {}));
  for (const double x : {std::nan(""), -0.1, 1.1, HUGE_VAL}) CHECK(refused([&](View& v) { v.daylight = x; }));
  for (const double x : {std::nan(""), 0.0, -1.0, 3.2, HUGE_VAL}) CHECK(refused([&](View& v) { v.field_of_view = x; }));
  CHECK(refused([](View& v) { v.samples = 0; }));
  CHECK(refused([](View& v) { v.width = 0; }));
  CHECK(refused([](View& v) { v.height = 121; }));
}

TEST_CASE("pictures: a color that is not a number is black") {
  CHECK(screen_byte(std::nanf("")) == 0);
  CHECK(screen_byte(-1) == 0);
  CHECK(screen_byte(2) == 255);
}

TEST_CASE("pictures: a camera's come through Simulation::images, follow its part, and leave the run as it was") {
  std::uint64_t hashes[2];
  for (const bool look : {false, true}) {
    Rig rig(rig_settings(1.0 / 240, {0, -9.81, 0}));
    rig.simulation.world().add_terrain(physics::HeightGrid{2, 2, 400, -200, -200, {-3, -3, -3, -3}});
    DeviceNode* camera = rig.devices->add_camera(rig.part, {"eye", {}, {}}, {{0, 0, 1}, {}}, rig.problems);
    auto cameras = std::make_unique<Cameras>(rig.simulation, std::vector<ImagingCamera>{{camera, 1.0, 40, 30}}, Appearance{},
                                             std::make_shared<EmbreeDevice>());
    rig.simulation.set_images(cameras.get());
    rig.simulation.add(std::move(cameras));
    ImageSource& images = *rig.simulation.images();
    rig.simulation.start();
    const auto size = images.image_size(*camera);
    REQUIRE(size);
    CHECK(size->width == 40);
    CHECK(size->height == 30);
    CHECK_FALSE(images.image_size(*rig.part.node));
    std::vector<std::uint32_t> before(size->pixels()), after(size->pixels());
    if (look) images.render(*camera, before);
    rig.steps(100);  // falls
    if (look) {
      images.render(*camera, after);
      CHECK(before != after);
    }
    rig.steps(100);
    hashes[look ? 1 : 0] = rig.simulation.state_hash();
  }
  CHECK(hashes[0] == hashes[1]);
}

TEST_CASE("pictures: lamps glow, head-lights light up what is before them, at night more than by day") {
  Rig rig;
  rig.simulation.world().add_terrain(physics::HeightGrid{2, 2, 400, -200, -200, {-1, -1, -1, -1}});
  DeviceNode* lamp = rig.devices->add_light(rig.part, {"lamp", {}, {}}, "LightDevice", 0, rig.problems);
  DeviceNode* beam = rig.devices->add_light(rig.part, {"beam", {}, {}}, "HeadLightDevice", 0, rig.problems);
  Appearance looks;
  looks.lights.push_back({lamp, rig.part.node, {0.4, 0, -0.55}, {}, 0, {1, 0.3, 0}});
  looks.lights.push_back({beam, rig.part.node, {0, 0, 0.55}, geo::normalized(Vec3{0, -0.1, 1}), 0.9, {1, 1, 1}});
  Renderer renderer(rig.simulation, looks, std::make_shared<EmbreeDevice>());
  rig.simulation.start();
  View view;
  view.pose = looking_at({0, 2, -5}, {0, 0, 0});
  view.width = 80;
  view.height = 60;
  view.daylight = 0;
  const auto dark = drawn(renderer, view);
  const std::size_t at_lamp = pixel_of(view, {0.4, 0, -0.55}), on_ground = pixel_of(view, {1.5, -1, 9});
  lamp->set(0, 1);
  const auto lit = drawn(renderer, view);
  CHECK(red(lit[at_lamp]) > red(dark[at_lamp]) + 100);
  CHECK(blue(lit[at_lamp]) < red(lit[at_lamp]));
  CHECK(green(lit[on_ground]) <= green(dark[on_ground]) + 3);
  beam->set(0, 1);
  const auto night = drawn(renderer, view);
  CHECK(green(night[on_ground]) > green(dark[on_ground]) + 15);
  view.daylight = 1;
  const auto day = drawn(renderer, view);
  CHECK(green(day[on_ground]) > green(night[on_ground]));
}

TEST_CASE("pictures: looking_at turns the eye to its target, upright") {
  for (const Vec3 to : {Vec3{3, 4, 5}, Vec3{-3, -4, 5}, Vec3{0, 9, 0}, Vec3{0, -9, 0}, Vec3{-2, 0, 0}}) {
    const geo::Pose pose = looking_at({}, to);
    CHECK(geo::length(pose.q * Vec3{0, 0, 1} - geo::normalized(to)) < 1e-9);
    CHECK((pose.q * Vec3{0, 1, 0}).y > -1e-9);
    CHECK(std::abs((pose.q * Vec3{1, 0, 0}).y) < 1e-9);
  }
  CHECK(looking_at({1, 2, 3}, {1, 2, 3}).p == Vec3{1, 2, 3});
}

TEST_CASE("pictures: models of too many triangles together are reported once, and drawn as their shapes") {
  test::TemporaryFolder folder;
  test::write_text(folder.file("model.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 3 4\n");
  Board board;
  const std::string file = folder.file("model.obj");
  for (const char* name : {"ball", "box", "hull"})
    board.looks.bodies[static_cast<std::uint32_t>(board.simulation.world().find_body(name))] = {
        file, "obj", "w.xml", {3, 4}, "m"};
  Renderer all(board.simulation, board.looks, std::make_shared<EmbreeDevice>());
  all.check_models();
  CHECK(all.problems().empty());
  board.looks.max_model_triangles = 3;
  Renderer one(board.simulation, board.looks, std::make_shared<EmbreeDevice>());
  one.check_models();
  test::Expected expected(one.problems());
  CHECK(expected.take(scene_code::kTooMany, Position{3, 4}).find("exceed 3 triangles") != std::string::npos);
}
