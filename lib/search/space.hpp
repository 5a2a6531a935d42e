#pragma once
/// What a search moves in: the unit cube, a side for each parameter of a study. Points of it become values of parameters, also of whole numbers,
/// lists and grids.

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

  /// The parameters' values at a point. A list is divided in as many equal parts as it has values; so is the range of a parameter whose study is a grid, by
  /// its steps. Other ranges are followed on their scale and rounded where they are whole.
  std::vector<double> values(const Point& point) const;
  /// The middle of the part of the cube that has these values (the nearest that there are).
  Point point(std::span<const double> values) const;
  /// The nearest value that a parameter may have.
  double nearest(std::size_t parameter, double value) const;

  /// How many values a parameter may have; 0: a whole range of real numbers.
  std::int64_t levels(std::size_t parameter) const;
  /// How many combinations there are; 0: more than `most`, or infinitely many.
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
