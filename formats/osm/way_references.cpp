// Deferred references: zigzag and LEB128 coding of differences, as in Protocol Buffers ("Encoding", sint64).
#include "formats/osm/way_references.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace simbatch::osm::detail {

void WayReferences::pack(Id id) {
  // The difference with its sign in the lowest bit, seven bits per byte.
  const std::uint64_t difference = static_cast<std::uint64_t>(id) - static_cast<std::uint64_t>(packed_last_);
  packed_last_ = id;
  ++packed_count_;
  std::uint64_t rest = difference << 1 ^ (0 - (difference >> 63));
  for (; rest >= 0x80; rest >>= 7) packed_.push_back(static_cast<std::uint8_t>(rest | 0x80));
  packed_.push_back(static_cast<std::uint8_t>(rest));
}

bool WayReferences::add_deferred(const WayReferences& rest) {
  model_.refs.resize(rest.packed_count_);
  auto to = model_.refs.begin();
  std::array<Id, kBatch> ids{};
  std::array<std::uint32_t, kBatch> found{};
  std::uint64_t last = 0;
  const std::uint8_t* at = rest.packed_.data();
  for (std::size_t left = rest.packed_count_; left > 0;) {
    const std::size_t count = std::min(left, kBatch);
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t zigzag = 0;
      for (unsigned shift = 0;; shift += 7) {
        zigzag |= static_cast<std::uint64_t>(*at & 0x7F) << shift;
        if ((*at++ & 0x80) == 0) break;
      }
      last += zigzag >> 1 ^ (0 - (zigzag & 1));
      ids[i] = static_cast<Id>(last);
    }
    model_.find_nodes(std::span(ids.data(), count), found.data());
    for (std::size_t i = 0; i < count; ++i) {
      if (found[i] == kNone) return false;
      *to++ = Ref(found[i]);
    }
    left -= count;
  }
  return true;
}

void WayReferences::flush() {
  if (pending_count_ == 0) return;
  std::array<std::uint32_t, kBatch> found{};
  model_.find_nodes(std::span(pending_.data(), pending_count_), found.data());
  if (model_.refs.capacity() - model_.refs.size() < pending_count_)
    model_.refs.reserve(std::max(model_.refs.size() * 2, model_.node_ids.size() + model_.node_ids.size() / 8 + 1024));
  for (std::size_t i = 0; i < pending_count_; ++i) {
    if (found[i] != kNone) {
      model_.refs.emplace_back(found[i]);
      continue;
    }
    model_.refs.push_back(Ref::missing(missing_.number(pending_[i])));
    Counted& dangling = problems_.dangling_nodes;
    if (dangling.count++ == 0 && pending_offsets_[i] >= position_.window_offset())
      dangling.first = position_.at_offset(pending_offsets_[i]);
  }
  pending_count_ = 0;
}

void WayReferences::resolve_late() {
  model_.build_index();
  if (model_.missing.empty()) return;
  std::vector<Ref> now(model_.missing.size());
  std::vector<Id> still;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const std::uint32_t node = model_.find_node(model_.missing[i]);
    if (node != kNone) {
      now[i] = Ref(node);
    } else {
      now[i] = Ref::missing(static_cast<std::uint32_t>(still.size()));
      still.push_back(model_.missing[i]);
    }
  }
  std::uint64_t dangling = 0;
  for (Ref& ref : model_.refs) {
    if (ref.is_missing()) ref = now[ref.number()];
    dangling += ref.is_missing();
  }
  Counted& counted = problems_.dangling_nodes;
  if (dangling != counted.count) counted.first = {};
  counted.count = dangling;
  model_.missing = std::move(still);
  missing_.clear();
}

}  // namespace simbatch::osm::detail
