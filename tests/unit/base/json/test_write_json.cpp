#include <doctest/doctest.h>

#include <limits>

#include "base/json/write_json.hpp"

using namespace simbatch;

namespace {

std::string document(unsigned indent) {
  json::Writer out(indent);
  out.open_object();
  out.member("text", "a \"b\"\n\x01\xFF");
  out.member("whole", 3).member("real", 0.1).member("flag", true).member("nan", std::numeric_limits<double>::quiet_NaN());
  out.member("maybe", std::optional<double>{}).member("given", std::optional<int>{4});
  out.key("list").open_array().value(1).value(2.0).close();
  out.key("empty").open_array().close();
  out.key("none").open_object().close();
  out.key("ready").raw("[1,2]");
  out.close();
  return out.text();
}

}  // namespace

TEST_CASE("json: compact") {
  CHECK(document(0) ==
        "{\"text\":\"a \\\"b\\\"\\n\\u0001\xEF\xBF\xBD\",\"whole\":3,\"real\":0.1,\"flag\":true,\"nan\":null,\"maybe\":null,"
        "\"given\":4,\"list\":[1,2],\"empty\":[],\"none\":{},\"ready\":[1,2]}");
}

TEST_CASE("json: indented") {
  CHECK(document(2) ==
        "{\n  \"text\": \"a \\\"b\\\"\\n\\u0001\xEF\xBF\xBD\",\n  \"whole\": 3,\n  \"real\": 0.1,\n  \"flag\": true,\n"
        "  \"nan\": null,\n  \"maybe\": null,\n  \"given\": 4,\n  \"list\": [\n    1,\n    2\n  ],\n  \"empty\": [],\n"
        "  \"none\": {},\n  \"ready\": [1,2]\n}");
}
