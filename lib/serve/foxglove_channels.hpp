#pragma once
/// What a Foxglove client can subscribe to: poses, the scene, every node's values, rays, pictures, messages (docs/serve.md).
///
/// Foxglove's frame "world" is right-handed: x east, y north, z up (docs/conventions.md, ADR 2). Each moving body and wheel has
/// a frame named after it.

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

/// All channels of a run except the log. A channel's id is its position, counted from 1. @param view  must outlive them
std::vector<Channel> channels_of(const view::BuiltView& view, const std::vector<const sim::TreeNode*>& nodes);
/// The channel of log messages, which are events rather than state: its `message` is empty.
Channel log_channel();
/// A message of the log channel. @param level  1 debug, 2 info, 3 warning, 4 error
std::string log_message(std::uint64_t ns, int level, std::string_view name, std::string_view text);

/// The simulated time, ns since 1970 (UTC).
std::uint64_t time_of(const sim::Simulation& simulation);
/// {"op":"advertise","channels":[...]}
std::string advertisement(const std::vector<Channel>& channels);

/// JSON Schema of one of the Foxglove types used here, by its name: "foxglove.FrameTransforms".
std::string_view known_schema(std::string_view name);

}  // namespace simbatch::serve::foxglove
