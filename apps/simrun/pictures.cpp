// simrun --frames and simrun snapshot: what cameras see, as PNG files.

#include "apps/simrun/pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "apps/simrun/codes.hpp"
#include "base/core/atomic_file.hpp"
#include "base/core/number.hpp"
#include "base/image/png.hpp"
#include "lib/sim/record/run.hpp"

namespace simbatch::simrun {

using cli::ExitCode;
using sim::vision::View;

std::string png_of(sim::vision::Renderer& renderer, const View& view) {
  const auto width = static_cast<std::size_t>(view.width), height = static_cast<std::size_t>(view.height);
  std::vector<std::uint32_t> pixels(width * height);
  renderer.draw(view, pixels);
  image::Image image{view.width, view.height, {}};
  image.rgb.reserve(3 * pixels.size());
  for (const std::uint32_t p : pixels)
    for (const int shift : {0, 8, 16}) image.rgb.push_back(static_cast<std::uint8_t>(p >> shift));
  return image::to_png(image);
}

std::optional<std::pair<int, int>> size_of(const std::string& text) {
  const std::size_t x = text.find('x');
  if (x == std::string::npos) return std::nullopt;
  const auto width = parse_integer<int>(std::string_view(text).substr(0, x)),
             height = parse_integer<int>(std::string_view(text).substr(x + 1));
  if (!width || !height || width.value < 1 || height.value < 1 || width.value > 8192 || height.value > 8192)
    return std::nullopt;
  return std::pair(width.value, height.value);
}

std::optional<geo::Vec3> place_of(const std::string& text) {
  const std::size_t a = text.find(','), b = a == std::string::npos ? a : text.find(',', a + 1);
  if (b == std::string::npos) return std::nullopt;
  const std::string_view view(text);
  const auto x = parse_double(view.substr(0, a)), y = parse_double(view.substr(a + 1, b - a - 1)),
             z = parse_double(view.substr(b + 1));
  if (!x || !y || !z || !(std::abs(x.value) < 1e7) || !(std::abs(y.value) < 1e7) || !(std::abs(z.value) < 1e7))
    return std::nullopt;
  return geo::Vec3{x.value, y.value, z.value};
}

std::string known_cameras(const sim::vision::Cameras& cameras) {
  std::string names;
  std::size_t n = 0;
  for (const auto& camera : cameras.cameras()) {
    if (n++ == 6) return names + ", ...";
    names += (names.empty() ? "" : ", ") + camera.node->name();
  }
  return names.empty() ? "there is none" : names;
}

Frames::Frames(sim::vision::Cameras& cameras, const FrameOptions& options, cli::Reporter& reporter, const std::string& scenario)
    : cameras_(cameras), options_(options) {
  Diagnostics problems(scenario);
  const std::vector<std::string> all{"*"};
  for (const std::string& pattern : options.cameras.empty() ? all : options.cameras) {
    bool found = false;
    for (const auto& camera : cameras.cameras()) {
      if (!sim::glob_matches(pattern, camera.node->name())) continue;
      found = true;
      if (std::find(chosen_.begin(), chosen_.end(), camera.node) == chosen_.end()) chosen_.push_back(camera.node);
    }
    if (!found)
      problems.report(code::kCamera, {},
                      "no camera matches " + simbatch::quoted(pattern) + "; cameras: " + known_cameras(cameras));
  }
  reporter.show(std::move(problems));
  if (!chosen_.empty()) {
    std::error_code error;
    std::filesystem::create_directories(options.folder, error);  // what is wrong shows when the first picture is written
  }
}

void Frames::look(std::int64_t step) {
  if (step % options_.every != 0) return;
  for (const sim::TreeNode* camera : chosen_)
    write_file((std::filesystem::path(options_.folder) / fmt::format("{}-{:06}.png", camera->name(), step)).string(),
               png_of(cameras_.renderer(), *cameras_.view_of(*camera)));
}

ExitCode snapshot(const cli::Common& common, const SnapshotOptions& options) {
  cli::Reporter reporter(common);
  ExitCode exit = ExitCode::ok;
  sim::BuildOptions how{
      .dt = options.dt, .seed = options.seed, .root = options.root, .graspit_root = options.graspit_root, .rndf = options.rndf};
  apply(common, options.programs, how);
  const auto built = build(reporter, options.scenario, how, exit);
  if (!built) return reporter.finish(exit);
  sim::Simulation& simulation = *built->simulation;
  const sim::TreeNode* camera = nullptr;
  if (options.from.empty()) {
    for (const auto& look : built->cameras->cameras())
      if (camera == nullptr && (options.camera.empty() || sim::glob_matches(options.camera, look.node->name())))
        camera = look.node;
    if (camera == nullptr) {
      Diagnostics problems(options.scenario);
      problems.report(code::kCamera, {},
                      (options.camera.empty() ? "no camera: say --from and --to"
                                              : "no camera matches " + simbatch::quoted(options.camera)) +
                          "; cameras: " + known_cameras(*built->cameras));
      reporter.show(std::move(problems));
      return reporter.finish();
    }
  }
  cli::handle_interrupts_by_polling();
  cli::Progress progress(common, "simulating", static_cast<std::uint64_t>(options.at));
  const trace::End end =
      sim::run_simulation(simulation, {options.at, std::max<std::int64_t>(options.at, 1), 0}, {}, [&](std::int64_t done) {
        progress.update(static_cast<std::uint64_t>(done));
        return !cli::interrupted();
      });
  progress.finish();
  if (built->programs != nullptr) reporter.show(built->programs->warnings());
  if (simulation.failure()) reporter.show(failure_diagnostics(simulation, options.scenario));
  if (end.outcome == "interrupted") return reporter.finish(ExitCode::interrupted);
  if (reporter.failed()) return reporter.finish();

  View view;
  view.field_of_view = geo::radians(60);
  view.width = 640;
  view.height = 480;
  if (camera != nullptr)
    view = *built->cameras->view_of(*camera);
  else
    view.pose = sim::vision::looking_at(*place_of(options.from), *place_of(options.to));  // main.cpp has checked them
  if (options.field_of_view) view.field_of_view = geo::radians(*options.field_of_view);
  if (!options.size.empty()) std::tie(view.width, view.height) = *size_of(options.size);
  view.samples = options.samples;
  view.daylight = options.daylight;
  const std::string png = png_of(built->cameras->renderer(), view);
  reporter.show(built->cameras->renderer().problems());
  if (!reporter.failed()) write_file(options.output, png);
  return reporter.finish();
}

}  // namespace simbatch::simrun
