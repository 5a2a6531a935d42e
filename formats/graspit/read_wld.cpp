// .wld files: blocks of words and lines, as read and written by GraspIt! 2.1.0.
#include <fmt/format.h>

#include <algorithm>

#include "base/core/line_ends.hpp"
#include "base/core/record_limit.hpp"
#include "formats/graspit/codes.hpp"
#include "formats/graspit/parse.hpp"

namespace simbatch::graspit {
namespace {

using namespace detail;

constexpr std::string_view kBlocks[] = {"Obstacle", "GraspableBody", "Robot", "Connection", "CameraFull", "Camera"};

class WldReader {
 public:
  WldReader(std::string_view text, Reading reading, std::string_view file_name) : lines_(text), reading_(reading) {
    result_.diagnostics = Diagnostics(std::string(file_name));
  }

  Parsed<World> read() {
    if (lines_.at_end()) {
      result_.diagnostics.report(code::kWorldEnd, {1, 1}, "the file is empty");
      return std::move(result_);
    }
    std::string_view head = trimmed(lines_.take().text);
    if (head.starts_with('#')) head.remove_prefix(1);
    world_.head = std::string(head);
    while (!lines_.at_end() && !stop_) block();
    if (records_.is_exceeded()) return std::move(result_);
    check_connections();
    result_.value = std::move(world_);
    return std::move(result_);
  }

 private:
  Diagnostics& diagnostics() { return result_.diagnostics; }
  bool loader() const { return reading_ == Reading::loader; }

  void block() {
    const Line line = lines_.take();
    const std::string_view word = trimmed(line.text);
    if (word.empty()) return;
    if (!records_.add(start_of(line), diagnostics())) {
      stop_ = true;
      return;
    }
    if (word[0] == '#') {
      diagnostics().report(code::kWorldComment, start_of(line), "GraspIt! takes a comment here for an unknown block and stops");
      return;
    }
    if (std::find(std::begin(kBlocks), std::end(kBlocks), word) == std::end(kBlocks)) {
      const std::string_view near = nearest(word, kBlocks);
      diagnostics().report(
          code::kWorldBlock, start_of(line),
          fmt::format("the block {} is unknown{}", quoted(word), near.empty() ? "" : fmt::format(", did you mean {}?", near)));
      skip_block();
    } else if (word == "Obstacle" || word == "GraspableBody") {
      body(word == "Obstacle");
    } else if (word == "Robot") {
      robot();
    } else if (word == "Connection") {
      connection();
    } else {
      camera(word == "CameraFull");
    }
  }

  // Skips to the next line with a block's keyword.
  void skip_block() {
    stop_ = loader();
    while (!lines_.at_end()) {
      const std::string_view word = trimmed(lines_.peek().text);
      if (std::find(std::begin(kBlocks), std::end(kBlocks), word) != std::end(kBlocks)) return;
      lines_.take();
    }
  }

  std::optional<Line> needed(std::string_view what) {
    // Names are read as words, so empty lines before them do not count.
    while (!lines_.at_end() && trimmed(lines_.peek().text).empty()) lines_.take();
    if (!lines_.at_end()) return lines_.take();
    diagnostics().report(code::kWorldEnd, lines_.end_position(), fmt::format("the file ends where {} is expected", what));
    return std::nullopt;
  }

  void body(bool obstacle) {
    WorldBody body;
    body.obstacle = obstacle;
    const auto file = needed("a body's file");
    if (!file) return;
    body.file = std::string(trimmed(file->text));
    body.place = {start_of(*file)};
    if (obstacle) {
      const auto material = needed("the obstacle's material");
      if (!material) return;
      body.material = std::string(trimmed(material->text));
      if (std::find(std::begin(kMaterials), std::end(kMaterials), body.material) == std::end(kMaterials))
        diagnostics().report(code::kMaterial, start_of(*material),
                             fmt::format("the material {} is unknown", quoted(body.material)));
    }
    (void)read_transform(lines_, body.transform, reading_, diagnostics());
    world_.bodies.push_back(std::move(body));
  }

  void robot() {
    WorldRobot robot;
    const auto file = needed("a robot's file");
    if (!file) return;
    robot.file = std::string(trimmed(file->text));
    robot.place = {start_of(*file)};
    // A stream of numbers over one or more lines, up to the transform.
    while (!lines_.at_end()) {
      const Line line = lines_.peek();
      const std::string_view text = trimmed(line.text);
      if (!text.empty() && std::string_view("rtRT#").find(text[0]) != std::string_view::npos) break;
      lines_.take();
      WordReader words(line.text, line.number);
      for (Token word; words.next(word);) {
        if (robot.dof_values.size() == kMaxRecords) {
          report_too_many(code::kMany, "DOF values of a robot", kMaxRecords, word.at, diagnostics());
          stop_ = true;
          return;
        }
        if (const auto value = number(word.text))
          robot.dof_values.push_back(*value);
        else
          diagnostics().report(code::kWorldDof, word.at, fmt::format("expected a DOF value, found {}", quoted(word.text)));
      }
      if (text.empty() && !robot.dof_values.empty()) break;
    }
    (void)read_transform(lines_, robot.transform, reading_, diagnostics());
    world_.robots.push_back(std::move(robot));
  }

  void connection() {
    const auto line = needed("the indexes of a connection");
    if (!line) return;
    const auto values = numbers_of<3>(line->text);
    const bool good = values && std::all_of(values->begin(), values->end(), [](double x) {
                        return x >= 0 && x <= 1e6 && x == static_cast<double>(static_cast<std::uint32_t>(x));
                      });
    if (!good) {
      diagnostics().report(code::kConnection, start_of(*line),
                           fmt::format("expected \"parentRobot chain childRobot\", found {}", quoted(line->text)));
      return skip_block();
    }
    Connection connection;
    connection.parent_robot = static_cast<std::uint32_t>((*values)[0]);
    connection.parent_chain = static_cast<std::uint32_t>((*values)[1]);
    connection.child_robot = static_cast<std::uint32_t>((*values)[2]);
    connection.place = {start_of(*line)};
    // The next line is the mount, or empty.
    if (!lines_.at_end()) {
      const std::string_view mount = trimmed(lines_.peek().text);
      const bool transform = !mount.empty() && (mount.starts_with("T ") || mount.starts_with("T("));
      if (transform && !loader())
        diagnostics().report(code::kConnection, start_of(lines_.peek()),
                             "a line with the mount's file, or an empty one, is expected before the transform");
      else {
        connection.mount_place = {start_of(lines_.peek())};
        connection.mount = std::string(trimmed(lines_.take().text));
      }
    }
    (void)read_transform(lines_, connection.transform, reading_, diagnostics());
    world_.connections.push_back(std::move(connection));
  }

  void camera(bool full) {
    while (!lines_.at_end() && trimmed(lines_.peek().text).empty()) lines_.take();
    if (lines_.at_end()) {
      // Written so when there was no viewer.
      diagnostics().report_as(Severity::note, code::kCamera, lines_.end_position(), "the camera has no values");
      return;
    }
    const Line line = lines_.take();
    const auto values = numbers(line.text);
    if (!values || values->size() < (full ? 8U : 7U)) {
      diagnostics().report(code::kCamera, start_of(line),
                           fmt::format("expected {} numbers (position, quaternion x y z w{}), found {}", full ? 8 : 7,
                                       full ? ", focal distance" : "", quoted(line.text)));
      return;
    }
    Camera camera;
    for (std::size_t i = 0; i < 3; ++i) camera.position[i] = (*values)[i];
    for (std::size_t i = 0; i < 4; ++i) camera.orientation[i] = (*values)[3 + i];
    if (full) camera.focal_distance = (*values)[7];
    TransformStep step;
    step.kind = TransformStep::Kind::full;
    step.quaternion = camera.orientation;
    check_step(step, start_of(line), diagnostics());
    world_.camera = camera;
  }

  void check_connections() {
    const std::size_t robots = world_.robots.size();
    for (const Connection& c : world_.connections) {
      if (c.parent_robot >= robots || c.child_robot >= robots || c.parent_robot == c.child_robot)
        diagnostics().report(code::kConnection, c.place.at,
                             fmt::format("robots {} and {} cannot be connected, the world has {} (counted from 0)",
                                         c.parent_robot, c.child_robot, robots));
    }
  }

  Lines lines_;
  Reading reading_;
  bool stop_ = false;
  RecordCount records_{code::kMany, "blocks"};
  World world_;
  Parsed<World> result_;
};

}  // namespace

Parsed<World> read_wld(std::string_view text, Reading reading, std::string_view file_name) {
  const std::optional<std::string> copy = with_line_feeds(text);
  return WldReader(copy ? *copy : text, reading, file_name).read();
}

}  // namespace simbatch::graspit
