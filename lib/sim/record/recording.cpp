// Layout: "SBREC001", then the header (bit stream of its fields; text zero-terminated), then the frames, then the number of
// frames, its complement and "SBRECEND". A recording of chosen nodes starts with "SBREC002", and its header ends with the
// number of patterns and the patterns. The end distinguishes a complete recording from a truncated one.

#include "lib/sim/record/recording.hpp"

#include "base/core/hash.hpp"
#include "base/core/number.hpp"
#include "lib/sim/record/codes.hpp"

namespace simbatch::sim {
namespace {
constexpr std::string_view kMagic = "SBREC001", kMagicChosen = "SBREC002";
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

RecordingWriter::RecordingWriter(const std::string& path, const SimulationTree& tree, RecordingHeader header)
    : tree_(tree), file_(path), buffer_(header.devices.empty() ? kMagic : kMagicChosen) {
  header.frame_bytes = 0;
  for (const TreeNode* node : recorded_nodes(tree, header.devices)) {
    const std::size_t count = node->type().numbers;
    if (count == 0) continue;
    header.frame_bytes += count * sizeof(double);
    if (!runs_.empty() && runs_.back().offset + runs_.back().count == node->values_offset())
      runs_.back().count += count;
    else
      runs_.push_back({node->values_offset(), count});
  }
  header.tree = tree_fingerprint(tree, header.devices);
  BitWriter out(buffer_);
  out.text(header.scenario);
  out.integer(header.seed);
  out.number(header.dt);
  out.integer(static_cast<std::uint64_t>(header.every));
  out.integer(header.tree);
  out.integer(header.frame_bytes);
  if (!header.devices.empty()) out.integer(header.devices.size());
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

void RecordingWriter::finish() {
  BitWriter out(buffer_);
  out.integer(frames_);
  out.integer(~frames_);
  buffer_ += kEnd;
  file_.write(buffer_);
  file_.commit();
}

Parsed<RecordingView> read_recording(std::string_view bytes, const std::string& file_name) {
  Parsed<RecordingView> result{std::nullopt, Diagnostics(file_name)};
  const auto fail = [&](std::string message) -> Parsed<RecordingView>& {
    result.diagnostics.report(record_code::kFormat, {}, std::move(message));
    return result;
  };
  const bool chosen = bytes.starts_with(kMagicChosen);
  if (!chosen && !bytes.starts_with(kMagic)) return fail("not a recording: it does not start with SBREC001 or SBREC002");
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
