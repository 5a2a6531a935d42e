#pragma once
/// Medusa mission strings: the model, its reader and its writer (docs/formats/medusa.md).
///
/// Frame M: x meters east, y meters north of the mission's reference point, on the UTM grid; angles counter-clockwise
/// from east. Speeds m/s, times s, headings degrees clockwise from north (POINT only), depths and altitudes m,
/// positive. Sources: the console path parser's page (its example missions and SECTION structure), and the field
/// descriptions that the authors left in a mission file of theirs.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"

namespace simbatch::medusa {

/// The numbers are those of the vehicle's SECTION.Type; 0 is a section that the vehicle could not interpret.
enum class Kind : std::uint8_t { none = 0, point = 1, line = 2, arc = 3, depth = 4, alt = 5 };
/// "POINT", "LINE", ...; "?" for Kind::none.
std::string_view keyword(Kind kind);

/// Vehicle id that means all vehicles.
inline constexpr std::int32_t kAllVehicles = -1;

/// One primitive, with the fields and defaults of the reference's SECTION structure. A POINT has its place in (xe, ye);
/// a DEPTH or ALT has only depth and time.
struct Section {
  Kind kind = Kind::none;
  std::int32_t direction = 0;  ///< ARC: -1 clockwise seen from above, +1 counter-clockwise (whatever the version)
  std::int32_t vehicle = kAllVehicles;
  std::uint32_t line = 0;   ///< in the text, from 1; 0 = not from a text. Not compared
  double xi = 0, yi = 0;    ///< start (m)
  double xc = -1, yc = -1;  ///< center (m), ARC only
  double xe = 0, ye = 0;    ///< end (m)
  double velocity = 0;      ///< m/s; POINT: -1 = chosen by the vehicle
  double radius = 0;        ///< ARC: the given radius (m); POINT: acceptance radius (m)
  double heading = -1;      ///< POINT: degrees, -1 = free
  double time = -1;         ///< POINT, DEPTH, ALT: s; POINT 0 = pass, -1 = hold indefinitely
  double gamma_s = 0,
         gamma_e = 0;           ///< start and end of the path parameter, by assign_gammas(); the file's are not used
  double depth = 0;             ///< DEPTH: depth, ALT: altitude above the bottom (m)
  std::optional<double> gamma;  ///< the file's own gamma column, kept verbatim
  std::string user_data;        ///< text after the known fields
  /// All but `line`.
  friend bool operator==(const Section& a, const Section& b);
};

/// The reference point: grid meters, and the zone as written ("29S": zone number and latitude band; may be empty).
struct Reference {
  double easting = 0, northing = 0;
  std::string zone;
  Position at;  ///< of the line; not compared
  Position zone_at;
  friend bool operator==(const Reference& a, const Reference& b) {
    return a.easting == b.easting && a.northing == b.northing && a.zone == b.zone;
  }
};

/// Version 5 only: the reference point is `lat`, `lon` (degrees, WGS84) projected to UTM, plus (east, north) meters.
struct Origin {
  double lat = 0, lon = 0, east = 0, north = 0;
  Position at;  ///< not compared
  friend bool operator==(const Origin& a, const Origin& b) {
    return a.lat == b.lat && a.lon == b.lon && a.east == b.east && a.north == b.north;
  }
};

/// A vehicle's place in a formation: x meters ahead along the path, y meters to its left.
struct Offset {
  std::int32_t vehicle = 0;
  double x = 0, y = 0;
  friend bool operator==(const Offset&, const Offset&) = default;
};

/// A comment line, including its '#'. It precedes the section of index `before`; -1 = before the version, -2 = between
/// version and reference, -3 = between the two lines of a version 5 origin, -4 = before FORMATION or BIAS (if there is
/// one).
struct Comment {
  std::string text;
  std::int64_t before = 0;
  friend bool operator==(const Comment&, const Comment&) = default;
};

struct Mission {
  int version = 3;  ///< 2, 3 or 5
  std::optional<Reference> reference;
  std::optional<Origin> origin;  ///< version 5, in place of the reference
  std::vector<Offset> formation, bias;
  std::vector<Section> sections;
  std::vector<Comment> comments;
  friend bool operator==(const Mission&, const Mission&) = default;
};

/// The program whose loss makes a problem an error. The specification's reader understands more than the programs that run a
/// mission.
enum class Reader : std::uint8_t { spec, console, vehicle };
std::string_view to_text(Reader reader);

/// Outcome of a section line in each program.
struct ReaderOutcome {
  bool spec = false;     ///< understood here
  bool console = false;  ///< kept by the web console
  bool vehicle = false;  ///< kept by the vehicle's parser, as a section of a known kind
  bool misread = false;  ///< kept there, but with other values than written
};

struct ReadOptions {
  Reader audience = Reader::spec;  ///< a problem that makes this reader lose something is an error, else a warning
  bool comments = true;            ///< keep the comment lines
};

/// Receives a mission while it is read, line by line.
class MissionSink {
 public:
  virtual ~MissionSink() = default;
  virtual void version(int) {}
  virtual void reference(const Reference&) {}
  virtual void origin(const Origin&) {}
  virtual void formation(const std::vector<Offset>&, Position, bool /*is_bias*/) {}
  virtual void comment(std::string_view, std::int64_t /*before*/) {}
  /// A section, without gammas. Valid during the call.
  virtual void section(const Section&, ReaderOutcome) {}
  /// A line that looks like a section, but cannot be parsed.
  virtual void lost(std::uint32_t /*line*/, ReaderOutcome) {}
};

/// Reads a mission in one pass; memory does not grow with the text.
/// @param file  name for the diagnostics
Diagnostics scan_mission(std::string_view text, const ReadOptions& options, const std::string& file, MissionSink& sink);

/// Reads a mission into a model. There is a value if there is a version; gammas are assigned over all sections.
Parsed<Mission> read_mission(std::string_view text, const std::string& file, const ReadOptions& options = {});

/// Gives every section gamma_s and gamma_e by the vehicle's rule: a LINE or ARC begins where the section before it
/// ended (of any kind or vehicle) and is its length longer; an ARC's length is its swept angle about the center times
/// the *radius field*; POINT, DEPTH and ALT end at 0, so that the next one begins at 0.
/// @param two_pi  modulus for wrapping the sweep; the vehicle's is 2 x 3.14159265
void assign_gammas(std::vector<Section>& sections, double two_pi = 6.283185307179586);

/// Swept angle of an ARC by its end angles about the center (rad, 0 <= sweep <= 2 pi). A closed arc (start = end) gives 0
/// clockwise and 2 pi counter-clockwise, as on the vehicle; a direction other than -1 is counter-clockwise.
double swept_angle(const Section& arc, double two_pi = 6.283185307179586);

/// Shifts a LINE or ARC as in a formation: by `x` along and `y` to the left of the path's direction at each end. Center, radius
/// field, speed and gammas stay. POINT, DEPTH and ALT do not move. An ARC's direction is used unchanged.
void shift(Section& section, double x, double y);

struct WriteOptions {
  bool crlf = false;
  bool strip_gamma = false;  ///< without gamma column; user data that would be read as one is also omitted
};

/// The mission as canonical text of version 3 (2 and 5 if the model says so): one blank between fields, shortest numbers,
/// vehicle ids always present, FORMATION and BIAS before the sections, comments at their places.
std::string write_mission(const Mission& mission, const WriteOptions& options = {});

}  // namespace simbatch::medusa
