#pragma once
/// Frames of an SDF model or world, by name. Internal to this room.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "formats/sdf/read.hpp"
#include "lib/robots/model.hpp"

namespace simbatch::robots::detail {

/// Begins the names of frames that merged models leave behind.
inline const std::string kMergedPrefix = "_merged__";

/// A model (or the world) with its nested and included ones. Poses are in its own frame.
class SdfScope {
 public:
  std::string name, file;
  Position place;
  sdf::file::Placement pose;  ///< in the scope around it
  std::string placement_frame, canonical_link;
  bool is_world = false, is_static = false, self_collide = false;
  std::vector<sdf::file::Link> links;
  std::vector<sdf::file::Joint> joints;
  std::vector<sdf::file::Frame> frames;
  std::vector<std::unique_ptr<SdfScope>> nested;
  std::map<std::string, std::string> files;  ///< of links and joints of merged models, by name

  /// A link of this model itself, or null.
  const sdf::file::Link* link(const std::string& wanted);
  /// The file that a link or joint is from.
  const std::string& file_of(const std::string& part) const;
  /// Takes over what is in a model that is included with merge="true", which is placed in this one. Its own frame becomes one of the
  /// name "_merged__NAME__model__". Reports names that are in use, at `at`.
  void merge(SdfScope& inner, Position at, Diagnostics& problems);

  /// The pose of a link, frame, joint or nested model, "a::b" in nested ones. If there is none, or if frames depend on each
  /// other, that is reported at `at`, and the result is empty.
  std::optional<Pose> pose_of(const std::string& wanted, Position at, Diagnostics& problems);
  /// The pose of a nested model in this one.
  std::optional<Pose> pose_of(SdfScope& scope, Diagnostics& problems);
  /// The pose of a joint.
  std::optional<Pose> pose_of(const sdf::file::Joint& joint, Diagnostics& problems);
  /// The link that a name refers to, prefixed with the names of the nested models: "arm::hand". Empty: the world, or an error
  /// that was reported.
  std::optional<std::string> link_of(const std::string& wanted, Position at, Diagnostics& problems, int depth = 0);

 private:
  struct Found {
    bool open = true;  ///< being resolved: a reference to it would be circular
    std::optional<Pose> pose;
  };
  std::optional<Pose> find(const std::string& wanted, Position at, Diagnostics& problems);
  std::optional<Pose> placed(const sdf::file::Placement& placement, const std::string& otherwise, Diagnostics& problems);
  std::optional<Pose> nested_pose(const std::string& path, Position at, Diagnostics& problems);
  void report(Position at, std::string message, Diagnostics& problems) const;
  bool has(const std::string& wanted);
  void index();
  template <class T>
  const T* named(const std::vector<T>& all, const std::map<std::string, std::size_t>& by, const std::string& wanted) const {
    const auto found = by.find(wanted);
    return found == by.end() ? nullptr : &all[found->second];
  }
  SdfScope* inner(const std::string& wanted);
  bool is_indexed_ = false;
  std::map<std::string, std::size_t> links_, joints_, frames_, nested_;
  std::map<std::string, Found> found_;
  int depth_ = 0;  // of frames that are being resolved
};

}  // namespace simbatch::robots::detail
