// Two readers, one text: the second begins at what looks like an object in the middle of the text, and only if the first comes
// to stand just there, between two objects, is what it read what the first would have read. Whatever is unusual (a problem, a
// reference to a node that is not there, nodes behind ways) makes the first read on by itself: so no message and no order
// depends on the number of threads.
#include "formats/osm/xml_halves.hpp"

#include <algorithm>
#include <array>

#include "formats/osm/xml_reader.hpp"

namespace simbatch::osm::detail {
namespace {

constexpr std::size_t kSearch = std::size_t{1} << 20;  // bytes behind the middle; no object is as long

template <class T>
void append(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
  from = std::vector<T>();
}

}  // namespace

std::size_t cut_of(std::string_view text) {
  const std::size_t middle = text.size() / 100 * 54;  // the later part holds the ways, which take longer to read
  const std::string_view near = text.substr(middle, kSearch);
  const std::size_t found = std::min(near.find("<node "), near.find("<way "));
  return found == std::string_view::npos ? found : middle + found;
}

void XmlReader::begin_inside(std::uint64_t offset) {
  inside_ = true;
  begin_ = offset;
  facts_.text_bytes = offset;
  root_seen_ = usable_ = first_object_seen_ = true;
  at_start_ = false;
  push(Element::osm, "osm", nullptr);
}

void XmlReader::pack_ref(Id id) {
  // The difference with its sign in the lowest bit, seven bits a byte.
  const std::uint64_t difference = static_cast<std::uint64_t>(id) - static_cast<std::uint64_t>(packed_last_);
  packed_last_ = id;
  ++packed_count_;
  std::uint64_t rest = difference << 1 ^ (0 - (difference >> 63));
  for (; rest >= 0x80; rest >>= 7) packed_refs_.push_back(static_cast<std::uint8_t>(rest | 0x80));
  packed_refs_.push_back(static_cast<std::uint8_t>(rest));
}

// @return false when a node is not there
bool XmlReader::unpack_refs(XmlReader& rest) {
  model_.refs.reserve(rest.packed_count_);
  std::array<Id, kBatch> ids;
  std::array<std::uint32_t, kBatch> found;
  std::uint64_t last = 0;
  const std::uint8_t* at = rest.packed_refs_.data();
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
      model_.refs.push_back(Ref(found[i]));
    }
    left -= count;
  }
  return true;
}

bool XmlReader::fits(const XmlReader& rest) const {
  const bool stands_between = !failed_ && context_ == Element::osm && open_.size() == 1 && first_object_seen_;
  const bool nodes_only = !index_built_ && model_.ways.empty() && model_.relations.empty() && highest_kind_ == 0;
  const bool rest_complete = !rest.failed_ && rest.root_closed_ && !rest.late_nodes_ && !rest.located_open_;
  const bool rest_clean = rest.unknown_.count + rest.text_.count + rest.repeated_keys_.count + rest.remark_.count == 0;
  const bool small = model_.memory() + rest.model_.memory() <= options_.max_model_bytes &&
                     model_.node_ids.size() + rest.model_.node_ids.size() < Ref::kMissingBit - 65536 &&
                     rest.packed_count_ < UINT32_MAX - 65536 && model_.bounds.size() + rest.model_.bounds.size() < 10'000;
  return stands_between && nodes_only && rest_complete && rest_clean && small && !options_.remarks && wanted == nullptr;
}

bool XmlReader::join(XmlReader& rest) {
  if (!fits(rest)) return false;
  const std::size_t before = model_.node_ids.size();
  append(model_.node_ids, rest.model_.node_ids);
  append(model_.node_positions, rest.model_.node_positions);
  if (rest.index_built_) {
    model_.build_index();
    if (!unpack_refs(rest)) {
      // Where the first such reference stands is for the one to say who reads it in its place.
      model_.node_ids.resize(before);
      model_.node_positions.resize(before);
      model_.refs.clear();
      return false;
    }
    index_built_ = true;
  }
  join_tags(rest, static_cast<std::uint32_t>(before));
  join_facts(rest, static_cast<std::uint32_t>(before));
  append(model_.bounds, rest.model_.bounds);
  model_.ways = std::move(rest.model_.ways);
  model_.relations = std::move(rest.model_.relations);
  model_.members = std::move(rest.model_.members);
  member_ids_ = std::move(rest.member_ids_);
  open_.clear();
  open_names_.clear();
  context_ = Element::other;
  root_closed_ = true;
  return true;
}

// Strings and tags get the numbers that they would have if one reader had met them all, one after the other.
void XmlReader::join_tags(XmlReader& rest, std::uint32_t nodes_before) {
  Model& from = rest.model_;
  std::vector<StringId> strings;
  for (StringId i = 0; i < from.strings.size(); ++i) strings.push_back(model_.strings.intern(from.strings[i]));
  std::vector<TagId> tags;
  for (TagId i = 0; i < from.tag_table.size(); ++i) tags.push_back(model_.intern_tag(from.key(i), from.value(i)));
  for (std::vector<TagId>* of : {&from.node_tags, &from.way_tags, &from.relation_tags})
    for (TagId& tag : *of) tag = tags[tag];
  for (Member& member : from.members) member.role = strings[member.role];
  for (std::uint32_t& node : from.tagged_nodes) node += nodes_before;
  for (std::uint32_t& first : from.tagged_first) first += static_cast<std::uint32_t>(model_.node_tags.size());
  append(model_.tagged_nodes, from.tagged_nodes);
  append(model_.tagged_first, from.tagged_first);
  append(model_.node_tags, from.node_tags);
  model_.way_tags = std::move(from.way_tags);
  model_.relation_tags = std::move(from.relation_tags);
}

void XmlReader::join_facts(const XmlReader& rest, std::uint32_t nodes_before) {
  const Facts& from = rest.facts_;
  const auto lower = [](Id& id, Id other) {
    if (other != 0 && (id == 0 || other < id)) id = other;
  };
  const auto higher = [](Id& id, Id other) {
    if (other != 0 && (id == 0 || other > id)) id = other;
  };
  for (std::size_t k = 0; k < 3; ++k) {
    facts_.objects[k] += from.objects[k];
    facts_.deleted[k] += from.deleted[k];
    lower(facts_.lowest_id[k], from.lowest_id[k]);
    higher(facts_.highest_id[k], from.highest_id[k]);
  }
  lower(facts_.lowest_other_node, from.lowest_other_node);
  higher(facts_.highest_other_node, from.highest_other_node);
  facts_.tags += from.tags;
  facts_.longer_digits += from.longer_digits;
  facts_.sorted = facts_.sorted && from.sorted && (rest.first_rank_ == 0 || rest.first_rank_ > last_rank_);
  facts_.text_bytes = from.text_bytes;

  if (located_open_) {
    layout_.located.back().end = rest.begin_;
    located_open_ = false;
  }
  layout_.root_close = rest.layout_.root_close;
  for (const std::uint32_t node : rest.layout_.located_nodes) layout_.located_nodes.push_back(node + nodes_before);
  layout_.located_ids.insert(layout_.located_ids.end(), rest.layout_.located_ids.begin(), rest.layout_.located_ids.end());
  layout_.located.insert(layout_.located.end(), rest.layout_.located.begin(), rest.layout_.located.end());
}

}  // namespace simbatch::osm::detail
