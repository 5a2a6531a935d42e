// Random robots read back from their XML: every number to the last bit, every name as it was.

#include <doctest/doctest.h>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "base/core/number.hpp"
#include "base/core/random.hpp"
#include "base/xml/xml.hpp"
#include "formats/urdf/urdf.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;

namespace {

double random_number(RandomStream& random) {
  switch (random.below(5)) {
    case 0: return 0;
    case 1: return -1.5;
    case 2: return 1e-9 * random.uniform();
    case 3: return 1e12 * random.uniform();
    default: return 2 * random.uniform() - 1;
  }
}
urdf::Vector random_vector(RandomStream& random) {
  return {random_number(random), random_number(random), random_number(random)};
}
std::string random_name(RandomStream& random, std::size_t i) {
  constexpr const char* kNames[] = {"link", "a & b", "<hand>", "\"quoted\"", "it's", "fa\xC3\xA7on"};
  return kNames[random.below(std::size(kNames))] + std::to_string(i);
}

urdf::Robot random_robot(std::uint64_t seed) {
  RandomStream random(seed, "urdf");
  urdf::Robot robot;
  robot.name = random_name(random, 0);
  const std::size_t links = 1 + random.below(6);
  for (std::size_t i = 0; i < links; ++i) {
    urdf::Link& link = robot.links.emplace_back();
    link.name = random_name(random, i);
    if (random.below(2) == 0) {
      link.inertial = urdf::Inertial{{random_vector(random), random_vector(random)}, random_number(random), {}};
      for (double& value : link.inertial->inertia) value = random_number(random);
    }
    for (std::uint64_t k = random.below(3); k-- > 0;) {
      urdf::Shape shape;
      shape.origin = {random_vector(random), random_vector(random)};
      shape.geometry = urdf::Mesh{random_name(random, k) + ".stl"};
      if (random.below(2) == 0) link.collisions.push_back(shape);
      shape.color = urdf::Color{random.uniform(), 0, 1, 1};
      link.visuals.push_back(shape);
    }
  }
  for (std::size_t i = 1; i < links; ++i) {
    constexpr const char* kTypes[] = {"fixed", "revolute", "prismatic", "continuous"};
    urdf::Joint& joint = robot.joints.emplace_back();
    joint.name = "joint" + std::to_string(i);
    joint.type = kTypes[random.below(4)];
    joint.parent = robot.links[random.below(i)].name;
    joint.child = robot.links[i].name;
    joint.origin = {random_vector(random), random_vector(random)};
    joint.axis = random_vector(random);
    if (random.below(2) == 0)
      joint.limit = urdf::Limit{random_number(random), random_number(random), random_number(random), random_number(random)};
    if (random.below(2) == 0) joint.mimic = urdf::Mimic{"joint1", random_number(random), random_number(random)};
    if (random.below(2) == 0) joint.damping = random_number(random);
    if (random.below(2) == 0) joint.friction = random_number(random);
  }
  return robot;
}

double number_of(const xml::Element& element, std::string_view name) {
  const auto value = element.attribute(name);
  REQUIRE(value);
  const auto number = parse_double(*value);
  REQUIRE(number);
  return number.value;
}

urdf::Vector vector_of(const xml::Element& element, std::string_view name) {
  const auto value = element.attribute(name);
  REQUIRE(value);
  std::istringstream words{std::string(*value)};
  urdf::Vector v{};
  std::string word;
  for (double& x : v) {
    words >> word;
    REQUIRE_FALSE(word.empty());
    x = parse_double(word).value;
  }
  CHECK(words.eof());
  return v;
}

/// A frame that is left out is that of the parent.
urdf::Pose pose_of(const xml::Element& parent) {
  const xml::Element origin = parent.first_child("origin");
  if (!origin) return {};
  return {vector_of(origin, "xyz"), vector_of(origin, "rpy")};
}

std::vector<xml::Element> all_of(const xml::Children& children) { return {children.begin(), children.end()}; }

void check_meshes(const std::vector<xml::Element>& elements, const std::vector<urdf::Shape>& meshes, bool colored) {
  REQUIRE(elements.size() == meshes.size());
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    CHECK(pose_of(elements[i]) == meshes[i].origin);
    CHECK(elements[i].first_child("geometry").first_child("mesh").attribute("filename") ==
          std::get<urdf::Mesh>(meshes[i].geometry).file);
    const xml::Element material = elements[i].first_child("material");
    REQUIRE(bool(material) == colored);
    if (!colored) continue;
    std::istringstream words{std::string(*material.first_child("color").attribute("rgba"))};
    for (const double c : *meshes[i].color) {
      double value = -1;
      words >> value;
      CHECK(value == c);
    }
  }
}

}  // namespace

TEST_CASE("urdf: random robots come back from their XML") {
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    const urdf::Robot robot = random_robot(seed);
    const std::string text = urdf::write_urdf(robot);
    CAPTURE(text);
    CHECK(urdf::write_urdf(robot) == text);
    auto document = xml::Document::parse(text, "r.urdf");
    REQUIRE_MESSAGE(document.value, test::all_text(document.diagnostics));
    const xml::Element root = document.value->root();
    CHECK(root.name() == "robot");
    CHECK(root.attribute("name") == robot.name);
    const auto links = all_of(root.children("link")), joints = all_of(root.children("joint"));
    REQUIRE(links.size() == robot.links.size());
    for (std::size_t i = 0; i < links.size(); ++i) {
      const urdf::Link& link = robot.links[i];
      CHECK(links[i].attribute("name") == link.name);
      const xml::Element inertial = links[i].first_child("inertial");
      REQUIRE(bool(inertial) == link.inertial.has_value());
      if (link.inertial) {
        CHECK(pose_of(inertial) == link.inertial->origin);
        CHECK(number_of(inertial.first_child("mass"), "value") == link.inertial->mass);
        constexpr const char* kNames[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
        for (std::size_t k = 0; k < 6; ++k)
          CHECK(number_of(inertial.first_child("inertia"), kNames[k]) == link.inertial->inertia[k]);
      }
      check_meshes(all_of(links[i].children("visual")), link.visuals, true);
      check_meshes(all_of(links[i].children("collision")), link.collisions, false);
    }
    REQUIRE(joints.size() == robot.joints.size());
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const urdf::Joint& joint = robot.joints[i];
      CHECK(joints[i].attribute("name") == joint.name);
      CHECK(joints[i].attribute("type") == joint.type);
      CHECK(joints[i].first_child("parent").attribute("link") == joint.parent);
      CHECK(joints[i].first_child("child").attribute("link") == joint.child);
      CHECK(pose_of(joints[i]) == joint.origin);
      const xml::Element axis = joints[i].first_child("axis"), limit = joints[i].first_child("limit"),
                         dynamics = joints[i].first_child("dynamics"), mimic = joints[i].first_child("mimic");
      const bool moves = joint.type != "fixed";
      REQUIRE(bool(axis) == moves);
      if (axis) CHECK(vector_of(axis, "xyz") == joint.axis);
      REQUIRE(bool(limit) == joint.limit.has_value());
      if (limit) {
        CHECK(number_of(limit, "lower") == joint.limit->lower);
        CHECK(number_of(limit, "upper") == joint.limit->upper);
        CHECK(number_of(limit, "effort") == joint.limit->effort);
        CHECK(number_of(limit, "velocity") == joint.limit->velocity);
      }
      const bool has_dynamics = joint.damping.has_value() || joint.friction.has_value();
      REQUIRE(bool(dynamics) == has_dynamics);
      if (dynamics) {
        CHECK(number_of(dynamics, "damping") == joint.damping.value_or(0));
        CHECK(number_of(dynamics, "friction") == joint.friction.value_or(0));
      }
      REQUIRE(bool(mimic) == joint.mimic.has_value());
      if (mimic) {
        CHECK(mimic.attribute("joint") == joint.mimic->joint);
        CHECK(number_of(mimic, "multiplier") == joint.mimic->multiplier);
        CHECK(number_of(mimic, "offset") == joint.mimic->offset);
      }
    }
  }
}
