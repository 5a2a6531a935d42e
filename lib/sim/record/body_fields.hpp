#pragma once
/// Values of bodies that no device measures, for traces that ask for them (--fields): velocities, contacts, forces. Observing
/// them changes nothing: they are in no state hash and in no recording.

#include <array>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "lib/sim/simulation.hpp"

namespace simbatch::sim {

struct BodyFields {
  /// Node `velocity` below each body: vx vy vz of its origin (m/s), wx wy wz (rad/s); W.
  bool velocities = false;
  /// Node `contacts`: count of touching points, fx fy fz of all of them together, friction included (N, W, mean of the last
  /// step), `deepest` overlap of one (m, 0 if none overlaps), and the `body` with which it touches hardest (a text; `number` is
  /// its place in the world, -1 without contact). Wheels are rays: their loads are not included.
  bool contacts = false;
  /// Node `force`: fx fy fz (N) and tx ty tz (N m, about the center of mass): what changed its momentum and its angular
  /// momentum in the last step, gravity, contacts, links and wheels included; W, mean of the step.
  bool forces = false;
  bool any() const { return velocities || contacts || forces; }
};

/// The words of --fields. `poses` adds nothing: poses are always there.
inline constexpr std::array<std::string_view, 4> kBodyFieldWords{"poses", "velocities", "contacts", "forces"};
/// @pre word  one of kBodyFieldWords
void ask_for(std::string_view word, BodyFields& fields);

/// Adds the nodes below all bodies of the tree that can move. After everything else is in the simulation, and before it starts.
/// A name that is taken is reported.
void add_body_fields(Simulation& simulation, const BodyFields& fields, Diagnostics& problems);

/// What a trace's nodes were made with: so a run can be repeated from its trace. @param kinds  of its nodes
BodyFields body_fields_of(const std::vector<std::string_view>& kinds);

}  // namespace simbatch::sim
