#include "apps/simrun/offers.hpp"

#include <algorithm>

#include "base/core/diagnostics.hpp"

namespace simbatch::simrun {
namespace {

constexpr std::string_view kOwn = "the scenario's own";
constexpr std::string_view kNone = "none";

}  // namespace

Offers::Offers(const std::vector<Offer>& offers, bool own) {
  for (const Offer& offer : offers) {
    auto found = std::find_if(robots_.begin(), robots_.end(), [&](const OfRobot& each) { return each.robot == offer.robot; });
    if (found == robots_.end()) found = robots_.insert(found, OfRobot{offer.robot, {}, 0, 0});
    found->programs.push_back(offer.program);
  }
  for (OfRobot& each : robots_) {
    each.given = each.programs.size();
    if (own) each.programs.emplace_back(kOwn);
    each.programs.emplace_back(kNone);
  }
}

std::string Offers::choose(std::string_view robot, std::size_t program) {
  for (OfRobot& each : robots_) {
    if (each.robot != robot) continue;
    if (program >= each.programs.size()) return "there is no such program";
    each.chosen = program;
    return {};
  }
  return "no programs are offered for " + simbatch::quoted(robot, 80);
}

void Offers::apply(scenario::BuildOptions& options) const {
  for (const OfRobot& each : robots_) {
    const std::string& program = each.programs[each.chosen];
    if (each.chosen >= each.given) {
      if (program == kNone) options.program_choices.push_back({each.robot, {}, true});
    } else if (program.ends_with(".so")) {
      options.program_choices.push_back({each.robot, program, true});
    } else {
      options.controllers.push_back({each.robot, program, true});
    }
  }
}

std::vector<serve::ProgramChoice> Offers::shown(const sim::SimulationTree& tree) const {
  std::vector<serve::ProgramChoice> all;
  for (const OfRobot& each : robots_)
    if (tree.find(each.robot) != nullptr) all.push_back({each.robot, each.programs, each.chosen});
  return all;
}

}  // namespace simbatch::simrun
