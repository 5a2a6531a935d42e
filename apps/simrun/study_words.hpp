#pragma once
/// What `simrun study` reads as its share of the runs, and what it says about them.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lib/study/study.hpp"

namespace simbatch::simrun {

/// --shard: every count-th run, from the index-th on.
struct Shard {
  std::int64_t index = 1, count = 1;
};
/// "2/8": from 1 to the second number; "slurm": of this task of a Slurm array.
std::optional<Shard> read_shard(std::string_view text);

/// A share (0 to 1) as a number of percent.
std::string percent(double share);
/// "8 of 10 runs are done (2 were before): 6 pass, ..."
std::string summary(const study::StudyResult& result);
/// --dry-run: the time and the space that a study will need.
std::string estimate_text(const study::StudyEstimate& estimate, const study::StudyOptions& how);

}  // namespace simbatch::simrun
