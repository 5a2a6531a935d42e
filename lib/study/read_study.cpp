#include <algorithm>
#include <array>
#include <set>

#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "base/xml/codes.hpp"
#include "base/xml/xml.hpp"
#include "lib/study/codes.hpp"
#include "lib/study/study.hpp"

namespace simbatch::study {
namespace {

constexpr std::array<std::string_view, 4> kDesigns = {"grid", "random", "latin", "sobol"};
constexpr std::array<std::string_view, 2> kScales = {"linear", "log"};
constexpr std::size_t kMostValues = 10'000;

/// Names are columns of a table and part of random keys.
bool is_name(std::string_view name) { return !name.empty() && name.find_first_of(",\"\r\n#") == std::string_view::npos; }

void read_values(xml::ElementReader& reader, const std::string& text, Parameter& parameter) {
  for (const Token& token : split_tokens(text, 1)) {
    const auto number = parse_double(token.text);
    if (!number) {
      reader.report(code::kParameter, "values", "values has " + quoted(token.text) + ", expected numbers between blanks");
      return;
    }
    if (parameter.values.size() < kMostValues) parameter.values.push_back(number.value);
  }
  if (parameter.values.empty()) reader.report(code::kParameter, "values", "values is empty, expected numbers between blanks");
}

void read_range(xml::ElementReader& reader, Parameter& parameter) {
  const auto low = reader.required_number("low"), high = reader.required_number("high");
  if (const auto scale = reader.choice("scale", kScales)) parameter.scale = static_cast<Parameter::Scale>(*scale);
  parameter.steps = reader.integer("steps", 1, kMostRuns).value_or(0);
  parameter.whole = reader.boolean("whole").value_or(false) || parameter.path == "seed";
  if (!low || !high) return;
  parameter.low = *low;
  parameter.high = *high;
  if (*low > *high)
    reader.report(code::kParameter, "high", "high is " + number_text(*high) + ", expected at least low, " + number_text(*low));
  else if (parameter.scale == Parameter::Scale::log && *low <= 0)
    reader.report(code::kParameter, "low", "low is " + number_text(*low) + ", expected more than 0 on a log scale");
  else if (parameter.path == "seed" && (*low < 0 || *high > 9007199254740992.0))
    reader.report(code::kParameter, "low", "a seed is from 0 to 2^53");
}

void read_parameter(const xml::Element& element, Study& study, Diagnostics& diagnostics) {
  xml::ElementReader reader(element, diagnostics);
  Parameter parameter;
  parameter.place.at = element.position();
  parameter.path_place.at = element.attribute_position("path");
  parameter.name = reader.required_string("name").value_or("");
  parameter.path = reader.required_string("path").value_or("");
  if (!parameter.name.empty() && !is_name(parameter.name))
    reader.report(code::kParameter, "name", "a name without commas, quotation marks, line ends and # is expected");
  if (const auto values = reader.string("values"))
    read_values(reader, *values, parameter);
  else
    read_range(reader, parameter);
  reader.finish();
  const bool is_twice = std::any_of(study.parameters.begin(), study.parameters.end(),
                                    [&](const Parameter& other) { return other.name == parameter.name; });
  if (is_twice) reader.report(code::kDuplicate, "name", "a second parameter is called " + quoted(parameter.name));
  study.parameters.push_back(std::move(parameter));
}

void read_design(const xml::Element& element, Study& study, Diagnostics& diagnostics) {
  xml::ElementReader reader(element, diagnostics);
  if (const auto kind = reader.choice("kind", kDesigns))
    study.design = static_cast<DesignKind>(*kind);
  else if (!element.attribute("kind"))
    reader.report(xml::code::kAttributeMissing, {}, "<Design> needs the attribute \"kind\": grid, random, latin or sobol");
  if (study.design != DesignKind::grid) study.runs = reader.required_integer("runs", 1, kMostRuns).value_or(0);
  reader.finish();
}

/// How the parts fit together.
void check(const Study& study, Diagnostics& diagnostics) {
  if (study.parameters.empty())
    diagnostics.report(code::kDesign, study.place.at, "a study has parameters, expected <Parameter name= path= .../>");
  if (study.design == DesignKind::sobol && study.parameters.size() > kMostSobol)
    diagnostics.report(
        code::kDesign, study.place.at,
        number_text(study.parameters.size()) + " parameters, a Sobol' design has at most " + number_text(kMostSobol));
  if (study.design != DesignKind::grid) return;
  double runs = 1;
  for (const Parameter& parameter : study.parameters) {
    if (parameter.values.empty() && parameter.steps == 0)
      diagnostics.report(
          code::kDesign, parameter.place.at,
          "a grid needs the points of " + quoted(parameter.name) + ", expected values, or steps between low and high");
    runs *= parameter.values.empty() ? static_cast<double>(std::max<std::int64_t>(parameter.steps, 1))
                                     : static_cast<double>(parameter.values.size());
  }
  if (runs > static_cast<double>(kMostRuns))
    diagnostics.report(code::kDesign, study.place.at,
                       "the grid has " + rounded_text(runs, 0) + " runs, expected at most " + number_text(kMostRuns));
}

}  // namespace

Parsed<Study> read_study(std::string_view text, const std::string& file) {
  Parsed<Study> result{std::nullopt, Diagnostics(file)};
  Diagnostics& diagnostics = result.diagnostics;
  auto document = xml::Document::parse(text, file);
  diagnostics.append(std::move(document.diagnostics));
  if (!document.value) return result;
  const xml::Element root = document.value->root();
  if (root.name() != "Study") {
    diagnostics.report(xml::code::kElementUnknown, root.position(),
                       "the root element is <" + std::string(root.name()) + ">, expected <Study>");
    return result;
  }
  Study study;
  study.place.at = root.position();
  xml::ElementReader reader(root, diagnostics);
  study.name = reader.required_string("name").value_or("");
  study.scenario = reader.required_string("scenario").value_or("");
  study.seed = static_cast<std::uint64_t>(reader.integer("seed", 0).value_or(1));
  study.duration = reader.number("duration", xml::Range::positive());
  for (const xml::Element& element : reader.children("Parameter")) read_parameter(element, study, diagnostics);
  if (const auto design = reader.required_child("Design")) read_design(*design, study, diagnostics);
  for (const xml::Element& element : reader.children("Expect")) {
    xml::ElementReader expect(element, diagnostics);
    study.expects.push_back({expect.required_string("name").value_or(""), expect.required_string("that").value_or(""),
                             element.attribute_places("that")});
    expect.finish();
  }
  reader.finish();
  if (!diagnostics.has_errors()) check(study, diagnostics);
  diagnostics.sort();
  result.value = std::move(study);
  return result;
}

}  // namespace simbatch::study
