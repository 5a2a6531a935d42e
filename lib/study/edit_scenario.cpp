// Replaces attribute values, addressed by paths, in a scenario's text and in the files that it references. Everything else
// stays byte for byte, so that positions in messages remain as close to the files as possible.
//
// A path consists of steps separated by slashes, starting at the root's children. Each step is an element's name, with an index
// ([2], from 1) or a name ([@name='car']) if there are several; the last step is @attribute. An attribute before the last one
// names a file, in which the path continues.

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "base/core/input.hpp"
#include "base/core/number.hpp"
#include "base/core/paths.hpp"
#include "base/xml/xml.hpp"
#include "lib/scenario/library.hpp"
#include "lib/study/address.hpp"
#include "lib/study/codes.hpp"
#include "lib/study/study.hpp"

namespace simbatch::study {
namespace fs = std::filesystem;
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

/// The child elements of `from` that match a step.
std::vector<xml::Element> follow(const xml::Element& from, const Step& step) {
  const xml::Children children = from.children(step.element);
  std::vector<xml::Element> found(children.begin(), children.end());
  if (!step.name.empty()) std::erase_if(found, [&](const xml::Element& e) { return e.attribute("name") != step.name; });
  if (step.index > found.size()) return {};
  if (step.index > 0) return {found[step.index - 1]};
  return found;
}

/// Offset of a position. Columns count bytes; a byte order mark does not count.
std::size_t offset_of(std::string_view text, Position at) {
  std::size_t offset = 0;
  for (std::uint32_t line = 1; line < at.line; ++line) offset = text.find('\n', offset) + 1;
  if (at.line == 1 && text.starts_with("\xEF\xBB\xBF")) offset += 3;
  return offset + at.column - 1;
}

/// A file and its pending edits.
struct FileEdits {
  std::string path, text;
  std::string robot;        // name of the robot; empty: the scenario
  bool is_library = false;  // a robot of the installation
  std::optional<xml::Document> document;
  std::map<std::size_t, std::string> replacements;          // keyed by the offset of the attribute's value
  std::map<std::size_t, std::unique_ptr<FileEdits>> inner;  // files named by attributes
};

/// Offset of the first byte after an attribute's value, which begins at `begin`.
std::size_t end_of(const FileEdits& file, std::size_t begin) { return file.text.find(file.text[begin - 1], begin); }

bool is_really_inside(const fs::path& path, const fs::path& folder) {
  std::error_code error;
  const bool inside =
      is_inside(fs::weakly_canonical(fs::absolute(path), error), fs::weakly_canonical(fs::absolute(folder), error));
  return !error && inside;
}

class Editor {
 public:
  Editor(const VariantFiles& files, Diagnostics& problems) : files_(files), problems_(problems) {}

  bool parse(FileEdits& file) {
    auto parsed = xml::Document::parse(std::string(file.text), file.path);
    file.document = std::move(parsed.value);
    if (!file.document) problems_.append(std::move(parsed.diagnostics));
    return file.document.has_value();
  }

  /// Sets the attribute at the parameter's path to a value.
  void put(FileEdits& scenario, const Parameter& parameter, double value) {
    const auto [file, begin] = place_of(scenario, parameter);
    if (file == nullptr) return;
    std::string text = value_text(parameter, value);
    if (!parameter.choices.empty()) {
      std::string escaped;
      xml::append_escaped(escaped, text, true);
      text.clear();
      for (const char c : escaped) text += c == '\'' ? std::string("&apos;") : std::string(1, c);
    }
    if (file->inner.contains(begin))
      wrong("an attribute that other paths go through cannot vary as well");
    else if (!file->replacements.emplace(begin, std::move(text)).second)
      wrong("this parameter and another one set the same attribute");
  }

  /// The path that an address means; empty after a report.
  std::optional<std::string> path_of(FileEdits& scenario, const scenario::FileChange& setting) {
    Parameter robot;  // the file of the robot that the address leads into
    robot.name = setting.at;
    const detail::RobotOpener open = [&](const std::string& path) -> std::optional<xml::Element> {
      parameter_ = &robot;
      std::string_view rest = path;
      xml::Element owner;
      const auto found = attribute(scenario, rest, owner);
      FileEdits* file = found ? file_of(scenario, *found, owner) : nullptr;
      return file == nullptr ? std::nullopt : std::optional(file->document->root());
    };
    std::string problem;
    auto path = detail::path_of_address(setting.at, scenario.document->root(), open, problem);
    if (!problem.empty()) problems_.report(code::kSetting, {}, quoted(setting.at) + ": " + std::move(problem));
    return path;
  }

  /// The value at the parameter's path; empty if it is not a valid value, and after a report.
  std::optional<double> present(FileEdits& scenario, const Parameter& parameter) {
    const auto [file, begin] = place_of(scenario, parameter);
    if (file == nullptr) return std::nullopt;
    const std::string_view text = std::string_view(file->text).substr(begin, end_of(*file, begin) - begin);
    const auto choice = std::find(parameter.choices.begin(), parameter.choices.end(), text);
    if (choice != parameter.choices.end()) return static_cast<double>(choice - parameter.choices.begin());
    const auto number = parse_double(parameter.choices.empty() ? text : "");
    return number ? std::optional(number.value) : std::nullopt;
  }

  /// The edited text; changed files that it references are appended to `changed`.
  std::string finished(const FileEdits& file, std::vector<Variant::File>& changed) const {
    std::map<std::size_t, std::string> replacements = file.replacements;
    for (const auto& [begin, inner] : file.inner) {
      const std::string text = finished(*inner, changed);
      const fs::path original = inner->path;
      if (files_.prefix.empty()) {
        changed.push_back({inner->robot, inner->path, text});
        continue;
      }
      const std::string name = files_.prefix + "-" + number_text(changed.size() + 1) + "-" + original.filename().string();
      const fs::path folder = inner->is_library ? fs::path(file.path).parent_path() : original.parent_path();
      changed.push_back({inner->robot, (folder / name).lexically_normal().string(), text});
      const std::string_view value = std::string_view(file.text).substr(begin, end_of(file, begin) - begin);
      replacements[begin] = std::string(value.substr(0, value.rfind('/') + 1)) + name;  // npos + 1 is 0
    }
    std::string out;
    std::size_t at = 0;
    for (const auto& [begin, text] : replacements) {
      out += file.text.substr(at, begin - at) + text;
      at = end_of(file, begin);
    }
    return out + file.text.substr(at);
  }

 private:
  /// The file and the offset of the attribute's value at the parameter's path; nullptr after reporting an error.
  std::pair<FileEdits*, std::size_t> place_of(FileEdits& scenario, const Parameter& parameter) {
    parameter_ = &parameter;
    std::string_view rest = parameter.path;
    FileEdits* file = &scenario;
    while (file != nullptr && !rest.empty()) {
      xml::Element owner;
      const auto found = attribute(*file, rest, owner);
      if (!found) return {};
      if (rest.empty()) return {file, *found};
      file = file_of(*file, *found, owner);
    }
    return {};
  }
  /// Follows the path to its next attribute. @param rest  the rest of the path  @param owner  the attribute's element
  std::optional<std::size_t> attribute(const FileEdits& file, std::string_view& rest, xml::Element& owner) {
    xml::Element at = file.document->root();
    std::string shown = std::string(at.name());
    while (true) {
      const std::size_t slash = slash_of(rest);
      const std::string_view part = rest.substr(0, slash);
      if (part.starts_with('@')) {
        rest.remove_prefix(slash == std::string_view::npos ? rest.size() : slash + 1);
        owner = at.name() == "Include" ? at.parent() : at;
        return attribute_of(file, at, part.substr(1), slash != std::string_view::npos && rest.empty());
      }
      const auto step = read_step(part);
      if (!step) return wrong(quoted(part) + " is not a step of a path, expected NAME, NAME[2] or NAME[@name='car']");
      const std::vector<xml::Element> found = follow(at, *step);
      if (found.empty()) {
        std::vector<std::string_view> names;
        for (const xml::Element& child : at.children()) names.push_back(child.name());
        if (shown == at.name() && step->element == at.name() && slash != std::string_view::npos)
          return wrong("a path begins below <" + shown + ">, expected " + quoted(rest.substr(slash + 1)));
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

  std::optional<std::size_t> attribute_of(const FileEdits& file, const xml::Element& at, std::string_view name,
                                          bool ends_wrong) {
    if (name.empty() || ends_wrong) return wrong("a path ends with its attribute, as in Physics/Engine/Friction/@value");
    if (!at.attribute(name))
      return wrong("<" + std::string(at.name()) + "> in " + file.path + ":" + number_text(at.position().line) +
                   " has no attribute " + quoted(name) + near(name, at.attribute_names()));
    return offset_of(file.text, at.attribute_position(name));
  }

  /// The file named by an attribute; nullptr after reporting an error.
  FileEdits* file_of(FileEdits& from, std::size_t begin, const xml::Element& owner) {
    if (!from.robot.empty() || owner.name() != "Robot" || !owner.attribute("name")) {
      wrong(
          "a path goes through the attribute that names a robot's file, as in Objects/Robot[@name='car']/@file/... or .../Include/@robot/..., and no other");
      return nullptr;
    }
    if (from.replacements.contains(begin)) {
      wrong("an attribute that another parameter sets cannot be gone through");
      return nullptr;
    }
    std::unique_ptr<FileEdits>& inner = from.inner[begin];
    if (inner) return inner->document ? inner.get() : nullptr;
    inner = std::make_unique<FileEdits>();
    inner->robot = *owner.attribute("name");
    const std::string name = from.text.substr(begin, end_of(from, begin) - begin);
    inner->path = owner.attribute("file") ? std::string() : scenario::library_file(files_.library, name);
    inner->is_library = !inner->path.empty();
    if (!inner->is_library) inner->path = (fs::path(from.path).parent_path() / name).lexically_normal().string();
    const fs::path folder = files_.root.empty() ? fs::path(files_.scenario).parent_path() : fs::path(files_.root);
    if (!inner->is_library && !is_really_inside(inner->path, folder.empty() ? "." : folder)) {
      wrong(quoted(name) + " lies outside the folder that the scenario may read; widen it with --root");
      return nullptr;
    }
    try {
      inner->text = Input::open_regular(inner->path).text();
    } catch (const IoError& error) {
      wrong("the robot's file cannot be read: " + std::string(error.what()));
      return nullptr;
    }
    return parse(*inner) ? inner.get() : nullptr;
  }

  /// Position of the first slash outside brackets.
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
  std::optional<std::size_t> wrong(std::string message) {
    problems_.report(code::kPath, parameter_->path_place.at,
                     "parameter " + quoted(parameter_->name) + ": " + std::move(message));
    return std::nullopt;
  }

  const VariantFiles& files_;
  Diagnostics& problems_;
  const Parameter* parameter_ = nullptr;
};

bool is_no_attribute(const Parameter& parameter) {
  return std::find(kSettings.begin(), kSettings.end(), parameter.path) != kSettings.end();
}

}  // namespace

std::optional<Variant> make_variant(std::string_view scenario, const VariantFiles& files, const Study& study,
                                    const std::vector<double>& values, Diagnostics& problems) {
  const std::size_t errors = problems.errors();
  Editor editor(files, problems);
  FileEdits root;
  root.path = files.scenario;
  root.text = scenario;
  if (!editor.parse(root)) return std::nullopt;
  for (std::size_t i = 0; i < study.parameters.size(); ++i)
    if (!is_no_attribute(study.parameters[i])) editor.put(root, study.parameters[i], values[i]);
  if (problems.errors() > errors) return std::nullopt;
  Variant variant;
  variant.scenario = editor.finished(root, variant.files);
  return variant;
}

std::optional<Variant> with_settings(std::string_view scenario, const VariantFiles& files,
                                     const std::vector<scenario::FileChange>& settings, Diagnostics& problems) {
  const std::size_t errors = problems.errors();
  Editor editor(files, problems);
  FileEdits root;
  root.path = files.scenario;
  root.text = scenario;
  if (!editor.parse(root)) return std::nullopt;
  for (const scenario::FileChange& setting : settings) {
    Parameter parameter;
    parameter.name = setting.at;
    parameter.choices = {setting.value};  // any text
    if (auto path = editor.path_of(root, setting)) {
      parameter.path = *std::move(path);
      editor.put(root, parameter, 0);
    }
  }
  if (problems.errors() > errors) return std::nullopt;
  Variant variant;
  variant.scenario = editor.finished(root, variant.files);
  return variant;
}

std::optional<std::vector<std::optional<double>>> present_values(std::string_view scenario, const VariantFiles& files,
                                                                 const Study& study, Diagnostics& problems) {
  const std::size_t errors = problems.errors();
  Editor editor(files, problems);
  FileEdits root;
  root.path = files.scenario;
  root.text = scenario;
  if (!editor.parse(root)) return std::nullopt;
  std::vector<std::optional<double>> values(study.parameters.size());
  for (std::size_t i = 0; i < study.parameters.size(); ++i)
    if (!is_no_attribute(study.parameters[i])) values[i] = editor.present(root, study.parameters[i]);
  if (problems.errors() > errors) return std::nullopt;
  return values;
}

std::optional<std::string> edited_scenario(std::string_view scenario, const std::string& scenario_file, const Study& study,
                                           const std::vector<double>& values, Diagnostics& problems) {
  auto variant = make_variant(scenario, {scenario_file}, study, values, problems);
  if (!variant) return std::nullopt;
  if (variant->files.empty()) return std::move(variant->scenario);
  for (const Parameter& parameter : study.parameters)
    if (parameter.path.find("/@") != parameter.path.rfind("/@"))
      problems.report(code::kPath, parameter.path_place.at,
                      "parameter " + quoted(parameter.name) + ": only the scenario itself can vary here");
  return std::nullopt;
}

}  // namespace simbatch::study
