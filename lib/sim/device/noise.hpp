#pragma once
/// Noise of devices (thesis 5.3). Every noise has an offset and a range; a device may have any number of them, whose
/// values are summed and added to the signal.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/core/random.hpp"

namespace simbatch::sim {

enum class NoiseKind {
  /// WhiteNoise: uniform in [offset - range, offset + range). Mean offset, standard deviation range / sqrt(3).
  white,
  /// WhiteGaussianNoise: offset + range * z, where z is the sum of 20 uniforms of [0, 1), less 10, times sqrt(12 / 20):
  /// mean 0, standard deviation 1, |z| < 10 * sqrt(0.6) = 7.75 (central limit theorem).
  ///
  /// The thesis' listing 5.4 also divides the sum by N = 20 and never uses the range, which gives a standard deviation of 1/20
  /// for every file. A file with a range cannot intend that, so `range` is the standard deviation here, without the factor
  /// 1/20.
  gaussian,
};

struct NoiseSpec {
  NoiseKind kind = NoiseKind::white;
  double offset = 0;  ///< in the unit of the device's value
  double range = 0;   ///< same unit
};

/// All noise sources of one device. Each draws from its own stream, RandomStream(seed, device, index): adding a device or a
/// later source does not change the numbers of other sources.
class NoiseGenerator {
 public:
  NoiseGenerator() = default;
  /// @param device  fully qualified name
  /// @param specs   in the file's order
  NoiseGenerator(std::uint64_t seed, std::string_view device, std::span<const NoiseSpec> specs);

  bool empty() const { return sources_.empty(); }
  /// Draws once from each source and returns the sum, added in the file's order. 0 without sources.
  double next();

 private:
  struct SourceState {
    NoiseSpec spec;
    RandomStream stream;
  };
  std::vector<SourceState> sources_;
};

}  // namespace simbatch::sim
