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

constexpr std::array<std::string_view, 5> kDesigns = {"grid", "random", "latin", "sobol", "table"};
constexpr std::array<std::string_view, 2> kScales = {"linear", "log"};
constexpr std::array<std::string_view, 5> kColumns = {"run", "verdict", "message", "steps", "state_hash"};
constexpr std::size_t kMaxValues = 10'000;
constexpr std::string_view kMarginOf = "margin of ";

/// Names serve as columns of the table and as part of the keys of random draws.
bool is_setting(std::string_view path) { return std::find(kSettings.begin(), kSettings.end(), path) != kSettings.end(); }
bool is_name(std::string_view name) { return !name.empty() && name.find_first_of(",\"\r\n#") == std::string_view::npos; }

void read_values(xml::ElementReader& reader, const std::string& text, Parameter& parameter) {
  WordReader words(text, 1);
  for (Token token; words.next(token);) {
    const auto number = parse_double(token.text);
    if (!number) {
      reader.report(code::kParameter, "values", "values has " + quoted(token.text) + ", expected numbers between blanks");
      return;
    }
    if (parameter.values.size() < kMaxValues) parameter.values.push_back(number.value);
  }
  if (parameter.values.empty()) reader.report(code::kParameter, "values", "values is empty, expected numbers between blanks");
}

/// "wet road | dry road": texts separated by bars, without leading and trailing blanks.
void read_choices(xml::ElementReader& reader, std::string_view text, Parameter& parameter) {
  if (is_setting(parameter.path)) {
    reader.report(code::kParameter, "choices", quoted(parameter.path) + " is a number, expected values, or low and high");
    return;
  }
  while (parameter.choices.size() < kMaxValues) {
    const std::size_t bar = text.find('|');
    const std::string_view choice = trimmed(text.substr(0, bar));
    if (choice.find_first_of("\r\n\t") != std::string_view::npos)
      reader.report(code::kParameter, "choices", "a choice is on one line");
    if (std::find(parameter.choices.begin(), parameter.choices.end(), choice) != parameter.choices.end())
      reader.report(code::kParameter, "choices", "choices has " + quoted(choice) + " twice");
    parameter.values.push_back(static_cast<double>(parameter.choices.size()));
    parameter.choices.emplace_back(choice);
    if (bar == std::string_view::npos) return;
    text.remove_prefix(bar + 1);
  }
  reader.report(code::kParameter, "choices", "choices has more than " + number_text(kMaxValues) + " texts");
}

/// False: the values come from a table.
bool has_values(const Parameter& parameter) { return !parameter.values.empty() || parameter.has_range; }

/// Checks the values of a setting.
void check_setting(xml::ElementReader& reader, const Parameter& parameter) {
  if (!is_setting(parameter.path) || parameter.path == "seed" || !has_values(parameter)) return;
  const double least =
      parameter.values.empty() ? parameter.low : *std::min_element(parameter.values.begin(), parameter.values.end());
  if (!(least > 0))
    reader.report(code::kParameter, parameter.values.empty() ? "low" : "values",
                  parameter.path + " is in seconds, expected more than 0, found " + number_text(least));
}

void read_range(xml::ElementReader& reader, Parameter& parameter) {
  const auto low = reader.required_number("low"), high = reader.required_number("high");
  if (const auto scale = reader.choice("scale", kScales)) parameter.scale = static_cast<Parameter::Scale>(*scale);
  parameter.steps = reader.integer("steps", 1, kMaxRuns).value_or(0);
  parameter.whole = reader.boolean("whole").value_or(false) || parameter.path == "seed";
  if (!low || !high) return;
  parameter.has_range = true;
  parameter.low = *low;
  parameter.high = *high;
  if (*low > *high)
    reader.report(code::kParameter, "high", "high is " + number_text(*high) + ", expected at least low, " + number_text(*low));
  else if (parameter.scale == Parameter::Scale::log && *low <= 0)
    reader.report(code::kParameter, "low", "low is " + number_text(*low) + ", expected more than 0 on a log scale");
  else if (parameter.path == "seed" && (*low < 0 || *high > 9007199254740992.0))
    reader.report(code::kParameter, "low", "a seed is from 0 to 2^53");
}

bool is_column(std::string_view name) {
  return name.starts_with(kMarginOf) || std::find(kColumns.begin(), kColumns.end(), name) != kColumns.end();
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
  if (const auto choices = reader.string("choices"))
    read_choices(reader, *choices, parameter);
  else if (const auto values = reader.string("values"))
    read_values(reader, *values, parameter);
  else if (element.attribute("low") || element.attribute("high"))
    read_range(reader, parameter);
  else
    for (const char* name : {"scale", "steps", "whole"}) reader.allow_attribute(name);
  if (!parameter.values.empty())
    for (const char* name : {"low", "high"}) {
      if (!element.attribute(name)) continue;
      reader.allow_attribute(name);
      reader.report(code::kParameter, name, "the parameter lists its values, expected either values or low and high");
    }
  parameter.whole = parameter.whole || parameter.path == "seed";
  if (reader.ok()) check_setting(reader, parameter);
  reader.finish();
  if (is_column(parameter.name))
    reader.report(code::kDuplicate, "name",
                  quoted(parameter.name) + " is a column that every table has, expected another name");
  const bool is_twice = std::any_of(study.parameters.begin(), study.parameters.end(),
                                    [&](const Parameter& other) { return other.name == parameter.name; });
  if (is_twice) reader.report(code::kDuplicate, "name", "a second parameter is called " + quoted(parameter.name));
  study.parameters.push_back(std::move(parameter));
}

void read_metric(const xml::Element& element, Study& study, Diagnostics& diagnostics) {
  xml::ElementReader reader(element, diagnostics);
  Study::Metric metric;
  metric.name = reader.required_string("name").value_or("");
  if (const auto kind = reader.choice("kind", expect::kMetricKinds))
    metric.kind = static_cast<expect::MetricKind>(*kind);
  else if (!element.attribute("kind"))
    reader.report(xml::code::kAttributeMissing, {},
                  "<Metric> needs the attribute \"kind\": min, max, mean, rms, final, integral, first-time or time-in");
  metric.of = reader.required_string("of").value_or("");
  metric.places = element.attribute_places("of");
  metric.unit = reader.string("unit").value_or("");
  metric.from = reader.number("from", xml::Range::not_negative()).value_or(0);
  metric.to = reader.number("to", xml::Range::not_negative());
  reader.finish();
  if (metric.to && *metric.to < metric.from)
    reader.report(
        code::kParameter, "to",
        "the metric's time ends at " + number_text(*metric.to) + " s, before it begins at " + number_text(metric.from) + " s");
  if (!metric.name.empty() && !is_name(metric.name))
    reader.report(code::kParameter, "name", "a name without commas, quotation marks, line ends and # is expected");
  const auto has_name = [&](const auto& other) { return other.name == metric.name; };
  if (is_column(metric.name) || std::any_of(study.parameters.begin(), study.parameters.end(), has_name) ||
      std::any_of(study.metrics.begin(), study.metrics.end(), has_name))
    reader.report(code::kDuplicate, "name",
                  "the table has a column " + quoted(metric.name) + " already, expected another name");
  study.metrics.push_back(std::move(metric));
}

void read_design(const xml::Element& element, Study& study, Diagnostics& diagnostics) {
  xml::ElementReader reader(element, diagnostics);
  const auto kind = reader.choice("kind", kDesigns);
  if (kind) {
    study.design = static_cast<DesignKind>(*kind);
  } else {
    study.design = DesignKind::random;  // no further messages: a grid needs more of its parameters
    for (const char* name : {"runs", "file"}) reader.allow_attribute(name);
  }
  if (!element.attribute("kind"))
    reader.report(xml::code::kAttributeMissing, {},
                  "<Design> needs the attribute \"kind\": grid, random, latin, sobol or table");
  study.table_place.at = element.attribute_position("file");
  const auto refuse = [&](const char* name, std::string message) {
    if (!element.attribute(name)) return;
    reader.allow_attribute(name);
    reader.report(code::kDesign, name, std::move(message));
  };
  if (kind && study.design == DesignKind::grid)
    refuse("runs", "a grid has a run for each combination of its parameters' values, expected no runs");
  if (kind && study.design == DesignKind::table) refuse("runs", "a table has a run for each of its rows, expected no runs");
  if (kind && study.design != DesignKind::table) refuse("file", "the file is for kind=\"table\", expected no file");
  if (study.design == DesignKind::table)
    study.table = reader.required_string("file").value_or("");
  else if (kind && study.design != DesignKind::grid)
    study.runs = reader.required_integer("runs", 1, kMaxRuns).value_or(0);
  reader.finish();
}

/// Checks that the parts are consistent.
void check(const Study& study, Diagnostics& diagnostics) {
  if (study.parameters.empty())
    diagnostics.report(code::kDesign, study.place.at, "a study has parameters, expected <Parameter name= path= .../>");
  if (study.design == DesignKind::sobol && study.parameters.size() > kMaxSobolParameters)
    diagnostics.report(
        code::kDesign, study.place.at,
        number_text(study.parameters.size()) + " parameters, a Sobol' design has at most " + number_text(kMaxSobolParameters));
  for (const Parameter& parameter : study.parameters)
    if (study.design != DesignKind::table && !has_values(parameter))
      diagnostics.report(code::kParameter, parameter.place.at,
                         quoted(parameter.name) + " has no values, expected values, choices, or low and high");
  if (study.design != DesignKind::grid) return;
  double runs = 1;
  for (const Parameter& parameter : study.parameters) {
    if (has_values(parameter) && parameter.values.empty() && parameter.steps == 0)
      diagnostics.report(
          code::kDesign, parameter.place.at,
          "a grid needs the points of " + quoted(parameter.name) + ", expected values, or steps between low and high");
    runs *= parameter.values.empty() ? static_cast<double>(std::max<std::int64_t>(parameter.steps, 1))
                                     : static_cast<double>(parameter.values.size());
  }
  if (runs > static_cast<double>(kMaxRuns))
    diagnostics.report(code::kDesign, study.place.at,
                       "the grid has " + rounded_text(runs, 0) + " runs, expected at most " + number_text(kMaxRuns));
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
  study.scenario_place.at = root.attribute_position("scenario");
  study.seed = static_cast<std::uint64_t>(reader.integer("seed", 0).value_or(1));
  study.duration = reader.number("duration", xml::Range::positive());
  for (const xml::Element& element : reader.children("Parameter")) read_parameter(element, study, diagnostics);
  if (const auto design = reader.required_child("Design")) read_design(*design, study, diagnostics);
  for (const xml::Element& element : reader.children("Metric")) read_metric(element, study, diagnostics);
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
