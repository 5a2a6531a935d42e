#pragma once
/// What the subcommands for GraspIt! and Inventor files share.

#include "apps/objconv/objconv.hpp"
#include "lib/grasp/load.hpp"

namespace simbatch::objconv {

enum class GraspFile { none, body, body_xml, robot, robot_xml, world, world_xml, sdf };
/// By the name's suffix, and for XML by the root element.
GraspFile grasp_file(std::string_view file_name, std::string_view text);
/// --as, --graspit-root, --bare-unit
grasp::GraspOptions grasp_options(const Session& session);
/// Adds these options to a subcommand.
void add_grasp_options(CLI::App* command, Session& session);
/// Usage error for standard input as the input of a subcommand that looks for further files beside it.
void needs_a_name(const Session& session);
/// Numbers between commas or blanks; usage error otherwise.
std::vector<double> number_list(const std::string& text, const char* option);

}  // namespace simbatch::objconv
