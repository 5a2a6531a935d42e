// What NPZ, MAT, wide tables and scenes say of their trace.

#include <doctest/doctest.h>

#include "formats/trace/codes.hpp"
#include "formats/trace/outline.hpp"
#include "formats/trace/write.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/formats/trace/example.hpp"

using namespace simbatch;
using namespace simbatch::trace;
using simbatch::test::TemporaryFolder;

namespace {
std::string bytes_in(const Trace& trace, const std::string& name) {
  const TemporaryFolder folder;
  write_trace(trace, *make_writer(*format_of(name), folder.file(name), trace.header));
  return test::read_text(folder.file(name));
}

using Reader = Outline (*)(std::string_view, const std::string&);
struct Archive {
  const char* name;
  Reader outline_of;
};
constexpr Archive kArchives[] = {{"t.npz", npz_outline}, {"t.mat", mat_outline}};
}  // namespace

TEST_CASE("trace outline: NPZ and MAT have all but their rows") {
  const Trace trace = example_trace(300);
  Trace head = trace;
  head.steps.clear();
  for (const Archive& archive : kArchives) {
    const char* const name = archive.name;
    const Reader outline_of = archive.outline_of;
    CAPTURE(name);
    const std::string bytes = bytes_in(trace, name);
    CHECK(outlined_format(bytes) == format_of(name));
    const Outline outline = outline_of(bytes, name);
    REQUIRE_MESSAGE(outline.trace.ok(), test::all_text(outline.trace.diagnostics));
    CHECK(outline.trace.value->header == trace.header);
    CHECK(outline.trace.value->hashes == trace.hashes);
    CHECK(outline.trace.value->end == trace.end);
    CHECK(outline.extent.rows == 300);
    CHECK(outline.extent.first == 0);
    CHECK(outline.extent.last == 2990);
    const Outline none = outline_of(bytes_in(example_trace(0), name), name);
    REQUIRE(none.trace.value);
    CHECK(none.extent.rows == 0);
  }
}

TEST_CASE("trace outline: damaged archives are refused, and never read beyond their bytes") {
  for (const Archive& archive : kArchives) {
    const char* const name = archive.name;
    const Reader outline_of = archive.outline_of;
    CAPTURE(name);
    const std::string bytes = bytes_in(example_trace(3), name);
    const Outline cut = outline_of(std::string_view(bytes).substr(0, bytes.size() / 2), name);
    CHECK(!cut.trace.value);
    test::Expected expected(cut.trace.diagnostics);
    expected.take(code::kArchive);
    simbatch::test::for_every_prefix(bytes, [&](std::string_view text) { (void)outline_of(text, "t"); });
    for (std::uint64_t seed = 0; seed < 300; ++seed) (void)outline_of(test::mutated(bytes, seed), "t");
  }
}

TEST_CASE("trace outline: a wide table has names, units, steps and times") {
  const std::string text = bytes_in(example_trace(3), "t.wide.csv");
  CHECK(outlined_format(text) == Format::wide);
  const Outline outline = wide_outline(text, "t.wide.csv");
  REQUIRE(outline.trace.value);
  const std::vector<Device>& devices = outline.trace.value->header.devices;
  REQUIRE(devices.size() == 3);
  CHECK(devices[0].name == "impreza.chassis");
  CHECK(devices[1].fields[0].unit == "deg");
  CHECK(devices[1].fields[1].unit.empty());
  CHECK(devices[1].fields[2].type == FieldType::text);
  CHECK(devices[2].fields[0].name == "intensity");
  CHECK(outline.extent.rows == 3);
  CHECK(outline.extent.last == 20);
  CHECK(outline.last_time == doctest::Approx(20 / 240.0));
  const Outline ragged = wide_outline(text + "30,1\r\n", "t.wide.csv");
  CHECK(!ragged.trace.value);
  test::Expected of_ragged(ragged.trace.diagnostics);
  of_ragged.take(code::kShape);
  const Outline broken = wide_outline(text + "x,1,1,1,1,1,1,1\r\n", "t.wide.csv");
  test::Expected of_broken(broken.trace.diagnostics);
  of_broken.take(code::kSyntax);
  CHECK(wide_outline(bytes_in(example_trace(0), "t.wide.csv"), "t").trace.value->header.devices.size() == 3);
}

TEST_CASE("trace outline: the nodes and the motion of a scene") {
  std::string document =
      R"({"asset":{"version":"2.0"},"nodes":[{"name":"a"},{"name":"b"},{}],"accessors":[{"count":3,"max":[2.5]},{"count":1}],)"
      R"("animations":[{"channels":[{"sampler":0,"target":{"node":1,"path":"translation"}},{"sampler":1,"target":{"node":1}}],)"
      R"("samplers":[{"input":0,"output":1}]}]})";
  const auto glb = [](const std::string& json) {
    std::string out("glTF\2\0\0\0....", 12);
    for (int i = 0; i < 4; ++i) out += static_cast<char>(json.size() >> (8 * i) & 0xFF);
    return out + "JSON" + json;
  };
  const auto scene = glb_outline(glb(document), "t.glb");
  REQUIRE_MESSAGE(scene.value, test::all_text(scene.diagnostics));
  CHECK(scene.value->nodes == 3);
  CHECK(scene.value->moving == 1);
  CHECK(scene.value->seconds == 2.5);
  document.pop_back();
  for (const std::string& bad : {glb(document), glb(document).substr(0, 60), std::string("glTF")}) {
    const auto refused = glb_outline(bad, "t.glb");
    CHECK(!refused.value);
    test::Expected expected(refused.diagnostics);
    expected.take(code::kArchive);
  }
}
