#include <cmath>
#include <numbers>

#include "formats/medusa/medusa.hpp"

namespace simbatch::medusa {

std::string_view keyword(Kind kind) {
  switch (kind) {
    case Kind::point: return "POINT";
    case Kind::line: return "LINE";
    case Kind::arc: return "ARC";
    case Kind::depth: return "DEPTH";
    case Kind::alt: return "ALT";
    case Kind::none: break;
  }
  return "?";
}

std::string_view to_text(Reader reader) {
  switch (reader) {
    case Reader::spec: return "spec";
    case Reader::console: return "console";
    case Reader::vehicle: return "vehicle";
  }
  return "spec";
}

bool operator==(const Section& a, const Section& b) {
  return a.kind == b.kind && a.direction == b.direction && a.vehicle == b.vehicle && a.xi == b.xi && a.yi == b.yi &&
         a.xc == b.xc && a.yc == b.yc && a.xe == b.xe && a.ye == b.ye && a.velocity == b.velocity && a.radius == b.radius &&
         a.heading == b.heading && a.time == b.time && a.gamma_s == b.gamma_s && a.gamma_e == b.gamma_e && a.depth == b.depth &&
         a.gamma == b.gamma && a.user_data == b.user_data;
}

double swept_angle(const Section& arc, double two_pi) {
  double clockwise = std::atan2(arc.yi - arc.yc, arc.xi - arc.xc) - std::atan2(arc.ye - arc.yc, arc.xe - arc.xc);
  if (clockwise < 0) clockwise += two_pi;
  return arc.direction == -1 ? clockwise : two_pi - clockwise;
}

void assign_gammas(std::vector<Section>& sections, double two_pi) {
  double gamma = 0;
  for (Section& s : sections) {
    s.gamma_s = s.gamma_e = 0;
    if (s.kind == Kind::line || s.kind == Kind::arc) {
      s.gamma_s = gamma;
      s.gamma_e = gamma + (s.kind == Kind::line ? std::hypot(s.xe - s.xi, s.ye - s.yi) : swept_angle(s, two_pi) * s.radius);
    }
    gamma = s.gamma_e;
  }
}

void shift(Section& s, double x, double y) {
  if (s.kind != Kind::line && s.kind != Kind::arc) return;
  const auto move = [x, y](double& east, double& north, double psi) {
    east += x * std::cos(psi) - y * std::sin(psi);
    north += x * std::sin(psi) + y * std::cos(psi);
  };
  if (s.kind == Kind::line) {
    const double psi = std::atan2(s.ye - s.yi, s.xe - s.xi);
    move(s.xi, s.yi, psi);
    move(s.xe, s.ye, psi);
  } else {
    const double quarter = s.direction * (std::numbers::pi / 2);
    const double start = std::atan2(s.yi - s.yc, s.xi - s.xc) + quarter;
    const double end = std::atan2(s.ye - s.yc, s.xe - s.xc) + quarter;
    move(s.xi, s.yi, start);
    move(s.xe, s.ye, end);
  }
}

}  // namespace simbatch::medusa
