#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "apps/common/cli.hpp"

// The words come from the program's own option table, so that a completion can never name an option that is not there.
// A level is the program or a subcommand, by the path of names that leads to it: "", " rndf", " rndf check".

namespace simbatch::cli {
namespace {

struct Level {
  std::string path;
  std::vector<const CLI::Option*> options;
  std::vector<const CLI::App*> subcommands;
};

bool is_common(const CLI::Option* option) { return option->get_group() == "Diagnostics"; }

void collect(const CLI::App& app, const CLI::App& root, const std::string& path, std::vector<Level>& levels) {
  Level level{path, {}, {}};
  for (const CLI::Option* option : app.get_options())
    if (!option->get_lnames().empty() || !option->get_snames().empty()) level.options.push_back(option);
  // A subcommand without the common options hands them on.
  if (&app != &root && app.get_option_no_throw("--strict") == nullptr)
    for (const CLI::Option* option : root.get_options())
      if (is_common(option)) level.options.push_back(option);
  for (const CLI::App* sub : app.get_subcommands(nullptr))
    if (!sub->get_name().empty()) level.subcommands.push_back(sub);
  const std::vector<const CLI::App*> subcommands = level.subcommands;
  levels.push_back(std::move(level));
  for (const CLI::App* sub : subcommands) collect(*sub, root, path + " " + sub->get_name(), levels);
}

std::vector<Level> levels_of(const CLI::App& app) {
  std::vector<Level> levels;
  collect(app, app, "", levels);
  return levels;
}

std::vector<std::string> names_of(const CLI::Option* option) {
  std::vector<std::string> names;
  for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  return names;
}

bool takes_value(const CLI::Option* option) { return option->get_expected_max() > 0 && option->get_type_size_max() > 0; }

// The words that an option may have: CLI11 tells them as "FORM:{text,json}" only.
std::string choices_of(const CLI::Option* option) {
  const std::string type = option->get_type_name();
  const std::size_t open = type.find('{'), close = type.find('}');
  if (open == std::string::npos || close == std::string::npos) return {};
  std::string words = type.substr(open + 1, close - open - 1);
  for (char& c : words)
    if (c == ',') c = ' ';
  return words;
}

std::string words_of(const Level& level) {
  std::vector<std::string> words;
  for (const CLI::Option* option : level.options)
    for (std::string& name : names_of(option)) words.push_back(std::move(name));
  for (const CLI::App* sub : level.subcommands) words.push_back(sub->get_name());
  return fmt::format("{}", fmt::join(words, " "));
}

// bash and zsh alike: where we are, what follows an option with choices, what may stand here.
std::string cases(const std::vector<Level>& levels, const char* choices, const char* words) {
  std::string out = "  case \"$sub|$previous\" in\n";
  for (const Level& level : levels)
    for (const CLI::Option* option : level.options)
      if (const std::string values = choices_of(option); !values.empty())
        for (const std::string& name : names_of(option))
          out += fmt::format("    '{}|{}') {} ;;\n", level.path, name, fmt::format(fmt::runtime(choices), values));
  out += "  esac\n  case \"$sub\" in\n";
  for (const Level& level : levels)
    out += fmt::format("    '{}') {} ;;\n", level.path, fmt::format(fmt::runtime(words), words_of(level)));
  return out + "  esac\n";
}

std::string descent(const std::vector<Level>& levels, const char* word) {
  std::vector<std::string> paths;
  for (const Level& level : levels)
    if (!level.path.empty()) paths.push_back("'" + level.path + "'");
  if (paths.empty()) return "";
  return fmt::format("    case \"$sub {0}\" in\n      {1}) sub+=\" {0}\" ;;\n    esac\n", word, fmt::join(paths, "|"));
}

std::string bash(const CLI::App& app) {
  const auto levels = levels_of(app);
  return fmt::format(
      "_{0}() {{\n"
      "  local current=\"${{COMP_WORDS[COMP_CWORD]}}\" previous=\"${{COMP_WORDS[COMP_CWORD-1]}}\" sub= offer= i\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "{1}"
      "  done\n"
      "{2}"
      "  COMPREPLY=($(compgen -W \"$offer\" -- \"$current\"))\n"
      "  [[ $current == -* ]] || COMPREPLY+=($(compgen -f -- \"$current\"))\n"
      "}}\n"
      "complete -o filenames -F _{0} {0}\n",
      app.get_name(), descent(levels, "${COMP_WORDS[i]}"),
      cases(levels, "COMPREPLY=($(compgen -W '{}' -- \"$current\")); return", "offer='{}'"));
}

std::string zsh(const CLI::App& app) {
  const auto levels = levels_of(app);
  return fmt::format(
      "#compdef {0}\n"
      "_{0}() {{\n"
      "  local previous=${{words[CURRENT-1]}} sub= i\n"
      "  local -a offer\n"
      "  for ((i = 2; i < CURRENT; i++)); do\n"
      "{1}"
      "  done\n"
      "{2}"
      "  [[ $PREFIX == -* ]] || _files\n"
      "  compadd -- $offer\n"
      "}}\n"
      // Loaded by compinit, the file is the function; sourced, it says what it completes.
      "if [[ ${{funcstack[1]}} == _{0} ]]; then _{0}; else compdef _{0} {0}; fi\n",
      app.get_name(), descent(levels, "${words[i]}"), cases(levels, "compadd -- {}; return", "offer=({})"));
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\'' ? std::string("\\'") : c == '\\' ? std::string("\\\\") : std::string(1, c);
  return out;
}

std::string fish(const CLI::App& app) {
  const auto levels = levels_of(app);
  std::string out;
  const auto seen = [](const std::string& words) { return "__fish_seen_subcommand_from" + words; };
  std::string all, groups;  // the first level's names, those of them that have a second level
  for (const CLI::App* sub : levels.front().subcommands) all += " " + sub->get_name();
  for (const Level& level : levels)
    if (!level.path.empty() && !level.subcommands.empty()) groups += level.path;
  for (const Level& level : levels) {
    std::string here = all.empty() ? "" : "not " + seen(all);
    if (!level.path.empty()) {
      const std::size_t second = level.path.find(' ', 1);
      here = seen(level.path.substr(0, second));
      if (second != std::string::npos)
        here += "; and " + seen(level.path.substr(second));
      else if (level.subcommands.empty() && !groups.empty())
        here += "; and not " + seen(groups);
    }
    const std::string line = fmt::format("complete -c {}{}", app.get_name(), here.empty() ? "" : " -n '" + here + "'");
    for (const CLI::Option* option : level.options) {
      out += line;
      for (const std::string& name : option->get_lnames()) out += " -l " + name;
      for (const std::string& name : option->get_snames()) out += " -s " + name;
      const std::string values = choices_of(option);
      if (!values.empty())
        out += " -x -a '" + values + "'";
      else if (takes_value(option))
        out += " -r";
      out += fmt::format(" -d '{}'\n", escaped(option->get_description()));
    }
    for (const CLI::App* sub : level.subcommands)
      out += fmt::format("{} -a {} -d '{}'\n", line, sub->get_name(), escaped(sub->get_description()));
  }
  return out;
}

}  // namespace

std::string completion(const CLI::App& app, std::string_view shell) {
  if (shell == "bash") return bash(app);
  if (shell == "zsh") return zsh(app);
  if (shell == "fish") return fish(app);
  return {};
}

}  // namespace simbatch::cli
