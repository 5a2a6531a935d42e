#include "apps/common/reporter.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "apps/common/console.hpp"
#include "base/core/note.hpp"

namespace simbatch::cli {
namespace {

bool wants_color(const CommonOptions& common) {
  if (common.color == When::always) return true;
  const char* unwanted = std::getenv("NO_COLOR");  // no-color.org: set and not empty
  return common.color == When::automatic && on_terminal() && (unwanted == nullptr || *unwanted == '\0');
}

const char* color_of(Severity severity) {
  switch (severity) {
    case Severity::error: return "\x1b[31;1m";
    case Severity::warning: return "\x1b[35;1m";
    case Severity::note: break;
  }
  return "\x1b[36;1m";
}

}  // namespace

std::string summary_json(std::size_t errors, std::size_t warnings, std::size_t not_shown, ExitCode exit) {
  const std::string rest = not_shown == 0 ? "" : fmt::format(R"("not_shown":{},)", not_shown);
  return fmt::format(R"({{"summary":{{"errors":{},"warnings":{},{}"exit":{}}}}})", errors, warnings, rest,
                     static_cast<int>(exit));
}

void Reporter::print(const Diagnostic& diagnostic) const {
  if (common_.diagnostics_json) return print_error(to_json(diagnostic));
  std::string line = to_text(diagnostic);
  if (wants_color(common_)) {
    const std::string word(to_text(diagnostic.severity));
    const std::size_t at = line.find(word + ": ");
    if (at != std::string::npos) line.replace(at, word.size(), color_of(diagnostic.severity) + word + "\x1b[0m");
  }
  print_error(line);
}

void Reporter::show(Diagnostics diagnostics) {
  diagnostics.sort();
  errors_ += diagnostics.errors();
  (common_.strict ? errors_ : warnings_) += diagnostics.warnings();
  const bool hides_warnings = common_.quiet && !common_.strict;
  bool hiding = false;
  const Diagnostic* head = nullptr;  // of the notes that follow it
  for (const Diagnostic& d : diagnostics.items()) {
    Diagnostic shown = d;
    if (common_.strict && d.severity == Severity::warning) shown.severity = Severity::error;
    if (head == nullptr || !adds_to(d, *head)) {
      head = &d;
      const bool silent = common_.quiet && shown.severity != Severity::error;
      hiding = silent || (common_.max_errors != 0 && shown_ >= common_.max_errors);
      if (d.severity != Severity::note && !silent) ++(hiding ? hidden_ : shown_);
    }
    if (!hiding) print(shown);
  }
  dropped_ += diagnostics.dropped(Severity::error) + (hides_warnings ? 0 : diagnostics.dropped(Severity::warning));
}

void Reporter::status(std::string_view line) const { cli::status(common_, line); }

ExitCode Reporter::finish(ExitCode otherwise) {
  const ExitCode exit = failed() && otherwise == ExitCode::ok ? ExitCode::input : otherwise;
  if (common_.diagnostics_json) {
    print_error(summary_json(errors_, warnings_, hidden_ + dropped_, exit));
    return exit;
  }
  if (hidden_ > 0)
    print_error(fmt::format("{} more not shown (--max-errors 0 shows {})", hidden_ + dropped_,
                            dropped_ == 0 ? "all" : fmt::format("{} of them", hidden_)));
  else if (dropped_ > 0)
    print_error(fmt::format("{} more not shown: of each input, only the first {} errors and as many warnings are kept",
                            dropped_, Diagnostics::kMaxKept));
  if (errors_ + (common_.quiet ? 0 : warnings_) > 0)
    print_error(
        fmt::format("{} error{}, {} warning{}", errors_, errors_ == 1 ? "" : "s", warnings_, warnings_ == 1 ? "" : "s"));
  return exit;
}

}  // namespace simbatch::cli
