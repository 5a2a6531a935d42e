#pragma once
/// Generated object files for round trips, and the reference's own examples (read at test time).

#include <doctest/doctest.h>

#include <string>

#include "base/core/random.hpp"
#include "formats/cajunbot/cajunbot.hpp"
#include "tests/support/support.hpp"

namespace simbatch::test {

/// What a generated file may say.
enum class Facts { v1, v2, both };

class CajunbotGenerator {
 public:
  CajunbotGenerator(std::uint64_t seed, Facts facts) : random_(seed, "cajunbot"), facts_(facts) {}

  cajunbot::ObjectFile file() {
    cajunbot::ObjectFile f;
    if (v2() && below(4) != 0) f.name = text();
    for (auto n = below(6); n > 0; --n) f.objects.push_back(object(static_cast<std::int32_t>(f.objects.size())));
    return f;
  }

 private:
  bool v1() const { return facts_ != Facts::v2; }
  bool v2() const { return facts_ != Facts::v1; }
  std::uint64_t below(std::uint64_t n) { return random_.below(n); }
  double number() {
    switch (below(4)) {
      case 0: return 0;
      case 1: return static_cast<double>(below(2000)) / 10 - 100;
      case 2: return (random_.uniform() - 0.5) * 1e6;
      default: return static_cast<double>(below(9)) - 4;
    }
  }
  double positive() { return std::abs(number()); }
  cajunbot::Waypoint waypoint() {
    if (below(5) == 0) return {};
    return {static_cast<std::int32_t>(1 + below(9)), static_cast<std::int32_t>(below(3)),
            static_cast<std::int32_t>(1 + below(40))};
  }
  std::string text() {
    constexpr const char* kTexts[] = {"Traffic",    "a & b <c>",         "onboard/x.conf", "two  words",
                                      "C:\\new\\r", "\xC3\xA9t\xC3\xA9", "a//b.conf",      "quo\"te"};
    return kTexts[below(8)];
  }
  cajunbot::Vector vector() { return {number(), number(), number()}; }
  cajunbot::Object object(std::int32_t index) {
    using namespace cajunbot;
    Object o;
    o.type = static_cast<Type>(below(4));
    if (v2()) o.name = text();
    if (o.type == Type::mesh) {
      o.vertices->name = text();
      o.indices->name = text();
      o.vertices->full = v2() ? below(2) == 0 : is_absolute_path(o.vertices->name);
      o.indices->full = v2() ? below(2) == 0 : is_absolute_path(o.indices->name);
      if (v1()) {
        o.mesh_type = static_cast<std::int32_t>(3 + below(3));
        o.start = waypoint();
      }
      return o;
    }
    if (v1()) o.id = facts_ == Facts::both ? index + 1 : static_cast<std::int32_t>(below(100)) * 10 + index;
    o.shape = static_cast<Shape>(below(v1() ? 5 : 4));
    o.start = waypoint();
    o.position = vector();
    o.size = {positive(), positive(), positive()};
    o.orientation_deg = vector();
    o.controller = implied_controller(o.type);
    if (v1() && o.type != Type::fixed) o.controller = static_cast<Controller>(below(4));
    if (o.type != Type::fixed && o.controller == Controller::waypoint) {
      for (auto n = below(4); n > 0; --n) {
        Goal g{number(), positive(), waypoint(), false};
        if (v2() && o.type == Type::dynamic && below(3) == 0) {
          g.open = true;
          g.to.point = 0;
        }
        o.goals.push_back(g);
      }
    }
    if (o.type != Type::fixed && o.controller == Controller::script)
      for (auto n = below(4); n > 0; --n) o.script.push_back({number(), positive(), number(), number()});
    if (o.type == Type::dynamic && v2()) o.initial_pause = positive();
    if (o.type == Type::autonomous) {
      o.wheel_type = static_cast<std::int32_t>(below(2));
      o.wheel_radius = positive();
      o.wheel_width = positive();
      o.throttle_rate = number();
      o.lever_rate = number();
      for (auto n = below(3); n > 0; --n)
        o.sensors.push_back({text(), v2() && below(2) == 0 ? text() : "", v1() ? static_cast<std::int32_t>(below(3)) : 0});
    }
    return o;
  }

  RandomStream random_;
  Facts facts_;
};

/// The part of the reference from a line to before another, or empty (then the test is skipped).
inline std::string reference_part(std::string_view from, std::string_view until, std::size_t occurrence = 1) {
  const auto path = shared_file("reference/cajunbot-object-file-format.txt");
  if (!path) return {};
  const std::string text = read_text(*path);
  std::size_t begin = std::string::npos;
  for (std::size_t at = 0; occurrence > 0; --occurrence) {
    begin = text.find(from, at);
    REQUIRE(begin != std::string::npos);
    at = begin + 1;
  }
  const std::size_t end = text.find(until, begin);
  REQUIRE(end != std::string::npos);
  return text.substr(begin, end - begin);
}
inline std::string reference_v1_sample() { return reference_part("3 // number of objects", "[edit] Format"); }
inline std::string reference_v2_sample() { return reference_part("<?xml", "[edit] Format details"); }

}  // namespace simbatch::test
