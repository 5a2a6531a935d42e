// Command lines that programs build with CLI11 themselves; to remove when all use command.hpp.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <sstream>

#include "apps/common/cli.hpp"
#include "apps/common/cli11.hpp"
#include "apps/common/codes.hpp"
#include "apps/common/explain.hpp"
#include "apps/common/math_library.hpp"
#include "base/core/atomic_file.hpp"
#include "base/core/input.hpp"

namespace simbatch::cli {
namespace {

bool wants_json(const CLI::App& app) {
  const CLI::Option* form = app.get_option_no_throw("--diagnostics");
  if (form != nullptr && form->count() > 0) return form->results().back() == "json";
  const auto chosen = app.get_subcommands();
  return !chosen.empty() && wants_json(*chosen.front());
}

// A common option means the same before a subcommand that has it as well as behind it.
void hand_down_common(const CLI::App& app) {
  for (CLI::App* sub : app.get_subcommands()) {
    for (const CLI::Option* given : app.get_options()) {
      if (given->get_group() != "Diagnostics" || given->count() == 0) continue;
      CLI::Option* own = sub->get_option_no_throw("--" + given->get_lnames().front());
      if (own == nullptr || own->count() > 0) continue;
      for (const std::string& word : given->results()) own->add_result(word);
      own->run_callback();
    }
    hand_down_common(*sub);
  }
}

int ended_by(const CLI::App& app, const Code& why, const std::string& file, const std::string& cause, ExitCode exit) {
  discard_temporaries();
  if (wants_json(app)) {
    print_error(to_json({file, {}, Severity::error, why.name, cause, {}}));
    print_error(summary_json(1, 0, 0, exit));
  } else {
    print_error(
        fmt::format("{}: {}{}", app.get_name(), file.empty() ? "" : printable_lines(file) + ": ", printable_lines(cause)));
  }
  return static_cast<int>(exit);
}

const std::map<std::string, When>& when_words() {
  static const std::map<std::string, When> words{{"auto", When::automatic}, {"always", When::always}, {"never", When::never}};
  return words;
}

}  // namespace

void add_common(CLI::App& app, CommonOptions& common) {
  const std::string group = "Diagnostics";
  app.add_flag("--strict", common.strict, "Warnings are errors")->group(group);
  app.add_option("--max-errors", common.max_errors, "Show at most N diagnostics (0: all)")
      ->type_name("N")
      ->capture_default_str()
      ->group(group);
  app.add_option_function<std::string>(
         "--diagnostics", [&common](const std::string& kind) { common.diagnostics_json = kind == "json"; },
         "Form of the diagnostics: text or json (a line each)")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("FORM")
      ->group(group);
  app.add_flag("-q,--quiet", common.quiet, "Show errors only")->group(group);
  app.add_flag("-v,--verbose", common.verbose, "Tell more")->group(group);
  const auto add_when = [&](const char* name, When& value, const char* text) {
    app.add_option_function<std::string>(
           name, [&value](const std::string& word) { value = when_words().at(word); }, text)
        ->check(CLI::IsMember({"auto", "always", "never"}))
        ->type_name("WHEN")
        ->group(group);
  };
  add_when("--color", common.color, "Colour: auto, always or never");
  add_when("--progress", common.progress, "Progress bar: auto, always or never");
}

void add_examples(CLI::App& app, std::initializer_list<std::string_view> lines) {
  for (const std::string_view line : lines) {
    CLI::App* called = &app;
    const std::size_t begin = line.find(app.get_name() + " ");  // behind a pipe, perhaps
    std::istringstream words{std::string(line.substr(begin + app.get_name().size()))};
    for (std::string word; words >> word;) {
      const auto subcommands = called->get_subcommands(nullptr);
      const auto next =
          std::find_if(subcommands.begin(), subcommands.end(), [&](const CLI::App* sub) { return sub->get_name() == word; });
      if (next == subcommands.end()) break;
      called = *next;
    }
    std::string footer = called->get_footer();
    if (!footer.starts_with("Examples:")) footer = "Examples:";
    called->footer(fmt::format("{}\n  {}", footer, line));
  }
}

int run_main(CLI::App& app, int argc, char** argv, const std::function<ExitCode()>& run) {
  pin_math_library(argv);
  install_signal_handlers();
  std::string explain_code, shell;
  app.set_help_all_flag("--help-all", "Print this help and that of all subcommands, and exit");
  app.set_version_flag("--version", version_text(app.get_name()), "Print the version and exit");
  // Both are answered before anything else is required.
  app.add_option("--explain", explain_code, "Say what a diagnostic's code means (all: list them)")->type_name("CODE");
  app.add_option("--completion", shell, "Print the shell completion: bash, zsh or fish")->type_name("SHELL");
  const auto code = [](ExitCode c) { return static_cast<int>(c); };
  try {
    for (int i = 1; i < argc; ++i) {
      const std::string_view word = argv[i];
      const auto value = [&](std::string_view name) -> std::optional<std::string_view> {
        if (word == name && i + 1 < argc) return argv[i + 1];
        if (word.starts_with(std::string(name) + "=")) return word.substr(name.size() + 1);
        return std::nullopt;
      };
      if (word == "--") break;
      if (const auto name = value("--explain")) return code(explain(*name));
      if (const auto name = value("--completion")) {
        const std::string text = completion(completion_model(app), *name);
        if (text.empty()) {
          print_error(fmt::format("no completion for {}: expected bash, zsh or fish", quoted(*name)));
          return code(ExitCode::usage);
        }
        print(text);
        return code(ExitCode::ok);
      }
    }
    try {
      app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
      print(help_of(app));
      return code(ExitCode::ok);
    } catch (const CLI::CallForAllHelp&) {
      print(help_of_all(app));
      return code(ExitCode::ok);
    } catch (const CLI::Success& success) {  // --version, --help-all
      print(std::string(success.what()) + "\n");
      return code(ExitCode::ok);
    } catch (const CLI::ParseError& error) {
      std::string text = usage_text(app, error);
      bool unexpected = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
      // Behind the first word that is unknown, CLI11 may miss what only seems to be missing.
      const std::vector<std::string> extras = app.remaining(true);
      if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr && !extras.empty() && innermost(app).parsed()) {
        unexpected = true;
        text = fmt::format("The following argument was not expected: {}", extras.front());
      }
      if (unexpected) text += suggestion(app, text, argc, argv);
      print_error(fmt::format("{}: {}", app.get_name(), text));
      print_error(fmt::format("See {} --help.", whole_name(app)));
      return code(ExitCode::usage);
    }
    hand_down_common(app);
    const ExitCode result = run();
    return interrupted() ? code(ExitCode::interrupted) : code(result);
  } catch (const IoError& error) {
    if (error.reader_gone()) return code(ExitCode::ok);
    return ended_by(app, code::kFileIo, error.file(), error.cause(), ExitCode::io);
  } catch (const std::bad_alloc&) {
    return ended_by(app, code::kInternal, "", "out of memory", ExitCode::internal);
  } catch (const std::exception& error) {
    return ended_by(
        app, code::kInternal, "",
        fmt::format("internal error: {}\nThis is a bug. Please report it with the command line and the input.", error.what()),
        ExitCode::internal);
  }
}

}  // namespace simbatch::cli
