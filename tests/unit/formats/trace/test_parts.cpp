// Traces read part by part: the same rows as of the whole, in every form, of every range.

#include <doctest/doctest.h>

#include <filesystem>

#include "base/core/atomic_file.hpp"
#include "formats/trace/parts.hpp"
#include "formats/trace/read.hpp"
#include "formats/trace/select.hpp"
#include "formats/trace/write.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/formats/trace/example.hpp"

using namespace simbatch;
using namespace simbatch::trace;
using simbatch::test::TemporaryFolder;

namespace {

/// Puts the parts together again.
class Gatherer final : public PartReceiver {
 public:
  explicit Gatherer(std::optional<StepRange> wanted = StepRange{}) : wanted_(wanted) {}
  std::optional<StepRange> begin(const Trace& head) override {
    ++begins;
    CHECK(head.steps.empty());
    all.header = head.header;
    for (const Device& device : head.header.devices) all.columns.emplace_back(device.fields.size());
    return wanted_;
  }
  void rows(const Trace& part) override {
    ++parts;
    CHECK(begins == 1);
    REQUIRE(!part.steps.empty());
    CHECK(part.header == all.header);
    all.steps.insert(all.steps.end(), part.steps.begin(), part.steps.end());
    for (std::size_t d = 0; d < part.columns.size(); ++d)
      for (std::size_t f = 0; f < part.columns[d].size(); ++f) {
        const Column& from = part.columns[d][f];
        Column& to = all.columns[d][f];
        CHECK(from.numbers.size() + from.texts.size() == part.steps.size());
        to.numbers.insert(to.numbers.end(), from.numbers.begin(), from.numbers.end());
        to.texts.insert(to.texts.end(), from.texts.begin(), from.texts.end());
      }
  }
  Trace all;
  int begins = 0, parts = 0;

 private:
  std::optional<StepRange> wanted_;
};

constexpr std::size_t kRows = 60000;  // several parts

std::string written(const TemporaryFolder& folder, const Trace& trace, const std::string& name) {
  const std::string path = folder.file(name);
  write_trace(trace, *make_writer(*format_of(name), path, trace.header));
  return path;
}

constexpr const char* kNames[] = {"t.json", "t.ndjson", "t.csv", "t.mcap", "t.parquet", "t.json.gz", "t.ndjson.zst"};

}  // namespace

TEST_CASE("trace parts: together they are the trace") {
  const TemporaryFolder folder;
  const Trace trace = example_trace(kRows);
  for (const char* name : kNames) {
    CAPTURE(name);
    const std::string path = written(folder, trace, name);
    Gatherer gatherer;
    PartsRead read = read_parts(path, gatherer);
    REQUIRE_MESSAGE(read.trace.ok(), test::all_text(read.trace.diagnostics));
    CHECK(read.extent.rows == static_cast<std::int64_t>(kRows));
    CHECK(read.extent.first == 0);
    CHECK(read.extent.last == 10 * (static_cast<std::int64_t>(kRows) - 1));
    CHECK(read.cut.empty());
    CHECK(read.trace.value->steps.empty());
    gatherer.all.hashes = read.trace.value->hashes;
    gatherer.all.end = read.trace.value->end;
    CHECK(gatherer.all == *read_trace(path).trace.value);
    if (std::string_view(name) == "t.json" || std::string_view(name).ends_with("ndjson")) CHECK(gatherer.parts > 1);
  }
}

TEST_CASE("trace parts: only the rows of the steps that are wanted") {
  const TemporaryFolder folder;
  const Trace trace = example_trace(kRows);
  for (const char* name : kNames) {
    CAPTURE(name);
    const std::string path = written(folder, trace, name);
    for (const auto& [first, last] :
         {std::pair<std::int64_t, std::int64_t>{5, 199999}, {290000, INT64_MAX}, {100, 100}, {7, 8}}) {
      Gatherer gatherer(StepRange{first, last});
      const PartsRead read = read_parts(path, gatherer);
      REQUIRE(read.trace.value);
      CHECK(read.extent.rows == static_cast<std::int64_t>(kRows));
      const Trace expected = only_steps(trace, first, last);
      CHECK(gatherer.all.steps == expected.steps);
      CHECK(gatherer.all.columns == expected.columns);
    }
    Gatherer nothing(kNoSteps);
    const PartsRead read = read_parts(path, nothing);
    REQUIRE(read.trace.value);
    CHECK(nothing.parts == 0);
    CHECK(read.extent.last == 10 * (static_cast<std::int64_t>(kRows) - 1));
    CHECK(read.trace.value->end == trace.end);
  }
}

TEST_CASE("trace parts: a receiver may stop before the rows") {
  const TemporaryFolder folder;
  const Trace trace = example_trace(50);
  for (const char* name : kNames) {
    CAPTURE(name);
    Gatherer stopping(std::nullopt);
    const PartsRead read = read_parts(written(folder, trace, name), stopping);
    CHECK(!read.trace.value);
    CHECK(!read.trace.diagnostics.has_errors());
    CHECK(stopping.begins == 1);
    CHECK(stopping.parts == 0);
  }
}

TEST_CASE("trace parts: written again, they give the bytes of the whole") {
  const TemporaryFolder folder;
  const Trace trace = example_trace(3000);
  class Writing final : public PartReceiver {
   public:
    explicit Writing(std::string path) : path_(std::move(path)) {}
    std::optional<StepRange> begin(const Trace& head) override {
      Header header = head.header;
      header.every *= 3;
      header.devices = {head.header.devices[1], head.header.devices[2]};
      writer_ = make_writer(Format::json, path_, header);
      parts_.emplace(*writer_, head.header, std::vector<std::size_t>{1, 2}, 3);
      return StepRange{100, 25000};
    }
    void rows(const Trace& part) override { parts_->rows(part); }
    void finish(const PartsRead& read) { parts_->finish(*read.trace.value); }

   private:
    std::string path_;
    std::unique_ptr<Writer> writer_;
    std::optional<PartWriter> parts_;
  };
  const std::string expected = to_json(only_devices(every_nth_row(only_steps(trace, 100, 25000), 3),
                                                    [](std::string_view name) { return name != "impreza.chassis"; }));
  for (const char* name : kNames) {
    CAPTURE(name);
    const std::string path = written(folder, trace, name);
    Writing writing(folder.file("out.json"));
    writing.finish(read_parts(path, writing));
    CHECK(test::read_text(folder.file("out.json")) == expected);
  }
}

TEST_CASE("trace parts: files that end early say what they lack, and damaged ones what is wrong") {
  const TemporaryFolder folder;
  const Trace trace = example_trace(20000);
  const auto cut = [&](const char* name, double share) {
    const std::string bytes = test::read_text(written(folder, trace, name));
    write_file(folder.file("cut"), bytes.substr(0, static_cast<std::size_t>(share * static_cast<double>(bytes.size()))));
    Gatherer gatherer;
    PartsRead read = read_parts(folder.file("cut"), gatherer);
    REQUIRE(read.trace.value);
    CHECK(!read.trace.value->end);
    CHECK(read.extent.rows == static_cast<std::int64_t>(gatherer.all.steps.size()));
    CHECK(gatherer.all.columns == only_steps(trace, 0, read.extent.last).columns);
    return read.cut;
  };
  CHECK(cut("t.mcap", 0.5).starts_with("no end of the data, no summary; "));
  CHECK(cut("t.mcap", 0.5).ends_with(" whole chunks"));
  CHECK(cut("t.ndjson", 0.5).starts_with("no line with the end; "));
  const std::string mcap = test::read_text(written(folder, trace, "t.mcap"));
  write_file(folder.file("cut"), mcap.substr(0, mcap.size() - 40));
  Gatherer gatherer;
  CHECK(read_parts(folder.file("cut"), gatherer).cut.starts_with("no summary; "));
  for (const char* name : {"t.json", "t.ndjson"}) {
    std::string text = test::read_text(written(folder, trace, name));
    text.replace(text.size() / 2, 8, "12nan,,,");
    write_file(folder.file("bad"), text);
    Gatherer damaged;
    const PartsRead read = read_parts(folder.file("bad"), damaged);
    CHECK(!read.trace.value);
    CHECK(read.trace.diagnostics.has_errors());
  }
}
