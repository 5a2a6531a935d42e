#include "apps/common/completion.hpp"

#include <fmt/format.h>

// A level is the program or a subcommand, named by its path: "", " rndf", " rndf check".

namespace simbatch::cli {
namespace {

struct Level {
  std::string path;
  const CompletionCommand* command;
};

void collect(const CompletionCommand& command, const std::string& path, std::vector<Level>& levels) {
  levels.push_back({path, &command});
  for (const CompletionCommand& sub : command.commands) collect(sub, path + " " + sub.name, levels);
}

std::vector<Level> levels_of(const CompletionCommand& program) {
  std::vector<Level> levels;
  collect(program, "", levels);
  return levels;
}

std::vector<std::string> names_of(const CompletionOption& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.long_names) names.push_back("--" + name);
  for (const std::string& name : option.short_names) names.push_back("-" + name);
  return names;
}

std::string choices_of(const CompletionOption& option) { return fmt::format("{}", fmt::join(option.choices, " ")); }

std::string words_of(const Level& level) {
  std::vector<std::string> words;
  for (const CompletionOption& option : level.command->options)
    for (std::string& name : names_of(option)) words.push_back(std::move(name));
  for (const CompletionCommand& sub : level.command->commands) words.push_back(sub.name);
  return fmt::format("{}", fmt::join(words, " "));
}

// For bash and zsh: the values of options with choices, then the words of each level.
std::string cases(const std::vector<Level>& levels, const char* choices, const char* words) {
  std::string out = "  case \"$sub|$previous\" in\n";
  for (const Level& level : levels)
    for (const CompletionOption& option : level.command->options)
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

std::string bash(const CompletionCommand& program) {
  const auto levels = levels_of(program);
  return fmt::format(
      "_{0}() {{\n"
      "  local current=\"${{COMP_WORDS[COMP_CWORD]}}\" previous=\"${{COMP_WORDS[COMP_CWORD-1]}}\" sub='' offer='' i\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "{1}"
      "  done\n"
      "{2}"
      "  mapfile -t COMPREPLY < <(compgen -W \"$offer\" -- \"$current\")\n"
      "  [[ $current == -* ]] || mapfile -t -O \"${{#COMPREPLY[@]}}\" COMPREPLY < <(compgen -f -- \"$current\")\n"
      "}}\n"
      "complete -o filenames -F _{0} {0}\n",
      program.name, descent(levels, "${COMP_WORDS[i]}"),
      cases(levels, "mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$current\"); return", "offer='{}'"));
}

std::string zsh(const CompletionCommand& program) {
  const auto levels = levels_of(program);
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
      // Loaded by compinit, the file is the function; sourced, it registers the completion.
      "if [[ ${{funcstack[1]}} == _{0} ]]; then _{0}; else compdef _{0} {0}; fi\n",
      program.name, descent(levels, "${words[i]}"), cases(levels, "compadd -- {}; return", "offer=({})"));
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\'' ? std::string("\\'") : c == '\\' ? std::string("\\\\") : std::string(1, c);
  return out;
}

std::string fish(const CompletionCommand& program) {
  const auto levels = levels_of(program);
  std::string out;
  const auto seen = [](const std::string& words) { return "__fish_seen_subcommand_from" + words; };
  std::string all, groups;  // the first level's names, those of them that have a second level
  for (const CompletionCommand& sub : levels.front().command->commands) all += " " + sub.name;
  for (const Level& level : levels)
    if (!level.path.empty() && !level.command->commands.empty()) groups += level.path;
  for (const Level& level : levels) {
    std::string here = all.empty() ? "" : "not " + seen(all);
    if (!level.path.empty()) {
      const std::size_t second = level.path.find(' ', 1);
      here = seen(level.path.substr(0, second));
      if (second != std::string::npos)
        here += "; and " + seen(level.path.substr(second));
      else if (level.command->commands.empty() && !groups.empty())
        here += "; and not " + seen(groups);
    }
    const std::string line = fmt::format("complete -c {}{}", program.name, here.empty() ? "" : " -n '" + here + "'");
    for (const CompletionOption& option : level.command->options) {
      out += line;
      for (const std::string& name : option.long_names) out += " -l " + name;
      for (const std::string& name : option.short_names) out += " -s " + name;
      const std::string values = choices_of(option);
      if (!values.empty())
        out += " -x -a '" + values + "'";
      else if (option.takes_value)
        out += " -r";
      out += fmt::format(" -d '{}'\n", escaped(option.help));
    }
    for (const CompletionCommand& sub : level.command->commands)
      out += fmt::format("{} -a {} -d '{}'\n", line, sub.name, escaped(sub.help));
  }
  return out;
}

}  // namespace

std::string completion(const CompletionCommand& program, std::string_view shell) {
  if (shell == "bash") return bash(program);
  if (shell == "zsh") return zsh(program);
  if (shell == "fish") return fish(program);
  return {};
}

}  // namespace simbatch::cli
