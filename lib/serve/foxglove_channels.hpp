#pragma once
/// What a Foxglove client can subscribe to: poses, the scene, every node's values, rays, pictures, messages (docs/serve.md).
///
/// The frame there is right-handed with z up: x east, y north, z up (docs/conventions.md, ADR 2), "world"; each moving body and
/// wheel has one of its full name.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lib/view/rebuild.hpp"

namespace simbatch::serve::foxglove {

struct Channel {
  std::string topic;
  std::string schema_name;
  std::string schema;  ///< JSON Schema
  /// The message for the current state, as JSON.
  std::function<std::string()> message;
  /// Constant during a run: sent once to each subscriber.
  bool once = false;
  double least_time = 0;  ///< minimum wall time between two messages, s; for pictures, which are expensive
};

/// All channels of a run but that of its messages. Their ids are the positions, from 1 on. @param view  must outlive them
std::vector<Channel> channels_of(const view::BuiltView& view, const std::vector<const sim::TreeNode*>& nodes);
/// That of the messages, which are events and not a state. Its `message` is empty.
Channel log_channel();
/// A message of it. @param level  1 debug, 2 info, 3 warning, 4 error
std::string log_message(std::uint64_t ns, int level, std::string_view name, std::string_view text);

/// The simulated time, ns since 1970 (UTC).
std::uint64_t time_of(const sim::Simulation& simulation);
/// {"op":"advertise","channels":[...]}
std::string advertisement(const std::vector<Channel>& channels);

/// JSON Schema of one of Foxglove's types that are used here, by its name: "foxglove.FrameTransforms".
std::string_view known_schema(std::string_view name);

}  // namespace simbatch::serve::foxglove
