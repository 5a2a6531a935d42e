#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "base/xml/xml.hpp"
#include "formats/svg/svg.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;

TEST_CASE("svg: elements, attributes, numbers") {
  svg::Writer writer({-1.5, 0, 100, 2.0 / 3}, {{"width", 800}, {"font-family", "sans-serif"}}, 3);
  writer.start("g", {{"transform", svg::translate_rotate(1, -2.5, 90)}});
  writer.element("rect", {{"x", -0.0001}, {"y", {1.23456, 1}}, {"fill", "#fff"}});
  writer.text("title", {}, "a < b & c");
  writer.end();
  writer.element("path", {{"d", svg::Path().move_to(0, 0).line_to(1.255, 2).arc_to(3, true, 4, 5).close()}});
  CHECK(writer.take() ==
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-1.5 0 100 0.667\" width=\"800\" font-family=\"sans-serif\">\n"
        "  <g transform=\"translate(1 -2.5) rotate(90)\">\n"
        "    <rect x=\"0\" y=\"1.2\" fill=\"#fff\"/>\n"
        "    <title>a &lt; b &amp; c</title>\n"
        "  </g>\n"
        "  <path d=\"M0 0L1.25 2A3 3 0 0 1 4 5Z\"/>\n"
        "</svg>\n");
}

TEST_CASE("svg: numbers that are not finite are written as 0") {
  const double infinity = std::numeric_limits<double>::infinity();
  svg::Writer writer({0, 0, infinity, std::nan("")});
  writer.element("circle", {{"r", -infinity}});
  const std::string text = writer.take();
  CHECK(text.find("viewBox=\"0 0 0 0\"") != std::string::npos);
  CHECK(text.find("r=\"0\"") != std::string::npos);
  CHECK(svg::Path().move_to(infinity, 1).data() == "M0 1");
  CHECK(svg::Path(0).move_to(1e300, 0).data().find('e') == std::string::npos);  // no exponents
}

TEST_CASE("svg: any bytes in a text give a well-formed picture") {
  for (const std::string_view bytes : {std::string_view("bad \xff"), std::string_view("nul \0 escape \x1b", 13),
                                       std::string_view("]]> \xef\xbf\xbf"), std::string_view("cut \xc3")}) {
    svg::Writer writer({0, 0, 1, 1}, {{"id", bytes}});
    writer.text("title", {{"lang", bytes}}, bytes);
    const auto parsed = xml::Document::parse(writer.take(), "picture.svg");
    REQUIRE_MESSAGE(parsed.ok(), test::all_text(parsed.diagnostics));
    CHECK(parsed.value->root().first_child("title").text().find("\xef\xbf\xbd") != std::string::npos);
  }
}

TEST_CASE("svg: an element that is not ended is refused") {
  svg::Writer writer({0, 0, 1, 1});
  writer.start("g");
  CHECK_THROWS_AS((void)writer.take(), std::logic_error);
}
