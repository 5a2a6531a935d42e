#pragma once
/// The bit stream: sends all numbers of the tree to each client (thesis 4.3, 7.1) or, beyond the thesis, only those that changed by more
/// than a threshold. It knows no network.

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
  /// True if nothing is queued for this client. A busy client skips states and gets the newest once it is idle.
  std::function<bool(ClientId)> is_idle;
};

class TreeEndpoint {
 public:
  explicit TreeEndpoint(TreeOut out) : out_(std::move(out)) {}

  /// Begins a run, or another one. @param simulation  must outlive the endpoint, or the next call
  void begin(const sim::Simulation& simulation, std::int64_t session);
  void opened(ClientId client);
  void closed(ClientId client) { clients_.erase(client); }
  /// A text {"threshold": X}: from here on only numbers that differ by more than X >= 0 from what the client has. {"threshold": null}: all
  /// numbers again. @return false: it is neither, and the client is sent away
  bool received(ClientId client, std::string_view message, bool binary);
  bool has(ClientId client) const { return clients_.contains(client); }
  bool empty() const { return clients_.empty(); }
  /// Sends the present state to who is ready for it.
  void show();

 private:
  struct Client {
    std::int64_t step = -1;  // of what it has
    bool has_threshold = false;
    double threshold = 0;
    std::vector<double> has;  // with a threshold: its numbers; empty: none yet
  };
  void send(ClientId id, Client& client);

  TreeOut out_;
  const sim::Simulation* simulation_ = nullptr;
  std::string head_;
  std::vector<std::size_t> order_;  // places in the bank, depth first
  std::vector<double> numbers_;
  std::map<ClientId, Client> clients_;
};

}  // namespace simbatch::serve
