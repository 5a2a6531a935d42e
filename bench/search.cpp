// How many runs a search needs: the optimizers of simrun search against uniform draws, on problems of ARCH-COMP.
//
//   search [--seeds 20] [--runs 300] [--only AT1] [--methods bayes,cmaes,random]
//
// A problem's number is the median over the seeds of the run that breaks the requirement first (a search that did not break it
// counts as more than all), and how many seeds broke it. The checksum is of these numbers of runs and of the margins of the
// last ones.

#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "bench/search/problems.hpp"
#include "lib/optimize/optimizer.hpp"

using namespace simbatch;

namespace {

struct Found {
  int run = 0;        ///< the first that fails, from 1; runs + 1: none
  double margin = 0;  ///< of the last run
};

Found first_failing(const bench::Problem& problem, optimize::Method method, std::uint64_t seed, int runs) {
  const auto optimizer = optimize::make_optimizer(method, std::vector<std::int64_t>(problem.sides(), 0), seed);
  double margin = 0;
  for (int run = 0; run < runs;) {
    const std::vector<optimize::Point> points = optimizer->ask();
    std::vector<double> values;
    for (const optimize::Point& point : points) {
      values.push_back(margin = bench::margin(problem, point));
      if (++run <= runs && margin < 0) return {run, margin};
    }
    optimizer->tell(points, values);
  }
  return {runs + 1, margin};
}

}  // namespace

int main(int argc, char** argv) {
  const bench::Options options(argc, argv, {"--seeds", "--runs", "--only", "--methods"});
  const int seeds = options.whole("--seeds", 20), runs = options.whole("--runs", 300);
  const std::string only = options.text("--only"), methods = options.text("--methods", "bayes,cmaes,random");
  bench::print_head(
      argc, argv,
      "runs until the first failure: median of the seeds, quartiles, seeds that failed at all; seconds of the optimizer and model");
  std::printf("%-6s %5s", "", "sides");
  for (const std::string_view name : optimize::kMethods)
    if (methods.find(name) != std::string::npos) std::printf("  %-30s", std::string(name).c_str());
  std::printf("\n");
  bench::Checksum checksum;
  for (const bench::Problem& problem : bench::problems()) {
    if (!only.empty() && only.find(problem.name) == std::string::npos) continue;
    std::printf("%-6s %5zu", problem.name.c_str(), problem.sides());
    for (std::size_t m = 0; m < std::size(optimize::kMethods); ++m) {
      if (methods.find(optimize::kMethods[m]) == std::string::npos) continue;
      std::vector<double> needed, results;
      const double seconds = bench::seconds_of(bench::cpu_seconds, [&] {
        for (int seed = 1; seed <= seeds; ++seed) {
          const Found found = first_failing(problem, static_cast<optimize::Method>(m), static_cast<std::uint64_t>(seed), runs);
          needed.push_back(found.run);
          results.insert(results.end(), {static_cast<double>(found.run), found.margin});
        }
      });
      checksum.add(problem.name + " " + std::string(optimize::kMethods[m]), results);
      std::sort(needed.begin(), needed.end());
      const auto text = [&](std::size_t i) {
        const double value = needed[std::min(i, needed.size() - 1)];
        return value > runs ? ">" + std::to_string(runs) : std::to_string(static_cast<int>(value));
      };
      const auto broke = std::count_if(needed.begin(), needed.end(), [&](double value) { return value <= runs; });
      const std::size_t n = needed.size();
      std::printf("  %4s (%s to %s) %td/%d %.1f s%*s", text(n / 2).c_str(), text(n / 4).c_str(), text(3 * n / 4).c_str(), broke,
                  seeds, seconds, 4, "");
      std::fflush(stdout);
    }
    std::printf("\n");
  }
  return checksum.finish("numbers of runs and their last margins");
}
