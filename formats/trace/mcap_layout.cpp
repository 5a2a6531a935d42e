#include "formats/trace/mcap_layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "base/protobuf/descriptor.hpp"
#include "formats/trace/columns.hpp"

namespace simbatch::trace::detail {
namespace {

constexpr std::uint32_t kReserved = 19000, kReservedCount = 1000;
constexpr std::size_t kMaxNesting = 16;  // of messages in messages; dots beyond it become underscores
constexpr std::size_t kShortestRun = 4;  // of fields that are one array

constexpr std::array<std::string_view, 7> kPoseFields{"x", "y", "z", "qw", "qx", "qy", "qz"};

bool is_pose(const Device& device) {
  return std::equal(device.fields.begin(), device.fields.end(), kPoseFields.begin(), kPoseFields.end(),
                    [](const Field& field, std::string_view name) {
                      return field.name == name && field.type == FieldType::number && field.frame == "W";
                    });
}

std::string identifier(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::string out;
  for (const char c : name) out += is_letter(c) || is_digit(c) ? c : '_';
  if (out.empty() || !is_letter(out[0])) out.insert(0, "x");
  return out;
}

std::string capital(std::string name) {
  if (name[0] >= 'a' && name[0] <= 'z') name[0] = static_cast<char>(name[0] - 'a' + 'A');
  return name;
}

/// Names that are taken.
class Names {
 public:
  std::string unique(const std::string& wanted) {
    std::string name = wanted;
    while (!last_.try_emplace(name, 1).second) name = wanted + "_" + number_text(++last_[wanted]);
    return name;
  }

 private:
  std::map<std::string, std::size_t> last_;  // of each name, the last number that was appended to it
};

/// The number of fields from `first` on that are an array: r0 r1 r2 ...
std::size_t run_length(const std::vector<Field>& fields, std::size_t first) {
  const Field& start = fields[first];
  if (start.type == FieldType::text || !start.name.ends_with('0')) return 1;
  const std::string prefix = start.name.substr(0, start.name.size() - 1);
  std::size_t count = 1;
  for (; first + count < fields.size(); ++count) {
    const Field& field = fields[first + count];
    if (field.type != start.type || field.unit != start.unit || field.frame != start.frame ||
        field.name != prefix + number_text(count))
      break;
  }
  return count < kShortestRun ? 1 : count;
}

/// Messages of a robot while they grow.
class RobotBuilder {
 public:
  explicit RobotBuilder(std::string_view name) : name_(name) {
    robot_.messages.push_back({capital(identifier(name)), {}});
    shapes_.emplace_back();
  }

  /// @param path  the device's name without the robot's
  void add(std::string_view path, const Device& device, std::size_t number, std::size_t text) {
    std::size_t at = 0;
    std::string where;
    for (std::size_t depth = 1; !path.empty(); ++depth) {
      const std::size_t dot = depth == kMaxNesting ? std::string_view::npos : path.find('.');
      at = child(at, path.substr(0, dot));
      where += shapes_[at].path;
      path.remove_prefix(dot == std::string_view::npos ? path.size() : dot + 1);
    }
    for (std::size_t f = 0; f < device.fields.size();) {
      const Field& field = device.fields[f];
      const std::size_t count = run_length(device.fields, f);
      MessageField made;
      std::string wanted = field.name;
      if (count > 1) {
        made.kind = MessageField::Kind::numbers;
        wanted.pop_back();
        if (wanted.ends_with('_')) wanted.pop_back();
      } else if (field.type == FieldType::text) {
        made.kind = MessageField::Kind::text;
      }
      made.name = shapes_[at].names.unique(identifier(wanted));
      made.place = field.type == FieldType::text ? text : number;
      made.count = count;
      (field.type == FieldType::text ? text : number) += count;
      if (std::string unit = unit_and_frame(field); !unit.empty())
        robot_.units.emplace_back(where + made.name, std::move(unit));
      robot_.messages[at].fields.push_back(std::move(made));
      f += count;
    }
  }

  const std::string& name() const { return name_; }
  RobotMessage& robot() { return robot_; }

 private:
  struct Shape {
    Names names;
    std::map<std::string, std::size_t, std::less<>> children;  // by the part of the name
    std::string path;                                          // its own part, with a dot
  };

  std::size_t child(std::size_t parent, std::string_view part) {
    const auto found = shapes_[parent].children.find(part);
    if (found != shapes_[parent].children.end()) return found->second;
    const std::size_t made = shapes_.size();
    MessageField field;
    field.kind = MessageField::Kind::message;
    field.name = shapes_[parent].names.unique(identifier(part));
    field.message = made;
    MessageShape shape{shapes_[parent].names.unique(capital(field.name)), {}};
    shapes_.emplace_back();
    shapes_[made].path = field.name + ".";
    shapes_[parent].children.emplace(part, made);
    robot_.messages[parent].fields.push_back(std::move(field));
    robot_.messages.push_back(std::move(shape));
    return made;
  }

  std::string name_;
  RobotMessage robot_;
  std::vector<Shape> shapes_;
};

bool has_fix(const Device& device) {
  const std::vector<Field>& fields = device.fields;
  return fields.size() >= 2 && fields[0].name == "latitude" && fields[1].name == "longitude" &&
         fields[0].type != FieldType::text && fields[1].type != FieldType::text;
}

FixNode fix_of(std::string_view name, std::size_t place) {
  std::string topic = "/" + valid_utf8(name) + "/location";
  std::replace(topic.begin(), topic.end(), '.', '/');
  const std::size_t dot = name.rfind('.');
  return {std::move(topic), dot == std::string_view::npos ? std::string(kWorldFrame) : valid_utf8(name.substr(0, dot)), place,
          place + 1};
}

protobuf::MessageType message_type(const RobotMessage& robot, std::size_t index, const std::string& type,
                                   const std::string& whole) {
  using protobuf::FieldKind;
  protobuf::MessageType made{type, {}};
  const MessageShape& shape = robot.messages[index];
  for (std::size_t f = 0; f < shape.fields.size(); ++f) {
    const MessageField& field = shape.fields[f];
    protobuf::FieldType out{field.name, field_number(f)};
    if (field.kind == MessageField::Kind::text) out.kind = FieldKind::text;
    out.repeated = field.kind == MessageField::Kind::numbers;
    if (field.kind == MessageField::Kind::message) {
      const std::string& inner = robot.messages[field.message].type;
      out.kind = FieldKind::message;
      out.type_name = whole + "." + inner;
      made.nested.push_back(message_type(robot, field.message, inner, out.type_name));
    }
    made.fields.push_back(std::move(out));
  }
  return made;
}

mcap::Schema schema_of_robot(const RobotMessage& robot, const std::string& type) {
  return {"simbatch." + type, "protobuf",
          protobuf::descriptor_set(
              {{"simbatch/" + type + ".proto", "simbatch", {}, {message_type(robot, 0, type, ".simbatch." + type)}}})};
}

}  // namespace

std::uint64_t mcap_time(std::int64_t step, double dt) {
  constexpr double kNanoseconds = 1e9;
  const double time = static_cast<double>(step) * dt * kNanoseconds;
  if (!(time < static_cast<double>(kMaxTime))) return kMaxTime;
  return time <= 0 ? 0 : static_cast<std::uint64_t>(std::llround(time));
}

std::uint32_t field_number(std::size_t index) {
  const auto number = static_cast<std::uint32_t>(index + 1);
  return number < kReserved ? number : number + kReservedCount;
}

std::size_t field_index(std::uint32_t number) {
  if (number >= kReserved && number < kReserved + kReservedCount) return static_cast<std::size_t>(-1);
  return number < kReserved ? number - std::size_t{1} : number - std::size_t{kReservedCount} - 1;
}

McapLayout mcap_layout(const Header& header) {
  McapLayout layout;
  std::vector<RobotBuilder> robots;
  std::map<std::string, std::size_t, std::less<>> by_name;
  std::size_t number = 0, text = 0;
  for (const Device& device : header.devices) {
    const std::string_view name = device.name;
    if (is_pose(device)) {
      layout.poses.push_back({valid_utf8(name), number});
    } else if (!device.fields.empty()) {
      const std::size_t dot = name.find('.');
      const std::string_view robot = name.substr(0, dot);
      const auto [at, is_new] = by_name.try_emplace(std::string(robot), robots.size());
      if (is_new) robots.emplace_back(robot);
      robots[at->second].add(dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1), device, number, text);
    }
    if (has_fix(device)) layout.fixes.push_back(fix_of(name, number));
    for (const Field& field : device.fields) ++(field.type == FieldType::text ? text : number);
  }
  std::map<std::string, std::size_t> known;
  Names types, topics;
  for (const char* taken : {"Step", "StateHash"}) (void)types.unique(taken);
  for (const std::string_view taken : {kPoseTopic, kSceneTopic, kLogTopic}) (void)topics.unique(std::string(taken));
  for (RobotBuilder& builder : robots) {
    RobotMessage& robot = builder.robot();
    robot.topic = topics.unique("/" + valid_utf8(builder.name()));
    const auto [at, is_new] = known.try_emplace(schema_of_robot(robot, "Robot").data, layout.schemas.size());
    if (is_new) layout.schemas.push_back(schema_of_robot(robot, types.unique(robot.messages[0].type)));
    robot.schema = at->second;
    layout.robots.push_back(std::move(robot));
  }
  for (FixNode& fix : layout.fixes) fix.topic = topics.unique(fix.topic);
  return layout;
}

}  // namespace simbatch::trace::detail
