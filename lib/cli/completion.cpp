#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "lib/cli/cli.hpp"

// The words come from the program's own option table, so that a completion can never name an option that is not there.

namespace simbatch::cli {
namespace {

std::vector<std::string> words_of(const CLI::App& app) {
  std::vector<std::string> words;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
    for (const std::string& name : option->get_snames()) words.push_back("-" + name);
  }
  for (const CLI::App* sub : app.get_subcommands(nullptr))
    if (!sub->get_name().empty()) words.push_back(sub->get_name());
  return words;
}

std::vector<const CLI::App*> subcommands(const CLI::App& app) {
  std::vector<const CLI::App*> subs;
  for (const CLI::App* sub : app.get_subcommands(nullptr))
    if (!sub->get_name().empty()) subs.push_back(sub);
  return subs;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out;
}

std::string bash(const CLI::App& app, bool zsh) {
  const std::string& name = app.get_name();
  std::string out = zsh ? fmt::format("#compdef {}\nautoload -U +X bashcompinit && bashcompinit\n", name) : "";
  out += fmt::format("_{}() {{\n  local cur=\"${{COMP_WORDS[COMP_CWORD]}}\" words i\n  words='{}'\n", name,
                     fmt::join(words_of(app), " "));
  out += "  for ((i = 1; i < COMP_CWORD; i++)); do\n    case \"${COMP_WORDS[i]}\" in\n";
  for (const CLI::App* sub : subcommands(app))
    out += fmt::format("      {}) words='{}' ;;\n", sub->get_name(), fmt::join(words_of(*sub), " "));
  out += "      *) ;;\n    esac\n  done\n";
  out +=
      "  if [[ $cur == -* ]]; then\n    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n  else\n    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\") $(compgen -f -- \"$cur\"))\n  fi\n}\n";
  out += fmt::format("complete -o filenames -F _{0} {0}\n", name);
  return out;
}

std::string fish(const CLI::App& app) {
  std::string out;
  const auto add = [&](const CLI::App& level, const std::string& condition) {
    for (const CLI::Option* option : level.get_options()) {
      for (const std::string& name : option->get_lnames())
        out += fmt::format("complete -c {}{} -l {} -d '{}'\n", app.get_name(), condition, name,
                           escaped(option->get_description()));
    }
    for (const CLI::App* sub : subcommands(level))
      out += fmt::format("complete -c {} -n __fish_use_subcommand -a {} -d '{}'\n", app.get_name(), sub->get_name(),
                         escaped(sub->get_description()));
  };
  add(app, "");
  for (const CLI::App* sub : subcommands(app)) add(*sub, fmt::format(" -n '__fish_seen_subcommand_from {}'", sub->get_name()));
  return out;
}

}  // namespace

std::string completion(const CLI::App& app, std::string_view shell) {
  if (shell == "bash") return bash(app, false);
  if (shell == "zsh") return bash(app, true);
  if (shell == "fish") return fish(app);
  return {};
}

}  // namespace simbatch::cli
