#include <doctest/doctest.h>

#include <cmath>

#include "lib/plot/chart.hpp"

using namespace simbatch::plot;

TEST_CASE("plot: ticks are round numbers inside the range") {
  CHECK(nice_ticks(0, 1, 5) == std::vector<double>{0, 0.2, 0.4, 0.6, 0.8, 1});
  CHECK(nice_ticks(-0.31, 0.29, 6) == std::vector<double>{-0.3, -0.2, -0.1, 0, 0.1, 0.2});
  CHECK(nice_ticks(12000, 31000, 4) == std::vector<double>{15000, 20000, 25000, 30000});
  CHECK(nice_ticks(5, 5, 4).size() == 2);
}

TEST_CASE("plot: a peak of one sample in a million is still in the picture") {
  Series s{"peak", {}, {}};
  for (int i = 0; i < 1'000'000; ++i) {
    s.x.push_back(i);
    s.y.push_back(i == 500'123 ? 1 : 0);
  }
  const Chart chart{"A <title> & more", "step", "value", {s}, {{3, 0.5, "mark"}}, false};
  const std::string picture = svg({&chart, 1}, 1);
  CHECK(picture.size() < 30'000);
  CHECK(picture.find("A &lt;title&gt; &amp; more") != std::string::npos);
  // The top of the data lies 4 % of the extent under the frame's top: 30 + 224 * 0.04 / 1.08.
  CHECK(picture.find(" 38.3") != std::string::npos);
}

TEST_CASE("plot: points that are not finite break the line, and no data does not crash") {
  const double nan = std::nan("");
  const Chart gap{"", "", "", {{"", {0, 1, 2, 3}, {0, nan, 2, 3}}}, {}, true};
  const std::string picture = svg({&gap, 1}, 1);
  std::size_t moves = 0;
  const std::size_t line = picture.find("class=\"line\"");
  for (std::size_t i = line; picture[i] != '>'; ++i) moves += picture[i] == 'M';
  CHECK(moves == 2);
  const Chart huge{"", "", "", {{"", {0, 1, 2}, {-1.7e308, 1.7e308, 1e299}}}, {}, true};
  CHECK(svg({&huge, 1}, 1).find("</svg>") != std::string::npos);
  const Chart empty{};
  CHECK(svg({&empty, 1}, 3).find("</svg>") != std::string::npos);
  CHECK(svg({}, 2).find("</svg>") != std::string::npos);
}

TEST_CASE("plot: legends are above the frame, and numbers of any length beside it") {
  const auto number_after = [](const std::string& text, const std::string& mark, const std::string& name) {
    const std::size_t at = text.find(name + "=\"", text.find(mark)) + name.size() + 2;
    return std::stod(text.substr(at));
  };
  const std::vector<double> x{0, 1}, y{-31.97231, -31.97228};
  const std::string name = "impreza.chassis.a_long_name";
  const Chart one{"title", "", "", {{name, x, y}}, {}, false};
  const Chart three{"title", "", "", {{name, x, y}, {name, x, y}, {name, x, y}}, {}, false};
  const std::string single = svg({&one, 1}, 1), triple = svg({&three, 1}, 1);
  // Ticks like -31.97231 are nine letters: the frame begins where they and the label beside them have room.
  CHECK(number_after(single, "class=\"frame\"", "x") > 58 + 9);
  CHECK(number_after(single, "class=\"frame\"", "y") == 30);
  CHECK(number_after(triple, "class=\"frame\"", "y") == 30 + 13);  // two names to a line of 480 pixels
  const std::size_t last = triple.rfind(name);
  CHECK(number_after(triple.substr(triple.rfind("<text", last)), "<text", "y") < 30 + 13);
  // However small, a chart keeps half of its room.
  CHECK(number_after(svg({&three, 1}, 1, 100, 100), "class=\"frame\"", "height") >= 12);
}

TEST_CASE("plot: a faint series is drawn as one") {
  Chart chart{"", "", "", {{"noisy", {0, 1}, {0, 1}}, {"noisy_true", {0, 1}, {0, 1}}}, {}, false};
  CHECK(svg({&chart, 1}, 1).find("line faint") == std::string::npos);
  chart.series[0].faint = true;
  CHECK(svg({&chart, 1}, 1).find("class=\"line faint\"") != std::string::npos);
}

TEST_CASE("plot: the text of a mark stays inside its chart") {
  const std::string text = "41.2 at 28.4 s";
  const Chart chart{"", "", "", {{"", {0, 30}, {0, 150}}}, {{1, 10, text}, {29, 150, text}}, false};
  const std::string picture = svg({&chart, 1}, 1);
  const std::size_t first = picture.find(text), second = picture.rfind(text);
  CHECK(picture.rfind("text-anchor=\"start\"", first) > picture.rfind("<text", first));
  CHECK(picture.rfind("text-anchor=\"end\"", second) > picture.rfind("<text", second));
  // At the top it is under the point, which lies 4 % below the frame.
  const std::size_t y = picture.find(" y=\"", picture.rfind("<text", second)) + 4;
  CHECK(std::stod(picture.substr(y)) > 30 + 224 * 0.04 / 1.08 + 8);
}
