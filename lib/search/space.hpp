#pragma once
/// The search space: a unit cube with one dimension per parameter of a study. Maps points to parameter values, including whole
/// numbers, lists and grids.

#include <cstdint>
#include <span>
#include <vector>

#include "lib/optimize/optimizer.hpp"
#include "lib/study/study.hpp"

namespace simbatch::search {

using optimize::Point;

class Space {
 public:
  explicit Space(const study::Study& study) : study_(study) {}
  std::size_t size() const { return study_.parameters.size(); }

  /// The parameter values at a point. A list is divided into equal parts, one per value, and so is a range with grid steps.
  /// Other ranges are interpolated on their scale, and rounded for whole numbers.
  std::vector<double> values(const Point& point) const;
  /// The center of the region of the cube with these values (or the nearest possible ones).
  Point point(std::span<const double> values) const;
  /// The nearest allowed value of a parameter.
  double nearest(std::size_t parameter, double value) const;

  /// Number of possible values of a parameter; 0: a continuous range.
  std::int64_t levels(std::size_t parameter) const;
  /// Number of combinations; 0: more than `most`, or infinitely many.
  std::int64_t combinations(std::int64_t most) const;
  /// @param index  0 to combinations() - 1; the last parameter varies fastest
  std::vector<double> combination(std::int64_t index) const;

 private:
  double value(std::size_t parameter, double share) const;
  double level_value(std::size_t parameter, std::int64_t level) const;
  double share(std::size_t parameter, double value) const;
  bool is_grid(std::size_t parameter) const;
  const study::Study& study_;
};

}  // namespace simbatch::search
