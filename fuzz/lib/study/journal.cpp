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
constexpr std::string_view kGrid =
    "<Study name=\"s\" scenario=\"w.xml\" duration=\"1\">"
    "<Parameter name=\"a b\" path=\"A/@a\" values=\"0 0.5 0.5 1\"/>"
    "<Parameter name=\"ground\" path=\"A/@b\" choices=\"dry | wet, deep\"/>"
    "<Parameter name=\"noise\" path=\"seed\" values=\"3\"/><Design kind=\"grid\"/></Study>";
const std::string kHead = "# simbatch study 3\r\n# the design 0123\r\n# w.xml 4567\r\n";

bool is_one_row(const std::string& text) {
  study::detail::CsvReader reader(text);
  std::vector<std::string> cells;
  return reader.next(cells) && !reader.next(cells);
}

void read_and_read_again(const study::Study& study, std::string_view journal) {
  study::detail::RowFinder finder(study, {1, 2});
  Rows rows;
  Diagnostics problems;
  if (!study::detail::read_journal(journal, "journal.csv", kHead, finder, rows, problems)) {
    if (!problems.has_errors()) std::abort();
    return;
  }
  std::string text = kHead;
  for (const auto& [run, row] : rows) {
    if (run < 0 || run >= study::run_count(study)) std::abort();
    if (!is_one_row(row.text) || !study::detail::read_row(row.text, study, study::detail::RowShape{1, 2})) std::abort();
    text += study::detail::journal_line(row);
  }
  Rows again;
  if (!study::detail::read_journal(text, "again.csv", kHead, finder, again, problems) || again != rows) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const study::Study kRandomRuns = *study::read_study(kStudy, "fuzz.study.xml").value;
  static const study::Study kGridRuns = *study::read_study(kGrid, "grid.study.xml").value;
  const std::string_view journal(reinterpret_cast<const char*>(data), size);
  read_and_read_again(kRandomRuns, journal);
  read_and_read_again(kGridRuns, journal);
  return 0;
}
