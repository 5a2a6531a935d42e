#pragma once
/// simrun serve --offer: programs that the page offers to choose from.

#include <string>
#include <string_view>
#include <vector>

#include "lib/scenario/build.hpp"
#include "lib/serve/live_view.hpp"
#include "lib/sim/tree/tree.hpp"

namespace simbatch::simrun {

/// --offer ROBOT=PROGRAM
struct Offer {
  std::string robot;    ///< its name, not a pattern
  std::string program;  ///< a library (*.so), or whatever --controller takes
};

/// The programs offered for each robot, in the order of the options, and the chosen ones: initially the first.
class Offers {
 public:
  Offers() = default;
  /// @param own  the scenario's own programs may run, and are offered as well
  Offers(const std::vector<Offer>& offers, bool own);

  /// Chooses a program of a robot, by its index in the page's list. @return what is wrong, or empty
  std::string choose(std::string_view robot, std::size_t program);
  /// Adds the chosen programs to those of the command line. Robots that the scenario does not have are ignored.
  void apply(scenario::BuildOptions& options) const;
  /// For the page: the offers for robots of this tree.
  std::vector<serve::ProgramChoice> shown(const sim::SimulationTree& tree) const;
  bool operator==(const Offers&) const = default;

 private:
  struct OfRobot {
    std::string robot;
    std::vector<std::string> programs;  ///< those given with --offer, then the scenario's own, then "none"
    std::size_t given = 0;              ///< number of those given with --offer
    std::size_t chosen = 0;
    bool operator==(const OfRobot&) const = default;
  };
  std::vector<OfRobot> robots_;
};

}  // namespace simbatch::simrun
