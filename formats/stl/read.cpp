// Source: 3D Systems, StereoLithography Interface Specification (1988), sections "ASCII format" and "Binary format".

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/core/little_endian.hpp"
#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "formats/stl/codes.hpp"
#include "formats/stl/stl.hpp"

namespace simbatch::stl {
namespace {

constexpr std::size_t kHeader = 84, kTriangle = 50;                                   // bytes
constexpr std::size_t kShortestFacet = 3 * sizeof "vertex 0 0 0" + sizeof "endloop";  // bytes that the reader needs
constexpr std::string_view kBlanks = " \t\r\n";

std::uint32_t word_at(const char* at) { return static_cast<std::uint32_t>(little_endian(std::string_view(at, 4))); }

/// Adds triangles, with equal corners as one point. Points are found in a hash table of their numbers: a tree of them would be
/// three times as large as they are.
class Builder {
 public:
  /// @param most  triangles: room that is not used costs no memory, lists that double would take twice as much
  Builder(Mesh& mesh, std::size_t most) : mesh_(mesh), slots_(1024, kFree) {
    mesh_.triangles.reserve(most);
    mesh_.points.reserve(3 * most);
  }
  void add(const std::array<std::array<double, 3>, 3>& corners) {
    std::array<std::uint32_t, 3> triangle{};
    for (std::size_t i = 0; i < 3; ++i) {
      std::uint32_t& slot = slot_of(corners[i]);
      triangle[i] = slot != kFree ? slot : slot = static_cast<std::uint32_t>(mesh_.points.size());
      if (triangle[i] < mesh_.points.size()) continue;
      mesh_.points.push_back(corners[i]);
      if (mesh_.points.size() > slots_.size() / 2) grow();
    }
    mesh_.triangles.push_back(triangle);
  }

 private:
  static constexpr std::uint32_t kFree = UINT32_MAX;

  /// That of an equal point, or the free one for it.
  std::uint32_t& slot_of(const std::array<double, 3>& point) {
    std::uint64_t hash = 0;
    for (const double x : point) {
      hash = (hash ^ std::bit_cast<std::uint64_t>(x)) * 0x9E37'79B9'7F4A'7C15u;
      hash ^= hash >> 32;
    }
    std::size_t at = hash % slots_.size();
    while (slots_[at] != kFree && mesh_.points[slots_[at]] != point) at = (at + 1) % slots_.size();
    return slots_[at];
  }
  void grow() {
    const std::size_t size = 2 * slots_.size();
    slots_ = {};  // the old one first
    slots_.assign(size, kFree);
    for (std::size_t i = 0; i < mesh_.points.size(); ++i) slot_of(mesh_.points[i]) = static_cast<std::uint32_t>(i);
  }

  Mesh& mesh_;
  std::vector<std::uint32_t> slots_;  // open addressing, at most half full; a power of two
};

void read_binary(std::string_view bytes, Mesh& mesh, Diagnostics& problems) {
  const std::size_t said = word_at(bytes.data() + 80), there = (bytes.size() - kHeader) / kTriangle;
  if (there < said)
    problems.report(code::kSize, {},
                    "the file counts " + number_text(said) + " triangles and has bytes for " + number_text(there));
  Builder builder(mesh, std::min(said, there));
  for (std::size_t i = 0; i < std::min(said, there); ++i) {
    const char* at = bytes.data() + kHeader + i * kTriangle + 12;  // after the normal
    std::array<std::array<double, 3>, 3> corners{};
    bool finite = true;
    for (auto& corner : corners)
      for (double& x : corner) {
        x = static_cast<double>(std::bit_cast<float>(word_at(at))) + 0.0;
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
  TextReader(std::string_view text, Mesh& mesh, Diagnostics& problems)
      : lines_(text), builder_(mesh, text.size() / kShortestFacet), problems_(problems) {}

  void read() {
    Line line;
    while (lines_.next(line)) {
      WordReader words(line.text, line.number);
      Token first;
      if (!words.next(first)) continue;
      const std::string word = lower_ascii(first.text.substr(0, 16));
      if (word == "vertex")
        vertex(first.at, words);
      else if (word == "endloop")
        end_loop(first.at);
      else if (word == "outer")
        corners_.clear();
      else if (word != "solid" && word != "facet" && word != "endfacet" && word != "endsolid" && word != "color")
        problems_.report(code::kSyntax, first.at, quoted(first.text) + " begins no line of an STL text");
    }
  }

 private:
  void vertex(Position at, WordReader words) {
    std::array<double, 3> corner{};
    std::size_t count = 0;
    for (WordReader all = words; all.next(word_);) ++count;
    if (count != 3) problems_.report(code::kSyntax, at, "a vertex has three numbers, found " + number_text(count));
    for (std::size_t i = 0; i < 3 && words.next(word_); ++i) {
      std::string_view text = word_.text;
      if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
      const Number<double> number = parse_double(text);
      if (!number) problems_.report(code::kNumber, word_.at, quoted(word_.text) + " is not a finite number");
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
  Token word_;
  Builder builder_;
  Diagnostics& problems_;
  std::vector<std::array<double, 3>> corners_;
};

bool begins_with(std::string_view text, std::string_view word) {
  return equal_ignoring_case(text.substr(0, word.size()), word);
}

std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text;
}

bool begins_with_solid(std::string_view bytes) { return begins_with(without_blanks(without_byte_order_mark(bytes)), "solid"); }

/// What neither looks like is a text if it begins with "solid" and its first bytes contain no zero, since a binary file has zeros in
/// its count (if below 2^24) or in its first triangle.
bool is_text(std::string_view bytes) {
  const Form form = form_of(bytes);
  if (form != Form::none) return form == Form::text;
  return begins_with_solid(bytes) && bytes.substr(0, kHeader + kTriangle).find('\0') == std::string_view::npos;
}

}  // namespace

// Binary files may begin with "solid" too, so that their size comes first (Burns, Automated Fabrication, 1993, 6.5).
Form form_of(std::string_view bytes) {
  if (bytes.size() > kHeader) {
    const std::size_t end = kHeader + kTriangle * std::size_t{word_at(bytes.data() + kHeader - 4)};
    if (end > kHeader && bytes.size() >= end && bytes.size() - end < kTriangle) return Form::binary;
  }
  if (!begins_with_solid(bytes)) return Form::none;
  std::string_view rest = without_blanks(without_byte_order_mark(bytes));
  rest = without_blanks(rest.substr(std::min(rest.find('\n'), rest.size())));
  return begins_with(rest, "facet") || begins_with(rest, "endsolid") ? Form::text : Form::none;
}

Parsed<Mesh> read_stl(std::string_view bytes, const std::string& file_name) {
  Parsed<Mesh> result{Mesh{}, Diagnostics(file_name)};
  if (is_text(bytes))
    TextReader(bytes, *result.value, result.diagnostics).read();
  else if (bytes.size() >= kHeader)
    read_binary(bytes, *result.value, result.diagnostics);
  else
    result.diagnostics.report(code::kSize, {},
                              "the file has " + number_text(bytes.size()) + " bytes: fewer than the head of a binary STL");
  if (result.value->triangles.empty() && !result.diagnostics.has_errors())
    result.diagnostics.report(code::kEmpty, {}, "the file has no triangle");
  return result;
}

}  // namespace simbatch::stl
