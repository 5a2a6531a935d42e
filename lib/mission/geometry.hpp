#pragma once
/// Lines and arcs as curves: length, pose along them, nearest point, chords. Frame M: x east, y north (m), yaw
/// counter-clockwise from east (rad), curvature positive to the left (1/m).

#include <map>
#include <optional>
#include <vector>

#include "formats/medusa/medusa.hpp"

namespace simbatch::mission {

/// A place on the mission's plane.
struct Point {
  double x = 0, y = 0;  ///< m
  friend bool operator==(const Point&, const Point&) = default;
};
double distance(Point a, Point b);  ///< m
/// Normalizes an angle to (-pi, pi].
double wrapped(double angle);

/// A place on a path, and how the path runs there.
struct PathPose {
  Point at;
  double yaw = 0;        ///< direction of travel, counter-clockwise from x (rad)
  double curvature = 0;  ///< 1/m, positive to the left
};

/// A LINE or ARC. An arc whose ends are not equally far from the center is a spiral whose radius changes linearly with the
/// angle, so that it meets both ends.
class Segment {
 public:
  /// A closed arc (start = end) turns 2 pi in its direction; the vehicle gives a clockwise one length 0.
  /// @return empty for other kinds, and for a section without extent (zero length, radius 0, not finite)
  static std::optional<Segment> of(const medusa::Section& section);

  bool is_arc() const { return sweep_ != 0; }
  double length() const { return length_; }
  Point start() const { return start_; }
  Point end() const { return end_; }
  Point center() const { return center_; }
  double start_radius() const { return radius_s_; }
  double end_radius() const { return radius_e_; }
  double sweep() const { return sweep_; }  ///< signed, counter-clockwise positive; 0 for a line
  /// @param s  arc length from the start, clamped to [0, length]
  PathPose at(double s) const;
  /// Arc length of the point nearest to `p`.
  double nearest(Point p) const;

 private:
  Point start_, end_, center_;
  double radius_s_ = 0, radius_e_ = 0, angle_ = 0, sweep_ = 0, length_ = 0;
};

/// Replaces a segment by chords.
/// @param max_gap  largest distance between curve and chord (m), > 0
/// @return n >= 2 points; first and last equal the segment's ends bit for bit. At most 100,000 points: the gap holds up to a
/// radius of 20,000 km at 1 cm. Source: sagitta = r (1 - cos(angle / 2)).
std::vector<Point> chords(const Segment& segment, double max_gap);
/// Number of points that chords() would return.
std::size_t chord_count(const Segment& segment, double max_gap);

/// The sections of one vehicle as one curve. Sections without a curve (POINT, DEPTH, ALT, zero length) are omitted.
class Path {
 public:
  /// A piece of the curve and its section.
  struct Piece {
    Segment segment;
    std::size_t section = 0;  ///< index into the sections given
    double start = 0;         ///< arc length of its start on the whole path
    double velocity = 0;      ///< m/s
  };
  explicit Path(const std::vector<medusa::Section>& sections);

  const std::vector<Piece>& pieces() const { return pieces_; }
  bool empty() const { return pieces_.empty(); }
  double length() const { return length_; }
  /// Index of the piece at arc length `s` (clamped); a join belongs to the piece that begins there.
  std::size_t piece_at(double s) const;
  PathPose at(double s) const;
  /// Piece index + fraction of it: the path parameter of the vehicles' path service. In [0, pieces].
  double normalized(double s) const;
  double from_normalized(double gamma) const;
  /// Arc length of the nearest point in [s - back, s + ahead]: local search for followers, which must not jump to the next leg.
  double nearest_near(Point p, double s, double back, double ahead) const;

 private:
  std::vector<Piece> pieces_;
  double length_ = 0;
};

/// Discontinuities at a join between two consecutive curves.
struct Join {
  std::size_t before = 0, after = 0;  ///< indices of the two sections
  double gap = 0;                     ///< m
  double turn = 0;                    ///< change of yaw, (-pi, pi] (rad)
  double curvature_step = 0;          ///< 1/m
};
/// The joins of consecutive LINE and ARC sections; a POINT, DEPTH or ALT between two does not join them.
std::vector<Join> joins(const std::vector<medusa::Section>& sections);

/// Gammas by true arc length: as medusa::assign_gammas, with the curve's true length instead of sweep x radius field.
void assign_true_gammas(std::vector<medusa::Section>& sections);

/// Duration of a section (s). LINE, ARC: length / velocity. POINT: distance from `from` / velocity, if it has one, plus its
/// time. DEPTH, ALT: its time if > 0, else 0. Empty when it never ends (POINT with time -1) or has no speed.
std::optional<double> duration(const medusa::Section& section, std::optional<Point> from);

/// The sections of vehicle `id` in a formation. Sections for other vehicles are left out; those for all are shifted by its
/// offset in FORMATION, as on the vehicle (medusa::shift); an arc gets the shifted radius and a speed scaled by the same ratio,
/// as in the console's preview, so that all vehicles turn together.
/// @return empty if there is a FORMATION without that id
struct FormationOptions {
  bool scale_speed = true;  ///< false: velocity and radius field stay, as on the vehicle
};
std::optional<std::vector<medusa::Section>> sections_for(const medusa::Mission& mission, int id,
                                                         const FormationOptions& options = {});

/// The same for many vehicles: each costs as much as it has sections. Keeps a pointer to the mission.
class VehicleSections {
 public:
  explicit VehicleSections(const medusa::Mission& mission);
  /// Ascending: of FORMATION, or of the sections (kAllVehicles among them).
  const std::vector<int>& ids() const { return ids_; }
  /// How many sections of() returns.
  std::size_t count(int id) const;
  std::optional<std::vector<medusa::Section>> of(int id, const FormationOptions& options = {}) const;

 private:
  const medusa::Mission* mission_;
  std::vector<int> ids_;
  std::vector<std::size_t> all_;                 // sections for all vehicles, by index
  std::map<int, std::vector<std::size_t>> own_;  // those for one
  std::map<int, medusa::Offset> offsets_;
};

}  // namespace simbatch::mission
