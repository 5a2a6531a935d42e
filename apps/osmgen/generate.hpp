#pragma once
/// osmgen without a subcommand: put houses and trees along the roads of a map; with --remove: take them out again.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/common/cli.hpp"
#include "lib/town/generate.hpp"

namespace simbatch::osmgen {

struct GenerateOptions {
  std::string input, output = "-";
  std::string setup, houses;
  town::GenerateOptions generate;
  bool remove = false;
  std::string preview, geojson, report;
  unsigned jobs = 0;  ///< threads that place; 0: one per processor, at most kMostJobs
  cli::Common common;
};

inline constexpr unsigned kMostJobs = 64;

void add_options(CLI::App& app, GenerateOptions& options);
/// What is wrong with the options together, or nothing: asked before any file is opened.
std::optional<std::string> wrong_usage(const GenerateOptions& options);
cli::ExitCode generate(const GenerateOptions& options);

}  // namespace simbatch::osmgen
