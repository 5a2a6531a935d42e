#pragma once
/// Comparison of two traces.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formats/trace/trace.hpp"

namespace simbatch::trace {

/// One value that differs.
struct Difference {
  std::int64_t step = 0;
  double time = 0;  ///< s
  std::string device, field;
  std::string a, b;  ///< the values, as in the traces
  double size = 0;   ///< |a - b| of numbers; of directions the shorter way round
};

/// All differences of one field.
struct FieldDifferences {
  std::string device, field;
  std::int64_t first_step = 0;
  std::int64_t count = 0;  ///< rows
  double largest = 0;      ///< Difference::size
};

struct Comparison {
  /// Differences of the headers, which may explain others, one line each: seed, engine, mathematics, inputs, ...
  std::vector<std::string> headers;
  std::vector<std::string> only_a, only_b;  ///< names of devices or fields that one of them lacks
  std::optional<Difference> first;          ///< smallest step, then the order of a's columns
  std::vector<FieldDifferences> fields;     ///< those that differ, in the order of a's columns
  std::int64_t differing_values = 0;        ///< in all rows that both have
  std::int64_t rows = 0;                    ///< that both have
  std::int64_t rows_only_a = 0, rows_only_b = 0;
  std::optional<std::int64_t> first_hash;  ///< first step of which both have a hash that differs
  std::string ends;                        ///< how the ends differ; empty if they do not

  /// True if the recorded runs are the same. Headers do not count.
  bool equal() const {
    return !first && only_a.empty() && only_b.empty() && rows_only_a == 0 && rows_only_b == 0 && !first_hash && ends.empty();
  }
};

/// @param tolerance  numbers differing by at most this are equal; 0: the same double, -0 equal to 0 Cost: O(values), in the
/// order of columns.
Comparison compare(const Trace& a, const Trace& b, double tolerance = 0);

}  // namespace simbatch::trace
