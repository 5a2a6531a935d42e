#include "apps/simrun/made_of_run.hpp"

#include <algorithm>
#include <utility>

#include "apps/common/reporter.hpp"
#include "apps/simrun/options.hpp"
#include "base/core/atomic_file.hpp"
#include "formats/gpx/gpx.hpp"
#include "formats/trace/collect.hpp"
#include "lib/sim/tree/tree.hpp"
#include "lib/view/gps_tracks.hpp"
#include "lib/view/scene_recorder.hpp"

namespace simbatch::simrun {
namespace {

class SceneWriter final : public trace::Writer {
 public:
  SceneWriter(std::string path, const scenario::BuiltScenario& built, cli::Reporter& reporter)
      : path_(std::move(path)), reporter_(reporter), recorder_(built), file_(path_) {}
  void row(std::int64_t step, std::span<const double>, std::span<const std::string_view>) override { recorder_.record(step); }
  void hash(trace::HashPoint) override {}
  void finish(const trace::End&) override {
    Diagnostics problems(path_);
    const std::string glb = recorder_.glb(problems);
    reporter_.show(std::move(problems));
    if (glb.empty()) return;
    file_.write(glb);
    file_.commit();
  }

 private:
  std::string path_;
  cli::Reporter& reporter_;
  view::SceneRecorder recorder_;
  AtomicFile file_;
};

class GpsWriter final : public trace::Writer {
 public:
  GpsWriter(std::string path, trace::Header header, cli::Reporter& reporter)
      : path_(std::move(path)), reporter_(reporter), rows_(std::move(header)), file_(path_) {
    if (rows_.trace().header.devices.empty()) (void)document();
  }
  void row(std::int64_t step, std::span<const double> numbers, std::span<const std::string_view> texts) override {
    rows_.row(step, numbers, texts);
  }
  void hash(trace::HashPoint) override {}
  void finish(const trace::End&) override {
    const gpx::Document tracks = document();
    if (tracks.tracks.empty()) return;
    file_.write(gpx::write_gpx(tracks));
    file_.commit();
  }

 private:
  gpx::Document document() {
    Diagnostics problems(path_);
    gpx::Document made = view::gps_tracks(rows_.trace(), problems);
    reporter_.show(std::move(problems));
    return made;
  }

  std::string path_;
  cli::Reporter& reporter_;
  trace::Collector rows_;
  AtomicFile file_;
};

}  // namespace

bool is_made_of_run(const std::string& path) { return is_scene(path) || is_gps_file(path); }

std::vector<const sim::TreeNode*> nodes_made_of(const std::string& path, std::vector<const sim::TreeNode*> nodes) {
  if (is_scene(path)) return {};
  std::erase_if(nodes, [](const sim::TreeNode* node) { return node->type().kind != "GPSSensor"; });
  return nodes;
}

std::unique_ptr<trace::Writer> make_run_writer(const std::string& path, const scenario::BuiltScenario& built,
                                               trace::Header header, cli::Reporter& reporter) {
  if (is_scene(path)) return std::make_unique<SceneWriter>(path, built, reporter);
  return std::make_unique<GpsWriter>(path, std::move(header), reporter);
}

}  // namespace simbatch::simrun
