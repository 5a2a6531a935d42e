#pragma once
/// Replay pages of the worst runs of a study.

#include <cstdint>
#include <string>
#include <vector>

#include "lib/study/study.hpp"

namespace simbatch::simrun {

/// Repeats runs, each in a separate process, and writes FOLDER/worst/run17.json (the trace) and run17.html (the replay page).
/// @return the runs without a page  @throws IoError
std::vector<std::int64_t> write_replays(const study::Study& study, const study::StudyOptions& options,
                                        const std::vector<std::int64_t>& runs);

}  // namespace simbatch::simrun
