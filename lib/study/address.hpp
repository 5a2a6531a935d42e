#pragma once
/// Values of a scenario that are set from outside, addressed by the names that its tree shows: "impreza.chassis.Mass".

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

/// The scenario with these values. Each goes where FileChange::at leads: names joined by dots, from the root's children on: an
/// element's own name or its kind, with an index if there are several (`Control[2]`); sections without a name (Physics,
/// Objects, Parts, Devices) may be left out. Past a robot's name it goes on in the robot's file. At the end an attribute, or an
/// element that has `value` or one attribute only: "impreza.chassis.Mass", "impreza.Position.x", "Engine.Friction",
/// "impreza.chassis.psd0.Range". A path of a study (Parameter::path) is taken as well. What an address does not lead to is
/// reported (study-setting) without a position; whether a value is allowed is for the readers of the variant to say. @throws
/// IoError
std::optional<Variant> with_settings(std::string_view scenario, const VariantFiles& files,
                                     const std::vector<scenario::FileChange>& settings, Diagnostics& problems);

namespace detail {

/// Opens the file of a robot: @param path  of the attribute that names it; empty, after a report, if it cannot be read
using RobotOpener = std::function<std::optional<xml::Element>(const std::string& path)>;
/// The path (Parameter::path) that an address means.
/// @param problem  gets what is wrong; stays empty where `open` has reported it
std::optional<std::string> path_of_address(std::string_view address, const xml::Element& scenario, const RobotOpener& open,
                                           std::string& problem);

}  // namespace detail
}  // namespace simbatch::study
