// What we write, judged by osmium-tool; and real files with new nodes, judged byte by byte.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/core/input.hpp"
#include "formats/osm/codes.hpp"
#include "formats/osm/pass_through.hpp"
#include "formats/osm/read.hpp"
#include "formats/osm/write.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::osm;

namespace {

constexpr const char* kReal[] = {"velluters-2007-v05", "las-palmas-2010", "moscow-marfino-2013", "beatty",
                                 "perth-peanut-roundabout"};

bool has_osmium() {
  if (std::system("osmium version >/dev/null 2>&1") == 0) return true;
  std::printf("SKIPPED: osmium-tool is not installed, nothing was compared with it\n");
  return false;
}

/// What a command prints, with its exit code as the last line.
std::string output_of(const std::string& command) {
  std::string out;
  FILE* pipe = ::popen((command + " 2>&1; echo \"exit $?\"").c_str(), "r");
  REQUIRE(pipe != nullptr);
  char buffer[4096];
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe)) out.append(buffer, got);
  ::pclose(pipe);
  return out;
}

constexpr int kNew = 500;

void houses(Id below, NodeSink& sink) {
  for (int i = 0; i < kNew; ++i) {
    const TagText tags[] = {{"made", "yes"}, {"name", "Haus <&>'\" \xC3\xA4"}};
    sink.node(below - 1 - i, {10'000'000 + i, -10'000'000 - i}, tags);
  }
}

}  // namespace

TEST_CASE("osm: the page's example is read") {
  const std::string text = test::read_text("docs/formats/osm.md");
  const std::size_t start = text.find("```osm\n") + 7;
  ReadOptions options;
  options.remarks = true;
  const auto read = read_xml(text.substr(start, text.find("```", start) - start), options, "example");
  CHECK_MESSAGE(read.diagnostics.empty(), test::all_text(read.diagnostics));
  REQUIRE(read.value);
  CHECK(read.value->model.node_count() == 3);
  CHECK(read.value->model.value_of(read.value->model.tags_of_way(0), "name") == "A & B Street");
  for (const Code* code : code::kAll)
    CHECK_MESSAGE((text.find(code->name) != std::string::npos || code->name.starts_with("osm-xml")), code->name);
}

TEST_CASE("osm: real files differ from their outputs by insertions only, and get back what they were") {
  ReadOptions options;
  options.locate_key = "made";
  for (const char* name : kReal) {
    CAPTURE(name);
    const auto file = test::shared_file("corpus/osm/" + std::string(name) + ".osm");
    if (!file) continue;
    const std::string text = test::read_text(*file);
    const auto read = read_xml(text, options, name);
    REQUIRE(read.value);
    const Id lowest = std::min<Id>(read.value->facts.lowest_other_node, 0);
    PassThroughOptions pass;
    const std::string out = pass_through_text(text, read.value->layout, read.value->model.version, pass,
                                              [&](NodeSink& sink) { houses(lowest, sink); });
    // The two insertions, cut out by hand.
    const std::string upload = std::string(" upload=") + read.value->layout.quote + "false" + read.value->layout.quote;
    std::string cut = out;
    cut.erase(cut.find(upload), upload.size());
    const std::size_t at = read.value->layout.insert_at;
    cut.erase(at, out.size() - upload.size() - text.size());
    CHECK(cut == text);

    const auto again = read_xml(out, options, name);
    REQUIRE(again.value);
    CHECK(again.value->model.version == read.value->model.version);
    CHECK(again.value->model.node_count() == read.value->model.node_count() + kNew);
    CHECK(again.value->layout.located.size() == kNew);
    CHECK(again.value->facts.lowest_other_node == read.value->facts.lowest_other_node);
    CHECK(again.value->facts.sorted == read.value->facts.sorted);
    pass.drop_located = true;
    const std::string replaced = pass_through_text(out, again.value->layout, again.value->model.version, pass,
                                                   [&](NodeSink& sink) { houses(lowest, sink); });
    CHECK(replaced == out);
    std::string removed = pass_through_text(out, again.value->layout, again.value->model.version, pass, [](NodeSink&) {});
    removed.erase(removed.find(upload), upload.size());
    CHECK(removed == text);
  }
}

TEST_CASE("osm: osmium accepts what we write, and sees the same numbers") {
  if (!has_osmium()) return;
  test::TemporaryFolder folder;
  for (const char* name : kReal) {
    CAPTURE(name);
    const auto file = test::shared_file("corpus/osm/" + std::string(name) + ".osm");
    if (!file) continue;
    const Input input = Input::open(file->string());
    const auto read = osm::read(input);
    REQUIRE(read.value);
    const Document& document = *read.value;
    if (document.model.version == Version::v0_5) continue;  // osmium reads no 0.5
    for (const char* suffix : {".osm", ".osm.gz", ".osm.bz2", ".osm.pbf"}) {
      CAPTURE(suffix);
      const std::string out = folder.file(std::string(name) + suffix);
      REQUIRE(pass_through(input, document, out, {}, [](NodeSink& sink) { houses(0, sink); }).empty());
      const std::string info = output_of("osmium fileinfo -e " + out);
      CHECK(info.find("exit 0") != std::string::npos);
      CHECK_MESSAGE(info.find("Number of nodes: " + std::to_string(document.facts.objects[0] + kNew)) != std::string::npos,
                    info);
      CHECK(info.find("Number of ways: " + std::to_string(document.facts.objects[1])) != std::string::npos);
      CHECK(info.find("Number of relations: " + std::to_string(document.facts.objects[2])) != std::string::npos);
      CHECK(info.find(std::string("Objects ordered (by type and id): ") + (document.facts.sorted ? "yes" : "no")) !=
            std::string::npos);
      const std::string refs = output_of("osmium check-refs " + out);
      const auto& all = document.model.refs;
      const bool complete = std::none_of(all.begin(), all.end(), [](Ref ref) { return ref.is_missing(); });
      // check-refs refuses unsorted files, ours or theirs.
      if (document.facts.sorted) CHECK_MESSAGE(refs.find(complete ? "exit 0" : "exit 1") != std::string::npos, refs);
      if (!document.facts.sorted) CHECK_MESSAGE(refs.find("exit 1") != std::string::npos, refs);
    }
    // A whole model, sorted or not, says the same in both formats, to us and to osmium.
    osm::write_file(document.model, folder.file("model.osm"));
    osm::write_file(document.model, folder.file("model.osm.pbf"));
    const std::string a = output_of("osmium cat -f opl " + folder.file("model.osm"));
    const std::string b = output_of("osmium cat -f opl " + folder.file("model.osm.pbf"));
    CHECK(a == b);
    CHECK(a.find("exit 0") != std::string::npos);
    CHECK(a.size() > 10'000);
  }
}
