// Effects of elements on layout and nesting, and the joining of two readers.
#include <optional>
#include <utility>

#include "base/core/text.hpp"
#include "formats/osm/codes.hpp"
#include "formats/osm/xml_reader.hpp"

namespace simbatch::osm::detail {
namespace {

std::size_t name_length(const char* at) {
  std::size_t length = 0;
  while (is_name(at[1 + length])) ++length;
  return length;
}

}  // namespace

void XmlReader::root(const char* at, const char* after, bool empty) {
  root_seen_ = true;
  if (name_ != "osm") {
    const bool change = name_ == "osmChange";
    problems_.report(code::kRoot, at,
                     "the root element is <" + std::string(name_.substr(0, 40)) + ">, not <osm>" +
                         (change ? ": this is a file of changes, not a map" : ""));
    failed_ = true;
    return;
  }
  root_attributes(at);
  if (empty) {
    layout_.root_is_empty = true;
    layout_.root_close = {position_.offset(after - 2), position_.offset(after)};
    layout_.insert_at = layout_.root_close.begin;
    layout_.newline = "\n";
    first_object_seen_ = true;
    root_closed_ = true;
  } else {
    push(Element::osm, name_, at);
  }
}

void XmlReader::root_attributes(const char* at) {
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
      document_.model.generator = std::move(value);
      continue;
    }
    if (a.name == "upload") {
      layout_.upload_value = value;
      layout_.upload = {position_.offset(a.value.begin), position_.offset(a.value.end)};
    }
    document_.model.attributes.emplace_back(std::string(a.name), std::move(value));
  }
  if (!attributes_.empty()) layout_.quote = *attributes_.front().value.end;
  layout_.upload_at = position_.offset(version_end != nullptr ? version_end : at + 4);
  if (version == "0.5") {
    document_.model.version = Version::v0_5;
    usable_ = true;
  } else if (version == "0.6") {
    usable_ = true;
  } else if (!version) {
    problems_.report(code::kVersion, at, "<osm> has no version; 0.5 and 0.6 are read");
  } else {
    problems_.report(code::kVersion, at, "the version of <osm> is " + quoted(*version) + "; 0.5 and 0.6 are read");
  }
}

/// Insertion point of new nodes, and the formatting of lines there.
void XmlReader::note_first_object(const char* at) {
  first_object_seen_ = true;
  layout_.insert_at = position_.offset(at);
  const char* line = at;
  while (line > blanks_ && line[-1] != '\n') --line;
  layout_.indent.assign(line, at);
  layout_.newline = line - blanks_ >= 2 && line[-2] == '\r' ? "\r\n" : "\n";
}

void XmlReader::begin_object(Kind kind, const char* at) {
  if (!first_object_seen_) note_first_object(at);
  object_offset_ = position_.offset(at);
  if (kind != Kind::node && layout_.ways_at == 0) layout_.ways_at = object_offset_;
  if (!builder_.begin(kind, tag_, at)) failed_ = true;
}

void XmlReader::note_located() {
  layout_.located.push_back({object_offset_, 0});
  located_open_ = true;
}

void XmlReader::close_located(const char* at) {
  layout_.located.back().end = position_.offset(at);
  located_open_ = false;
}

void XmlReader::start(Element element, const char* at, bool empty) {
  switch (element) {
    case Element::node: begin_object(Kind::node, at); break;
    case Element::way: begin_object(Kind::way, at); break;
    case Element::relation: begin_object(Kind::relation, at); break;
    case Element::nd: builder_.add_nd(tag_, at); break;
    case Element::tag: builder_.add_tag(tag_, at); break;
    case Element::member: builder_.add_member(tag_, at); break;
    case Element::bounds: builder_.add_bounds(attributes_, false, at); break;
    case Element::bound: builder_.add_bounds(attributes_, true, at); break;
    case Element::remark: problems_.count(problems_.remark, at); break;
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

bool XmlReader::finish() {
  if (failed_) return false;
  if (!root_closed_) {
    problems_.report(code::kXmlTruncated, end_,
                     root_seen_ ? "the text ends before </" + open_name() + ">" : "the text has no root element");
    failed_ = true;
    return false;
  }
  layout_.size = document_.facts.text_bytes;
  builder_.finish();
  problems_.report_counted(document_, options_.remarks);
  return usable_;
}

void XmlReader::begin_inside(std::uint64_t offset) {
  begin_ = offset;
  document_.facts.text_bytes = offset;
  builder_.begin_part(offset);
  root_seen_ = usable_ = first_object_seen_ = true;
  at_start_ = false;
  push(Element::osm, "osm", nullptr);
}

bool XmlReader::join(XmlReader& rest) {
  const bool between_objects = !failed_ && context_ == Element::osm && open_.size() == 1 && first_object_seen_;
  const bool rest_whole = !rest.failed_ && rest.root_closed_ && !rest.located_open_ && rest.problems_.none_counted();
  const std::size_t nodes_before = document_.model.node_count();
  if (!between_objects || !rest_whole || options_.remarks || !builder_.append(rest.builder_)) return false;
  join_layout(rest, nodes_before);
  open_.clear();
  open_names_.clear();
  context_ = Element::other;
  root_closed_ = true;
  return true;
}

void XmlReader::join_layout(const XmlReader& rest, std::size_t nodes_before) {
  if (located_open_) {
    layout_.located.back().end = rest.begin_;
    located_open_ = false;
  }
  const Layout& from = rest.layout_;
  layout_.root_close = from.root_close;
  if (layout_.ways_at == 0) layout_.ways_at = from.ways_at;
  layout_.located_ways.insert(layout_.located_ways.end(), from.located_ways.begin(), from.located_ways.end());
  for (const std::uint32_t node : from.located_nodes)
    layout_.located_nodes.push_back(node + static_cast<std::uint32_t>(nodes_before));
  layout_.located_ids.insert(layout_.located_ids.end(), from.located_ids.begin(), from.located_ids.end());
  layout_.located.insert(layout_.located.end(), from.located.begin(), from.located.end());
}

}  // namespace simbatch::osm::detail
