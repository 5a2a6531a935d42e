#pragma once
/// The subcommands of objconv. Each declares its options beside its code; a new one is a function here and a line in main.cpp.

#include "apps/common/command.hpp"

namespace simbatch::objconv {

void add_files(cli::Command& program);     // check, info, fmt
void add_versions(cli::Command& program);  // v1-to-v2, v2-to-v1
void add_rndf(cli::Command& program);      // rndf, mdf
void add_maps(cli::Command& program);      // resolve, to-geojson, to-kml, to-svg, to-scenario, to-sdf
void add_convert(cli::Command& program);   // convert
void add_body(cli::Command& program);      // body set
void add_pose(cli::Command& program);      // pose
void add_render(cli::Command& program);    // render

}  // namespace simbatch::objconv
