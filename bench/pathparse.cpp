// Mission validation: MB/s and peak memory over a generated mission, against a baseline that only splits the same text
// into lines and fields and converts the numbers with strtod. Usage: pathparse [LINES] (10,000,000 by default)
// The checksum is of the totals and of all diagnostics.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "lib/mission/check.hpp"

namespace {

std::string mission(std::size_t lines) {
  std::string text = "#Version\n3\n#Xrefpoint Yrefpoint UTM Zone\n491890.163 4290832.905 29S\n";
  text.reserve(lines * 56);
  // A lawn mower of half turns: two lines and two arcs a period.
  double x = 0;
  for (std::size_t i = 0; i < lines; i += 4) {
    auto to = std::back_inserter(text);
    fmt::format_to(to, "LINE {0:.2f} -20.26 {0:.2f} 10.13 0.30 -1\n", x);
    fmt::format_to(to, "ARC {:.2f} 10.13 {:.2f} 10.13 {:.2f} 10.13 0.30 -1 10.13 -1\n", x, x + 10.13, x + 20.26);
    x += 20.26;
    fmt::format_to(to, "LINE {0:.2f} 10.13 {0:.2f} -20.26 0.30 -1\n", x);
    fmt::format_to(to, "ARC {:.2f} -20.26 {:.2f} -20.26 {:.2f} -20.26 0.30 1 10.13 -1\n", x, x + 10.13, x + 20.26);
    x = x > 900'000 ? 0 : x + 20.26;
  }
  return text;
}

double baseline(const std::string& text) {
  double sum = 0;
  for (const char* p = text.c_str(); *p != 0;) {
    const char* end = std::strchr(p, '\n');
    while (p < end && *p != ' ') ++p;
    while (p < end) {
      char* stop = nullptr;
      sum += std::strtod(p, &stop);
      if (stop == p) break;
      p = stop;
    }
    p = end + 1;
  }
  return sum;
}

double peak_mb() { return simbatch::bench::peak_bytes() / (1 << 20); }

/// @param after  called after each round, untimed
template <class Work, class After>
std::vector<double> times_of(Work work, After after) {
  std::vector<double> times;
  for (int round = 0; round < 5; ++round) {
    times.push_back(simbatch::bench::seconds_of(simbatch::bench::wall_seconds, work));
    after();
  }
  return times;
}

std::uint64_t hash_of(const simbatch::mission::CheckResult& result) {
  const simbatch::mission::Summary& s = result.summary;
  simbatch::StateHash hash;
  for (const std::size_t count : {s.lines, s.arcs, s.points, s.depths, s.lost, s.kept_by_console, s.kept_by_vehicle,
                                  s.misread_by_vehicle, result.diagnostics.warnings(), result.diagnostics.errors()})
    hash.add(std::uint64_t{count});
  hash.add(std::vector<double>{s.length, s.duration});
  for (const simbatch::Diagnostic& problem : result.diagnostics.items()) hash.add(to_text(problem));
  return hash.value();
}

}  // namespace

using simbatch::bench::median;
using simbatch::bench::minimum;

int main(int argc, char** argv) {
  const simbatch::bench::Options options(argc, argv);
  const std::size_t lines = static_cast<std::size_t>(options.word(0, 1e7));
  simbatch::bench::print_head(argc, argv, "wall time; minimum and median of 5 rounds");
  const std::string text = mission(lines);
  const double mb = static_cast<double>(text.size()) / 1e6, before = peak_mb();
  double sum = 0;
  const auto simple = times_of([&] { sum = baseline(text); }, [] {});
  simbatch::mission::CheckResult result;
  simbatch::bench::Checksum checksum;
  const auto check = times_of([&] { result = simbatch::mission::check_mission(text, "bench"); },
                              [&] { checksum.add("check", hash_of(result)); });
  const double after = peak_mb();
  std::printf(
      "lines,MB,baseline MB/s,(median),validate MB/s,(median),ratio,text MB,extra peak MB,sections,warnings,length km\n");
  std::printf("%zu,%.0f,%.0f,%.0f,%.0f,%.0f,%.2f,%.0f,%.1f,%zu,%zu,%.1f\n", lines, mb, mb / minimum(simple),
              mb / median(simple), mb / minimum(check), mb / median(check), minimum(simple) / minimum(check), before,
              after - before, result.summary.sections(), result.diagnostics.warnings(), result.summary.length / 1000);
  if (sum == 0 || result.summary.sections() < lines) return 1;
  return checksum.finish("totals and diagnostics");
}
