// Studies: read; the values of a few runs, the plan, and the edits that they make to a small scenario.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "lib/study/study.hpp"

using namespace simbatch;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto parsed = study::read_study({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!parsed.value || parsed.diagnostics.has_errors()) return 0;
  const std::int64_t runs = study::run_count(*parsed.value);
  if (runs < 0) std::abort();
  for (std::int64_t run = 0; run < std::min<std::int64_t>(runs, 4); ++run) {
    const std::vector<double> values = study::values_of(*parsed.value, run);
    if (values != study::values_of(*parsed.value, run)) std::abort();
    Diagnostics problems("fuzz");
    (void)study::edited_scenario("<World name=\"w\"><Physics><Engine a=\"1\"/></Physics><Box name=\"b\" x=\"2\"/></World>",
                                 "w.xml", *parsed.value, values, problems);
  }
  if (runs < 1000) (void)study::plan_csv(*parsed.value);
  return 0;
}
