#include "lib/serve/tree_endpoint.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/core/number.hpp"
#include "base/json/write_json.hpp"
#include "lib/sim/record/recording.hpp"

namespace simbatch::serve {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they lie in memory");

constexpr char kWhole = 1, kChanges = 2;  // packet types: the first byte, as in the thesis

template <class T>
void put_value(std::string& to, T value) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  to.append(bytes, sizeof(T));
}

}  // namespace

void TreeEndpoint::begin(const sim::Simulation& simulation, std::int64_t session) {
  simulation_ = &simulation;
  order_.clear();
  json::Writer out;
  out.open_object().key("tree").open_object().member("protocol", 1).member("session", session);
  out.member("dt", simulation.clock().dt).member("fingerprint", hex64(sim::tree_fingerprint(simulation.tree())));
  out.key("nodes").open_array();
  simulation.tree().visit([&](const sim::TreeNode& node) {
    if (node.type().numbers == 0) return;
    out.open_object().member("name", node.name()).member("kind", node.type().kind).key("fields").open_array();
    for (const sim::Field& field : node.type().fields)
      if (field.type != sim::FieldType::text) out.open_array().value(field.name).value(field.unit).value(field.frame).close();
    out.close().close();
    for (std::size_t i = 0; i < node.type().numbers; ++i) order_.push_back(node.values_offset() + i);
  });
  head_ = out.close().close().close().text();
  std::vector<ClientId> present;
  for (auto& [id, client] : clients_) {
    client.step = -1;
    client.has.clear();
    present.push_back(id);
  }
  for (const ClientId id : present) out_.text(id, head_);
}

void TreeEndpoint::opened(ClientId client) {
  clients_[client] = {};
  out_.text(client, head_);
}

bool TreeEndpoint::received(ClientId client, std::string_view message, bool binary) {
  const auto found = clients_.find(client);
  if (found == clients_.end() || binary) return false;
  const auto read = nlohmann::json::parse(message, nullptr, false);
  if (!read.is_object() || read.size() != 1 || !read.contains("threshold")) return false;
  const auto& wanted = read["threshold"];
  if (!wanted.is_null() && (!wanted.is_number() || !(wanted.get<double>() >= 0) || !std::isfinite(wanted.get<double>())))
    return false;
  Client& own = found->second;
  own.has_threshold = !wanted.is_null();
  own.threshold = own.has_threshold ? wanted.get<double>() : 0;
  own.has.clear();
  own.step = -1;
  return true;
}

void TreeEndpoint::show() {
  const std::int64_t step = simulation_->clock().step;
  const std::span<const double> bank = simulation_->tree().bank();
  numbers_.resize(order_.size());
  for (std::size_t i = 0; i < order_.size(); ++i) numbers_[i] = bank[order_[i]];
  std::vector<ClientId> present;
  for (const auto& [id, client] : clients_)
    if (client.step != step) present.push_back(id);
  for (const ClientId id : present) {
    if (!out_.is_idle(id)) continue;
    const auto found = clients_.find(id);
    if (found != clients_.end()) send(id, found->second);
  }
}

void TreeEndpoint::send(ClientId id, Client& client) {
  const std::int64_t step = simulation_->clock().step;
  std::string bytes;
  if (!client.has_threshold || client.has.empty()) {
    bytes.reserve(9 + 8 * numbers_.size());
    bytes += kWhole;
    put_value(bytes, static_cast<std::uint64_t>(step));
    for (const double number : numbers_) put_value(bytes, number);
    if (client.has_threshold) client.has = numbers_;
  } else {
    bytes += kChanges;
    put_value(bytes, static_cast<std::uint64_t>(step));
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      // A change from or to NaN is a change, too.
      const double change = std::abs(numbers_[i] - client.has[i]);
      if (change <= client.threshold || numbers_[i] == client.has[i]) continue;
      if (std::isnan(numbers_[i]) && std::isnan(client.has[i])) continue;
      put_value(bytes, static_cast<std::uint32_t>(i));
      put_value(bytes, numbers_[i]);
      client.has[i] = numbers_[i];
    }
  }
  client.step = step;
  out_.binary(id, std::move(bytes));
}

}  // namespace simbatch::serve
