#pragma once
/// A progress bar on standard error.

#include <cstdint>
#include <memory>
#include <string>

#include "apps/common/options.hpp"

namespace simbatch::cli {

/// Shown only on a terminal and after 0.2 s (with --progress always: at once), never with --diagnostics json or -q.
class Progress {
 public:
  /// @param total  number of units of work; 0 = unknown
  Progress(const CommonOptions& common, std::string label, std::uint64_t total);
  ~Progress();
  void update(std::uint64_t done);  ///< cheap: draws at most ten times a second
  void label(std::string text);     ///< shown from the next update() on
  void finish();                    ///< removes the bar

 private:
  struct State;
  std::unique_ptr<State> state_;  // empty when nothing is to be drawn
};

}  // namespace simbatch::cli
