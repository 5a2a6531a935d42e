// What can be known only when much or all of the text was read: references, duplicates, counted problems, places.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "formats/osm/hash.hpp"
#include "formats/osm/xml_reader.hpp"

namespace simbatch::osm::detail {

std::size_t XmlReader::name_length(const char* at) {
  std::size_t length = 0;
  while (is_name(at[1 + length])) ++length;
  return length;
}

std::uint64_t XmlReader::offset(const char* at) const {
  return window_offset_ + static_cast<std::uint64_t>(at - scanner_.window.begin);
}

void XmlReader::settle_lines() {
  if (uncounted_.empty()) return;
  for (std::size_t i = uncounted_.find('\n'); i != std::string_view::npos; i = uncounted_.find('\n', i + 1)) {
    ++line_;
    line_start_ = uncounted_offset_ + i + 1;
  }
  uncounted_ = {};
  window_line_ = line_;
  window_line_start_ = line_start_;
}

void XmlReader::move_line_count(const char* to) {
  while (counted_ < to) {
    const void* const end = std::memchr(counted_, '\n', static_cast<std::size_t>(to - counted_));
    if (end == nullptr) break;
    counted_ = static_cast<const char*>(end) + 1;
    ++line_;
    line_start_ = offset(counted_);
  }
  counted_ = to;
}

Position XmlReader::position(const char* at) {
  settle_lines();
  if (at < counted_) {  // rare: a place before the current token
    counted_ = scanner_.window.begin;
    line_ = window_line_;
    line_start_ = window_line_start_;
  }
  // Remember the count at the current token only: later questions about this token may go back to its start.
  if (token_ != nullptr && token_ >= counted_ && token_ <= at) move_line_count(token_);
  std::uint32_t line = line_;
  std::uint64_t start = line_start_;
  for (const char* p = counted_; p < at; ++p) {
    if (*p == '\n') {
      ++line;
      start = offset(p + 1);
    }
  }
  const std::uint64_t here = offset(at);
  return {line, static_cast<std::uint32_t>(std::min<std::uint64_t>(here >= start ? here - start + 1 : 1, UINT32_MAX))};
}

void XmlReader::report(const Code& code, const char* at, std::string message) {
  // Beyond what is kept, the place is not worth counting lines for.
  const bool kept = diagnostics_.errors() < Diagnostics::kMaxKept;
  diagnostics_.report(code, kept ? position(at) : Position{}, std::move(message));
}

void XmlReader::count(Counted& counted, const char* at, std::string example) {
  if (counted.count++ != 0) return;
  counted.first = position(at);
  counted.example = std::move(example);
}

void XmlReader::count_object(Counted& counted) {
  if (counted.count++ == 0) counted.first = object_at_;
}

void XmlReader::note_wanted(const char* at) {
  const auto found = std::lower_bound(wanted->begin(), wanted->end(), std::pair(kind_, object_number_),
                                      [](const Wanted& w, const auto& key) { return std::pair(w.kind, w.number) < key; });
  if (found != wanted->end() && found->kind == kind_ && found->number == object_number_) found->at = position(at);
}

void XmlReader::check_memory(const char* at) {
  if (model_.memory() <= options_.max_model_bytes && model_.node_ids.size() < Ref::kMissingBit - 65536 &&
      model_.refs.size() < UINT32_MAX - 65536)
    return;
  report(code::kMemory, at,
         fmt::format("the map is larger than the limit of {} bytes or 2^31 nodes", options_.max_model_bytes));
  failed_ = true;
}

// Room for all nodes of the file, guessed from the part that was read: pages never touched cost nothing.
void XmlReader::reserve_nodes(const char* at) {
  const std::size_t count = model_.node_ids.size();
  const std::uint64_t done = offset(at) + 1 - begin_;
  std::size_t room = std::max<std::size_t>(1024, count * 2);
  if (done > 65536 && expected_bytes_ > done + begin_) {
    const double all = static_cast<double>(count) * static_cast<double>(expected_bytes_ - begin_) / static_cast<double>(done);
    room = std::max(count + count / 4, static_cast<std::size_t>(all * 1.02) + 1024);
  }
  model_.node_ids.reserve(room);
  model_.node_positions.reserve(room);
}

std::uint32_t XmlReader::missing_number(Id id) {
  if (missing_slots_.size() < 2 * (model_.missing.size() + 1)) {
    missing_slots_.assign(std::max<std::size_t>(64, missing_slots_.size() * 2), 0);
    for (std::uint32_t i = 0; i < model_.missing.size(); ++i) {
      std::size_t slot = fold(static_cast<std::uint64_t>(model_.missing[i]), 0xA0761D6478BD642F) & (missing_slots_.size() - 1);
      while (missing_slots_[slot] != 0) slot = (slot + 1) & (missing_slots_.size() - 1);
      missing_slots_[slot] = i + 1;
    }
  }
  const std::size_t mask = missing_slots_.size() - 1;
  std::size_t slot = fold(static_cast<std::uint64_t>(id), 0xA0761D6478BD642F) & mask;
  for (; missing_slots_[slot] != 0; slot = (slot + 1) & mask)
    if (model_.missing[missing_slots_[slot] - 1] == id) return missing_slots_[slot] - 1;
  model_.missing.push_back(id);
  missing_slots_[slot] = static_cast<std::uint32_t>(model_.missing.size());
  return missing_slots_[slot] - 1;
}

void XmlReader::flush_refs() {
  if (pending_count_ == 0) return;
  std::array<std::uint32_t, kBatch> found;
  model_.find_nodes(std::span(pending_.data(), pending_count_), found.data());
  if (model_.refs.capacity() - model_.refs.size() < pending_count_)
    model_.refs.reserve(std::max(model_.refs.size() * 2, model_.node_ids.size() + model_.node_ids.size() / 8 + 1024));
  for (std::size_t i = 0; i < pending_count_; ++i) {
    if (found[i] != kNone) {
      model_.refs.push_back(Ref(found[i]));
      continue;
    }
    model_.refs.push_back(Ref::missing(missing_number(pending_[i])));
    if (dangling_.count++ == 0 && pending_offsets_[i] >= window_offset_)
      dangling_.first = position(scanner_.window.begin + (pending_offsets_[i] - window_offset_));
  }
  pending_count_ = 0;
}

// Nodes stood behind ways: what was missing then may be here now.
void XmlReader::resolve_late() {
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
  if (dangling != dangling_.count) dangling_.first = {};
  dangling_.count = dangling;
  model_.missing = std::move(still);
  missing_slots_.clear();
}

void XmlReader::resolve_members() {
  if (member_ids_.empty()) return;
  // Ways and relations by id; the first of several with the same id counts.
  std::array<std::vector<std::pair<Id, std::uint32_t>>, 2> by_id;
  for (std::uint32_t i = 0; i < model_.ways.size(); ++i) by_id[0].emplace_back(model_.ways[i].id, i);
  for (std::uint32_t i = 0; i < model_.relations.size(); ++i) by_id[1].emplace_back(model_.relations[i].id, i);
  for (auto& list : by_id)
    if (!std::is_sorted(list.begin(), list.end())) std::sort(list.begin(), list.end());
  for (std::size_t i = 0; i < member_ids_.size(); ++i) {
    Member& member = model_.members[i];
    std::uint32_t number = kNone;
    if (member.kind == Kind::node) {
      number = model_.find_node(member_ids_[i]);
    } else {
      const auto& list = by_id[member.kind == Kind::way ? 0 : 1];
      const auto found = std::lower_bound(list.begin(), list.end(), std::pair(member_ids_[i], std::uint32_t{0}));
      if (found != list.end() && found->first == member_ids_[i]) number = found->second;
    }
    if (number == kNone) {
      ++facts_.dangling[static_cast<std::size_t>(member.kind)];
      ++dangling_members_.count;
      member.ref = Ref::missing(missing_number(member_ids_[i]));
    } else {
      member.ref = Ref(number);
    }
  }
  member_ids_ = std::vector<Id>();
}

void XmlReader::find_repeated() {
  if (facts_.sorted) return;  // ids ascend strictly
  for (const std::uint32_t node : model_.repeated_nodes()) repeated.push_back({Kind::node, node, {}});
  const auto search = [this](Kind kind, const auto& objects) {
    std::vector<std::pair<Id, std::uint32_t>> by_id;
    for (std::uint32_t i = 0; i < objects.size(); ++i) by_id.emplace_back(objects[i].id, i);
    std::sort(by_id.begin(), by_id.end());
    const std::size_t first = repeated.size();
    for (std::size_t i = 1; i < by_id.size(); ++i)
      if (by_id[i].first == by_id[i - 1].first) repeated.push_back({kind, by_id[i].second, {}});
    std::sort(repeated.begin() + static_cast<std::ptrdiff_t>(first), repeated.end(),
              [](const Wanted& a, const Wanted& b) { return a.number < b.number; });
  };
  search(Kind::way, model_.ways);
  search(Kind::relation, model_.relations);
}

void XmlReader::tell(const Code& code, const Counted& counted, std::string message) {
  if (counted.count != 0) diagnostics_.report(code, counted.first, std::move(message));
}

bool XmlReader::finish() {
  if (failed_) return false;
  if (!root_closed_) {
    if (!root_seen_)
      diagnostics_.report(code::kXmlTruncated, end_, "the text has no root element");
    else
      diagnostics_.report(code::kXmlTruncated, end_, "the text ends before </" + open_name() + ">");
    failed_ = true;
    return false;
  }
  layout_.size = facts_.text_bytes;
  if (!index_built_ || late_nodes_) resolve_late();
  resolve_members();
  find_repeated();
  facts_.dangling[0] += dangling_.count;

  const auto times = [](std::uint64_t n, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", n, n == 1 ? one : many);
  };
  tell(code::kElementUnknown, unknown_,
       fmt::format("{} that OSM files do not have, the first {}", times(unknown_.count, "element", "elements"),
                   unknown_.example));
  tell(code::kText, text_,
       fmt::format("text stands between elements at {}, first {}", times(text_.count, "place", "places"), text_.example));
  tell(code::kTagRepeated, repeated_keys_,
       fmt::format("{} repeated within one object, the first {}", times(repeated_keys_.count, "key is", "keys are"),
                   repeated_keys_.example));
  tell(code::kRemark, remark_, "the server remarks: " + quoted(remark_.example, 160));
  tell(code::kDanglingNode, dangling_,
       fmt::format("{} to nodes that the file does not hold",
                   times(dangling_.count, "reference of a way leads", "references of ways lead")));
  if (options_.remarks) remarks();
  return usable_;
}

void XmlReader::remarks() {
  tell(code::kUnsorted, unsorted_,
       fmt::format("{} not in the order of kinds and ids",
                   unsorted_.count == 1 ? "1 object is" : fmt::format("{} objects are", unsorted_.count)));
  if (model_.bounds.size() > 1)
    diagnostics_.report(code::kBoundsSeveral, second_bounds_, fmt::format("the file has {} bounds", model_.bounds.size()));
  if (model_.bounds.empty()) diagnostics_.report(code::kBoundsNone, {}, "the file has no bounds");
  tell(code::kTimestamp, timestamps_,
       fmt::format("time stamps of another form than 2007-12-13T10:30:45Z: {}", timestamps_.count));
  tell(code::kDigits, digits_, fmt::format("coordinates with digits beyond 10^-7 degrees, rounded: {}", digits_.count));
  const std::uint64_t deleted = facts_.deleted[0] + facts_.deleted[1] + facts_.deleted[2];
  if (deleted != 0) diagnostics_.report(code::kDeleted, {}, fmt::format("objects marked as deleted: {}", deleted));
  tell(code::kDanglingMember, dangling_members_,
       fmt::format("members of relations that the file does not hold: {}", dangling_members_.count));
  tell(code::kVersionAbsent, versions_, fmt::format("objects with a positive id and no version: {}", versions_.count));
  tell(code::kWayShort, short_ways_, fmt::format("ways of fewer than 2 nodes: {}", short_ways_.count));
  tell(code::kWayLong, long_ways_, fmt::format("ways of more than 2000 nodes: {}", long_ways_.count));
  tell(code::kWayStutter, stutter_, fmt::format("the same node twice in a row: {}", stutter_.count));
}

}  // namespace simbatch::osm::detail
