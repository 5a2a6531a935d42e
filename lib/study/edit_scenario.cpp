// Puts values into a scenario's text, at the attributes that paths lead to. Everything else stays byte for byte, so that positions in messages stay as
// close to the file as can be.
//
// A path is steps between slashes from the root's children on, each an element's name, with an index ([2], from 1) or a name ([@name='car']) where several
// have it; the last step is @attribute.

#include <algorithm>
#include <cmath>

#include "base/core/number.hpp"
#include "base/xml/xml.hpp"
#include "lib/study/codes.hpp"
#include "lib/study/study.hpp"

namespace simbatch::study {
namespace {

struct Step {
  std::string_view element;
  std::size_t index = 0;  // from 1; 0: none
  std::string_view name;  // of [@name='...']
};

std::optional<Step> read_step(std::string_view text) {
  Step step{text.substr(0, text.find('[')), 0, {}};
  if (step.element.empty()) return std::nullopt;
  if (step.element.size() == text.size()) return step;
  std::string_view inside = text.substr(step.element.size() + 1);
  if (!inside.ends_with(']')) return std::nullopt;
  inside.remove_suffix(1);
  if (const auto index = parse_integer<std::size_t>(inside); index && index.value > 0) {
    step.index = index.value;
    return step;
  }
  constexpr std::string_view kName = "@name=";
  if (!inside.starts_with(kName)) return std::nullopt;
  inside.remove_prefix(kName.size());
  if (inside.size() < 3 || (inside[0] != '\'' && inside[0] != '"') || inside.back() != inside[0]) return std::nullopt;
  step.name = inside.substr(1, inside.size() - 2);
  return step;
}

/// The elements below `from` that a step leads to.
std::vector<xml::Element> follow(const xml::Element& from, const Step& step) {
  std::vector<xml::Element> found = from.children(step.element);
  if (!step.name.empty()) std::erase_if(found, [&](const xml::Element& e) { return e.attribute("name") != step.name; });
  if (step.index > found.size()) return {};
  if (step.index > 0) return {found[step.index - 1]};
  return found;
}

class PathFinder {
 public:
  PathFinder(const xml::Element& root, const Parameter& parameter, Diagnostics& problems)
      : root_(root), parameter_(parameter), problems_(problems) {}

  /// The element whose attribute the path names.
  std::optional<xml::Element> element(std::string& attribute) {
    std::string_view rest = parameter_.path;
    xml::Element at = root_;
    std::string shown = std::string(root_.name());
    while (true) {
      const std::size_t slash = slash_of(rest);
      const std::string_view part = rest.substr(0, slash);
      if (part.starts_with('@')) {
        attribute = part.substr(1);
        if (slash != std::string_view::npos || attribute.empty())
          return wrong("a path ends with its attribute, as in Physics/Engine/Friction/@value");
        if (!at.attribute(attribute))
          return wrong("<" + std::string(at.name()) + "> has no attribute " + quoted(attribute) +
                       near(attribute, at.attribute_names()));
        return at;
      }
      const auto step = read_step(part);
      if (!step) return wrong(quoted(part) + " is not a step of a path, expected NAME, NAME[2] or NAME[@name='car']");
      const std::vector<xml::Element> found = follow(at, *step);
      if (found.empty()) {
        std::vector<std::string_view> names;
        for (const xml::Element& child : at.children()) names.push_back(child.name());
        return wrong(shown + " has no " + std::string(part) + near(step->element, names));
      }
      if (found.size() > 1)
        return wrong(shown + " has " + number_text(found.size()) + " " + std::string(part) +
                     ", expected one; choose by [2] or [@name='...']");
      at = found[0];
      shown += "/" + std::string(part);
      if (slash == std::string_view::npos)
        return wrong("the path leads to an element, expected an attribute at its end, as in .../@value");
      rest.remove_prefix(slash + 1);
    }
  }

 private:
  /// A slash that is not inside brackets.
  static std::size_t slash_of(std::string_view text) {
    bool inside = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '[') inside = true;
      if (text[i] == ']') inside = false;
      if (text[i] == '/' && !inside) return i;
    }
    return std::string_view::npos;
  }
  static std::string near(std::string_view word, const std::vector<std::string_view>& known) {
    const std::string_view found = nearest(word, known);
    return found.empty() ? std::string() : ", did you mean " + quoted(found) + "?";
  }
  std::optional<xml::Element> wrong(std::string message) {
    problems_.report(code::kPath, parameter_.path_place.at, "parameter " + quoted(parameter_.name) + ": " + std::move(message));
    return std::nullopt;
  }
  const xml::Element& root_;
  const Parameter& parameter_;
  Diagnostics& problems_;
};

/// Offset of a position. Columns count bytes; a byte order mark does not count.
std::size_t offset_of(std::string_view text, Position at) {
  std::size_t offset = 0;
  for (std::uint32_t line = 1; line < at.line; ++line) offset = text.find('\n', offset) + 1;
  if (at.line == 1 && text.starts_with("\xEF\xBB\xBF")) offset += 3;
  return offset + at.column - 1;
}

struct Replacement {
  std::size_t begin, end;
  std::string text;
};

}  // namespace

std::optional<std::string> edited_scenario(std::string_view scenario, const std::string& scenario_file, const Study& study,
                                           const std::vector<double>& values, Diagnostics& problems) {
  auto document = xml::Document::parse(scenario, scenario_file);
  if (!document.value) {
    problems.append(std::move(document.diagnostics));
    return std::nullopt;
  }
  const std::size_t errors = problems.errors();
  const xml::Element root = document.value->root();
  std::vector<Replacement> replacements;
  for (std::size_t i = 0; i < study.parameters.size(); ++i) {
    const Parameter& parameter = study.parameters[i];
    if (parameter.path == "seed") continue;
    std::string attribute;
    const auto element = PathFinder(root, parameter, problems).element(attribute);
    if (!element) continue;
    const std::size_t begin = offset_of(scenario, element->attribute_position(attribute));
    const std::size_t end = scenario.find(scenario[begin - 1], begin);
    const bool is_twice =
        std::any_of(replacements.begin(), replacements.end(), [&](const Replacement& r) { return r.begin == begin; });
    if (is_twice)
      problems.report(code::kPath, parameter.path_place.at,
                      "parameter " + quoted(parameter.name) + " and another one set the same attribute");
    replacements.push_back({begin, end, number_text(values[i])});
  }
  if (problems.errors() > errors) return std::nullopt;
  std::sort(replacements.begin(), replacements.end(),
            [](const Replacement& a, const Replacement& b) { return a.begin < b.begin; });
  std::string out;
  std::size_t at = 0;
  for (const Replacement& r : replacements) {
    out += scenario.substr(at, r.begin - at);
    out += r.text;
    at = r.end;
  }
  return out + std::string(scenario.substr(at));
}

}  // namespace simbatch::study
