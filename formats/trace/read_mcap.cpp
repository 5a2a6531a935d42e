// The messages are checked against the layout that the header in the file's metadata gives, message by message.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "base/core/hash.hpp"
#include "base/core/little_endian.hpp"
#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "base/mcap/read.hpp"
#include "base/protobuf/wire.hpp"
#include "formats/trace/codes.hpp"
#include "formats/trace/head.hpp"
#include "formats/trace/mcap_layout.hpp"
#include "formats/trace/part_feed.hpp"
#include "formats/trace/read.hpp"

namespace simbatch::trace {
namespace {

using namespace detail;

constexpr std::size_t kMaxRatio = 1024, kFree = std::size_t{64} << 20;  // memory limit of the values, by the file's size

[[noreturn]] void fail(std::size_t offset, std::string message) { throw mcap::ReadFault{offset, std::move(message)}; }

class McapReader {
 public:
  McapReader(std::string_view bytes, const std::string& name, PartFeed& feed) : bytes_(bytes), name_(name), feed_(feed) {}

  Parsed<Trace> read() {
    Parsed<Trace> result{std::nullopt, Diagnostics(name_)};
    try {
      mcap::Handlers handlers;
      handlers.schema = [this](std::uint16_t id, mcap::Schema schema) { schemas_[id] = std::move(schema); };
      handlers.channel = [this](std::uint16_t id, const mcap::Channel& channel) { open_channel(id, channel); };
      handlers.message = [this](const mcap::Message& message) { take(message); };
      handlers.attachment = [this](const mcap::Attachment& attachment) { read_end(attachment); };
      handlers.metadata = [this](const std::string& name, const mcap::Pairs& pairs) { read_header(name, pairs); };
      std::size_t released = 0;
      handlers.passed = [&](std::size_t at) {
        feed_.release(released, at - released);
        released = at;
      };
      ending_ = mcap::read(bytes_, handlers);
      if (failed_) return std::move(*failed_);
      if (!trace_) fail(0, "an MCAP file without the metadata \"simbatch\": not a trace");
      end_rows();
      if (feed_.by_parts()) feed_.hand_over(*trace_);
    } catch (const mcap::ReadFault& fault) {
      result.diagnostics.report(code::kMcap, {}, fault.message + " (at byte " + number_text(fault.offset) + ")");
      return result;
    } catch (const Stop&) {
      return std::move(*failed_);
    } catch (const Stopped&) {
      return result;
    }
    if (!trace_->end) result.diagnostics.report(code::kCut, {}, "the trace has no end: its run was killed or is still running");
    result.value = std::move(*trace_);
    return result;
  }
  const mcap::Ending& ending() const { return ending_; }

 private:
  struct Stop {};
  enum class Role { other, step, hash, poses, robot };
  struct Known {
    Role role = Role::other;
    std::size_t robot = 0;
  };

  /// An embedded document: its problems are reported for the file.
  Trace head(std::string_view text) {
    Parsed<Trace> parsed = read_head(text, name_);
    if (parsed.value) return std::move(*parsed.value);
    failed_ = std::move(parsed);
    throw Stop{};
  }

  void read_header(const std::string& name, const mcap::Pairs& pairs) {
    if (name != kMcapMetadata || trace_) return;
    const auto header = std::find_if(pairs.begin(), pairs.end(), [](const auto& pair) { return pair.first == kMcapHeader; });
    if (header == pairs.end()) fail(0, "the metadata \"simbatch\" has no header: not a trace");
    trace_ = head(header->second);
    trace_->hashes.clear();
    trace_->end.reset();
    layout_ = mcap_layout(trace_->header);
    const RowShape shape = row_shape(trace_->header);
    numbers_ = shape.numbers;
    texts_ = shape.texts;
    feed_.begin(*trace_);
  }

  void open_channel(std::uint16_t id, const mcap::Channel& channel) {
    if (!trace_) return;
    Known known;
    const auto is = [&](std::string_view topic, Role role, const auto& schema) {
      if (channel.topic != topic) return;
      const auto found = schemas_.find(channel.schema);
      if (found == schemas_.end() || found->second != schema() || channel.encoding != "protobuf")
        fail(0, "channel " + simbatch::quoted(channel.topic) + " has another schema than the header's devices give it");
      known.role = role;
    };
    is(kStepTopic, Role::step, step_schema);
    is(kHashTopic, Role::hash, hash_schema);
    if (!layout_.poses.empty()) is(kPoseTopic, Role::poses, transforms_schema);
    for (std::size_t i = next_robot_; i < layout_.robots.size() && known.role == Role::other; ++i) {
      is(layout_.robots[i].topic, Role::robot,
         [&]() -> const mcap::Schema& { return layout_.schemas[layout_.robots[i].schema]; });
      known.robot = i;
      if (known.role == Role::robot) next_robot_ = i + 1;
      break;  // channels are in the order of the robots
    }
    channels_[id] = known;
  }

  void take(const mcap::Message& message) {
    const auto known = channels_.find(message.channel);
    if (known == channels_.end() || known->second.role == Role::other) return;
    try {
      switch (known->second.role) {
        case Role::step: start_row(message); break;
        case Role::hash: add_hash(message); break;
        case Role::poses:
          if (!feed_.wants_rows()) break;
          see(layout_.robots.size(), message);
          read_poses(message);
          add_rows();
          break;
        case Role::robot:
          if (!feed_.wants_rows()) break;
          see(known->second.robot, message);
          read_message(layout_.robots[known->second.robot], 0, message.data);
          add_rows();
          break;
        case Role::other: break;
      }
    } catch (const protobuf::ReadFault& fault) {
      fail(message.offset, fault.message);
    }
  }

  // In a chunk the messages of a channel follow each other: rows are told apart by their sequence numbers, and complete in order.
  void start_row(const mcap::Message& message) {
    std::uint64_t step = 0;
    protobuf::Reader in(message.data);
    for (protobuf::Field field; in.next(field);)
      if (field.number == 1 && field.type == protobuf::kVarint) step = field.whole;
    if (step > static_cast<std::uint64_t>(kMaxSteps) || static_cast<std::int64_t>(step) <= last_step_)
      fail(message.offset, "step " + number_text(step) + " does not come after the one before it");
    last_step_ = static_cast<std::int64_t>(step);
    if (!feed_.wants_rows()) return feed_.count(last_step_);
    const std::size_t bytes = sizeof(double) * (1 + numbers_) + sizeof(std::string) * texts_;
    if (bytes > kMaxRatio * bytes_.size() + kFree - held_)
      fail(message.offset, "the values take more than " + number_text(kMaxRatio) + " times the file's size");
    held_ += bytes;
    if (!rows_.empty() && rows_.rbegin()->first >= message.sequence)
      fail(message.offset, "step " + number_text(step) + " has a sequence number that does not come after the one before it");
    Row& row = rows_[message.sequence];
    row = {last_step_,
           message.offset,
           std::vector<double>(numbers_),
           std::vector<std::string>(texts_),
           std::vector<bool>(layout_.robots.size() + 1),
           layout_.robots.size() + (layout_.poses.empty() ? 0 : 1)};
    add_rows();
  }

  /// The rows whose messages are all there go to the columns.
  void add_rows() {
    for (; !rows_.empty() && rows_.begin()->second.missing == 0; rows_.erase(rows_.begin())) {
      Row& row = rows_.begin()->second;
      feed_.count(row.step);
      if (!feed_.wants(row.step)) continue;
      trace_->steps.push_back(row.step);
      std::size_t n = 0, t = 0;
      for (std::size_t d = 0; d < trace_->columns.size(); ++d)
        for (std::size_t f = 0; f < trace_->columns[d].size(); ++f) {
          Column& column = trace_->columns[d][f];
          if (trace_->header.devices[d].fields[f].type == FieldType::text)
            column.texts.push_back(std::move(row.texts[t++]));
          else
            column.numbers.push_back(row.numbers[n++]);
        }
      feed_.added(*trace_);
    }
  }

  /// Of a file that was cut, rows that lack messages are dropped.
  void end_rows() const {
    if (!ending_.whole || rows_.empty()) return;
    const Row& row = rows_.begin()->second;
    fail(row.offset, "step " + number_text(row.step) + " lacks the message of a channel");
  }

  void see(std::size_t channel, const mcap::Message& message) {
    const auto row = rows_.find(message.sequence);
    if (row == rows_.end()) fail(message.offset, "a message without the step before it that has its sequence number");
    row_ = &row->second;
    if (row_->seen[channel]) fail(message.offset, "two messages of a channel in step " + number_text(row_->step));
    row_->seen[channel] = true;
    --row_->missing;
  }

  void add_hash(const mcap::Message& message) {
    HashPoint point;
    protobuf::Reader in(message.data);
    for (protobuf::Field field; in.next(field);) {
      if (field.number == 1 && field.type == protobuf::kVarint)
        point.step = static_cast<std::int64_t>(std::min<std::uint64_t>(field.whole, kMaxSteps));
      if (field.number != 2 || field.type != protobuf::kBytes) continue;
      const auto hash = parse_hex64(field.bytes);
      if (!hash) fail(message.offset, "a state hash is not of 16 hexadecimal digits");
      point.hash = *hash;
    }
    trace_->hashes.push_back(point);
  }

  void read_message(const RobotMessage& robot, std::size_t message, std::string_view bytes) {
    const std::vector<MessageField>& fields = robot.messages[message].fields;
    protobuf::Reader in(bytes);
    for (protobuf::Field field; in.next(field);) {
      const std::size_t index = field_index(field.number);
      if (index >= fields.size()) throw protobuf::ReadFault{0, "a message has a field that its schema does not"};
      const MessageField& known = fields[index];
      const bool number = known.kind == MessageField::Kind::number;
      if (field.type != (number ? protobuf::kEight : protobuf::kBytes))
        throw protobuf::ReadFault{0, "a field is of another type than its schema says"};
      switch (known.kind) {
        case MessageField::Kind::number: set(known.place, field.real()); break;
        case MessageField::Kind::text: row_->texts[known.place] = valid_utf8(field.bytes); break;
        case MessageField::Kind::message: read_message(robot, known.message, field.bytes); break;
        case MessageField::Kind::numbers: {
          if (field.bytes.size() != 8 * known.count)
            throw protobuf::ReadFault{0, "an array has another size than the header's devices"};
          for (std::size_t i = 0; i < known.count; ++i) set(known.place + i, number_at(field.bytes.substr(8 * i, 8)));
        }
      }
    }
  }

  static double number_at(std::string_view eight) {
    protobuf::Field field;
    field.whole = little_endian(eight);
    return field.real();
  }

  void set(std::size_t place, double value) {
    if (!std::isfinite(value)) throw protobuf::ReadFault{0, "a value is not finite"};
    row_->numbers[place] = value;
  }

  /// Transforms after those of the devices are of frames that the trace does not have.
  void read_poses(const mcap::Message& message) {
    std::size_t next = 0;
    protobuf::Reader in(message.data);
    for (protobuf::Field field; in.next(field);) {
      if (field.number != 1 || field.type != protobuf::kBytes)
        fail(message.offset, "the transforms are not those of the header's devices");
      if (next < layout_.poses.size()) read_pose(layout_.poses[next++], field.bytes, message.offset);
    }
    if (next != layout_.poses.size()) fail(message.offset, "the transforms are not those of the header's devices");
  }

  // As in the writer: y and z change places, and a quaternion's vector its sign.
  void read_pose(const PoseNode& pose, std::string_view bytes, std::size_t offset) {
    protobuf::Reader in(bytes);
    for (protobuf::Field field; in.next(field);) {
      if (field.type != protobuf::kBytes) fail(offset, "a transform has a field of another type");
      if (field.number == 3 && field.bytes != pose.name) fail(offset, "a transform is not of " + simbatch::quoted(pose.name));
      if (field.number != 4 && field.number != 5) continue;
      const bool turn = field.number == 5;
      constexpr std::size_t kPosition[] = {0, 2, 1}, kRotation[] = {4, 6, 5, 3};
      protobuf::Reader inner(field.bytes);
      for (protobuf::Field value; inner.next(value);) {
        if (value.number > (turn ? 4u : 3u) || value.type != protobuf::kEight)
          fail(offset, "a transform has a field of another type");
        if (!turn)
          set(pose.place + kPosition[value.number - 1], value.real());
        else
          set(pose.place + kRotation[value.number - 1], value.number == 4 ? value.real() : negated(value.real()));
      }
    }
  }

  void read_end(const mcap::Attachment& attachment) {
    if (attachment.name != kMcapAttachment || !trace_) return;
    Trace document = head(attachment.data);
    if (document.header != trace_->header) fail(0, "the attachment \"trace.json\" has another header than the metadata");
    trace_->hashes = std::move(document.hashes);
    trace_->end = std::move(document.end);
  }

  std::string_view bytes_;
  const std::string& name_;
  PartFeed& feed_;
  mcap::Ending ending_;
  std::optional<Trace> trace_;
  std::optional<Parsed<Trace>> failed_;
  McapLayout layout_;
  std::map<std::uint16_t, mcap::Schema> schemas_;
  std::map<std::uint16_t, Known> channels_;
  std::size_t next_robot_ = 0;
  struct Row {
    std::int64_t step = 0;
    std::size_t offset = 0;
    std::vector<double> numbers;
    std::vector<std::string> texts;
    std::vector<bool> seen;   // by robot; the last is of the poses
    std::size_t missing = 0;  // channels
  };
  std::size_t numbers_ = 0, texts_ = 0, held_ = 0;  // of a row; bytes of all values
  std::int64_t last_step_ = -1;
  std::map<std::uint32_t, Row> rows_;  // whose messages are not all there, by sequence number
  Row* row_ = nullptr;                 // of the message that is read
};

}  // namespace

Parsed<Trace> read_mcap(std::string_view bytes, const std::string& file_name) {
  PartFeed feed(nullptr);
  return McapReader(bytes, file_name, feed).read();
}

PartsRead mcap_parts(std::string_view bytes, const std::string& file_name, PartReceiver& receiver,
                     const ReleaseBytes& release) {
  PartFeed feed(&receiver, release);
  McapReader reader(bytes, file_name, feed);
  PartsRead result{reader.read(), Format::mcap};
  result.extent = feed.extent();
  const mcap::Ending& ending = reader.ending();
  if (ending.whole && ending.summary) return result;
  result.cut = fmt::format("{}; {} whole chunk{}", ending.whole ? "no summary" : "no end of the data, no summary",
                           ending.chunks, ending.chunks == 1 ? "" : "s");
  return result;
}

}  // namespace simbatch::trace
