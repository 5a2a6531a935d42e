#pragma once
/// The section walker: which section of a mission is on, as gamma, positions and time come in.
///
/// The console path parser publishes a section, takes gamma, and goes on to the next when gamma passes the section's
/// end. A POINT ends when the vehicle was within 1.2 of its radius, and its time has passed; a DEPTH or ALT with a time
/// ends when that has passed and its reference goes back to 0; without one its reference stays and the next section
/// starts at once. (The programs' own slips, listed in docs/formats/medusa.md, are not repeated here.)

#include <optional>
#include <vector>

#include "formats/medusa/medusa.hpp"
#include "lib/mission/geometry.hpp"

namespace simbatch::mission {

struct WalkEvent {
  enum class Kind {
    section,   ///< section `section` is on now
    reached,   ///< the POINT of `section` was reached; its time runs
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
  /// A gamma, not normalized. Moves on by at most one section, as a message does.
  std::vector<WalkEvent> gamma(double gamma, double time);
  /// The vehicle's place in M.
  std::vector<WalkEvent> position(Point at, double time);
  /// Time passes.
  std::vector<WalkEvent> tick(double time);

  /// The section that is on; empty before start() and at the end.
  std::optional<std::size_t> current() const;
  bool is_over() const { return started_ && index_ >= sections_.size(); }
  const std::vector<medusa::Section>& sections() const { return sections_; }

 private:
  void next(double time, std::vector<WalkEvent>& events);
  void enter(double time, std::vector<WalkEvent>& events);

  std::vector<medusa::Section> sections_;
  std::size_t index_ = 0;
  bool started_ = false;
  std::optional<double> until_;  // when the time of the current section is up
};

}  // namespace simbatch::mission
