#pragma once
/// The Foxglove endpoint of a live run: who has subscribed to what, parameters, services, playback. Independent of the network: it
/// sends through FoxgloveOut, and the owner of the run executes the clients' commands.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lib/serve/commands.hpp"
#include "lib/serve/foxglove_channels.hpp"
#include "lib/serve/foxglove_messages.hpp"
#include "lib/serve/web_server.hpp"

namespace simbatch::serve {

struct FoxgloveOut {
  std::function<void(ClientId, std::string)> text;    ///< never dropped
  std::function<void(ClientId, std::string)> binary;  ///< never dropped
  /// Sends the newest message of a subscription, replacing one that is still queued.
  std::function<void(ClientId, std::uint32_t subscription, std::shared_ptr<const std::string>)> newest;
  /// Executes a command. @return the reason if it cannot be executed; otherwise empty
  std::function<std::string(const Command&)> execute;
};

/// State of the run, for clients that control it like a recording.
struct FoxgloveState {
  bool running = false, ended = false;
  double speed = 1;
};

class FoxgloveEndpoint {
 public:
  explicit FoxgloveEndpoint(FoxgloveOut out) : out_(std::move(out)) {}

  /// Starts a run: clients receive its channels, and their previous subscriptions end.
  /// @param view     must remain valid until the next call or the end of this object
  /// @param nodes    their values become channels, their inputs parameters
  /// @param session  unique for each run
  /// @param steps    length of the run, if it has an end
  void begin(const view::BuiltView& view, const std::vector<const sim::TreeNode*>& nodes, std::string session,
             std::optional<std::int64_t> steps);

  /// @param subprotocol  the negotiated one (foxglove::choose_subprotocol()); only foxglove.sdk.v1 has playback control
  void opened(ClientId client, std::string_view subprotocol);
  void closed(ClientId client) { clients_.erase(client); }
  /// @return false if the client sends too many invalid messages and is to be disconnected
  bool received(ClientId client, std::string_view message, bool binary);

  bool empty() const { return clients_.empty(); }
  /// Sends the current state. @param now  wall time since an arbitrary moment, s
  void show(const FoxgloveState& state, double now);
  /// A message of a program or the simulator. @param level  as in foxglove::log_message()
  void log(int level, std::string_view name, std::string_view text);
  /// A device was set: sends the new value to all clients that watch the parameter.
  void has_set(const std::string& device, const std::string& input, double value);

 private:
  struct Client {
    std::map<std::uint32_t, std::size_t> subscriptions;  // subscription id -> index into channels_
    std::set<std::string> watched;
    bool watches_all = false;
    bool plays = false;  // its subprotocol has playback control
    std::optional<foxglove::Playback> shown;
    int mistakes = 0;
  };
  struct Parameter {
    const sim::TreeNode* device;
    std::size_t input;
    double lower, upper;
  };

  /// Sending may detect a closed connection, which removes the client: look it up again after each send.
  Client* find(ClientId client);
  std::vector<ClientId> present() const;
  void welcome(ClientId client);
  void take(ClientId client, const foxglove::Subscribe& message);
  void take(ClientId client, const foxglove::Unsubscribe& message);
  void take(ClientId client, const foxglove::GetParameters& message);
  void take(ClientId client, const foxglove::SetParameters& message);
  void take(ClientId client, const foxglove::WatchParameters& message);
  void take(ClientId client, const foxglove::CallService& message);
  void take(ClientId client, const foxglove::ControlPlayback& message);
  void take(ClientId client, const foxglove::Refused& message);
  std::string server_info(bool plays) const;
  std::string values_of(const std::vector<std::string>& names, std::string_view id) const;
  std::string set(const foxglove::SetParameters::Value& value);
  void send(ClientId client, std::uint32_t subscription, std::string_view payload);
  foxglove::Playback playback() const;

  FoxgloveOut out_;
  const view::BuiltView* view_ = nullptr;
  std::string session_;
  std::optional<std::int64_t> steps_;
  std::vector<foxglove::Channel> channels_;
  std::string advertised_;
  std::size_t advertised_count_ = 0;
  std::size_t log_channel_ = 0;
  std::vector<double> sent_;  // wall time at which each channel was last sent, s
  std::map<std::string, Parameter> parameters_;
  std::map<std::string, double> given_;  // parameters set since the last step
  std::map<ClientId, Client> clients_;
  FoxgloveState state_;
  std::int64_t shown_step_ = -1;
};

}  // namespace simbatch::serve
