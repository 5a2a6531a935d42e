#include "lib/search/found.hpp"

#include <algorithm>
#include <filesystem>

#include "base/core/atomic_file.hpp"
#include "base/core/hash.hpp"
#include "base/core/number.hpp"
#include "base/xml/xml.hpp"
#include "lib/search/codes.hpp"
#include "lib/study/csv.hpp"

namespace simbatch::search {
namespace fs = std::filesystem;
namespace {

/// Inserts a comment after the first line of the text.
std::string with_comment(const std::string& text, const std::string& note) {
  xml::Writer comment(false);
  comment.start("x");
  comment.comment(note);
  comment.end();
  const std::string written = comment.take();  // <x>, the comment and </x>, one per line
  const std::size_t begin = written.find("<!--"), end = written.rfind("-->") + 3;
  const std::size_t head = text.find('\n') + 1;
  return text.substr(0, head) + written.substr(begin, end - begin) + "\n" + text.substr(head);
}

/// The files that the scenario opens, except itself, relative to its folder.
std::vector<std::string> inputs_of(const Case& subject, const TrialOptions& options, const Variant& variant) {
  scenario::BuildOptions how = options.build;
  const auto files = files_of(subject, variant);
  if (!files) return {};
  how.text = files->scenario;
  for (const study::Variant::File& file : files->files) how.robot_texts[file.robot] = file.text;
  how.programs = scenario::ProgramUse::check;
  const auto built = scenario::build_scenario(subject.scenario_path, how);
  std::vector<std::string> names;
  if (!built.value) return names;
  for (const scenario::FileDigest& file : built.value->inputs)
    if (file.name != built.value->name && file.name.find('=') == std::string::npos) names.push_back(file.name);
  return names;
}

struct Copy {
  std::string name, bytes;
  fs::path to;
};

}  // namespace

void check_expectation(const Case& subject, const std::string& name, Diagnostics& problems) {
  if (name.empty()) return;
  std::vector<std::string_view> known;
  std::string list;
  for (const Case::Expectation& expectation : subject.expectations) {
    if (expectation.name == name) return;
    known.push_back(expectation.name);
    list += (list.empty() ? "" : ", ") + quoted(expectation.name);
  }
  const std::string_view near = nearest(name, known);
  problems.report(code::kName, subject.study.place.at,
                  "no expectation is called " + quoted(name) +
                      (near.empty() ? ", expected one of " + list : ", did you mean " + quoted(near) + "?"));
}

std::string describe(const Case& subject, const std::vector<double>& values) {
  std::string changed, kept;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string& name = subject.study.parameters[i].name;
    if (values[i] == subject.defaults[i])
      kept += (kept.empty() ? "" : ", ") + name;
    else
      changed += (changed.empty() ? "" : ", ") + name + " = " + study::value_text(subject.study.parameters[i], values[i]);
  }
  if (changed.empty()) return "all parameters as in the scenario";
  return changed + (kept.empty() ? "" : "; as in the scenario: " + kept);
}

void report_broken(const Case& subject, const SearchResult& result, Diagnostics& problems) {
  for (const Tried& one : result.tried) {
    if (one.trial.end != Trial::End::broken) continue;
    problems.report(code::kBroken, {},
                    number_text(result.broken) +
                        (result.broken == 1 ? " run broke, that with " : " runs broke, such as the one with ") +
                        describe(subject, one.values) + ": " + one.trial.problem);
    return;
  }
}

std::vector<std::string> write_found(const Case& subject, const TrialOptions& options, const Variant& variant,
                                     const std::string& note, const std::string& output, Diagnostics& problems) {
  const fs::path from = fs::path(subject.scenario_path).parent_path(), to = fs::path(output).parent_path();
  std::vector<Copy> copies;
  std::error_code error;
  const auto files = files_of(subject, variant, fs::path(output).stem().string());
  if (!files) return {};
  if (output == "-" && !files->files.empty())
    problems.report(code::kFile, {},
                    "the scenario needs a changed file of " + quoted(files->files[0].robot) + ", expected an output file");
  if (output != "-" && !fs::equivalent(from.empty() ? "." : from, to.empty() ? "." : to, error)) {
    for (const std::string& name : inputs_of(subject, options, variant)) {
      const fs::path relative = fs::path(name).lexically_normal();
      if (relative.is_absolute() || relative.begin()->string() == "..") {
        problems.report(
            code::kFile, {},
            quoted(name) + " is outside the scenario's folder, expected an output in that folder, " + quoted(from.string()));
        continue;
      }
      Copy copy{name, std::string(Input::open((from / relative).string()).text()), to / relative};
      if (fs::exists(copy.to)) {
        if (Input::open(copy.to.string()).text() == copy.bytes) continue;
        problems.report(
            code::kFile, {},
            quoted(copy.to.string()) + " exists and differs from the scenario's file, expected an output in another folder");
      }
      copies.push_back(std::move(copy));
    }
  }
  for (const study::Variant::File& file : files->files) {
    const fs::path relative = fs::path(file.path).lexically_relative(from.empty() ? "." : from.lexically_normal());
    copies.push_back({relative.string(), file.text, to / relative});
    for (const std::string& name : inputs_of(subject, options, variant))
      if (fs::equivalent(copies.back().to, from / name, error))
        problems.report(
            code::kFile, {},
            quoted(copies.back().to.string()) + " is a file of the scenario and would be overwritten, expected another output");
  }
  if (problems.has_errors()) return {};
  if (!to.empty()) fs::create_directories(to, error);
  std::vector<std::string> names;
  for (const Copy& copy : copies) {
    fs::create_directories(copy.to.parent_path(), error);
    write_file(copy.to.string(), copy.bytes);
    names.push_back(copy.name);
  }
  write_file(output, with_comment(files->scenario, note));
  return names;
}

std::string table_of(const Case& subject, const SearchResult& result) {
  std::string table = "run";
  for (const study::Parameter& parameter : subject.study.parameters) table += "," + study::csv_cell(parameter.name);
  table += ",verdict,message,steps,state_hash";
  for (const Case::Expectation& expectation : subject.expectations)
    table += "," + study::csv_cell("margin of " + expectation.name);
  table += "\r\n";
  for (std::size_t run = 0; run < result.tried.size(); ++run) {
    const auto& [values, trial] = result.tried[run];
    table += number_text(run);
    for (std::size_t i = 0; i < values.size(); ++i)
      table += "," + study::csv_cell(study::value_text(subject.study.parameters[i], values[i]));
    std::string message = trial.problem;
    for (std::size_t i = 0; i < trial.margins.size() && message.empty(); ++i)
      if (trial.margins[i].fails) message = subject.expectations[i].name + " " + trial.margins[i].text;
    const bool is_broken = trial.end == Trial::End::broken;
    table += is_broken ? ",error," : trial.end == Trial::End::failed ? ",fail," : ",pass,";
    table += study::csv_cell(message) + "," + number_text(trial.steps) + "," + (is_broken ? "" : hex64(trial.state_hash));
    for (std::size_t i = 0; i < subject.expectations.size(); ++i)
      table += "," + (i < trial.margins.size() ? study::csv_number(trial.margins[i].margin) : "");
    table += "\r\n";
  }
  return table;
}

}  // namespace simbatch::search
