#pragma once
/// The subcommands of objconv. Each declares its options beside its code; a new one is a function here and a line in main.cpp.

#include <functional>

#include "apps/common/cli.hpp"

namespace CLI {
class App;
}

namespace simbatch::objconv {

/// What all subcommands share.
struct Program {
  cli::Common common;
  std::function<cli::ExitCode()> action;  ///< set by the chosen subcommand
};

void add_files(CLI::App& app, Program& program);     // check, info, fmt
void add_versions(CLI::App& app, Program& program);  // v1-to-v2, v2-to-v1
void add_rndf(CLI::App& app, Program& program);      // rndf, mdf
void add_maps(CLI::App& app, Program& program);      // resolve, to-geojson, to-kml, to-svg, to-scenario, to-sdf
void add_convert(CLI::App& app, Program& program);   // convert
void add_body(CLI::App& app, Program& program);      // body set
void add_pose(CLI::App& app, Program& program);      // pose
void add_render(CLI::App& app, Program& program);    // render

}  // namespace simbatch::objconv
