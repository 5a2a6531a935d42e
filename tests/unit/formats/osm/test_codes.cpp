// Every code is provoked, at its place.
#include <doctest/doctest.h>

#include <map>
#include <set>

#include "formats/osm/codes.hpp"
#include "formats/osm/pass_through.hpp"
#include "formats/osm/read.hpp"
#include "formats/osm/write.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::osm;

namespace {

std::string doc(std::string_view inside) { return "<osm version='0.6'>\n" + std::string(inside) + "\n</osm>\n"; }

const std::string kNodes = "<node id='1' version='1' lat='1' lon='1'/><node id='2' version='1' lat='1' lon='2'/>\n";
const std::string kBounds = "<bounds minlat='1' minlon='1' maxlat='2' maxlon='2'/>";

struct Row {
  const Code& code;
  std::string text;
  Position at;
};

// What is wrong with the meaning (test_wellformed.cpp has what is not well-formed).

/// Elements and attributes that are not where they have to be.
std::vector<Row> structure_rows() {
  return {
      {code::kRoot, "<osmChange version='0.6'/>", {1, 1}},
      {code::kRoot, "<html><p>Bad gateway</p></html>", {1, 1}},
      {code::kVersion, "<osm/>", {1, 1}},
      {code::kVersion, "<osm version=''/>", {1, 1}},
      {code::kVersion, "<osm version='0.7'/>", {1, 1}},
      {code::kVersion, "<osm version=' 0.6'/>", {1, 1}},
      {code::kElementPlace, doc("<tag k='a' v='b'/>"), {2, 1}},
      {code::kElementPlace, doc("<nd ref='1'/>"), {2, 1}},
      {code::kElementPlace, doc("<member type='node' ref='1' role=''/>"), {2, 1}},
      {code::kElementPlace, doc("<osm version='0.6'/>"), {2, 1}},
      {code::kElementPlace, doc("<node id='1' version='1' lat='1' lon='1'><node id='2' lat='1' lon='1'/></node>"), {2, 42}},
      {code::kElementPlace, doc("<node id='1' version='1' lat='1' lon='1'><nd ref='1'/></node>"), {2, 42}},
      {code::kElementPlace,
       doc("<node id='1' version='1' lat='1' lon='1'><tag k='a' v='b'><tag k='c' v='d'/></tag></node>"),
       {2, 59}},
      {code::kElementPlace, doc("<way id='1' version='1'><member type='node' ref='1' role=''/></way>"), {2, 25}},
      {code::kElementPlace, doc("<relation id='1' version='1'><nd ref='1'/></relation>"), {2, 30}},
      {code::kElementUnknown, doc("<changeset id='1'/>\n<x/>"), {2, 1}},
      {code::kElementUnknown, doc("<node id='1' version='1' lat='1' lon='1'><x><y/></x></node>"), {2, 42}},
      {code::kText, doc("here"), {2, 1}},
      {code::kText, doc("<![CDATA[here]]>"), {2, 1}},
      {code::kAttributeMissing, doc("<node version='1' lat='1' lon='1'/>"), {2, 1}},
      {code::kAttributeMissing, doc("<node id='1' version='1' lon='1'/>"), {2, 1}},
      {code::kAttributeMissing, doc("<node id='1' version='1' lat='1'/>"), {2, 1}},
      {code::kAttributeMissing, doc("<way version='1'/>"), {2, 1}},
      {code::kAttributeMissing, doc("<relation version='1'/>"), {2, 1}},
      {code::kAttributeMissing, doc(kNodes + "<way id='1' version='1'><nd/><nd ref='1'/><nd ref='2'/></way>"), {3, 25}},
      {code::kAttributeMissing, doc("<node id='1' version='1' lat='1' lon='1'><tag k='a'/></node>"), {2, 42}},
      {code::kAttributeMissing, doc("<node id='1' version='1' lat='1' lon='1'><tag v='a'/></node>"), {2, 42}},
      {code::kAttributeMissing, doc("<relation id='1' version='1'><member ref='1' role=''/></relation>"), {2, 30}},
      {code::kAttributeMissing, doc("<relation id='1' version='1'><member type='way' role=''/></relation>"), {2, 30}},
  };
}

/// Values that are not what they have to be.
std::vector<Row> value_rows() {
  return {
      {code::kId, doc("<node id='x' version='1' lat='1' lon='1'/>"), {2, 11}},
      {code::kId, doc("<node id='0' version='1' lat='1' lon='1'/>"), {2, 11}},
      {code::kId, doc("<node id='' version='1' lat='1' lon='1'/>"), {2, 11}},
      {code::kId, doc("<node id='1.0' version='1' lat='1' lon='1'/>"), {2, 11}},
      {code::kId, doc("<node id='9223372036854775808' version='1' lat='1' lon='1'/>"), {2, 11}},
      {code::kId, doc("<node id='-9223372036854775808' version='1' lat='1' lon='1'/>"), {2, 11}},
      {code::kId,
       doc(kNodes + "<way id='1' version='1'><nd ref='1'/><nd ref='99999999999999999999'/><nd ref='2'/></way>"),
       {3, 47}},
      {code::kId, doc("<relation id='1' version='1'><member type='way' ref='a' role=''/></relation>"), {2, 54}},
      {code::kIdRepeated, doc(kNodes + "<node id='1' version='1' lat='1' lon='1'/>"), {3, 1}},
      {code::kIdRepeated,
       doc(kNodes +
           "<way id='5' version='1'><nd ref='1'/><nd ref='2'/></way>\n <way id='5' version='1'><nd ref='1'/><nd ref='2'/></way>"),
       {4, 2}},
      {code::kIdRepeated, doc("<relation id='5' version='1'/>\n<relation id='5' version='1'/>"), {3, 1}},
      {code::kLatitude, doc("<node id='1' version='1' lat='90.0000001' lon='1'/>"), {2, 31}},
      {code::kLatitude, doc("<node id='1' version='1' lat='north' lon='1'/>"), {2, 31}},
      {code::kLatitude, doc("<node id='1' version='1' lat='1,5' lon='1'/>"), {2, 31}},
      {code::kLongitude, doc("<node id='1' version='1' lat='1' lon='-181'/>"), {2, 39}},
      {code::kLongitude, doc("<node id='1' version='1' lat='1' lon='nan'/>"), {2, 39}},
      {code::kBounds, doc("<bounds minlat='1' minlon='1' maxlat='2'/>"), {2, 1}},
      {code::kBounds, doc("<bounds minlat='1' minlon='1' maxlat='91' maxlon='1'/>"), {2, 1}},
      {code::kBounds, doc("<bounds minlat='2' minlon='1' maxlat='1' maxlon='1'/>"), {2, 1}},
      {code::kBounds, doc("<bound box='1,2,3'/>"), {2, 1}},
      {code::kBounds, doc("<bound box='1,2,3,4,5'/>"), {2, 1}},
      {code::kBounds, doc("<bound/>"), {2, 1}},
      {code::kMemberType, doc("<relation id='1' version='1'><member type='area' ref='1' role=''/></relation>"), {2, 44}},
  };
}

/// Warnings and notes: the map is read all the same.
std::vector<Row> tolerated_rows() {
  std::string long_way = kBounds + kNodes + "<way id='1' version='1'>";
  for (int i = 0; i < 1001; ++i) long_way += "<nd ref='1'/><nd ref='2'/>";
  return {
      {code::kTagRepeated,
       doc("<node id='1' version='1' lat='1' lon='1'><tag k='a' v='b'/><tag k='a' v='c'/></node>"),
       {2, 60}},
      {code::kRemark, doc("<remark> runtime error: Query timed out </remark>"), {2, 1}},
      {code::kDanglingNode, doc(kNodes + "<way id='1' version='1'><nd ref='1'/><nd ref='3'/><nd ref='4'/></way>"), {3, 38}},
      {code::kUnsorted,
       doc(kBounds + "<node id='2' version='1' lat='1' lon='1'/><node id='1' version='1' lat='1' lon='1'/>"),
       {2, 96}},
      {code::kUnsorted, doc(kBounds + "<relation id='2' version='1'/><node id='1' version='1' lat='1' lon='1'/>"), {2, 84}},
      {code::kUnsorted, doc(kBounds + "<node id='2' version='1' lat='1' lon='1'/><node id='-1' lat='1' lon='1'/>"), {2, 96}},
      {code::kBoundsSeveral, doc(kBounds + kBounds), {2, 54}},
      {code::kBoundsNone, doc(""), {0, 0}},
      {code::kTimestamp, doc(kBounds + "<node id='2' version='1' timestamp='2007-10-08 18:04:36' lat='1' lon='1'/>"), {2, 54}},
      {code::kTimestamp,
       doc(kBounds + "<node id='2' version='1' timestamp='2007-12-13T10:30:45+00:00' lat='1' lon='1'/>"),
       {2, 54}},
      {code::kDigits, doc(kBounds + "<node id='2' version='1' lat='1.12345678' lon='1'/>"), {2, 54}},
      {code::kDeleted, doc(kBounds + "<node id='2' version='1' action='delete' lat='1' lon='1'/>"), {0, 0}},
      {code::kDeleted, doc(kBounds + "<way id='2' version='1' visible='false'/>"), {0, 0}},
      {code::kDanglingMember,
       doc(kBounds + "<relation id='1' version='1'><member type='way' ref='4' role=''/></relation>"),
       {0, 0}},
      {code::kVersionAbsent, doc(kBounds + "<node id='2' lat='1' lon='1'/>"), {2, 54}},
      {code::kWayShort, doc(kBounds + kNodes + "<way id='1' version='1'><nd ref='1'/></way>"), {3, 1}},
      {code::kWayStutter, doc(kBounds + kNodes + "<way id='1' version='1'><nd ref='1'/><nd ref='1'/></way>"), {3, 38}},
      {code::kWayLong, doc(long_way + "</way>"), {3, 1}},
  };
}

std::vector<Row> rows() {
  std::vector<Row> all = structure_rows();
  for (const auto& more : {value_rows(), tolerated_rows()})
    for (const Row& row : more) all.push_back(row);
  return all;
}

}  // namespace

TEST_CASE("osm: every problem is one diagnostic with its code and place") {
  for (const Row& row : rows()) {
    CAPTURE(row.text.substr(0, 300));
    ReadOptions options;
    options.remarks = row.code.severity == Severity::note;
    const auto read = read_xml(row.text, options, "t.osm");
    test::Expected expected(read.diagnostics);
    expected.take(row.code, row.at);
    CHECK(read.diagnostics.items().front().severity == row.code.severity);
    const bool no_map = row.code.name == code::kRoot.name || row.code.name == code::kVersion.name;
    CHECK(read.value.has_value() != no_map);
  }
}

TEST_CASE("osm: each code has a fixture somewhere") {
  std::set<std::string_view> seen;
  for (const Row& row : rows()) seen.insert(row.code.name);
  // Provoked by other tests: what is not XML, broken containers, limits.
  for (const std::string_view name : {"osm-xml", "osm-xml-character", "osm-xml-entity", "osm-xml-attribute", "osm-xml-nesting",
                                      "osm-xml-truncated", "osm-xml-depth", "osm-doctype", "osm-encoding", "osm-empty",
                                      "osm-compression", "osm-pbf", "osm-memory", "osm-conversion"})
    seen.insert(name);
  for (const Code* code : code::kAll) CHECK_MESSAGE(seen.contains(code->name), code->name);
  CHECK(seen.size() == std::size(code::kAll));
}

TEST_CASE("osm: all problems of a file are told, not the first") {
  const auto read = read_xml(doc("<node id='a' lat='1' lon='1'/>\n<node id='1' version='1' lat='91' lon='181'/>\n"
                                 "<way id='1' version='1'><nd ref='b'/><tag k='c'/></way>\n<relation/>"),
                             {}, "t.osm");
  test::Expected expected(read.diagnostics);
  expected.take(code::kId, Position{2, 11});
  expected.take(code::kLatitude, Position{3, 31});
  expected.take(code::kLongitude, Position{3, 40});
  expected.take(code::kId, Position{4, 34});
  expected.take(code::kAttributeMissing, Position{4, 38});
  expected.take(code::kAttributeMissing, Position{5, 1});
}

TEST_CASE("osm: nodes after the ways that name them are found") {
  const auto read = read_xml(
      doc("<way id='1' version='1'><nd ref='2'/><nd ref='9'/><nd ref='1'/></way>" + kNodes +
          "<relation id='3' version='1'><member type='node' ref='2' role='x'/><member type='relation' ref='4' role=''/></relation>"
          "<relation id='4' version='1'><member type='way' ref='1' role=''/></relation>"),
      {}, "t.osm");
  test::Expected(read.diagnostics).take(code::kDanglingNode);
  REQUIRE(read.value);
  const Model& m = read.value->model;
  const auto refs = m.refs_of(0);
  REQUIRE(refs.size() == 3);
  CHECK(m.node_ids[refs[0].number()] == 2);
  CHECK(refs[1].is_missing());
  CHECK(m.missing == std::vector<Id>{9});
  CHECK(m.node_ids[refs[2].number()] == 1);
  CHECK(m.members_of(0)[1].ref == Ref(1));
  CHECK(m.members_of(1)[0].ref == Ref(0));
  CHECK_FALSE(read.value->facts.sorted);
  CHECK_FALSE(read.value->facts.nodes_first);
}

TEST_CASE("osm: deleted objects are left out, and their ids are still taken") {
  const std::string text =
      doc("<node id='-7' action='delete' lat='1' lon='1'/><node id='3' version='4' visible='false'/>" + kNodes +
          "<way id='1' version='1' action='delete'><nd ref='1'/><tag k='highway' v='road'/></way>");
  const auto read = read_xml(text, {}, "t.osm");
  REQUIRE_MESSAGE(read.ok(), test::all_text(read.diagnostics));
  CHECK(read.value->model.node_ids == std::vector<Id>{1, 2});
  CHECK(read.value->model.ways.empty());
  CHECK(read.value->model.way_tags.empty());
  CHECK(read.value->facts.deleted == std::array<std::uint64_t, 3>{2, 1, 0});
  CHECK(read.value->facts.lowest_id[0] == -7);
  ReadOptions keep;
  keep.keep_deleted = true;
  CHECK(read_xml(text, keep, "t.osm").value->model.ways.size() == 1);
}

TEST_CASE("osm: only wanted tags are kept, all are checked") {
  ReadOptions options;
  options.keep_keys = {"highway"};
  const auto read =
      read_xml(doc("<node id='1' version='1' lat='1' lon='1'><tag k='highway' v='stop'/><tag k='name' v='&lt;'/></node>"),
               options, "t.osm");
  REQUIRE(read.ok());
  const Model& m = read.value->model;
  REQUIRE(m.tags_of_node(0).size() == 1);
  CHECK(m.value_of(m.tags_of_node(0), "highway") == "stop");
  CHECK(m.strings.size() == 2);
  CHECK(read.value->facts.tags == 2);
  CHECK(read_xml(doc("<node id='1' version='1' lat='1' lon='1'><tag k='name' v='&x;'/></node>"), options, "t.osm")
            .diagnostics.errors() == 1);
}

TEST_CASE("osm: what Overpass adds to objects is passed over") {
  const auto read = read_xml(
      doc("<note>The data are ODbL.</note><meta osm_base='2024-03-22T14:09:45Z'/>" + kNodes +
          "<way id='1' version='1'><bounds minlat='1' minlon='1' maxlat='1' maxlon='2'/><center lat='1' lon='1'/>"
          "<nd ref='1' lat='1' lon='1'/><nd ref='2' lat='1' lon='2'/></way>"
          "<relation id='1' version='1'><member type='way' ref='1' role='outer'><nd lat='1' lon='1'/></member></relation>"),
      {}, "t.osm");
  CHECK_MESSAGE(read.diagnostics.empty(), test::all_text(read.diagnostics));
  REQUIRE(read.value);
  CHECK(read.value->model.refs_of(0).size() == 2);
  CHECK(read.value->model.bounds.empty());
}

TEST_CASE("osm: a broken PBF file, and a conversion that cannot be, are errors") {
  test::TemporaryFolder folder;
  const std::string file = folder.file("a.osm.pbf");
  Model model;
  for (int i = 1; i < 100; ++i) {
    model.add_node(i, {i, i});
    model.add_tag("name", std::to_string(i));
  }
  model.build_index();
  osm::write_file(model, file);
  const std::string bytes = test::read_text(file);
  for (std::size_t size = 20; size < bytes.size(); size += 37) {
    test::write_text(file, std::string_view(bytes).substr(0, size));
    const auto read = read_file(file);
    if (read.value) continue;  // cut between two blocks
    CHECK(read.diagnostics.errors() == 1);
    CHECK(read.diagnostics.items().front().code == code::kPbf.name);
  }
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    test::write_text(file, test::mutated(bytes, seed));
    const auto read = read_file(file);
    CHECK((read.value.has_value() || read.diagnostics.has_errors()));
  }
  test::write_text(folder.file("old.osm"), "<osm version='0.5'/>");
  const Input input = Input::open(folder.file("old.osm"));
  const auto read = osm::read(input);
  const Diagnostics problems = pass_through(input, *read.value, folder.file("new.osm.pbf"), {}, [](NodeSink&) {});
  CHECK(problems.errors() == 1);
  CHECK(problems.items().front().code == code::kConversion.name);
  CHECK(folder.names() == std::vector<std::string>{"a.osm.pbf", "old.osm"});
}
