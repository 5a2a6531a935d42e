// simrun study: shares of a study, command lines that are refused, and what is said about its runs.
#include <doctest/doctest.h>

#include <cstdlib>
#include <map>

#include "apps/simrun/simrun.hpp"
#include "apps/simrun/study_words.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/apps/in_process.hpp"

using namespace simbatch;
using namespace simbatch::simrun;
using test::ran;
using test::refusal;
using test::Words;

namespace {

std::string shard_text(std::string_view word) {
  const auto shard = read_shard(word);
  return shard ? std::to_string(shard->index) + " of " + std::to_string(shard->count) : "refused";
}

/// The shard of a task with these variables: SLURM_ARRAY_TASK_ID, ...
std::string slurm_text(const std::map<std::string, std::string>& variables) {
  for (const char* name : {"ID", "COUNT", "MIN", "STEP"}) ::unsetenv(("SLURM_ARRAY_TASK_" + std::string(name)).c_str());
  for (const auto& [name, value] : variables) ::setenv(("SLURM_ARRAY_TASK_" + name).c_str(), value.c_str(), 1);
  std::string text = shard_text("slurm");
  for (const auto& [name, value] : variables) ::unsetenv(("SLURM_ARRAY_TASK_" + name).c_str());
  return text;
}

std::string seconds_line(double seconds) {
  study::StudyEstimate estimate;
  estimate.seconds = seconds;
  const std::string text = estimate_text(estimate, {});
  const std::size_t at = text.find("a run takes ") + 12;
  return text.substr(at, text.find(',', at) - at);
}

}  // namespace

TEST_CASE("simrun study: a shard is a number from 1 to their count") {
  CHECK(shard_text("1/1") == "1 of 1");
  CHECK(shard_text("2/8") == "2 of 8");
  CHECK(shard_text("8/8") == "8 of 8");
  CHECK(shard_text("1000000/1000000") == "1000000 of 1000000");
  for (const char* bad : {"", "/", "1", "1/", "/1", "0/1", "2/1", "9/8", "-1/8", "1/-1", "1/1000001", "1/8/2", "1.5/8", "1 /8",
                          "99999999999999999999/99999999999999999999", "SLURM", "slurm "}) {
    CAPTURE(bad);
    CHECK(shard_text(bad) == "refused");
  }
}

TEST_CASE("simrun study: a task of a Slurm array has the shard of its place among the tasks") {
  CHECK(slurm_text({}) == "refused");
  CHECK(slurm_text({{"ID", "0"}, {"COUNT", "4"}, {"MIN", "0"}}) == "1 of 4");
  CHECK(slurm_text({{"ID", "3"}, {"COUNT", "4"}, {"MIN", "0"}, {"STEP", "1"}}) == "4 of 4");
  CHECK(slurm_text({{"ID", "14"}, {"COUNT", "3"}, {"MIN", "10"}, {"STEP", "2"}}) == "3 of 3");
  CHECK(slurm_text({{"ID", "2"}, {"COUNT", "2"}, {"MIN", "1"}, {"STEP", "0"}}) == "2 of 2");
  CHECK(slurm_text({{"ID", "13"}, {"COUNT", "3"}, {"MIN", "10"}, {"STEP", "2"}}) == "refused");  // between two tasks
  CHECK(slurm_text({{"ID", "4"}, {"COUNT", "4"}, {"MIN", "0"}}) == "refused");                   // beyond the last
  CHECK(slurm_text({{"ID", "1"}, {"COUNT", "4"}, {"MIN", "2"}}) == "refused");                   // before the first
  CHECK(slurm_text({{"ID", "0"}, {"COUNT", "0"}, {"MIN", "0"}}) == "refused");
  CHECK(slurm_text({{"ID", "0"}, {"MIN", "0"}}) == "refused");
  CHECK(slurm_text({{"ID", "x"}, {"COUNT", "4"}, {"MIN", "0"}}) == "refused");
  CHECK(slurm_text({{"ID", ""}, {"COUNT", "4"}, {"MIN", "0"}}) == "refused");
}

TEST_CASE("simrun study: command lines that are refused") {
  const Words study{{"STUDY", "s.xml"}, {"--output", "out"}};
  CHECK(refusal(add_study, study).empty());
  CHECK(refusal(add_study, {{"--output", "out"}}) == "STUDY is required");
  CHECK(refusal(add_study, {{"STUDY", "s.xml"}}) == "--output is required");
  CHECK(refusal(add_study, {{"STUDY", "s.xml"}, {"--scenario-of", "1"}}) == "--output is required");
  for (const Words& look : {Words{{"--plan", ""}}, Words{{"--dry-run", ""}}, Words{{"--only", "0"}}}) {
    Words words{{"STUDY", "s.xml"}};
    words.insert(words.end(), look.begin(), look.end());
    CHECK(refusal(add_study, words).empty());
    words.emplace_back("--scenario-of", "1");
    CHECK(refusal(add_study, words) == "--dry-run, --plan, --scenario-of and --only exclude each other");
  }
  // What looks at all runs does not go with a shard, unless it is the only one.
  for (const auto& [option, word] : Words{{"--max-failures", "1"}, {"--min-pass", "0.5"}, {"--until-width", "0.1"}}) {
    Words words = study;
    words.emplace_back(option, word);
    words.emplace_back("--shard", "1/1");
    CHECK(refusal(add_study, words).empty());
    words.back().second = "1/2";
    CHECK(refusal(add_study, words).starts_with(option + " looks at all runs"));
  }
  const auto with = [&](const char* option, const char* word) {
    Words words = study;
    words.emplace_back(option, word);
    return refusal(add_study, words);
  };
  CHECK(with("--shard", "3/2").starts_with("--shard: expected I/N, I from 1 to N; or slurm"));
  CHECK(with("--min-pass", "1.01") == "--min-pass: expected a number from 0 to 1, found \"1.01\"");
  CHECK(with("--min-pass", "1").empty());
  CHECK(with("--until-width", "0") == "--until-width: expected a number from 1e-04 to 1, found \"0\"");
  CHECK(with("--jobs", "0") == "--jobs: expected a whole number from 1 to 1024, found \"0\"");
  CHECK(with("--replays", "1001") == "--replays: expected a whole number from 0 to 1000, found \"1001\"");
  CHECK(with("--timeout", "nan").starts_with("--timeout: expected a number from 0 to 1000000"));
  CHECK(with("--only", "-1") == "--only: expected a whole number of 0 or more, found \"-1\"");
}

TEST_CASE("simrun study: the summary counts runs, and says the share only when there is one") {
  study::StudyResult result;
  result.runs = 10;
  CHECK(summary(result) == "0 of 10 runs are done (0 were before): 0 pass, 0 fail, 0 broke");
  result.done = 8;
  result.before = 2;
  result.pass = 6;
  result.fail = 1;
  result.broken = 1;
  CHECK(summary(result) ==
        "8 of 10 runs are done (2 were before): 6 pass, 1 fail, 1 broke; 75 % pass (95 %: 40.93 to 92.85 %)");
  CHECK(percent(0) == "0");
  CHECK(percent(1) == "100");
  CHECK(percent(0.5) == "50");
  CHECK(percent(1.0 / 3) == "33.33");
  CHECK(percent(0.9999) == "99.99");
  CHECK(percent(0.99996) == "99.996");  // one run of 25,000 does not pass
  CHECK(percent(0.9999999) == "99.99999");
  CHECK(percent(1e-17) == "0");  // the lower end of an interval, which is not exactly 0
}

TEST_CASE("simrun study: the estimate has units that fit") {
  study::StudyEstimate estimate;
  estimate.runs = 1000;
  estimate.known = 200;
  estimate.seconds = 2;
  estimate.bytes = 150;
  estimate.trials = 3;
  study::StudyOptions how;
  how.jobs = 4;
  CHECK(estimate_text(estimate, how) ==
        "1000 runs, 200 of them known\na run takes 2 s, all that are left 7 min with 4 jobs\nabout 150 kB of results\n"
        "0 of 3 trial runs do not pass\n");
  how.shards = 2;
  how.replays = 3;
  estimate.seconds = 90;
  estimate.bytes = 2.5e6;
  estimate.failed = 1;
  estimate.message = "it fell over";
  CHECK(estimate_text(estimate, how) ==
        "1000 runs, 200 of them known\na run takes 90 s, all that are left 2.5 h with 4 jobs in each of 2 shards\n"
        "about 2.5 GB of results, and the replay pages of at most 3 failing runs\n"
        "1 of 3 trial runs do not pass; it fell over\n");
  CHECK(seconds_line(0.0123) == "0.012 s");
  CHECK(seconds_line(99.4) == "99 s");
  CHECK(seconds_line(99.6) == "100 s");
  CHECK(seconds_line(150) == "150 s");
  CHECK(seconds_line(180) == "3 min");
  CHECK(seconds_line(7199) == "120 min");
  CHECK(seconds_line(7200) == "2.0 h");
}

TEST_CASE("simrun study: --plan writes the runs, and no study is replaced by its plan") {
  const test::TemporaryFolder folder;
  const std::string file = "scenarios/first_drive/brake.study.xml";
  const test::Ran plan = ran(add_study, {{"STUDY", file}, {"--plan", ""}});
  CHECK(plan.code == 0);
  CHECK(plan.err.empty());
  CHECK(plan.out.starts_with("run,"));
  const test::Ran written = ran(add_study, {{"STUDY", file}, {"--plan", ""}, {"--output", folder.file("p.csv")}});
  CHECK(written.code == 0);
  CHECK(written.out.empty());
  CHECK(test::read_text(folder.file("p.csv")) == plan.out);
  const test::Ran over = ran(add_study, {{"STUDY", file}, {"--plan", ""}, {"--output", file}});
  CHECK(over.code == 2);
  CHECK(over.err.starts_with("simrun: --output would overwrite"));
  const std::string beyond = std::to_string(std::count(plan.out.begin(), plan.out.end(), '\n') - 1);
  const test::Ran none = ran(add_study, {{"STUDY", file}, {"--only", beyond}});
  CHECK(none.code == 2);
  CHECK(none.err == "simrun: --only: the study has runs 0 to " + std::to_string(std::stol(beyond) - 1) + "\n");
  CHECK(ran(add_study, {{"STUDY", folder.file("none.xml")}, {"--plan", ""}}).code == 3);
  test::write_text(folder.file("bad.xml"), "<Study");
  CHECK(ran(add_study, {{"STUDY", folder.file("bad.xml")}, {"--plan", ""}}).code == 1);
}
