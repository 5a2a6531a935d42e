// Journals as a killed, edited or foreign study may have left them. What is read is written as a journal and read again.

#include "lib/study/journal.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "lib/study/csv.hpp"
#include "lib/study/table.hpp"

using namespace simbatch;
using study::detail::Rows;

namespace {

constexpr std::string_view kStudy =
    "<Study name=\"s\" scenario=\"w.xml\" seed=\"1\" duration=\"1\">"
    "<Parameter name=\"a b\" path=\"A/@a\" low=\"0\" high=\"1\"/>"
    "<Parameter name=\"ground\" path=\"A/@b\" choices=\"dry | wet, deep\"/>"
    "<Parameter name=\"noise\" path=\"seed\" low=\"0\" high=\"9\"/>"
    "<Design kind=\"random\" runs=\"8\"/></Study>";
const std::string kHead = "# simbatch study 2\r\n# the design 0123\r\n# w.xml 4567\r\n";

bool is_one_row(const std::string& text) {
  study::detail::CsvReader reader(text);
  std::vector<std::string> cells;
  return reader.next(cells) && !reader.next(cells);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const study::Study kRead = *study::read_study(kStudy, "fuzz.study.xml").value;
  const auto run_of = [](const std::string& row) {
    const auto read = study::detail::read_row(row, kRead, study::detail::RowShape{1, 2});
    return read ? read->run : std::int64_t{-1};
  };
  Rows rows;
  Diagnostics problems;
  if (!study::detail::read_journal({reinterpret_cast<const char*>(data), size}, "journal.csv", kHead, run_of, rows, problems)) {
    if (!problems.has_errors()) std::abort();
    return 0;
  }
  std::string text = kHead;
  for (const auto& [run, row] : rows) {
    if (run < 0 || run >= study::run_count(kRead)) std::abort();
    if (!is_one_row(row)) std::abort();
    text += row;
  }
  Rows again;
  if (!study::detail::read_journal(text, "again.csv", kHead, run_of, again, problems) || again != rows) std::abort();
  return 0;
}
