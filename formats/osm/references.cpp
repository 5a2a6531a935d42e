#include "formats/osm/references.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <utility>

#include "formats/osm/hash.hpp"

namespace simbatch::osm::detail {
namespace {

constexpr std::uint64_t kMix = 0xA0761D6478BD642F;  // as in quick_hash()

using NumberById = std::vector<std::pair<Id, std::uint32_t>>;

template <class Objects>
NumberById numbers_by_id(const Objects& objects) {
  NumberById by_id;
  by_id.reserve(objects.size());
  for (std::uint32_t i = 0; i < objects.size(); ++i) by_id.emplace_back(objects[i].id, i);
  if (!std::is_sorted(by_id.begin(), by_id.end())) std::sort(by_id.begin(), by_id.end());
  return by_id;
}

}  // namespace

std::uint32_t MissingIds::number(Id id) {
  const auto first_slot = [this](Id of) { return fold(static_cast<std::uint64_t>(of), kMix) & (slots_.size() - 1); };
  if (slots_.size() < 2 * (missing_.size() + 1)) {
    slots_.assign(std::max<std::size_t>(64, std::bit_ceil(4 * (missing_.size() + 1))), 0);
    for (std::uint32_t i = 0; i < missing_.size(); ++i) {
      std::size_t slot = first_slot(missing_[i]);
      while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = i + 1;
    }
  }
  std::size_t slot = first_slot(id);
  for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1))
    if (missing_[slots_[slot] - 1] == id) return slots_[slot] - 1;
  missing_.push_back(id);
  slots_[slot] = static_cast<std::uint32_t>(missing_.size());
  return slots_[slot] - 1;
}

void resolve_members(Document& document, std::span<const Id> ids, MissingIds& missing) {
  if (ids.empty()) return;
  Model& model = document.model;
  const std::array<NumberById, 2> by_id{numbers_by_id(model.ways), numbers_by_id(model.relations)};
  for (std::size_t i = 0; i < ids.size(); ++i) {
    Member& member = model.members[i];
    std::uint32_t number = kNone;
    if (member.kind == Kind::node) {
      number = model.find_node(ids[i]);
    } else {
      const NumberById& list = by_id[member.kind == Kind::way ? 0 : 1];
      const auto found = std::lower_bound(list.begin(), list.end(), std::pair(ids[i], std::uint32_t{0}));
      if (found != list.end() && found->first == ids[i]) number = found->second;
    }
    if (number == kNone) ++document.facts.dangling[static_cast<std::size_t>(member.kind)];
    member.ref = number == kNone ? Ref::missing(missing.number(ids[i])) : Ref(number);
  }
}

std::vector<RepeatedObject> find_repeated(const Model& model) {
  std::vector<RepeatedObject> repeated;
  for (const std::uint32_t node : model.repeated_nodes()) repeated.push_back({Kind::node, node});
  const auto search = [&](Kind kind, const NumberById& by_id) {
    for (std::size_t i = 1; i < by_id.size(); ++i)
      if (by_id[i].first == by_id[i - 1].first) repeated.push_back({kind, by_id[i].second});
  };
  search(Kind::way, numbers_by_id(model.ways));
  search(Kind::relation, numbers_by_id(model.relations));
  std::sort(repeated.begin(), repeated.end());
  return repeated;
}

std::string describe(const Model& model, RepeatedObject object) {
  const Id id = model.id_of(object.kind, Ref(object.number));
  return "a second " + std::string(to_text(object.kind)) + " with the id " + std::to_string(id);
}

}  // namespace simbatch::osm::detail
