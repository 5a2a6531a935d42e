// Own. Strings and tags: hash tables with open addressing and linear probing (Knuth, The Art of Computer Programming 3, 6.4).
// Ids: a directory of equal ranges of ids, then a binary search in one of them.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "formats/osm/hash.hpp"
#include "formats/osm/osm.hpp"

namespace simbatch::osm {
namespace {

/// Doubles a table of number + 1 and reinserts all numbers. `hash_of(number)` gives an entry's hash.
template <class HashOf>
void grow(std::vector<std::uint32_t>& slots, std::size_t count, HashOf hash_of) {
  slots.assign(std::max<std::size_t>(16, slots.size() * 2), 0);
  const std::size_t mask = slots.size() - 1;
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t at = hash_of(static_cast<std::uint32_t>(i)) & mask;
    while (slots[at] != 0) at = (at + 1) & mask;
    slots[at] = static_cast<std::uint32_t>(i) + 1;
  }
}

/// The place of an id among `ids`, which ascend from place `low` up to `end`, or kNone.
inline std::uint32_t find_between(const Id* ids, std::uint32_t low, std::uint32_t end, Id id) {
  // Halved while it is long; it rarely is.
  for (std::uint32_t high = end; high - low > 8;) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (ids[middle] < id)
      low = middle + 1;
    else
      high = middle;
  }
  while (low != end && ids[low] < id) ++low;
  return low != end && ids[low] == id ? low : kNone;
}

template <class T>
std::size_t bytes_of(const std::vector<T>& v) {
  return v.capacity() * sizeof(T);
}

}  // namespace

std::string_view to_text(Kind kind) {
  constexpr std::string_view kNames[] = {"node", "way", "relation"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view to_text(Version version) { return version == Version::v0_5 ? "0.5" : "0.6"; }

StringId Strings::intern(std::string_view text) {
  if (slots_.size() < 2 * (ends_.size() + 1)) {
    grow(slots_, ends_.size(), [this](StringId id) { return detail::quick_hash((*this)[id]); });
  }
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = detail::quick_hash(text) & mask;
  for (; slots_[at] != 0; at = (at + 1) & mask)
    if ((*this)[slots_[at] - 1] == text) return slots_[at] - 1;
  if (text.size() > UINT32_MAX - text_.size()) throw std::length_error("over 4 GiB of distinct strings");
  text_ += text;
  ends_.push_back(static_cast<std::uint32_t>(text_.size()));
  slots_[at] = static_cast<std::uint32_t>(ends_.size());
  return slots_[at] - 1;
}

StringId Strings::find(std::string_view text) const {
  if (slots_.empty()) return kNone;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = detail::quick_hash(text) & mask; slots_[at] != 0; at = (at + 1) & mask)
    if ((*this)[slots_[at] - 1] == text) return slots_[at] - 1;
  return kNone;
}

std::size_t Strings::memory() const { return text_.capacity() + bytes_of(ends_) + bytes_of(slots_); }

std::uint32_t Model::add_node(Id id, LatLon at) {
  node_ids.push_back(id);
  node_positions.push_back(at);
  last_ = Kind::node;
  return static_cast<std::uint32_t>(node_ids.size() - 1);
}

std::uint32_t Model::add_way(Id id) {
  ways.push_back({id, static_cast<std::uint32_t>(refs.size()), static_cast<std::uint32_t>(way_tags.size())});
  last_ = Kind::way;
  return static_cast<std::uint32_t>(ways.size() - 1);
}

std::uint32_t Model::add_relation(Id id) {
  relations.push_back({id, static_cast<std::uint32_t>(members.size()), static_cast<std::uint32_t>(relation_tags.size())});
  last_ = Kind::relation;
  return static_cast<std::uint32_t>(relations.size() - 1);
}

void Model::add_member(Kind kind, Ref ref, std::string_view role) { members.push_back({ref, strings.intern(role), kind}); }

void Model::add_tag(std::string_view key, std::string_view value) {
  const TagId tag = intern_tag(key, value);
  if (last_ == Kind::way) {
    way_tags.push_back(tag);
  } else if (last_ == Kind::relation) {
    relation_tags.push_back(tag);
  } else {
    const auto node = static_cast<std::uint32_t>(node_count() - 1);
    if (tagged_nodes.empty() || tagged_nodes.back() != node) {
      tagged_nodes.push_back(node);
      tagged_first.push_back(static_cast<std::uint32_t>(node_tags.size()));
    }
    node_tags.push_back(tag);
  }
}

TagId Model::intern_tag(std::string_view key_text, std::string_view value_text) {
  const auto hash_of = [this](TagId tag) { return detail::quick_hash(key(tag), value(tag)); };
  if (tag_slots_.size() < 2 * (tag_table.size() + 1)) grow(tag_slots_, tag_table.size(), hash_of);
  const std::size_t mask = tag_slots_.size() - 1;
  std::size_t at = detail::quick_hash(key_text, value_text) & mask;
  for (; tag_slots_[at] != 0; at = (at + 1) & mask) {
    const TagId tag = tag_slots_[at] - 1;
    if (value(tag) == value_text && key(tag) == key_text) return tag;
  }
  const StringId key_id = strings.intern(key_text);
  tag_table.push_back({key_id, strings.intern(value_text)});
  tag_slots_[at] = static_cast<std::uint32_t>(tag_table.size());
  return tag_slots_[at] - 1;
}

std::span<const TagId> Model::tags_of_node(std::size_t node) const {
  const auto found = std::lower_bound(tagged_nodes.begin(), tagged_nodes.end(), node);
  if (found == tagged_nodes.end() || *found != node) return {};
  return tags_of_tagged_node(static_cast<std::size_t>(found - tagged_nodes.begin()));
}

std::optional<std::string_view> Model::value_of(std::span<const TagId> of, std::string_view key_text) const {
  for (const TagId tag : of)
    if (key(tag) == key_text) return value(tag);
  return std::nullopt;
}

bool Model::is_closed(std::size_t way) const {
  const auto nodes = refs_of(way);
  return nodes.size() >= 4 && nodes.front() == nodes.back();
}

// The index: ids ascend through by_id_ (or by themselves). The range of ids is cut into at most node_count() pieces of 2^shift_
// ids; directory_ contains the start of each piece, so that a lookup is one table access and a search within a piece: short
// when ids are evenly spread, at worst a binary search over everything.
void Model::build_index() {
  const auto count = static_cast<std::uint32_t>(node_ids.size());
  by_id_.clear();
  directory_.clear();
  if (count == 0) return;
  if (!std::is_sorted(node_ids.begin(), node_ids.end())) {
    by_id_.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) by_id_[i] = i;
    std::sort(by_id_.begin(), by_id_.end(), [this](std::uint32_t a, std::uint32_t b) {
      return node_ids[a] != node_ids[b] ? node_ids[a] < node_ids[b] : a < b;
    });
  }
  const auto id_at = [this](std::size_t place) { return node_ids[by_id_.empty() ? place : by_id_[place]]; };
  const std::uint64_t range = static_cast<std::uint64_t>(id_at(count - 1)) - static_cast<std::uint64_t>(id_at(0));
  shift_ = 0;
  while ((range >> shift_) > count / 4) ++shift_;
  directory_.assign((range >> shift_) + 2, 0);
  std::size_t piece = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto of =
        static_cast<std::size_t>((static_cast<std::uint64_t>(id_at(i)) - static_cast<std::uint64_t>(id_at(0))) >> shift_);
    while (piece < of) directory_[++piece] = i;
  }
  while (piece + 1 < directory_.size()) directory_[++piece] = count;
}

std::uint32_t Model::find_node(Id id) const {
  if (directory_.empty()) return kNone;
  const auto id_at = [this](std::size_t place) { return node_ids[by_id_.empty() ? place : by_id_[place]]; };
  const Id first = id_at(0);
  if (id < first) return kNone;
  const std::uint64_t piece = (static_cast<std::uint64_t>(id) - static_cast<std::uint64_t>(first)) >> shift_;
  if (piece + 1 >= directory_.size()) return kNone;
  std::uint32_t low = directory_[piece];
  std::uint32_t high = directory_[piece + 1];
  while (low < high) {  // the first position whose id is not less
    const std::uint32_t middle = low + (high - low) / 2;
    if (id_at(middle) < id)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == directory_[piece + 1] || id_at(low) != id) return kNone;
  return by_id_.empty() ? low : by_id_[low];
}

void Model::find_nodes(std::span<const Id> ids, std::uint32_t* found) const {
  if (directory_.empty() || !by_id_.empty()) {
    for (std::size_t i = 0; i < ids.size(); ++i) found[i] = find_node(ids[i]);
    return;
  }
  // Three passes over a batch: fetch the directory's entries, then the ids they point to, then search.
  constexpr std::size_t kBatch = 64;
  std::array<std::uint64_t, kBatch> pieces{};
  const auto first = static_cast<std::uint64_t>(node_ids.front());
  const std::uint64_t last_piece = directory_.size() - 2;
  const std::uint32_t* const directory = directory_.data();
  for (; !ids.empty(); found += kBatch) {
    const std::span<const Id> batch = ids.first(std::min(kBatch, ids.size()));
    ids = ids.subspan(batch.size());
    for (std::size_t i = 0; i < batch.size(); ++i) {
      // Any piece does for an id outside of the range of ids: it is in none.
      pieces[i] = std::min((static_cast<std::uint64_t>(batch[i]) - first) >> shift_, last_piece);
      __builtin_prefetch(directory + pieces[i]);
    }
    for (std::size_t i = 0; i < batch.size(); ++i) __builtin_prefetch(node_ids.data() + directory[pieces[i]]);
    for (std::size_t i = 0; i < batch.size(); ++i)
      found[i] = find_between(node_ids.data(), directory[pieces[i]], directory[pieces[i] + 1], batch[i]);
  }
}

std::vector<std::uint32_t> Model::repeated_nodes() const {
  std::vector<std::uint32_t> repeated;
  for (std::size_t i = 1; i < node_ids.size(); ++i) {
    const auto place = [this](std::size_t p) { return by_id_.empty() ? static_cast<std::uint32_t>(p) : by_id_[p]; };
    if (node_ids[place(i)] == node_ids[place(i - 1)]) repeated.push_back(place(i));
  }
  std::sort(repeated.begin(), repeated.end());
  return repeated;
}

void Model::drop_node_ids() {
  // Move-assigns empty vectors, which releases the memory (`= {}` would not).
  node_ids = std::vector<Id>();
  by_id_ = std::vector<std::uint32_t>();
  directory_ = std::vector<std::uint32_t>();
}

std::size_t Model::memory() const {
  return bytes_of(node_ids) + bytes_of(node_positions) + bytes_of(ways) + bytes_of(refs) + bytes_of(relations) +
         bytes_of(members) + bytes_of(missing) + strings.memory() + bytes_of(tag_table) + bytes_of(node_tags) +
         bytes_of(way_tags) + bytes_of(relation_tags) + bytes_of(tagged_nodes) + bytes_of(tagged_first) + bytes_of(by_id_) +
         bytes_of(directory_) + bytes_of(tag_slots_);
}

bool same(const Model& a, const Model& b) {
  if (a.version != b.version || a.generator != b.generator || a.attributes != b.attributes || a.bounds != b.bounds ||
      a.node_ids != b.node_ids || a.node_positions != b.node_positions || a.ways.size() != b.ways.size() ||
      a.refs.size() != b.refs.size() || a.relations.size() != b.relations.size() || a.members.size() != b.members.size() ||
      a.tagged_nodes != b.tagged_nodes)
    return false;
  const auto same_tags = [&](std::span<const TagId> left, std::span<const TagId> right) {
    return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                      [&](TagId x, TagId y) { return a.key(x) == b.key(y) && a.value(x) == b.value(y); });
  };
  const auto same_ref = [&](Ref x, Ref y) {
    if (x.is_missing() != y.is_missing()) return false;
    return x.is_missing() ? a.missing[x.number()] == b.missing[y.number()] : x == y;
  };
  for (std::size_t i = 0; i < a.tagged_nodes.size(); ++i)
    if (!same_tags(a.tags_of_tagged_node(i), b.tags_of_tagged_node(i))) return false;
  for (std::size_t i = 0; i < a.ways.size(); ++i) {
    const auto x = a.refs_of(i), y = b.refs_of(i);
    if (a.ways[i].id != b.ways[i].id || !std::equal(x.begin(), x.end(), y.begin(), y.end(), same_ref) ||
        !same_tags(a.tags_of_way(i), b.tags_of_way(i)))
      return false;
  }
  for (std::size_t i = 0; i < a.relations.size(); ++i) {
    const auto x = a.members_of(i), y = b.members_of(i);
    const auto same_member = [&](const Member& m, const Member& n) {
      return m.kind == n.kind && a.strings[m.role] == b.strings[n.role] && same_ref(m.ref, n.ref);
    };
    if (a.relations[i].id != b.relations[i].id || !std::equal(x.begin(), x.end(), y.begin(), y.end(), same_member) ||
        !same_tags(a.tags_of_relation(i), b.tags_of_relation(i)))
      return false;
  }
  return true;
}

}  // namespace simbatch::osm
