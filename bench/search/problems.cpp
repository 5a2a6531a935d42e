#include "bench/search/problems.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>

#include "bench/search/models.hpp"
#include "lib/expect/monitor.hpp"

namespace simbatch::bench {
namespace {

/// The fields of a model's outputs.
class Outputs final : public expect::SignalSource {
 public:
  explicit Outputs(std::vector<std::string> names) : names_(std::move(names)) {}
  Lookup field(std::string_view node, std::string_view field) override {
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (node == "plant" && field == names_[i]) return {expect::Signal{i, "1"}, {}, false};
    return {};
  }
  Lookup event(std::string_view, const std::vector<std::string>&) override {
    return {std::nullopt, "there are not events", false};
  }
  std::vector<std::string> fields() const override { return names_; }

 private:
  std::vector<std::string> names_;
};

const expect::Program& program_of(const Problem& problem) {
  static std::map<std::string, expect::Program> programs;
  const auto found = programs.find(problem.name);
  if (found != programs.end()) return found->second;
  Outputs outputs(problem.model == "cars" ? std::vector<std::string>{"y1", "y2", "y3", "y4", "y5"}
                                          : std::vector<std::string>{"speed", "rpm", "gear"});
  Diagnostics diagnostics(problem.name);
  const auto expectations = expect::read_expectations(problem.requirement, {problem.name, {}});
  if (expectations.ok())
    if (auto program = expect::bind(expectations.value->front(), outputs, problem.dt, diagnostics))
      return programs.emplace(problem.name, *std::move(program)).first->second;
  diagnostics.append(expectations.diagnostics);
  for (const Diagnostic& one : diagnostics.items()) std::fprintf(stderr, "%s\n", to_text(one).c_str());
  std::exit(4);
}

}  // namespace

const std::vector<Problem>& problems() {
  static const std::vector<Problem> list{
      {"AT1", "transmission", "always[0, 20] plant.speed < 120", 20, 0.01, 4},
      {"AT2", "transmission", "always[0, 10] plant.rpm < 4750", 10, 0.01, 2},
      {"AT6a", "transmission", "(always[0, 30] plant.rpm < 3000) implies (always[0, 4] plant.speed < 35)", 30, 0.01, 6},
      {"AT6b", "transmission", "(always[0, 30] plant.rpm < 3000) implies (always[0, 8] plant.speed < 50)", 30, 0.01, 6},
      {"AT6c", "transmission", "(always[0, 30] plant.rpm < 3000) implies (always[0, 20] plant.speed < 65)", 30, 0.01, 6},
      {"CC1", "cars", "always[0, 100] plant.y5 - plant.y4 <= 40", 100, 0.05, 10},
      {"CC2", "cars", "always[0, 70] (eventually[0, 30] plant.y5 - plant.y4 >= 15)", 100, 0.05, 10},
      {"CC3", "cars",
       "always[0, 80] ((always[0, 20] plant.y2 - plant.y1 <= 20) or (eventually[0, 20] plant.y5 - plant.y4 >= 40))", 100, 0.05,
       10},
  };
  return list;
}

double margin(const Problem& problem, const std::vector<double>& point) {
  expect::Monitor monitor(program_of(problem));
  Transmission transmission;
  ChasingCars cars;
  const bool is_cars = problem.model == "cars";
  const auto steps = static_cast<std::int64_t>(std::llround(problem.duration / problem.dt));
  std::vector<double> values(is_cars ? ChasingCars::kCars : 3);
  for (std::int64_t step = 0;; ++step) {
    if (is_cars)
      std::copy(cars.places().begin(), cars.places().end(), values.begin());
    else
      values = {transmission.speed(), transmission.rpm(), static_cast<double>(transmission.gear())};
    monitor.step(values);
    if (step == steps) break;
    const auto part = static_cast<std::size_t>(step * static_cast<std::int64_t>(problem.parts) / steps);
    const double first = point[part], second = point[problem.parts + part];
    if (is_cars)
      cars.step(first, second, problem.dt);
    else
      transmission.step(100 * first, 325 * second, problem.dt);
  }
  monitor.finish();
  return monitor.outcome().margin;
}

}  // namespace simbatch::bench
