// What options read, refuse and show.
#include <doctest/doctest.h>

#include "apps/common/command.hpp"
#include "tests/unit/apps/refusal.hpp"

using namespace simbatch;

namespace {

/// What reading this word says: the problem, or the value as text.
template <class T>
std::string read(
    const std::string& word, const std::function<void(cli::Option&)>& describe = [](cli::Option&) {}) {
  cli::Command command("tool", "A program");
  T value{};
  cli::Option& option = command.option("-x,--ex", "X", value, "Help");
  describe(option);
  const std::string problem = option.read({word});
  if (!problem.empty()) return problem;
  if constexpr (std::is_same_v<T, std::string>)
    return value;
  else
    return std::to_string(value);
}

}  // namespace

TEST_CASE("command: every number option refuses what is not finite") {
  for (const char* word : {"nan", "NaN", "-nan", "inf", "-inf", "infinity", "1e999", "", " 1", "1 ", "1x", "0x10"}) {
    CAPTURE(word);
    CHECK(read<double>(word).starts_with("--ex: expected a number, found "));
    CHECK(read<int>(word).starts_with("--ex: expected a whole number, found "));
    cli::Command command("tool", "A program");
    std::optional<double> value;
    CHECK(!command.option("--ex", "X", value, "Help").read({word}).empty());
    CHECK(!value);
  }
  CHECK(read<double>("1e-3") == "0.001000");
  CHECK(read<int>("-12") == "-12");
  CHECK(read<unsigned>("-1") == "--ex: expected a whole number, found \"-1\"");
  CHECK(read<std::int64_t>("9223372036854775807") == "9223372036854775807");
  CHECK(read<std::uint64_t>("18446744073709551616") == "--ex: expected a whole number, found \"18446744073709551616\"");
}

TEST_CASE("command: limits are part of messages and help") {
  const auto range = [](cli::Option& o) { o.range(1, 12); };
  CHECK(read<int>("12", range) == "12");
  CHECK(read<int>("13", range) == "--ex: expected a whole number from 1 to 12, found \"13\"");
  CHECK(read<double>("0.5", range) == "--ex: expected a number from 1 to 12, found \"0.5\"");
  const auto positive = [](cli::Option& o) { o.positive(); };
  CHECK(read<double>("0", positive) == "--ex: expected a number greater than 0, found \"0\"");
  const auto least = [](cli::Option& o) { o.at_least(0); };
  CHECK(read<std::int64_t>("-1", least) == "--ex: expected a whole number of 0 or more, found \"-1\"");
  cli::Command command("tool", "A program");
  int value = 3;
  CHECK(command.option("--a", "N", value, "Charts").range(1, 12).full_help() == "Charts; 1 to 12");
  CHECK(command.option("--b", "N", value, "Steps").at_least(0).full_help() == "Steps; 0 or more");
  CHECK(command.option("--c", "N", value, "Rows").full_help() == "Rows");
  CHECK(command.option("--d", "N", value, "Rows").range(1, 4503599627370496).full_help() == "Rows; 1 or more");
}

TEST_CASE("command: words, conditions and types of the program's own") {
  const auto choices = [](cli::Option& o) { o.choices({"json", "csv"}); };
  CHECK(read<std::string>("csv", choices) == "csv");
  CHECK(read<std::string>("jsn", choices) == "--ex: expected json, csv, found \"jsn\"; did you mean json?");
  const auto zone = [](cli::Option& o) { o.accepts([](std::string_view w) { return w == "29S"; }, "a UTM zone like 29S"); };
  CHECK(read<std::string>("29S", zone) == "29S");
  CHECK(read<std::string>("99", zone) == "--ex: expected a UTM zone like 29S, found \"99\"");
  cli::Command command("tool", "A program");
  std::vector<std::size_t> lengths;
  const auto length = [](std::string_view w) { return w.empty() ? std::nullopt : std::optional(w.size()); };
  cli::Option& many = command.option("--word", "WORD", {lengths, length, "a word"}, "Words");
  CHECK(many.repeats());
  CHECK(many.read({"a", "bcd"}).empty());
  CHECK(lengths == std::vector<std::size_t>{1, 3});
  CHECK(many.read({""}) == "--word: expected a word, found \"\"");
}

TEST_CASE("command: an empty name of a file or folder is refused, an empty text is not") {
  cli::Command command("tool", "A tool");
  std::string file, folder, text, input;
  command.positional("INPUT", input, "Input");
  command.option("-o,--output", "FILE", file, "Output");
  command.option("--out-dir", "FOLDER", folder, "Folder");
  command.option("--name", "TEXT", text, "Name");
  for (const char* name : {"INPUT", "--output", "--out-dir"})
    CHECK(test::refusal(command, {{name, ""}}) == std::string(name) + ": expected a name, found \"\"");
  CHECK(test::refusal(command, {{"--name", ""}, {"INPUT", "-"}}).empty());
}
