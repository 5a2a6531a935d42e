#pragma once
/// What expectations read: an interface, so that they are evaluated in the same way during a run and over a trace.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace simbatch::expect {

/// A number that can be read at every step.
struct Signal {
  std::size_t slot = 0;  ///< its place in the values that Monitor::step() is given
  std::string unit;      ///< of the tree: "m", "1", ...
};

/// Finds signals by their names. Each one that was found is from then on among the values of every step.
class SignalSource {
 public:
  virtual ~SignalSource();

  struct Lookup {
    std::optional<Signal> signal;
    std::string problem;        ///< why there is none, one clause; of a field empty: there is no such name
    bool unknown_name = false;  ///< of an event: it could be observed, but not of these names
  };
  /// A field of a node: "impreza.chassis.psd0", "distance".
  virtual Lookup field(std::string_view node, std::string_view field) = 0;
  /// An event ("contact", "on_road", "ended") with the names in its parentheses: a number that is 1 when it is the case, else 0.
  virtual Lookup event(std::string_view event, const std::vector<std::string>& names) = 0;
  /// All fields that there are, as "impreza.chassis.psd0.distance", for "did you mean".
  virtual std::vector<std::string> fields() const = 0;
};

}  // namespace simbatch::expect
