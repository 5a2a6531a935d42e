// What simrun finds out about a trace: its scenario, changed inputs, the plan that repeats it; and texts of comparisons.
#include <doctest/doctest.h>

#include <sys/stat.h>

#include <filesystem>

#include "apps/simrun/codes.hpp"
#include "apps/simrun/origin.hpp"
#include "apps/simrun/show.hpp"
#include "apps/simrun/simrun.hpp"
#include "base/core/hash.hpp"
#include "base/core/input.hpp"
#include "base/xml/codes.hpp"
#include "formats/script/codes.hpp"
#include "lib/sim/program/script.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::simrun;
namespace fs = std::filesystem;

namespace {

/// A working folder of its own, left at the end.
class Inside {
 public:
  explicit Inside(const test::TemporaryFolder& folder) : before_(fs::current_path()) { fs::current_path(folder.path()); }
  ~Inside() { fs::current_path(before_); }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  fs::path before_;
};

void put(const fs::path& file, std::string_view text) {
  if (file.has_parent_path()) fs::create_directories(file.parent_path());
  test::write_text(file, text);
}

trace::Header header_of(const std::string& name, std::string_view text) {
  trace::Header header;
  header.scenario = name;
  header.inputs = {{name, hex64(hash64(text))}};
  return header;
}

std::string found(const trace::Header& header, const std::string& trace) {
  Diagnostics problems(trace);
  std::string path = find_scenario("", trace, header, problems);
  CHECK(path.empty() == !problems.empty());
  if (path.empty()) {
    test::Expected expected(std::move(problems));
    expected.take(code::kNoScenario, Position{});
  }
  return path;
}

}  // namespace

TEST_CASE("simrun: differences are listed field by field, the first ones first") {
  trace::Comparison c;
  c.rows = 10;
  c.differing_values = 12;
  c.first = trace::Difference{3, 0.015, "car", "x", "1", "2", 1};
  c.fields = {{"car", "y", 7, 4, 0.25}, {"car", "x", 3, 7, 1}, {"gps", "sentence", 7, 1, 0}};
  CHECK(show(c).find("differing values: 12 in 10 common rows\n"
                     "  car.x: from step 3 on, 7 of 10 rows, apart by 1 at most\n"
                     "  car.y: from step 7 on, 4 of 10 rows, apart by 0.25 at most\n"
                     "  gps.sentence: from step 7 on, 1 of 10 rows\n") != std::string::npos);
  c.fields.assign(30, {"d", "f", 1, 1, 0});
  CHECK(show(c).find("  and 10 more fields\n") != std::string::npos);
}

TEST_CASE("simrun: a trace's scenario is the file of its name with its digest, the nearest first") {
  const test::TemporaryFolder folder;
  const Inside inside(folder);
  const trace::Header header = header_of("s.xml", "<World/>");
  CHECK(found(header, "runs/r.json").empty());
  put("a/b/c/d/s.xml", "<World/>");  // four levels below: too deep
  CHECK(found(header, "runs/r.json").empty());
  put("a/b/c/s.xml", "<World/>");
  CHECK(found(header, "runs/r.json") == "a/b/c/s.xml");
  put("a/b/s.xml", "<Other/>");  // another one of that name
  CHECK(found(header, "runs/r.json") == "a/b/c/s.xml");
  put("Z/s.xml", "<World/>");  // by their names, not by their depths
  CHECK(found(header, "runs/r.json") == "Z/s.xml");
  put("runs/s.xml", "<World/>");
  CHECK(found(header, "runs/r.json") == "runs/s.xml");
  CHECK(found(header, "runs/r/") == "Z/s.xml");  // the folder of CSV tables has another one beside it
  put("runs/s.xml", "<World />");
  CHECK(found(header, "runs/r.json") == "Z/s.xml");
  // A trace without inputs, and what is not a file of that digest.
  trace::Header bare = header;
  bare.inputs.clear();
  CHECK(found(bare, "r.json").empty());
  fs::create_directories("n.xml");
  CHECK(found(header_of("n.xml", ""), "r.json").empty());
  REQUIRE(::mkfifo("f.xml", 0600) == 0);
  CHECK(found(header_of("f.xml", ""), "r.json").empty());
  fs::create_symlink("absent", "l.xml");
  CHECK(found(header_of("l.xml", ""), "r.json").empty());
  CHECK(found(header_of("", "<World/>"), "r.json").empty());
  // What was named is taken as it is, without a look.
  Diagnostics none;
  CHECK(find_scenario("absent.xml", "r.json", header, none) == "absent.xml");
  CHECK(none.empty());
}

TEST_CASE("simrun: a network is searched only for object files, and only a network is found") {
  const test::TemporaryFolder folder;
  const Inside inside(folder);
  const std::string objects = "0 // number of objects\n", network = "RNDF_name r\nnum_segments 1\nnum_zones 0\n";
  put("o.txt", objects);
  put("n.rndf", network);
  put("w.xml", "<World name=\"w\"/>");
  trace::Header header = header_of("o.txt", objects);
  CHECK(find_network("given.rndf", header, "o.txt") == "given.rndf");
  CHECK(find_network("", header, "o.txt").empty());
  header.inputs.push_back({"n.rndf", hex64(hash64(network))});
  CHECK(find_network("", header, "o.txt") == "n.rndf");
  CHECK(find_network("", header, "w.xml").empty());
  CHECK_THROWS_AS(find_network("", header, "absent.txt"), IoError);
  header.inputs[1].digest = hex64(0);
  CHECK(find_network("", header, "o.txt").empty());
  header.inputs[1] = {"w.xml", hex64(hash64("<World name=\"w\"/>"))};
  CHECK(find_network("", header, "o.txt").empty());
}

TEST_CASE("simrun: what controlled a run is to be given again, unless it is") {
  trace::Header header;
  const auto choice = [&](const std::string& robot, const std::string& text) {
    header.inputs.push_back({robot + "=" + text, hex64(hash64(text))});
  };
  header.inputs = {{"a=b.xml", "00000000000000aa"}, {"car.xml", "00000000000000bb"}};
  CHECK(missing_choices(header, {}).empty());
  choice("car", "python3 drive.py");
  header.inputs.push_back({"car=drive.py", "00000000000000cc"});
  header.inputs.push_back({"bus=blink.so", "00000000000000dd"});
  CHECK(missing_choices(header, {}) ==
        std::vector<std::string>{"--controller", "car=python3 drive.py", "--program", "bus=blink.so"});
  ProgramOptions now;
  now.controllers.push_back({"c*", "python3 elsewhere/drive.py"});
  CHECK(missing_choices(header, now) == std::vector<std::string>{"--program", "bus=blink.so"});
  now.choices.push_back({"bus", "x.so"});
  CHECK(missing_choices(header, now).empty());
}

TEST_CASE("simrun: what controlled a run is not compared with a world that is only looked at") {
  trace::Header header;
  header.inputs = {{"a=b.xml", "00000000000000aa"}, {"car.xml", "00000000000000bb"}, {"car=drive.py", "00000000000000cc"}};
  Diagnostics none("t");
  compare_inputs(without_programs(header), {{"a=b.xml", "00000000000000aa"}, {"car.xml", "00000000000000bb"}}, none);
  CHECK(none.empty());
  Diagnostics all("t");
  compare_inputs(header, {{"a=b.xml", "00000000000000aa"}, {"car.xml", "00000000000000bb"}}, all);
  test::Expected(std::move(all)).take(code::kDigest);
}

TEST_CASE("simrun: inputs that changed, are new or are gone are reported, each once") {
  trace::Header header;
  header.inputs = {{"a.xml", "00000000000000aa"}, {"b.xml", "00000000000000bb"}, {"c.xml", "00000000000000cc"}};
  Diagnostics none("t");
  compare_inputs(header, {{"c.xml", "00000000000000cc"}, {"a.xml", "00000000000000aa"}, {"b.xml", "00000000000000bb"}}, none);
  CHECK(none.empty());
  Diagnostics problems("t");
  compare_inputs(header, {{"a.xml", "00000000000000aa"}, {"b.xml", "00000000000000b0"}, {"d.xml", "00000000000000dd"}},
                 problems);
  test::Expected expected(std::move(problems));
  CHECK(expected.take(code::kDigest) ==
        "input \"b.xml\" has digest 00000000000000b0, the trace was made with 00000000000000bb");
  CHECK(expected.take(code::kDigest) == "input \"d.xml\" has digest 00000000000000dd, the trace was made with no such file");
  CHECK(expected.take(code::kDigest) == "the trace was made with input \"c.xml\", which is not read now");
}

TEST_CASE("simrun: each difference of the platforms is a warning of its own") {
  trace::Header now, then;
  now.engine = then.engine = "Bullet";
  Diagnostics none("t");
  compare_platforms(now, then, none);
  CHECK(none.empty());
  then.engine = "Bullet 2";
  then.mathematics = "m";
  then.float_mode = "f";
  Diagnostics problems("t");
  compare_platforms(now, then, problems);
  CHECK_FALSE(problems.has_errors());
  test::Expected expected(std::move(problems));
  CHECK(expected.take(code::kPlatform) == "another engine: \"Bullet\", the trace was made with \"Bullet 2\"");
  CHECK(expected.take(code::kPlatform).starts_with("another math library"));
  CHECK(expected.take(code::kPlatform).starts_with("another floating-point mode"));
}

TEST_CASE("simrun: a run is repeated for as long as it was, a damaged trace for no longer than was asked for") {
  trace::Trace old;
  old.header.steps = 1000;
  old.header.every = 3;
  old.header.hash_every = 7;
  CHECK(plan_of(old).steps == 0);
  CHECK(plan_of(old).every == 3);
  CHECK(plan_of(old).hash_every == 7);
  old.steps = {0, 3, 6};  // cut
  CHECK(plan_of(old).steps == 6);
  old.end = trace::End{"complete", "", 1000, 10, 1};
  CHECK(plan_of(old).steps == 1000);
  old.end->steps = 400;
  old.end->outcome = "interrupted";
  CHECK(plan_of(old).steps == 400);
  old.end->steps = std::int64_t{1} << 52;
  CHECK(plan_of(old).steps == 1000);
  old.end->outcome = "failed";  // in a step that was not completed
  old.end->steps = 400;
  CHECK(plan_of(old).steps == 1000);
}

TEST_CASE("simrun: a comparison has a line for each finding") {
  trace::Comparison c;
  CHECK(show(c).empty());
  c.headers = {"seed: 1 | 2"};
  CHECK(show(c) == "header, seed: 1 | 2\n");
  c.first = trace::Difference{3, 0.015, "car.body", "x", "1", "1.5", 0.5};
  c.differing_values = 2;
  c.rows = 9;
  c.first_hash = 4;
  c.rows_only_b = 1;
  c.only_a = {"gps"};
  c.only_b = {"imu", "imu.x"};
  c.ends = "complete | failed";
  CHECK(show(c) ==
        "first difference: step 3 (0.015 s), device car.body, field x: 1 | 1.5 (apart by 0.5)\n"
        "differing values: 2 in 9 common rows\n"
        "first differing state hash: step 4\n"
        "rows only in one: 0 | 1\n"
        "only in the first: gps\n"
        "only in the second: imu\n"
        "only in the second: imu.x\n"
        "end: complete | failed\n"
        "header, seed: 1 | 2\n");
  c = {};
  c.first = trace::Difference{0, 0, "d", "t", "a", "b", 0};  // texts have no distance
  CHECK(show(c) == "first difference: step 0 (0 s), device d, field t: a | b\ndiffering values: 0 in 0 common rows\n");
}

TEST_CASE("simrun: words of --expect are texts, or files where they look like one") {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("e");
  test::write_text(file, "\xEF\xBB\xBFx.y > 1;\n\nz.w > 2");
  for (const std::string& word : {file, std::string("a.expect"), std::string("dir/absent"), std::string("./x")})
    CHECK_MESSAGE(is_expectation_file(word), word);
  for (const char* const word : {"x.y > 1", "a/b", "x.y / z.w > 1", "always x", "dist(a/b, c)>1", "a.b==c/d", ""})
    CHECK_MESSAGE(is_expectation_file(word) == (std::string_view(word) == "a/b"), word);
  std::vector<std::string> seen;
  for_each_expectation_text({file, "1 > 2"}, [&](std::string_view text, const expect::Place& place) {
    seen.push_back(place.file + "|" + std::string(text));
  });
  CHECK(seen == std::vector<std::string>{file + "|x.y > 1;\n\nz.w > 2", "--expect|1 > 2"});
  const auto ignore = [](std::string_view, const expect::Place&) {};
  CHECK_THROWS_AS(for_each_expectation_text({"absent.expect"}, ignore), IoError);
}

TEST_CASE("simrun: a script goes from a file to the run, to the trace and back without a change") {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("s.xml");
  const std::vector<sim::ScriptSetting> settings = {{0, "car.drive", "steering", -0.1, {}},
                                                    {7, "car.drive", "force", 1e300, {}}};
  test::write_text(file, script_text("town.xml", 12, settings));
  CHECK(test::read_text(file).find("scenario=\"town.xml\" steps=\"12\"") != std::string::npos);
  Diagnostics problems;
  const auto read = read_script_file(file, problems);
  REQUIRE_MESSAGE(read, test::all_text(problems));
  trace::Header header;
  header.script = traced_script(*read);
  CHECK(script_text("town.xml", 12, script_of(header)) == test::read_text(file));
  CHECK((*read)[1].at.line == 4);
  CHECK((*read)[1].step == 7);
  test::write_text(file,
                   "<Script>\n<Set step=\"2\" device=\"d\" input=\"i\" value=\"0\"/>\n"
                   "<Set step=\"1\" device=\"d\" input=\"i\" value=\"nan\"/>\n</Script>");
  CHECK_FALSE(read_script_file(file, problems));
  test::Expected expected(std::move(problems));
  expected.take(xml::code::kNumber, Position{3, 43});
  CHECK_THROWS_AS(read_script_file(folder.file("absent.xml"), problems), IoError);
}

TEST_CASE("simrun: a file of another kind is reported as such where a trace is expected") {
  const test::TemporaryFolder folder;
  const auto first_message = [&](std::string_view text) {
    const std::string file = folder.file("t.json");
    test::write_text(file, text);
    cli::CommonOptions common;
    common.quiet = true;
    cli::Reporter reporter(common);
    const bool is_read = read_trace(reporter, file).has_value();
    CHECK(is_read == !reporter.failed());
    return reporter.errors();
  };
  CHECK(first_message("<World name=\"w\"/>") == 1);  // one error, not one for each line
  CHECK(first_message("{}") >= 1);
  CHECK(first_message("") >= 1);
  CHECK(first_message(R"({"schema":"simbatch-trace-1","dt":1,"devices":[],"step":[0],"data":{}})") == 0);  // cut: a warning
  cli::CommonOptions common;
  cli::Reporter reporter(common);
  CHECK_THROWS_AS(read_trace(reporter, folder.file("absent.json")), IoError);
}
