// Links of Robot files, with springs and motors: read and written. Source: thesis, C.3; docs/robot.md.

#include <algorithm>
#include <utility>

#include "base/xml/codes.hpp"
#include "formats/autosim/read_link.hpp"

namespace simbatch::autosim::detail {
namespace {

constexpr std::array<std::string_view, 2> kNoiseElements = {"WhiteNoise", "WhiteGaussianNoise"};

std::optional<Limits> read_limits(BlockReader& block) {
  const auto element = block.reader().child("Limits");
  if (!element) return std::nullopt;
  xml::ElementReader reader(*element, block.diagnostics());
  const auto lower = reader.required_number("lower"), upper = reader.required_number("upper");
  reader.finish();
  if (!lower || !upper) return std::nullopt;
  if (*lower > *upper) reader.report(code::kOrder, "lower", "lower is above upper, expected lower <= upper");
  return Limits{*lower, *upper};
}

std::optional<LinkSpring> read_spring(BlockReader& block) {
  const auto element = block.reader().child("Spring");
  if (!element) return std::nullopt;
  xml::ElementReader reader(*element, block.diagnostics());
  LinkSpring spring;
  spring.stiffness = reader.number("stiffness", xml::Range::not_negative()).value_or(0);
  spring.damping = reader.number("damping", xml::Range::not_negative()).value_or(0);
  spring.rest = reader.number("rest").value_or(0);
  reader.finish();
  return spring;
}

std::optional<LinkMotor> read_link_motor(BlockReader& block) {
  const auto element = block.reader().child("Motor");
  if (!element) return std::nullopt;
  xml::ElementReader reader(*element, block.diagnostics());
  LinkMotor motor;
  if (reader.required_string("mode")) motor.mode = static_cast<LinkMotor::Mode>(reader.choice("mode", kMotorModes).value_or(1));
  motor.max_force = reader.required_number("maxForce", xml::Range::positive()).value_or(0);
  motor.target = reader.number("target").value_or(0);
  motor.stiffness = reader.number("stiffness", xml::Range::positive());
  motor.damping = reader.number("damping", xml::Range::not_negative());
  motor.max_speed = reader.number("maxSpeed", xml::Range::positive());
  motor.rotor = reader.number("rotor", xml::Range::not_negative());
  motor.noise = read_noise(reader, block.diagnostics());
  reader.finish();
  if (reader.ok() && motor.mode == LinkMotor::Mode::position && !motor.stiffness)
    reader.report(code::kConflict, "mode",
                  "a motor of mode position needs a stiffness: the torque (N m) or force (N) per rad or m of deviation");
  return motor;
}

}  // namespace

std::vector<Noise> read_noise(xml::ElementReader& reader, Diagnostics& diagnostics) {
  std::vector<Noise> sources;
  for (const std::string_view name : kNoiseElements) reader.allow_child(name);
  for (const xml::Element& element : reader.element().children()) {
    const auto found = std::find(kNoiseElements.begin(), kNoiseElements.end(), element.name());
    if (found == kNoiseElements.end()) continue;
    Noise noise;
    noise.kind = found == kNoiseElements.begin() ? Noise::Kind::white : Noise::Kind::white_gaussian;
    noise.place.at = element.position();
    xml::ElementReader own(element, diagnostics);
    noise.range = own.required_number("range", xml::Range::not_negative()).value_or(0);
    noise.offset = own.number("offset").value_or(0);
    own.finish();
    sources.push_back(noise);
  }
  return sources;
}

void write_noise(xml::Writer& writer, const std::vector<Noise>& noise) {
  for (const Noise& source : noise) {
    writer.start(kNoiseElements[source.kind == Noise::Kind::white ? 0 : 1]);
    writer.attribute("range", source.range);
    writer.attribute("offset", source.offset);
    writer.end();
  }
}

std::optional<Link::Kind> link_kind(std::string_view name) {
  for (std::size_t i = 0; i < kLinkElements.size(); ++i)
    if (kLinkElements[i] == name) return static_cast<Link::Kind>(i);
  return std::nullopt;
}

std::optional<Link> read_link(const xml::Element& element, Link::Kind kind, NameTable& names, Diagnostics& diagnostics) {
  BlockReader block(element, diagnostics);
  Link link;
  link.kind = kind;
  link.name = block.name();
  link.place = block.place();
  names.add(link.name, link.place.at, "part", diagnostics);
  link.parent = block.required_text("Parent", "name");
  link.child = block.required_text("Child", "name");
  link.position = block.required_vector("Position");
  if (kind != Link::Kind::spherical) {
    link.axis = block.required_direction("Axis");
    link.limits = read_limits(block);
    link.spring = read_spring(block);
    link.friction = block.optional_number("Friction", xml::Range::not_negative());
    link.motor = read_link_motor(block);
  }
  block.finish();
  if (!link.parent.empty() && link.parent == link.child)
    block.report(code::kConflict, "Child",
                 "link " + quoted(link.name) + " joins " + quoted(link.parent) + " with itself, expected two bodies");
  return block.ok() ? std::optional(std::move(link)) : std::nullopt;
}

void write_link(xml::Writer& writer, const Link& link) {
  start_block(writer, kLinkElements[static_cast<std::size_t>(link.kind)], link.name);
  write_text(writer, "Parent", "name", link.parent);
  write_text(writer, "Child", "name", link.child);
  write_vector(writer, "Position", link.position);
  const auto attribute = [&](std::string_view name, double value, double fallback) {
    if (value != fallback) writer.attribute(name, value);
  };
  if (link.kind != Link::Kind::spherical) {
    write_vector(writer, "Axis", link.axis);
    if (link.limits) {
      writer.start("Limits");
      writer.attribute("lower", link.limits->lower);
      writer.attribute("upper", link.limits->upper);
      writer.end();
    }
    if (link.spring) {
      writer.start("Spring");
      attribute("stiffness", link.spring->stiffness, 0);
      attribute("damping", link.spring->damping, 0);
      attribute("rest", link.spring->rest, 0);
      writer.end();
    }
    write_number(writer, "Friction", link.friction);
    if (link.motor) {
      const LinkMotor& motor = *link.motor;
      writer.start("Motor");
      writer.attribute("mode", kMotorModes[static_cast<std::size_t>(motor.mode)]);
      attribute("target", motor.target, 0);
      if (motor.stiffness) writer.attribute("stiffness", *motor.stiffness);
      if (motor.damping) writer.attribute("damping", *motor.damping);
      writer.attribute("maxForce", motor.max_force);
      if (motor.max_speed) writer.attribute("maxSpeed", *motor.max_speed);
      if (motor.rotor) writer.attribute("rotor", *motor.rotor);
      write_noise(writer, motor.noise);
      writer.end();
    }
  }
  writer.end();
}

}  // namespace simbatch::autosim::detail
