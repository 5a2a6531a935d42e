#include "formats/script/script.hpp"

#include "base/core/number.hpp"
#include "base/xml/codes.hpp"
#include "base/xml/xml.hpp"
#include "formats/script/codes.hpp"

namespace simbatch::script {
namespace {

constexpr std::int64_t kMaxSteps = std::int64_t{1} << 52;

void read_setting(const xml::Element& element, Script& script, Diagnostics& problems) {
  xml::ElementReader in(element, problems);
  const auto step = in.required_integer("step", 0, kMaxSteps);
  auto device = in.required_string("device"), input = in.required_string("input");
  const auto value = in.required_number("value");
  in.finish();
  if (!in.ok() || !step || !device || !input || !value) return;
  if (!script.settings.empty() && *step < script.settings.back().step)
    in.report(code::kOrder, "step",
              "step " + number_text(*step) + " after step " + number_text(script.settings.back().step) +
                  "; settings must be in the order of their steps");
  script.settings.push_back({*step, std::move(*device), std::move(*input), *value, element.position()});
}

}  // namespace

Parsed<Script> read_script(std::string_view text, const std::string& file_name) {
  Parsed<Script> result{std::nullopt, Diagnostics(file_name)};
  auto document = xml::Document::parse(text, file_name);
  result.diagnostics.append(std::move(document.diagnostics));
  if (!document.value) return result;
  const xml::Element root = document.value->root();
  if (root.name() != "Script") {
    result.diagnostics.report(xml::code::kRoot, root.position(),
                              "the root element is " + simbatch::quoted(root.name()) + ", expected \"Script\"");
    return result;
  }
  Script script;
  xml::ElementReader in(root, result.diagnostics);
  script.scenario = in.string("scenario").value_or("");
  script.steps = in.integer("steps", 0, kMaxSteps).value_or(0);
  for (const xml::Element& element : in.children("Set")) read_setting(element, script, result.diagnostics);
  in.finish();
  if (!result.diagnostics.has_errors()) result.value = std::move(script);
  return result;
}

std::string write_script(const Script& script) {
  xml::Writer out;
  out.start("Script");
  if (!script.scenario.empty()) out.attribute("scenario", script.scenario);
  if (script.steps > 0) out.attribute("steps", script.steps);
  for (const Setting& setting : script.settings) {
    out.start("Set");
    out.attribute("step", setting.step);
    out.attribute("device", setting.device);
    out.attribute("input", setting.input);
    out.attribute("value", setting.value);
    out.end();
  }
  out.end();
  return out.take();
}

}  // namespace simbatch::script
