#pragma once
/// The falsification problems: models, inputs that are constant by parts, and requirements as expectations.

#include <cstddef>
#include <string>
#include <vector>

namespace simbatch::bench {

struct Problem {
  std::string name, model;      ///< model: "transmission" or "cars"
  std::string requirement;      ///< an expectation over the fields of the node "plant"
  double duration = 0, dt = 0;  ///< s
  std::size_t parts = 0;        ///< in which the duration is divided; each has two inputs
  std::size_t sides() const { return 2 * parts; }
};
const std::vector<Problem>& problems();

/// Evaluates a problem. @param point  0..1 each: the first input of all parts, then the second
/// @return the margin; below 0 the requirement is broken
double margin(const Problem& problem, const std::vector<double>& point);

}  // namespace simbatch::bench
