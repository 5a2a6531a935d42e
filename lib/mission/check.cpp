// Own checks, derived from how the vehicles' readers interpret a mission (docs/formats/medusa.md); the tolerance of a turn
// follows from rounding to three decimals.
#include "lib/mission/check.hpp"

// Outline: a sink of the reader that keeps, for each vehicle id, the end and direction of its last curve. Checks that need the
// whole mission (formation, zone) run at the end. Directions are compared as unit vectors; angles are computed only for
// messages.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lib/mission/codes.hpp"

namespace simbatch::mission {
namespace {

using medusa::Kind;
using medusa::Section;
using std::numbers::pi;

struct Direction {
  double x = 0, y = 0;
};

/// State of one vehicle id.
struct TrackState {
  std::uint32_t first_line = 0;
  bool has_curve = false;  // the last section was a curve, that ended at `end` towards `towards`
  Point end;
  std::optional<Point> place;  // where the last LINE, ARC or POINT ended
  Direction towards;
  double size = 0;  // of the last curve, for the effect of rounding on its direction
  std::uint32_t last_line = 0;
  std::uint32_t hold_line = 0;  // of a POINT with time -1
  bool hold_said = false;
  bool on_path = false;  // a LINE or ARC has begun
  bool unreached_reported = false;
  bool endless_depth = false;  // the section before is a DEPTH or ALT without end
  double duration = 0;         // s
};

/// The arc of smallest radius in one direction.
struct Tightest {
  double radius = 1e300;
  std::uint32_t line = 0;
};

class Checker : public medusa::MissionSink {
 public:
  Checker(const CheckOptions& options, const std::string& file) : options_(options), out_(file) {}

  void version(int v) override { summary_.version = v; }
  void reference(const medusa::Reference& r) override { reference_ = r; }
  void origin(const medusa::Origin& o) override { origin_ = o; }
  void formation(const std::vector<medusa::Offset>& list, Position at, bool is_bias) override {
    if (is_bias) return;
    for (const medusa::Offset& o : list) formation_.emplace(o.vehicle, o);
    formation_at_ = at;
  }
  void lost(std::uint32_t, medusa::ReaderOutcome outcome) override {
    ++summary_.lost;
    count(outcome);
  }

  void section(const Section& s, medusa::ReaderOutcome outcome) override {
    count(outcome);
    TrackState& track = track_of(s);
    if (track.hold_line != 0 && !track.hold_said) {
      out_.report(code::kPointHold, {track.hold_line, 1},
                  fmt::format("this POINT holds indefinitely (time -1): line {} and what follows it never begin", s.line));
      track.hold_said = true;
    }
    switch (s.kind) {
      case Kind::line: line(s, track); break;
      case Kind::arc: arc(s, track); break;
      case Kind::point: point(s, track); break;
      default: depth(s, track); break;
    }
    if (s.kind == Kind::line || s.kind == Kind::arc || s.kind == Kind::point) {
      track.place = Point{s.xe, s.ye};
      reach({s.xe, s.ye}, s.line);
    }
    if (s.kind == Kind::line || s.kind == Kind::arc) reach({s.xi, s.yi}, s.line);
    if (s.kind == Kind::arc) reach({s.xc, s.yc}, s.line);
    track.last_line = s.line;
  }

  CheckResult finish(Diagnostics text) {
    if (!formation_.empty())
      check_formation();
    else
      check_mixture();
    summary_.georeference = find_georeference(reference_, origin_, options_.default_zone, sample_, out_);
    summary_.first = sample_;
    check_reach();
    double longest = 0;
    for (const auto& [id, track] : tracks_)
      if (id != medusa::kAllVehicles) longest = std::max(longest, track.duration);
    const auto all = tracks_.find(medusa::kAllVehicles);
    summary_.duration = longest + (all == tracks_.end() ? 0 : all->second.duration);
    text.append(std::move(out_));
    text.sort();
    return {summary_, std::move(text)};
  }

 private:
  void count(medusa::ReaderOutcome outcome) {
    summary_.kept_by_console += outcome.console ? 1 : 0;
    summary_.kept_by_vehicle += outcome.vehicle ? 1 : 0;
    summary_.misread_by_vehicle += outcome.misread ? 1 : 0;
  }

  TrackState& track_of(const Section& s) {
    if (last_track_ != nullptr && last_id_ == s.vehicle) return *last_track_;
    TrackState& track = tracks_[s.vehicle];
    if (track.first_line == 0) track.first_line = s.line;
    last_id_ = s.vehicle;
    last_track_ = &track;
    return track;
  }

  void sample(double x, double y) {
    if (has_sample_) return;
    sample_ = {x, y};
    has_sample_ = true;
  }

  static double size_of(Point p) { return std::max(std::abs(p.x), std::abs(p.y)); }

  void reach(Point p, std::uint32_t line) {
    if (size_of(p) <= size_of(farthest_)) return;
    farthest_ = p;
    farthest_line_ = line;
  }

  /// Without a zone: whether the point exists in any zone, taking the reference as written, or else the middle of a zone.
  bool is_on_earth(Point p) const {
    constexpr double kHalfWay = 2.0e7;  // m, around the earth
    if (!(size_of(p) <= kHalfWay)) return false;
    if (summary_.georeference) return summary_.georeference->at(p).has_value();
    const medusa::Reference r = reference_.value_or(medusa::Reference{});
    return Georeference({1, true, r.easting, r.northing}).at(p) || Georeference({1, false, r.easting, r.northing}).at(p) ||
           Georeference({1, true, 500'000, 0}).at(p);
  }

  void check_reach() {
    if (farthest_line_ == 0 || is_on_earth(farthest_)) return;
    summary_.is_far = true;
    out_.report(code::kFar, {farthest_line_, 1},
                fmt::format("{:.6g} {:.6g} is not on the earth, seen from the reference", farthest_.x, farthest_.y));
  }

  void speed(const Section& s) {
    if (s.velocity <= 0) {
      out_.report(code::kSpeed, {s.line, 1}, fmt::format("speed {} m/s: the section never ends", s.velocity));
    } else if (s.velocity < options_.low_speed) {
      out_.report(code::kSpeedLow, {s.line, 1},
                  fmt::format("speed {} m/s is below {} m/s: is it a rate of gamma?", s.velocity, options_.low_speed));
    } else if (s.velocity > options_.high_speed) {
      out_.report(code::kSpeedHigh, {s.line, 1},
                  fmt::format("speed {} m/s is above the followers' limit of {} m/s", s.velocity, options_.high_speed));
    }
  }

  void curve(const Section& s, TrackState& track, double length, Direction start, Direction end, double size) {
    sample(s.xi, s.yi);
    summary_.length += length;
    if (s.velocity > 0) track.duration += length / s.velocity;
    speed(s);
    if (track.has_curve) {
      const double gx = s.xi - track.end.x, gy = s.yi - track.end.y;
      if (gx * gx + gy * gy > options_.max_gap * options_.max_gap)
        out_.report(code::kJoinGap, {s.line, 1},
                    fmt::format("starts {:.2f} m from where line {} ends", std::hypot(gx, gy), track.last_line));
      // Unit vectors: |a - b|^2 = 2 - 2 cos. Rounding by 1 cm turns a short section by up to 0.02 m / size.
      const double allowed = options_.max_turn + 0.02 / std::min(size, track.size);
      const double dx = start.x - track.towards.x, dy = start.y - track.towards.y;
      if (dx * dx + dy * dy > allowed * allowed)
        out_.report(code::kJoinHeading, {s.line, 1},
                    fmt::format("the path turns by {:.1f} degrees between lines {} and {}",
                                std::atan2(track.towards.x * start.y - track.towards.y * start.x,
                                           track.towards.x * start.x + track.towards.y * start.y) *
                                    180 / pi,
                                track.last_line, s.line));
    }
    track.has_curve = track.on_path = true;
    track.endless_depth = false;
    track.end = {s.xe, s.ye};
    track.towards = end;
    track.size = size;
  }

  void line(const Section& s, TrackState& track) {
    ++summary_.lines;
    const double dx = s.xe - s.xi, dy = s.ye - s.yi;
    const double length = std::sqrt(dx * dx + dy * dy);
    if (!(length > 0)) {
      out_.report(code::kLineZero, {s.line, 1}, "the line ends where it starts: it is not sailed");
      return;
    }
    const Direction towards{dx / length, dy / length};
    curve(s, track, length, towards, towards, length);
  }

  void arc(const Section& s, TrackState& track) {
    ++summary_.arcs;
    const double ax = s.xi - s.xc, ay = s.yi - s.yc, bx = s.xe - s.xc, by = s.ye - s.yc;
    const double ra = std::sqrt(ax * ax + ay * ay), rb = std::sqrt(bx * bx + by * by);
    if (!(ra > 0 && rb > 0)) {
      out_.report(code::kArcZero, {s.line, 1}, fmt::format("the arc {} at its center", ra > 0 ? "ends" : "starts"));
      return;
    }
    if (std::abs(ra - rb) > options_.max_radius_error) {
      out_.report(code::kArcRadius, {s.line, 1},
                  fmt::format("arc ends {:.2f} m off its circle (radius {:.2f} m)", std::abs(ra - rb), ra));
    } else if (std::abs(s.radius - ra) > options_.max_radius_error && std::abs(s.radius - rb) > options_.max_radius_error) {
      out_.report(
          code::kArcNominal, {s.line, 1},
          fmt::format("the radius field says {} m, the points say {:.2f} m: gamma no longer equals arc length", s.radius, ra));
    }
    const double side = s.direction == -1 ? -1 : 1;
    const double cross = (ax * by - ay * bx) * side, dot = ax * bx + ay * by;
    double sweep = std::atan2(cross, dot);
    if (sweep <= 0) sweep += 2 * pi;
    if (s.xi == s.xe && s.yi == s.ye) {
      out_.report(code::kArcFull, {s.line, 1},
                  fmt::format("a closed arc: the path service does not take it{}",
                              s.direction == -1 ? ", and the vehicle gives it length 0" : ""));
    } else if (std::abs(sweep - pi) > options_.max_half_error + 0.02 / ra) {
      out_.report(code::kArcHalf, {s.line, 1},
                  fmt::format("arc of {:.1f} degrees: the older path services always sweep 180", sweep * 180 / pi));
    }
    Tightest& tightest = tightest_[side < 0 ? 0 : 1];
    if (s.vehicle == medusa::kAllVehicles && ra < tightest.radius) tightest = {ra, s.line};
    curve(s, track, sweep * (ra + rb) / 2, {-side * ay / ra, side * ax / ra}, {-side * by / rb, side * bx / rb}, ra);
  }

  void unreached(const Section& s, TrackState& track) {
    if (track.on_path && !track.unreached_reported) {
      out_.report(code::kUnreached, {s.line, 1},
                  fmt::format("{} after a LINE or ARC is never reached: the current walker does not leave those",
                              medusa::keyword(s.kind)));
      track.unreached_reported = true;
    }
    track.has_curve = false;
  }

  void point(const Section& s, TrackState& track) {
    ++summary_.points;
    sample(s.xe, s.ye);
    unreached(s, track);
    if (s.radius <= 0)
      out_.report(code::kPointRadius, {s.line, 1}, fmt::format("radius {} m: the point is never reached", s.radius));
    if (s.velocity <= 0 && s.velocity != -1)
      out_.report(code::kSpeed, {s.line, 1}, fmt::format("speed {} m/s: expected -1 (automatic) or above 0", s.velocity));
    else if (s.velocity > options_.high_speed)
      speed(s);
    if (s.time < 0) {
      track.hold_line = s.line;
      summary_.endless = true;
    } else {
      track.duration += duration(s, track.place).value_or(s.time);  // a journey at automatic speed takes an unknown time
    }
    track.endless_depth = false;
  }

  void depth(const Section& s, TrackState& track) {
    ++summary_.depths;
    unreached(s, track);
    if (s.depth < 0)
      out_.report(code::kDepthNegative, {s.line, 1},
                  fmt::format("{} {} acts as {} {}", medusa::keyword(s.kind), s.depth,
                              s.kind == Kind::depth ? "altitude" : "depth", -s.depth));
    if (s.time > 0 && track.endless_depth)
      out_.report(code::kDepthEndless, {s.line, 1},
                  fmt::format("after the endless {} of line {}, the vehicle ignores this time", medusa::keyword(s.kind),
                              track.last_line));
    track.endless_depth = s.time <= 0;
    if (s.time > 0) track.duration += s.time;
  }

  void check_formation() {
    for (const auto& [id, track] : tracks_)
      if (id != medusa::kAllVehicles && !formation_.contains(id))
        out_.report(code::kFormationId, {track.first_line, 1}, fmt::format("vehicle {} is not in FORMATION", id));
    for (const auto& [id, offset] : formation_) {
      for (const int side : {-1, 1}) {
        const Tightest& tightest = tightest_[side < 0 ? 0 : 1];
        if (tightest.line == 0) continue;
        if (tightest.radius - side * offset.y <= 0)
          out_.report(code::kFormationRadius, formation_at_,
                      fmt::format("vehicle {} is {} m inside the arc of line {}, whose radius is {:.2f} m", id,
                                  std::abs(offset.y), tightest.line, tightest.radius));
      }
      if (offset.x != 0 && (tightest_[0].line != 0 || tightest_[1].line != 0))
        out_.report(code::kFormationAhead, formation_at_,
                    fmt::format("vehicle {} is {} m {} along the path: its arcs do not keep the nominal radius", id,
                                std::abs(offset.x), offset.x > 0 ? "ahead" : "behind"));
    }
  }

  void check_mixture() {
    if (!tracks_.contains(medusa::kAllVehicles) || tracks_.size() < 2) return;
    std::string ids;
    std::size_t shown = 0;
    for (const auto& [id, track] : tracks_) {
      if (id == medusa::kAllVehicles || ++shown > 8) continue;
      ids += (ids.empty() ? "" : ", ") + std::to_string(id);
    }
    if (shown > 8) ids += ", ...";
    const std::uint32_t line = std::next(tracks_.begin())->second.first_line;
    out_.report(
        code::kVehicleMixed, {line, 1},
        fmt::format("vehicle {} sails the sections for all vehicles, too; the path service sends all sections to all", ids));
  }

  const CheckOptions& options_;
  Diagnostics out_;
  Summary summary_;
  std::map<std::int32_t, TrackState> tracks_;
  std::map<std::int32_t, medusa::Offset> formation_;
  Position formation_at_;
  Tightest tightest_[2];
  std::optional<medusa::Reference> reference_;
  std::optional<medusa::Origin> origin_;
  Point sample_;
  Point farthest_;
  std::uint32_t farthest_line_ = 0;  // 0: none is away from the reference
  bool has_sample_ = false;
  std::int32_t last_id_ = 0;
  TrackState* last_track_ = nullptr;
};

}  // namespace

CheckResult check_mission(std::string_view text, const std::string& file, const CheckOptions& options) {
  Checker checker(options, file);
  medusa::ReadOptions read;
  read.audience = options.audience;
  read.comments = false;
  Diagnostics diagnostics = medusa::scan_mission(text, read, file, checker);
  return checker.finish(std::move(diagnostics));
}

}  // namespace simbatch::mission
