// Layout: "SBREC001", then the header (bit stream of its fields; text zero-terminated), then the frames, then the number of
// frames, its complement and "SBRECEND". A recording of chosen nodes starts with "SBREC002", and its header ends with the
// number of patterns and the patterns. The end distinguishes a complete recording from a truncated one. "SBREC003" starts like
// "SBREC002", with any number of patterns; after its frames come, for each device of its description, the place of the first
// number in a frame, then the description (formats/trace/head.hpp), then the number of devices and the bytes of the description.

#include "lib/sim/record/recording.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/core/hash.hpp"
#include "base/core/number.hpp"
#include "formats/trace/head.hpp"
#include "lib/sim/record/codes.hpp"
#include "lib/sim/record/recorder.hpp"

namespace simbatch::sim {
namespace {
constexpr std::string_view kMagic = "SBREC001", kMagicChosen = "SBREC002", kMagicDescribed = "SBREC003";
constexpr std::uint64_t kMaxPatterns = 10'000;
constexpr std::int64_t kLastStep = std::int64_t{1} << 52;  // of any run: every step has an exact time
constexpr std::string_view kEnd = "SBRECEND";
constexpr std::size_t kTail = 24;

void append_json_text(std::string& out, std::string_view text) {
  // Node names are valid UTF-8 without control characters; texts of devices are ASCII.
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  out += '"';
}

/// Takes the description off the end of what follows the header; empty after a problem.
std::optional<RecordingDescription> take_description(std::string_view& data, const std::string& file_name,
                                                     Diagnostics& diagnostics) {
  constexpr std::size_t kCounts = 16, kPlace = 8;
  std::uint64_t devices = 0, bytes = 0;
  if (data.size() >= kCounts) {
    BitReader counts(data.substr(data.size() - kCounts));
    counts.integer(devices);
    counts.integer(bytes);
    data.remove_suffix(kCounts);
  }
  if (bytes == 0 || bytes > data.size() || devices > (data.size() - bytes) / kPlace) {
    diagnostics.report(record_code::kFormat, {}, "the recording's description is longer than the recording");
    return std::nullopt;
  }
  Parsed<trace::Trace> head = trace::read_head(data.substr(data.size() - bytes), file_name);
  if (!head.value) {
    diagnostics.append(std::move(head.diagnostics));
    return std::nullopt;
  }
  data.remove_suffix(bytes);
  RecordingDescription description{std::move(*head.value), {}};
  BitReader places(data.substr(data.size() - kPlace * devices));
  for (std::uint64_t i = 0; i < devices; ++i) places.integer(description.places.emplace_back());
  data.remove_suffix(kPlace * devices);
  return description;
}

/// Why a description is not that of the recording; empty if it is.
std::string misfit(const RecordingHeader& header, const RecordingDescription& description) {
  const trace::Header& head = description.head.header;
  if (head.dt != header.dt || head.every != header.every || head.seed != header.seed)
    return "the recording's description has another step, interval or seed than its header";
  if (description.places.size() != head.devices.size()) return "the recording's description has another number of devices";
  std::uint64_t left = header.frame_bytes / sizeof(double);
  const std::uint64_t numbers = left;
  for (std::size_t d = 0; d < head.devices.size(); ++d) {
    std::uint64_t count = 0, texts = 0;
    for (const trace::Field& field : head.devices[d].fields) ++(field.type == trace::FieldType::text ? texts : count);
    // Texts are made from numbers, and no two devices share numbers: a small file cannot claim many values.
    if (count > left || texts > count || description.places[d] > numbers - count)
      return "a frame has no place for " + quoted(head.devices[d].name);
    left -= count;
  }
  return {};
}
}  // namespace

std::vector<const TreeNode*> recorded_nodes(const SimulationTree& tree, const std::vector<std::string>& patterns) {
  std::vector<const TreeNode*> nodes;
  tree.visit([&](const TreeNode& node) {
    if (node.name().empty() || !tree.is_state(node)) return;  // the root; what only shows
    if (is_chosen(patterns, node.name())) nodes.push_back(&node);
  });
  return nodes;
}

std::uint64_t tree_fingerprint(const SimulationTree& tree, const std::vector<std::string>& patterns) {
  StateHash hash;
  const auto text = [&hash](std::string_view part) {
    hash.add(static_cast<std::uint64_t>(part.size()));
    hash.add(part);
  };
  const auto add = [&](const TreeNode& node) {
    text(node.name());
    text(node.type().kind);
    for (const Field& field : node.type().fields) {
      text(field.name);
      text(field.unit);
      hash.add(static_cast<std::uint64_t>(field.type));
    }
  };
  add(tree);
  for (const TreeNode* node : recorded_nodes(tree, patterns)) add(*node);
  return hash.value();
}

RecordingWriter::RecordingWriter(const std::string& path, const SimulationTree& tree, RecordingHeader header,
                                 std::optional<trace::Header> description)
    : tree_(tree),
      file_(path),
      buffer_(description              ? kMagicDescribed
              : header.devices.empty() ? kMagic
                                       : kMagicChosen),
      description_(std::move(description)) {
  header.frame_bytes = 0;
  std::map<const TreeNode*, std::uint64_t> places;
  for (const TreeNode* node : recorded_nodes(tree, header.devices)) {
    const std::size_t count = node->type().numbers;
    places.emplace(node, header.frame_bytes / sizeof(double));
    if (count == 0) continue;
    header.frame_bytes += count * sizeof(double);
    if (!runs_.empty() && runs_.back().offset + runs_.back().count == node->values_offset())
      runs_.back().count += count;
    else
      runs_.push_back({node->values_offset(), count});
  }
  header.tree = tree_fingerprint(tree, header.devices);
  if (description_) {
    std::vector<const TreeNode*> nodes = traced_nodes(tree, header.devices);  // in a trace's order
    std::erase_if(nodes, [&](const TreeNode* node) { return !places.contains(node); });
    description_->devices = trace_devices(nodes);
    for (const TreeNode* node : nodes) places_.push_back(places.at(node));
  }
  BitWriter out(buffer_);
  out.text(header.scenario);
  out.integer(header.seed);
  out.number(header.dt);
  out.integer(static_cast<std::uint64_t>(header.every));
  out.integer(header.tree);
  out.integer(header.frame_bytes);
  if (description_ || !header.devices.empty()) out.integer(header.devices.size());
  for (const std::string& pattern : header.devices) out.text(pattern);
  file_.write(buffer_);
  buffer_.clear();
}

void RecordingWriter::frame() {
  BitWriter out(buffer_);
  for (const Run& run : runs_) out.numbers(tree_.bank().subspan(run.offset, run.count));
  ++frames_;
  if (buffer_.size() >= (std::size_t{1} << 16)) {
    file_.write(buffer_);
    buffer_.clear();
  }
}

void RecordingWriter::finish(const trace::End& end) {
  BitWriter out(buffer_);
  if (description_) {
    for (const std::uint64_t place : places_) out.integer(place);
    const std::string document = trace::head_document(*description_, hashes_, end);
    buffer_ += document;
    out.integer(places_.size());
    out.integer(document.size());
  }
  out.integer(frames_);
  out.integer(~frames_);
  buffer_ += kEnd;
  file_.write(buffer_);
  file_.commit();
}

bool is_recording(std::string_view bytes) {
  return bytes.starts_with(kMagic) || bytes.starts_with(kMagicChosen) || bytes.starts_with(kMagicDescribed);
}

Parsed<RecordingView> read_recording(std::string_view bytes, const std::string& file_name) {
  Parsed<RecordingView> result{std::nullopt, Diagnostics(file_name)};
  const auto fail = [&](std::string message) -> Parsed<RecordingView>& {
    result.diagnostics.report(record_code::kFormat, {}, std::move(message));
    return result;
  };
  const bool described = bytes.starts_with(kMagicDescribed), chosen = described || bytes.starts_with(kMagicChosen);
  if (!is_recording(bytes)) return fail("not a recording: it does not start with SBREC001, SBREC002 or SBREC003");
  BitReader in(bytes.substr(kMagic.size()));
  RecordingView view;
  std::uint64_t every = 0;
  bool whole = in.text(view.header.scenario) && in.integer(view.header.seed) && in.number(view.header.dt) &&
               in.integer(every) && in.integer(view.header.tree) && in.integer(view.header.frame_bytes);
  std::uint64_t patterns = 0;
  if (chosen && whole) whole = in.integer(patterns);
  if (patterns > kMaxPatterns) return fail("the header's number of patterns is out of range");
  for (std::uint64_t i = 0; i < patterns && whole; ++i) whole = in.text(view.header.devices.emplace_back());
  if (!whole || in.rest().size() < kTail) return fail("the recording is cut within its header");
  view.header.every = static_cast<std::int64_t>(every & 0x7fffffffffffffff);
  if (!(view.header.dt > 0) || view.header.every < 1) return fail("the header's step or interval is out of range");
  BitReader tail(in.rest().substr(in.rest().size() - kTail));
  std::uint64_t complement = 0;
  if (!tail.integer(view.frames) || !tail.integer(complement) || tail.rest() != kEnd || complement != ~view.frames)
    return fail("the recording is cut: its end is missing");
  view.data = in.rest().substr(0, in.rest().size() - kTail);
  if (described) {
    view.description = take_description(view.data, file_name, result.diagnostics);
    if (!view.description) return result;
    if (const std::string problem = misfit(view.header, *view.description); !problem.empty()) return fail(problem);
  }
  const std::uint64_t size = view.header.frame_bytes;
  if (size == 0 ? !view.data.empty() : view.data.size() % size != 0 || view.data.size() / size != view.frames)
    return fail("the recording's size does not fit its number of frames");
  if (view.frames > static_cast<std::uint64_t>(kLastStep / view.header.every) + 1)
    return fail("the recording's number of frames is out of range");
  result.value = view;
  return result;
}

bool restore_frame(std::string_view frame, SimulationTree& tree, const std::vector<const TreeNode*>& nodes) {
  BitReader in(frame);
  for (const TreeNode* node : nodes)
    if (!in.numbers(tree.find(node->name())->values())) return false;
  return in.rest().empty();
}

std::string nodes_json(const std::vector<const TreeNode*>& nodes) {
  std::string out = "{";
  bool first = true;
  for (const TreeNode* node : nodes) {
    out += first ? "\n" : ",\n";
    first = false;
    append_json_text(out, node->name());
    out += ":{\"kind\":";
    append_json_text(out, node->type().kind);
    out += ",\"values\":{";
    std::size_t next = 0;
    for (std::size_t i = 0; i < node->type().fields.size(); ++i) {
      const Field& field = node->type().fields[i];
      if (i > 0) out += ',';
      append_json_text(out, field.name);
      out += ':';
      if (field.type == FieldType::text) {
        std::string text;
        node->text(i, node->values(), text);
        append_json_text(out, text);
      } else {
        append_number(out, node->values()[next++]);
      }
    }
    out += "}}";
  }
  out += "\n}";
  return out;
}

}  // namespace simbatch::sim
