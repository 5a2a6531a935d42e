#pragma once
/// What MCAP files show in 3D: frames, models in them, lines on the ground. A point (x, y, z) of ours is (x, z, y) there.

#include <array>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/trace/mcap_layout.hpp"
#include "formats/trace/write.hpp"

namespace simbatch::trace::detail {

/// The messages of /tf: the poses of a row, then those of the frames that no device gives.
class Transforms {
 public:
  /// Cameras with a pose get an optical frame, in which their pictures are.
  /// @param nodes  must outlive this
  Transforms(const std::vector<PoseNode>& nodes, const McapSights& sights);
  bool empty() const { return nodes_.empty() && frames_.empty(); }
  /// True for "world" and all frames of the messages.
  bool has(std::string_view frame) const { return names_.contains(frame); }
  /// @param parts  becomes where the transforms begin
  void write(std::string& message, std::vector<std::uint32_t>& parts, std::uint64_t time, std::size_t row,
             std::span<const double> numbers);

 private:
  void add(const FrameMotion& frame);

  const std::vector<PoseNode>& nodes_;
  std::vector<std::vector<std::array<double, 7>>> frames_;
  std::vector<std::string> heads_;  // of each transform the fields that never change
  std::set<std::string, std::less<>> names_;
  std::string timestamp_;
};

/// x right, y down, z forward.
std::string optical_frame(std::string_view camera);

/// The message of /scene.
std::string scene_message(std::uint64_t time, const std::vector<SceneModel>& models, const std::vector<PathModel>& paths);

}  // namespace simbatch::trace::detail
