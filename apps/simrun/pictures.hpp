#pragma once
/// Pictures of cameras as PNG files.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/simrun/simrun.hpp"
#include "lib/sim/vision/cameras.hpp"

namespace simbatch::simrun {

/// Renders a view as the bytes of a PNG file; empty if interrupted. @param progress  called with rows done and total rows
std::string png_of(sim::vision::Renderer& renderer, const sim::vision::View& view,
                   const std::function<void(int, int)>& progress = {});

/// Names of all cameras with at most six of them, for a message: "a.b.c, d.e.f".
std::string known_cameras(const sim::vision::Cameras& cameras);

/// A device's name as a single file name inside a folder: "/", "%", control characters and a leading dot become %XX.
std::string file_name_of(std::string_view name);

/// --frames
struct FrameOptions {
  std::string folder;                ///< empty: none
  std::vector<std::string> cameras;  ///< patterns; empty: all
  std::int64_t every = 1;            ///< steps from picture to picture
};

/// --frames: pictures of selected cameras every k steps, as robot.part.camera-000120.png.
class Frames {
 public:
  /// Reports simrun-camera if a pattern matches no camera.
  Frames(sim::vision::Cameras& cameras, const FrameOptions& options, cli::Reporter& reporter, const std::string& scenario);
  /// After step number `step` (0: the start). @throws IoError
  void capture(std::int64_t step);

 private:
  sim::vision::Cameras& cameras_;
  const FrameOptions& options_;
  std::vector<const sim::TreeNode*> chosen_;
};

}  // namespace simbatch::simrun
