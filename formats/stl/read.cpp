// Source: 3D Systems, StereoLithography Interface Specification (1988), sections "ASCII format" and "Binary format".

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>

#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "formats/stl/codes.hpp"
#include "formats/stl/stl.hpp"

namespace simbatch::stl {
namespace {

constexpr std::size_t kHeader = 84, kTriangle = 50;  // bytes

std::uint32_t little_endian(const char* at) {
  std::uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(at[i]);
  return value;
}

/// Adds triangles, with equal corners as one point.
class Builder {
 public:
  explicit Builder(Mesh& mesh) : mesh_(mesh) {}
  void add(const std::array<std::array<double, 3>, 3>& corners) {
    std::array<std::uint32_t, 3> triangle{};
    for (std::size_t i = 0; i < 3; ++i) {
      const auto [entry, fresh] = index_.try_emplace(corners[i], static_cast<std::uint32_t>(mesh_.points.size()));
      if (fresh) mesh_.points.push_back(corners[i]);
      triangle[i] = entry->second;
    }
    mesh_.triangles.push_back(triangle);
  }

 private:
  Mesh& mesh_;
  std::map<std::array<double, 3>, std::uint32_t> index_;
};

void read_binary(std::string_view bytes, Mesh& mesh, Diagnostics& problems) {
  const std::size_t said = little_endian(bytes.data() + 80), there = (bytes.size() - kHeader) / kTriangle;
  if (there < said)
    problems.report(code::kSize, {},
                    "the file has room for " + number_text(there) + " triangles and says " + number_text(said));
  Builder builder(mesh);
  for (std::size_t i = 0; i < std::min(said, there); ++i) {
    const char* at = bytes.data() + kHeader + i * kTriangle + 12;  // after the normal
    std::array<std::array<double, 3>, 3> corners{};
    bool finite = true;
    for (auto& corner : corners)
      for (double& x : corner) {
        x = static_cast<double>(std::bit_cast<float>(little_endian(at))) + 0.0;
        finite &= std::isfinite(x);
        at += 4;
      }
    if (finite)
      builder.add(corners);
    else
      problems.report(code::kNumber, {}, "a coordinate of triangle " + number_text(i + 1) + " is not a finite number");
  }
}

class TextReader {
 public:
  TextReader(std::string_view text, Mesh& mesh, Diagnostics& problems) : lines_(text), builder_(mesh), problems_(problems) {}

  void read() {
    Line line;
    while (lines_.next(line)) {
      const std::vector<Token> words = split_tokens(line.text, line.number);
      if (words.empty()) continue;
      const std::string word = lower_ascii(words[0].text);
      if (word == "vertex")
        vertex(words);
      else if (word == "endloop")
        end_loop(words[0].at);
      else if (word == "outer")
        corners_.clear();
      else if (word != "solid" && word != "facet" && word != "endfacet" && word != "endsolid" && word != "color")
        problems_.report(code::kSyntax, words[0].at, quoted(words[0].text) + " begins no line of an STL text");
    }
  }

 private:
  void vertex(const std::vector<Token>& words) {
    std::array<double, 3> corner{};
    if (words.size() != 4)
      problems_.report(code::kSyntax, words[0].at, "a vertex has three numbers, found " + number_text(words.size() - 1));
    for (std::size_t i = 0; i < 3 && i + 1 < words.size(); ++i) {
      std::string_view text = words[i + 1].text;
      if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
      const Number<double> number = parse_double(text);
      if (!number) problems_.report(code::kNumber, words[i + 1].at, quoted(words[i + 1].text) + " is not a finite number");
      corner[i] = number.value + 0.0;
    }
    corners_.push_back(corner);
  }
  void end_loop(Position at) {
    if (corners_.size() == 3)
      builder_.add({corners_[0], corners_[1], corners_[2]});
    else
      problems_.report(code::kSyntax, at, "a facet has three vertices, found " + number_text(corners_.size()));
    corners_.clear();
  }

  LineReader lines_;
  Builder builder_;
  Diagnostics& problems_;
  std::vector<std::array<double, 3>> corners_;
};

/// A text begins with "solid", does not have the size that a binary file would have, and continues with a facet.
bool is_text(std::string_view bytes) {
  const std::size_t start = bytes.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos || !equal_ignoring_case(bytes.substr(start, 5), "solid")) return false;
  if (bytes.size() < kHeader) return true;
  return kHeader + kTriangle * static_cast<std::size_t>(little_endian(bytes.data() + 80)) != bytes.size();
}

}  // namespace

Parsed<Mesh> read_stl(std::string_view bytes, const std::string& file_name) {
  Parsed<Mesh> result{Mesh{}, Diagnostics(file_name)};
  if (is_text(bytes))
    TextReader(bytes, *result.value, result.diagnostics).read();
  else if (bytes.size() >= kHeader)
    read_binary(bytes, *result.value, result.diagnostics);
  else
    result.diagnostics.report(
        code::kSize, {},
        "the file has " + number_text(bytes.size()) + " bytes and does not begin with \"solid\": this is not STL");
  if (result.value->triangles.empty() && !result.diagnostics.has_errors())
    result.diagnostics.report(code::kEmpty, {}, "the file has no triangle");
  return result;
}

}  // namespace simbatch::stl
