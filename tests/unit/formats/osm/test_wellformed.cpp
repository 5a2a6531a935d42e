// Well-formedness against Expat: what it refuses, our scanner must refuse.
#include <doctest/doctest.h>
#include <expat.h>

#include <array>
#include <vector>

#include "base/core/text.hpp"
#include "formats/osm/codes.hpp"
#include "formats/osm/read.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::osm;

namespace {

struct Verdict {
  bool accepted;
  std::uint64_t line;
  std::string message;
};

Verdict expat(std::string_view text) {
  XML_Parser parser = XML_ParserCreate(nullptr);
  const bool accepted = XML_Parse(parser, text.data(), static_cast<int>(text.size()), 1) == XML_STATUS_OK;
  Verdict verdict{accepted, XML_GetCurrentLineNumber(parser), accepted ? "" : XML_ErrorString(XML_GetErrorCode(parser))};
  XML_ParserFree(parser);
  return verdict;
}

bool is_xml_code(std::string_view code) {
  return code.starts_with("osm-xml") || code == code::kDoctype.name || code == code::kEncoding.name ||
         code == code::kEmpty.name;
}

/// The error that says "not XML", if there is one.
const Diagnostic* xml_error(const Diagnostics& diagnostics) {
  for (const Diagnostic& d : diagnostics.items())
    if (d.severity == Severity::error && is_xml_code(d.code)) return &d;
  return nullptr;
}

/// Ours may be stricter in these ways only (docs/formats/osm.md).
bool may_be_stricter(std::string_view text, const Diagnostic& d) {
  return d.code == code::kDoctype.name || d.code == code::kEncoding.name || d.code == code::kXmlDepth.name ||
         d.message.find("outside ASCII") != std::string::npos || d.message.find("XML version") != std::string::npos ||
         text.find("<!DOCTYPE") != std::string_view::npos;
}

void compare(std::string_view text) {
  const Verdict verdict = expat(text);
  const auto read = read_xml(text, {}, "t.osm");
  const Diagnostic* ours = xml_error(read.diagnostics);
  if (!verdict.accepted) {
    INFO("Expat: line " << verdict.line << ": " << verdict.message << "\nours: " << test::all_text(read.diagnostics));
    // A wrong root ends our reading before the rest is seen: an error in any case.
    if (!read.diagnostics.has_errors()) FAIL("accepted: " << quoted(text, 3000));
  } else if (ours != nullptr && !may_be_stricter(text, *ours)) {
    FAIL("refused: " << to_text(*ours) << "\n" << quoted(text, 3000));
  }
}

std::string doc(std::string_view inside) { return "<osm version='0.6'>\n" + std::string(inside) + "\n</osm>\n"; }

}  // namespace

TEST_CASE("osm: texts that are no XML are refused where they stop being XML") {
  struct Row {
    std::string text;
    const Code& code;
    Position at;
  };
  const Row rows[] = {
      {"", code::kEmpty, {1, 1}},
      {"\n", code::kXmlTruncated, {2, 1}},
      {"\xEF\xBB\xBF ", code::kXmlTruncated, {1, 2}},
      {"hello", code::kXml, {1, 1}},
      {"\xEF\xBB\xBF<?xml maxlon='2'" + std::string(400, '\n') + "?>", code::kXml, {1, 6}},
      {"<osm version='0.6'>", code::kXmlTruncated, {1, 20}},
      {"<osm version='0.6'", code::kXmlTruncated, {1, 1}},
      {"<osm version='0.6", code::kXmlTruncated, {1, 1}},
      {"<osm version='0.6'></osm", code::kXmlTruncated, {1, 20}},
      {"<osm version='0.6'></osn>", code::kXmlNesting, {1, 20}},
      {"<osm version='0.6'/><osm version='0.6'/>", code::kXml, {1, 21}},
      {"<osm version='0.6'/>\ntext", code::kXml, {2, 1}},
      {"<osm version='0.6'/>\n</osm>", code::kXmlNesting, {2, 1}},
      {"<osm version='0.6'/><![CDATA[]]>", code::kXml, {1, 21}},
      {" <?xml version='1.0'?><osm version='0.6'/>", code::kXml, {1, 2}},
      {"<?xml?><osm version='0.6'/>", code::kXml, {1, 1}},
      {"<?xml encoding='UTF-8'?><osm version='0.6'/>", code::kXml, {1, 6}},
      {"<?xml version='1.0' standalone='maybe'?><osm version='0.6'/>", code::kXml, {1, 33}},
      {"<?xml version='1.0' encoding='UTF 8'?><osm version='0.6'/>", code::kXml, {1, 31}},
      {"<?xml version='1.0' standalone='yes' encoding='UTF-8'?><osm version='0.6'/>", code::kXml, {1, 38}},
      {"<?xml version='1.0' encoding='ISO-8859-1'?><osm version='0.6'/>", code::kEncoding, {1, 44}},
      {std::string("\xFF\xFE<\0o\0s\0m\0", 10), code::kEncoding, {1, 1}},
      {"<!DOCTYPE osm [<!ENTITY a 'b'>]><osm version='0.6'/>", code::kDoctype, {1, 1}},
      {doc("<node id='1' lat='1' lon='1' id='2'/>"), code::kXmlAttribute, {2, 30}},
      {doc("<x a1='' a2='' a3='' a4='' a5='' a6='' a7='' a8='' a9='' b='' c='' d='' e='' f='' g='' h='' i='' a7=''/>"),
       code::kXmlAttribute,
       {2, 98}},
      {doc("<node id='1'lat='1' lon='1'/>"), code::kXml, {2, 13}},
      {doc("<node id=1 lat='1' lon='1'/>"), code::kXml, {2, 10}},
      {doc("<node id lat='1' lon='1'/>"), code::kXml, {2, 10}},
      {doc("<node id='1' lat='1' lon='1'/ >"), code::kXml, {2, 30}},
      {doc("<node id='1' lat='1' lon='1' 2='3'/>"), code::kXml, {2, 30}},
      {doc("< node/>"), code::kXml, {2, 1}},
      {doc("<node id='1' lat='<' lon='1'/>"), code::kXml, {2, 19}},
      {doc("<a>&nbsp;</a>"), code::kXmlEntity, {2, 4}},
      {doc("<a>R&D</a>"), code::kXmlEntity, {2, 5}},
      {doc("<a b='&#0;'/>"), code::kXmlEntity, {2, 7}},
      {doc("<a b='&#x110000;'/>"), code::kXmlEntity, {2, 7}},
      {doc("<a b='&#xD800;'/>"), code::kXmlEntity, {2, 7}},
      {doc("<a b='&#xFFFE;'/>"), code::kXmlEntity, {2, 7}},
      {doc("<a b='&#;'/>"), code::kXmlEntity, {2, 7}},
      {doc("<a b='&#X41;'/>"), code::kXmlEntity, {2, 7}},
      {doc("<a b='&;'/>"), code::kXmlEntity, {2, 7}},
      {doc("<a b='&amp'/>"), code::kXmlEntity, {2, 7}},
      {doc("<tag k='a' v='\x01'/>"), code::kXmlCharacter, {2, 15}},
      {doc("a\x02"), code::kXmlCharacter, {2, 2}},
      {doc(std::string_view("<a>\0</a>", 8)), code::kXmlCharacter, {2, 4}},
      {doc("<a b='\xC3('/>"), code::kXmlCharacter, {2, 7}},
      {doc("<a b='\xED\xA0\x80'/>"), code::kXmlCharacter, {2, 7}},
      {doc("<a b='\xEF\xBF\xBF'/>"), code::kXmlCharacter, {2, 7}},
      {doc("<a b='\xF5\x80\x80\x80'/>"), code::kXmlCharacter, {2, 7}},
      {doc("<a b='\xC0\xAF'/>"), code::kXmlCharacter, {2, 7}},
      {doc("<!-- a -- b -->"), code::kXml, {2, 8}},
      {doc("<!-- a --->"), code::kXml, {2, 8}},
      {doc("<!-- \x03 -->"), code::kXmlCharacter, {2, 6}},
      {doc("<!- a -->"), code::kXml, {2, 1}},
      {doc("<?xml version='1.0'?>"), code::kXml, {2, 1}},
      {doc("<?XmL a?>"), code::kXml, {2, 1}},
      {doc("<? a?>"), code::kXml, {2, 1}},
      {doc("a ]]> b"), code::kXml, {2, 3}},
      {doc("<![CDATA[ a ]] >"), code::kXmlTruncated, {2, 1}},
      {doc("<a><b></a></b>"), code::kXmlNesting, {2, 7}},
      {doc("<a></ a>"), code::kXml, {2, 7}},
      {doc("<a></a b='1'>"), code::kXml, {2, 8}},
      {doc("<node id='1' lat='1' lon='1'></way>"), code::kXmlNesting, {2, 30}},
      {doc("<stra\xC3\x9F"
           "e/>"),
       code::kXml,
       {2, 6}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto read = read_xml(row.text, {}, "t.osm");
    CHECK_FALSE(read.value.has_value());
    const Diagnostic* error = xml_error(read.diagnostics);
    REQUIRE_MESSAGE(error != nullptr, test::all_text(read.diagnostics));
    CHECK(error->code == row.code.name);
    CHECK_MESSAGE(error->at == row.at, error->at.line << ":" << error->at.column << " " << error->message);
    if (!may_be_stricter(row.text, *error)) CHECK(!expat(row.text).accepted);
    compare(row.text);
  }
}

TEST_CASE("osm: odd but well-formed XML is read") {
  const std::string rows[] = {
      "\xEF\xBB\xBF<osm version='0.6'/>",
      "<?xml version='1.0'?>\n<!-- a --><?foo bar?>\n<osm version='0.6'/>\n<!-- b --><?x?>\n",
      "<?xml\tversion = \"1.0\"\nencoding='utf-8' standalone='no' ?><osm\nversion='0.6'\n/>",
      "<?xml version='1.0' encoding='US-ASCII'?><osm version='0.6'></osm >",
      doc("<node\tid='1'\r\nlat='1'   lon = '1' version='1'\n></node\n>"),
      doc("<!----><!-- - --><?a?><?b ? > ?>"),
      doc("<note>a ]] > &lt;&#65;&#x10FFFF; <![CDATA[<&]]]]> &gt;</note>"),
      doc("<node id='1' version='1' lat='1' lon='1'><tag k='\"' v=\"'&quot;&apos;&#9;\"/></node>"),
      doc("<node id='1' version='1' lat='1' lon='1'><tag k='a' v='\xF0\x9F\x8F\xA0 \xD0\x9C\xD0\xBE\xEE\x80\x80'/></node>"),
      doc("<node id=\"1\" version='1' lat=\"1\" lon='1' a.b-c_d:e='f>g'/>"),
      doc("<node xml:id='1' version='1' id='1' lat='1' lon='1' user='\x7F'/>"),
  };
  for (const std::string& text : rows) {
    CAPTURE(text);
    CHECK_MESSAGE(expat(text).accepted, expat(text).message);
    const auto read = read_xml(text, {}, "t.osm");
    CHECK_MESSAGE(read.ok(), test::all_text(read.diagnostics));
  }
}

TEST_CASE("osm: Expat refuses no prefix and no mutation of a file that is accepted") {
  const std::string own = doc(
      "<!-- c --><?p i?><bounds minlat='1' minlon='1' maxlat='2' maxlon='2'/>\n"
      "<node id='1' version='1' lat='1' lon='1' user='a&amp;b &#x20AC; \xC3\xA9'/>\n"
      "<node id='2' version='1' lat='1.5' lon='1'>\r\n <tag k='name' v='\xE4\xB8\xAD'/></node><way id='3'>\n<nd ref='1'/><nd ref=\"2\" />"
      "<tag k='highway' v='residential'/></way>\n<note><![CDATA[x]]></note><relation id='4'><member type='way' ref='3' role=''/></relation>");
  test::for_every_prefix(own, compare);
  for (std::uint64_t seed = 0; seed < 20000; ++seed) compare(test::mutated(own, seed));
  for (const char* name :
       {"velluters-2007-v05", "las-palmas-2010", "moscow-marfino-2013", "beatty", "perth-peanut-roundabout"}) {
    const auto file = test::shared_file("corpus/osm/" + std::string(name) + ".osm");
    if (!file) continue;
    const std::string text = test::read_text(*file);
    compare(text);
    // Cuts of the file keep the test short: its start, and pieces of it within a root.
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
      const std::string_view head = std::string_view(text).substr(0, 3000);
      compare(test::mutated(head, seed));
      const std::string_view piece = std::string_view(text).substr(seed * 1231 % (text.size() - 3000), 2500);
      compare(test::mutated(doc(piece.substr(piece.find('<'))), seed));
    }
    test::for_every_prefix(text, compare, 20);
  }
}
