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

/// A robot's device, and the places of its first number and text in a row.
struct Part {
  const Device* device = nullptr;
  std::size_t number = 0, text = 0;
};

enum class Fields { all, numbers, texts };
bool has(Fields fields, const Field& field) {
  return fields == Fields::all || (fields == Fields::texts) == (field.type == FieldType::text);
}

/// Messages of a robot while they grow.
class RobotBuilder {
 public:
  RobotBuilder(std::string_view name, Fields fields) : which_(fields) {
    robot_.messages.push_back({capital(identifier(name)), {}});
    shapes_.emplace_back();
  }

  /// @param path  the device's name without the robot's
  void add(std::string_view path, const Part& part) {
    const Device& device = *part.device;
    if (std::none_of(device.fields.begin(), device.fields.end(), [this](const Field& field) { return has(which_, field); }))
      return;
    std::size_t number = part.number, text = part.text;
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
      made.place = field.type == FieldType::text ? text : number;
      made.count = count;
      made.seconds = made.kind == MessageField::Kind::number && field.unit == "s";
      const bool wanted_here = has(which_, field);
      (field.type == FieldType::text ? text : number) += count;
      f += count;
      if (!wanted_here) continue;
      made.name = shapes_[at].names.unique(identifier(wanted));
      if (std::string unit = unit_and_frame(field); !unit.empty())
        robot_.units.emplace_back(where + made.name, std::move(unit));
      robot_.messages[at].fields.push_back(std::move(made));
    }
  }

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

  Fields which_;
  RobotMessage robot_;
  std::vector<Shape> shapes_;
};

/// A robot's devices in the header's order.
struct Robot {
  std::string name;
  std::vector<Part> parts;
};

/// Marks the messages with numbers of seconds. @return whether there are some
bool mark_seconds(RobotMessage& robot, std::size_t message) {
  bool any = false;
  for (MessageField& field : robot.messages[message].fields) {
    if (field.kind == MessageField::Kind::message) field.seconds = mark_seconds(robot, field.message);
    any = any || field.seconds;
  }
  return any;
}

RobotMessage message_of(const Robot& robot, Fields fields = Fields::all) {
  RobotBuilder builder(robot.name, fields);
  for (const Part& part : robot.parts) {
    const std::string_view name = part.device->name;
    const std::size_t dot = name.find('.');
    builder.add(dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1), part);
  }
  (void)mark_seconds(builder.robot(), 0);
  return std::move(builder.robot());
}

/// A message whose fields are the robots, all of one type.
RobotMessage message_of(const std::vector<const Robot*>& robots, Fields fields) {
  RobotMessage all;
  all.messages.push_back({"Robots", {}});
  Names names;
  for (const Robot* robot : robots) {
    RobotMessage one = message_of(*robot, fields);
    if (all.units.empty())
      for (const auto& [path, unit] : one.units) all.units.emplace_back("*." + path, unit);
    const std::size_t first = all.messages.size();
    MessageField field;
    field.kind = MessageField::Kind::message;
    field.name = names.unique(identifier(robot->name));
    field.message = first;
    all.messages[0].fields.push_back(std::move(field));
    one.messages[0].type = "Robot";
    for (MessageShape& shape : one.messages) {
      for (MessageField& inner : shape.fields)
        if (inner.kind == MessageField::Kind::message) inner.message += first;
      all.messages.push_back(std::move(shape));
    }
  }
  (void)mark_seconds(all, 0);
  return all;
}

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
      const auto is_known = [&inner](const protobuf::MessageType& nested) { return nested.name == inner; };
      if (std::none_of(made.nested.begin(), made.nested.end(), is_known))
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

/// Robots with the same devices.
struct Alike {
  std::vector<const Robot*> robots;
  std::size_t next = 0;    // of them
  std::size_t schema = 0;  // of each
};
/// @param messages  of each robot
/// @return of each robot, which of `kinds` it is of
std::vector<std::size_t> kinds_of(const std::vector<Robot>& robots, const std::vector<RobotMessage>& messages,
                                  std::vector<Alike>& kinds) {
  std::map<std::string, std::size_t> known;
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < robots.size(); ++i) {
    const auto [at, is_new] = known.try_emplace(schema_of_robot(messages[i], "Robot").data, kinds.size());
    if (is_new) kinds.emplace_back();
    kinds[at->second].robots.push_back(&robots[i]);
    all.push_back(at->second);
  }
  return all;
}

/// One message for all numbers, and one for all texts: the bytes of each are then alike, and pack better.
void add_many(McapLayout& layout, const std::vector<const Robot*>& robots, Names& types, Names& topics) {
  const std::string topic = topics.unique("/robots");
  for (const Fields fields : {Fields::numbers, Fields::texts}) {
    RobotMessage message = message_of(robots, fields);
    if (message.messages.size() == 1 + robots.size() && message.messages[1].fields.empty())
      continue;  // no texts, or no numbers
    message.topic = fields == Fields::texts ? topics.unique(topic + "/texts") : topic;
    message.schema = layout.schemas.size();
    layout.schemas.push_back(schema_of_robot(message, types.unique(fields == Fields::texts ? "RobotTexts" : "Robots")));
    layout.robots.push_back(std::move(message));
  }
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
  std::vector<Robot> robots;
  std::map<std::string, std::size_t, std::less<>> by_name;
  std::size_t number = 0, text = 0;
  for (const Device& device : header.devices) {
    const std::string_view name = device.name;
    if (is_pose(device)) {
      layout.poses.push_back({valid_utf8(name), number});
    } else if (!device.fields.empty()) {
      const std::string robot(name.substr(0, name.find('.')));
      const auto [at, is_new] = by_name.try_emplace(robot, robots.size());
      if (is_new) robots.push_back({robot, {}});
      robots[at->second].parts.push_back({&device, number, text});
    }
    if (has_fix(device)) layout.fixes.push_back(fix_of(name, number));
    for (const Field& field : device.fields) ++(field.type == FieldType::text ? text : number);
  }
  Names types, topics;
  for (const char* taken : {"Step", "StateHash"}) (void)types.unique(taken);
  for (const std::string_view taken : {kPoseTopic, kSceneTopic, kLogTopic}) (void)topics.unique(std::string(taken));
  std::vector<Alike> kinds;
  std::vector<RobotMessage> messages;
  for (const Robot& robot : robots) messages.push_back(message_of(robot));
  const std::vector<std::size_t> kind = kinds_of(robots, messages, kinds);
  for (std::size_t i = 0; i < robots.size(); ++i) {
    Alike& alike = kinds[kind[i]];
    ++alike.next;
    if (alike.robots.size() >= kManyRobots) {
      if (alike.next == 1) add_many(layout, alike.robots, types, topics);
      continue;
    }
    RobotMessage& message = messages[i];
    if (alike.next == 1) {
      alike.schema = layout.schemas.size();
      layout.schemas.push_back(schema_of_robot(message, types.unique(message.messages[0].type)));
    }
    message.topic = topics.unique("/" + valid_utf8(robots[i].name));
    message.schema = alike.schema;
    layout.robots.push_back(std::move(message));
  }
  for (FixNode& fix : layout.fixes) fix.topic = topics.unique(fix.topic);
  return layout;
}

}  // namespace simbatch::trace::detail
