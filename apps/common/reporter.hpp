#pragma once
/// Diagnostics on standard error.

#include <cstddef>
#include <string_view>

#include "apps/common/options.hpp"
#include "base/core/diagnostics.hpp"

namespace simbatch::cli {

/// Shows diagnostics according to the common options, counts them, and determines the exit code.
class Reporter {
 public:
  explicit Reporter(const CommonOptions& common) : common_(common) {}
  const CommonOptions& options() const { return common_; }
  /// Shows these, sorted, and adds them to the counts.
  void show(Diagnostics diagnostics);
  /// Writes a line to standard error unless --quiet.
  void status(std::string_view line) const;
  std::size_t errors() const { return errors_; }  ///< with --strict, including warnings
  std::size_t warnings() const { return warnings_; }
  bool failed() const { return errors_ > forgiven_; }
  /// The errors until now do not decide the exit code: something else was done instead of what they are about.
  void forgive() { forgiven_ = errors_; }
  /// Prints how many diagnostics were not shown, and the counts; call once, last.
  /// @return `otherwise`, but ExitCode::input if that is ok and there were errors
  ExitCode finish(ExitCode otherwise = ExitCode::ok);

 private:
  void print(const Diagnostic& diagnostic) const;

  const CommonOptions& common_;
  std::size_t errors_ = 0, warnings_ = 0, shown_ = 0;
  std::size_t forgiven_ = 0;
  std::size_t hidden_ = 0;   // by --max-errors
  std::size_t dropped_ = 0;  // dropped by Diagnostics beyond its limit
};

/// The last line of --diagnostics json.
std::string summary_json(std::size_t errors, std::size_t warnings, std::size_t not_shown, ExitCode exit);

}  // namespace simbatch::cli
