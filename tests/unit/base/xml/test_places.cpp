// Places of elements and attributes in documents of any layout and encoding, problems of a reader at their places, and random
// documents that are written and read back.
#include <doctest/doctest.h>

#include "base/core/random.hpp"
#include "base/xml/codes.hpp"
#include "base/xml/xml.hpp"
#include "tests/support/marked.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::xml;
using simbatch::test::check_only;
using simbatch::test::marked;

namespace {

Document parsed(std::string_view text) {
  auto document = Document::parse(std::string(text), "a.xml");
  REQUIRE_MESSAGE(document.value, test::all_text(document.diagnostics));
  return std::move(*document.value);
}

// Reads an <e> by every getter once.
void read_all(Element root, Diagnostics& diagnostics) {
  ElementReader reader(root, diagnostics);
  static constexpr std::string_view kWords[] = {"red", "green"};
  (void)reader.required_string("name");
  (void)reader.string("note");
  (void)reader.number("x", Range::between(-1, 1));
  (void)reader.number("share", {0, 1, true, true});
  (void)reader.required_number("mass", Range::positive());
  (void)reader.integer("n", 1, 10);
  (void)reader.required_integer("id");
  (void)reader.boolean("on");
  (void)reader.choice("color", kWords);
  (void)reader.required_child("body");
  (void)reader.child("wheel");
  for (const Element& part : reader.children("part")) {
    ElementReader inner(part, diagnostics);
    (void)inner.text();
    inner.finish(Severity::warning);
  }
  reader.finish();
}

struct Node {
  std::string name, text;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<Node> children;
};

std::string any_text(RandomStream& random) {
  std::string text;
  for (std::uint64_t n = random.below(12); n > 0; --n) {
    static const char* const kPieces[] = {
        "a", "Z", "&", "<", ">", "\"", "'", "\n", "\t", "\r", "]]>", "--", "\xc3\xa4", "\xf0\x9f\x98\x80", " "};
    text += kPieces[random.below(std::size(kPieces))];
  }
  return text;
}

Node any_node(RandomStream& random, int depth) {
  Node node;
  node.name = std::string("abcd").substr(random.below(4), 1) + (random.below(3) == 0 ? "-x.1" : "");
  for (std::uint64_t n = random.below(4); n > 0; --n) node.attributes.emplace_back("k" + std::to_string(n), any_text(random));
  if (depth > 0 && random.below(3) > 0)
    for (std::uint64_t n = 1 + random.below(4); n > 0; --n) node.children.push_back(any_node(random, depth - 1));
  else if (random.below(2) == 0)
    node.text = any_text(random);
  return node;
}

void write(const Node& node, Writer& writer) {
  writer.start(node.name);
  for (const auto& [name, value] : node.attributes) writer.attribute(name, value);
  if (!node.text.empty()) writer.text(node.text);
  for (const Node& child : node.children) write(child, writer);
  writer.end();
}

void compare(const Node& node, Element element) {
  REQUIRE(element.name() == node.name);
  CHECK(element.attribute_names().size() == node.attributes.size());
  for (const auto& [name, value] : node.attributes) CHECK(element.attribute(name) == value);
  if (node.children.empty()) CHECK(element.text() == node.text);
  const Children all = element.children();
  const std::vector<Element> children(all.begin(), all.end());
  REQUIRE(children.size() == node.children.size());
  for (std::size_t i = 0; i < children.size(); ++i) {
    CHECK(children[i].parent() == element);
    compare(node.children[i], children[i]);
  }
}

}  // namespace

TEST_CASE("xml: blanks around a number are no part of it, as in XML Schema") {
  const Document document = parsed("<e x=' 0.5&#10;' n='\t7 ' inner=' '/>");
  Diagnostics diagnostics;
  ElementReader reader(document.root(), diagnostics);
  CHECK(reader.number("x") == 0.5);
  CHECK(reader.integer("n", 1, 10) == 7);
  CHECK(reader.string("inner") == " ");
  CHECK(diagnostics.empty());
}

TEST_CASE("xml: each problem that a reader finds is at its attribute or element") {
  using namespace code;
  constexpr std::string_view kGood = "<e name='n' mass='1' id='7'><body/></e>";
  Diagnostics none("a.xml");
  read_all(parsed(kGood).root(), none);
  REQUIRE_MESSAGE(none.items().empty(), test::all_text(none));
  struct Row {
    std::string_view what, with;
    const Code& code;
  };
  for (const Row& row : {
           Row{"<e name='n'", "@<e", kAttributeMissing},
           Row{"name='n'", "name='@'", kAttributeMissing},
           Row{"mass='1'", "mass='@0'", kNumberRange},
           Row{"mass='1'", "mass='@-1'", kNumberRange},
           Row{"mass='1'", "mass='@1e999'", kNumberRange},
           Row{"mass='1'", "mass='@nan'", kNumber},
           Row{"mass='1'", "mass='@inf'", kNumber},
           Row{"mass='1'", "mass='@1 2'", kNumber},
           Row{"mass='1'", "mass='@ '", kNumber},
           Row{"mass='1'", "mass='@0x10'", kNumber},
           Row{"mass='1'", "mass='@1,5'", kNumber},
           Row{"mass='1'", "mass = \n \"@heavy\"", kNumber},
           Row{"mass='1'", "mass='1' x='@1.001'", kNumberRange},
           Row{"mass='1'", "mass='1' share='@1'", kNumberRange},
           Row{"mass='1'", "mass='1' share='@0'", kNumberRange},
           Row{"mass='1'", "mass='1' share='@'", kNumber},
           Row{"id='7'", "id='@7.0'", kNumber},
           Row{"id='7'", "id='@9223372036854775808'", kNumberRange},
           Row{"id='7'", "id='7' n='@0'", kNumberRange},
           Row{"id='7'", "id='7' n='@11'", kNumberRange},
           Row{"id='7'", "id='7' on='@perhaps'", kBoolean},
           Row{"id='7'", "id='7' color='@Red'", kChoice},
           Row{"id='7'", "id='7' ident='@7'", kAttributeUnknown},
           Row{"id='7'", "id='7' a:b='@7'", kAttributeUnknown},
           Row{"<e name='n' mass='1' id='7'><body/>", "@<e name='n' mass='1' id='7'>", kElementMissing},
           Row{"<body/>", "<body/>\n<!-- <body/> -->\n  @<body/>", kElementRepeated},
           Row{"<body/>", "<body/><wheel/><part/><![CDATA[<wheel/>]]>", kTextStray},
           Row{"<body/>", "<body/>\n\t@<wheels/>", kElementUnknown},
           Row{"<body/>", "<body/><part>text</part><part @a='1'/>", kAttributeUnknown},
           Row{"<body/>", "<body/><part>text</part><part>@<b/></part>", kElementUnknown},
           Row{"<e name='n'", "@<e name='n'", kTextStray},
       }) {
    CAPTURE(row.with);
    std::string text = test::replaced(kGood, row.what, row.with);
    if (&row.code == &kTextStray && text.find('@') != std::string::npos)
      text = test::replaced(text, "<body/>", "<body/> text ");
    const test::Marked file = marked(text);
    Diagnostics found("a.xml");
    const Document document = parsed(file.text);
    read_all(document.root(), found);
    Position at = file.at.line == 0 ? Position{1, 1} : file.at;
    if (row.with.find("<part @a='1'/>") != std::string_view::npos) at.column += 3;  // the value, past a='
    check_only(found, row.code.name, at);
  }
}

TEST_CASE("xml: a reader accepts the ends of its ranges and every way to write a truth") {
  for (const std::string_view good :
       {"x='-1'", "x='1'", "x='-0'", "x='1e-400'", "share='0.5'", "n='1'", "n='10'", "on='TRUE'", "on='0'", "on='yes'",
        "on='No'", "color='green'", "note=''", "xmlns:q='urn:x'", "xsi:type='q'"}) {
    CAPTURE(good);
    Diagnostics found("a.xml");
    const Document document = parsed("<e xmlns:xsi='urn:xsi' name='n' mass='1' id='7' " + std::string(good) + "><body/></e>");
    read_all(document.root(), found);
    CHECK(test::all_text(found) == "");
  }
}

TEST_CASE("xml: what is not well-formed is refused where it is") {
  for (const auto& [text, code] : {
           std::pair{"<a>\n @<1/></a>", code::kSyntax},
           std::pair{"<a b='1' @b='2'/>", code::kSyntax},
           std::pair{"<a>&@nope;</a>", code::kSyntax},
           std::pair{"<a b=@1/>", code::kSyntax},
           std::pair{"<a/>\n@<b/>", code::kSyntax},
           std::pair{"<a/>\n@text", code::kSyntax},
           std::pair{"@", code::kSyntax},
           std::pair{"<a>\n  <!-- @-- --></a>", code::kSyntax},
       }) {
    const auto& shown = text;  // clang 14 cannot capture text itself
    CAPTURE(shown);
    const test::Marked file = marked(text);
    const auto document = Document::parse(file.text, "a.xml");
    CHECK_FALSE(document.value);
    REQUIRE(document.diagnostics.items().size() == 1);
    CHECK(document.diagnostics.items()[0].code == code.name);
    // Expat points at the character or at the token that it is in.
    CHECK(document.diagnostics.items()[0].at.line == file.at.line);
  }
}

TEST_CASE("xml: places are those in UTF-8, whatever the encoding of the file") {
  struct Row {
    const char* what;
    std::string text;
    Position element, attribute;
  };
  const auto wide = [](std::string_view text) {
    std::string out = "\xff\xfe";
    for (const char c : text) (out += c) += '\0';
    return out;
  };
  for (const Row& row : {
           Row{"UTF-8", "<a x='\xc3\xa4\xc3\xa4'><b y='1'/></a>", {1, 13}, {1, 19}},
           Row{"UTF-8 with a mark", "\xEF\xBB\xBF<a x='\xc3\xa4'>\n<b y='1'/></a>", {2, 1}, {2, 7}},
           Row{"CR LF", "<a>\r\n  <b\r\n y='1'/></a>", {2, 3}, {3, 5}},
           Row{"ISO-8859-1", "<?xml version='1.0' encoding='ISO-8859-1'?>\n<a x='\xe4\xe4'><b y='1'/></a>", {2, 13}, {2, 19}},
           Row{"ISO-8859-1, long",
               "<?xml version='1.0' encoding='ISO-8859-1'?>\n<a x='" + std::string(3000, '\xe4') + "'>\n<b y='1'/></a>",
               {3, 1},
               {3, 7}},
       }) {
    CAPTURE(std::string(row.what));
    const Document document = parsed(row.text);
    const Element b = document.root().first_child("b");
    REQUIRE(b);
    CHECK(b.position() == row.element);
    CHECK(b.attribute_position("y") == row.attribute);
    CHECK(b.attribute("y") == "1");
  }
  // 16 bits a character, with a pair of them for one.
  std::string pair = wide("<?xml version='1.0' encoding='UTF-16'?>\n<a x='##'>\n<b y='1'/></a>");
  pair.replace(pair.find('#'), 4, "\x3d\xd8\x00\xde", 4);
  std::string swapped = pair;
  for (std::size_t i = 0; i + 1 < swapped.size(); i += 2) std::swap(swapped[i], swapped[i + 1]);
  for (const std::string& text : {pair, swapped}) {
    const Document document = parsed(text);
    CHECK(document.root().attribute("x") == "\xf0\x9f\x98\x80");
    CHECK(document.root().first_child("b").attribute("y") == "1");
    CHECK(document.root().first_child("b").position() == Position{3, 1});
    CHECK(document.root().first_child("b").attribute_position("y") == Position{3, 7});
  }
}

TEST_CASE("xml: random documents are written and read back, and so are their places") {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    CAPTURE(seed);
    RandomStream random(seed, "xml");
    const Node root = any_node(random, 4);
    Writer writer;
    write(root, writer);
    const std::string text = writer.take();
    CAPTURE(text);
    const Document document = parsed(text);
    compare(root, document.root());
    // Each element is where its tag is, each value after its quote.
    std::vector<std::size_t> lines{0};
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') lines.push_back(i + 1);
    std::vector<Element> todo{document.root()};
    while (!todo.empty()) {
      const Element e = todo.back();
      todo.pop_back();
      const std::size_t at = lines[e.position().line - 1] + e.position().column - 1;
      REQUIRE(std::string_view(text).substr(at).starts_with("<" + std::string(e.name())));
      for (const std::string_view name : e.attribute_names()) {
        const Position p = e.attribute_position(name);
        const std::size_t value = lines[p.line - 1] + p.column - 1;
        REQUIRE(std::string_view(text).substr(0, value).ends_with(" " + std::string(name) + "=\""));
        std::string escaped;
        append_escaped(escaped, *e.attribute(name), true);
        REQUIRE(std::string_view(text).substr(value).starts_with(escaped + "\""));
      }
      for (const Element& child : e.children()) todo.push_back(child);
    }
  }
}

TEST_CASE("xml: paths count siblings of one name from the second on") {
  const Document document = parsed("<a><b/><c/><b><d/><d/></b><!-- <b/> -->text<b/></a>");
  const Children all = document.root().children("b");
  const std::vector<Element> b(all.begin(), all.end());
  REQUIRE(b.size() == 3);
  CHECK(document.root().path() == "/a");
  CHECK(b[0].path() == "/a/b");
  CHECK(b[1].path() == "/a/b[2]");
  CHECK(b[2].path() == "/a/b[3]");
  CHECK(b[1].first_child().next_sibling().path() == "/a/b[2]/d[2]");
  CHECK(document.root().first_child("c").path() == "/a/c");
  CHECK_FALSE(document.root().first_child("e"));
  CHECK(document.root().first_child("e").path().empty());
  CHECK(document.root().first_child("e").position() == Position{});
  CHECK(Element().attribute("x") == std::nullopt);
  CHECK(Element().children().empty());
}

TEST_CASE("xml: the name of the first element is found past everything that may come before it") {
  for (const auto& [text, name] : {std::pair{"<a/>", "a"},
                                   {"<?xml version='1.0'?>\n<!-- <b> -->\n<a b='1'>", "a"},
                                   {"<!DOCTYPE a>\n<a\n>", "a"},
                                   {"\xEF\xBB\xBF  <ns:a/>", "ns:a"},
                                   {"<!-- unfinished <a>", ""},
                                   {"text", ""},
                                   {"", ""},
                                   {"<", ""}}) {
    const auto& shown = text;  // clang 14 cannot capture text itself
    CAPTURE(shown);
    CHECK(root_name(text) == name);
  }
}

TEST_CASE("xml: a writer refuses calls out of order") {
  Writer writer(false);
  CHECK_THROWS_AS(writer.text("x"), std::logic_error);
  CHECK_THROWS_AS(writer.end(), std::logic_error);
  writer.start("a");
  writer.attribute("n", std::int64_t{-9223372036854775807 - 1});
  writer.attribute("d", 0.1);
  writer.attribute("b", true);
  writer.comment("a--b---");
  CHECK_THROWS_AS(writer.attribute("late", "x"), std::logic_error);
  CHECK_THROWS_AS(writer.take(), std::logic_error);
  writer.start("c");
  writer.end();
  const std::string first = writer.take_part();
  writer.end();
  const std::string whole = first + writer.take();
  CHECK(whole == "<a n=\"-9223372036854775808\" d=\"0.1\" b=\"true\">\n  <!-- a- -b- - -  -->\n  <c/>\n</a>\n");
  CHECK(parsed(whole).root().first_child("c"));
}
