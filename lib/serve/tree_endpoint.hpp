#pragma once
/// The bit stream: sends all numbers of the tree to each client (thesis 4.3, 7.1) or, beyond the thesis, only those that
/// changed by more than a threshold. Independent of the network.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lib/serve/web_server.hpp"
#include "lib/sim/simulation.hpp"

namespace simbatch::serve {

struct TreeOut {
  std::function<void(ClientId, std::string)> text, binary;
  /// True if nothing is queued for a client. A busy client skips states and receives the newest one once it is idle.
  std::function<bool(ClientId)> is_idle;
};

class TreeEndpoint {
 public:
  explicit TreeEndpoint(TreeOut out) : out_(std::move(out)) {}

  /// Starts a run. @param simulation  must remain valid until the next call or the end of this object
  void begin(const sim::Simulation& simulation, std::int64_t session);
  void opened(ClientId client);
  void closed(ClientId client) { clients_.erase(client); }
  /// Handles {"threshold": X}: from now on the client receives only numbers that differ by more than X >= 0 from those it was
  /// last sent; {"threshold": null}: all numbers again. @return false if it is neither: disconnect the client
  bool received(ClientId client, std::string_view message, bool binary);
  bool has(ClientId client) const { return clients_.contains(client); }
  bool empty() const { return clients_.empty(); }
  /// Sends the current state to all clients that are idle.
  void show();

 private:
  struct Client {
    std::int64_t step = -1;  // of the last packet
    bool has_threshold = false;
    double threshold = 0;
    std::vector<double> has;  // with a threshold: the numbers last sent; empty before the first packet
  };
  void send(ClientId id, Client& client);

  TreeOut out_;
  const sim::Simulation* simulation_ = nullptr;
  std::string head_;
  std::vector<std::size_t> order_;  // indices into the bank, depth first
  std::vector<double> numbers_;
  std::map<ClientId, Client> clients_;
};

}  // namespace simbatch::serve
