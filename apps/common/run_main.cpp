#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>

#include "apps/common/cli11.hpp"
#include "apps/common/codes.hpp"
#include "apps/common/command.hpp"
#include "apps/common/console.hpp"
#include "apps/common/explain.hpp"
#include "apps/common/installation.hpp"
#include "apps/common/math_library.hpp"
#include "apps/common/reporter.hpp"
#include "apps/common/signals.hpp"
#include "base/core/atomic_file.hpp"
#include "base/core/input.hpp"

namespace simbatch::cli {
namespace {

constexpr const char* kCommon = "Diagnostics";

// CLI11 keeps the words of an option; Option::read() reads them.
const CLI::callback_t kKeepWords = [](const CLI::results_t&) { return true; };

std::optional<When> read_when(std::string_view word) {
  if (word == "auto") return When::automatic;
  if (word == "always") return When::always;
  if (word == "never") return When::never;
  return std::nullopt;
}

void add_common_options(Command& program, CommonOptions& common) {
  program.group(kCommon);
  program.flag("--strict", common.strict, "Treat warnings as errors");
  program.option("--max-errors", "N", common.max_errors, "Show at most N diagnostics (0: all)").show_default();
  const auto read_form = [](std::string_view word) { return std::optional<bool>(word == "json"); };
  program.option("--diagnostics", "FORM", {common.diagnostics_json, read_form, ""}, "Format of diagnostics on standard error")
      .choices({"text", "json"});
  program.flag("-q,--quiet", common.quiet, "Show errors only");
  program.flag("-v,--verbose", common.verbose, "Print more detail");
  const std::vector<std::string> when{"auto", "always", "never"};
  program.option("--color", "WHEN", {common.color, read_when, ""}, "Color the diagnostics").choices(when);
  program.option("--progress", "WHEN", {common.progress, read_when, ""}, "Show a progress bar").choices(when);
}

/// A program's commands as CLI11 sees them. CLI11 assigns the words to options; we parse them.
class Parser {
 public:
  explicit Parser(const Command& program) : program_(program), app_(program.help(), program.name()) {
    app_.formatter(usage_formatter());
    app_.fallthrough();
    app_.set_version_flag("--version", version_text(program.name()), "Print the version and exit");
    // Handled before the command line is parsed; declared here for the help.
    app_.add_option("--explain", kKeepWords, "Print what a diagnostic code means (all: list them)")->type_name("CODE");
    app_.add_option("--completion", kKeepWords, "Print the shell completion: bash, zsh or fish")->type_name("SHELL");
    add(program, app_);
    // Otherwise subcommands added later would inherit it.
    app_.set_help_all_flag("--help-all", "Print this help and that of all subcommands, and exit");
  }

  const CLI::App& app() const { return app_; }
  const Command& program() const { return program_; }

  /// Reads the command line into the options. @throws CLI::ParseError; @return an error, or nothing
  std::string parse(int argc, char** argv) {
    app_.parse(argc, argv);
    for (const CLI::App* level = &app_;;) {
      const auto chosen = level->get_subcommands();
      if (chosen.empty()) break;
      level = chosen.front();
      for (const auto& sub : command_->commands())
        if (sub->name() == level->get_name()) {
          command_ = sub.get();
          break;
        }
    }
    if (!command_->run()) return "a subcommand is required";
    for (const Command* from : {&program_, command_}) {
      for (const auto& option : from->options())
        if (std::string problem = read(*option, from); !problem.empty()) return problem;
      if (from == command_) break;
    }
    for (const auto& check : command_->checks())
      if (std::string problem = check(); !problem.empty()) return problem;
    return {};
  }
  /// The selected command.
  const Command& command() const { return *command_; }

  /// Marks required options for the help; while parsing, required options are checked last.
  void mark_required() {
    for (const auto& [option, given] : given_) given->required(option->is_required());
  }

 private:
  void add(const Command& command, CLI::App& app) {
    for (const auto& option : command.options()) add(*option, app);
    for (const auto& sub : command.commands()) {
      CLI::App* const child = app.add_subcommand(sub->name(), sub->help());
      add(*sub, *child);
    }
    app.require_subcommand(0, 1);
    if (!command.examples().empty()) app.footer(fmt::format("Examples:\n  {}", fmt::join(command.examples(), "\n  ")));
  }

  void add(const Option& option, CLI::App& app) {
    if (option.is_flag()) {
      const std::string help = option.full_help();
      given_[&option] = app.add_flag(option.names(), help)->disable_flag_override()->group(option.group());
      return;
    }

    CLI::Option* added = app.add_option(option.names(), kKeepWords, option.full_help());
    given_[&option] = added;
    const std::string name =
        option.choices().empty() ? option.value_name() : fmt::format("{}", fmt::join(option.choices(), "|"));
    added->type_name(name + (option.repeats() && !option.is_positional() ? " ..." : ""));
    if (option.repeats())
      added->take_all()->expected(option.is_positional() ? -1 : 1)->allow_extra_args(option.is_positional());
    if (option.shows_default()) added->default_str(option.initial());
    if (!option.is_positional()) added->group(option.group());
    if (option.group() == kCommon) added->take_last();
  }

  std::string read(Option& option, const Command* from) const {
    const CLI::Option& given = *given_.at(&option);
    if (given.count() == 0) {
      const bool missing = option.is_required() && from == command_;
      return missing ? fmt::format("{} is required", option.shown_name()) : "";
    }
    if (from != command_ && option.group() != kCommon)
      return option.is_positional() ? fmt::format("unexpected argument {}", simbatch::quoted(given.results().front()))
                                    : fmt::format("{} is not an option of {}", option.shown_name(), whole_name(app_));
    return option.read(given.results());
  }

  const Command& program_;
  const Command* command_ = &program_;
  CLI::App app_;
  std::map<const Option*, CLI::Option*> given_;
};

// --explain and --completion, which require no other arguments.
std::optional<ExitCode> answer(const Parser& parser, int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const auto value = [&](std::string_view name) -> std::optional<std::string_view> {
      if (word == name && i + 1 < argc) return argv[i + 1];
      if (word.starts_with(std::string(name) + "=")) return word.substr(name.size() + 1);
      return std::nullopt;
    };
    if (word == "--") break;
    if (const auto code = value("--explain")) return explain(*code);
    if (const auto shell = value("--completion")) {
      const std::string text = completion(completion_model(parser.app()), *shell);
      if (text.empty()) print_error(fmt::format("no completion for {}: expected bash, zsh or fish", simbatch::quoted(*shell)));
      print(text);
      return text.empty() ? ExitCode::usage : ExitCode::ok;
    }
  }
  return std::nullopt;
}

// Parses the command line; a result if there is nothing left to do.
std::optional<ExitCode> parse(Parser& parser, int argc, char** argv) {
  std::string problem;
  try {
    problem = parser.parse(argc, argv);
    if (problem.empty()) return std::nullopt;
  } catch (const CLI::CallForHelp&) {
    parser.mark_required();
    print(help_of(parser.app()));
    return ExitCode::ok;
  } catch (const CLI::CallForAllHelp&) {
    parser.mark_required();
    print(help_of_all(parser.app()));
    return ExitCode::ok;
  } catch (const CLI::Success& success) {  // --version
    print(std::string(success.what()) + "\n");
    return ExitCode::ok;
  } catch (const CLI::ParseError& error) {
    const bool extras = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
    problem = extras ? extras_text(parser.app(), parser.program().without_subcommand()) : usage_text(parser.app(), error);
  }
  print_error(fmt::format("{}: {}", parser.app().get_name(), problem));
  print_error(fmt::format("See {} --help.", whole_name(parser.app())));
  return ExitCode::usage;
}

ExitCode ended_by(const std::string& program, const Reporter& reporter, const Code& code, const std::string& file,
                  const std::string& cause, ExitCode exit) {
  discard_temporaries();
  if (reporter.options().diagnostics_json) {
    print_error(to_json({file, {}, Severity::error, code.name, cause, {}}));
    print_error(summary_json(reporter.errors() + 1, reporter.warnings(), 0, exit));
  } else {
    print_error(fmt::format("{}: {}{}", program, file.empty() ? "" : printable_lines(file) + ": ", printable_lines(cause)));
  }
  return exit;
}

ExitCode run_command(Command& program, int argc, char** argv) {
  auto& common = program.keep<CommonOptions>();
  add_common_options(program, common);
  Reporter reporter(common);
  try {
    Parser parser(program);
    if (const auto done = answer(parser, argc, argv)) return *done;
    if (const auto done = parse(parser, argc, argv)) return *done;
    const ExitCode result = parser.command().run()(reporter);
    return interrupted() ? ExitCode::interrupted : result;
  } catch (const IoError& error) {
    if (error.reader_gone()) return ExitCode::ok;
    return ended_by(program.name(), reporter, code::kFileIo, error.file(), error.cause() + where_installed(error.file()),
                    ExitCode::io);
  } catch (const std::bad_alloc&) {
    return ended_by(program.name(), reporter, code::kInternal, "", "out of memory", ExitCode::internal);
  } catch (const std::exception& error) {
    return ended_by(
        program.name(), reporter, code::kInternal, "",
        fmt::format("internal error: {}\nThis is a bug. Please report it with the command line and the input.", error.what()),
        ExitCode::internal);
  }
}

}  // namespace

int run_main(Command& program, int argc, char** argv, std::string_view tunable) {
  pin_math_library(argv, tunable);
  install_signal_handlers(program.name());
  return static_cast<int>(run_command(program, argc, argv));
}

}  // namespace simbatch::cli
