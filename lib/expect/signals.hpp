#pragma once
/// Input of expectations: an interface, so that they are evaluated identically during a run and on a trace.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace simbatch::expect {

/// A number that can be read at every step.
struct Signal {
  std::size_t slot = 0;  ///< index in the values passed to Monitor::step()
  std::string unit;      ///< of the tree: "m", "1", ...
};

/// Looks up signals by name. Each signal found is from then on part of the values of every step.
class SignalSource {
 public:
  virtual ~SignalSource();

  struct Lookup {
    std::optional<Signal> signal;
    std::string problem;        ///< the reason why there is none, one clause; empty for a field: no such name
    bool unknown_name = false;  ///< for an event: it is known, but not for these names
  };
  /// A field of a node: "impreza.chassis.psd0", "distance".
  virtual Lookup field(std::string_view node, std::string_view field) = 0;
  /// An event ("contact", "on_road", "ended") with the names in its parentheses: 1 while it holds, else 0.
  virtual Lookup event(std::string_view event, const std::vector<std::string>& names) = 0;
  /// All existing fields, e.g. "impreza.chassis.psd0.distance", for "did you mean".
  virtual std::vector<std::string> fields() const = 0;
};

}  // namespace simbatch::expect
