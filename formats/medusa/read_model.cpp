// A mission as a model: collects what the scanner (read.cpp) finds.

#include "formats/medusa/medusa.hpp"

namespace simbatch::medusa {
namespace {

class Collector : public MissionSink {
 public:
  void version(int v) override {
    mission.version = v;
    has_version = true;
  }
  void reference(const Reference& r) override { mission.reference = r; }
  void origin(const Origin& o) override { mission.origin = o; }
  void formation(const std::vector<Offset>& list, Position, bool is_bias) override {
    std::vector<Offset>& to = is_bias ? mission.bias : mission.formation;
    to.insert(to.end(), list.begin(), list.end());
  }
  void comment(std::string_view text, std::int64_t before) override { mission.comments.push_back({std::string(text), before}); }
  void section(const Section& s, ReaderOutcome) override { mission.sections.push_back(s); }
  Mission mission;
  bool has_version = false;
};

}  // namespace

Parsed<Mission> read_mission(std::string_view text, const std::string& file, const ReadOptions& options) {
  Collector collector;
  Parsed<Mission> result;
  result.diagnostics = scan_mission(text, options, file, collector);
  if (collector.has_version) {
    assign_gammas(collector.mission.sections);
    Mission& m = collector.mission;
    if (m.formation.empty() && m.bias.empty())
      for (Comment& c : m.comments)
        if (c.before == -4) c.before = 0;
    result.value = std::move(m);
  }
  return result;
}

}  // namespace simbatch::medusa
