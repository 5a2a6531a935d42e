#pragma once
/// How a trace is laid out in MCAP messages: a channel for each robot with a message like its tree, /tf with the poses of all
/// parts, places on earth. Writer and reader make it from the trace's header, so that both agree (docs/formats/mcap.md).

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/mcap/layout.hpp"
#include "formats/trace/trace.hpp"

namespace simbatch::trace::detail {

inline constexpr std::string_view kWorldFrame = "world";
inline constexpr std::string_view kStepTopic = "/simbatch/step", kHashTopic = "/simbatch/hash", kPoseTopic = "/tf",
                                  kSceneTopic = "/scene", kPathsTopic = "/simbatch/paths", kLogTopic = "/log";
inline constexpr std::string_view kMcapMetadata = "simbatch", kMcapHeader = "header", kMcapAttachment = "trace.json";
inline constexpr std::uint64_t kMaxTime = std::uint64_t{1} << 62;  ///< ns, 146 years: all later steps get this time

/// Of a quaternion's vector, whose sign the frames of MCAP change. Zeros keep theirs.
inline double negated(double value) { return value == 0 ? value : -value; }

/// Simulated time of a step, from the start of the run (ns).
std::uint64_t mcap_time(std::int64_t step, double dt);

/// A field of a message.
struct MessageField {
  enum class Kind { number, numbers, text, message } kind = Kind::number;
  std::string name;         ///< an identifier, unique in its message
  std::size_t place = 0;    ///< index of its first value among the numbers or the texts of a row
  std::size_t count = 1;    ///< of `numbers`
  std::size_t message = 0;  ///< of `message`: into RobotMessage::messages
  bool seconds = false;     ///< a number of seconds, or a message with one: mostly the same for all robots
};
/// The number of a message's field, and back. 19,000 to 19,999 are reserved by protobuf.
std::uint32_t field_number(std::size_t index);
std::size_t field_index(std::uint32_t number);

struct MessageShape {
  std::string type;  ///< unique in its parent
  std::vector<MessageField> fields;
};

inline constexpr std::size_t kManyRobots = 16;  ///< with the same devices: their messages are fields of one

/// The message of a robot in each row; or of many with the same devices: one for all numbers, and one for all texts.
struct RobotMessage {
  std::string topic;                   ///< "/impreza", "/robots", "/robots/texts"
  std::vector<MessageShape> messages;  ///< the first is the whole; those in it come after it
  mcap::Pairs units;                   ///< "chassis.gyro0.rate": "rad/s"; of many robots: "*.chassis.gyro0.rate"
  std::size_t schema = 0;              ///< into McapLayout::schemas
};

/// A node with a pose in the world (x y z qw qx qy qz): a transform of /tf, and nowhere else.
struct PoseNode {
  std::string name;
  std::size_t place = 0;  ///< of x among the numbers of a row; the others follow
};

/// A node that knows where it is on earth.
struct FixNode {
  std::string topic, frame;
  std::size_t latitude = 0, longitude = 0;  ///< among the numbers of a row
};

struct McapLayout {
  std::vector<PoseNode> poses;
  std::vector<FixNode> fixes;
  std::vector<RobotMessage> robots;
  std::vector<mcap::Schema> schemas;  ///< of robots; those with the same devices share one
};
McapLayout mcap_layout(const Header& header);

/// Schemas that every trace uses, and Foxglove's (https://docs.foxglove.dev/docs/sdk/schemas).
mcap::Schema step_schema();
mcap::Schema hash_schema();
mcap::Schema transforms_schema();
mcap::Schema location_schema();
mcap::Schema log_schema();
mcap::Schema scene_schema();
mcap::Schema laser_scan_schema();
mcap::Schema point_cloud_schema();
mcap::Schema compressed_image_schema();
mcap::Schema calibration_schema();
mcap::Schema geojson_schema();

}  // namespace simbatch::trace::detail
