#include "apps/common/cli11.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <memory>

#include "apps/common/console.hpp"
#include "base/core/diagnostics.hpp"
#include "simbatch_version.hpp"

namespace simbatch::cli {
namespace {

constexpr const char* kCommonGroup = "Diagnostics";

// "auto|always|never", or CLI11's "WHEN:{auto,always,never}".
std::vector<std::string> choices_of(const CLI::Option& option) {
  std::string type = option.get_type_name();
  const std::size_t open = type.find('{'), close = type.find('}');
  char separator = '|';
  if (open != std::string::npos && close != std::string::npos) {
    type = type.substr(open + 1, close - open - 1);
    separator = ',';
  } else if (type.find('|') == std::string::npos) {
    return {};
  }
  return CLI::detail::split(type, separator);
}

CompletionOption completion_option(const CLI::Option& option) {
  return {option.get_lnames(), option.get_snames(), choices_of(option), option.get_description(),
          option.get_expected_max() > 0 && option.get_type_size_max() > 0};
}

CompletionCommand completion_command(const CLI::App& app, const CLI::App& root) {
  CompletionCommand command{app.get_name(), app.get_description(), {}, {}};
  for (const CLI::Option* option : app.get_options())
    if (!option->get_lnames().empty() || !option->get_snames().empty()) command.options.push_back(completion_option(*option));
  // The common options are declared once, with the program, and may also be given after a subcommand.
  if (&app != &root && app.get_option_no_throw("--strict") == nullptr)
    for (const CLI::Option* option : root.get_options())
      if (option->get_group() == kCommonGroup) command.options.push_back(completion_option(*option));
  for (const CLI::App* sub : app.get_subcommands(nullptr))
    if (!sub->get_name().empty()) command.commands.push_back(completion_command(*sub, root));
  return command;
}

std::string nearest_name(const CLI::App& app, std::string_view word) {
  std::vector<std::string> names;
  const std::function<void(const CLI::App&)> collect = [&](const CLI::App& a) {
    for (const CLI::Option* option : a.get_options())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const CLI::App* sub : a.get_subcommands(nullptr)) names.push_back(sub->get_name());
    if (a.get_parent() != nullptr)
      for (const CLI::Option* option : a.get_parent()->get_options())
        if (option->get_group() == kCommonGroup) names.push_back("--" + option->get_lnames().front());
  };
  collect(innermost(app));
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  return std::string(nearest(word.substr(0, word.find('=')), candidates));
}

/// The first positional argument of a program that also has subcommands, if it is a word like theirs; otherwise "".
std::string mistaken_subcommand(const CLI::App& app) {
  if (!app.get_subcommands().empty() || app.get_subcommands(nullptr).empty()) return "";
  for (const CLI::Option* option : app.get_options())
    if (option->get_positional() && option->count() > 0) {
      const std::string word = option->results().front();
      return word.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == std::string::npos ? word : "";
    }
  return "";
}

/// CLI11 puts subcommands behind positional arguments, where they are refused: each has a line of its own here.
class UsageFormatter : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* app, std::string name) const override {
    if (app->get_subcommands(nullptr).empty()) return CLI::Formatter::make_usage(app, name);
    std::string arguments;
    for (const CLI::Option* option : app->get_options([](const CLI::Option* o) { return o->get_positional(); }))
      arguments += " " + make_option_usage(option);
    if (arguments.empty()) return "Usage: " + name + " [OPTIONS] SUBCOMMAND ...\n";
    return fmt::format("Usage: {0} [OPTIONS]{1}\n       {0} SUBCOMMAND ...\n", name, arguments);
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> usage_formatter() { return std::make_shared<UsageFormatter>(); }

CompletionCommand completion_model(const CLI::App& app) { return completion_command(app, app); }

const CLI::App& innermost(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : innermost(*chosen.front());
}

std::string whole_name(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return app.get_name() + (chosen.empty() ? "" : " " + whole_name(*chosen.front()));
}

std::string version_text(const std::string& program) {
  const std::string commit = SIMBATCH_COMMIT;
  return fmt::format("{} {}{}", program, SIMBATCH_VERSION, commit.empty() ? "" : " (" + commit + ")");
}

std::string help_of(const CLI::App& app) {
  std::string text = app.help();
  if (innermost(app).get_option_no_throw("--strict") == nullptr)
    text += fmt::format("\nThe options of the group \"{}\" in {} --help may be given as well.\n", kCommonGroup, app.get_name());
  return text;
}

std::string help_of_all(const CLI::App& app) {
  // CLI11 expands one level of subcommands; groups have a second.
  std::string text = app.help("", CLI::AppFormatMode::All);
  for (const CLI::App* group : app.get_subcommands(nullptr))
    for (const CLI::App* nested : group->get_subcommands(nullptr))
      text += "\n" + nested->help(app.get_name() + " " + group->get_name());
  return text;
}

std::string usage_text(const CLI::App& app, const CLI::ParseError& error) {
  std::string text = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const std::size_t colon = text.find(": 1 required ");
    if (const std::size_t many = text.find(": At Most 1 required but received "); many != std::string::npos)
      return text.substr(0, many) + " may be given once";
    if (colon != std::string::npos && text.ends_with(" missing")) {
      const CLI::Option* option = innermost(app).get_option_no_throw(text.substr(0, colon));
      if (option == nullptr) option = app.get_option_no_throw(text.substr(0, colon));
      std::string type = option == nullptr ? "" : option->get_type_name();
      type = type.substr(0, type.find(':'));  // without CLI11's range
      return text.substr(0, colon) + " needs a value" + (type.empty() ? "" : ": " + type);
    }
  }
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr && text.starts_with("Could not convert: ")) {
    const std::size_t equals = text.find(" = ");
    if (equals != std::string::npos)
      return fmt::format("{}: expected a number, found {}", text.substr(19, equals - 19),
                         simbatch::quoted(text.substr(equals + 3)));
  }
  return text;
}

std::string extras_text(const CLI::App& app, const std::string& without_subcommand) {
  std::vector<std::string> options, arguments;
  for (const std::string& word : app.remaining(true)) {
    std::vector<std::string>& kind = word.size() > 1 && word.front() == '-' ? options : arguments;
    if (word != "--" && std::find(kind.begin(), kind.end(), word) == kind.end()) kind.push_back(word);
  }
  // What follows an unknown option may be its value.
  const std::vector<std::string>& words = options.empty() ? arguments : options;
  if (words.empty()) return "unexpected arguments";
  std::string text = options.empty() ? "unexpected argument" : "unknown option";
  if (words.size() > 1) text += 's';
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " and" : ",";
    text += " " + (options.empty() ? simbatch::quoted(words[i]) : printable_lines(words[i]));
  }
  if (options.empty())
    if (const std::string word = mistaken_subcommand(app); !word.empty()) {
      const std::string near = nearest_name(app, word);
      return fmt::format("{}: {} is not a subcommand{}", text, simbatch::quoted(word),
                         !near.empty() ? ", did you mean " + near + "?" : "; " + without_subcommand);
    }
  const std::string near = nearest_name(app, words.front());
  return near.empty() || near == words.front() ? text : fmt::format("{}; did you mean {}?", text, near);
}

}  // namespace simbatch::cli
