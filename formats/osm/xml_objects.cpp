// What elements mean: objects of the model, facts, the places that the pass-through writer needs.
#include <algorithm>
#include <cstring>

#include "formats/osm/hash.hpp"
#include "formats/osm/numbers.hpp"
#include "formats/osm/xml_reader.hpp"

namespace simbatch::osm::detail {
namespace {

constexpr std::int32_t kMaxLat = 900'000'000, kMaxLon = 1'800'000'000;

/// A number that orders ids as osmium does: -1, -2, -3, ..., 1, 2, 3, ...
std::uint64_t rank(Id id) {
  return id < 0 ? 0 - static_cast<std::uint64_t>(id) : static_cast<std::uint64_t>(id) + (std::uint64_t{1} << 63);
}

}  // namespace

void XmlReader::root(const char* at, const char* behind, bool empty) {
  root_seen_ = true;
  if (name_ != "osm") {
    const bool change = name_ == "osmChange";
    report(code::kRoot, at,
           "the root element is <" + std::string(name_.substr(0, 40)) + ">, not <osm>" +
               (change ? ": this is a file of changes, not a map" : ""));
    failed_ = true;
    return;
  }
  std::optional<std::string> version;
  const char* version_end = nullptr;
  for (const Attribute& a : attributes_) {
    std::string value(decoded(a.value, scratch_));
    if (a.name == "version") {
      version = value;
      version_end = a.value.end + 1;
      continue;
    }
    if (a.name == "generator") {
      model_.generator = std::move(value);
      continue;
    }
    if (a.name == "upload") {
      layout_.upload_value = value;
      layout_.upload = {offset(a.value.begin), offset(a.value.end)};
    }
    model_.attributes.emplace_back(std::string(a.name), std::move(value));
  }
  if (!attributes_.empty()) layout_.quote = *attributes_.front().value.end;
  layout_.upload_at = offset(version_end != nullptr ? version_end : at + 4);
  if (version == "0.5") {
    model_.version = Version::v0_5;
    usable_ = true;
  } else if (version == "0.6") {
    usable_ = true;
  } else if (!version) {
    report(code::kVersion, at, "<osm> has no version; 0.5 and 0.6 are read");
  } else {
    report(code::kVersion, at, "the version of <osm> is " + quoted(*version) + "; 0.5 and 0.6 are read");
  }
  if (empty) {
    layout_.root_is_empty = true;
    layout_.root_close = {offset(behind - 2), offset(behind)};
    layout_.insert_at = layout_.root_close.begin;
    layout_.newline = "\n";
    first_object_seen_ = true;
    root_closed_ = true;
  } else {
    push(Element::osm, name_, at);
  }
}

// The place for new nodes, and how the lines of this file look there.
void XmlReader::note_first_object(const char* at) {
  first_object_seen_ = true;
  layout_.insert_at = offset(at);
  const char* line = at;
  while (line > blanks_ && line[-1] != '\n') --line;
  layout_.indent.assign(line, at);
  layout_.newline = line - blanks_ >= 2 && line[-2] == '\r' ? "\r\n" : "\n";
}

void XmlReader::start(Element element, const char* at, bool empty) {
  switch (element) {
    case Element::node: begin_object(Kind::node, at); break;
    case Element::way: begin_object(Kind::way, at); break;
    case Element::relation: begin_object(Kind::relation, at); break;
    case Element::nd: add_nd(at); break;
    case Element::tag: add_tag(at); break;
    case Element::member: add_member(at); break;
    case Element::bounds: add_bounds(at, false); break;
    case Element::bound: add_bounds(at, true); break;
    case Element::remark:
      if (remark_.count++ == 0) remark_.first = position(at);
      break;
    default: break;
  }
  if (empty) {
    if (element == Element::node || element == Element::way || element == Element::relation) end_object();
    return;
  }
  switch (element) {
    case Element::node: push(element, "node", at); break;
    case Element::way: push(element, "way", at); break;
    case Element::relation: push(element, "relation", at); break;
    default: push(element, std::string_view(at + 1, name_length(at)), at); break;
  }
}

bool XmlReader::is_deleted() const {
  return (has(kVisible) && values_[kVisible].raw() == "false") || (has(kAction) && values_[kAction].raw() == "delete");
}

void XmlReader::begin_object(Kind kind, const char* at) {
  const auto k = static_cast<std::size_t>(kind);
  kind_ = kind;
  object_offset_ = offset(at);
  located_ = false;
  skip_ = false;
  key_hashes_.clear();
  if (!first_object_seen_) note_first_object(at);
  if (++facts_.objects[k] % 65536 == 0) check_memory(at);

  Id id = 0;
  if (!has(kIdRole)) {
    report(code::kAttributeMissing, at, "<" + std::string(to_text(kind)) + "> has no id");
    skip_ = true;
  } else if (!read_id(values_[kIdRole].begin, values_[kIdRole].end, id)) {
    report(code::kId, values_[kIdRole].begin,
           "the id " + quoted(values_[kIdRole].raw()) + " is not a number within 64 bits other than 0");
    skip_ = true;
  } else {
    const std::uint64_t place = rank(id);
    if (static_cast<int>(k) > highest_kind_) {
      highest_kind_ = static_cast<int>(k);
      last_rank_ = 0;
    }
    if (static_cast<int>(k) < highest_kind_ || place <= last_rank_) {
      facts_.sorted = false;
      if (options_.remarks) count(unsorted_, at);
    }
    if (static_cast<int>(k) == highest_kind_) last_rank_ = place;
    if (kind == Kind::node && first_rank_ == 0) first_rank_ = place;
    if (facts_.lowest_id[k] == 0 || id < facts_.lowest_id[k]) facts_.lowest_id[k] = id;
    if (facts_.highest_id[k] == 0 || id > facts_.highest_id[k]) facts_.highest_id[k] = id;
  }
  object_id_ = id;
  const bool deleted = is_deleted();
  if (deleted) {
    ++facts_.deleted[k];
    if (!options_.keep_deleted) skip_ = true;
  }
  if (options_.remarks) {
    if (kind == Kind::way) object_at_ = position(at);
    if (has(kTimestampRole)) {
      const std::string_view time = values_[kTimestampRole].raw();
      if (time.size() != 20 || time.back() != 'Z' || time[10] != 'T') count(timestamps_, at);
    }
    if (id > 0 && !has(kVersionRole) && model_.version == Version::v0_6) count(versions_, at);
  }

  if (kind == Kind::node) {
    if (index_built_) {
      late_nodes_ = true;
      facts_.nodes_first = false;
    }
    LatLon where;
    if (!read_position(at, deleted, where)) skip_ = true;
    if (skip_) return;
    if (model_.node_ids.size() == model_.node_ids.capacity()) reserve_nodes(at);
    object_number_ = static_cast<std::uint32_t>(model_.node_ids.size());
    model_.node_ids.push_back(id);
    model_.node_positions.push_back(where);
  } else if (kind == Kind::way) {
    if (!index_built_) {
      if (!inside_) model_.build_index();
      index_built_ = true;
    }
    last_ref_ = 0;
    object_refs_ = 0;
    if (skip_) return;
    object_number_ = static_cast<std::uint32_t>(model_.ways.size());
    model_.ways.push_back({id, static_cast<std::uint32_t>(inside_ ? packed_count_ : model_.refs.size() + pending_count_),
                           static_cast<std::uint32_t>(model_.way_tags.size())});
  } else {
    if (skip_) return;
    object_number_ = static_cast<std::uint32_t>(model_.relations.size());
    model_.relations.push_back(
        {id, static_cast<std::uint32_t>(model_.members.size()), static_cast<std::uint32_t>(model_.relation_tags.size())});
  }
  if (wanted != nullptr) note_wanted(at);
}

bool XmlReader::read_position(const char* at, bool deleted, LatLon& where) {
  bool fine = true;
  const auto read = [&](Role role, std::string_view name, std::int32_t limit, const Code& fault, std::int32_t& value) {
    if (!has(role)) {
      // A deleted node of the server has no position any more.
      if (!deleted) report(code::kAttributeMissing, at, "<node> has no " + std::string(name));
      fine = false;
      return;
    }
    bool longer = false;
    if (!read_degrees(values_[role].begin, values_[role].end, limit, value, longer)) {
      report(fault, values_[role].begin,
             std::string(name) + " is " + quoted(values_[role].raw()) + ", not a number within " +
                 std::to_string(-limit / 10'000'000) + " to " + std::to_string(limit / 10'000'000) + " degrees");
      fine = false;
    }
    if (longer) {
      ++facts_.longer_digits;
      if (options_.remarks) count(digits_, at);
    }
  };
  read(kLat, "lat", kMaxLat, code::kLatitude, where.lat_e7);
  read(kLon, "lon", kMaxLon, code::kLongitude, where.lon_e7);
  return fine;
}

void XmlReader::end_object() {
  if (kind_ == Kind::node && !located_ && object_id_ != 0) {
    if (facts_.lowest_other_node == 0 || object_id_ < facts_.lowest_other_node) facts_.lowest_other_node = object_id_;
    if (facts_.highest_other_node == 0 || object_id_ > facts_.highest_other_node) facts_.highest_other_node = object_id_;
  }
  if (kind_ == Kind::way && !skip_ && options_.remarks) {
    if (object_refs_ < 2) count_object(short_ways_);
    if (object_refs_ > 2000 && model_.version == Version::v0_6) count_object(long_ways_);
  }
  if (located_) {
    layout_.located.push_back({object_offset_, 0});
    layout_.located_ids.push_back(object_id_);
    if (!skip_) layout_.located_nodes.push_back(object_number_);
    located_open_ = true;
  }
}

void XmlReader::close_located(const char* at) {
  layout_.located.back().end = offset(at);
  located_open_ = false;
}

void XmlReader::add_nd(const char* at) {
  Id id = 0;
  if (!has(kRefRole)) {
    report(code::kAttributeMissing, at, "<nd> has no ref");
    return;
  }
  if (!read_id(values_[kRefRole].begin, values_[kRefRole].end, id)) {
    report(code::kId, values_[kRefRole].begin,
           "the ref " + quoted(values_[kRefRole].raw()) + " is not a number within 64 bits other than 0");
    return;
  }
  if (skip_) return;
  ++object_refs_;
  if (options_.remarks && id == last_ref_) count(stutter_, at);
  last_ref_ = id;
  if (inside_) return pack_ref(id);
  pending_[pending_count_] = id;
  pending_offsets_[pending_count_] = offset(at);
  if (++pending_count_ == kBatch) flush_refs();
}

void XmlReader::add_tag(const char* at) {
  ++facts_.tags;
  if (!has(kK) || !has(kV)) {
    report(code::kAttributeMissing, at, has(kK) ? "<tag> has no v" : "<tag> has no k");
    return;
  }
  const std::string_view key = value(kK, scratch_);
  const std::uint64_t hash = quick_hash(key);
  if (std::find(key_hashes_.begin(), key_hashes_.end(), hash) != key_hashes_.end()) {
    count(repeated_keys_, at, quoted(key));
  } else if (key_hashes_.size() < 64) {  // nobody has more; the search stays short
    key_hashes_.push_back(hash);
  }
  if (!keys_full_ || !options_.locate_key.empty()) {
    if (kind_ == Kind::node && !options_.locate_key.empty() && key == options_.locate_key) located_ = true;
    if (!keys_full_ && (!key_kept_[hash & 255] ||
                        std::find(options_.keep_keys.begin(), options_.keep_keys.end(), key) == options_.keep_keys.end()))
      return;
  }
  if (skip_) return;
  const TagId tag = model_.intern_tag(key, value(kV, scratch2_));
  if (kind_ == Kind::way) {
    model_.way_tags.push_back(tag);
  } else if (kind_ == Kind::relation) {
    model_.relation_tags.push_back(tag);
  } else {
    if (model_.tagged_nodes.empty() || model_.tagged_nodes.back() != object_number_) {
      model_.tagged_nodes.push_back(object_number_);
      model_.tagged_first.push_back(static_cast<std::uint32_t>(model_.node_tags.size()));
    }
    model_.node_tags.push_back(tag);
  }
}

void XmlReader::add_member(const char* at) {
  Id id = 0;
  if (!has(kRefRole) || !has(kType)) {
    report(code::kAttributeMissing, at, has(kRefRole) ? "<member> has no type" : "<member> has no ref");
    return;
  }
  const std::string_view type = value(kType, scratch_);
  Kind kind = Kind::node;
  if (type == "way") {
    kind = Kind::way;
  } else if (type == "relation") {
    kind = Kind::relation;
  } else if (type != "node") {
    report(code::kMemberType, values_[kType].begin, "the type of a member is " + quoted(type) + ", not node, way or relation");
    return;
  }
  if (!read_id(values_[kRefRole].begin, values_[kRefRole].end, id)) {
    report(code::kId, values_[kRefRole].begin,
           "the ref " + quoted(values_[kRefRole].raw()) + " is not a number within 64 bits other than 0");
    return;
  }
  if (skip_) return;
  model_.add_member(kind, Ref(), has(kMemberRole) ? value(kMemberRole, scratch2_) : std::string_view{});
  member_ids_.push_back(id);
}

void XmlReader::add_bounds(const char* at, bool old_form) {
  Bounds bounds;
  std::array<std::string, 4> numbers;
  static constexpr std::string_view kNames[] = {"minlat", "minlon", "maxlat", "maxlon"};
  std::size_t found = 0;
  const char* place = at;
  for (const Attribute& a : attributes_) {
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
    report(code::kBounds, at,
           old_form ? "<bound> needs box=\"minlat,minlon,maxlat,maxlon\"" : "<bounds> needs minlat, minlon, maxlat and maxlon");
    return;
  }
  std::array<std::int32_t, 4> e7{};
  bool longer = false;
  for (std::size_t i = 0; i < 4; ++i) {
    numbers[i].reserve(numbers[i].size() + 8);  // read_degrees looks behind the end
    if (!read_degrees(numbers[i].data(), numbers[i].data() + numbers[i].size(), i % 2 == 0 ? kMaxLat : kMaxLon, e7[i],
                      longer)) {
      report(code::kBounds, place, std::string(kNames[i]) + " is " + quoted(numbers[i]) + ", not a number of degrees in range");
      return;
    }
  }
  bounds.min = {e7[0], e7[1]};
  bounds.max = {e7[2], e7[3]};
  if (bounds.min.lat_e7 > bounds.max.lat_e7) {
    report(code::kBounds, at, "minlat is above maxlat");
    return;
  }
  if (model_.bounds.size() == 1) second_bounds_ = position(at);
  if (model_.bounds.size() < 10'000) model_.bounds.push_back(std::move(bounds));
}

}  // namespace simbatch::osm::detail
