#pragma once
/// The simulator's half of the line protocol (docs/controllers.md).

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/sim/program/command/requests.hpp"
#include "lib/sim/program/port.hpp"

namespace simbatch::sim {

/// Changes when a controller written for the version before would no longer be understood, or would misunderstand.
inline constexpr int kProtocolVersion = 1;

/// {"hello":{...}} and a line end: version, robot, arguments, dt, the robot's devices.
std::string hello_line(ProgramPort& port, std::string_view generator, const std::vector<std::string>& arguments);

/// Appends the answer to any request but sleep, sleep_until and end.
/// @param log  receives the controller's messages; empty: they are dropped
void append_answer(std::string& out, ProgramPort& port, const Request& request,
                   const std::function<void(std::string_view)>& log);
/// {"time":...}: what a time or a sleep is answered with.
void append_time(std::string& out, double time);

}  // namespace simbatch::sim
