#include "formats/osm/object_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/core/text.hpp"
#include "formats/osm/codes.hpp"
#include "formats/osm/hash.hpp"
#include "formats/osm/numbers.hpp"

namespace simbatch::osm::detail {
namespace {

constexpr std::int32_t kMaxLat = 900'000'000, kMaxLon = 1'800'000'000;
constexpr std::size_t kMaxBounds = 10'000;
constexpr std::size_t kMaxKeys = 64;  // maximum number per object that are compared: more do not occur, and the search is short

/// A number that orders ids as osmium does: -1, -2, -3, ..., 1, 2, 3, ...
std::uint64_t rank(Id id) {
  return id < 0 ? 0 - static_cast<std::uint64_t>(id) : static_cast<std::uint64_t>(id) + (std::uint64_t{1} << 63);
}

bool is_deleted(const RoleValues& tag) {
  return (tag.has(kVisible) && tag[kVisible].raw() == "false") || (tag.has(kAction) && tag[kAction].raw() == "delete");
}

}  // namespace

ObjectBuilder::ObjectBuilder(Document& document, const ReadOptions& options, XmlProblems& problems, TextPosition& position,
                             std::uint64_t expected_bytes)
    : document_(document),
      model_(document.model),
      facts_(document.facts),
      options_(options),
      problems_(problems),
      position_(position),
      expected_bytes_(expected_bytes),
      all_keys_kept_(options.keep_keys.empty()),
      missing_(model_.missing),
      references_(model_, missing_, problems, position) {
  kept_keys_.resize(std::bit_ceil(16 * (options.keep_keys.size() + 1)));
  for (const std::string& key : options.keep_keys) {
    std::size_t slot = quick_hash(key) & (kept_keys_.size() - 1);
    while (kept_keys_[slot] != nullptr) slot = (slot + 1) & (kept_keys_.size() - 1);
    kept_keys_[slot] = &key;
  }
}

void ObjectBuilder::begin_part(std::uint64_t offset) {
  begin_ = offset;
  references_.defer();
}

bool ObjectBuilder::begin(Kind kind, const RoleValues& tag, const char* at) {
  const auto k = static_cast<std::size_t>(kind);
  kind_ = kind;
  id_ = 0;
  located_ = false;
  key_hashes_.clear();
  if (++facts_.objects[k] % 65536 == 0 && !within_limits(at)) return false;

  if (tag.has(kIdRole) && read_id(tag[kIdRole].begin, tag[kIdRole].end, id_))
    note_id(kind, id_, at);
  else
    report_id(kind, tag, at);
  const bool deleted = is_deleted(tag);
  if (deleted) ++facts_.deleted[k];
  skip_ = id_ == 0 || (deleted && !options_.keep_deleted);
  if (options_.remarks) note_remarks(kind, tag, at);

  if (kind == Kind::node) {
    if (index_built_) {
      late_nodes_ = true;
      facts_.nodes_first = false;
    }
    const std::optional<LatLon> where = read_position(tag, at, deleted);
    if (!where) skip_ = true;
    if (skip_) return true;
    if (model_.node_ids.size() == model_.node_ids.capacity()) reserve_nodes(at);
    number_ = static_cast<std::uint32_t>(model_.node_ids.size());
    model_.node_ids.push_back(id_);
    model_.node_positions.push_back(*where);
  } else if (kind == Kind::way) {
    if (!index_built_) {
      if (!references_.deferred()) model_.build_index();
      index_built_ = true;
    }
    last_ref_ = 0;
    ref_count_ = 0;
    if (skip_) return true;
    number_ = static_cast<std::uint32_t>(model_.ways.size());
    model_.ways.push_back(
        {id_, static_cast<std::uint32_t>(references_.size()), static_cast<std::uint32_t>(model_.way_tags.size())});
  } else {
    if (skip_) return true;
    number_ = static_cast<std::uint32_t>(model_.relations.size());
    model_.relations.push_back(
        {id_, static_cast<std::uint32_t>(model_.members.size()), static_cast<std::uint32_t>(model_.relation_tags.size())});
  }
  if (wanted != nullptr) note_wanted(at);
  return true;
}

void ObjectBuilder::report_id(Kind kind, const RoleValues& tag, const char* at) {
  if (!tag.has(kIdRole)) {
    problems_.report(code::kAttributeMissing, at, "<" + std::string(to_text(kind)) + "> has no id");
  } else {
    problems_.report(code::kId, tag[kIdRole].begin,
                     "the id " + quoted(tag[kIdRole].raw()) + " is not a number within 64 bits other than 0");
  }
}

inline void ObjectBuilder::note_id(Kind kind, Id id, const char* at) {
  const auto k = static_cast<std::size_t>(kind);
  const std::uint64_t place = rank(id);
  if (kind == highest_kind_ && place > last_rank_)
    last_rank_ = place;
  else
    note_break(kind, place, at);
  if (facts_.lowest_id[k] == 0 && kind == Kind::node) first_node_rank_ = place;
  widen(facts_.lowest_id[k], facts_.highest_id[k], id);
}

/// An object that does not follow the one before in the order of ids: the first of its kind, if the file is sorted.
void ObjectBuilder::note_break(Kind kind, std::uint64_t place, const char* at) {
  if (kind <= highest_kind_) {
    facts_.sorted = false;
    if (options_.remarks) problems_.count(problems_.unsorted, at);
  }
  if (kind < highest_kind_) return;
  highest_kind_ = kind;
  last_rank_ = place;
}

void ObjectBuilder::note_remarks(Kind kind, const RoleValues& tag, const char* at) {
  if (kind == Kind::way) object_at_ = position_(at);
  if (tag.has(kTimestampRole)) {
    const std::string_view time = tag[kTimestampRole].raw();
    if (time.size() != 20 || time.back() != 'Z' || time[10] != 'T') problems_.count(problems_.timestamps, at);
  }
  if (id_ > 0 && !tag.has(kVersionRole) && model_.version == Version::v0_6) problems_.count(problems_.versions, at);
}

inline std::optional<LatLon> ObjectBuilder::read_position(const RoleValues& tag, const char* at, bool deleted) {
  LatLon where;
  if (tag.has(kLat) && tag.has(kLon) && read_degrees_quickly(tag[kLat].begin, tag[kLat].end, kMaxLat, where.lat_e7) &&
      read_degrees_quickly(tag[kLon].begin, tag[kLon].end, kMaxLon, where.lon_e7))
    return where;
  return read_position_slowly(tag, at, deleted);
}

std::optional<LatLon> ObjectBuilder::read_position_slowly(const RoleValues& tag, const char* at, bool deleted) {
  LatLon where;
  bool longer_lat = false, longer_lon = false;
  if (!tag.has(kLat) || !tag.has(kLon) || !read_degrees(tag[kLat].begin, tag[kLat].end, kMaxLat, where.lat_e7, longer_lat) ||
      !read_degrees(tag[kLon].begin, tag[kLon].end, kMaxLon, where.lon_e7, longer_lon)) {
    report_position(tag, at, deleted);
    return std::nullopt;
  }
  if (longer_lat) note_longer(at);
  if (longer_lon) note_longer(at);
  return where;
}

void ObjectBuilder::note_longer(const char* at) {
  ++facts_.longer_digits;
  if (options_.remarks) problems_.count(problems_.digits, at);
}

/// What is wrong with a position.
void ObjectBuilder::report_position(const RoleValues& tag, const char* at, bool deleted) {
  const auto check = [&](AttributeRole role, std::string_view name, std::int32_t limit, const Code& fault) {
    if (!tag.has(role)) {
      // A deleted node of the server has no position any more.
      if (!deleted) problems_.report(code::kAttributeMissing, at, "<node> has no " + std::string(name));
      return;
    }
    std::int32_t value = 0;
    bool longer = false;
    if (!read_degrees(tag[role].begin, tag[role].end, limit, value, longer)) {
      problems_.report(fault, tag[role].begin,
                       std::string(name) + " is " + quoted(tag[role].raw()) + ", not a number within " +
                           std::to_string(-limit / 10'000'000) + " to " + std::to_string(limit / 10'000'000) + " degrees");
    }
    if (longer) note_longer(at);
  };
  check(kLat, "lat", kMaxLat, code::kLatitude);
  check(kLon, "lon", kMaxLon, code::kLongitude);
}

bool ObjectBuilder::end_other(Layout& layout) {
  if (kind_ == Kind::way && !skip_ && options_.remarks) {
    if (ref_count_ < 2) XmlProblems::count(problems_.short_ways, object_at_);
    if (ref_count_ > 2000 && model_.version == Version::v0_6) XmlProblems::count(problems_.long_ways, object_at_);
  }
  if (kind_ == Kind::way && !located_ && id_ != 0 && (facts_.lowest_other_way == 0 || id_ < facts_.lowest_other_way))
    facts_.lowest_other_way = id_;
  if (!located_) return false;
  if (kind_ == Kind::way) {
    layout.located_ways.push_back(id_);
    return true;
  }
  layout.located_ids.push_back(id_);
  if (!skip_) layout.located_nodes.push_back(number_);
  return true;
}

void ObjectBuilder::report_ref(const RoleValues& tag, const char* at) {
  if (!tag.has(kRefRole)) return problems_.report(code::kAttributeMissing, at, "<nd> has no ref");
  const Value text = tag[kRefRole];
  problems_.report(code::kId, text.begin, "the ref " + quoted(text.raw()) + " is not a number within 64 bits other than 0");
}

void ObjectBuilder::add_nd(const RoleValues& tag, const char* at) {
  Id id = 0;
  if (!tag.has(kRefRole) || !read_id(tag[kRefRole].begin, tag[kRefRole].end, id)) return report_ref(tag, at);
  if (skip_) return;
  ++ref_count_;
  if (options_.remarks && id == last_ref_) problems_.count(problems_.stutter, at);
  last_ref_ = id;
  references_.add(id, at);
}

inline bool ObjectBuilder::is_kept(std::string_view key, std::uint64_t hash) const {
  const std::size_t mask = kept_keys_.size() - 1;
  for (std::size_t slot = hash & mask; kept_keys_[slot] != nullptr; slot = (slot + 1) & mask)
    if (*kept_keys_[slot] == key) return true;
  return false;
}

void ObjectBuilder::add_tag(const RoleValues& tag, const char* at) {
  ++facts_.tags;
  if (!tag.has(kK) || !tag.has(kV)) {
    problems_.report(code::kAttributeMissing, at, tag.has(kK) ? "<tag> has no v" : "<tag> has no k");
    return;
  }
  const std::string_view key = decoded(tag[kK], scratch_);
  const std::uint64_t hash = quick_hash(key);
  if (std::find(key_hashes_.begin(), key_hashes_.end(), hash) != key_hashes_.end()) {
    problems_.count(problems_.repeated_keys, at, quoted(key));
  } else if (key_hashes_.size() < kMaxKeys) {
    key_hashes_.push_back(hash);
  }
  if (!all_keys_kept_ || !options_.locate_key.empty()) {
    if (kind_ != Kind::relation && !options_.locate_key.empty() && key == options_.locate_key) located_ = true;
    if (!all_keys_kept_ && !is_kept(key, hash)) return;
  }
  if (skip_) return;
  const TagId number = model_.intern_tag(key, decoded(tag[kV], scratch2_));
  if (kind_ == Kind::way) {
    model_.way_tags.push_back(number);
  } else if (kind_ == Kind::relation) {
    model_.relation_tags.push_back(number);
  } else {
    if (model_.tagged_nodes.empty() || model_.tagged_nodes.back() != number_) {
      model_.tagged_nodes.push_back(number_);
      model_.tagged_first.push_back(static_cast<std::uint32_t>(model_.node_tags.size()));
    }
    model_.node_tags.push_back(number);
  }
}

void ObjectBuilder::add_member(const RoleValues& tag, const char* at) {
  if (!tag.has(kRefRole) || !tag.has(kType)) {
    problems_.report(code::kAttributeMissing, at, tag.has(kRefRole) ? "<member> has no type" : "<member> has no ref");
    return;
  }
  const std::string_view type = decoded(tag[kType], scratch_);
  Kind kind = Kind::node;
  if (type == "way") {
    kind = Kind::way;
  } else if (type == "relation") {
    kind = Kind::relation;
  } else if (type != "node") {
    problems_.report(code::kMemberType, tag[kType].begin,
                     "the type of a member is " + quoted(type) + ", not node, way or relation");
    return;
  }
  Id id = 0;
  if (!read_id(tag[kRefRole].begin, tag[kRefRole].end, id)) return report_ref(tag, at);
  if (skip_) return;
  model_.add_member(kind, Ref(), tag.has(kMemberRole) ? decoded(tag[kMemberRole], scratch2_) : std::string_view{});
  member_ids_.push_back(id);
}

void ObjectBuilder::add_bounds(std::span<const Attribute> attributes, bool old_form, const char* at) {
  Bounds bounds;
  std::array<std::string, 4> numbers;
  static constexpr std::string_view kNames[] = {"minlat", "minlon", "maxlat", "maxlon"};
  std::size_t found = 0;
  const char* place = at;
  for (const Attribute& a : attributes) {
    const std::string text(decoded(a.value, scratch_));
    if (a.name == "origin") bounds.origin = text;
    if (old_form && a.name == "box") {
      place = a.value.begin;
      std::size_t start = 0;
      for (found = 0; found < 4 && start <= text.size(); ++found) {
        const std::size_t comma = std::min(text.find(',', start), text.size());
        numbers[found] = text.substr(start, comma - start);
        start = comma + 1;
      }
      if (start <= text.size()) found = 5;  // a fifth number
    }
    if (!old_form) {
      for (std::size_t i = 0; i < 4; ++i) {
        if (a.name != kNames[i]) continue;
        numbers[i] = text;
        ++found;
      }
    }
  }
  if (found != 4) {
    problems_.report(
        code::kBounds, at,
        old_form ? "<bound> needs box=\"minlat,minlon,maxlat,maxlon\"" : "<bounds> needs minlat, minlon, maxlat and maxlon");
    return;
  }
  std::array<std::int32_t, 4> e7{};
  bool longer = false;
  for (std::size_t i = 0; i < 4; ++i) {
    if (!read_degrees(numbers[i].data(), numbers[i].data() + numbers[i].size(), i % 2 == 0 ? kMaxLat : kMaxLon, e7[i],
                      longer)) {
      problems_.report(code::kBounds, place,
                       std::string(kNames[i]) + " is " + quoted(numbers[i]) + ", not a number of degrees in range");
      return;
    }
  }
  bounds.min = {e7[0], e7[1]};
  bounds.max = {e7[2], e7[3]};
  if (bounds.min.lat_e7 > bounds.max.lat_e7) {
    problems_.report(code::kBounds, at, "minlat is above maxlat");
    return;
  }
  if (model_.bounds.size() == 1) problems_.second_bounds = position_(at);
  if (model_.bounds.size() < kMaxBounds) model_.bounds.push_back(std::move(bounds));
}

void ObjectBuilder::note_wanted(const char* at) {
  const RepeatedObject object{kind_, number_};
  const auto found = std::lower_bound(wanted->begin(), wanted->end(), object,
                                      [](const WantedPlace& w, const RepeatedObject& o) { return w.object < o; });
  if (found != wanted->end() && found->object == object) found->at = position_(at);
}

bool ObjectBuilder::within_limits(const char* at) {
  if (model_.memory() <= options_.max_model_bytes && model_.node_ids.size() < Ref::kMissingBit - 65536 &&
      model_.refs.size() < UINT32_MAX - 65536)
    return true;
  problems_.report(code::kMemory, at,
                   fmt::format("the map is larger than the limit of {} bytes or 2^31 nodes", options_.max_model_bytes));
  return false;
}

/// Reserves memory for all nodes of the file, estimated from the part read so far: untouched pages cost nothing.
void ObjectBuilder::reserve_nodes(const char* at) {
  const std::size_t count = model_.node_ids.size();
  const std::uint64_t done = position_.offset(at) + 1 - begin_;
  std::size_t room = std::max<std::size_t>(1024, count * 2);
  if (done > 65536 && expected_bytes_ > done + begin_) {
    const double all = static_cast<double>(count) * static_cast<double>(expected_bytes_ - begin_) / static_cast<double>(done);
    room = std::max(count + count / 4, static_cast<std::size_t>(all * 1.02) + 1024);
  }
  model_.node_ids.reserve(room);
  model_.node_positions.reserve(room);
}

void ObjectBuilder::finish() {
  if (!index_built_ || late_nodes_) references_.resolve_late();
  resolve_members(document_, member_ids_, missing_);
  member_ids_ = std::vector<Id>();
  facts_.dangling[0] += problems_.dangling_nodes.count;
}

}  // namespace simbatch::osm::detail
