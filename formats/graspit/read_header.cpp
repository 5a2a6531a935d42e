// The keyword header of body files: '#' lines anywhere in the file, as scanned by GraspIt! 2.1.0.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/core/line_ends.hpp"
#include "formats/graspit/codes.hpp"
#include "formats/graspit/header_keywords.hpp"
#include "formats/graspit/parse.hpp"

namespace simbatch::graspit {
namespace {

using namespace detail;

bool is_material(std::string_view word) {
  return std::find(std::begin(kMaterials), std::end(kMaterials), word) != std::end(kMaterials);
}

class HeaderReader {
 public:
  HeaderReader(std::string_view text, Reading reading, std::string_view file_name)
      : lines_(text), forgiving_(reading == Reading::forgiving) {
    result_.diagnostics = Diagnostics(std::string(file_name));
  }

  Parsed<Body> read() {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const Line& line = lines_[i];
      if (line.text.empty() || line.text[0] != '#') {
        if (forgiving_ && i > 0 && i < 4096) indented(line);
        continue;
      }
      const Keyword keyword = keyword_of(line.text);
      if (is_keyword(keyword.name)) {
        i = value(line, keyword.name, keyword.rest, i);
      } else if (const Keyword tabbed = tabbed_keyword(line); forgiving_ && !tabbed.name.empty()) {
        diagnostics().report(code::kHeaderBlank, start_of(line),
                             fmt::format("#{} must be followed by one space; after a tab, GraspIt! ignores it", tabbed.name));
        i = value(line, tabbed.name, tabbed.rest, i);
      } else if (forgiving_ && i > 0 && i < 4096) {
        i = suspicious(line, i);
      }
    }
    if (forgiving_ && !any_ && lines_.size() > 1) positional();
    if (body_.inertia && forgiving_) check_inertia();
    result_.value = std::move(body_);
    return std::move(result_);
  }

 private:
  Diagnostics& diagnostics() { return result_.diagnostics; }

  /// `#mass<TAB>200`
  static Keyword tabbed_keyword(const Line& line) {
    const std::string_view text = line.text.substr(1);
    const std::size_t tab = text.find_first_of(" \t");
    if (tab == std::string_view::npos || text[tab] != '\t' || !is_keyword(text.substr(0, tab))) return {};
    return {text.substr(0, tab), trimmed(text.substr(tab))};
  }

  /// ` #mass 200`
  void indented(const Line& line) {
    const std::string_view text = trimmed(line.text);
    const Keyword keyword = keyword_of(text);
    if (is_keyword(keyword.name) && looks_like_value(keyword.name, trimmed(keyword.rest)))
      diagnostics().report(code::kHeaderKeyword, start_of(line),
                           fmt::format("GraspIt! reads #{} only at the beginning of a line", keyword.name));
  }

  void once(const Line& line, std::string_view name) {
    any_ = true;
    if (std::find(seen_.begin(), seen_.end(), name) != seen_.end() && forgiving_)
      diagnostics().report(code::kHeaderTwice, start_of(line),
                           fmt::format("#{} is given here again, and this one counts", name));
    seen_.emplace_back(name);
  }

  /// @return the index of the last line used
  std::size_t value(const Line& line, std::string_view name, std::string_view rest, std::size_t i) {
    once(line, name);
    // The second space-separated field, exactly: two spaces give an empty one.
    std::string_view field = rest.substr(0, rest.find(' '));
    if (name != "cog" && name != "inertia_matrix" && (field.empty() || field.find('\t') != std::string_view::npos) &&
        !trimmed(rest).empty()) {
      if (forgiving_) {
        diagnostics().report(code::kHeaderBlank, start_of(line),
                             fmt::format("#{} must be followed by one space; GraspIt! reads an empty value here{}", name,
                                         name == "mass" || name == "youngs" ? ", and refuses the body" : ""));
        const std::string_view all = trimmed(rest);
        field = all.substr(0, all.find_first_of(" \t"));
      }
    }
    field = field.substr(0, field.find('\r'));
    if (name == "material") {
      if (field.empty()) return i;
      if (is_material(field))
        body_.material = std::string(field);
      else
        diagnostics().report(code::kMaterial, start_of(line),
                             fmt::format("the material {} is unknown{}", quoted(field), near_material(field)));
    } else if (name == "mass" || name == "youngs") {
      const auto parsed = number(field);
      if (!parsed && forgiving_) {
        diagnostics().report(code::kHeaderNumber, start_of(line),
                             fmt::format("#{} must be followed by a number, found {}", name, quoted(field)));
      } else if (!parsed || *parsed <= 0) {
        diagnostics().report(code::kMass, start_of(line),
                             fmt::format("#{} must be greater than 0, found {}", name, quoted(field)));
      } else {
        (name == "mass" ? body_.mass : body_.youngs) = *parsed;
      }
    } else if (name == "cog") {
      body_.cog = numbers_of<3>(rest);
      if (!body_.cog)
        diagnostics().report(code::kHeaderNumber, start_of(line),
                             fmt::format("#cog must be followed by three numbers, found {}", quoted(rest)));
    } else if (name == "useFlockOfBirds") {
      if (!field.empty()) body_.flock_of_birds = std::string(field);
    } else {
      return inertia(line, i);
    }
    return i;
  }

  std::size_t inertia(const Line& line, std::size_t i) {
    inertia_at_ = start_of(line);
    std::string text;
    std::size_t used = i;
    for (std::size_t row = 1; row <= 3 && i + row < lines_.size(); ++row) {
      const std::string_view next = lines_[i + row].text;
      const std::size_t hash = next.find('#');
      if (hash == std::string_view::npos) break;
      const auto three = numbers_of<3>(next.substr(hash + 1));
      if (!three) break;
      used = i + row;
      text += ' ';
      text += next.substr(hash + 1);
      for (const double x : *three) rows_.push_back(x);
    }
    if (rows_.size() == 9) {
      Matrix3 matrix{};
      std::copy(rows_.begin(), rows_.end(), matrix.begin());
      body_.inertia = matrix;
    } else {
      diagnostics().report(
          code::kInertiaRows, start_of(line),
          fmt::format("#inertia_matrix must be followed by three '#' lines of three numbers, found {}", rows_.size() / 3));
    }
    rows_.clear();
    return used;
  }

  static std::string near_material(std::string_view word) {
    const std::string_view near = nearest(word, kMaterials);
    return near.empty() ? std::string{} : fmt::format(", did you mean {}?", near);
  }

  // A line that looks like a keyword but is not one for the loader.
  std::size_t suspicious(const Line& line, std::size_t i) {
    std::string_view text = line.text;
    const std::size_t first = text.find_first_not_of("#- \t");
    if (first == std::string_view::npos) return i;
    const std::string_view body = text.substr(first);
    const std::string_view word = body.substr(0, body.find_first_of(" \t=:"));
    std::string_view rest = trimmed(body.substr(word.size()));
    if (rest.starts_with('=') || rest.starts_with(':')) rest = trimmed(rest.substr(1));
    const std::string folded = lower_ascii(word);
    for (const std::string_view keyword : kKeywords) {
      const std::string lower = lower_ascii(keyword);
      const bool same = folded == lower, longer = folded.starts_with(lower) && folded.size() <= lower.size() + 4;
      const bool shorter = folded.size() >= 3 && folded.size() + 1 == lower.size() && lower.starts_with(folded);
      const bool tensor = keyword == "inertia_matrix" && folded.starts_with("inertia");
      if (!same && !longer && !shorter && !tensor) continue;
      if (tensor ? !next_is_row(i) : !looks_like_value(keyword, rest)) continue;
      const bool off = first > 1 && same;
      diagnostics().report(
          code::kHeaderKeyword, start_of(line),
          off ? fmt::format("#{} is switched off by what precedes it", keyword)
              : fmt::format(
                    "GraspIt! does not know {}, only \"#{}\"",
                    quoted(text.substr(0, std::min(text.size(), first + std::min(body.size(), body.find_first_of(" \t"))))),
                    keyword));
      any_ = any_ || tensor;
      return i;
    }
    return i;
  }

  bool next_is_row(std::size_t i) const {
    if (i + 1 >= lines_.size() || lines_[i + 1].text.empty() || lines_[i + 1].text[0] != '#') return false;
    return numbers_of<3>(lines_[i + 1].text.substr(1)).has_value();
  }

  static bool looks_like_value(std::string_view keyword, std::string_view rest) {
    if (keyword == "material") return is_material(rest.substr(0, rest.find_first_of(" \t")));
    const auto values = numbers(rest);
    return values && values->size() == (keyword == "cog" ? 3U : 1U);
  }

  // GraspIt! 1: `#<material>`, `#<mass>`, and perhaps `#<cog>` and three rows, right under the head.
  void positional() {
    std::size_t i = 1;
    while (i < lines_.size() && lines_[i].text.empty()) ++i;
    if (i + 1 >= lines_.size()) return;
    const std::string_view first = lines_[i].text, second = lines_[i + 1].text;
    if (first.empty() || first[0] != '#' || second.empty() || second[0] != '#') return;
    const auto mass = numbers(second.substr(1));
    if (!is_material(trimmed(first.substr(1))) || !mass || mass->size() != 1) return;
    diagnostics().report(
        code::kHeaderPositional, start_of(lines_[i]),
        fmt::format("{} and the lines below are values without keywords, which GraspIt! 2 ignores", quoted(first)));
  }

  void check_inertia() {
    const Matrix3& m = *body_.inertia;
    const double size = std::max({std::abs(m[0]), std::abs(m[4]), std::abs(m[8]), 1e-300});
    if (std::abs(m[1] - m[3]) > 1e-3 * size || std::abs(m[2] - m[6]) > 1e-3 * size || std::abs(m[5] - m[7]) > 1e-3 * size) {
      // A center of gravity instead of the first row: the two rows below are the matrix's first two.
      // A moment of inertia is larger than the products in its row: the largest of rows 2 and 3 are in columns 1 and 2.
      const auto leads = [&](std::size_t i, std::size_t j, std::size_t k) {
        return std::abs(m[i]) > std::abs(m[j]) && std::abs(m[i]) > std::abs(m[k]);
      };
      const bool shifted = !body_.cog && leads(3, 4, 5) && leads(7, 6, 8);
      if (shifted)
        diagnostics().report(code::kInertiaShifted, inertia_at_,
                             "the first row looks like a center of gravity whose #cog is missing");
      else
        diagnostics().report(code::kInertiaAsymmetric, inertia_at_, "the inertia matrix is not symmetric");
    }
    // Principal moments satisfy a + b >= c, and so does the diagonal in every frame.
    const double sum = m[0] + m[4] + m[8], largest = std::max({m[0], m[4], m[8]});
    if (m[0] < 0 || m[4] < 0 || m[8] < 0 || sum - 2 * largest < -1e-9 * size)
      diagnostics().report(code::kInertiaImpossible, inertia_at_,
                           fmt::format("no body can have the moments of inertia {:.6g}, {:.6g}, {:.6g}", m[0], m[4], m[8]));
  }

  Lines lines_;
  bool forgiving_;
  bool any_ = false;
  std::vector<std::string> seen_;
  std::vector<double> rows_;
  Position inertia_at_;
  Body body_;
  Parsed<Body> result_;
};

}  // namespace

Parsed<Body> read_body_header(std::string_view text, Reading reading, std::string_view file_name) {
  const std::optional<std::string> copy = with_line_feeds(text);
  return HeaderReader(copy ? *copy : text, reading, file_name).read();
}

}  // namespace simbatch::graspit
