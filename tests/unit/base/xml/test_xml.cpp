#include <doctest/doctest.h>

#include <functional>

#include "base/xml/xml.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;

namespace {
Parsed<xml::Document> parse(std::string_view text) { return xml::Document::parse(std::string(text), "a.xml"); }
}  // namespace

TEST_CASE("xml: the paths of a hundred thousand siblings take linear time") {
  std::string text = "<r><b/>";
  for (int i = 0; i < 100'000; ++i) text += i % 2 == 0 ? "<a/>" : "<b><c/></b>";
  const auto document = xml::Document::parse(text + "</r>", "long.xml");
  REQUIRE(document.value);
  std::string last;
  std::size_t bytes = 0;
  for (const xml::Element& child : document.value->root().children()) bytes += (last = child.path()).size();
  CHECK(last == "/r/b[50001]");
  CHECK(bytes > 1'000'000);
  CHECK(document.value->root().first_child("b").path() == "/r/b");
  CHECK(document.value->root().first_child("b").next_sibling("b").first_child().path() == "/r/b[2]/c");
  CHECK(document.value->root().path() == "/r");
}

TEST_CASE("xml: elements and attributes know their places") {
  const auto parsed = parse("<?xml version='1.0'?>\n<a>\n  <b x='1'\n     y = \"2\"/>\n  <b/>\n</a>\n");
  REQUIRE(parsed.ok());
  const xml::Element a = parsed.value->root();
  CHECK(a.position() == Position{2, 1});
  const xml::Element b = a.first_child("b");
  CHECK(b.position() == Position{3, 3});
  CHECK(b.attribute_position("x") == Position{3, 9});
  CHECK(b.attribute_position("y") == Position{4, 11});
  CHECK(b.attribute_position("z") == b.position());
  CHECK(b.next_sibling().path() == "/a/b[2]");
  CHECK(b.attribute("y") == "2");
}

TEST_CASE("xml: what is not well-formed is refused with its place") {
  const std::pair<const char*, Position> rows[] = {
      {"", {1, 1}},
      {"<a>", {1, 4}},
      {"<a></b>", {1, 6}},
      {"<a/><b/>", {1, 5}},
      {"<a/>text", {1, 5}},
      {"<a x='1' x='2'/>", {1, 10}},
      {"<a x=1/>", {1, 6}},
      {"<a>\n&nope;</a>", {2, 1}},
      {"<a>\x01</a>", {1, 4}},
      {"<a>\xff</a>", {1, 4}},
      {"<a x='<'/>", {1, 7}},
  };
  for (const auto& row : rows) {
    CAPTURE(row.first);
    auto parsed = parse(row.first);
    CHECK_FALSE(parsed.value.has_value());
    test::Expected expected(parsed.diagnostics);
    expected.drop_notes();
    expected.take("xml-syntax", row.second);
  }
}

TEST_CASE("xml: a tag that closes another element is named, with the one that is open") {
  auto wrong = parse("<a>\n  <b>\n    <c/>\n  </d>\n</a>");
  test::Expected mismatched(wrong.diagnostics);
  CHECK(mismatched.take("xml-syntax", Position{4, 5}) == "mismatched tag: </d> where </b> is expected");
  CHECK(mismatched.take("xml-syntax", Position{2, 3}) == "<b> begins here");
  auto cut = parse("<a>\n<b/>\n");
  test::Expected unclosed(cut.diagnostics);
  CHECK(unclosed.take("xml-syntax", Position{3, 1}) == "the file ends where </a> is expected");
  unclosed.take("xml-syntax", Position{1, 1});
}

TEST_CASE("xml: entity definitions, depth and size are limited") {
  auto entity = parse("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>");
  test::Expected(entity.diagnostics).take("xml-entity");
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "<a>";
  test::Expected(parse(deep).diagnostics).take("xml-depth", Position{1, 769});
  test::Expected(xml::Document::parse("<a/>", "a.xml", {.max_depth = 5, .max_bytes = 2}).diagnostics).take("xml-size");
  CHECK(xml::Document::parse("<a>\n<b/></a>", "a.xml", {.max_elements = 2}).ok());
  test::Expected(xml::Document::parse("<a><b/>\n <b/></a>", "a.xml", {.max_elements = 2}).diagnostics)
      .take("xml-size", Position{2, 2});
  std::string wide = "<a>\n<b";
  for (int i = 0; i < 1000; ++i) wide += " x" + std::to_string(i) + "='1'";
  CHECK(parse(wide + "/></a>").ok());
  test::Expected(parse(wide + " y='1'/></a>").diagnostics).take("xml-size", Position{2, 1});
}

TEST_CASE("xml: a reader reports every problem of an element, with the nearest name") {
  const auto parsed =
      parse("<Box naem='a' mass='1.5x' size='-2' n='3.5' flag='maybe' kind='z'>\n<Postion/><Mass/><Mass/>hello</Box>");
  REQUIRE(parsed.ok());
  Diagnostics diagnostics("a.xml");
  xml::ElementReader box(parsed.value->root(), diagnostics);
  CHECK_FALSE(box.required_string("name"));
  CHECK_FALSE(box.number("mass"));
  CHECK_FALSE(box.number("size", xml::Range::positive()));
  CHECK_FALSE(box.integer("n"));
  CHECK_FALSE(box.boolean("flag"));
  const std::string_view kinds[] = {"x", "y"};
  CHECK_FALSE(box.choice("kind", kinds));
  CHECK_FALSE(box.required_child("Position"));
  CHECK(box.child("Mass"));
  box.finish();
  CHECK_FALSE(box.ok());
  test::Expected expected(diagnostics);
  expected.take("xml-attribute-missing");
  expected.take("xml-number", Position{1, 21});
  CHECK(expected.take("xml-number-range", Position{1, 33}) == "size=\"-2\", expected a number > 0");
  expected.take("xml-number", Position{1, 40});
  expected.take("xml-boolean");
  CHECK(expected.take("xml-choice") == "kind=\"z\", expected one of x, y");
  expected.take("xml-element-missing");
  expected.take("xml-element-repeated");
  expected.drop_notes();
  CHECK(expected.take("xml-attribute-unknown") == "<Box> has no attribute \"naem\", did you mean \"name\"?");
  CHECK(expected.take("xml-element-unknown") == "<Box> has no element \"Postion\", did you mean \"Position\"?");
  expected.take("xml-text-stray");
}

TEST_CASE("xml: what the writer writes reads back the same") {
  xml::Writer writer;
  writer.start("a");
  writer.attribute("odd", "<&>\"'\n\t\r\xc3\xbc");
  writer.attribute("half", 0.5);
  writer.comment("two -- dashes-");
  writer.start("b");
  writer.text("x < y & z");
  writer.end();
  writer.start("c");
  writer.end();
  writer.end();
  const std::string text = writer.take();
  const auto parsed = parse(text);
  REQUIRE_MESSAGE(parsed.ok(), test::all_text(parsed.diagnostics));
  CHECK(parsed.value->root().attribute("odd") == "<&>\"'\n\t\r\xc3\xbc");
  CHECK(parsed.value->root().attribute("half") == "0.5");
  CHECK(parsed.value->root().first_child("b").text() == "x < y & z");
}

TEST_CASE("xml: no prefix and no mutation of a document breaks the reader") {
  const std::string_view text = "<?xml version=\"1.0\"?>\n<!-- c --><a x='1'><b y=\"2\">t&amp;<![CDATA[u]]></b><c/></a>\n";
  const auto walk = [](std::string_view input) {
    const auto parsed = parse(input);
    if (!parsed.value) return;
    const std::function<void(xml::Element)> visit = [&](xml::Element e) {
      for (const auto name : e.attribute_names()) (void)e.attribute_position(name);
      (void)e.position();
      for (const auto child : e.children()) visit(child);
    };
    visit(parsed.value->root());
  };
  test::for_every_prefix(text, walk);
  for (std::uint64_t seed = 0; seed < 3000; ++seed) walk(test::mutated(text, seed));
}

TEST_CASE("xml: a writer makes a well-formed document of any text") {
  struct Row {
    std::string_view text, read_back;
  };
  const Row rows[] = {
      {"bad \xff byte, cut \xc3", "bad \uFFFD byte, cut \uFFFD"},
      {"latin-1 \xe4\xf6", "latin-1 \uFFFD\uFFFD"},
      {"surrogate \xed\xa0\x80", "surrogate \uFFFD\uFFFD\uFFFD"},
      {std::string_view("nul \0 bell \x07 escape \x1b", 19), "nul \uFFFD bell \uFFFD escape"},
      {"\xef\xbf\xbe and \xef\xbf\xbf, but \xef\xbf\xbd", "\uFFFD and \uFFFD, but \uFFFD"},
      {"tab\tline\nend\r", "tab\tline\nend\r"},
  };
  for (const Row& row : rows) {
    xml::Writer writer;
    writer.start("a");
    writer.attribute("b", row.text);
    writer.text(row.text);
    writer.end();
    const std::string text = writer.take();
    CAPTURE(text);
    const auto parsed = parse(text);
    REQUIRE_MESSAGE(parsed.ok(), test::all_text(parsed.diagnostics));
    CHECK(std::string_view(*parsed.value->root().attribute("b")).substr(0, row.read_back.size()) == row.read_back);
    CHECK(std::string_view(parsed.value->root().text()).substr(0, row.read_back.size()) == row.read_back);
  }
}

TEST_CASE("xml: the bytes of an attribute's value have places, past references and line ends") {
  const auto document = xml::Document::parse("<a\n  b='x' c=\"1 &lt; 2&#xE4;3\n4\r\n5\"/>", "f.xml");
  REQUIRE(document.ok());
  const xml::Element root = document.value->root();
  REQUIRE(root.attribute("c") ==
          "1 < 2\xC3\xA4"
          "3 4 5");
  const TextPlaces places = root.attribute_places("c");
  CHECK(places.at(0) == Position{2, 12});
  CHECK(places.at(2) == Position{2, 14});  // the reference
  CHECK(places.at(3) == Position{2, 18});  // the blank after it
  CHECK(places.at(7) == Position{2, 26});  // 3
  CHECK(places.at(9) == Position{3, 1});   // 4
  CHECK(places.at(11) == Position{4, 1});  // 5
  CHECK(root.attribute_places("d").at(0) == Position{});
}

TEST_CASE("xml: character data and values read as XML says, in every encoding") {
  const std::string_view text =
      "<a x='1\r\n2\t3&#9;\"' y = '>' z=\"/>&amp;'&#x20AC;\">1&lt;2\r\n3\r<!-- <b> -->4<?p <b> ?>"
      "<b>no</b>5<c /><![CDATA[<b>&lt;\r\n]]]]>6&#13;<b ></b\n>\xC3\xA4</a>";
  const auto check = [](std::string input) {
    const auto parsed = xml::Document::parse(std::move(input), "a.xml");
    REQUIRE_MESSAGE(parsed.ok(), test::all_text(parsed.diagnostics));
    const xml::Element a = parsed.value->root();
    CHECK(a.attribute("x") == "1 2 3\t\"");
    CHECK(a.attribute("y") == ">");
    CHECK(a.attribute("z") == "/>&'\u20AC");
    CHECK(a.text() == "1<2\n3\n45<b>&lt;\n]]6\r\u00E4");
    REQUIRE(a.children().size() == 3);
    CHECK(a.children("b").size() == 2);
    std::string kept;
    CHECK(a.text(kept) == a.text());
    CHECK(a.first_child().text() == "no");
    CHECK(a.first_child("b").next_sibling("b").text().empty());
    CHECK(a.first_child("c").text().empty());
    CHECK_FALSE(a.first_child("c").first_child());
    CHECK(a.first_child("c").parent() == a);
    CHECK_FALSE(a.next_sibling());
    CHECK_FALSE(a.parent());
    CHECK(a.is_mixed());
    CHECK_FALSE(a.first_child("c").is_mixed());
  };
  check(std::string(text));
  check("\xEF\xBB\xBF" + std::string(text));
  std::string latin = "<?xml version='1.0' encoding='ISO-8859-1'?>" + std::string(text);
  latin.replace(latin.find("\xC3\xA4"), 2, "\xE4");
  check(latin);
  for (const bool big : {false, true}) {
    std::string wide = big ? "\xFE\xFF" : "\xFF\xFE";
    for (const char c : latin.substr(latin.find("<a"))) wide += big ? std::string{'\0', c} : std::string{c, '\0'};
    check(wide);
  }
}

TEST_CASE("xml: blanks between elements are no text, even if they are written as references") {
  CHECK_FALSE(parse("<a>\n <b/>&#32;&#x9;<!-- c -->\n</a>").value->root().is_mixed());
  CHECK(parse("<a>\n <b/>.</a>").value->root().is_mixed());
  CHECK(parse("<a><![CDATA[.]]></a>").value->root().is_mixed());
}

TEST_CASE("xml: a text is given as it is where it reads as it is written") {
  const std::string text = "<a><b>1 2</b><b/><b>1&#32;2</b><b>1<!-- c --> 2</b><b>1 2<c/></b><b><![CDATA[1 2]]></b></a>";
  const auto parsed = xml::Document::parse(std::string_view(text), "a.xml");
  REQUIRE(parsed.ok());
  std::vector<bool> copied;
  for (const xml::Element& b : parsed.value->root().children("b")) {
    std::string kept;
    const std::string_view read = b.text(kept);
    CHECK(read == (b.is_mixed() ? "1 2" : ""));
    copied.push_back(b.is_mixed() && (read.data() < text.data() || read.data() >= text.data() + text.size()));
  }
  CHECK(copied == std::vector<bool>{false, false, true, true, true, true});
  std::string kept;
  CHECK(xml::Element().text(kept).empty());
}

TEST_CASE("xml: children one after the other, and elements that are records") {
  const auto parsed = parse("<a><b/><c><b/></c>\n<b/></a>");
  REQUIRE(parsed.ok());
  const xml::Element a = parsed.value->root();
  CHECK(a.children().size() == 3);
  CHECK(a.children("b").size() == 2);
  CHECK(a.children("b").front() == a.first_child());
  CHECK(a.children("d").empty());
  CHECK_FALSE(a.children("d").front());
  // A name that is gone before the children are visited.
  std::size_t visited = 0;
  for (const xml::Element& child : a.children(std::string(100, 'x').replace(0, 100, "b"))) visited += child ? 1 : 0;
  CHECK(visited == 2);
  CHECK(xml::Element().children().empty());
  constexpr Code kMany{"test-many", Severity::error, "too many"};
  constexpr std::string_view kNames[] = {"b", "d"};
  Diagnostics diagnostics("f");
  RecordCount three(kMany, "things", 3), two(kMany, "things", 2);
  CHECK(parsed.value->is_within(three, kNames, diagnostics));
  CHECK(diagnostics.empty());
  CHECK_FALSE(parsed.value->is_within(two, kNames, diagnostics));
  test::Expected(std::move(diagnostics)).take("test-many", Position{2, 1});
}
