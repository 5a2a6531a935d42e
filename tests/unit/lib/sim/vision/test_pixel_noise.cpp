// Noise of a camera's pixels: its statistics, and that pictures are functions of the moment alone.

#include "lib/sim/vision/pixel_noise.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "lib/sim/vision/cameras.hpp"
#include "tests/unit/lib/sim/device/rig.hpp"

using namespace simbatch;
using namespace simbatch::sim;
using namespace simbatch::sim::vision;

namespace {

using Pixels = std::vector<std::uint32_t>;

std::vector<int> channels(const Pixels& pixels) {
  std::vector<int> all;
  for (const std::uint32_t p : pixels)
    for (const int shift : {0, 8, 16}) all.push_back(static_cast<int>(p >> shift & 255));
  return all;
}

/// Mean and standard deviation of what was added to a gray picture, as shares of the full value.
struct Statistics {
  double mean = 0, deviation = 0;
};
Statistics added(const std::vector<NoiseSpec>& sources) {
  Pixels pixels(64 * 1024, 0xff808080u);
  add_noise({1, "r.part.eye", sources, 7}, pixels);
  double sum = 0, squares = 0;
  const std::vector<int> all = channels(pixels);
  for (const int c : all) {
    const double share = (c - 128) / 255.0;
    sum += share;
    squares += share * share;
  }
  const double n = static_cast<double>(all.size()), mean = sum / n;
  return {mean, std::sqrt(squares / n - mean * mean)};
}

/// A part over a ground, with a camera; it falls, if there is gravity.
struct Falling {
  Rig rig;
  DeviceNode* eye = nullptr;

  Falling(std::vector<NoiseSpec> noise, Sampling sampling = {}, double gravity = 9.81)
      : rig(rig_settings(1.0 / 240, {0, -gravity, 0})) {
    rig.simulation.world().add_terrain(physics::HeightGrid{2, 2, 400, -200, -200, {-3, -3, -3, -3}});
    eye = rig.devices->add_camera(rig.part, {"eye", {}, {}}, {{0, 0, 1}, {}}, rig.problems);
    auto cameras =
        std::make_unique<Cameras>(rig.simulation, std::vector<ImagingCamera>{{eye, 1.0, 40, 30, sampling, std::move(noise)}},
                                  scene::Appearance{}, std::make_shared<EmbreeDevice>());
    rig.simulation.set_images(cameras.get());
    rig.simulation.add(std::move(cameras));
    rig.simulation.start();
  }
  Pixels picture() {
    Pixels pixels(40 * 30);
    rig.simulation.images()->render(*eye, pixels);
    return pixels;
  }
};

const std::vector<NoiseSpec> kGaussian{{NoiseKind::gaussian, 0, 0.05}};

}  // namespace

TEST_CASE("pixel noise: mean and deviation are those of the sources") {
  const Statistics uniform = added({{NoiseKind::white, 0.1, 0.2}});
  CHECK(uniform.mean == doctest::Approx(0.1).epsilon(0.01));
  CHECK(uniform.deviation == doctest::Approx(0.2 / std::sqrt(3.0)).epsilon(0.01));
  const Statistics normal = added(kGaussian);
  CHECK(std::abs(normal.mean) < 0.001);
  CHECK(normal.deviation == doctest::Approx(0.05).epsilon(0.01));
  const Statistics both = added({{NoiseKind::white, 0.1, 0.2}, {NoiseKind::gaussian, 0, 0.05}});
  CHECK(both.deviation == doctest::Approx(std::hypot(uniform.deviation, 0.05)).epsilon(0.01));
}

TEST_CASE("pixel noise: channels are independent, keep within 0..255, and alpha stays") {
  Pixels pixels{0xff000000u, 0xffffffffu, 0x12808080u};
  pixels.resize(3000, 0xff808080u);
  add_noise({1, "eye", {{NoiseKind::gaussian, 0, 1}}, 0}, pixels);
  CHECK((pixels[2] >> 24) == 0x12);
  int low = 0, high = 0;
  double together = 0;
  for (const std::uint32_t p : pixels) {
    for (const int c : channels({p})) {
      low += c == 0;
      high += c == 255;
    }
    together += ((p & 255) > 128 ? 1 : -1) * ((p >> 8 & 255) > 128 ? 1 : -1);
  }
  CHECK(low > 2000);  // most of 9000 values are beyond the ends
  CHECK(high > 2000);
  CHECK(std::abs(together) < 4 * std::sqrt(3000.0));
}

TEST_CASE(
    "pixel noise: a picture is the same whenever it is drawn, another one at each step, and another one with another seed") {
  Falling noisy(kGaussian), still({});
  const Pixels first = noisy.picture();
  CHECK(noisy.picture() == first);
  const Pixels clean = still.picture();
  CHECK(first != clean);
  double squares = 0;
  const std::vector<int> a = channels(first), b = channels(clean);
  for (std::size_t i = 0; i < a.size(); ++i) squares += (a[i] - b[i]) * (a[i] - b[i]) / (255.0 * 255.0);
  CHECK(std::sqrt(squares / static_cast<double>(a.size())) == doctest::Approx(0.05).epsilon(0.1));

  Falling unseen(kGaussian);
  noisy.rig.steps(20);
  (void)noisy.picture();
  noisy.rig.steps(20);
  unseen.rig.steps(40);
  CHECK(noisy.picture() == unseen.picture());  // however often it was looked at
  CHECK(noisy.rig.simulation.state_hash() == unseen.rig.simulation.state_hash());

  Pixels one(100, 0xff808080u), other = one, later = one;
  add_noise({1, "eye", kGaussian, 3}, one);
  add_noise({2, "eye", kGaussian, 3}, other);
  add_noise({1, "eye", kGaussian, 4}, later);
  CHECK(one != other);
  CHECK(one != later);
}

TEST_CASE("pixel noise: between the samples of a camera with a rate the picture stays, noise included") {
  Falling sampled(kGaussian, {60, 0}, 0);  // every fourth step; nothing moves, so that only noise changes
  sampled.rig.steps(4);
  const Pixels at_sample = sampled.picture();
  sampled.rig.steps(3);
  CHECK(sampled.picture() == at_sample);
  sampled.rig.steps(1);
  CHECK(sampled.picture() != at_sample);
}
