#pragma once
/// The rows of the table in docs/physics.md. A file per subject adds its rows here; main.cpp computes, judges and prints them.

#include <functional>
#include <string>
#include <vector>

namespace simbatch::closed_forms {

inline constexpr double kRates[] = {60, 120, 240, 1000};  // steps per second

struct Row {
  std::string what;     ///< Markdown, with the setting's numbers
  std::string formula;  ///< Markdown
  std::string unit;     ///< empty: a plain number
  double exact = 0;
  /// The simulated value at a rate; where it depends on how steps fall, the worst of several starts.
  std::function<double(double hz)> value;
  double scale = 0;        ///< what errors are a share of; 0: |exact|
  double bound = 0;        ///< largest error at 60 Hz, as a share; at 240 Hz a third of it
  double rounding = 1e-9;  ///< errors below this share count as none
  double scatter = 1;      ///< by which an error may grow from one rate to the next: 1, or more where it changes its sign
};

using Table = std::vector<Row>;

void add_falls(Table& table);      ///< falling, bouncing, colliding
void add_contacts(Table& table);   ///< sliding and rolling
void add_rotations(Table& table);  ///< free and driven rotation, gyroscopes
void add_links(Table& table);      ///< pendulums, springs, motors
void add_fluids(Table& table);     ///< drag and buoyancy

}  // namespace simbatch::closed_forms
