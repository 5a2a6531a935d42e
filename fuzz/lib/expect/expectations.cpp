// Texts of expectations: read, bound to a small table, and evaluated. What they say must not depend on when the run is seen to
// end.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "lib/expect/monitor.hpp"

using namespace simbatch;

namespace {

/// Every field exists; its unit and value depend on its name.
class AnySignals final : public expect::SignalSource {
 public:
  Lookup field(std::string_view node, std::string_view field) override {
    return {expect::Signal{(node.size() + field.size()) % 4, field.size() % 2 == 0 ? "m" : "1"}, {}, false};
  }
  Lookup event(std::string_view, const std::vector<std::string>& names) override {
    return {expect::Signal{names[0].size() % 4, "1"}, {}, false};
  }
  std::vector<std::string> fields() const override { return {"a.x"}; }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto parsed = expect::read_expectations(text, {"fuzz", TextPlaces(text)});
  AnySignals signals;
  for (const expect::Expectation& expectation : *parsed.value) {
    Diagnostics problems;
    auto program = expect::bind(expectation, signals, 0.5, problems);
    if (!program) continue;
    expect::Monitor monitor(std::move(*program));
    expect::Verdict decided = expect::Verdict::undecided;
    for (int step = 0; step < 12; ++step) {
      const double values[] = {static_cast<double>(step % 3), static_cast<double>(step % 2), 5.0 - step, 0};
      monitor.step(values);
      const expect::Verdict verdict = monitor.outcome().verdict;
      if (decided != expect::Verdict::undecided && verdict != decided) std::abort();
      decided = verdict;
    }
    monitor.finish();
    const expect::Outcome outcome = monitor.outcome();
    if (outcome.verdict == expect::Verdict::undecided) std::abort();
    if (decided != expect::Verdict::undecided && outcome.verdict != decided) std::abort();
    (void)expect::describe(outcome);
  }
  return 0;
}
