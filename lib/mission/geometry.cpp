#include "lib/mission/geometry.hpp"

// Own: nearest points on lines and arcs in closed form. An arc is a start angle and a signed sweep about the center. If the
// radii of its ends differ, it is a spiral; its length is taken as mean radius x sweep, which is exact for a circle and
// otherwise has a relative error of (dr/r)^2/6, about 1e-7 for rounded files.

#include <algorithm>
#include <cmath>
#include <numbers>

namespace simbatch::mission {

using medusa::Kind;
using medusa::Section;
using std::numbers::pi;

double distance(Point a, Point b) { return std::hypot(b.x - a.x, b.y - a.y); }

double wrapped(double angle) {
  angle = std::remainder(angle, 2 * pi);
  return angle <= -pi ? pi : angle;
}

std::optional<Segment> Segment::of(const Section& s) {
  if (s.kind != Kind::line && s.kind != Kind::arc) return std::nullopt;
  Segment g;
  g.start_ = {s.xi, s.yi};
  g.end_ = {s.xe, s.ye};
  if (s.kind == Kind::line) {
    g.length_ = distance(g.start_, g.end_);
    g.angle_ = std::atan2(s.ye - s.yi, s.xe - s.xi);
  } else {
    g.center_ = {s.xc, s.yc};
    g.radius_s_ = distance(g.center_, g.start_);
    g.radius_e_ = distance(g.center_, g.end_);
    if (!(g.radius_s_ > 0 && g.radius_e_ > 0)) return std::nullopt;
    g.angle_ = std::atan2(s.yi - s.yc, s.xi - s.xc);
    double sweep = std::atan2(s.ye - s.yc, s.xe - s.xc) - g.angle_;  // counter-clockwise
    if (s.direction == -1) {
      if (sweep >= 0) sweep -= 2 * pi;
    } else if (sweep <= 0) {
      sweep += 2 * pi;
    }
    g.sweep_ = sweep;
    g.length_ = std::abs(sweep) * (g.radius_s_ + g.radius_e_) / 2;
  }
  if (!(g.length_ > 0) || !std::isfinite(g.length_)) return std::nullopt;
  return g;
}

PathPose Segment::at(double s) const {
  const double t = std::clamp(s / length_, 0.0, 1.0);
  if (!is_arc()) return {{start_.x + t * (end_.x - start_.x), start_.y + t * (end_.y - start_.y)}, angle_, 0};
  const double angle = angle_ + t * sweep_;
  const double r = radius_s_ + t * (radius_e_ - radius_s_);
  const double side = sweep_ > 0 ? 1 : -1;
  return {{center_.x + r * std::cos(angle), center_.y + r * std::sin(angle)}, wrapped(angle + side * pi / 2), side / r};
}

double Segment::nearest(Point p) const {
  if (!is_arc()) {
    const double dx = end_.x - start_.x, dy = end_.y - start_.y;
    const double t = ((p.x - start_.x) * dx + (p.y - start_.y) * dy) / (length_ * length_);
    return std::clamp(t, 0.0, 1.0) * length_;
  }
  // The angle from the start in the arc's direction, in [0, 2 pi); beyond the sweep, the nearer end.
  double turned = (std::atan2(p.y - center_.y, p.x - center_.x) - angle_) * (sweep_ > 0 ? 1 : -1);
  turned -= 2 * pi * std::floor(turned / (2 * pi));
  const double sweep = std::abs(sweep_);
  if (turned <= sweep) return turned / sweep * length_;
  return distance(p, end_) <= distance(p, start_) ? length_ : 0;
}

std::size_t chord_count(const Segment& segment, double max_gap) {
  if (!segment.is_arc()) return 2;
  const double r = std::max(segment.start_radius(), segment.end_radius());
  const double step = max_gap >= r ? pi / 2 : std::min(pi / 2, 2 * std::acos(1 - max_gap / r));
  const double pieces = step > 0 ? std::ceil(std::abs(segment.sweep()) / step) : 1e9;
  return static_cast<std::size_t>(std::clamp(pieces, 1.0, 99'999.0)) + 1;
}

std::vector<Point> chords(const Segment& segment, double max_gap) {
  const std::size_t n = chord_count(segment, max_gap);
  std::vector<Point> points;
  points.reserve(n);
  points.push_back(segment.start());
  for (std::size_t i = 1; i + 1 < n; ++i)
    points.push_back(segment.at(segment.length() * static_cast<double>(i) / static_cast<double>(n - 1)).at);
  points.push_back(segment.end());
  return points;
}

Path::Path(const std::vector<Section>& sections) {
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const std::optional<Segment> segment = Segment::of(sections[i]);
    if (!segment) continue;
    pieces_.push_back({*segment, i, length_, sections[i].velocity});
    length_ += segment->length();
  }
}

std::size_t Path::piece_at(double s) const {
  const auto after =
      std::upper_bound(pieces_.begin(), pieces_.end(), s, [](double value, const Piece& piece) { return value < piece.start; });
  return after == pieces_.begin() ? 0 : static_cast<std::size_t>(after - pieces_.begin()) - 1;
}

PathPose Path::at(double s) const {
  if (pieces_.empty()) return {};
  const Piece& piece = pieces_[piece_at(s)];
  return piece.segment.at(s - piece.start);
}

double Path::normalized(double s) const {
  if (pieces_.empty()) return 0;
  const std::size_t i = piece_at(s);
  return static_cast<double>(i) + std::clamp((s - pieces_[i].start) / pieces_[i].segment.length(), 0.0, 1.0);
}

double Path::from_normalized(double gamma) const {
  if (pieces_.empty() || gamma <= 0) return 0;
  const double whole = std::floor(gamma);
  if (whole >= static_cast<double>(pieces_.size())) return length_;
  const Piece& piece = pieces_[static_cast<std::size_t>(whole)];
  return piece.start + (gamma - whole) * piece.segment.length();
}

double Path::nearest_near(Point p, double s, double back, double ahead) const {
  double best = std::clamp(s, 0.0, length_), best_distance = distance(p, at(best).at);
  if (pieces_.empty()) return 0;
  for (std::size_t i = piece_at(s - back); i < pieces_.size() && pieces_[i].start <= s + ahead; ++i) {
    const Piece& piece = pieces_[i];
    const double local =
        std::clamp(piece.segment.nearest(p), std::max(0.0, s - back - piece.start), std::max(0.0, s + ahead - piece.start));
    const double there = piece.start + std::min(local, piece.segment.length());
    const double d = distance(p, at(there).at);
    if (d < best_distance) {
      best = there;
      best_distance = d;
    }
  }
  return best;
}

std::vector<Join> joins(const std::vector<Section>& sections) {
  std::vector<Join> result;
  for (std::size_t i = 1; i < sections.size(); ++i) {
    const std::optional<Segment> a = Segment::of(sections[i - 1]), b = Segment::of(sections[i]);
    if (!a || !b) continue;
    const PathPose end = a->at(a->length()), start = b->at(0);
    result.push_back({i - 1, i, distance(a->end(), b->start()), wrapped(start.yaw - end.yaw), start.curvature - end.curvature});
  }
  return result;
}

void assign_true_gammas(std::vector<Section>& sections) {
  double gamma = 0;
  for (Section& s : sections) {
    const std::optional<Segment> segment = Segment::of(s);
    const bool curve = s.kind == Kind::line || s.kind == Kind::arc;
    s.gamma_s = curve ? gamma : 0;
    s.gamma_e = s.gamma_s + (segment ? segment->length() : 0);
    gamma = s.gamma_e;
  }
}

std::optional<double> duration(const Section& s, std::optional<Point> from) {
  switch (s.kind) {
    case Kind::line:
    case Kind::arc: {
      const std::optional<Segment> segment = Segment::of(s);
      if (!segment) return 0;
      if (!(s.velocity > 0)) return std::nullopt;
      return segment->length() / s.velocity;
    }
    case Kind::point: {
      if (s.time < 0) return std::nullopt;
      const double way = from ? distance(*from, {s.xe, s.ye}) : 0;
      if (way > 0 && !(s.velocity > 0)) return std::nullopt;
      return s.time + (way > 0 ? way / s.velocity : 0);
    }
    case Kind::depth:
    case Kind::alt: return std::max(0.0, s.time);
    case Kind::none: break;
  }
  return std::nullopt;
}

VehicleSections::VehicleSections(const medusa::Mission& mission) : mission_(&mission) {
  for (std::size_t i = 0; i < mission.sections.size(); ++i) {
    const int id = mission.sections[i].vehicle;
    (id == medusa::kAllVehicles ? all_ : own_[id]).push_back(i);
  }
  for (const medusa::Offset& o : mission.formation) offsets_[o.vehicle] = o;
  if (!offsets_.empty()) {
    for (const auto& [id, offset] : offsets_) ids_.push_back(id);
    return;
  }
  if (!all_.empty()) ids_.push_back(medusa::kAllVehicles);
  for (const auto& [id, sections] : own_) ids_.push_back(id);
}

std::size_t VehicleSections::count(int id) const {
  const auto own = own_.find(id);
  return all_.size() + (own == own_.end() ? 0 : own->second.size());
}

std::optional<std::vector<Section>> VehicleSections::of(int id, const FormationOptions& options) const {
  const auto offset = offsets_.find(id);
  if (offset == offsets_.end() && !offsets_.empty()) return std::nullopt;
  std::vector<std::size_t> order = all_;  // of the file
  if (const auto own = own_.find(id); own != own_.end()) {
    order.insert(order.end(), own->second.begin(), own->second.end());
    std::inplace_merge(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(all_.size()), order.end());
  }
  std::vector<Section> result;
  result.reserve(order.size());
  for (const std::size_t i : order) {
    const Section& s = mission_->sections[i];
    result.push_back(s);
    if (s.vehicle != medusa::kAllVehicles || offset == offsets_.end()) continue;
    Section& moved = result.back();
    medusa::shift(moved, offset->second.x, offset->second.y);
    if (s.kind == Kind::arc && options.scale_speed) {
      const double before = std::hypot(s.xi - s.xc, s.yi - s.yc), after = std::hypot(moved.xi - s.xc, moved.yi - s.yc);
      if (before > 0 && std::isfinite(after / before)) {
        moved.velocity *= after / before;
        moved.radius *= after / before;
      }
    }
  }
  medusa::assign_gammas(result);
  return result;
}

std::optional<std::vector<Section>> sections_for(const medusa::Mission& mission, int id, const FormationOptions& options) {
  return VehicleSections(mission).of(id, options);
}

}  // namespace simbatch::mission
