#include "formats/trace/read_end.hpp"

namespace simbatch::trace::detail {
namespace {

ExpectationOutcome read_outcome(JsonCursor& in) {
  ExpectationOutcome outcome;
  in.object([&](const std::string& name) {
    if (name == "name")
      outcome.name = in.string();
    else if (name == "text")
      outcome.text = in.string();
    else if (name == "verdict")
      outcome.verdict = in.string();
    else if (name == "margin")
      outcome.margin = in.number();
    else if (name == "unit")
      outcome.unit = in.string();
    else if (name == "step")
      outcome.step = in.integer();
    else if (name == "time")
      outcome.time = in.number();
    else if (name == "condition")
      outcome.condition = in.string();
    else if (name == "left")
      outcome.left = in.number();
    else if (name == "right")
      outcome.right = in.number();
    else if (name == "decided")
      outcome.decided = in.integer();
    else
      in.skip();
  });
  if (!outcome.step) outcome.time = 0, outcome.condition.clear(), outcome.left.reset(), outcome.right.reset();
  return outcome;
}

Collision read_collision(JsonCursor& in) {
  Collision collision;
  in.object([&](const std::string& name) {
    if (name == "robot")
      collision.robot = in.string();
    else if (name == "with")
      collision.with = in.string();
    else if (name == "step")
      collision.step = in.integer();
    else if (name == "time")
      collision.time = in.number();
    else if (name == "speed")
      collision.speed = in.number();
    else if (name == "count")
      collision.count = in.integer();
    else if (name == "fastest")
      collision.fastest = in.number();
    else
      in.skip();
  });
  return collision;
}

}  // namespace

End read_end(JsonCursor& in) {
  End end;
  in.object([&](const std::string& name) {
    if (name == "outcome")
      end.outcome = in.string();
    else if (name == "message")
      end.message = in.string();
    else if (name == "steps")
      end.steps = in.integer();
    else if (name == "time")
      end.time = in.number();
    else if (name == "state_hash")
      end.state_hash = in.hash();
    else if (name == "collisions")
      in.array([&] { end.collisions.push_back(read_collision(in)); });
    else if (name == "expectations")
      in.array([&] { end.expectations.push_back(read_outcome(in)); });
    else
      in.skip();
  });
  return end;
}

}  // namespace simbatch::trace::detail
