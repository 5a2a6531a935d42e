// Shared by the subcommands that support expectations.

#include <algorithm>
#include <filesystem>

#include "apps/simrun/simrun.hpp"
#include "base/core/input.hpp"
#include "base/core/text.hpp"
#include "lib/expect/codes.hpp"
#include "lib/sim/expect/expectations.hpp"

namespace simbatch::simrun {

void add_expect_option(cli::Command& command, std::vector<std::string>& expectations, std::string help) {
  command.option("--expect", "TEXT", expectations, std::move(help));
}

bool is_expectation_file(const std::string& word) {
  std::error_code error;
  if (std::filesystem::is_regular_file(word, error)) return true;
  // A nonexistent path is not treated as a condition.
  return word.ends_with(".expect") || (word.find('/') != std::string::npos && word.find_first_of(" <>=(") == std::string::npos);
}

void for_each_expectation_text(const std::vector<std::string>& words,
                               const std::function<void(std::string_view text, const expect::Place& place)>& use) {
  for (const std::string& word : words) {
    if (is_expectation_file(word)) {
      const Input input = Input::open(word);
      const std::string_view text = without_byte_order_mark(input.text());
      use(text, {word, TextPlaces(text)});
    } else {
      use(word, {"--expect", TextPlaces(word)});
    }
  }
}

void add_expectations(const std::vector<std::string>& words, const scenario::BuiltScenario& built, Diagnostics& problems) {
  for_each_expectation_text(
      words, [&](std::string_view text, const expect::Place& place) { built.expectations->add(text, place, {}, 0, problems); });
}

void report_outcome(const expect::Expectation& expectation, const expect::Outcome& outcome, cli::Reporter& reporter) {
  const std::string text = (expectation.name == expectation.text ? quoted(expectation.name, 200) : quoted(expectation.name)) +
                           " " + expect::describe(expectation, outcome);
  if (outcome.verdict != expect::Verdict::fails) {
    reporter.status(text);
    return;
  }
  Diagnostics problem(expectation.place->file);
  problem.report(expect::code::kFails, expectation.at(expectation.nodes.back()), text);
  reporter.show(std::move(problem));
}

}  // namespace simbatch::simrun
