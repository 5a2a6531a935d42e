#include "lib/mission/walker.hpp"

namespace simbatch::mission {

using medusa::Kind;
using medusa::Section;

std::optional<std::size_t> SectionWalker::current() const {
  if (!started_ || index_ >= sections_.size()) return std::nullopt;
  return index_;
}

std::vector<WalkEvent> SectionWalker::start(double time) {
  std::vector<WalkEvent> events;
  started_ = true;
  index_ = 0;
  enter(time, events);
  return events;
}

void SectionWalker::next(double time, std::vector<WalkEvent>& events) {
  ++index_;
  enter(time, events);
}

void SectionWalker::enter(double time, std::vector<WalkEvent>& events) {
  for (;; ++index_) {
    until_.reset();
    if (index_ >= sections_.size()) {
      events.push_back({WalkEvent::Kind::end, sections_.size(), 0});
      return;
    }
    const Section& s = sections_[index_];
    events.push_back({WalkEvent::Kind::section, index_, 0});
    if (s.kind != Kind::depth && s.kind != Kind::alt) return;
    // One field carries both: a negative depth is an altitude, and vice versa.
    const double depth = s.kind == Kind::depth ? s.depth : -s.depth;
    events.push_back({depth >= 0 ? WalkEvent::Kind::depth : WalkEvent::Kind::altitude, index_, depth >= 0 ? depth : -depth});
    if (s.time > 0) {
      until_ = time + s.time;
      return;
    }
  }
}

std::vector<WalkEvent> SectionWalker::gamma(double gamma, double time) {
  std::vector<WalkEvent> events;
  if (!current()) return events;
  const Section& s = sections_[index_];
  if ((s.kind == Kind::line || s.kind == Kind::arc) && gamma > s.gamma_e) next(time, events);
  return events;
}

std::vector<WalkEvent> SectionWalker::position(Point at, double time) {
  std::vector<WalkEvent> events;
  if (!current()) return events;
  const Section& s = sections_[index_];
  if (s.kind != Kind::point || until_ || distance(at, {s.xe, s.ye}) >= 1.2 * s.radius) return events;
  if (s.time < 0) return events;  // holds indefinitely
  if (s.time > 0) {
    events.push_back({WalkEvent::Kind::reached, index_, s.time});
    until_ = time + s.time;
  } else {
    next(time, events);
  }
  return events;
}

std::vector<WalkEvent> SectionWalker::tick(double time) {
  std::vector<WalkEvent> events;
  if (!current() || !until_ || time < *until_) return events;
  if (sections_[index_].kind != Kind::point) events.push_back({WalkEvent::Kind::depth, index_, 0});
  next(time, events);
  return events;
}

}  // namespace simbatch::mission
