#pragma once
/// The simulator's half of the line protocol (docs/controllers.md).

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/sim/program/command/requests.hpp"
#include "lib/sim/program/port.hpp"

namespace simbatch::sim {

/// Incremented on incompatible changes of the protocol.
inline constexpr int kProtocolVersion = 1;

/// What a program on a socket sends first if a token is required: {"token":"..."}, without a line end.
std::string token_line(std::string_view token);
/// {"hello":{...}} and a line end: version, robot, arguments, dt, scenario, seed, inputs, the robot's devices.
std::string hello_line(ProgramPort& port, std::string_view generator, const std::vector<std::string>& arguments);

/// Appends the answer to any request but sleep, sleep_until and end.
/// @param log  receives the controller's messages; empty: they are dropped
void append_answer(std::string& out, ProgramPort& port, const Request& request,
                   const std::function<void(std::string_view)>& log);
/// The input of this name; nullptr: the run has none.
const RunInput* find_input(const ProgramPort& port, std::string_view name);
/// {"time":...}: the answer to a time or sleep request.
void append_time(std::string& out, double time);

}  // namespace simbatch::sim
