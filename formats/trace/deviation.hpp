#pragma once
/// How much two traces differ, field by field: for runs that should be similar, as compare() is for those that should
/// be identical.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/trace/trace.hpp"

namespace simbatch::trace {

/// Rows of the same simulated time: (row of a, row of b), ascending. Steps may have different lengths; times count as the same
/// within a millionth of the shorter step.
std::vector<std::pair<std::size_t, std::size_t>> common_times(const Trace& a, const Trace& b);

/// A field of numbers that both traces have.
struct Deviation {
  std::size_t device_a = 0, device_b = 0, field_a = 0, field_b = 0;  ///< into the headers and columns
  double rms = 0;                                                    ///< root of the mean square of b - a, in the field's unit
  double max = 0;                                                    ///< largest |b - a|
  double mean = 0;                                                   ///< of b - a
  double spread = 0;                                                 ///< largest less smallest value of a, over the common rows
  std::size_t row = 0;  ///< into common_times(): the first with the largest difference

  /// Whether the values ever differ.
  bool differs() const { return max > 0; }
};

/// The period of a field, for headings and courses; 0 for all others.
double turn_of(const Field& field);
/// b - a; of directions the shorter way round.
double difference(double a, double b, double turn);

/// All fields of numbers that both traces have, under the same names and with the same units; in the order of a.
/// @param rows    common_times()
/// @param wanted  devices; empty: all
std::vector<Deviation> deviations(const Trace& a, const Trace& b, const std::vector<std::pair<std::size_t, std::size_t>>& rows,
                                  const std::function<bool(std::string_view name)>& wanted = {});

/// Those that differ, the largest in proportion to the field's spread first.
std::vector<Deviation> ranked(std::vector<Deviation> all);

}  // namespace simbatch::trace
