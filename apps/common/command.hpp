#pragma once
/// The command line of a program: commands, each with its options and function. This is the whole interface to command lines;
/// CLI11, which parses them and lays out the help, is used by run_main.cpp only.
///
/// A subcommand is one file with one function, which declares its options beside the code that uses them:
///
///   struct CropOptions {
///     std::string input, output;
///     std::int64_t every = 1;
///     std::optional<PixelSize> size;
///   };
///   cli::ExitCode crop(const CropOptions& options, cli::Reporter& reporter);
///
///   void add_crop(cli::Command& program) {
///     cli::Command& command = program.add("crop", "Cut a picture");
///     auto& o = command.keep<CropOptions>();
///     command.positional("PICTURE", o.input, "PNG file").required();
///     command.option("-o,--output", "FILE", o.output, "PNG file; - is standard output").required();
///     command.group("Size");
///     command.option("--every", "N", o.every, "Take every Nth row").at_least(1).show_default();
///     command.option("--size", "WxH", {o.size, read_pixel_size, "WxH of 1 to 8192 pixels each"}, "Size in pixels");
///     command.check([&o] { return o.input == "-" && o.output == "-" ? "..." : ""; });
///     command.examples({"tool crop in.png -o out.png --size 64x48"});
///     command.run([&o](cli::Reporter& reporter) { return crop(o, reporter); });
///   }

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/common/options.hpp"

namespace simbatch::cli {

class Reporter;

/// Limits of a number option; infinite where there are none.
struct Limits {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  bool above_low = false;  ///< low itself is excluded
  bool contain(double value) const { return (above_low ? value > low : value >= low) && value <= high; }
};

/// Target of the words given for an option, and how to parse them. Numbers are always finite: "nan" and "inf" are refused.
class Value {
 public:
  Value(std::string& text);
  Value(int& number);
  Value(unsigned& number);
  Value(std::int64_t& number);
  Value(std::uint64_t& number);
  Value(double& number);
  /// Each occurrence of the option appends a word.
  Value(std::vector<std::string>& words);
  /// Set if the option is given.
  Value(std::optional<std::string>& text);
  Value(std::optional<int>& number);
  Value(std::optional<std::int64_t>& number);
  Value(std::optional<std::uint64_t>& number);
  Value(std::optional<double>& number);
  /// A type of the program's own.
  /// @param read      std::string_view -> std::optional<T>; empty if the word cannot be read
  /// @param expected  the expected form of a word, for messages and help: "WxH of 1 to 8192 pixels each"
  template <class T, class Read>
  Value(T& value, Read read, std::string expected)
      : set_([&value, read](std::string_view word, const Limits&) {
          auto result = read(word);
          if (!result) return false;
          value = *std::move(result);
          return true;
        }),
        expected_(std::move(expected)) {}
  /// As above, for an option that may be repeated.
  template <class T, class Read>
  Value(std::vector<T>& values, Read read, std::string expected)
      : set_([&values, read](std::string_view word, const Limits&) {
          auto result = read(word);
          if (!result) return false;
          values.push_back(*std::move(result));
          return true;
        }),
        expected_(std::move(expected)),
        repeats_(true) {}

 private:
  friend class Option;
  std::function<bool(std::string_view word, const Limits& limits)> set_;
  std::string expected_;  // "a number"; empty: any text
  std::string initial_;   // the value before parsing, for the help
  bool repeats_ = false, is_number_ = false;
};

/// An option or positional argument of a command. The setters return the option itself, so that they can be chained.
class Option {
 public:
  Option& required();
  /// Shows the initial value in the help.
  Option& show_default();
  /// Numbers: both limits are allowed values.
  Option& range(double low, double high);
  Option& at_least(double low);
  /// Numbers: greater than 0.
  Option& positive();
  /// The allowed words.
  Option& choices(std::vector<std::string> words);
  /// A condition on the word. @param expected  for the message: "a UTM zone like 29S"
  Option& accepts(std::function<bool(std::string_view word)> condition, std::string expected);

  /// Reads the words given on a command line. Returns an error ("--every: expected ..."), or nothing.
  std::string read(const std::vector<std::string>& words);

  const std::string& names() const { return names_; }            ///< "-o,--output"; of a positional "FILE"
  const std::string& value_name() const { return value_name_; }  ///< "FILE"; empty for flags
  const std::string& help() const { return help_; }              ///< without limits
  std::string full_help() const;                                 ///< with limits
  const std::string& group() const { return group_; }
  const std::vector<std::string>& choices() const { return choices_; }
  const std::string& initial() const { return value_.initial_; }
  std::string shown_name() const;  ///< for messages: "--output", "FILE"
  bool is_positional() const { return names_.front() != '-'; }
  bool is_flag() const { return value_name_.empty() && !is_positional(); }
  bool is_required() const { return required_; }
  bool shows_default() const { return shows_default_; }
  bool repeats() const { return value_.repeats_; }

 private:
  friend class Command;
  Option(std::string names, std::string value_name, Value value, std::string help, std::string group);
  static Option flag(std::string names, std::function<void(std::size_t times)> set, std::string help, std::string group);

  std::string names_, value_name_, help_, group_;
  Value value_;
  std::function<void(std::size_t times)> set_flag_;
  std::function<bool(std::string_view)> condition_;
  std::string condition_text_;
  Limits limits_;
  std::vector<std::string> choices_;
  bool required_ = false, shows_default_ = false;
};

/// Action of a command, after its options were parsed.
using Run = std::function<ExitCode(Reporter& reporter)>;

/// A program, a subcommand, or a group of subcommands ("body" of "objconv body set").
class Command {
 public:
  /// A program. @param name  "simrun"  @param help  one sentence
  Command(std::string name, std::string help) : name_(std::move(name)), help_(std::move(help)) {}
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  /// A subcommand. @param help  one line, without full stop
  Command& add(std::string name, std::string help);
  /// An options struct that lives as long as the command.
  template <class T>
  T& keep() {
    auto owned = std::make_shared<T>();
    T& value = *owned;
    kept_.push_back(std::move(owned));
    return value;
  }
  /// The heading in the help under which the options that follow are listed.
  void group(std::string title) { group_ = std::move(title); }
  /// @param names  "-o,--output" or "--every"  @param value_name  "FILE"
  Option& option(std::string names, std::string value_name, Value value, std::string help);
  Option& flag(std::string names, bool& value, std::string help);
  /// Counts occurrences (-v -v).
  Option& flag(std::string names, int& count, std::string help);
  /// Positional arguments are taken in the order of their declaration. One that repeats must be the last.
  Option& positional(std::string name, Value value, std::string help);
  /// A condition on several options, checked after parsing and before execution. Returns an error, or "".
  void check(std::function<std::string()> problem) { checks_.push_back(std::move(problem)); }
  /// Whole command lines for the help. A test runs them.
  void examples(std::vector<std::string> lines) { examples_ = std::move(lines); }
  /// For a program that has an action and subcommands: how the action is called. @param use  "a scenario runs without one: ..."
  void without_subcommand(std::string use) { without_subcommand_ = std::move(use); }
  /// Sets the action; a command without one needs a subcommand.
  void run(Run run) { run_ = std::move(run); }

  const std::string& name() const { return name_; }
  const std::string& help() const { return help_; }
  const std::vector<std::unique_ptr<Option>>& options() const { return options_; }
  const std::vector<std::unique_ptr<Command>>& commands() const { return commands_; }
  const std::vector<std::string>& examples() const { return examples_; }
  const std::vector<std::function<std::string()>>& checks() const { return checks_; }
  const std::string& without_subcommand() const { return without_subcommand_; }
  const Run& run() const { return run_; }

 private:
  Option& push(Option option);

  std::string name_, help_, group_ = "Options", without_subcommand_;
  std::vector<std::unique_ptr<Option>> options_;
  std::vector<std::unique_ptr<Command>> commands_;
  std::vector<std::shared_ptr<void>> kept_;
  std::vector<std::function<std::string()>> checks_;
  std::vector<std::string> examples_;
  Run run_;
};

/// Runs a program: pins the math library's variants (docs/adr/0001), sets up signals, adds the common options and --help,
/// --version, --explain CODE, --completion SHELL, parses (usage errors end with 2 and name the nearest option), runs the
/// chosen command, and maps IoError to 3 and any other exception to 4. SIGINT and SIGTERM end the program with 130 and leave
/// no temporary file; SIGBUS of a mapped file that another program truncated ends it with 3. A closed standard output
/// (`| head`) is not an error.
/// @param tunable  one of glibc's tunables ("name=value") that the program runs with, unless the user has set it; or empty
int run_main(Command& program, int argc, char** argv, std::string_view tunable = {});

}  // namespace simbatch::cli
