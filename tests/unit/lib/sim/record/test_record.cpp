#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "base/core/input.hpp"
#include "formats/trace/collect.hpp"
#include "formats/trace/write.hpp"
#include "lib/sim/device/body_table.hpp"
#include "lib/sim/record/codes.hpp"
#include "lib/sim/record/recorded_trace.hpp"
#include "lib/sim/record/recorder.hpp"
#include "lib/sim/record/recording.hpp"
#include "lib/sim/record/run.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::sim;

namespace {

// Two balls that fall on a plane and roll into each other.
std::unique_ptr<Simulation> balls(double height = 2, int more_nodes = 0) {
  SimulationSettings settings;
  settings.physics.dt = 1.0 / 240;
  auto simulation = std::make_unique<Simulation>(settings);
  simulation->world().add_terrain(physics::HeightGrid{2, 2, 100, -50, -50, {0, 0, 0, 0}});
  auto table = std::make_unique<BodyTable>(*simulation);
  Diagnostics problems;
  for (const char* name : {"left", "right"}) {
    TreeNode* node = simulation->tree().register_child(
        std::make_unique<TreeNode>(name, make_type("Sphere", BodyTable::pose_fields())), problems);
    physics::BodySettings body;
    body.name = name;
    body.parts.push_back({physics::Sphere{0.5}, {}});
    body.pose.p = {name[0] == 'l' ? -0.3 : 0.3, height, 0};
    table->add(simulation->world().add_body(body), *node);
  }
  for (int i = 0; i < more_nodes; ++i)
    simulation->tree().register_child(std::make_unique<TreeNode>("n" + std::to_string(i), make_type("X", {{"v", "1", ""}})),
                                      problems);
  simulation->add(std::move(table));
  return simulation;
}

trace::Trace traced(Simulation& simulation, const RunPlan& plan, const std::vector<std::string>& patterns = {}) {
  trace::Header header = trace_header(simulation, plan);
  RunOutputs outputs;
  outputs.nodes = traced_nodes(simulation.tree(), patterns);
  header.devices = trace_devices(outputs.nodes);
  trace::Collector collector(header);
  outputs.writer = &collector;
  collector.finish(run_simulation(simulation, plan, outputs, [](std::int64_t) { return true; }));
  return std::move(collector.trace());
}

}  // namespace

TEST_CASE("run: exactly N steps, a row for step 0 and each M steps, hashes on their own beat") {
  for (const std::int64_t steps : {0, 1, 99, 100, 101}) {
    CAPTURE(steps);
    const auto simulation = balls();
    const trace::Trace trace = traced(*simulation, {steps, 10, 25});
    CHECK(trace.end->steps == steps);
    CHECK(trace.end->outcome == "complete");
    CHECK(static_cast<std::int64_t>(trace.steps.size()) == steps / 10 + 1);
    CHECK(static_cast<std::int64_t>(trace.hashes.size()) == steps / 25 + 1);
    CHECK(simulation->clock().step == steps);
    CHECK(trace.end->time == static_cast<double>(steps) / 240);
  }
}

TEST_CASE("run: patterns choose nodes, and their columns are the same as in the whole trace") {
  const trace::Trace all = traced(*balls(), {50, 1, 0});
  const trace::Trace right = traced(*balls(), {50, 1, 0}, {"ri*"});
  REQUIRE(right.columns.size() == 1);
  CHECK(right.columns[0] == all.columns[1]);
}

namespace {

/// A node with a text, which needs no node if `late`.
class TextNode final : public TreeNode {
 public:
  TextNode(std::string name, bool late)
      : TreeNode(std::move(name), make_type("Text", {{"v", "1", ""}, {"t", "", "", FieldType::text}, {"w", "1", ""}})),
        late_(late) {}
  void text(std::size_t, std::span<const double> values, std::string& out) const override { write(values, out); }
  TextMaker text_maker(std::size_t) const override { return late_ ? &write : TextMaker(); }

 private:
  static void write(std::span<const double> values, std::string& out) {
    out += std::to_string(values[0]) + " and " + std::to_string(values[1]);
  }
  bool late_;
};

/// Makes texts itself.
class LateWriter final : public trace::Writer {
 public:
  void row(std::int64_t, std::span<const double> numbers, std::span<const std::string_view> texts) override {
    last.assign(numbers.begin(), numbers.end());
    given = texts.size();
  }
  void hash(trace::HashPoint) override {}
  void finish(const trace::End&) override {}
  bool make_texts(const trace::TextMaker& wanted) override {
    maker = wanted;
    return true;
  }
  std::vector<double> last;
  std::size_t given = 0;
  trace::TextMaker maker;
};

}  // namespace

TEST_CASE("rows: a writer makes the texts itself if none of them needs its node") {
  for (const bool late : {true, false}) {
    CAPTURE(late);
    LateWriter writer;
    {
      SimulationTree tree;
      Diagnostics problems;
      tree.register_child(std::make_unique<TextNode>("first", true), problems);
      TreeNode* second = tree.register_child(std::make_unique<TextNode>("second", late), problems);
      second->values()[0] = 3;
      second->values()[1] = 4;
      RowGatherer gatherer(tree, traced_nodes(tree, {}));
      gatherer.leave_texts_to(writer);
      gatherer.gather();
      writer.row(0, gatherer.numbers(), gatherer.texts());
      if (!late) {
        CHECK(gatherer.texts()[1] == "3.000000 and 4.000000");
      }
    }  // the nodes are gone
    CHECK(writer.given == (late ? 0U : 2U));
    CHECK(static_cast<bool>(writer.maker) == late);
    std::string text;
    if (late) writer.maker(writer.last, 1, text);
    CHECK(text == (late ? "3.000000 and 4.000000" : ""));
  }
}

TEST_CASE("run: two worlds of one process repeat each other bit for bit, and the hash sees every step") {
  const auto a = balls(), b = balls(), other = balls(2.0000001);
  CHECK(traced(*a, {600, 1, 1}) == traced(*b, {600, 1, 1}));
  traced(*other, {600, 1, 1});
  CHECK(a->state_hash() != other->state_hash());
}

TEST_CASE("run: a world that blows up ends with the first object and step") {
  SUBCASE("a body that is not a number") {
    const auto simulation = balls();
    simulation->start();
    simulation->world().set_pose(simulation->world().find_body("right"), {{20, 2, 0}, {}});  // away from the other
    simulation->world().set_velocity(simulation->world().find_body("right"), {0, 0, std::nan("")}, {});
    const trace::Trace trace = traced(*simulation, {100, 1, 0});
    CHECK(trace.end->outcome == "failed");
    REQUIRE(simulation->failure());
    CHECK(simulation->failure()->object == "right");
    CHECK(simulation->failure()->step == 1);
    CHECK_FALSE(simulation->step());
    CHECK(simulation->clock().step == 1);
  }
  SUBCASE("a body more than a kilometer under the ground") {
    const auto simulation = balls();
    simulation->world().set_pose(simulation->world().find_body("left"), {{200, -999, 0}, {}});
    const trace::Trace trace = traced(*simulation, {1000, 1, 0});
    REQUIRE(simulation->failure());
    CHECK(simulation->failure()->object == "left");
    CHECK(simulation->failure()->message.find("more than 1000 m below") != std::string::npos);
    // s = g t^2 / 2: 1 m takes 0.4515 s, 108.4 steps.
    CHECK(simulation->failure()->step == 108);
  }
  SUBCASE("a value of a node that is not a number") {
    const auto simulation = balls(2, 1);
    simulation->start();
    simulation->tree().find("n0")->values()[0] = std::nan("");
    CHECK_FALSE(simulation->step());
    CHECK(simulation->failure()->object == "n0.v");
  }
}

TEST_CASE("recording: frames read back into a tree of the same scenario") {
  const test::TemporaryFolder folder;
  const auto simulation = balls();
  RunOutputs outputs;
  RecordingWriter writer(folder.file("r.bin"), simulation->tree(), {"balls.xml", 1, 1.0 / 240, 5, 0, 0});
  outputs.recording = &writer;
  run_simulation(*simulation, {50, 5, 0}, outputs, [](std::int64_t) { return true; });
  writer.finish();
  const std::string bytes = test::read_text(folder.file("r.bin"));
  const auto recording = read_recording(bytes, "r.bin");
  REQUIRE_MESSAGE(recording.value, test::all_text(recording.diagnostics));
  CHECK(recording.value->frames == 11);
  CHECK(recording.value->header.scenario == "balls.xml");
  CHECK(recording.value->header.frame_bytes == 2 * 7 * 8);
  const auto again = balls();
  CHECK(tree_fingerprint(again->tree()) == recording.value->header.tree);
  CHECK(tree_fingerprint(balls(2, 1)->tree()) != recording.value->header.tree);  // what dump reports as sim-recording-tree
  std::string stream;  // the plan of the writer gives what the tree itself gives
  BitWriter out(stream);
  simulation->tree().to_bit_stream(out);
  CHECK(recording.value->frame(10) == stream);
  BitReader in(recording.value->frame(10));
  CHECK(again->tree().from_bit_stream(in));
  CHECK(again->tree().printed() == simulation->tree().printed());
  CHECK(tree_json(again->tree()) == tree_json(simulation->tree()));
  // Truncated anywhere, or damaged: reported.
  test::for_every_prefix(bytes, [&](std::string_view cut) {
    if (cut.size() == bytes.size()) return;
    const auto read = read_recording(cut, "r.bin");
    REQUIRE_FALSE(read.value);
    REQUIRE(read.diagnostics.items().size() == 1);
    REQUIRE(read.diagnostics.items()[0].code == record_code::kFormat.name);
  });
  for (std::uint64_t seed = 0; seed < 2000; ++seed) (void)read_recording(test::mutated(bytes, seed), "m");
}

TEST_CASE("recording: of chosen nodes only, whose patterns it knows") {
  const test::TemporaryFolder folder;
  const auto simulation = balls();
  RunOutputs outputs;
  RecordingWriter writer(folder.file("r.bin"), simulation->tree(), {"balls.xml", 1, 1.0 / 240, 5, 0, 0, {"ri*", "none"}});
  outputs.recording = &writer;
  run_simulation(*simulation, {50, 5, 0}, outputs, [](std::int64_t) { return true; });
  writer.finish();
  const std::string bytes = test::read_text(folder.file("r.bin"));
  const auto recording = read_recording(bytes, "r.bin");
  REQUIRE_MESSAGE(recording.value, test::all_text(recording.diagnostics));
  CHECK(recording.value->header.devices == std::vector<std::string>{"ri*", "none"});
  CHECK(recording.value->header.frame_bytes == 7 * 8);
  const auto again = balls();
  const auto nodes = recorded_nodes(again->tree(), recording.value->header.devices);
  REQUIRE(nodes.size() == 1);
  CHECK(tree_fingerprint(again->tree(), recording.value->header.devices) == recording.value->header.tree);
  CHECK(tree_fingerprint(again->tree()) != recording.value->header.tree);
  REQUIRE(restore_frame(recording.value->frame(10), again->tree(), nodes));
  CHECK(nodes_json(nodes) == nodes_json(recorded_nodes(simulation->tree(), {"ri*"})));
  CHECK_FALSE(restore_frame(recording.value->frame(10).substr(1), again->tree(), nodes));
  CHECK_FALSE(restore_frame(recording.value->frame(10), again->tree(), recorded_nodes(again->tree(), {})));
  test::for_every_prefix(bytes, [&](std::string_view cut) {
    if (cut.size() != bytes.size()) CHECK_FALSE(read_recording(cut, "r.bin").value);
  });
  for (std::uint64_t seed = 0; seed < 2000; ++seed) (void)read_recording(test::mutated(bytes, seed), "m");
}

namespace {

// A recording as its layout is documented, whatever its numbers say.
std::string recording_of(double dt, std::uint64_t every, std::uint64_t frame_bytes, std::uint64_t frames, std::string_view data,
                         std::optional<std::uint64_t> complement = std::nullopt) {
  std::string bytes = "SBREC001";
  BitWriter out(bytes);
  out.text("s.xml");
  out.integer(7);
  out.number(dt);
  out.integer(every);
  out.integer(0x1234);
  out.integer(frame_bytes);
  bytes += data;
  out.integer(frames);
  out.integer(complement.value_or(~frames));
  return bytes + "SBRECEND";
}

}  // namespace

TEST_CASE("recording: numbers of the header and of the end that fit nothing are refused, each with its reason") {
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max(), kSteps = std::uint64_t{1} << 52;
  const std::string two(16, 'x');
  const std::string bytes_of_good = recording_of(0.01, 5, 8, 2, two);  // the frames are views of it
  const auto good = read_recording(bytes_of_good, "r");
  REQUIRE_MESSAGE(good.value, test::all_text(good.diagnostics));
  CHECK(good.value->header.seed == 7);
  CHECK(good.value->header.tree == 0x1234);
  CHECK(good.value->frame(1) == two.substr(8));
  for (const auto& [bytes, says] : {
           std::pair{recording_of(0, 5, 8, 2, two), "step or interval is out of range"},
           {recording_of(std::nan(""), 5, 8, 2, two), "step or interval is out of range"},
           {recording_of(0.01, 0, 8, 2, two), "step or interval is out of range"},
           {recording_of(0.01, std::uint64_t{1} << 63, 8, 2, two), "step or interval is out of range"},
           {recording_of(0.01, 5, 8, 3, two), "does not fit its number of frames"},
           {recording_of(0.01, 5, 8, (kMax >> 3) + 3, two), "does not fit its number of frames"},
           {recording_of(0.01, 5, 7, 2, two), "does not fit its number of frames"},
           {recording_of(0.01, 5, kMax, 2, two), "does not fit its number of frames"},
           {recording_of(0.01, 5, 0, 2, two), "does not fit its number of frames"},
           {recording_of(0.01, 5, 8, 2, two, 2), "its end is missing"},
           // Frames without bytes: any number of them fits, so the last step bounds it.
           {recording_of(0.01, 1, 0, kMax, ""), "number of frames is out of range"},
           {recording_of(0.01, 1, 0, kSteps + 2, ""), "number of frames is out of range"},
           {recording_of(0.01, kSteps, 0, 3, ""), "number of frames is out of range"},
           {recording_of(0.01, kMax >> 1, 8, 2, two), "number of frames is out of range"},
       }) {
    const auto read = read_recording(bytes, "r");
    CAPTURE(test::all_text(read.diagnostics));
    CHECK_FALSE(read.value);
    REQUIRE(read.diagnostics.items().size() == 1);
    CHECK(read.diagnostics.items()[0].code == record_code::kFormat.name);
    CHECK(read.diagnostics.items()[0].message.find(says) != std::string::npos);
  }
  // What is at the very end of the range is read.
  for (const auto& [every, frames] : {std::pair{std::uint64_t{1}, kSteps + 1}, {kSteps, 2}, {kMax >> 1, 1}, {1, 0}}) {
    const auto read = read_recording(recording_of(0.01, every, 0, frames, ""), "r");
    REQUIRE(read.value);
    CHECK(read.value->frames == frames);
    CHECK(read.value->frame(frames / 2).empty());
  }
}

namespace {

struct Described {
  std::string bytes;
  trace::Trace trace;  // of the same run
};

// A run of two balls, recorded with what it is.
Described described_recording(const std::vector<std::string>& patterns = {}) {
  const test::TemporaryFolder folder;
  const auto simulation = balls();
  const RunPlan plan{50, 5, 10};
  trace::Header header = trace_header(*simulation, plan);
  header.scenario = "balls.xml";
  header.inputs = {{"balls.xml", "0123456789abcdef"}};
  RunOutputs outputs;
  RecordingWriter writer(folder.file("r.bin"), simulation->tree(), {"balls.xml", header.seed, header.dt, 5, 0, 0, patterns},
                         header);
  outputs.recording = &writer;
  outputs.nodes = traced_nodes(simulation->tree(), patterns);
  header.devices = trace_devices(outputs.nodes);
  trace::Collector collector(header);
  outputs.writer = &collector;
  const trace::End end = run_simulation(*simulation, plan, outputs, [](std::int64_t) { return true; });
  collector.finish(end);
  writer.finish(end);
  return {test::read_text(folder.file("r.bin")), std::move(collector.trace())};
}

}  // namespace

TEST_CASE("recording: one that says what it is, is the trace of its run") {
  for (const std::vector<std::string>& patterns : {std::vector<std::string>{}, {"ri*"}, {"none"}}) {
    const Described run = described_recording(patterns);
    const auto recording = read_recording(run.bytes, "r.bin");
    REQUIRE_MESSAGE(recording.value, test::all_text(recording.diagnostics));
    REQUIRE(recording.value->description);
    CHECK(is_recording(run.bytes));
    CHECK(recording.value->header.devices == patterns);
    auto trace = trace_of(*recording.value, "r.bin");
    REQUIRE_MESSAGE(trace.value, test::all_text(trace.diagnostics));
    if (patterns == std::vector<std::string>{"none"}) {
      CHECK(trace.value->steps.empty());
      continue;
    }
    CHECK(trace::to_json(*trace.value) == trace::to_json(run.trace));
    // A range of steps: the frames in it.
    trace = trace_of(*recording.value, "r.bin", 11, 30);
    CHECK(trace.value->steps == std::vector<std::int64_t>{15, 20, 25, 30});
    CHECK(trace.value->columns[0][1].numbers[0] == run.trace.columns[0][1].numbers[3]);
    CHECK(trace_of(*recording.value, "r.bin", 46, 1000).value->steps == std::vector<std::int64_t>{50});
    CHECK(trace_of(*recording.value, "r.bin", 51).value->steps.empty());
    CHECK(trace_of(*recording.value, "r.bin", 0, -1).value->steps.empty());
    // And the tree takes its frames as before.
    const auto again = balls();
    CHECK(restore_frame(recording.value->frame(10), again->tree(), recorded_nodes(again->tree(), patterns)));
    CHECK(row_json(trace_of(*recording.value, "r.bin", 50, 50).value.value(), 0) ==
          nodes_json(recorded_nodes(again->tree(), patterns)));
  }
}

TEST_CASE("recording: part by part it is the same trace, and only frames that are wanted are read") {
  const Described run = described_recording();
  const auto recording = read_recording(run.bytes, "r.bin");
  REQUIRE(recording.value);
  class Parts final : public trace::PartReceiver {
   public:
    explicit Parts(std::optional<trace::StepRange> wanted) : wanted_(wanted) {}
    std::optional<trace::StepRange> begin(const trace::Trace& head) override {
      CHECK(head.steps.empty());
      return wanted_;
    }
    void rows(const trace::Trace& part) override { parts.push_back(part); }
    std::vector<trace::Trace> parts;

   private:
    std::optional<trace::StepRange> wanted_;
  };
  std::size_t released = 0;
  const trace::ReleaseBytes release = [&](std::size_t from, std::size_t bytes) {
    CHECK(from == released);
    released += bytes;
  };
  Parts all(trace::StepRange{});
  const trace::PartsRead read = trace_parts(*recording.value, "r.bin", all, release);
  REQUIRE(read.trace.value);
  CHECK(read.extent.rows == 11);
  CHECK(read.extent.last == 50);
  CHECK(read.trace.value->steps.empty());
  REQUIRE(all.parts.size() == 1);
  CHECK(trace::to_json(all.parts[0]) == trace::to_json(run.trace));
  CHECK(released == 11 * recording.value->header.frame_bytes);
  Parts some(trace::StepRange{11, 30});
  CHECK(trace_parts(*recording.value, "r.bin", some).extent.rows == 11);
  REQUIRE(some.parts.size() == 1);
  CHECK(some.parts[0].steps == std::vector<std::int64_t>{15, 20, 25, 30});
  Parts none(trace::kNoSteps), beyond(trace::StepRange{51, INT64_MAX}), stopping(std::nullopt);
  CHECK(trace_parts(*recording.value, "r.bin", none).trace.value);
  CHECK(trace_parts(*recording.value, "r.bin", beyond).trace.value);
  CHECK(!trace_parts(*recording.value, "r.bin", stopping).trace.value);
  CHECK(none.parts.size() + beyond.parts.size() + stopping.parts.size() == 0);
}

TEST_CASE("recording: a description that does not fit, or was cut, is refused") {
  const std::string bytes = described_recording().bytes;
  test::for_every_prefix(bytes, [&](std::string_view cut) {
    if (cut.size() != bytes.size()) CHECK_FALSE(read_recording(cut, "r.bin").value);
  });
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const std::string changed = test::mutated(bytes, seed);
    const auto read = read_recording(changed, "m");
    if (read.value && read.value->description) (void)trace_of(*read.value, "m");
  }
  const auto says = [&](std::string_view from, std::string_view to, const char* what) {
    std::string changed = bytes;
    const std::size_t at = changed.find(from);
    REQUIRE(at != std::string::npos);
    REQUIRE(from.size() == to.size());
    changed.replace(at, from.size(), to);
    const auto read = read_recording(changed, "r");
    CHECK_FALSE(read.value);
    REQUIRE(!read.diagnostics.items().empty());
    CHECK(read.diagnostics.items()[0].message.find(what) != std::string::npos);
  };
  says("\"every\":5,", "\"every\":6,", "another step, interval or seed");
  says("\"name\":\"qz\"", "\"name\":\"qy\"", "two fields");
}

TEST_CASE("recording: nothing appears before finish") {
  const test::TemporaryFolder folder;
  const auto simulation = balls();
  {
    RecordingWriter writer(folder.file("r.bin"), simulation->tree(), {"balls.xml", 1, 1.0 / 240, 1, 0, 0});
    writer.frame();
  }
  CHECK(folder.names().empty());
  CHECK_THROWS_AS(RecordingWriter(folder.file("absent/r.bin"), simulation->tree(), {}), IoError);
}
