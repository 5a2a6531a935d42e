// Designs of experiments. Latin hypercube: M. McKay, R. Beckman, W. Conover, Technometrics 21 (1979). Sobol' sequence:
// direction numbers of S. Joe and F. Kuo, SIAM J. Sci. Comput. 30 (2008), file new-joe-kuo-6.21201, in natural order (no Gray
// code, so that a point depends only on its index), with a digital shift.

#include <algorithm>
#include <array>
#include <cmath>

#include "base/core/number.hpp"
#include "base/core/random.hpp"
#include "lib/study/study.hpp"

namespace simbatch::study {
namespace {

struct Direction {
  unsigned degree, coefficients;
  std::array<std::uint32_t, 5> first;
};
// For dimensions 2 to 13; the first uses the identity.
constexpr Direction kDirections[kMaxSobolParameters - 1] = {{1, 0, {1}},
                                                            {2, 1, {1, 3}},
                                                            {3, 1, {1, 3, 1}},
                                                            {3, 2, {1, 1, 1}},
                                                            {4, 1, {1, 1, 3, 3}},
                                                            {4, 4, {1, 3, 5, 13}},
                                                            {5, 2, {1, 1, 5, 5, 17}},
                                                            {5, 4, {1, 1, 5, 5, 5}},
                                                            {5, 7, {1, 1, 7, 11, 19}},
                                                            {5, 11, {1, 1, 5, 1, 1}},
                                                            {5, 13, {1, 1, 1, 3, 11}},
                                                            {5, 14, {1, 3, 5, 5, 31}}};
constexpr unsigned kBits = 32;

/// Bits of a point's coordinate, most significant first.
std::uint32_t sobol_bits(std::size_t dimension, std::uint32_t index) {
  std::array<std::uint32_t, kBits> v{};
  for (unsigned i = 0; i < kBits; ++i) v[i] = std::uint32_t{1} << (kBits - 1 - i);
  if (dimension > 0) {
    const Direction& d = kDirections[dimension - 1];
    for (unsigned i = 0; i < d.degree; ++i) v[i] = d.first[i] << (kBits - 1 - i);
    for (unsigned i = d.degree; i < kBits; ++i) {
      v[i] = v[i - d.degree] ^ (v[i - d.degree] >> d.degree);
      for (unsigned k = 1; k < d.degree; ++k)
        if ((d.coefficients >> (d.degree - 1 - k) & 1) != 0) v[i] ^= v[i - k];
    }
  }
  std::uint32_t bits = 0;
  for (unsigned i = 0; i < kBits; ++i)
    if ((index >> i & 1) != 0) bits ^= v[i];
  return bits;
}

/// Position of `run` in a random permutation of 0 to n - 1: four rounds of a Feistel network over the next power of four,
/// repeated until the result is below n (cycle walking; J. Black, P. Rogaway, Ciphers with arbitrary finite domains, CT-RSA
/// 2002), so that no list of n elements is needed.
std::int64_t shuffled(std::int64_t run, std::int64_t n, std::uint64_t seed, const std::string& name) {
  unsigned half = 1;
  while ((std::int64_t{1} << (2 * half)) < n) ++half;
  const std::uint32_t mask = (std::uint32_t{1} << half) - 1;
  const RandomStream keys(seed, name + "#order");
  std::array<std::uint32_t, 4> round_keys{};
  RandomStream stream = keys;
  for (std::uint32_t& key : round_keys) key = stream.next32();
  auto value = static_cast<std::uint64_t>(run);
  do {
    auto left = static_cast<std::uint32_t>(value >> half), right = static_cast<std::uint32_t>(value) & mask;
    for (const std::uint32_t key : round_keys) {
      const std::uint32_t mixed = philox4x32({right, 0, 0, 0}, {key, static_cast<std::uint32_t>(seed)})[0] & mask;
      left = std::exchange(right, left ^ mixed);
    }
    value = std::uint64_t{left} << half | right;
  } while (value >= static_cast<std::uint64_t>(n));
  return static_cast<std::int64_t>(value);
}

/// Number of values of a parameter in a grid.
std::int64_t grid_size(const Parameter& parameter) {
  return parameter.values.empty() ? parameter.steps : static_cast<std::int64_t>(parameter.values.size());
}

/// @param share  fraction of the range from low to high or of the list, 0..1
double value_at(const Parameter& parameter, double share) {
  double value = 0;
  if (!parameter.values.empty()) {
    const auto size = static_cast<double>(parameter.values.size());
    return parameter.values[static_cast<std::size_t>(std::min(std::floor(share * size), size - 1))];
  }
  if (share == 0 || share == 1)  // exactly, which exp(log(x)) is not
    value = share == 0 ? parameter.low : parameter.high;
  else if (parameter.scale == Parameter::Scale::log)
    value = std::exp(std::log(parameter.low) + share * (std::log(parameter.high) - std::log(parameter.low)));
  else
    value = parameter.low + share * (parameter.high - parameter.low);
  value = std::clamp(value, parameter.low, parameter.high);
  return parameter.whole ? std::round(value) : value;
}

}  // namespace

std::string value_text(const Parameter& parameter, double value) {
  if (!parameter.choices.empty()) return parameter.choices.at(static_cast<std::size_t>(value));
  // A seed of a billion is 1000000000: whoever reads a whole number, such as --seed, does not read 1e+09.
  constexpr double kExact = 9007199254740992;  // 2^53: below it every whole number is a double of its own
  if (std::abs(value) < kExact && std::trunc(value) == value && !(value == 0 && std::signbit(value)))
    return number_text(static_cast<std::int64_t>(value));
  return number_text(value);
}

std::int64_t run_count(const Study& study) {
  if (study.design == DesignKind::table) return static_cast<std::int64_t>(study.rows.size());
  if (study.design != DesignKind::grid) return study.runs;
  std::int64_t count = 1;
  for (const Parameter& parameter : study.parameters) count *= grid_size(parameter);
  return count;
}

std::vector<double> values_of(const Study& study, std::int64_t run) {
  if (study.design == DesignKind::table) return study.rows[static_cast<std::size_t>(run)];
  std::vector<double> values(study.parameters.size());
  std::int64_t rest = run;
  for (std::size_t i = study.parameters.size(); i-- > 0;) {
    const Parameter& parameter = study.parameters[i];
    RandomStream draw(study.seed, parameter.name, static_cast<std::uint32_t>(run));
    double share = 0;
    switch (study.design) {
      case DesignKind::grid: {
        const std::int64_t size = grid_size(parameter), place = rest % size;
        rest /= size;
        values[i] = parameter.values.empty()
                        ? value_at(parameter, size > 1 ? static_cast<double>(place) / static_cast<double>(size - 1) : 0)
                        : parameter.values[static_cast<std::size_t>(place)];
        continue;
      }
      case DesignKind::table: break;
      case DesignKind::random: share = draw.uniform(); break;
      case DesignKind::latin:
        share = (static_cast<double>(shuffled(run, study.runs, study.seed, parameter.name)) + draw.uniform()) /
                static_cast<double>(study.runs);
        break;
      case DesignKind::sobol: {
        const std::uint32_t shift = RandomStream(study.seed, parameter.name + "#shift").next32();
        share = static_cast<double>(sobol_bits(i, static_cast<std::uint32_t>(run)) ^ shift) * 0x1p-32;
        break;
      }
    }
    values[i] = value_at(parameter, share);
  }
  return values;
}

}  // namespace simbatch::study
