// Two readers, one text: the second begins at what looks like an object in the middle of the text. Its results are used only if
// they equal those of a single reader: its references resolve, and its nodes come before its ways. Otherwise the first reader
// continues alone. Messages and order thus do not depend on the number of threads.
#include <algorithm>
#include <utility>

#include "formats/osm/object_builder.hpp"

namespace simbatch::osm::detail {
namespace {

template <class T>
void append(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
  from = std::vector<T>();
}

}  // namespace

bool ObjectBuilder::append(ObjectBuilder& rest) {
  const bool small = model_.memory() + rest.model_.memory() <= options_.max_model_bytes &&
                     model_.node_ids.size() + rest.model_.node_ids.size() < Ref::kMissingBit - 65536 &&
                     rest.references_.size() < UINT32_MAX - 65536 && model_.bounds.size() + rest.model_.bounds.size() < 10'000;
  const bool nodes_only = !index_built_ && model_.ways.empty() && model_.relations.empty() && highest_kind_ == Kind::node;
  if (!small || !nodes_only || rest.late_nodes_ || wanted != nullptr) return false;
  const std::size_t before = model_.node_ids.size();
  detail::append(model_.node_ids, rest.model_.node_ids);
  detail::append(model_.node_positions, rest.model_.node_positions);
  if (rest.index_built_) {
    model_.build_index();
    if (!references_.add_deferred(rest.references_)) {
      // The place of the first such reference is reported by the reader that reads this part again.
      model_.node_ids.resize(before);
      model_.node_positions.resize(before);
      model_.refs.clear();
      return false;
    }
    index_built_ = true;
  }
  append_tags(rest.model_, static_cast<std::uint32_t>(before));
  append_facts(rest);
  detail::append(model_.bounds, rest.model_.bounds);
  model_.ways = std::move(rest.model_.ways);
  model_.relations = std::move(rest.model_.relations);
  model_.members = std::move(rest.model_.members);
  member_ids_ = std::move(rest.member_ids_);
  return true;
}

/// Strings and tags get the same numbers as with a single builder.
void ObjectBuilder::append_tags(Model& from, std::uint32_t nodes_before) {
  std::vector<StringId> strings;
  for (StringId i = 0; i < from.strings.size(); ++i) strings.push_back(model_.strings.intern(from.strings[i]));
  std::vector<TagId> tags;
  for (TagId i = 0; i < from.tag_table.size(); ++i) tags.push_back(model_.intern_tag(from.key(i), from.value(i)));
  for (std::vector<TagId>* of : {&from.node_tags, &from.way_tags, &from.relation_tags})
    for (TagId& tag : *of) tag = tags[tag];
  for (Member& member : from.members) member.role = strings[member.role];
  for (std::uint32_t& node : from.tagged_nodes) node += nodes_before;
  for (std::uint32_t& first : from.tagged_first) first += static_cast<std::uint32_t>(model_.node_tags.size());
  detail::append(model_.tagged_nodes, from.tagged_nodes);
  detail::append(model_.tagged_first, from.tagged_first);
  detail::append(model_.node_tags, from.node_tags);
  model_.way_tags = std::move(from.way_tags);
  model_.relation_tags = std::move(from.relation_tags);
}

void ObjectBuilder::append_facts(const ObjectBuilder& rest) {
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
  lower(facts_.lowest_other_way, from.lowest_other_way);
  higher(facts_.highest_other_node, from.highest_other_node);
  facts_.tags += from.tags;
  facts_.longer_digits += from.longer_digits;
  facts_.sorted = facts_.sorted && from.sorted && (rest.first_node_rank_ == 0 || rest.first_node_rank_ > last_rank_);
  facts_.text_bytes = from.text_bytes;
}

}  // namespace simbatch::osm::detail
