// simrun serve: command lines that are refused, the scenarios to choose from, and the programs that are offered.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "apps/simrun/live_run.hpp"
#include "apps/simrun/offers.hpp"
#include "apps/simrun/simrun.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/apps/in_process.hpp"

using namespace simbatch;
using namespace simbatch::simrun;
using test::refusal;
using test::Words;
namespace fs = std::filesystem;

namespace {

std::string refused(const Words& words) {
  Words all{{"SCENARIO", "s.xml"}};
  all.insert(all.end(), words.begin(), words.end());
  return refusal(add_serve, all);
}

void put(const fs::path& file) {
  fs::create_directories(file.parent_path());
  test::write_text(file, "x");
}

}  // namespace

TEST_CASE("simrun serve: addresses, ports and speeds that are refused") {
  CHECK(refused({}).empty());
  for (const char* good : {"127.0.0.1", "0.0.0.0", "::1", "::", "fe80::1"}) {
    CAPTURE(good);
    CHECK(refused({{"--bind", good}}).empty());
  }
  for (const char* bad : {"", "localhost", "127.0.0.1:80", "[::1]", "256.0.0.1", "1.2.3", "::1:x"}) {
    CAPTURE(bad);
    CHECK(refused({{"--bind", bad}}) ==
          "--bind: " + simbatch::quoted(bad) + " is not a numeric address, like 127.0.0.1 or ::1");
  }
  CHECK(refused({{"--port", "0"}}).empty());
  CHECK(refused({{"--port", "65535"}}).empty());
  CHECK(refused({{"--port", "65536"}}) == "--port: expected a whole number from 0 to 65535, found \"65536\"");
  CHECK(refused({{"--speed", "0"}}).empty());
  CHECK(refused({{"--speed", "0.001"}}).empty());
  CHECK(refused({{"--speed", "0.0009"}}) == "--speed must be 0, or at least 0.001");
  CHECK(refused({{"--speed", "1001"}}).starts_with("--speed: expected a number from 0 to 1000"));
}

TEST_CASE("simrun serve: a token has to fit into an address") {
  for (const auto& [token, good] :
       {std::pair("abcXYZ019-._~", true), std::pair("", true), std::pair("a b", false), std::pair("a&b=c", false),
        std::pair("caf\xC3\xA9", false), std::pair("50%", false), std::pair("x\n", false)}) {
    ::setenv("SIMBATCH_TOKEN", token, 1);
    const std::string shown = token;
    CAPTURE(shown);
    CHECK(refused({}) == (good ? "" : "SIMBATCH_TOKEN may have letters, digits and - . _ ~ only"));
  }
  ::unsetenv("SIMBATCH_TOKEN");
}

TEST_CASE("simrun serve: an offer is for a robot that nothing else controls") {
  for (const char* good : {"car=p.so", "car=python3 drive.py", "car=ws", "car=tcp:4500", "car=ws:[::1]:80"}) {
    CAPTURE(good);
    CHECK(refused({{"--offer", good}}).empty());
  }
  for (const char* bad : {"", "car", "car=", "=p.so", "car=tcp:", "car=tcp:99999", "car=ws:x"}) {
    CAPTURE(bad);
    CHECK(refused({{"--offer", bad}}).starts_with("--offer: expected ROBOT=LIBRARY.so, or ROBOT=COMMAND"));
  }
  const std::string clash = "--offer car=...: this robot has a --program or a --controller already; offer that too";
  CHECK(refused({{"--offer", "car=p.so"}, {"--program", "car=q.so"}}) == clash);
  CHECK(refused({{"--offer", "car=p.so"}, {"--controller", "c*=python3 x.py"}}) == clash);
  CHECK(refused({{"--offer", "car=p.so"}, {"--program", "boat=q.so"}}).empty());
}

TEST_CASE("simrun serve: no output replaces an input") {
  const test::TemporaryFolder folder;
  const std::string xml = folder.file("s.xml"), script = folder.file("a.script"), so = folder.file("p.so"),
                    rndf = folder.file("n.rndf"), expect = folder.file("e.expect");
  for (const std::string& file : {xml, script, so, rndf, expect}) put(file);
  const Words inputs{{"SCENARIO", xml}, {"--script", script}, {"--rndf", rndf}, {"--offer", "car=" + so}, {"--expect", expect}};
  const auto writing = [&](const std::string& option, const std::string& file) {
    Words words = inputs;
    words.insert(words.end(), {{option, file}, {"--format", "json"}});
    return refusal(add_serve, words);
  };
  for (const auto& [what, file] :
       Words{{"SCENARIO", xml}, {"--script", script}, {"--rndf", rndf}, {"--offer", so}, {"--expect", expect}})
    for (const std::string option : {"--trace", "--save-script"})
      CHECK(writing(option, file) == option + " would overwrite the input " + what + " (" + simbatch::quoted(file) + ")");
  CHECK(writing("--trace", folder.file("new.json")).empty());
  CHECK(refused({{"--trace", "run.glb"}}) ==
        "--trace: \"run.glb\" is not a trace; write one, and then `simrun convert run.json -o run.glb`");
  CHECK(refused({{"--trace", "run.what"}}) == "--trace: the suffix of \"run.what\" names no format of traces; use --format");
  CHECK(refused({{"--compression", "none"}}) == "--compression needs --trace");
  CHECK(refused({{"--trace", "r.mcap"}, {"--compression", "none"}}).empty());
}

TEST_CASE("simrun serve: a folder stands for the scenarios below it, sorted") {
  const test::TemporaryFolder folder;
  for (const char* name : {"b/scenario.xml", "a/deep/scenario.xml", "a/other.xml", "a/scenario.xml.bak"})
    put(folder.file(name));
  ServeOptions options;
  options.paths = {"alone.xml", folder.path().string()};
  CHECK(find_scenarios(options).empty());
  CHECK(options.scenarios ==
        std::vector<std::string>{"alone.xml", folder.file("a/deep/scenario.xml"), folder.file("b/scenario.xml")});
  CHECK(options.choice.names == std::vector<std::string>{"alone.xml", folder.file("a/deep"), folder.file("b")});
  CHECK(options.scenario == "alone.xml");
  ServeOptions one;
  put(folder.file("scenario.xml"));
  one.paths = {folder.path().string()};
  CHECK(find_scenarios(one).empty());
  CHECK(one.choice.names == std::vector<std::string>{"a/deep", "b", folder.path().string()});
  ServeOptions none;
  fs::create_directory(folder.file("empty"));
  none.paths = {folder.file("empty")};
  CHECK(find_scenarios(none) == "there is no scenario.xml in or below " + simbatch::quoted(folder.file("empty")));
}

TEST_CASE("simrun serve: files that are known only once the scenario is are not replaced either") {
  const test::TemporaryFolder folder;
  for (const char* name : {"scenario.xml", "rover.xml"}) fs::copy_file(fs::path("scenarios/rover") / name, folder.file(name));
  ServeOptions options;
  options.paths = {folder.path().string()};
  options.trace = folder.file("scenario.xml");
  CHECK(find_scenarios(options).starts_with("--trace would overwrite the input SCENARIO"));
  options.scenarios.clear();
  options.save_script = folder.file("rover.xml");
  options.trace.clear();
  CHECK(find_scenarios(options).empty());
  const cli::CommonOptions common;
  cli::Reporter reporter(common);
  auto exit = cli::ExitCode::ok;
  test::Captured err(2);
  const auto run = make_live_run(
      options, "", reporter, exit, [](std::string_view, std::string_view) {}, nullptr);
  const std::string text = err.text();
  CHECK(run == nullptr);
  CHECK(exit == cli::ExitCode::usage);
  CHECK(text == "simrun: --save-script would overwrite a file that was read (" + simbatch::quoted(options.save_script) + ")\n");
}

TEST_CASE("simrun serve: the first program offered is used until another is chosen") {
  const std::vector<Offer> offered{{"car", "p.so"}, {"boat", "ws"}, {"car", "python3 drive.py"}};
  Offers offers(offered, true);
  scenario::BuildOptions first;
  offers.apply(first);
  REQUIRE(first.program_choices.size() == 1);
  CHECK(first.program_choices[0].robot == "car");
  CHECK(first.program_choices[0].library == "p.so");
  REQUIRE(first.controllers.size() == 1);
  CHECK(first.controllers[0].robot == "boat");
  CHECK(first.controllers[0].command == "ws");

  // Of the car: p.so, drive.py, the scenario's own, none.
  CHECK(offers.choose("car", 4) == "there is no such program");
  CHECK(offers.choose("bus", 0) == "no programs are offered for \"bus\"");
  CHECK(offers == Offers(offered, true));
  CHECK(offers.choose("car", 1).empty());
  CHECK(offers != Offers(offered, true));
  CHECK(offers.choose("boat", 1).empty());  // the scenario's own: nothing is chosen for it
  scenario::BuildOptions second;
  offers.apply(second);
  CHECK(second.program_choices.empty());
  REQUIRE(second.controllers.size() == 1);
  CHECK(second.controllers[0].robot == "car");
  CHECK(second.controllers[0].command == "python3 drive.py");

  CHECK(offers.choose("car", 3).empty());
  scenario::BuildOptions none;
  offers.apply(none);
  REQUIRE(none.program_choices.size() == 1);
  CHECK(none.program_choices[0].library.empty());
  CHECK(none.controllers.empty());

  // Where the scenario's own may not run, it is not offered.
  Offers without(offered, false);
  CHECK(without.choose("boat", 1).empty());
  CHECK(without.choose("boat", 2) == "there is no such program");
  scenario::BuildOptions last;
  without.apply(last);
  REQUIRE(last.program_choices.size() == 2);
  CHECK(last.program_choices[1].robot == "boat");
  CHECK(last.program_choices[1].library.empty());
}
