#include "lib/sim/vision/cameras.hpp"

#include "lib/sim/vision/pixel_noise.hpp"

namespace simbatch::sim::vision {

using namespace scene;

Cameras::Cameras(const Simulation& simulation, std::vector<ImagingCamera> cameras, Appearance appearance,
                 std::shared_ptr<EmbreeDevice> device)
    : simulation_(simulation),
      cameras_(std::move(cameras)),
      samples_(cameras_.size()),
      renderer_(simulation, std::move(appearance), std::move(device)) {
  const double dt = simulation.settings().physics.dt;
  for (std::size_t i = 0; i < cameras_.size(); ++i)
    if (const Sampling& s = cameras_[i].sampling; s.rate > 0 || s.latency > 0)
      samples_[i] = Samples{SampleClock(s.rate, dt), delay_steps(s, dt), {}, nullptr};
}
Cameras::~Cameras() = default;

std::optional<View> Cameras::view_of(const TreeNode& camera) const {
  for (std::size_t i = 0; i < cameras_.size(); ++i) {
    const ImagingCamera& look = cameras_[i];
    if (look.node != &camera) continue;
    const auto v = camera.values();
    View view;
    view.pose = {{v[0], v[1], v[2]}, {v[3], v[4], v[5], v[6]}};
    view.field_of_view = look.field_of_view;
    view.width = look.width;
    view.height = look.height;
    if (samples_[i]) view.moment = samples_[i]->shown;
    if (!look.noise.empty()) {
      const std::int64_t step = view.moment ? view.moment->step() : simulation_.clock().step;
      view.noise = std::make_shared<PixelNoise>(PixelNoise{simulation_.settings().seed, camera.name(), look.noise, step});
    }
    return view;
  }
  return std::nullopt;
}

std::optional<ImageSize> Cameras::image_size(const TreeNode& camera) const {
  const auto view = view_of(camera);
  return view ? std::optional(ImageSize{view->width, view->height}) : std::nullopt;
}

// The current moment, for all cameras that take a sample of it; in memory of a sample that is no longer shown, if there is one.
std::shared_ptr<const Moment> Cameras::now() {
  if (moments_.empty() || moments_[next_moment_].use_count() > 1)
    moments_.insert(moments_.begin() + static_cast<std::ptrdiff_t>(next_moment_), std::make_shared<Moment>());
  const std::shared_ptr<Moment>& moment = moments_[next_moment_];
  next_moment_ = (next_moment_ + 1) % moments_.size();
  moment->capture(simulation_, renderer_.appearance().lights);
  return moment;
}

void Cameras::start(const Clock&) {
  std::shared_ptr<const Moment> first;
  for (std::optional<Samples>& s : samples_) {
    if (!s) continue;
    if (!first) first = now();
    s->shown = first;
  }
}

void Cameras::after_step(const Clock& clock) {
  std::shared_ptr<const Moment> sample;
  for (std::optional<Samples>& s : samples_) {
    if (!s) continue;
    if (s->clock.due(clock.step)) {
      if (!sample) sample = now();
      s->waiting.push_back({clock.step + s->delay, sample});
    }
    while (!s->waiting.empty() && s->waiting.front().shows <= clock.step) {
      s->shown = std::move(s->waiting.front().moment);
      s->waiting.pop_front();
    }
  }
}

double delayed_numbers(const Simulation& simulation, const ImagingCamera& camera, std::size_t lights) {
  if (!(camera.sampling.rate > 0) && !(camera.sampling.latency > 0)) return 0;
  return most_samples(camera.sampling, simulation.settings().physics.dt) *
         static_cast<double>(Moment::numbers(simulation, lights));
}

void Cameras::render(const TreeNode& camera, std::span<std::uint32_t> pixels) {
  if (const auto view = view_of(camera)) renderer_.draw(*view, pixels);
}

}  // namespace simbatch::sim::vision
