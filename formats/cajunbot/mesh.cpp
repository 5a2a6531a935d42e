#include <fmt/format.h>

#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "formats/cajunbot/cajunbot.hpp"
#include "formats/cajunbot/codes.hpp"

namespace simbatch::cajunbot {
namespace {

/// Calls `use` with the three tokens of each line that is not empty; reports lines of another number of tokens.
template <class Use>
void for_each_triple(std::string_view text, Diagnostics& diagnostics, Use use) {
  LineReader lines(text);
  Line line;
  while (lines.next(line)) {
    std::string_view rest = line.text.substr(0, std::min(line.text.find("//"), line.text.find('#')));
    if (trimmed(rest).empty()) continue;
    std::vector<Token> tokens;
    std::size_t count = 0;
    WordReader words(rest, line.number);
    for (Token word; words.next(word); ++count)
      if (count < 3) tokens.push_back(word);
    if (count != 3)
      diagnostics.report(code::kMeshLine, tokens.front().at,
                         fmt::format("the line has {} values, expected three numbers", count));
    else
      use(tokens);
  }
}

}  // namespace

Parsed<std::vector<Vector>> read_vertices(std::string_view text, std::string file) {
  Parsed<std::vector<Vector>> result{std::vector<Vector>{}, Diagnostics(std::move(file))};
  for_each_triple(text, result.diagnostics, [&](const std::vector<Token>& tokens) {
    double values[3] = {};
    for (int i = 0; i < 3; ++i) {
      const auto number = parse_double(tokens[static_cast<std::size_t>(i)].text);
      if (!number)
        result.diagnostics.report(code::kMeshLine, tokens[static_cast<std::size_t>(i)].at,
                                  fmt::format("{} is not a number", quoted(tokens[static_cast<std::size_t>(i)].text)));
      values[i] = number.value;
    }
    result.value->push_back({values[0], values[1], values[2]});
  });
  return result;
}

Parsed<std::vector<std::array<std::uint32_t, 3>>> read_indices(std::string_view text, std::string file,
                                                               std::size_t vertex_count) {
  Parsed<std::vector<std::array<std::uint32_t, 3>>> result{std::vector<std::array<std::uint32_t, 3>>{},
                                                           Diagnostics(std::move(file))};
  for_each_triple(text, result.diagnostics, [&](const std::vector<Token>& tokens) {
    std::array<std::uint32_t, 3> triangle{};
    bool good = true;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto number = parse_integer<std::uint32_t>(tokens[i].text);
      if (!number) {
        good = false;
        result.diagnostics.report(code::kMeshLine, tokens[i].at,
                                  fmt::format("{} is not a vertex number", quoted(tokens[i].text)));
      } else if (number.value >= vertex_count) {
        good = false;
        result.diagnostics.report(
            code::kMeshIndex, tokens[i].at,
            fmt::format("vertex {} does not exist, there are {} (numbers count from 0)", number.value, vertex_count));
      }
      triangle[i] = number.value;
    }
    if (good && (triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[0] == triangle[2]))
      result.diagnostics.report(code::kMeshDegenerate, tokens[0].at, "the triangle names a vertex twice");
    if (good) result.value->push_back(triangle);
  });
  return result;
}

std::string write_vertices(const std::vector<Vector>& vertices) {
  std::string out;
  for (const Vector& v : vertices) {
    append_number(out, v.x);
    out += ' ';
    append_number(out, v.y);
    out += ' ';
    append_number(out, v.z);
    out += '\n';
  }
  return out;
}

std::string write_indices(const std::vector<std::array<std::uint32_t, 3>>& triangles) {
  std::string out;
  for (const auto& t : triangles) out += fmt::format("{} {} {}\n", t[0], t[1], t[2]);
  return out;
}

}  // namespace simbatch::cajunbot
