// What there is to see of a world: what shares its triangles, and what moves with what.

#include "lib/sim/scene/scene_builder.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "lib/sim/scene/codes.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::scene;

namespace {

/// A body "houses" with a row of boxes of one material along x, 10 m apart, each turned a little more.
struct Street {
  sim::Simulation simulation{{}};
  Appearance looks;

  Street(std::size_t count, geo::Vec3 size, Material material, const models::ModelFile& model = {}) {
    physics::BodySettings body;
    body.name = "houses";
    body.kind = physics::BodyKind::fixed;
    body.pose.p = {100, 0, 50};
    std::vector<PartAppearance> parts;
    for (std::size_t i = 0; i < count; ++i) {
      const auto n = static_cast<double>(i);
      body.parts.push_back({physics::Box{size}, {{10 * n, size.y / 2, 0}, geo::rotation({0, 1, 0}, 0.1 * n)}});
      parts.push_back({material, model});
    }
    looks.parts[static_cast<std::uint32_t>(simulation.world().add_body(std::move(body)))] = parts;
  }
};

}  // namespace

TEST_CASE("scene: trees of one size share their triangles and have crowns of their own colors") {
  const Street street(500, {0.7, 12, 0.7}, Material::tree);
  SceneBuilder builder(street.simulation, street.looks);
  const PaintedScene scene = builder.build();
  CHECK(scene.fixed.empty());
  REQUIRE(scene.shapes.size() == 1);
  REQUIRE(scene.instances.size() == 500);
  CHECK(scene.paints.size() == 1000);  // crown and trunk
  const PaintedMesh& tree = scene.shapes[0].mesh;
  CHECK(tree.paints.size() * 3 == tree.indices.size());
  CHECK(*std::max_element(tree.paints.begin(), tree.paints.end()) == 1);
  const Instance& tenth = scene.instances[10];
  CHECK(geo::length(tenth.pose.p - geo::Vec3{200, 6, 50}) < 1e-9);
  CHECK(tenth.part == 10);
  CHECK(scene.paints[tenth.first_paint].material == Material::tree);
  CHECK(scene.paints[tenth.first_paint].color.g != scene.paints[scene.instances[11].first_paint].color.g);
  // The crown is where the box is, whatever the box is turned by.
  double low = 1e9, high = -1e9;
  for (const geo::Vec3& p : tree.points) {
    low = std::min(low, (tenth.pose * p).y);
    high = std::max(high, (tenth.pose * p).y);
  }
  CHECK(low == doctest::Approx(0));
  CHECK(high > 10);
}

TEST_CASE("scene: houses of two sizes are two shapes; other boxes are triangles of their body") {
  const Street street(3, {9, 6, 8}, Material::house), other(3, {9, 6, 8}, Material::plain);
  SceneBuilder builder(street.simulation, street.looks), plain(other.simulation, other.looks);
  const PaintedScene houses = builder.build(), boxes = plain.build();
  CHECK(houses.shapes.size() == 1);
  CHECK(houses.instances.size() == 3);
  // Each has its own wall, and windows up to the eaves of this shape.
  for (const Instance& house : houses.instances) {
    CHECK(houses.paints[house.first_paint].material == Material::house);
    CHECK(houses.paints[house.first_paint].windows == doctest::Approx(6 - 0.4 * 6));
  }
  CHECK(boxes.shapes.empty());
  REQUIRE(boxes.fixed.size() == 1);
  CHECK(boxes.fixed[0].mesh.paints.size() == 36);
}

TEST_CASE("scene: a model is one shape with one set of paints; checking models makes no triangles and reports the same") {
  test::TemporaryFolder folder;
  const std::string file = folder.file("model.obj");
  test::write_text(file, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 3 4\n");
  const models::ModelFile model{file, "obj", "w.xml", {3, 4}, "m"};
  Street street(7, {9, 6, 8}, Material::house, model);
  SceneBuilder builder(street.simulation, street.looks);
  const PaintedScene scene = builder.build();
  CHECK(scene.shapes.size() == 1);
  CHECK(scene.instances.size() == 7);
  CHECK(scene.paints.size() == 1);
  CHECK(scene.shapes[0].mesh.paints.size() == 2);
  CHECK(builder.problems().empty());

  street.looks.max_model_triangles = 5;  // two of seven
  SceneBuilder building(street.simulation, street.looks), checking(street.simulation, street.looks);
  CHECK(building.build().shapes.size() == 2);  // the model, and the plain house of those after it
  checking.check_models();
  for (SceneBuilder* each : {&building, &checking}) {
    test::Expected problems(each->problems());
    CHECK(problems.take(scene_code::kTooMany, Position{3, 4}).find("exceed 5 triangles") != std::string::npos);
  }
}

TEST_CASE("scene: terrains refer to the world's meshes where that is asked for, with the paints of the copies") {
  sim::Simulation simulation{{}};
  physics::TriangleMesh mesh{{{0, 0, 0}, {0, 0, 1}, {1, -2, 0}, {1, 0, 1}, {0, -9, 0}}, {0, 1, 2, 2, 1, 3}};
  const physics::BodyId roads = simulation.world().add_terrain(mesh, {"roads"});
  simulation.world().add_terrain(physics::HeightGrid{3, 2, 1, 0, 0, {0, 1, 2, 3, 4, 6}}, {"ground"});
  Appearance looks;
  looks.terrains[static_cast<std::uint32_t>(roads)] = {{0, Material::road}, {1, Material::junction}};
  SceneBuilder builder(simulation, looks);
  const PaintedScene copied = builder.build(), shared = builder.build(SceneBuilder::Terrains::shared);
  REQUIRE(copied.fixed.size() == 2);
  REQUIRE(shared.fixed.size() == 2);
  CHECK(copied.plain_y == shared.plain_y);
  CHECK(shared.fixed[0].shared == simulation.world().mesh(roads, 0));
  CHECK(shared.fixed[0].shared->points == mesh.points);
  CHECK(copied.fixed[0].mesh.points.size() == 6);  // three a triangle
  for (std::size_t i = 0; i < 2; ++i) {
    const PaintedMesh& copy = copied.fixed[i].mesh;
    const FixedFigure& figure = shared.fixed[i];
    CHECK(copied.fixed[i].shared == nullptr);
    CHECK(figure.mesh.points.empty());
    REQUIRE(figure.shared->triangle_count() == copy.paints.size());
    for (std::size_t k = 0; k < copy.indices.size(); ++k)
      CHECK(figure.shared->points[figure.shared->indices[k]] == copy.points[copy.indices[k]]);
    std::size_t run = 0;
    for (std::uint32_t t = 0; t < copy.paints.size(); ++t) {
      if (run + 1 < figure.stretches.size() && figure.stretches[run + 1].first_triangle <= t) ++run;
      CHECK(shared.paints[figure.stretches[run].paint].material == copied.paints[copy.paints[t]].material);
    }
  }
}
