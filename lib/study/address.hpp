#pragma once
/// Values of a scenario that are set from outside, addressed by names like those in its tree: "impreza.chassis.Mass".

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "base/xml/xml.hpp"
#include "lib/scenario/build.hpp"
#include "lib/study/study.hpp"

namespace simbatch::study {

/// The scenario with these values. The address FileChange::at consists of names joined by dots, starting at the root's
/// children. A name is an element's own name or its kind, with an index if there are several (`Control[2]`); sections without a
/// name (Physics, Objects, Parts, Devices) may be left out. After a robot's name the address continues in the robot's file. It
/// ends with an attribute, or an element that has `value` or only one attribute: "impreza.chassis.Mass", "impreza.Position.x",
/// "Engine.Friction", "impreza.chassis.psd0.Range". A path of a study (Parameter::path) is accepted as well. An address that
/// leads nowhere is reported (study-setting) without a position; whether a value is allowed is checked by the readers of the
/// variant. @throws IoError
std::optional<Variant> with_settings(std::string_view scenario, const VariantFiles& files,
                                     const std::vector<scenario::FileChange>& settings, Diagnostics& problems);

/// Puts the settings of a GraspIt! world that is run by itself into the options of its building: Gravity.x, Gravity.y and
/// Gravity.z (m/s^2), with "Engine." or "Physics.Engine." before them as in a scenario. It has no others.
/// @return false after a report (study-setting)
bool set_grasp_world(const std::vector<scenario::FileChange>& settings, scenario::BuildOptions& how, Diagnostics& problems);

namespace detail {

/// Opens the file of a robot; empty, after a report, if it cannot be read. @param path  of the attribute that names the file
using RobotOpener = std::function<std::optional<xml::Element>(const std::string& path)>;
/// The path (Parameter::path) that an address stands for.
/// @param problem  receives what is wrong; remains empty if `open` has already reported it
std::optional<std::string> path_of_address(std::string_view address, const xml::Element& scenario, const RobotOpener& open,
                                           std::string& problem);

}  // namespace detail
}  // namespace simbatch::study
