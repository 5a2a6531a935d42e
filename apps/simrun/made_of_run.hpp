#pragma once
/// --trace FILE.glb and FILE.gpx: what `simrun convert` makes of a run's trace, made by the run itself.

#include <memory>
#include <string>
#include <vector>

#include "apps/simrun/simrun.hpp"
#include "formats/trace/write.hpp"

namespace simbatch::simrun {

/// True if the file is one of these.
bool is_made_of_run(const std::string& path);

/// The nodes that the writer wants in its rows. @param nodes  that a trace would have
std::vector<const sim::TreeNode*> nodes_made_of(const std::string& path, std::vector<const sim::TreeNode*> nodes);

/// Keeps its rows in memory; finish() writes the file, whole or not at all, and reports what is wrong with it. Without a GPS
/// device tracks are refused at once (view-no-gps).
/// @param header  of the trace, with the nodes of nodes_made_of(); scenario and reporter must outlive the writer
std::unique_ptr<trace::Writer> make_run_writer(const std::string& path, const scenario::BuiltScenario& built,
                                               trace::Header header, cli::Reporter& reporter);

}  // namespace simbatch::simrun
