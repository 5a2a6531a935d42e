// Camera pictures as PNG files.

#include "apps/simrun/pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "apps/common/signals.hpp"
#include "apps/simrun/codes.hpp"
#include "base/core/atomic_file.hpp"
#include "base/image/png.hpp"

namespace simbatch::simrun {

std::string png_of(sim::vision::Renderer& renderer, const sim::vision::View& view,
                   const std::function<void(int, int)>& progress) {
  const auto width = static_cast<std::size_t>(view.width), height = static_cast<std::size_t>(view.height);
  std::vector<std::uint32_t> pixels(width * height);
  const bool is_whole = renderer.draw(view, pixels, [&](int done, int rows) {
    if (progress) progress(done, rows);
    return !cli::interrupted();
  });
  if (!is_whole) return {};
  return image::to_png(image::image_of(view.width, view.height, pixels));
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

std::string file_name_of(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool unsafe = c == '/' || c == '%' || byte < 0x20 || byte == 0x7F || (c == '.' && out.empty());
    if (unsafe)
      out += fmt::format("%{:02X}", byte);
    else
      out += c;
  }
  return out;
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
    std::filesystem::create_directories(options.folder, error);  // errors appear when the first picture is written
  }
}

void Frames::capture(std::int64_t step) {
  if (step % options_.every != 0) return;
  for (const sim::TreeNode* camera : chosen_) {
    const std::string png = png_of(cameras_.renderer(), *cameras_.view_of(*camera));
    if (png.empty()) return;  // interrupted: the run ends with the next step
    write_file(
        (std::filesystem::path(options_.folder) / fmt::format("{}-{:06}.png", file_name_of(camera->name()), step)).string(),
        png);
  }
}

}  // namespace simbatch::simrun
