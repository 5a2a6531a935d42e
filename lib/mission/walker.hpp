#pragma once
/// The section walker: tracks the active section of a mission from gamma, positions and time.
///
/// The console path parser publishes a section, receives gamma, and advances to the next when gamma passes the section's end. A
/// POINT ends when the vehicle has been within 1.2 of its radius and its time has elapsed; a DEPTH or ALT with a time ends when
/// that has elapsed, and its reference returns to 0; without a time its reference is kept and the next section starts at once.
/// (Bugs of the original programs, listed in docs/formats/medusa.md, are not reproduced.)

#include <optional>
#include <vector>

#include "formats/medusa/medusa.hpp"
#include "lib/mission/geometry.hpp"

namespace simbatch::mission {

struct WalkEvent {
  enum class Kind {
    section,   ///< section `section` is now active
    reached,   ///< the POINT of `section` was reached; its hold time has started
    depth,     ///< the depth reference is `value` (m), 0 = surface
    altitude,  ///< the altitude reference is `value` (m)
    end,       ///< the mission is over: hold position
  };
  Kind kind = Kind::section;
  std::size_t section = 0;
  double value = 0;
};

class SectionWalker {
 public:
  /// @param sections  of this vehicle, with gammas (sections_for)
  explicit SectionWalker(std::vector<medusa::Section> sections) : sections_(std::move(sections)) {}

  /// Begins the mission. @param time s, any clock that does not run backwards
  std::vector<WalkEvent> start(double time);
  /// Processes a gamma, not normalized. Advances by at most one section, as per message on the vehicle.
  std::vector<WalkEvent> gamma(double gamma, double time);
  /// Processes the vehicle's position in M.
  std::vector<WalkEvent> position(Point at, double time);
  /// Time passes.
  std::vector<WalkEvent> tick(double time);

  /// The active section; empty before start() and at the end.
  std::optional<std::size_t> current() const;
  bool is_over() const { return started_ && index_ >= sections_.size(); }
  const std::vector<medusa::Section>& sections() const { return sections_; }

 private:
  void next(double time, std::vector<WalkEvent>& events);
  void enter(double time, std::vector<WalkEvent>& events);

  std::vector<medusa::Section> sections_;
  std::size_t index_ = 0;
  bool started_ = false;
  std::optional<double> until_;  // end time of the current section
};

}  // namespace simbatch::mission
