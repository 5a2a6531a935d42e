// Every problem of a trace has its code, at its line and column, in all three forms.
#include <doctest/doctest.h>

#include <set>

#include "base/core/input.hpp"
#include "base/core/random.hpp"
#include "formats/trace/codes.hpp"
#include "formats/trace/csv_names.hpp"
#include "formats/trace/read.hpp"
#include "formats/trace/write.hpp"
#include "tests/support/marked.hpp"
#include "tests/unit/formats/trace/example.hpp"

using namespace simbatch;
using namespace simbatch::trace;
using simbatch::test::check_only;
using simbatch::test::marked;
using simbatch::test::replaced;
using simbatch::test::TemporaryFolder;

namespace {

constexpr std::string_view kJson = R"({"schema":"simbatch-trace-1",
"dt":0.25,"steps":2,"every":1,"hash_every":1,"seed":7,
"inputs":[{"name":"a.xml","digest":"00000000000000aa"}],
"devices":[
{"name":"a","kind":"Box","fields":[
{"name":"x","unit":"m","frame":"W","type":"number"},
{"name":"s","unit":"","frame":"","type":"text"}]},
{"name":"b","kind":"Box","fields":[]}],
"step":[0,1],
"data":{
"a":{"x":[1,2],"s":["p","q"]},
"b":{}},
"hashes":{"step":[0,1],"hash":["0000000000000001","0000000000000002"]},
"end":{"outcome":"complete","steps":2,"time":0.5,"state_hash":"0000000000000002"}}
)";

constexpr std::string_view kLines =
    R"({"header":{"schema":"simbatch-trace-1","dt":0.25,"devices":[{"name":"a","kind":"Box","fields":[{"name":"x","unit":"m","frame":"W","type":"number"},{"name":"s","type":"text"}]}]}}
{"step":0,"data":{"a":[1,"p"]}}
{"hash":{"step":0,"hash":"0000000000000001"}}
{"step":1,"data":{"a":[2,"q"]}}
{"end":{"outcome":"complete","steps":2,"time":0.5,"state_hash":"0000000000000001"}}
)";

struct Edit {
  std::string_view what, with;  ///< `with` has the mark
  const Code& code;
};

void check_edits(std::string_view text, Parsed<Trace> (*read)(std::string_view, const std::string&),
                 std::initializer_list<Edit> edits) {
  const auto good = read(text, "t");
  REQUIRE_MESSAGE(good.value, test::all_text(good.diagnostics));
  REQUIRE(good.diagnostics.items().empty());
  for (const Edit& edit : edits) {
    CAPTURE(edit.with);
    const test::Marked file = marked(replaced(text, edit.what, edit.with));
    const auto parsed = read(file.text, "t");
    CHECK_FALSE(parsed.value);
    check_only(parsed.diagnostics, edit.code.name, file.at);
  }
}

}  // namespace

TEST_CASE("trace: each member of a JSON trace is checked where it is written") {
  check_edits(kJson, read_json,
              {{"\"simbatch-trace-1\"", "\"simbatch-trace-2\"@", code::kSchema},
               {"0.25", "0@", code::kSchema},
               {"0.25", "-1@", code::kSchema},
               {"0.25", "@nan", code::kSyntax},
               {"0.25", "@1e999", code::kSyntax},
               {"0.25", "@\"fast\"", code::kSyntax},
               {"\"steps\":2", "\"steps\":-1@", code::kSchema},
               {"\"steps\":2", "\"steps\":9007199254740993@", code::kSchema},
               {"\"steps\":2", "\"steps\":@1.5", code::kSchema},
               {"\"steps\":2", "\"steps\":@99999999999999999999", code::kSchema},
               {"\"every\":1", "\"every\":0@", code::kSchema},
               {"\"hash_every\":1", "\"hash_every\":-1@", code::kSchema},
               {"\"seed\":7", "\"seed\":@-7", code::kSchema},
               {"\"seed\":7", "\"seed\":@18446744073709551616", code::kSchema},
               {"\"type\":\"number\"", "\"type\":\"float\"@", code::kSchema},
               {R"("s","unit":"","frame":"","type":"text"}]})", R"("x","unit":"","frame":"","type":"text"}]}@)", code::kSchema},
               {"\"step\":[0,1]", "\"step\":[0,@0.5]", code::kSchema},
               {"\"x\":[1,2]", "\"y\":@[1,2]", code::kShape},
               {"\"b\":{}", "\"c\":@{}", code::kShape},
               {"\"x\":[1,2]", "\"x\":[1,2],\"x\":@[1,2]", code::kShape},
               {"\"x\":[1,2]", "\"x\":[1,@\"2\"]", code::kSyntax},
               {"\"x\":[1,2]", "\"x\":[1,@]", code::kSyntax},
               {"[\"p\",\"q\"]", "[\"p\",@1]", code::kSyntax},
               {"\"0000000000000001\"", "\"000000000000001\"@", code::kSchema},
               {"\"0000000000000001\"", "\"000000000000000G\"@", code::kSchema},
               {"\"0000000000000001\"", "\"00000000000000001\"@", code::kSchema},
               {"\"hash\":[\"0000000000000001\",\"0000000000000002\"]}", "\"hash\":[\"0000000000000001\"]}@", code::kShape},
               {"\"time\":0.5", "\"time\":@soon", code::kSyntax},
               {"\"outcome\":\"complete\"", "\"outcome\":@null", code::kSyntax},
               {"\"dt\":0.25", "@dt:0.25", code::kSyntax},
               {"\"dt\":0.25", "\"dt\"@=0.25", code::kSyntax},
               {"\"dt\":0.25,", "\"dt\":0.25@;", code::kSyntax},
               {"\"a.xml\"", "\"a\\x@.xml\"", code::kSyntax}});
}

TEST_CASE("trace: the header of a JSON trace is complete before its data, and given once") {
  for (const auto& [text, code] : {
           std::pair{R"({"schema":"simbatch-trace-1","dt":1,"devices":[],"step":[],"data":{},"seed":1@})", code::kSchema},
           std::pair{R"({"schema":"simbatch-trace-1","dt":1,"step":[],"data":{},"data":@{}})", code::kSchema},
           std::pair{R"({"dt":1,"step":[],"data":{}}@)", code::kSchema},
           std::pair{R"({"schema":"simbatch-trace-1","step":[],"data":{}}@)", code::kSchema},
           std::pair{R"({"schema":"simbatch-trace-1","dt":1,"data":{}}@)", code::kSchema},
           std::pair{R"({"schema":"simbatch-trace-1","dt":1,"step":[]}@)", code::kSchema},
           std::pair{R"({"schema":"simbatch-trace-1","dt":1,"step":[0],"data":{}} @{)", code::kSyntax},
           std::pair{R"({"schema":"simbatch-trace-1","dt":1,"devices":[{"name":"a"},{"name":"a"}],"data":@{},"step":[]})",
                     code::kSchema},
           std::pair{R"({"schema":"simbatch-trace-1","dt":1,"devices":[{"name":"a"}],"devices":@[],"data":{},"step":[]})",
                     code::kSchema},
       }) {
    const auto& shown = text;  // clang 14 cannot capture text itself
    CAPTURE(shown);
    const test::Marked file = marked(text);
    const auto parsed = read_json(file.text, "t");
    CHECK_FALSE(parsed.value);
    check_only(parsed.diagnostics, code.name, file.at);
  }
}

TEST_CASE("trace: what follows the RFC's grammar is read, what does not is refused") {
  const auto with_time = [](std::string_view text) {
    return read_json(replaced(kJson, "\"time\":0.5", "\"time\":" + std::string(text)), "t").value;
  };
  for (const auto& [text, value] : {std::pair{"0", 0.0},
                                    {"-0.5", -0.5},
                                    {"1e3", 1000.0},
                                    {"1E+3", 1000.0},
                                    {"25e-2", 0.25},
                                    {"4.9e-324", 4.9e-324},
                                    {" \t\r\n 7", 7.0}}) {
    const auto& shown = text;  // clang 14 cannot capture text itself
    CAPTURE(shown);
    const auto read = with_time(text);
    REQUIRE(read);
    CHECK(read->end->time == value);
  }
  for (const char* const text : {"+1", "--1", "1e", "e1", "1-1", "0x10", "1,", "Infinity", "1 2", "'1'", "1.2.3", ""})
    CHECK_MESSAGE(!with_time(text), text);
}

TEST_CASE("trace: escapes of strings become UTF-8") {
  const auto with_name = [](std::string_view text) { return read_json(replaced(kJson, "a.xml", text), "t").value; };
  for (const auto& [text, value] : {std::pair{R"(\u0041)", "A"},
                                    {R"(\u00e4\u00E4)", "\xc3\xa4\xc3\xa4"},
                                    {R"(\u20ac)", "\xe2\x82\xac"},
                                    {R"(\ud83d\ude00)", "\xf0\x9f\x98\x80"},
                                    {R"(\b\f\n\r\t\/\\\")", "\b\f\n\r\t/\\\""}}) {
    const auto& shown = text;  // clang 14 cannot capture text itself
    CAPTURE(shown);
    const auto read = with_name(text);
    REQUIRE(read);
    CHECK(read->header.inputs[0].name == value);
  }
  for (const char* const text : {R"(\u004)", R"(\u00g0)", R"(\ud83d)", R"(\ud83dx)", R"(\ud83d\u0041)", R"(\ude00)", R"(\x41)"})
    CHECK_MESSAGE(!with_name(text), text);
}

TEST_CASE("trace: unknown members of any kind are skipped at every level") {
  const std::string more = R"("later":[{"a":[true,false,null,-1.5e3,"x\"]}"]},{}],)";
  const auto expected = read_json(kJson, "t").value;
  for (const std::string_view place : {"\"schema\"", "\"name\":\"a.xml\"", "\"name\":\"a\"", "\"name\":\"x\"", "\"outcome\""}) {
    CAPTURE(place);
    const auto read = read_json(replaced(kJson, place, more + std::string(place)), "t");
    REQUIRE_MESSAGE(read.value, test::all_text(read.diagnostics));
    CHECK(*read.value == *expected);
  }
  CHECK_FALSE(read_json(replaced(kJson, "\"schema\"", "\"later\":[tru],\"schema\""), "t").value);
}

TEST_CASE("trace: each line of an NDJSON trace is checked where it is written") {
  check_edits(kLines, read_ndjson,
              {{"simbatch-trace-1\"", "simbatch-trace-0\"@", code::kSchema},
               {"\"dt\":0.25,", "\"dt\":-0.25@,", code::kSchema},
               {"{\"step\":0,", "{\"step\":@0.5,", code::kSchema},
               {"{\"step\":0,\"data\":", "{\"data\":@", code::kSchema},
               {"{\"step\":0,\"data\":", "{\"step\":-1,\"data\":@", code::kSchema},
               {"{\"a\":[1,\"p\"]}", "{\"c\":@[1,\"p\"]}", code::kShape},
               {"{\"a\":[1,\"p\"]}", "{\"a\":[1]}@", code::kShape},
               {"{\"a\":[1,\"p\"]}", "{\"a\":[1,\"p\",@3]}", code::kShape},
               {"{\"a\":[1,\"p\"]}", "{\"a\":[@\"p\",1]}", code::kSyntax},
               {"{\"a\":[1,\"p\"]}", "{}@", code::kShape},
               {"{\"a\":[1,\"p\"]}", "{\"a\":[1,\"p\"],\"a\":[1,\"p\"]}@", code::kShape},
               {"{\"step\":1,", "{\"step\":1,@,", code::kSyntax},
               {"\"q\"]}}\n", "\"q\"]}}@x\n", code::kSyntax},
               {"{\"step\":1,", "{\"header\":@{},\"step\":1,", code::kSchema},
               {"{\"hash\":{\"step\":0,", "{\"hash\":{\"step\":@x,", code::kSyntax},
               {"\"state_hash\":\"0000000000000001\"", "\"state_hash\":\"1\"@", code::kSchema}});
}

TEST_CASE("trace: an NDJSON trace begins with its header and ends with its end") {
  const std::string text(kLines);
  const std::size_t first = text.find('\n') + 1;
  const auto headless = read_ndjson(text.substr(first), "t");
  CHECK_FALSE(headless.value);
  check_only(headless.diagnostics, code::kSchema.name, {1, 9});
  const auto after = read_ndjson(text + "{\"step\":2,\"data\":{\"a\":[3,\"r\"]}}\n", "t");
  CHECK_FALSE(after.value);
  check_only(after.diagnostics, code::kSchema.name, {6, 1});
  const auto nothing = read_ndjson("", "t");
  CHECK_FALSE(nothing.value);
  check_only(nothing.diagnostics, code::kSchema.name, {1, 1});
  // A line that is still being written is accepted, whatever is in it; the warning is at the last whole line.
  const auto growing = read_ndjson(text.substr(0, text.find("{\"end\"")) + "{\"step\":2,\"da", "t");
  REQUIRE(growing.value);
  CHECK(growing.value->steps == std::vector<std::int64_t>{0, 1});
  check_only(growing.diagnostics, code::kCut.name, {4, 1});
}

TEST_CASE("trace: steps of rows increase, in all forms") {
  for (const std::string_view steps : {"[1,0@]", "[0,0@]", "[-1@,0]"}) {
    CAPTURE(steps);
    const test::Marked file = marked(replaced(kJson, "\"step\":[0,1]", "\"step\":" + std::string(steps)));
    const auto json = read_json(file.text, "t");
    CHECK_FALSE(json.value);
    check_only(json.diagnostics, code::kShape.name, file.at);
  }
  const test::Marked file = marked(replaced(kLines, "{\"step\":1,\"data\"", "{\"step\":0,\"data\"@"));
  const auto lines = read_ndjson(file.text, "t");
  CHECK_FALSE(lines.value);
  check_only(lines.diagnostics, code::kShape.name, {file.at.line, file.at.column + 1});
}

TEST_CASE("trace: each cell of a CSV table is checked where it is written") {
  const TemporaryFolder folder;
  const auto trace = read_json(kJson, "t").value;
  {
    const auto writer = make_writer(Format::csv, folder.file("t"), trace->header);
    write_trace(*trace, *writer);
  }
  const std::string table = folder.file("t/a.csv");
  const std::string good = test::read_text(table);
  REQUIRE(good == "step,time,x,s\r\n0,0,1,p\r\n1,0.25,2,q\r\n");
  for (const auto& [what, with, code] : {
           std::tuple{"step,", "@steps,", code::kShape},
           {"time,x", "time,@y", code::kShape},
           {"x,s\r", "@x\r", code::kShape},
           {"x,s\r", "x,@s,t\r", code::kShape},
           {"0,0,1,p", "@zero,0,1,p", code::kSyntax},
           {"0,0,1,p", "@0.0,0,1,p", code::kSyntax},
           {"0,0,1,p", "@-1,0,1,p", code::kShape},
           {"1,0.25,2,q", "@0,0.25,2,q", code::kShape},
           {"0,0,1,p", "0,@,1,p", code::kSyntax},
           {"0,0,1,p", "0,0,@one,p", code::kSyntax},
           {"0,0,1,p", "0,0,@nan,p", code::kSyntax},
           {"0,0,1,p", "0,0,@1", code::kShape},
           {"0,0,1,p", "0,0,1,@\"p", code::kSyntax},
           {"0,0,1,p", "0,0,1,\"p\"@x", code::kSyntax},
           {"2,q\r\n", "2,q@", code::kSyntax},
           {"2,q\r\n", "2,q\r\n@\r\n", code::kShape},
       }) {
    const auto& shown = with;  // clang 14 cannot capture with itself
    CAPTURE(shown);
    const test::Marked file = marked(replaced(good, what, with));
    test::write_text(table, file.text);
    const auto parsed = read_csv(folder.file("t"));
    CHECK_FALSE(parsed.value);
    check_only(parsed.diagnostics, code.name, file.at);
    CHECK(parsed.diagnostics.items()[0].file == table);
  }
  // Tables of other steps do not fit together; a plain LF and quotes that are not needed do no harm.
  test::write_text(table, "step,time,x,s\n0,0,1,\"p\"\n1,0.25,\"2\",q\n");
  CHECK(*read_csv(folder.file("t")).value == *trace);
  test::write_text(table, "step,time,x,s\n0,0,1,p\n2,0.5,2,q\n");
  check_only(read_csv(folder.file("t")).diagnostics, code::kShape.name, {1, 1});
  std::filesystem::remove(table);
  CHECK_THROWS_AS((void)read_csv(folder.file("t")), IoError);
}

TEST_CASE("trace: tables get file names that are safe, different in any case, and not too long") {
  const auto names_of = [](std::initializer_list<std::string> names) {
    std::vector<Device> devices;
    for (const std::string& name : names) devices.push_back({name, "", {}});
    return trace::detail::csv_names(devices);
  };
  CHECK(names_of({"a/b", "a%2Fb", "a.b"}) == std::vector<std::string>{"a%2Fb.csv", "a%252Fb.csv", "a.b.csv"});
  CHECK(names_of({"Car", "car", "CAR"}) == std::vector<std::string>{"Car.csv", "car-2.csv", "CAR-3.csv"});
  CHECK(names_of({"car-2", "car", "Car"}) == std::vector<std::string>{"car-2.csv", "car.csv", "Car-3.csv"});
  CHECK(names_of({"trace.json"}) == std::vector<std::string>{"trace.json.csv"});
  std::string umlauts(1, 'x');
  for (int i = 0; i < 150; ++i) umlauts += "\xc3\xa4";
  const auto cut = names_of({umlauts, umlauts + "!"});
  for (const std::string& name : cut) {
    CHECK(name.size() < 255);
    CHECK((static_cast<unsigned char>(name[name.rfind('-') - 2])) == 0xc3);  // the last character is whole
  }
  CHECK(cut[0] != cut[1]);
  RandomStream random(5, "names");
  std::vector<Device> devices;
  for (int i = 0; i < 500; ++i) {
    std::string name;
    for (std::uint64_t n = 1 + random.below(3); n > 0; --n) name += "aA/%.-2"[random.below(7)];
    devices.push_back({name, "", {}});
  }
  std::set<std::string> seen;
  for (std::string name : trace::detail::csv_names(devices)) {
    CHECK(name.find('/') == std::string::npos);
    for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    CHECK_MESSAGE(seen.insert(name).second, name);
  }
}
