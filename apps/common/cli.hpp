#pragma once
/// What all four programs share on the command line: exit codes, common options, printing of diagnostics, progress.

#include <atomic>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"

namespace CLI {
class App;
}

namespace simbatch::cli {

/// docs/adr/0004.
enum class ExitCode : int {
  ok = 0,
  input = 1,  ///< the input has errors, or an expectation failed
  usage = 2,
  io = 3,        ///< could not read or write
  internal = 4,  ///< a bug of ours
  interrupted = 130,
};

enum class When { automatic, always, never };

/// Options of the same spelling in all programs.
struct Common {
  bool strict = false;              ///< --strict: warnings are errors
  std::size_t max_errors = 100;     ///< --max-errors N: how many diagnostics are shown; 0 = all
  bool diagnostics_json = false;    ///< --diagnostics json
  bool quiet = false;               ///< -q: no summary, no warnings shown (they are still counted)
  int verbose = 0;                  ///< -v
  When color = When::automatic;     ///< --color
  When progress = When::automatic;  ///< --progress
};

/// Adds the common options to a program (or a subcommand), in the group "Diagnostics".
void add_common(CLI::App& app, Common& common);

/// Shows each of these command lines in the help of the subcommand that it calls ("tool group command ..."), all
/// subcommands being there. A test runs all examples of all help texts.
void add_examples(CLI::App& app, std::initializer_list<std::string_view> lines);

/// Runs a program: pins the math library's variants (docs/adr/0001), sets up signals, parses (usage errors -> 2, with the
/// nearest option named), answers --version, --explain CODE and --completion SHELL, calls `run`, maps IoError to 3 and any
/// other exception to 4. SIGINT and SIGTERM end the program with 130 and leave no temporary file; SIGBUS of a mapped file that
/// somebody cut ends it with 3. A reader of standard output that has gone (`| head`) is no error.
int run_main(CLI::App& app, int argc, char** argv, const std::function<ExitCode()>& run);

/// Shows diagnostics on standard error as the common options ask, counts, and says how the program should end.
class Reporter {
 public:
  explicit Reporter(const Common& common) : common_(common) {}
  /// Shows these (sorted) and adds them to the counts.
  void show(Diagnostics diagnostics);
  std::size_t errors() const { return errors_; }  ///< with --strict, warnings are counted here
  std::size_t warnings() const { return warnings_; }
  bool failed() const { return errors_ > 0; }
  /// Prints what --max-errors hid, and the summary line of --diagnostics json; call once, last.
  ExitCode finish(ExitCode otherwise = ExitCode::ok);

 private:
  const Common& common_;
  std::size_t errors_ = 0, warnings_ = 0, shown_ = 0, hidden_ = 0;
};

/// A progress bar on standard error: only on a terminal and from 0.2 s on (or --progress always: at once), never with
/// --diagnostics json or -q.
class Progress {
 public:
  /// @param total  number of units of work; 0 = unknown
  Progress(const Common& common, std::string label, std::uint64_t total);
  ~Progress();
  void update(std::uint64_t done);  ///< cheap: draws at most ten times a second
  void finish();                    ///< removes the bar

 private:
  struct State;
  std::unique_ptr<State> state_;  // empty when nothing is to be drawn
};

/// True if standard error is a terminal that understands more than text (TERM is not "dumb").
bool on_terminal();
/// Prints a line on standard error unless --quiet.
void info(const Common& common, std::string_view text);
/// Writes text to standard output. @throws IoError
void print(std::string_view text);

/// True once SIGINT or SIGTERM arrived, in a program that asked to end by itself.
bool interrupted();
/// From here on the first signal only sets interrupted(); a second one ends the program at once.
void handle_interrupts_by_polling();

/// Shell completion of a program, made from its options. @param shell bash, zsh or fish
std::string completion(const CLI::App& app, std::string_view shell);

}  // namespace simbatch::cli
