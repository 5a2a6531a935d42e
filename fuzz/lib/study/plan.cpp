// Tables of designs: read; those without problems are written and read again.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "lib/study/study.hpp"

using namespace simbatch;

namespace {

constexpr std::string_view kStudy =
    "<Study name=\"s\" scenario=\"w.xml\" seed=\"1\" duration=\"1\">"
    "<Parameter name=\"a b\" path=\"A/@a\" low=\"0\" high=\"1\"/>"
    "<Parameter name=\"ground\" path=\"A/@b\" choices=\"dry | wet, deep\"/>"
    "<Parameter name=\"noise\" path=\"seed\" low=\"0\" high=\"9\"/>"
    "<Design kind=\"random\" runs=\"8\"/></Study>";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const study::Study kRead = *study::read_study(kStudy, "fuzz.study.xml").value;
  const auto plan = study::read_plan({reinterpret_cast<const char*>(data), size}, "fuzz.csv", kRead);
  if (!plan.ok()) return 0;
  study::Study table = kRead;
  table.design = study::DesignKind::table;
  table.rows = *plan.value;
  if (table.rows.empty() || study::run_count(table) != static_cast<std::int64_t>(table.rows.size())) std::abort();
  const auto again = study::read_plan(study::plan_csv(table), "again.csv", kRead);
  if (!again.ok() || *again.value != table.rows) std::abort();
  return 0;
}
