#include "apps/common/cli.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <map>
#include <sstream>

#include "apps/common/codes.hpp"
#include "base/core/atomic_file.hpp"
#include "base/core/input.hpp"
#include "simbatch_version.hpp"

namespace simbatch::cli {
namespace {

volatile std::sig_atomic_t interrupt_count = 0;
volatile std::sig_atomic_t polling = 0;

extern "C" void on_interrupt(int) {
  interrupt_count = interrupt_count + 1;
  if (polling != 0 && interrupt_count == 1) return;
  discard_temporaries();
  ::_exit(static_cast<int>(ExitCode::interrupted));
}

// A mapped file was cut by somebody while we read it: there is no way back into the reader.
extern "C" void on_bus_error(int signal, siginfo_t* about, void*) {
  if (about->si_code != BUS_ADRERR) {  // a bug: as if there were no handler
    ::signal(signal, SIG_DFL);
    ::raise(signal);
    return;
  }
  constexpr std::string_view kText = "a file was cut while it was read\n";
  if (::write(2, kText.data(), kText.size()) < 0) {
  }
  discard_temporaries();
  ::_exit(static_cast<int>(ExitCode::io));
}

void install_signals() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  struct sigaction bus {};
  bus.sa_sigaction = on_bus_error;
  bus.sa_flags = SA_SIGINFO;
  ::sigaction(SIGBUS, &bus, nullptr);
  // A closed pipe (`| head`) is an error of write(), not a death by signal.
  ::signal(SIGPIPE, SIG_IGN);
}

/// glibc chooses sin, cos, exp ... by processor, with other last bits where FMA is missing. The choice is made when the
/// program is loaded, so it is made again, once, with those variants masked (docs/adr/0001).
void pin_math_library(char** argv) {
  constexpr const char* kVariable = "GLIBC_TUNABLES";
  constexpr std::string_view kPin = "glibc.cpu.hwcaps=-FMA,-AVX2,-FMA4";
  const char* now = std::getenv(kVariable);
  const std::string_view have = now == nullptr ? "" : now;
  if (have.find(kPin) != std::string_view::npos || std::getenv("SIMBATCH_PINNED") != nullptr) return;
  std::string wanted;
  // Other tunables stay; an hwcaps setting of the user's is replaced.
  for (std::size_t at = 0; at < have.size();) {
    const std::size_t end = std::min(have.find(':', at), have.size());
    if (!have.substr(at, end - at).starts_with("glibc.cpu.hwcaps=")) wanted += std::string(have.substr(at, end - at)) + ":";
    at = end + 1;
  }
  wanted += kPin;
  ::setenv(kVariable, wanted.c_str(), 1);
  ::setenv("SIMBATCH_PINNED", "1", 1);  // never twice, even if something drops the tunables
  ::execv("/proc/self/exe", argv);
  // Without /proc the program goes on unpinned; the trace's probe of the math library tells.
}

bool wants_color(const Common& common) {
  if (common.color == When::always) return true;
  const char* unwanted = std::getenv("NO_COLOR");  // no-color.org: set, and not to nothing
  return common.color == When::automatic && on_terminal() && (unwanted == nullptr || *unwanted == '\0');
}

void to_stderr(std::string text) {
  text += '\n';
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t done = ::write(2, rest.data(), rest.size());
    if (done <= 0) return;
    rest.remove_prefix(static_cast<std::size_t>(done));
  }
}

const CLI::App& innermost(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : innermost(*chosen.front());
}

// "objconv rndf fmt"
std::string whole_name(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return app.get_name() + (chosen.empty() ? "" : " " + whole_name(*chosen.front()));
}

// The help of what was chosen. CLI11 names it by its path; the common options stand in the program's own help.
std::string help_of(const CLI::App& app) {
  std::string text = app.help();
  if (innermost(app).get_option_no_throw("--strict") == nullptr)
    text += fmt::format("\nThe options under \"Diagnostics\" in {} --help may be given as well.\n", app.get_name());
  return text;
}

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

// What Reporters have counted, for an end that no Reporter sees.
std::size_t all_errors = 0, all_warnings = 0;

std::string summary_line(std::size_t errors, std::size_t warnings, ExitCode exit) {
  return fmt::format(R"({{"summary":{{"errors":{},"warnings":{},"exit":{}}}}})", errors, warnings, static_cast<int>(exit));
}

int ended_by(const CLI::App& app, const Code& why, const std::string& file, const std::string& cause, ExitCode exit) {
  discard_temporaries();
  if (wants_json(app)) {
    to_stderr(to_json({file, {}, Severity::error, why.name, cause, {}}));
    to_stderr(summary_line(all_errors + 1, all_warnings, exit));
  } else {
    to_stderr(fmt::format("{}: {}{}", app.get_name(), file.empty() ? "" : file + ": ", cause));
  }
  return static_cast<int>(exit);
}

// What CLI11 says, in words that name the option, what was found and what was expected.
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
      type = type.substr(0, type.find(':'));  // without the range
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

std::string nearest_option(const CLI::App& app, std::string_view word) {
  std::vector<std::string> names;
  const std::function<void(const CLI::App&)> collect = [&](const CLI::App& a) {
    for (const CLI::Option* option : a.get_options())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const CLI::App* sub : a.get_subcommands(nullptr)) names.push_back(sub->get_name());
  };
  collect(innermost(app));
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  return std::string(nearest(word.substr(0, word.find('=')), candidates));
}

std::string version_text(const std::string& program) {
  std::string commit = SIMBATCH_COMMIT;
  return fmt::format("{} {}{}", program, SIMBATCH_VERSION, commit.empty() ? "" : " (" + commit + ")");
}

ExitCode explain(std::string_view name) {
  const auto known = linked_codes();
  std::vector<std::string_view> names;
  for (const Code* code : known) {
    names.push_back(code->name);
    if (name == "all") print(fmt::format("{:<32} {:<8} {}\n", code->name, to_text(code->severity), code->meaning));
    if (name != code->name) continue;
    print(fmt::format("{}: {} (default: {})\n", code->name, code->meaning, to_text(code->severity)));
    return ExitCode::ok;
  }
  if (name == "all") return ExitCode::ok;
  const std::string_view near = nearest(name, names);
  to_stderr(fmt::format("no code {}{}; --explain all lists them", quoted(name),
                        near.empty() ? "" : fmt::format(", did you mean {}?", near)));
  return ExitCode::usage;
}

const std::map<std::string, When>& when_words() {
  static const std::map<std::string, When> words{{"auto", When::automatic}, {"always", When::always}, {"never", When::never}};
  return words;
}

}  // namespace

void add_common(CLI::App& app, Common& common) {
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
  install_signals();
  std::string explain_code, shell;
  app.set_help_all_flag("--help-all", "Print this help and that of all subcommands, and exit");
  app.set_version_flag("--version", version_text(app.get_name()), "Print the version and exit");
  // Both are answered before anything else is required.
  CLI::Option* explain_option =
      app.add_option("--explain", explain_code, "Say what a diagnostic's code means (all: list them)")->type_name("CODE");
  CLI::Option* completion_option =
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
        const std::string text = completion(app, *name);
        if (text.empty()) {
          to_stderr(fmt::format("no completion for {}: expected bash, zsh or fish", quoted(*name)));
          return code(ExitCode::usage);
        }
        print(text);
        return code(ExitCode::ok);
      }
    }
    (void)explain_option;
    (void)completion_option;
    try {
      app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
      print(help_of(app));
      return code(ExitCode::ok);
    } catch (const CLI::CallForAllHelp&) {
      // CLI11 expands one level of subcommands; groups have a second.
      std::string text = app.help("", CLI::AppFormatMode::All);
      for (const CLI::App* group : app.get_subcommands(nullptr))
        for (const CLI::App* nested : group->get_subcommands(nullptr))
          text += "\n" + nested->help(app.get_name() + " " + group->get_name());
      print(text);
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
      for (int i = 1; unexpected && i < argc; ++i) {
        const std::string_view word = argv[i];
        if (text.find(word) == std::string::npos) continue;
        const std::string near = nearest_option(app, word);
        if (!near.empty() && near != word) text += fmt::format("; did you mean {}?", near);
        break;
      }
      to_stderr(fmt::format("{}: {}", app.get_name(), text));
      to_stderr(fmt::format("See {} --help.", whole_name(app)));
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

void Reporter::show(Diagnostics diagnostics) {
  diagnostics.sort();
  errors_ += diagnostics.errors();
  (common_.strict ? errors_ : warnings_) += diagnostics.warnings();
  all_errors += diagnostics.errors() + (common_.strict ? diagnostics.warnings() : 0);
  all_warnings += common_.strict ? 0 : diagnostics.warnings();
  const bool color = wants_color(common_);
  bool hiding = false;
  for (Diagnostic d : diagnostics.items()) {
    if (common_.strict && d.severity == Severity::warning) d.severity = Severity::error;
    // A note shares the fate of the diagnostic that it belongs to.
    if (d.severity != Severity::note) {
      const bool silent = common_.quiet && d.severity != Severity::error;
      const bool over = common_.max_errors != 0 && shown_ >= common_.max_errors;
      hiding = silent || over;
      if (hiding) {
        if (!silent) ++hidden_;
        continue;
      }
      ++shown_;
    } else if (hiding || (common_.quiet && shown_ == 0)) {
      continue;
    }
    if (common_.diagnostics_json) {
      to_stderr(to_json(d));
      continue;
    }
    std::string line = to_text(d);
    if (color) {
      const std::string word(to_text(d.severity));
      const char* paint = d.severity == Severity::error     ? "\x1b[31;1m"
                          : d.severity == Severity::warning ? "\x1b[35;1m"
                                                            : "\x1b[36;1m";
      const std::size_t at = line.find(word + ": ");
      if (at != std::string::npos) line.replace(at, word.size(), paint + word + "\x1b[0m");
    }
    to_stderr(line);
  }
  hidden_ += diagnostics.errors() + diagnostics.warnings() > 2 * Diagnostics::kMaxKept
                 ? diagnostics.errors() + diagnostics.warnings() - 2 * Diagnostics::kMaxKept
                 : 0;
}

ExitCode Reporter::finish(ExitCode otherwise) {
  const ExitCode exit = failed() && otherwise == ExitCode::ok ? ExitCode::input : otherwise;
  if (common_.diagnostics_json) {
    to_stderr(summary_line(errors_, warnings_, exit));
  } else {
    if (hidden_ > 0) to_stderr(fmt::format("{} more not shown (--max-errors 0 shows all)", hidden_));
    if (errors_ + (common_.quiet ? 0 : warnings_) > 0)
      to_stderr(
          fmt::format("{} error{}, {} warning{}", errors_, errors_ == 1 ? "" : "s", warnings_, warnings_ == 1 ? "" : "s"));
  }
  return exit;
}

void info(const Common& common, std::string_view text) {
  // A consumer of JSON lines gets nothing else.
  if (!common.quiet && !common.diagnostics_json) to_stderr(std::string(text));
}

void print(std::string_view text) {
  while (!text.empty()) {
    const ssize_t done = ::write(1, text.data(), text.size());
    if (done < 0) {
      if (errno == EINTR) continue;
      if (errno == EPIPE) return;  // the reader has seen enough (`| head`)
      throw IoError::from_errno("<stdout>", "cannot write", errno);
    }
    text.remove_prefix(static_cast<std::size_t>(done));
  }
}

bool interrupted() { return interrupt_count > 0; }
void handle_interrupts_by_polling() { polling = 1; }

}  // namespace simbatch::cli
