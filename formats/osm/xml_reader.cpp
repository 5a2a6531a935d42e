// Processing of the elements in a window. quick_tag() handles the tags that make up nearly all of a file; everything else is
// handled by slow_start(), which implements all rules.
#include "formats/osm/xml_reader.hpp"

#include <cstring>
#include <utility>

#include "base/core/text.hpp"
#include "formats/osm/codes.hpp"

namespace simbatch::osm::detail {
namespace {

constexpr std::size_t kMaxDepth = 256;
constexpr std::ptrdiff_t kMaxBlanks = 256;  // before the first object, kept for the layout

bool starts_with(const char* at, std::string_view word) { return std::memcmp(at, word.data(), word.size()) == 0; }

}  // namespace

XmlReader::XmlReader(Document& document, Diagnostics& diagnostics, const ReadOptions& options, std::uint64_t expected_bytes)
    : document_(document),
      layout_(document.layout),
      options_(options),
      problems_(diagnostics, position_),
      builder_(document, options, problems_, position_, expected_bytes) {}

const char* XmlReader::leave(const char* used) {
  const Window& window = scanner_.window;
  builder_.end_window();
  if (!window.last) {
    position_.end_window(used);
    document_.facts.text_bytes += static_cast<std::uint64_t>(used - window.begin);
  }
  return used;
}

/// The blanks before the first object belong to the layout and are returned with it.
const char* XmlReader::leave_before(const char* token) {
  return leave(first_object_seen_ || token - blanks_ > kMaxBlanks ? token : blanks_);
}

const char* XmlReader::end_of_text() {
  const Window& window = scanner_.window;
  document_.facts.text_bytes += static_cast<std::uint64_t>(window.limit - window.begin);
  if (located_open_) close_located(window.limit);
  builder_.end_window();
  if (!root_closed_) end_ = position_(window.limit);
  return nullptr;
}

const char* XmlReader::run(const Window& window) {
  scanner_.window = window;
  scanner_.delimiters.reset();
  position_.begin_window(window, document_.facts.text_bytes);
  const char* const limit = window.limit;
  const char* at = window.begin;
  if (at_start_) {
    at = start_of_text(at);
    if (at == nullptr) return failed_ ? nullptr : leave(window.begin);
    at_start_ = false;
  }
  for (;;) {
    blanks_ = at;
    const char* const p = skip_blanks(at, limit);
    if (p >= limit) return window.last ? end_of_text() : leave_before(p);
    position_.begin_token(p);
    if (located_open_) close_located(p);
    const char* next = nullptr;
    if (*p == '<') {
      next = quick_tag(p, limit);
      if (next == nullptr) next = markup(p);
    } else {
      next = text_token(p);
    }
    if (failed_) return nullptr;
    if (next == nullptr) return leave_before(p);
    at = next;
  }
}

/// An object's end tag as nearly all are written. @return after it, or null if it is not one
inline const char* XmlReader::quick_end(const char* at, const char* limit, std::string_view tag) {
  if (!starts_with(at, tag) || at + tag.size() > limit) return nullptr;
  open_names_.resize(open_.back().name_start);
  open_.pop_back();
  context_ = Element::osm;
  end_object();
  return at + tag.size();
}

/// The start tags that make up nearly all of a file, and the end tags of objects.
/// @return after the tag, or null if it is not one of those; then nothing was changed
/// Inlined into run(), its only caller: otherwise saving registers costs as much as reading an attribute.
[[gnu::always_inline]] inline const char* XmlReader::quick_tag(const char* at, const char* limit) {
  Element element = Element::other;
  const TagTemplate* like = nullptr;
  const char* name_end = nullptr;
  const auto is = [&](std::string_view start, Element of, const TagTemplate& its_template) {
    if (!starts_with(at, start)) return false;
    element = of;
    like = &its_template;
    name_end = at + start.size() - 1;
    return true;
  };
  switch (context_) {
    case Element::osm:
      if (is("<node ", Element::node, node_template_) || is("<way ", Element::way, way_template_) ||
          is("<relation ", Element::relation, relation_template_))
        break;
      return nullptr;
    case Element::way:
      if (is("<nd ", Element::nd, nd_template_) || is("<tag ", Element::tag, tag_template_)) break;
      return quick_end(at, limit, "</way>");
    case Element::node:
      if (is("<tag ", Element::tag, tag_template_)) break;
      return quick_end(at, limit, "</node>");
    case Element::relation:
      if (is("<member ", Element::member, member_template_) || is("<tag ", Element::tag, tag_template_)) break;
      return quick_end(at, limit, "</relation>");
    default: return nullptr;
  }
  bool empty = false;
  const char* const next = like->read(name_end, limit, tag_, empty, scanner_);
  if (next == nullptr) return nullptr;
  if (empty && element == Element::nd) {
    builder_.add_nd(tag_, at);
  } else if (empty && element == Element::tag) {
    builder_.add_tag(tag_, at);
  } else if (empty && element == Element::node) {
    begin_object(Kind::node, at);
    end_object();
  } else {
    start(element, at, empty);
  }
  return next;
}

const char* XmlReader::start_of_text(const char* at) {
  const Window& window = scanner_.window;
  const auto size = static_cast<std::size_t>(window.limit - at);
  if (size < 8 && !window.last) return nullptr;
  position_.begin_token(at);
  const std::string_view text(at, size);
  const auto encoding_fault = [&](std::string_view name) {
    problems_.report(code::kEncoding, at, "the text is in " + std::string(name) + "; convert it to UTF-8 first");
    failed_ = true;
    return nullptr;
  };
  if (text.starts_with("\xFE\xFF") || text.starts_with("\xFF\xFE") || text.starts_with(std::string_view("\0<", 2)) ||
      text.starts_with(std::string_view("<\0", 2)))
    return encoding_fault("UTF-16");
  if (const std::size_t mark = byte_order_mark_size(text); mark > 0) {
    at += mark;
    position_.skip_mark(at);
  }
  if (text.empty()) {
    problems_.report(code::kEmpty, at, "the file is empty");
    failed_ = true;
    return nullptr;
  }
  position_.begin_token(at);
  if (window.limit - at >= 6 && starts_with(at, "<?xml") && is_blank(at[5])) {
    std::string encoding;
    const Step step = scanner_.declaration(at, encoding);
    if (step != Step::done) return stop(step);
    const std::string lower = lower_ascii(encoding);
    if (!lower.empty() && lower != "utf-8" && lower != "utf8" && lower != "us-ascii") return encoding_fault(encoding);
  }
  return at;
}

const char* XmlReader::stop(Step step) {
  if (step == Step::failed) {
    problems_.report(*scanner_.fault.code, scanner_.fault.at, scanner_.fault.message);
    failed_ = true;
  }
  return nullptr;
}

const char* XmlReader::text_token(const char* at) {
  std::string_view text;
  const char* p = at;
  const Step step = scanner_.text(p, text);
  if (step != Step::done) return stop(step);
  if (open_.empty()) {
    return stop(code::kXml, at,
                (root_seen_ ? "text after the root element: " : "text before the root element: ") + quoted(text, 20));
  }
  if (context_ == Element::remark) {
    if (problems_.remark.count != 0 && problems_.remark.example.size() < 200) problems_.remark.example += text.substr(0, 200);
  } else if (!is_skipped()) {
    problems_.count(problems_.text, at, quoted(trimmed(text), 20));
  }
  return p;
}

/// Everything outside the fast path.
const char* XmlReader::markup(const char* at) {
  const Window& window = scanner_.window;
  const char* p = at;
  if (at + 1 >= window.limit) return stop(scanner_.cut(at));
  if (at[1] == '/') return end_element(at);
  if (at[1] == '?') {
    const Step step = scanner_.instruction(p);
    return step == Step::done ? p : stop(step);
  }
  if (at[1] == '!') {
    const std::string_view rest(at, static_cast<std::size_t>(window.limit - at));
    constexpr std::string_view kComment = "<!--", kCdata = "<![CDATA[", kDoctype = "<!DOCTYPE";
    if (rest.starts_with(kComment)) {
      const Step step = scanner_.comment(p);
      return step == Step::done ? p : stop(step);
    }
    if (rest.starts_with(kCdata) && !open_.empty()) {
      std::string_view text;
      const Step step = scanner_.cdata(p, text);
      if (step != Step::done) return stop(step);
      if (!is_skipped() && context_ != Element::remark) problems_.count(problems_.text, at, "CDATA");
      return p;
    }
    if (rest.size() < kCdata.size() && (kComment.starts_with(rest) || kCdata.starts_with(rest) || kDoctype.starts_with(rest)))
      return stop(scanner_.cut(at));
    if (rest.starts_with(kDoctype)) return stop(code::kDoctype, at, "a DOCTYPE is not read: no OSM file has one");
    return stop(code::kXml, at, "\"<!\" is not the start of a comment");
  }
  if (!is_name_start(at[1])) return stop(code::kXml, at, "\"<\" is not followed by the name of an element; write \"&lt;\"");
  return slow_start(at);
}

const char* XmlReader::slow_start(const char* at) {
  const char* p = at;
  bool empty = false;
  const Step step = scanner_.start_tag(p, name_, attributes_, empty);
  if (step != Step::done) return stop(step);
  if (open_.empty()) {
    if (root_seen_) return stop(code::kXml, at, "a second root element, <" + std::string(name_.substr(0, 40)) + ">");
    root(at, p, empty);
    return failed_ ? nullptr : p;
  }
  const Element element = element_of(name_, at);
  tag_.seen = 0;
  for (const Attribute& a : attributes_) tag_.set(role_of(a.name), a.value);
  if (TagTemplate* const like = template_of(element); like != nullptr) like->learn(attributes_, role_of);
  start(element, at, empty);
  return failed_ ? nullptr : p;
}

TagTemplate* XmlReader::template_of(Element element) {
  switch (element) {
    case Element::node: return &node_template_;
    case Element::way: return &way_template_;
    case Element::relation: return &relation_template_;
    case Element::tag: return &tag_template_;
    case Element::nd: return &nd_template_;
    case Element::member: return &member_template_;
    default: return nullptr;
  }
}

std::uint8_t XmlReader::role_of(std::string_view name) {
  struct Row {
    std::string_view name;
    AttributeRole role;
  };
  static constexpr Row kRows[] = {{"id", kIdRole},
                                  {"lat", kLat},
                                  {"lon", kLon},
                                  {"ref", kRefRole},
                                  {"k", kK},
                                  {"v", kV},
                                  {"type", kType},
                                  {"role", kMemberRole},
                                  {"visible", kVisible},
                                  {"action", kAction},
                                  {"timestamp", kTimestampRole},
                                  {"version", kVersionRole}};
  for (const Row& row : kRows)
    if (row.name == name) return row.role;
  return kOtherRole;
}

XmlReader::Element XmlReader::element_of(std::string_view name, const char* at) {
  struct Row {
    std::string_view name;
    Element element;
  };
  static constexpr Row kRows[] = {{"node", Element::node}, {"way", Element::way},       {"relation", Element::relation},
                                  {"tag", Element::tag},   {"nd", Element::nd},         {"member", Element::member},
                                  {"osm", Element::osm},   {"bounds", Element::bounds}, {"bound", Element::bound}};
  if (is_skipped() || context_ == Element::remark) return Element::other;
  Element element = Element::other;
  for (const Row& row : kRows)
    if (row.name == name) element = row.element;
  const bool object = context_ == Element::node || context_ == Element::way || context_ == Element::relation;
  bool fits = false;
  switch (element) {
    case Element::node:
    case Element::way:
    case Element::relation:
    case Element::bound: fits = context_ == Element::osm; break;
    case Element::bounds:
      // Overpass ("out bb", "out geom") puts the bounds of a way or relation into it.
      if (context_ == Element::way || context_ == Element::relation) return Element::silent;
      fits = context_ == Element::osm;
      break;
    case Element::tag: fits = object; break;
    case Element::nd:
      if (context_ == Element::member) return Element::silent;  // Overpass "out geom"
      fits = context_ == Element::way;
      break;
    case Element::member: fits = context_ == Element::relation; break;
    case Element::osm: break;
    default:
      if (context_ == Element::osm && name == "remark") return Element::remark;
      if (context_ == Element::osm && (name == "note" || name == "meta")) return Element::silent;
      if (object && name == "center") return Element::silent;
      problems_.count(problems_.unknown, at, "<" + std::string(name.substr(0, 40)) + ">");
      return Element::other;
  }
  if (fits) return element;
  problems_.report(code::kElementPlace, at, "<" + std::string(name) + "> is not allowed in <" + open_name() + ">");
  return Element::other;
}

void XmlReader::push(Element element, std::string_view name, const char* at) {
  if (open_.size() >= kMaxDepth) {
    problems_.report(code::kXmlDepth, at, "elements are nested more than " + std::to_string(kMaxDepth) + " deep");
    failed_ = true;
    return;
  }
  open_.push_back({element, static_cast<std::uint32_t>(open_names_.size())});
  open_names_ += name;
  context_ = element;
}

const char* XmlReader::end_element(const char* at) {
  const char* p = at;
  std::string_view name;
  const Step step = scanner_.end_tag(p, name);
  if (step != Step::done) return stop(step);
  if (open_.empty()) return stop(code::kXmlNesting, at, "</" + std::string(name.substr(0, 40)) + "> closes nothing");
  const Open open = open_.back();
  if (std::string_view(open_names_).substr(open.name_start) != name)
    return stop(code::kXmlNesting, at, "</" + std::string(name.substr(0, 40)) + ">, expected </" + open_name() + ">");
  open_.pop_back();
  open_names_.resize(open.name_start);
  context_ = open_.empty() ? Element::other : open_.back().element;
  if (open_.empty()) {
    root_closed_ = true;
    layout_.root_close = {position_.offset(at), position_.offset(p)};
    if (!first_object_seen_) note_first_object(at);
  } else if (open.element == Element::node || open.element == Element::way || open.element == Element::relation) {
    end_object();
  }
  return p;
}

}  // namespace simbatch::osm::detail
