// The section Expectations of a scenario (docs/expectations.md).

#include "lib/scenario/site.hpp"

namespace simbatch::scenario::detail {

std::unique_ptr<Expectations> build_expectations(const Site& site) {
  const auto programs = site.options.programs == ProgramUse::run ? ProgramsLoaded::yes : ProgramsLoaded::no;
  auto expectations = std::make_unique<Expectations>(site.simulation, programs);
  const double duration = site.file.expectations.duration.value_or(0);
  const bool is_whole = !site.files.problems().has_errors();
  for (const autosim::Expect& item : site.file.expectations.expects) {
    const expect::Place place{site.files.scenario(), item.that_places};
    if (is_whole)
      expectations->add(item.that, place, item.name, duration, site.files.problems());
    else
      site.files.append(expect::read_expectations(item.that, place, item.name).diagnostics);
  }
  return expectations;
}

}  // namespace simbatch::scenario::detail
