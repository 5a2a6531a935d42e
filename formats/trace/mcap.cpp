// MCAP: Foxglove's messages for what its viewers draw, a message like its tree for each robot, written while the run goes on
// (docs/formats/mcap.md).

#include <algorithm>
#include <array>
#include <limits>

#include "base/core/hash.hpp"
#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "base/mcap/write.hpp"
#include "base/protobuf/wire.hpp"
#include "formats/trace/head.hpp"
#include "formats/trace/json_text.hpp"
#include "formats/trace/mcap_layout.hpp"
#include "formats/trace/mcap_scene.hpp"
#include "formats/trace/mcap_sights.hpp"
#include "formats/trace/trace_file.hpp"
#include "formats/trace/writers.hpp"

namespace simbatch::trace::detail {
namespace {

// A chunk has many rows, since its first one does not pack well, but not too many bytes, which are lost when a run is killed.
constexpr std::size_t kChunkBytes = std::size_t{1} << 20, kMostBytes = std::size_t{8} << 20, kChunkRows = 256;
constexpr std::uint64_t kFixInterval = 100'000'000, kFixIntervalOfMany = 1'000'000'000;  // ns

/// A robot's message as a list of what to append.
class RobotProgram {
 public:
  explicit RobotProgram(const RobotMessage& robot) { compile(robot, 0); }

  /// @param parts  becomes where in `out` the parts begin that repeat from row to row
  void write(std::string& out, std::vector<std::uint32_t>& parts, std::span<const double> numbers,
             std::span<const std::string_view> texts) {
    using Kind = Part::Kind;
    parts.clear();
    protobuf::Writer message(out);
    char run[256];  // numbers that follow each other
    std::size_t used = 0;
    for (const Part& part : parts_) {
      if (part.kind == Kind::number) {
        char* to = std::copy(part.key.begin(), part.key.end(), run + used);
        to = std::copy_n(protobuf::Writer::Eight(numbers[part.place]).bytes, 8, to);
        used = static_cast<std::size_t>(to - run);
        if (used + kLongestNumber <= sizeof run) continue;
      }
      message.raw({run, used});
      used = 0;
      const auto begin_part = [&] { parts.push_back(static_cast<std::uint32_t>(out.size())); };
      switch (part.kind) {
        case Kind::number: break;
        case Kind::numbers: message.numbers(part.field, numbers.subspan(part.place, part.count)); break;
        case Kind::text:
          write_text(message, part.field, texts[part.place]);
          begin_part();
          break;
        case Kind::open:
          if (opened_.empty()) begin_part();
          opened_.push_back(message.open(part.field));
          break;
        case Kind::close:
          message.close(opened_.back());
          opened_.pop_back();
          break;
      }
    }
    message.raw({run, used});
  }

 private:
  static constexpr std::size_t kLongestNumber = 5 + 8;  // key and value

  static void write_text(protobuf::Writer& message, std::uint32_t field, std::string_view text) {
    if (find_invalid_utf8(text) == std::string_view::npos)
      message.text(field, text);
    else
      message.text(field, valid_utf8(text));
  }

  struct Part {
    enum class Kind { number, numbers, text, open, close } kind;
    std::uint32_t field = 0;
    std::string key = {};  // of a number
    std::size_t place = 0, count = 0;
  };

  /// The order on the wire is free. Times come first: they are what robots have in common in a row, and so is what follows
  /// each other there. The others in reverse: a measured value, whose first bytes change more often than those of the true one
  /// after it, is then followed by the heads of the next message, which do not.
  static std::vector<std::size_t> wire_order(const std::vector<MessageField>& fields) {
    std::vector<std::size_t> order;
    for (std::size_t f = fields.size(); f-- > 0;) order.push_back(f);
    std::stable_partition(order.begin(), order.end(), [&fields](std::size_t f) { return fields[f].seconds; });
    return order;
  }

  void compile(const RobotMessage& robot, std::size_t message) {
    const std::vector<MessageField>& fields = robot.messages[message].fields;
    for (const std::size_t f : wire_order(fields)) {
      const MessageField& field = fields[f];
      Part part{Part::Kind::number, field_number(f), {}, field.place, field.count};
      switch (field.kind) {
        case MessageField::Kind::number: protobuf::Writer(part.key).key(part.field, protobuf::kEight); break;
        case MessageField::Kind::numbers: part.kind = Part::Kind::numbers; break;
        case MessageField::Kind::text: part.kind = Part::Kind::text; break;
        case MessageField::Kind::message:
          part.kind = Part::Kind::open;
          parts_.push_back(part);
          compile(robot, field.message);
          part.kind = Part::Kind::close;
      }
      parts_.push_back(std::move(part));
    }
  }

  std::vector<Part> parts_;
  std::vector<std::size_t> opened_;
};

class McapWriter final : public Writer {
 public:
  McapWriter(const std::string& path, Header header, Lines lines, McapSights sights, Compression compression)
      : file_(path, lines),
        header_(std::move(header)),
        layout_(mcap_layout(header_)),
        transforms_(layout_.poses, sights),
        scene_(std::move(sights.scene)),
        paths_(std::move(sights.paths)),
        geojson_(valid_utf8(sights.geojson)),
        sensors_(sights, header_, transforms_),
        out_([this](std::string_view bytes) { file_.write(bytes); }, header_.generator,
             compression == Compression::zstd ? mcap::Compression::zstd : mcap::Compression::none) {
    std::erase_if(scene_, [this](const SceneModel& model) { return !transforms_.has(valid_utf8(model.frame)); });
    write_metadata();
    try {
      open_channels();
    } catch (const std::length_error& error) {
      throw IoError(path, std::string(error.what()) + ": too many robots; use Parquet, or --devices");
    }
  }

  void row(std::int64_t step, std::span<const double> numbers, std::span<const std::string_view> texts) override {
    const std::uint64_t time = mcap_time(step, header_.dt);
    message_.clear();
    protobuf::Writer(message_).whole(1, static_cast<std::uint64_t>(step));
    put(step_, time);
    if (rows_ == 0) write_scene(time);
    if (!transforms_.empty()) {
      message_.clear();
      transforms_.write(message_, parts_, time, rows_, numbers);
      put(poses_, time, parts_);
    }
    for (std::size_t i = 0; i < programs_.size(); ++i) {
      message_.clear();
      programs_[i].write(message_, parts_, numbers, texts);
      put(robots_[i], time, parts_);
    }
    for (std::size_t i = 0; i < layout_.fixes.size(); ++i) write_fix(i, time, numbers);
    sensors_.write(out_, step, time, static_cast<std::uint32_t>(rows_), numbers);
    ++rows_;
    ++chunk_rows_;
    if (out_.end_chunk(chunk_rows_ < kChunkRows ? kMostBytes : kChunkBytes)) chunk_rows_ = 0;
  }

  void hash(HashPoint point) override {
    message_.clear();
    protobuf::Writer out(message_);
    out.whole(1, static_cast<std::uint64_t>(point.step));
    out.text(2, hex64(point.hash));
    put(hash_, mcap_time(point.step, header_.dt));
    hashes_.push_back(point);
  }

  bool streams() const override { return true; }

  void finish(const End& end) override {
    log(end, end.outcome == "complete" ? kInfo : kError,
        end.outcome + " after " + number_text(end.steps) + " steps" + (end.message.empty() ? "" : ": " + end.message));
    for (const ExpectationOutcome& outcome : end.expectations)
      log(end,
          outcome.verdict == "holds"   ? kInfo
          : outcome.verdict == "fails" ? kError
                                       : kWarning,
          outcome.name + ": " + outcome.verdict);
    out_.attachment({std::string(kMcapAttachment), "application/json", head_document(header_, hashes_, end)});
    out_.finish();
    file_.finish();
  }

 private:
  enum Level { kInfo = 2, kWarning = 3, kError = 4 };

  /// Metadata at the start, so that a truncated file can be read.
  void write_metadata() {
    std::string document = "{";
    append_header(document, header_, "");
    document += '}';
    out_.metadata(std::string(kMcapMetadata), {{"scenario", valid_utf8(header_.scenario)},
                                               {"seed", number_text(header_.seed)},
                                               {"dt", number_text(header_.dt)},
                                               {"engine", valid_utf8(header_.engine)},
                                               {std::string(kMcapHeader), document}});
  }

  void open_channels() {
    const auto open = [this](mcap::Schema schema, std::string_view topic, mcap::Pairs metadata = {}) {
      const std::uint16_t id = out_.add_schema(std::move(schema));
      return out_.add_channel({id, std::string(topic), "protobuf", std::move(metadata)});
    };
    step_ = open(step_schema(), kStepTopic);
    hash_ = open(hash_schema(), kHashTopic);
    log_ = open(log_schema(), kLogTopic);
    if (has_scene()) scene_channel_ = open(scene_schema(), kSceneTopic);
    if (!geojson_.empty()) geojson_channel_ = open(geojson_schema(), kPathsTopic);
    if (!transforms_.empty())
      poses_ =
          open(transforms_schema(), kPoseTopic, {{"translation", "m, x east, y north, z up"}, {"rotation", "right-handed"}});
    std::vector<std::uint16_t> schemas;
    for (const mcap::Schema& schema : layout_.schemas) schemas.push_back(out_.add_schema(schema));
    for (const RobotMessage& robot : layout_.robots) {
      robots_.push_back(out_.add_channel({schemas[robot.schema], robot.topic, "protobuf", robot.units}));
      programs_.emplace_back(robot);
    }
    if (!layout_.fixes.empty()) {
      const std::uint16_t location = out_.add_schema(location_schema());
      for (const FixNode& fix : layout_.fixes)
        fixes_.push_back({out_.add_channel({location, fix.topic, "protobuf", {{"latitude", "deg"}, {"longitude", "deg"}}})});
    }
    sensors_.open(out_);
  }

  bool has_scene() const { return !scene_.empty() || !paths_.empty(); }

  void put(std::uint16_t channel, std::uint64_t time, std::span<const std::uint32_t> parts = {}) {
    out_.message(channel, time, static_cast<std::uint32_t>(rows_), message_, parts);
  }

  /// Once, with the first row.
  void write_scene(std::uint64_t time) {
    if (has_scene()) {
      message_ = scene_message(time, scene_, paths_);
      put(scene_channel_, time);
      scene_ = {};
    }
    if (!geojson_.empty()) {
      message_.clear();
      protobuf::Writer(message_).text(1, geojson_);
      put(geojson_channel_, time);
    }
  }

  /// Only when it changed, and no more often than a map needs: the exact values are in the robot's message.
  void write_fix(std::size_t i, std::uint64_t time, std::span<const double> numbers) {
    const FixNode& node = layout_.fixes[i];
    Fix& fix = fixes_[i];
    const double latitude = numbers[node.latitude], longitude = numbers[node.longitude];
    const std::uint64_t interval = fixes_.size() < kManyRobots ? kFixInterval : kFixIntervalOfMany;
    if (fix.written && ((fix.latitude == latitude && fix.longitude == longitude) || time - fix.time < interval)) return;
    fix = {fix.channel, true, latitude, longitude, time};
    message_.clear();
    protobuf::Writer out(message_);
    out.number(1, latitude);
    out.number(2, longitude);
    write_timestamp(out, 6, time);
    if (transforms_.has(node.frame)) out.text(7, node.frame);
    put(fix.channel, time);
  }

  void log(const End& end, Level level, const std::string& text) {
    const std::uint64_t time = mcap_time(end.steps, header_.dt);
    message_.clear();
    protobuf::Writer out(message_);
    write_timestamp(out, 1, time);
    out.whole(2, level);
    out.text(3, valid_utf8(text));
    out.text(4, "simrun");
    put(log_, time);
  }

  struct Fix {
    std::uint16_t channel = 0;
    bool written = false;
    double latitude = 0, longitude = 0;
    std::uint64_t time = 0;
  };

  TraceFile file_;
  Header header_;
  McapLayout layout_;
  Transforms transforms_;
  std::vector<SceneModel> scene_;  // until it is written
  std::vector<PathModel> paths_;
  std::string geojson_;
  SensorChannels sensors_;
  mcap::Writer out_;
  std::uint16_t step_ = 0, hash_ = 0, log_ = 0, poses_ = 0, scene_channel_ = 0, geojson_channel_ = 0;
  std::vector<std::uint16_t> robots_;
  std::vector<RobotProgram> programs_;
  std::vector<Fix> fixes_;
  std::vector<HashPoint> hashes_;
  std::string message_;
  std::vector<std::uint32_t> parts_;  // of the message
  std::uint64_t rows_ = 0, chunk_rows_ = 0;
};

}  // namespace

}  // namespace simbatch::trace::detail

namespace simbatch::trace {

std::unique_ptr<Writer> make_mcap_writer(const std::string& path, Header header, Lines lines, McapSights sights,
                                         Compression compression) {
  const RowShape shape = row_shape(header);
  return detail::make_threaded_writer(
      std::make_unique<detail::McapWriter>(path, std::move(header), lines, std::move(sights), compression), shape);
}

}  // namespace simbatch::trace
