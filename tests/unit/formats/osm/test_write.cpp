#include <doctest/doctest.h>

#include <array>

#include "base/core/input.hpp"
#include "formats/osm/codes.hpp"
#include "formats/osm/pass_through.hpp"
#include "formats/osm/read.hpp"
#include "formats/osm/write.hpp"
#include "formats/osm/xml_text.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::osm;

namespace {

constexpr std::string_view kTown = R"(<?xml version='1.0' encoding='UTF-8'?>
<!-- kept -->
<osm version='0.6' generator='JOSM' license="ODbL">
  <bounds minlat='36.809' minlon='-116.8612' maxlat='36.9646' maxlon='-116.6652' origin='CGImap' />
  <node id='5' version='1' lat='36.8281754000' lon='-116.9755448' />
  <node id='-3' action='modify' lat='36.9' lon='-116.7'>
    <tag k='name' v='A &amp; B &lt;&#x42;&gt;' />
  </node>
  <node id='7' version='2' action='delete' lat='36.9' lon='-116.8' />
  <way id='9' version='3'>
    <nd ref='5' />
    <nd ref='-3' />
    <nd ref='44' />
    <tag k='highway' v='residential' />
  </way>
  <relation id='2' version='1'>
    <member type='way' ref='9' role='outer' />
    <member type='relation' ref='2' role='' />
    <member type='node' ref='44' role='stop' />
  </relation>
</osm>
)";

void two_houses(NodeSink& sink) {
  const TagText tags[] = {{"fileType", "house"}, {"name", "O'Hara & <son>"}};
  sink.node(-4, {368'000'001, -1'168'000'000}, tags);
  sink.node(-5, {-5, 0}, {});
}

Document must_read(std::string_view text, const ReadOptions& options = {}) {
  auto read = read_xml(text, options, "town.osm");
  test::Expected left(read.diagnostics);
  if (read.diagnostics.warnings() > 0) left.take(code::kDanglingNode);
  REQUIRE(read.value.has_value());
  return std::move(*read.value);
}

}  // namespace

TEST_CASE("osm: the pass-through writer puts nodes in and leaves every other byte") {
  const Document document = must_read(kTown);
  PassThroughOptions options;
  options.set_upload_false = false;
  const std::string text = pass_through_text(kTown, document.layout, Version::v0_6, options, two_houses);
  const std::string_view house = R"(<node id='-4' lat='36.8000001' lon='-116.8'>
    <tag k='fileType' v='house'/>
    <tag k='name' v='O&apos;Hara &amp; &lt;son&gt;'/>
  </node>
  <node id='-5' lat='-0.0000005' lon='0'/>
  )";
  std::string expected(kTown);
  expected.insert(expected.find("<node id='5'"), house);
  CHECK(text == expected);

  SUBCASE("what was put in can be found and left out again") {
    ReadOptions read;
    read.locate_key = "fileType";
    const Document again = must_read(text, read);
    REQUIRE(again.layout.located.size() == 1);
    CHECK(again.layout.located_ids == std::vector<Id>{-4});
    CHECK(again.layout.located_nodes == std::vector<std::uint32_t>{0});
    CHECK(again.facts.lowest_id[0] == -5);
    CHECK(again.facts.lowest_other_node == -5);
    options.drop_located = true;
    const std::string less = pass_through_text(text, again.layout, Version::v0_6, options, [](NodeSink&) {});
    std::string without(kTown);
    without.insert(without.find("<node id='5'"), "<node id='-5' lat='-0.0000005' lon='0'/>\n  ");
    CHECK(less == without);
  }
}

TEST_CASE("osm: upload='false' is put after the version, or replaces another value") {
  const auto after = [](std::string_view root) {
    const std::string text = std::string(root) + "\n <node id='1' lat='1' lon='1' version='1'/>\n</osm>";
    const Document document = must_read(text);
    const std::string out = pass_through_text(text, document.layout, Version::v0_6, {}, [](NodeSink&) {});
    CHECK(out.substr(out.find("\n <node")) == text.substr(text.find("\n <node")));
    return out.substr(0, out.find("\n <node"));
  };
  CHECK(after("<osm generator='x' version='0.6' license='y'>") ==
        "<osm generator='x' version='0.6' upload='false' license='y'>");
  CHECK(after("<osm version=\"0.6\">") == "<osm version=\"0.6\" upload=\"false\">");
  CHECK(after("<osm upload='true' version='0.6'>") == "<osm upload='false' version='0.6'>");
  CHECK(after("<osm upload='' version='0.6'>") == "<osm upload='false' version='0.6'>");
  CHECK(after("<osm upload='never' version='0.6'>") == "<osm upload='never' version='0.6'>");
  CHECK(after("<osm upload='false' version='0.6'>") == "<osm upload='false' version='0.6'>");
}

TEST_CASE("osm: nodes can be put into a file without any, and into an empty root") {
  PassThroughOptions options;
  options.set_upload_false = false;
  const auto put = [&](std::string_view text) {
    const Document document = must_read(text);
    const auto one = [](NodeSink& sink) { sink.node(3, {10'000'000, 20'000'000}, {}); };
    const std::string out = pass_through_text(text, document.layout, document.model.version, options, one);
    const Document again = must_read(out);
    CHECK(again.model.node_ids == std::vector<Id>{3});
    CHECK(pass_through_text(text, document.layout, document.model.version, options, [](NodeSink&) {}) == text);
    return out;
  };
  CHECK(put("<osm version='0.6'/>") == "<osm version='0.6'>\n  <node id='3' version='1' lat='1' lon='2'/>\n</osm>");
  CHECK(put("<osm version='0.5' />\n") == "<osm version='0.5' >\n  <node id='3' lat='1' lon='2'/>\n</osm>\n");
  CHECK(put("<osm version=\"0.6\">\n</osm>\n") ==
        "<osm version=\"0.6\">\n  <node id=\"3\" version=\"1\" lat=\"1\" lon=\"2\"/>\n</osm>\n");
  CHECK(put("<osm version='0.6'>\r\n <way id='1' version='1'/>\r\n</osm>") ==
        "<osm version='0.6'>\r\n <node id='3' version='1' lat='1' lon='2'/>\r\n <way id='1' version='1'/>\r\n</osm>");
}

TEST_CASE("osm: nodes whose tags were made ready are written like others") {
  const std::string values[] = {"", "12.5", "O'Hara \"&\" <son>", "\xC3\xA9\n"};
  const auto tags = [](std::string_view value) { return std::vector<TagText>{{"k1", "a & 'b'"}, {"k2", value}, {"k3", "2"}}; };
  const auto plainly = [&](NodeSink& sink) {
    Id id = -7;
    for (int k = 0; k < 3000; ++k)  // more than one buffer
      for (const std::string& value : values) sink.node(id--, {-k, 1'799'999'999}, tags(value));
    sink.node(3, {900'000'000, -1'800'000'000}, tags("end"));
  };
  const auto prepared = [&](NodeSink& sink) {
    const std::size_t other = sink.prepare(tags("1"), 0), number = sink.prepare(tags("whatever"), 1);
    CHECK(other != number);
    Id id = -7;
    for (int k = 0; k < 3000; ++k)
      for (const std::string& value : values) sink.node(id--, {-k, 1'799'999'999}, number, value);
    sink.node(3, {900'000'000, -1'800'000'000}, number, "end");
  };
  for (const char* text : {"<osm version='0.6'/>", "<osm version='0.5'></osm>",
                           "<osm version=\"0.6\">\r\n  <node id=\"1\" version=\"1\" lat=\"1\" lon=\"1\"/>\r\n</osm>"}) {
    CAPTURE(text);
    const Document document = must_read(text);
    CHECK(pass_through_text(text, document.layout, document.model.version, {}, prepared) ==
          pass_through_text(text, document.layout, document.model.version, {}, plainly));
  }
  const test::TemporaryFolder folder;
  test::write_text(folder.file("in.osm"), "<osm version='0.6'><node id='1' version='1' lat='1' lon='1'/></osm>");
  const Input input = Input::open(folder.file("in.osm"));
  const Document document = must_read(input.text());
  CHECK(pass_through(input, document, folder.file("a.osm.pbf"), {}, prepared).empty());
  CHECK(pass_through(input, document, folder.file("b.osm.pbf"), {}, plainly).empty());
  CHECK(test::read_text(folder.file("a.osm.pbf")) == test::read_text(folder.file("b.osm.pbf")));
}

TEST_CASE("osm: ids are printed as the library of the language prints them, whatever was before") {
  detail::IdPrinter printer;
  const auto printed = [&printer](Id id) {
    std::array<char, 24> buffer{};
    return std::string(buffer.data(), printer.put(buffer.data(), id));
  };
  for (Id id = -1100; id <= 1100; ++id) CHECK(printed(id) == std::to_string(id));
  for (Id id = 1100; id >= -1100; --id) CHECK(printed(id) == std::to_string(id));
  for (const Id id : {INT64_MAX, INT64_MIN, INT64_MAX - 1, Id{5}, Id{-100}, Id{-99}, Id{-12345678900}, Id{-12345678901}})
    CHECK(printed(id) == std::to_string(id));
}

TEST_CASE("osm: a model is read back as it was written, by way of XML, gzip, bzip2 and PBF") {
  const Document document = must_read(kTown);
  const Model& model = document.model;
  WriteOptions options;
  options.generator = model.generator;
  const std::string text = write_xml(model, options);
  const Document again = must_read(text);
  CHECK(same(model, again.model));
  CHECK(write_xml(again.model, options) == text);

  test::TemporaryFolder folder;
  for (const char* name : {"a.osm", "a.osm.gz", "a.osm.bz2", "a.osm.pbf"}) {
    CAPTURE(name);
    const std::string file = folder.file(name);
    osm::write_file(model, file, options);
    auto read = read_file(file);
    test::Expected(read.diagnostics).take(code::kDanglingNode);
    REQUIRE(read.value);
    CHECK(read.value->type == type_of_name(name));
    Model expected = model;
    if (std::string_view(name).ends_with("pbf")) {  // PBF knows neither
      expected.attributes.clear();
      expected.bounds[0].origin.clear();
    }
    CHECK(same(expected, read.value->model));
    const std::string first = test::read_text(file);
    osm::write_file(model, file, options);
    CHECK(test::read_text(file) == first);
  }
  CHECK(folder.names().size() == 4);
}

TEST_CASE("osm: new nodes go into compressed files and PBF too, also onto the input itself") {
  test::TemporaryFolder folder;
  std::string town(kTown);
  town.erase(town.find("  <node id='7'"), town.find("  <way") - town.find("  <node id='7'"));
  const Document plain = must_read(town);
  const std::string want = pass_through_text(town, plain.layout, Version::v0_6, {}, two_houses);
  const Document wanted = must_read(want);
  test::write_text(folder.file("town.osm"), town);
  for (const char* name : {"b.osm.gz", "b.osm.bz2", "b.osm.pbf", "b.osm"}) {
    CAPTURE(name);
    const std::string file = folder.file(name);
    {  // into the type of `name`, without new nodes
      const Input input = Input::open(folder.file("town.osm"));
      const auto document = read(input);
      PassThroughOptions options;
      options.set_upload_false = false;
      CHECK(pass_through(input, *document.value, file, options, [](NodeSink&) {}).empty());
    }
    {  // and onto itself
      const Input input = Input::open(file);
      const auto document = read(input);
      REQUIRE(document.value);
      CHECK(pass_through(input, *document.value, file, {}, two_houses).empty());
    }
    auto result = read_file(file);
    test::Expected(result.diagnostics).take(code::kDanglingNode);
    REQUIRE(result.value);
    Model expected = wanted.model;
    if (std::string_view(name).ends_with("pbf")) {
      expected.attributes.clear();
      expected.bounds[0].origin.clear();
      expected.generator = result.value->model.generator;
    }
    CHECK(write_xml(expected) == write_xml(result.value->model));
    CHECK(result.value->model.missing == std::vector<Id>{44});
  }
}
