#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>

#include "base/geo/frames.hpp"
#include "tests/support/support.hpp"

// Every numeric example of docs/conventions.md, computed: a line of the page must be exactly what comes out here.

using namespace simbatch;
using namespace simbatch::geo;

namespace {

std::string number(double value, int digits = 6) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  std::string out = text;
  if (out.find('.') != std::string::npos) {
    while (out.back() == '0') out.pop_back();
    if (out.back() == '.') out.pop_back();
  }
  return out == "-0" ? "0" : out;
}
std::string vec(Vec3 v) { return "(" + number(v.x) + ", " + number(v.y) + ", " + number(v.z) + ")"; }
std::string quat(Quat q) { return "w " + number(q.w) + " x " + number(q.x) + " y " + number(q.y) + " z " + number(q.z); }

}  // namespace

TEST_CASE("conventions: the numeric examples of docs/conventions.md are what the code computes") {
  const std::string page = test::read_text("docs/conventions.md");
  std::vector<std::string> lines;
  const Quat east = rotation_of_heading(radians(90));
  lines.push_back("heading 90 deg: forward (0, 0, 1) turns to " + vec(east * Vec3{0, 0, 1}));
  lines.push_back("heading 90 deg: right (1, 0, 0) turns to " + vec(east * Vec3{1, 0, 0}));
  const Pose car{{100, 0, 200}, rotation_of_heading(radians(30))};
  lines.push_back("heading 30 deg, 10 m forward from (100, 0, 200): " + vec(car * Vec3{0, 0, 10}));
  lines.push_back("quaternion of heading 90 deg: " + quat(east));
  for (const double angle : {0.0, 90.0, 135.0})
    lines.push_back("east angle " + number(angle) + " deg is heading " +
                    number(degrees(heading_from_east_angle(radians(angle)))) + " deg");
  lines.push_back("CajunBot (2, 10, 1) is world " + vec(swap_up(Vec3{2, 10, 1})));
  lines.push_back("z-up quaternion w 0.8 x 0.6 y 0 z 0 is world " + quat(swap_up(Quat{0.8, 0.6, 0, 0})));
  const Quat up = swap_up(rotation({0, 0, 1}, radians(90)));
  lines.push_back("z-up, 90 deg counter-clockwise about up: x (1, 0, 0) turns to world " + vec(up * Vec3{1, 0, 0}));
  const EastNorth place = LocalFrame({48.137, 11.575}).to_plane({48.138, 11.576});
  lines.push_back("origin 48.137 N 11.575 E; 48.138 N 11.576 E is east " + number(place.east, 3) + " m, north " +
                  number(place.north, 3) + " m");
  for (const std::string& line : lines) {
    CAPTURE(line);
    CHECK(page.find("    " + line + "\n") != std::string::npos);
  }
  // And the page has no example that is not computed here.
  std::size_t examples = 0;
  for (std::size_t at = 0; (at = page.find("\n    ", at)) != std::string::npos; ++at) ++examples;
  CHECK(examples == lines.size());
}

TEST_CASE("conventions: an exchange of axes keeps what a rotation does") {
  const Quat q = rotation({0.3, -0.5, 0.8}, 1.1);
  const Vec3 v{1, 2, 3};
  const Vec3 direct = swap_up(q * v), exchanged = swap_up(q) * swap_up(v);
  CHECK(length(direct - exchanged) < 1e-14);
  CHECK(swap_up(swap_up(q)) == q);
  CHECK(std::abs(heading(rotation_of_heading(1.2)) - 1.2) < 1e-15);
}
