#pragma once
/// osmgen without a subcommand: put houses and trees along the roads of a map; with --remove: take them out again.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/common/cli.hpp"

namespace simbatch::osmgen {

struct GenerateOptions {
  std::string input, output = "-";
  std::string setup, houses;
  double street_distance = 12;
  std::optional<double> front_distance;
  double house_distance = 6;
  double clearance = 0.5;
  std::optional<double> forest_inside;
  bool clip_to_bounds = false;
  bool keep = false;
  bool remove = false;
  bool over_tunnels = false;
  bool ignore_paths = false;
  std::vector<std::string> not_along;
  std::optional<std::int64_t> positive_ids_from;
  std::string preview, geojson, report;
  unsigned jobs = 0;  ///< threads that place; 0: one a processor, at most kMostJobs
  cli::Common common;
};

inline constexpr unsigned kMostJobs = 64;

void add_options(CLI::App& app, GenerateOptions& options);
/// What is wrong with the options together, or nothing: asked before any file is opened.
std::optional<std::string> wrong_usage(const GenerateOptions& options);
cli::ExitCode generate(const GenerateOptions& options);

}  // namespace simbatch::osmgen
