/// A line-based state machine: each keyword lists the blocks that may contain it. A keyword of an outer block closes inner ones
/// that lack their end. Whatever can be read is read; departures from the document are warnings (errors in strict mode).
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/core/number.hpp"
#include "base/core/record_limit.hpp"
#include "formats/rndf/codes.hpp"
#include "formats/rndf/coordinates.hpp"
#include "formats/rndf/lines.hpp"
#include "formats/rndf/rndf.hpp"

namespace simbatch::rndf {
namespace {

enum class Block { file, segment, lane, zone, perimeter, spot };
constexpr std::string_view kBlockNames[] = {"file", "segment", "lane", "zone", "perimeter", "spot"};

/// Keywords of the 1.1 extensions.
constexpr std::string_view kExtensionWords[] = {
    "num_intersections", "num_crosswalks", "speed_limit",       "lane_type",    "cross",   "light",
    "crosswalk",         "intersection",   "num_trafficlights", "trafficlight", "offroad", "id_string",
    "crosswalk_width",   "crosswalk_p1",   "crosswalk_p2",      "position",     "group_id"};

/// Declared contents of a block, compared at its end.
struct Frame {
  Block block = Block::file;
  Position at;
  std::optional<std::int32_t> count, zones;
  bool any_line = false;
  bool implied = false;  // its first line is missing (reported): so may be its count and its end
};

class RndfReader {
 public:
  RndfReader(std::string_view text, std::string file, const ReadOptions& options)
      : result_{std::nullopt, Diagnostics(std::move(file))},
        copy_(detail::without_comments(text, result_.diagnostics)),
        clean_(copy_ ? *copy_ : text),
        lines_(clean_),
        line_(result_.diagnostics, options.strict),
        coordinates_(options.planar, options.plane_origin) {}
  Parsed<Rndf> read();

 private:
  void collect_ends();
  bool dispatch();
  void keep(bool known);
  bool in(Block block) const { return frames_.back().block == block; }
  Segment& segment() { return rndf_.segments.back(); }
  Lane& lane() { return segment().lanes.back(); }
  Zone& zone() { return rndf_.zones.back(); }
  Spot& spot() { return zone().spots.back(); }
  void open(Block block);
  void close(bool with_end_line);
  void close_to(Block block);
  void count(std::string_view of, std::size_t have);
  bool block_line(std::string_view k);
  void area_line(std::string_view k);
  void inner_line(std::string_view k);
  void imply(Block block, std::optional<std::int32_t> number);
  bool header_line(std::string_view k);
  bool lane_line(std::string_view k);
  void point_line();
  void checkpoint(std::vector<Checkpoint>& to);
  void exit_line(std::vector<Exit>& to);
  bool belongs(const PointId& id, std::size_t word, std::string_view what);
  void header_order();

  Parsed<Rndf> result_;
  std::optional<std::string> copy_;
  std::string_view clean_;  // of comments
  LineReader lines_;
  detail::LineParser line_;
  detail::CoordinateReader coordinates_;
  Rndf rndf_;
  std::vector<Frame> frames_;
  RecordCount records_{code::kMany, "segments, lanes, zones, spots and lines that are not known"};
  std::map<std::string, std::uint32_t, std::less<>> last_end_;  // "end_x" -> last line that begins so
  bool ended_ = false, any_known_ = false, has_name_ = false;
};

/// Unknown blocks are kept up to their own end line, if there is one (more of them are more unknown lines than are read).
void RndfReader::collect_ends() {
  LineReader lines(clean_);
  Line line;
  while (lines.next(line)) {
    const std::string_view text = trimmed(line.text);
    if (text.starts_with("end_") && text.size() < 64 && last_end_.size() < kMaxRecords)
      last_end_.insert_or_assign(std::string(text), line.number);
  }
}

void RndfReader::open(Block block) {
  (void)records_.add(line_.at(), result_.diagnostics);
  frames_.push_back({block, line_.at(), std::nullopt, std::nullopt, false, false});
}

void RndfReader::count(std::string_view of, std::size_t have) {
  const Frame& frame = frames_.back();
  const std::string_view name = kBlockNames[static_cast<int>(frame.block)];
  if (!frame.count && frame.implied) return;
  if (!frame.count)
    line_.report_departure(code::kHeader, frame.at, fmt::format("the {} does not say its number of {}", name, of));
  else if (static_cast<std::size_t>(*frame.count) != have)
    line_.report_departure(code::kCount, frame.at,
                           fmt::format("num_{} is {}, but the {} has {}", of, *frame.count, name, have));
}

void RndfReader::close(bool with_end_line) {
  const Frame& frame = frames_.back();
  const std::string_view name = kBlockNames[static_cast<int>(frame.block)];
  if (!with_end_line && !frame.implied)
    line_.report_departure(code::kEnd, frame.at, fmt::format("the {} that begins here lacks end_{}", name, name));
  switch (frame.block) {
    case Block::segment: count("lanes", segment().lanes.size()); break;
    case Block::lane: count("waypoints", lane().waypoints.size()); break;
    case Block::zone: count("spots", zone().spots.size()); break;
    case Block::perimeter: count("perimeterpoints", zone().perimeter.size()); break;
    case Block::spot:
      if (spot().waypoints.size() != 2)
        line_.error(
            code::kSpotPoints, frame.at,
            fmt::format("spot {}.{} has {} waypoints, expected two", spot().zone, spot().number, spot().waypoints.size()));
      break;
    case Block::file: break;
  }
  frames_.pop_back();
}

void RndfReader::close_to(Block block) {
  while (frames_.size() > 1 && frames_.back().block != block) close(false);
}

/// A header element after the first waypoint (or a count that is not the first line of its block).
void RndfReader::header_order() {
  const Frame& frame = frames_.back();
  const bool late =
      (frame.block == Block::lane && !lane().waypoints.empty()) || (frame.block == Block::spot && !spot().waypoints.empty()) ||
      (frame.block == Block::perimeter && !zone().perimeter.empty()) ||
      (frame.block == Block::segment && !segment().lanes.empty()) || (frame.block == Block::zone && !zone().spots.empty());
  if (late)
    line_.report_departure(code::kOrder, line_.at(),
                           fmt::format("{} follows the points of its block", quoted(line_.keyword(), 30)));
}

void RndfReader::keep(bool known) {
  (void)records_.add(line_.at(), result_.diagnostics);
  Extension extension{line_.text(), {line_.at()}};
  line_.report_departure(
      known ? code::kExtension : code::kUnknown, line_.at(),
      fmt::format("{} is {}; the line is kept", quoted(line_.keyword(), 40), known ? "an extension" : "not known"));
  switch (frames_.back().block) {
    case Block::segment: segment().extensions.push_back(std::move(extension)); break;
    case Block::lane: lane().extensions.push_back(std::move(extension)); break;
    case Block::zone:
    case Block::perimeter: zone().extensions.push_back(std::move(extension)); break;
    case Block::spot: spot().extensions.push_back(std::move(extension)); break;
    case Block::file: rndf_.extensions.push_back(std::move(extension)); break;
  }
}

bool RndfReader::belongs(const PointId& id, std::size_t word, std::string_view what) {
  std::int32_t area = 0, lane_number = 0;
  if (in(Block::lane)) area = lane().segment, lane_number = lane().number;
  if (in(Block::perimeter)) area = zone().id;
  if (in(Block::spot)) area = spot().zone, lane_number = spot().number;
  if (id.segment == area && id.lane == lane_number) return true;
  line_.report_departure(
      code::kForeign, line_.words()[word].at,
      fmt::format("{} {} does not belong to lane {}.{}, where it is listed", what, to_text(id), area, lane_number));
  return false;
}

void RndfReader::checkpoint(std::vector<Checkpoint>& to) {
  header_order();
  const auto at = line_.id(1, 3, "checkpoint waypoint");
  const auto id = line_.integer(2, 1, "checkpoint id");
  line_.expect_words(3);
  if (!at || !id) return;
  belongs(*at, 1, "checkpoint");
  to.push_back({*at, *id, {line_.at()}});
}

void RndfReader::exit_line(std::vector<Exit>& to) {
  header_order();
  const auto from = line_.id(1, 3, "exit waypoint");
  const auto entry = line_.id(2, 3, "entry waypoint");
  line_.expect_words(3);
  if (!from || !entry) return;
  belongs(*from, 1, "exit");
  to.push_back({*from, *entry, {line_.at()}});
}

/// A waypoint whose coordinates are broken is kept, so that nothing that refers to it is reported as well.
void RndfReader::point_line() {
  const auto id = line_.id(0, 3, "waypoint");
  Waypoint waypoint;
  coordinates_.read(line_, waypoint);
  line_.expect_words(3);
  if (!id) return;
  std::vector<Waypoint>& to = in(Block::lane) ? lane().waypoints : in(Block::spot) ? spot().waypoints : zone().perimeter;
  std::int32_t area = in(Block::lane) ? lane().segment : zone().id;
  std::int32_t number = in(Block::lane) ? lane().number : in(Block::spot) ? spot().number : 0;
  if (id->segment != area || id->lane != number) {
    line_.error(code::kId, line_.at(),
                fmt::format("waypoint {} does not belong to {}.{}, where it is listed", to_text(*id), area, number));
    return;
  }
  const std::int64_t expected = to.empty() ? 1 : std::int64_t{to.back().id.point} + 1;
  // A repeated id is reported by check(), once.
  if (id->point > expected || (to.empty() && id->point != 1))
    line_.report_departure(code::kIdOrder, line_.at(),
                           fmt::format("waypoint {} follows where {} is expected", to_text(*id), expected));
  if (to.empty()) to.reserve(1 + detail::points_ahead(lines_));
  waypoint.id = *id, waypoint.place.at = line_.at();
  to.push_back(waypoint);
}

/// "segment N" and "zone N".
void RndfReader::area_line(std::string_view k) {
  close_to(Block::file);
  const auto id = line_.integer(1, 1, k == "segment" ? "segment id" : "zone id");
  line_.expect_words(2);
  const std::size_t expected = rndf_.segments.size() + rndf_.zones.size() + 1;
  if (k == "segment" && !rndf_.zones.empty()) line_.report_departure(code::kOrder, line_.at(), "a segment follows a zone");
  if (id && static_cast<std::size_t>(*id) != expected)
    line_.report_departure(code::kIdOrder, line_.words()[1].at,
                           fmt::format("{} {} follows where {} is expected", k, *id, expected));
  imply(k == "segment" ? Block::segment : Block::zone, id ? std::optional(*id) : std::nullopt);
  frames_.back().implied = false;
}

/// Opens a segment or zone. If its id cannot be read, it gets the expected number, so that its lanes and the output have valid
/// ids.
void RndfReader::imply(Block block, std::optional<std::int32_t> number) {
  const std::int32_t id = number.value_or(static_cast<std::int32_t>(rndf_.segments.size() + rndf_.zones.size() + 1));
  open(block);
  frames_.back().implied = true;
  if (block == Block::segment) {
    rndf_.segments.emplace_back().id = id;
    segment().place.at = line_.at();
  } else {
    rndf_.zones.emplace_back().id = id;
    zone().place.at = line_.at();
  }
}

/// "lane A.N", "spot A.N" and "perimeter A.0".
void RndfReader::inner_line(std::string_view k) {
  const Block wanted = k == "lane" ? Block::segment : Block::zone;
  close_to(wanted);
  const auto id = line_.id(1, 2, fmt::format("{} id", k));
  line_.expect_words(2);
  if (!in(wanted)) {
    line_.error(code::kId, line_.at(), fmt::format("{} outside a {}", k, kBlockNames[static_cast<int>(wanted)]));
    // Its lines are read nevertheless, as they may be valid.
    imply(wanted, id ? std::optional(id->segment) : std::nullopt);
  }
  const std::int32_t area = k == "lane" ? segment().id : zone().id;
  if (id && (id->segment != area || (k == "perimeter" ? id->lane != 0 : id->lane == 0)))
    line_.error(code::kId, line_.words()[1].at,
                fmt::format("{} {}.{} does not belong to {}, where it is listed", k, id->segment, id->lane, area));
  if (k == "perimeter") {
    if (!zone().perimeter.empty())
      line_.error(code::kIdDuplicate, line_.at(), fmt::format("zone {} has a second perimeter", area));
    open(Block::perimeter);
    return;
  }
  const std::size_t expected = (k == "lane" ? segment().lanes.size() : zone().spots.size()) + 1;
  const std::int32_t number = id ? id->lane : static_cast<std::int32_t>(expected);
  if (static_cast<std::size_t>(number) != expected)
    line_.report_departure(code::kIdOrder, line_.words()[1].at,
                           fmt::format("{} {}.{} follows where {}.{} is expected", k, area, number, area, expected));
  if (k == "lane") {
    Lane& l = segment().lanes.emplace_back();
    l.segment = area, l.number = number, l.place.at = line_.at();
    open(Block::lane);
  } else {
    Spot& s = zone().spots.emplace_back();
    s.zone = area, s.number = number, s.place.at = line_.at();
    open(Block::spot);
  }
}

/// Lines that open or close a block.
bool RndfReader::block_line(std::string_view k) {
  if (k == "segment" || k == "zone") {
    area_line(k);
    return true;
  }
  if (k == "lane" || k == "spot" || k == "perimeter") {
    inner_line(k);
    return true;
  }
  for (const Block block : {Block::segment, Block::lane, Block::zone, Block::perimeter, Block::spot}) {
    if (!k.starts_with("end_") || k.substr(4) != kBlockNames[static_cast<int>(block)]) continue;
    line_.expect_words(1);
    const bool is_open = std::any_of(frames_.begin(), frames_.end(), [&](const Frame& f) { return f.block == block; });
    if (is_open) {
      close_to(block);
      close(true);
    } else {
      line_.report_departure(code::kEnd, line_.at(), fmt::format("{} closes nothing", k));
    }
    return true;
  }
  return false;
}

/// Names and counts.
bool RndfReader::header_line(std::string_view k) {
  Frame& frame = frames_.back();
  const auto set = [&](std::optional<std::int32_t>& to, std::int32_t min) {
    header_order();
    if (frame.block != Block::file && frame.any_line)
      line_.report_departure(code::kOrder, line_.at(),
                             fmt::format("{} is not the first line of its {}", k, kBlockNames[static_cast<int>(frame.block)]));
    to = line_.integer(1, min, k);
    line_.expect_words(2);
  };
  if (in(Block::file)) {
    if (k == "RNDF_name")
      has_name_ = true, rndf_.name = line_.name(true);
    else if (k == "num_segments")
      set(frame.count, 1);
    else if (k == "num_zones")
      set(frame.zones, 0);
    else if (k == "format_version")
      rndf_.format_version = line_.name(false);
    else if (k == "creation_date")
      rndf_.creation_date = line_.name(false);
    else
      return false;
    return true;
  }
  if (in(Block::segment) && k == "num_lanes")
    set(frame.count, 1);
  else if (in(Block::segment) && k == "segment_name")
    segment().name = line_.name(false);
  else if (in(Block::lane) && k == "num_waypoints")
    set(frame.count, 1);
  else if (in(Block::zone) && k == "num_spots")
    set(frame.count, 0);
  else if (in(Block::zone) && k == "zone_name")
    zone().name = line_.name(false);
  else if (in(Block::perimeter) && k == "num_perimeterpoints")
    set(frame.count, 1);
  else
    return false;
  return true;
}

/// Lines of lanes, perimeters and spots.
bool RndfReader::lane_line(std::string_view k) {
  const auto width = [&](std::optional<double>& to) {
    header_order();
    const auto value = line_.number(1, k);
    line_.expect_words(2);
    if (!value) return;
    if (*value < 0) {
      line_.error(code::kValue, line_.words()[1].at, fmt::format("{} is {}, expected a number >= 0", k, *value));
      return;
    }
    if (to) line_.report_departure(code::kOrder, line_.at(), fmt::format("duplicate {}", k));
    if (!is_digits(line_.words()[1].text))
      line_.report_departure(code::kWidth, line_.words()[1].at,
                             fmt::format("{} is {}, expected whole feet", k, quoted(line_.words()[1].text, 30)));
    to = value;
  };
  const auto boundary = [&](Boundary& to) {
    header_order();
    constexpr std::string_view kWords[] = {"double_yellow", "solid_yellow", "solid_white", "broken_white"};
    const std::string_view word = line_.words().size() > 1 ? line_.words()[1].text : std::string_view();
    for (std::size_t i = 0; i < 4; ++i)
      if (word == kWords[i]) to = static_cast<Boundary>(i + 1);
    if (std::find(std::begin(kWords), std::end(kWords), word) == std::end(kWords))
      line_.report_departure(code::kBoundary, line_.at(),
                             fmt::format("{} is {}, expected one of {}", k, quoted(word, 30), fmt::join(kWords, ", ")));
    line_.expect_words(2);
  };
  if (in(Block::lane)) {
    if (k == "lane_width")
      width(lane().width_ft);
    else if (k == "left_boundary")
      boundary(lane().left);
    else if (k == "right_boundary")
      boundary(lane().right);
    else if (k == "checkpoint")
      checkpoint(lane().checkpoints);
    else if (k == "exit")
      exit_line(lane().exits);
    else if (k == "stop") {
      header_order();
      const auto at = line_.id(1, 3, "stop waypoint");
      line_.expect_words(2);
      if (at) {
        belongs(*at, 1, "stop");
        lane().stops.push_back({*at, {line_.at()}});
      }
    } else
      return false;
    return true;
  }
  if (in(Block::perimeter) && k == "exit")
    exit_line(zone().exits);
  else if (in(Block::spot) && k == "spot_width")
    width(spot().width_ft);
  else if (in(Block::spot) && k == "checkpoint")
    checkpoint(spot().checkpoints);
  else
    return false;
  return true;
}

/// @return false for lines that are not of the format
bool RndfReader::dispatch() {
  const std::string_view k = line_.keyword();
  if (k == "end_file") {
    close_to(Block::file);
    line_.expect_words(1);
    ended_ = true;
    return true;
  }
  if (block_line(k) || header_line(k) || lane_line(k)) return true;
  const bool holds_points = in(Block::lane) || in(Block::perimeter) || in(Block::spot);
  if (holds_points && k[0] >= '0' && k[0] <= '9') {
    point_line();
    return true;
  }
  return false;
}

Parsed<Rndf> RndfReader::read() {
  collect_ends();
  frames_.push_back({});
  bool trailing = false;
  while (!records_.is_exceeded() && line_.next(lines_)) {
    if (ended_) {
      if (!trailing)
        line_.report_departure(code::kUnknown, line_.at(),
                               fmt::format("{} follows end_file and is ignored", quoted(line_.text(), 30)));
      trailing = true;
      continue;
    }
    const std::size_t depth = frames_.size();
    if (dispatch()) {
      any_known_ = true;
    } else {
      const std::string_view word = line_.keyword();
      const bool known = std::find(std::begin(kExtensionWords), std::end(kExtensionWords), word) != std::end(kExtensionWords);
      const auto end = word.size() < 60 ? last_end_.find("end_" + std::string(word)) : last_end_.end();
      keep(known);
      if (end != last_end_.end() && end->second > line_.at().line) {
        const std::string end_word = end->first;
        std::vector<Extension>* to = &rndf_.extensions;
        if (in(Block::segment)) to = &segment().extensions;
        if (in(Block::lane)) to = &lane().extensions;
        if (in(Block::zone) || in(Block::perimeter)) to = &zone().extensions;
        if (in(Block::spot)) to = &spot().extensions;
        while (line_.next(lines_)) {
          to->back().text += "\n" + line_.text();
          if (line_.keyword() == end_word) break;
        }
      }
    }
    if (!line_.words().empty() && frames_.size() == depth) frames_.back().any_line = true;
  }
  if (records_.is_exceeded()) return std::move(result_);
  if (!any_known_) {
    result_.diagnostics.report(code::kEmpty, {}, "the file holds no line of a route network");
    return std::move(result_);
  }
  close_to(Block::file);
  if (!ended_) line_.report_departure(code::kEnd, position_at(clean_, clean_.size()), "the file lacks end_file");
  if (!has_name_) line_.report_departure(code::kHeader, {1, 1}, "the file has no RNDF_name");
  frames_.back().at = {1, 1};
  count("segments", rndf_.segments.size());
  frames_.back().count = frames_.back().zones;
  count("zones", rndf_.zones.size());
  coordinates_.finish(rndf_, result_.diagnostics);
  result_.value = std::move(rndf_);
  return std::move(result_);
}

}  // namespace

Parsed<Rndf> read_rndf(std::string_view text, std::string file, const ReadOptions& options) {
  return RndfReader(text, std::move(file), options).read();
}

}  // namespace simbatch::rndf
