// The XML of GraspIt! versions after 2.1: bodies, robots and worlds as elements with text.
#include <fmt/format.h>

#include <algorithm>

#include "base/xml/codes.hpp"
#include "base/xml/repair.hpp"
#include "base/xml/xml.hpp"
#include "formats/graspit/check_robot.hpp"
#include "formats/graspit/codes.hpp"
#include "formats/graspit/parse.hpp"

namespace simbatch::graspit {
namespace {

using namespace detail;
using xml::Element;
using xml::ElementReader;

/// One element whose children contain text.
class Texts {
 public:
  /// @param lenient  of an element that is given again, the first counts, as in GraspIt!, which is a warning
  Texts(Element element, Diagnostics& diagnostics, bool lenient = false)
      : reader_(element, diagnostics), element_(element), diagnostics_(diagnostics), lenient_(lenient) {}
  ElementReader& reader() { return reader_; }

  std::optional<std::string> text(std::string_view name) {
    const auto child = leaf(name);
    if (!child) return std::nullopt;
    return std::string(trimmed(child->text()));
  }
  std::string text_or_empty(std::string_view name) { return text(name).value_or(std::string{}); }
  std::optional<std::string> required_text(std::string_view name) {
    auto found = text(name);
    if (!found) missing(name);
    return found;
  }
  template <std::size_t N>
  std::optional<std::array<double, N>> values(std::string_view name) {
    const auto child = leaf(name);
    if (!child) return std::nullopt;
    const auto all = numbers(child->text());
    if (all && all->size() == N) {
      std::array<double, N> result{};
      std::copy(all->begin(), all->end(), result.begin());
      return result;
    }
    diagnostics_.report(
        code::kXmlText, child->position(),
        fmt::format("<{}> must contain {} number{}, found {}", name, N, N == 1 ? "" : "s", quoted(trimmed(child->text()))),
        child->path());
    return std::nullopt;
  }
  std::optional<double> number(std::string_view name) {
    const auto value = values<1>(name);
    return value ? std::optional((*value)[0]) : std::nullopt;
  }
  double required_number(std::string_view name) {
    const bool there = static_cast<bool>(element_.first_child(name));
    const auto value = number(name);
    if (!there) missing(name);
    return value.value_or(0);
  }
  template <std::size_t N>
  std::array<double, N> required_values(std::string_view name) {
    const bool there = static_cast<bool>(element_.first_child(name));
    const auto value = values<N>(name);
    if (!there) missing(name);
    return value.value_or(std::array<double, N>{});
  }
  std::int64_t index(std::string_view name, std::int64_t min) {
    const bool there = static_cast<bool>(element_.first_child(name));
    const auto value = number(name);
    if (!there) missing(name);
    if (!value) return min;
    const auto whole = *value >= -1 && *value <= 1e6 ? static_cast<std::int64_t>(*value) : min - 1;
    if (whole < min || static_cast<double>(whole) != *value) {
      const Element child = element_.first_child(name);
      diagnostics_.report(code::kXmlText, child.position(),
                          fmt::format("<{}> must be an index from {} on, found {}", name, min, quoted(trimmed(child.text()))),
                          child.path());
      return min;
    }
    return whole;
  }
  void missing(std::string_view name) {
    diagnostics_.report(code::kXmlMissing, element_.position(), fmt::format("<{}> needs a <{}>", element_.name(), name),
                        element_.path());
  }
  // An element skipped by GraspIt!'s readers is also dropped here, and reported.
  void finish() { reader_.finish(Severity::warning); }

 private:
  std::optional<Element> leaf(std::string_view name) {
    if (!lenient_) return reader_.child(name);
    const Element first = element_.first_child(name);
    for (const Element& child : reader_.children(name)) {
      if (child == first) continue;
      diagnostics_.report_as(Severity::warning, xml::code::kElementRepeated, child.position(),
                             fmt::format("duplicate <{}>: GraspIt! takes the first", name), child.path());
      diagnostics_.note(xml::code::kElementRepeated, first.position(), "the first one is here");
    }
    return first ? std::optional(first) : std::nullopt;
  }

  ElementReader reader_;
  Element element_;
  Diagnostics& diagnostics_;
  bool lenient_;
};

Transform read_transform_xml(Element element, Diagnostics& diagnostics) {
  Transform transform;
  ElementReader reader(element, diagnostics);
  for (const Element& child : reader.all_children()) {
    const std::string text = child.text();
    TransformStep step;
    bool good = false;
    if (child.name() == "translation") {
      const auto values = numbers_of<3>(text);
      good = values.has_value();
      if (good) step.position = *values;
    } else if (child.name() == "rotation") {
      step.kind = TransformStep::Kind::degrees;
      const std::vector<Token> words = split_tokens(text, 1, 1, kMostWords);
      const auto angle = words.size() == 2 ? number(words[0].text) : std::nullopt;
      good = angle && words[1].text.size() == 1 && std::string_view("xyz").find(words[1].text[0]) != std::string_view::npos;
      if (good) {
        step.angle = *angle;
        step.axis = words[1].text[0];
      }
    } else if (child.name() == "rotationMatrix") {
      step.kind = TransformStep::Kind::matrix;
      const auto values = numbers_of<9>(text);
      good = values.has_value();
      if (good) step.rows = *values;
    } else if (child.name() == "fullTransform") {
      step.kind = TransformStep::Kind::full;
      const auto values = numbers_of<7>(text, true);
      good = values.has_value();
      for (std::size_t i = 0; good && i < 7; ++i) (i < 4 ? step.quaternion[i] : step.position[i - 4]) = (*values)[i];
    } else {
      diagnostics.report(code::kTransform, child.position(), fmt::format("<{}> is not part of a transform", child.name()),
                         child.path());
      continue;
    }
    if (!good) {
      diagnostics.report(code::kTransform, child.position(),
                         fmt::format("<{}> cannot contain {}", child.name(), quoted(trimmed(text))), child.path());
      continue;
    }
    check_step(step, child.position(), diagnostics);
    transform.push_back(std::move(step));
  }
  reader.finish(Severity::warning);
  return transform;
}

Transform child_transform(Texts& texts, Diagnostics& diagnostics) {
  const auto child = texts.reader().child("transform");
  return child ? read_transform_xml(*child, diagnostics) : Transform{};
}

Dof read_dof(Element element, Diagnostics& diagnostics) {
  Texts texts(element, diagnostics);
  Dof dof;
  const auto type = texts.reader().required_string("type");
  if (type && (type->size() != 1 || std::string_view("rbc").find((*type)[0]) == std::string_view::npos))
    diagnostics.report(code::kDof, element.attribute_position("type"),
                       fmt::format("a DOF's type is r, b or c, found {}", quoted(*type)));
  else if (type)
    dof.kind = static_cast<DofKind>((*type)[0]);
  dof.velocity = texts.required_number("defaultVelocity");
  dof.max_effort = texts.required_number("maxEffort");
  if (dof.max_effort < 0)
    diagnostics.report_as(Severity::warning, code::kDof, element.first_child("maxEffort").position(),
                          fmt::format("a DOF's maximal effort is {}; its magnitude is used", dof.max_effort));
  dof.kp = texts.required_number("Kp");
  dof.kd = texts.required_number("Kd");
  dof.dragger_scale = texts.required_number("draggerScale");
  dof.breakaway_torque = texts.number("breakAwayTorque");
  if (dof.kind == DofKind::breakaway && !dof.breakaway_torque) dof.breakaway_torque = 0;
  dof.default_value = texts.number("defaultValue");
  texts.finish();
  return dof;
}

Joint read_joint(Element element, Diagnostics& diagnostics) {
  Texts texts(element, diagnostics);
  Joint joint;
  const auto type = texts.reader().required_string("type");
  joint.prismatic = type == "Prismatic";
  if (type && *type != "Prismatic" && *type != "Revolute")
    diagnostics.report(code::kJoint, element.attribute_position("type"),
                       fmt::format("a joint is Revolute or Prismatic, found {}", quoted(*type)));
  const std::string_view driven = joint.prismatic ? "d" : "theta";
  for (const std::string_view name : {"theta", "d"}) {
    if (name != driven) {
      (name == "theta" ? joint.theta : joint.d) = texts.required_number(name);
      continue;
    }
    const auto text = texts.required_text(name);
    if (!text) continue;
    const EquationText equation = read_equation(*text, false);
    const Element child = element.first_child(name);
    if (!equation.equation)
      diagnostics.report(code::kJoint, child.position(),
                         fmt::format("<{}> must be d#, d#*k, d#+c or d#*k+c, found {}", name, quoted(*text)), child.path());
    else
      joint.variable = *equation.equation;
    if (equation.lost_sign)
      diagnostics.report(code::kEquationSign, child.position(),
                         fmt::format("GraspIt! loses the offset of {}; it must be written +-", quoted(*text)), child.path());
  }
  joint.a = texts.required_number("a");
  joint.alpha = texts.required_number("alpha");
  joint.min = texts.required_number("minValue");
  joint.max = texts.required_number("maxValue");
  joint.viscous = texts.number("viscousFriction");
  joint.coulomb = texts.number("CoulombFriction");
  joint.stiffness = texts.number("springStiffness");
  joint.rest = texts.number("restValue");
  texts.finish();
  return joint;
}

Chain read_chain(Element element, RobotPlaces::ChainPlaces& places, Diagnostics& diagnostics) {
  Texts texts(element, diagnostics);
  Chain chain;
  chain.base = child_transform(texts, diagnostics);
  for (const Element& joint : texts.reader().children("joint")) {
    chain.joints.push_back(read_joint(joint, diagnostics));
    places.joints.push_back(joint.position());
  }
  std::int64_t last = -1;
  for (const Element& child : texts.reader().children("link")) {
    Link link;
    const auto kind = child.attribute("dynamicJointType");
    const auto known = kind ? link_kind(*kind) : std::nullopt;
    if (!known)
      diagnostics.report(
          code::kLinkType, child.attribute_position("dynamicJointType"),
          fmt::format("a link is Revolute, Universal, Ball, Prismatic or Fixed, found {}", quoted(kind.value_or(""))));
    else
      link.kind = *known;
    if (link.kind == LinkKind::fixed)
      diagnostics.report(code::kLinkFixed, child.attribute_position("dynamicJointType"),
                         "GraspIt! accepts the word Fixed, and then refuses to load the robot");
    for (const std::string_view name : child.attribute_names())
      if (name != "dynamicJointType") link.attributes.emplace_back(name, *child.attribute(name));
    link.file = std::string(trimmed(child.text()));
    link.place = {child.position()};
    // The last joint is not in the XML: it is the sum of the joints consumed by the links so far.
    last += joints_of(link.kind);
    link.last_joint = last;
    chain.links.push_back(std::move(link));
    places.links.push_back(child.position());
  }
  texts.finish();
  return chain;
}

void read_tendons(Texts& texts, Robot& robot, Diagnostics& diagnostics) {
  for (const Element& child : texts.reader().children("tendon")) {
    Texts of(child, diagnostics);
    Tendon tendon;
    tendon.name = of.reader().required_string("name").value_or("");
    for (const Element& place : of.reader().children("insertionPoint")) {
      Texts point(place, diagnostics);
      tendon.points.push_back({point.index("chain", -1), point.index("link", -1), point.required_values<3>("position")});
      point.finish();
    }
    of.finish();
    robot.tendons.push_back(std::move(tendon));
  }
  for (const Element& child : texts.reader().children("tendonWrapper")) {
    Texts of(child, diagnostics);
    TendonWrapper wrapper;
    wrapper.chain = of.index("chain", -1);
    wrapper.link = of.index("link", -1);
    wrapper.position = of.required_values<3>("position");
    wrapper.orientation = of.required_values<3>("orientation");
    wrapper.radius = of.required_number("radius");
    of.finish();
    robot.wrappers.push_back(wrapper);
  }
}

Body read_body(Element root, Diagnostics& diagnostics) {
  Texts texts(root, diagnostics, true);
  Body body;
  const auto positive = [&](std::string_view name) {
    auto value = texts.number(name);
    if (value && *value <= 0) {
      diagnostics.report(code::kMass, root.first_child(name).position(), fmt::format("<{}> must be greater than 0", name));
      value.reset();
    }
    return value;
  };
  body.material = texts.text("material");
  if (body.material && std::find(std::begin(kMaterials), std::end(kMaterials), *body.material) == std::end(kMaterials)) {
    diagnostics.report(code::kMaterial, root.first_child("material").position(),
                       fmt::format("the material {} is unknown", quoted(*body.material)));
    body.material.reset();
  }
  body.mass = positive("mass");
  body.cog = texts.values<3>("cog");
  body.inertia = texts.values<9>("inertia_matrix");
  body.youngs = positive("youngs");
  body.flock_of_birds = texts.text("useFlockOfBirds");
  if (const auto geometry = texts.reader().child("geometryFile")) {
    body.geometry_file = std::string(trimmed(geometry->text()));
    body.geometry_place = {geometry->position()};
    body.geometry_type = std::string(geometry->attribute("type").value_or(""));
  } else {
    texts.missing("geometryFile");
  }
  if (const auto all = positive("geometryScaling")) body.scaling = Vector3{*all, *all, *all};
  static constexpr std::string_view kAxes[] = {"geometryScalingX", "geometryScalingY", "geometryScalingZ"};
  for (std::size_t i = 0; i < 3; ++i)
    if (const auto one = positive(kAxes[i])) {
      if (!body.scaling) body.scaling = Vector3{1, 1, 1};
      (*body.scaling)[i] = *one;
    }
  if (const auto offset = texts.reader().child("geometryOffset")) {
    Texts inside(*offset, diagnostics);
    body.geometry_offset = child_transform(inside, diagnostics);
    if (!offset->first_child("transform"))
      diagnostics.report(code::kXmlMissing, offset->position(), "<geometryOffset> holds no <transform>", offset->path());
    inside.finish();
  }
  body.transform = child_transform(texts, diagnostics);
  body.normal_compliance = texts.number("normalCompliance");
  body.shear_compliance = texts.number("shearCompliance");
  if (body.normal_compliance && !body.shear_compliance)
    diagnostics.report(code::kXmlMissing, root.first_child("normalCompliance").position(),
                       "<normalCompliance> needs a <shearCompliance>: GraspIt! refuses the body without it");
  texts.finish();
  return body;
}

/// The root, if the document is well-formed, of that name, and not too large.
std::optional<Element> root_of(const Parsed<xml::Document>& document, std::string_view name, Diagnostics& diagnostics) {
  if (!document.value) return std::nullopt;
  const Element root = document.value->root();
  if (root.name() != name) {
    diagnostics.report(code::kXmlMissing, root.position(),
                       fmt::format("expected <{}> as the root element, found <{}>", name, root.name()));
    return std::nullopt;
  }
  constexpr std::string_view kRecords[] = {"obstacle", "graspableBody", "robot", "connection", "dof",
                                           "chain",    "joint",         "link",  "tendon",     "tendonWrapper"};
  RecordCount count(code::kMany, "bodies, robots, connections, chains, joints and links");
  if (!document.value->is_within(count, kRecords, diagnostics)) return std::nullopt;
  return root;
}

}  // namespace

XmlKind xml_kind(std::string_view text) {
  const std::string_view name = xml::root_name(text);
  return name == "root" ? XmlKind::body : name == "robot" ? XmlKind::robot : name == "world" ? XmlKind::world : XmlKind::other;
}

Parsed<Body> read_body_xml(std::string_view text, std::string_view file_name) {
  auto document = xml::parse_forgiving(text, std::string(file_name));
  Parsed<Body> result{std::nullopt, std::move(document.diagnostics)};
  if (const auto root = root_of(document, "root", result.diagnostics)) result.value = read_body(*root, result.diagnostics);
  return result;
}

Parsed<Robot> read_robot_xml(std::string_view text, std::string_view file_name) {
  auto document = xml::parse_forgiving(text, std::string(file_name));
  Parsed<Robot> result{std::nullopt, std::move(document.diagnostics)};
  const auto root = root_of(document, "robot", result.diagnostics);
  if (!root) return result;
  Diagnostics& diagnostics = result.diagnostics;
  Texts texts(*root, diagnostics);
  Robot robot;
  RobotPlaces places;
  robot.class_name = texts.reader().required_string("type").value_or("");
  if (!robot.class_name.empty() && !is_robot_class(robot.class_name, true))
    diagnostics.report_as(
        Severity::warning, code::kRobotClass, root->attribute_position("type"),
        fmt::format("the robot class {} is unknown{}", quoted(robot.class_name), near_class(robot.class_name)));
  texts.reader().allow_attribute("DBName");
  robot.palm = texts.required_text("palm").value_or("");
  robot.palm_place = {root->first_child("palm").position()};
  for (const Element& dof : texts.reader().children("dof")) {
    robot.dofs.push_back(read_dof(dof, diagnostics));
    places.dofs.push_back(dof.position());
  }
  if (robot.dofs.empty()) texts.missing("dof");
  for (const Element& chain : texts.reader().children("chain")) {
    places.chains.emplace_back();
    robot.chains.push_back(read_chain(chain, places.chains.back(), diagnostics));
  }
  if (robot.chains.empty()) texts.missing("chain");
  if (const auto approach = texts.reader().child("approachDirection")) {
    Texts of(*approach, diagnostics);
    robot.approach = Approach{of.required_values<3>("referenceLocation"), of.required_values<3>("direction")};
    of.finish();
  }
  robot.eigen_grasps = texts.text_or_empty("eigenGrasps");
  robot.virtual_contacts = texts.text_or_empty("virtualContacts");
  robot.cyber_glove = texts.text_or_empty("cyberGlove");
  if (const auto flock = texts.reader().child("flockOfBirds")) {
    Texts of(*flock, diagnostics);
    FlockOfBirds birds;
    birds.number = of.reader().string("number").value_or("");
    if (!is_digits(birds.number))
      diagnostics.report(code::kFlockNumber, flock->position(),
                         fmt::format("the bird's number is {}, not a number", quoted(birds.number)));
    birds.transform = child_transform(of, diagnostics);
    of.finish();
    robot.flock_of_birds = std::move(birds);
  }
  read_tendons(texts, robot, diagnostics);
  texts.finish();
  check_robot(robot, places, diagnostics);
  result.value = std::move(robot);
  return result;
}

Parsed<World> read_world_xml(std::string_view text, std::string_view file_name) {
  auto document = xml::parse_forgiving(text, std::string(file_name));
  Parsed<World> result{std::nullopt, std::move(document.diagnostics)};
  const auto root = root_of(document, "world", result.diagnostics);
  if (!root) return result;
  Diagnostics& diagnostics = result.diagnostics;
  ElementReader reader(*root, diagnostics);
  World world;
  std::vector<bool> understood;  // of connections: without errors so far
  world.bodies.reserve(root->children().size());
  for (const Element& child : reader.all_children()) {
    Texts texts(child, diagnostics);
    const std::size_t errors = diagnostics.errors();
    if (child.name() == "obstacle" || child.name() == "graspableBody") {
      WorldBody body;
      body.obstacle = child.name() == "obstacle";
      body.file = texts.text_or_empty("filename");
      body.place = {body.file.empty() ? child.position() : child.first_child("filename").position()};
      if (const auto inline_body = texts.reader().child("body")) body.inline_body = read_body(*inline_body, diagnostics);
      if (body.file.empty() && !body.inline_body) texts.missing("filename");
      body.transform = child_transform(texts, diagnostics);
      world.bodies.push_back(std::move(body));
    } else if (child.name() == "robot") {
      WorldRobot robot;
      robot.file = texts.required_text("filename").value_or("");
      robot.place = {robot.file.empty() ? child.position() : child.first_child("filename").position()};
      if (const auto values = texts.text("dofValues"))
        robot.dof_values = dof_values(*values, child.first_child("dofValues").position(), diagnostics);
      robot.transform = child_transform(texts, diagnostics);
      world.robots.push_back(std::move(robot));
    } else if (child.name() == "connection") {
      Connection connection;
      connection.parent_robot = static_cast<std::uint32_t>(texts.index("parentRobot", 0));
      connection.parent_chain = static_cast<std::uint32_t>(texts.index("parentChain", 0));
      connection.child_robot = static_cast<std::uint32_t>(texts.index("childRobot", 0));
      connection.mount = texts.text_or_empty("mountFilename");
      connection.place = {child.position()};
      connection.mount_place = {connection.mount.empty() ? child.position() : child.first_child("mountFilename").position()};
      understood.push_back(diagnostics.errors() == errors);
      connection.transform = child_transform(texts, diagnostics);
      world.connections.push_back(std::move(connection));
    } else if (child.name() == "camera") {
      Camera& camera = world.camera.emplace();
      camera.position = texts.required_values<3>("position");
      camera.orientation = texts.required_values<4>("orientation");
      camera.focal_distance = texts.required_number("focalDistance");
    } else {
      diagnostics.report(code::kWorldBlock, child.position(), fmt::format("the element <{}> is unknown", child.name()),
                         child.path());
      continue;
    }
    texts.finish();
  }
  reader.finish(Severity::warning);
  for (std::size_t i = 0; i < world.connections.size(); ++i) {
    const Connection& c = world.connections[i];
    if (!understood[i]) continue;
    if (c.parent_robot >= world.robots.size() || c.child_robot >= world.robots.size() || c.parent_robot == c.child_robot)
      diagnostics.report(code::kConnection, c.place.at,
                         fmt::format("robots {} and {} cannot be connected, the world has {} (counted from 0)", c.parent_robot,
                                     c.child_robot, world.robots.size()));
  }
  result.value = std::move(world);
  return result;
}

}  // namespace simbatch::graspit
