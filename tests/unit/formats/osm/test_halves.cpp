// A text that is read in two parts at once is read as if one reader had read it all.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <functional>

#include "base/core/workers.hpp"
#include "formats/osm/read_xml.hpp"
#include "formats/osm/xml_reader.hpp"
#include "tests/support/support.hpp"

namespace simbatch::osm {
namespace {

struct Parts {
  int nodes = 26'000, ways = 3'000;
  std::string first_in_ways, last_in_ways;  // put in before the first way, after the last
  std::string among_nodes;                  // put in after most of the nodes
  std::string relations;
  std::function<long(int)> id = [](int n) { return n + 1L; };  // of a node
  std::string end = "</osm>\n";
};

/// A map of some 5 MB, whose middle lies among its nodes.
std::string text_of(const Parts& parts) {
  std::string text =
      "<?xml version='1.0'?>\n<osm version=\"0.6\" generator=\"us\">\n <bounds minlat=\"1\" minlon=\"2\" maxlat=\"3\" maxlon=\"4\"/>\n";
  for (int n = 0; n < parts.nodes; ++n) {
    if (n == parts.nodes * 95 / 100) text += parts.among_nodes;
    text += fmt::format(
        " <node id=\"{}\" lat=\"{:.7f}\" lon=\"{:.7f}\" version=\"1\" timestamp=\"2011-07-0{}T10:00:00Z\" user=\"a person with a name\"",
        parts.id(n), 1 + n * 1e-5, 2 + (n * 7919 % 10007) * 1e-5, n % 9 + 1);
    if (n % 50 == 0)
      text += fmt::format(">\n  <tag k=\"name\" v=\"node {}\"/>\n  <tag k=\"highway\" v=\"stop\"/>\n </node>\n", n / 500);
    else if (n % 1013 == 0)
      text += fmt::format(">\n  <tag k=\"ours\" v=\"yes\"/>\n </node>\n");
    else
      text += "/>\n";
  }
  text += parts.first_in_ways;
  for (int w = 0; w < parts.ways; ++w) {
    text += fmt::format(
        " <way id=\"{}\" version=\"3\" user=\"a person, who draws streets by the dozen\" changeset=\"123456789\">\n", w + 1);
    for (int k = 0; k < 12; ++k)
      text += fmt::format("  <nd ref=\"{}\"/>\n",
                          parts.id(static_cast<int>((w * 8L + k * (w % 5 == 0 ? 1999L : 1L)) % parts.nodes)));
    text += fmt::format("  <tag k=\"highway\" v=\"residential\"/>\n  <tag k=\"name\" v=\"Street {} &amp; Sons\"/>\n </way>\n",
                        w % 700);
  }
  return text + parts.last_in_ways + parts.relations + parts.end;
}

/// Does the later part count, when both are read?
bool joins(const std::string& text, const ReadOptions& options) {
  const std::size_t cut = detail::cut_of(text);
  if (cut == std::string::npos) return false;
  Document one, two;
  Diagnostics about_one, about_two;
  detail::XmlReader first(one, about_one, options, text.size()), rest(two, about_two, options, text.size());
  rest.begin_inside(cut);
  std::string later = text.substr(cut);
  const std::size_t size = later.size();
  later.append(detail::kSlack, '\0');
  rest.run({later.data(), later.data() + size, true, false});
  return first.run({text.data(), text.data() + cut, false, true}) == text.data() + cut && about_two.empty() && first.join(rest);
}

/// @return whether the parts were joined
bool check_same(const std::string& text, const ReadOptions& common = {}) {
  ReadOptions options = common;
  const auto alone = read_xml(text, options, "map.osm");
  Workers workers(2);
  options.workers = &workers;
  const auto both = read_xml(text, options, "map.osm");
  CHECK(test::all_text(alone.diagnostics) == test::all_text(both.diagnostics));
  REQUIRE(alone.value.has_value() == both.value.has_value());
  if (alone.value) {
    const Document &a = *alone.value, &b = *both.value;
    CHECK(same(a.model, b.model));
    CHECK(a.model.strings == b.model.strings);  // with the same numbers
    CHECK(a.model.tag_table == b.model.tag_table);
    CHECK(a.model.node_tags == b.model.node_tags);
    CHECK(a.model.missing == b.model.missing);
    CHECK(a.layout == b.layout);
    CHECK(a.facts.objects == b.facts.objects);
    CHECK(a.facts.deleted == b.facts.deleted);
    CHECK(a.facts.lowest_id == b.facts.lowest_id);
    CHECK(a.facts.highest_id == b.facts.highest_id);
    CHECK(a.facts.lowest_other_node == b.facts.lowest_other_node);
    CHECK(a.facts.highest_other_node == b.facts.highest_other_node);
    CHECK(a.facts.dangling == b.facts.dangling);
    CHECK(a.facts.tags == b.facts.tags);
    CHECK(a.facts.longer_digits == b.facts.longer_digits);
    CHECK(a.facts.sorted == b.facts.sorted);
    CHECK(a.facts.nodes_first == b.facts.nodes_first);
    CHECK(a.facts.text_bytes == b.facts.text_bytes);
  }
  return joins(text, common);
}

constexpr const char* kRelation =
    " <relation id=\"5\">\n  <member type=\"way\" ref=\"7\" role=\"outer\"/>\n  <member type=\"node\" ref=\"4\" role=\"stop\"/>\n"
    "  <member type=\"way\" ref=\"99999999\" role=\"\"/>\n  <tag k=\"type\" v=\"multipolygon\"/>\n </relation>\n";

}  // namespace

TEST_CASE("osm: a clean map is read in two parts, and comes out as from one reader") {
  Parts parts;
  parts.relations = kRelation;
  const std::string text = text_of(parts);
  REQUIRE(text.size() > (std::size_t{1} << 22));
  CHECK(check_same(text));
  ReadOptions options;
  options.keep_keys = {"highway"};
  options.locate_key = "ours";
  CHECK(check_same(text, options));
}

TEST_CASE("osm: ids that fall, jump or are negative make no difference to reading in two parts") {
  Parts parts;
  parts.id = [](int n) { return n % 2 == 0 ? -1000L - n : 1L << 60 | n; };
  CHECK(check_same(text_of(parts)));
  parts.id = [](int n) { return 9'000'000L - n; };
  CHECK(check_same(text_of(parts)));
  // In order in each part, but not across the cut.
  parts.id = [](int n) { return n < 10'000 ? 500'000L + n : n + 1L; };
  CHECK(check_same(text_of(parts)));
}

TEST_CASE("osm: deleted objects, other bounds and a cut right after a located node") {
  Parts parts;
  parts.among_nodes = " <node id=\"777777\" lat=\"1\" lon=\"2\" action=\"delete\"/>\n";
  parts.relations = " <relation id=\"8\" visible=\"false\"/>\n";
  parts.first_in_ways = " <bounds minlat=\"1.5\" minlon=\"2\" maxlat=\"3\" maxlon=\"4\"/>\n";
  CHECK(check_same(text_of(parts)));
  std::string text = text_of(Parts{});
  const std::size_t cut = detail::cut_of(text);
  text.insert(cut, "<node id=\"888888\" lat=\"1\" lon=\"2\"><tag k=\"ours\" v=\"1\"/></node>\n   ");
  text.erase(text.find("user=\""), 90);  // so that the cut comes after it
  ReadOptions options;
  options.locate_key = "ours";
  check_same(text, options);
}

TEST_CASE("osm: whatever is unusual in the later part is told as one reader tells it") {
  const auto with = [](auto change) {
    Parts parts;
    change(parts);
    return text_of(parts);
  };
  // The later part alone would see or place these differently: it does not count then.
  CHECK_FALSE(
      check_same(with([](Parts& p) { p.last_in_ways = " <way id=\"77777\"><nd ref=\"1\"/><nd ref=\"987654321\"/></way>\n"; })));
  CHECK_FALSE(check_same(with([](Parts& p) { p.last_in_ways = " <node id=\"987654321\" lat=\"1\" lon=\"2\"/>\n"; })));
  CHECK_FALSE(check_same(with([](Parts& p) { p.last_in_ways = " <strange/>\n"; })));
  CHECK_FALSE(check_same(with([](Parts& p) { p.last_in_ways = " stray text\n"; })));
  CHECK_FALSE(check_same(with([](Parts& p) { p.last_in_ways = " <way id=\"77777\"><nd ref=\"x\"/></way>\n"; })));
  CHECK_FALSE(check_same(
      with([](Parts& p) { p.last_in_ways = " <way id=\"7777\"><tag k=\"a\" v=\"1\"/><tag k=\"a\" v=\"2\"/></way>\n"; })));
  CHECK_FALSE(check_same(with([](Parts& p) { p.among_nodes = " <node id=\"0\" lat=\"1\" lon=\"2\"/>\n"; })));
  CHECK_FALSE(check_same(with([](Parts& p) { p.among_nodes = " <node id=\"99999\" lat=\"91\" lon=\"2\"/>\n"; })));
  CHECK_FALSE(check_same(with([](Parts& p) { p.end = "</osm><osm/>"; })));
  CHECK_FALSE(check_same(with([](Parts& p) { p.end = ""; })));
  CHECK_FALSE(check_same(with([](Parts& p) { p.end = "</osm"; })));
  // Duplicates are found in the whole, whoever has read them.
  CHECK(check_same(with([](Parts& p) { p.among_nodes = " <node id=\"3\" lat=\"1\" lon=\"2\"/>\n"; })));
  ReadOptions remarks;
  remarks.remarks = true;
  CHECK_FALSE(check_same(text_of(Parts{}), remarks));
}

TEST_CASE("osm: a cut that turns out to be within something else does not count") {
  const std::string text = text_of(Parts{});
  for (const auto& [open, close] : {std::pair<std::string, std::string>{"<!-- ", " -->"},
                                    {"<node id=\"5555555\" lat=\"1\" lon=\"1\">", "</node>"},
                                    {"<note>", "</note>"},
                                    {"<?php ", "?>"}}) {
    const std::string wrapping = open;
    CAPTURE(wrapping);
    std::string wrapped = text;
    const std::size_t end = text.find("<node id=\"18000\""), begin = text.find("<node id=\"9000\"");
    wrapped.insert(end, close);
    wrapped.insert(begin, open);
    CHECK_FALSE(check_same(wrapped));
  }
  CHECK(detail::cut_of("") == std::string_view::npos);
}

TEST_CASE("osm: reading in two parts stays within the memory limit of one") {
  ReadOptions options;
  options.max_model_bytes = 400'000;
  CHECK_FALSE(check_same(text_of(Parts{}), options));
}

}  // namespace simbatch::osm
