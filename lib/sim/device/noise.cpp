// Approximately normal numbers as sums of uniform ones (central limit theorem; thesis, listing 5.4; the classic sum of 12 is in
// Knuth, The Art of Computer Programming 2, section 3.4.1). Sums are integers, so they are exact in any order.

#include "lib/sim/device/noise.hpp"

#include <string>

namespace simbatch::sim {
namespace {

constexpr int kUniforms = 20;                  // thesis, listing 5.4
constexpr double kScale = 0.7745966692414834;  // sqrt(12 / 20), so that the sum's variance of 20 / 12 becomes 1

double draw(const NoiseSpec& spec, RandomStream& stream) {
  if (spec.kind == NoiseKind::white) return spec.offset + spec.range * (2.0 * stream.uniform() - 1.0);
  // 32 bits are sufficient for one of twenty summands, and the integer sum is exact in any order.
  const std::uint64_t sum = stream.sum32(kUniforms);
  const double mean = static_cast<double>(kUniforms) / 2.0;
  // Half a unit is added to each summand: uniforms k * 2^-32 have the mean 1/2 - 2^-33.
  const double total = (static_cast<double>(sum) + 0.5 * kUniforms) * 0x1p-32;
  return spec.offset + spec.range * ((total - mean) * kScale);
}

}  // namespace

NoiseGenerator::NoiseGenerator(std::uint64_t seed, std::string_view device, std::span<const NoiseSpec> specs) {
  sources_.reserve(specs.size());
  for (const NoiseSpec& spec : specs)
    sources_.push_back({spec, RandomStream(seed, device, static_cast<std::uint32_t>(sources_.size()))});
}

double NoiseGenerator::next() {
  double sum = 0;
  for (SourceState& source : sources_) sum += draw(source.spec, source.stream);
  return sum;
}

}  // namespace simbatch::sim
