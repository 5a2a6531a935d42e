// Tokens of a window and what to do with them. The loop in run() has a quick path for the tags that make up nearly all of
// a file; everything else goes through slow_start(), which knows all the rules.
#include "formats/osm/xml_reader.hpp"

#include <algorithm>
#include <cstring>

#include "base/core/text.hpp"
#include "formats/osm/hash.hpp"

namespace simbatch::osm::detail {
namespace {

constexpr std::size_t kMaxDepth = 256;

bool starts_with(const char* at, std::string_view word) { return std::memcmp(at, word.data(), word.size()) == 0; }

}  // namespace

XmlReader::XmlReader(Document& document, Diagnostics& diagnostics, const ReadOptions& options, std::uint64_t expected_bytes)
    : document_(document),
      model_(document.model),
      facts_(document.facts),
      layout_(document.layout),
      diagnostics_(diagnostics),
      options_(options),
      expected_bytes_(expected_bytes) {
  for (const std::string& key : options.keep_keys) key_kept_[quick_hash(key) & 255] = true;
  if (!options.locate_key.empty()) key_kept_[quick_hash(options.locate_key) & 255] = true;
  keys_full_ = options.keep_keys.empty();
}

const char* XmlReader::run(const Window& window) {
  scanner_.window = window;
  scanner_.stops.reset();
  window_offset_ = facts_.text_bytes;  // bytes before this window
  counted_ = window.begin;
  window_line_ = line_;
  window_line_start_ = line_start_;
  const char* const limit = window.limit;
  const char* at = window.begin;
  const auto leave = [&](const char* used) {
    flush_refs();
    if (!window.last) {
      if (used < counted_) {  // a byte order mark was passed and is given back
        counted_ = window.begin;
        line_ = window_line_;
        line_start_ = window_line_start_;
      }
      if (window.stays) {
        // What was left uncounted before lies right before this window, and nobody has asked meanwhile.
        if (uncounted_.empty()) uncounted_offset_ = offset(counted_);
        const char* const from = uncounted_.empty() ? counted_ : uncounted_.data();
        uncounted_ = {from, static_cast<std::size_t>(used - from)};
      } else {
        token_ = used;
        position(used);
      }
      facts_.text_bytes += static_cast<std::uint64_t>(used - window.begin);
    }
    return used;
  };
  if (at_start_) {
    const char* const behind = start_of_text(at);
    if (behind == nullptr) return failed_ ? nullptr : leave(window.begin);
    at = behind;
    at_start_ = false;
  }
  for (;;) {
    blanks_ = at;
    const char* const p = skip_blanks(at, limit);
    if (p >= limit) {
      if (!window.last) return leave(first_object_seen_ || p - blanks_ > 256 ? p : blanks_);
      facts_.text_bytes += static_cast<std::uint64_t>(limit - window.begin);
      if (located_open_) close_located(limit);
      flush_refs();
      if (!root_closed_) end_ = position(limit);
      return nullptr;
    }
    token_ = p;
    if (located_open_) close_located(p);
    const char* next = nullptr;
    bool empty = false;
    if (*p == '<') {
      switch (context_) {
        case Element::osm:
          if (starts_with(p, "<node ")) {
            if ((next = node_pattern_.read(p + 5, limit, values_, seen_, empty, scanner_)) != nullptr)
              start(Element::node, p, empty);
          } else if (starts_with(p, "<way ")) {
            if ((next = way_pattern_.read(p + 4, limit, values_, seen_, empty, scanner_)) != nullptr)
              start(Element::way, p, empty);
          } else if (starts_with(p, "<relation ")) {
            if ((next = relation_pattern_.read(p + 9, limit, values_, seen_, empty, scanner_)) != nullptr)
              start(Element::relation, p, empty);
          }
          break;
        case Element::way:
        case Element::node:
        case Element::relation:
          if (starts_with(p, "<nd ") && context_ == Element::way) {
            next = nd_pattern_.read(p + 3, limit, values_, seen_, empty, scanner_);
            if (next != nullptr) start(Element::nd, p, empty);
          } else if (starts_with(p, "<tag ")) {
            next = tag_pattern_.read(p + 4, limit, values_, seen_, empty, scanner_);
            if (next != nullptr) start(Element::tag, p, empty);
          } else if (starts_with(p, "<member ") && context_ == Element::relation) {
            next = member_pattern_.read(p + 7, limit, values_, seen_, empty, scanner_);
            if (next != nullptr) start(Element::member, p, empty);
          }
          break;
        default: break;
      }
      if (next == nullptr) next = token(p);
    } else {
      next = text_token(p);
    }
    if (failed_) return nullptr;
    if (next == nullptr) return leave(first_object_seen_ || p - blanks_ > 256 ? p : blanks_);
    at = next;
  }
}

const char* XmlReader::start_of_text(const char* at) {
  const Window& window = scanner_.window;
  const auto size = static_cast<std::size_t>(window.limit - at);
  if (size < 8 && !window.last) return nullptr;
  token_ = at;
  const std::string_view text(at, size);
  const auto encoding_fault = [&](std::string_view name) {
    report(code::kEncoding, at, "the text is in " + std::string(name) + "; convert it to UTF-8 first");
    failed_ = true;
    return nullptr;
  };
  if (text.starts_with("\xFE\xFF") || text.starts_with("\xFF\xFE") || text.starts_with(std::string_view("\0<", 2)) ||
      text.starts_with(std::string_view("<\0", 2)))
    return encoding_fault("UTF-16");
  if (const std::size_t mark = byte_order_mark_size(text); mark > 0) {
    at += mark;
    line_start_ = window_line_start_ = mark;  // it does not count as columns
    counted_ = at;
  }
  if (text.empty()) {
    report(code::kEmpty, at, "the file is empty");
    failed_ = true;
    return nullptr;
  }
  token_ = at;
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
    report(*scanner_.fault.code, scanner_.fault.at, scanner_.fault.message);
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
    scanner_.fail(
        code::kXml, at,
        root_seen_ ? "text stands behind the root element" : "text stands before the root element: " + quoted(text, 20));
    return stop(Step::failed);
  }
  if (context_ == Element::remark) {
    if (remark_.count != 0 && remark_.example.size() < 200) remark_.example += text.substr(0, 200);
  } else if (context_ != Element::silent && context_ != Element::other) {
    count(text_, at, quoted(trimmed(text), 20));
  }
  return p;
}

// Everything that is not on the quick path.
const char* XmlReader::token(const char* at) {
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
      if (context_ != Element::silent && context_ != Element::other && context_ != Element::remark) count(text_, at, "CDATA");
      return p;
    }
    if (rest.size() < kCdata.size() && (kComment.starts_with(rest) || kCdata.starts_with(rest) || kDoctype.starts_with(rest)))
      return stop(scanner_.cut(at));
    if (rest.starts_with(kDoctype))
      return stop(scanner_.fail(code::kDoctype, at, "a DOCTYPE is not read: no OSM file has one"));
    return stop(scanner_.fail(code::kXml, at, "\"<!\" is not the start of a comment"));
  }
  if (!is_name_start(at[1]))
    return stop(scanner_.fail(code::kXml, at, "\"<\" is not followed by the name of an element; write \"&lt;\""));
  return slow_start(at);
}

const char* XmlReader::slow_start(const char* at) {
  const char* p = at;
  bool empty = false;
  const Step step = scanner_.start_tag(p, name_, attributes_, empty);
  if (step != Step::done) return stop(step);
  if (open_.empty()) {
    if (root_seen_)
      return stop(scanner_.fail(code::kXml, at, "a second root element, <" + std::string(name_.substr(0, 40)) + ">"));
    root(at, p, empty);
    return failed_ ? nullptr : p;
  }
  const Element element = element_of(name_, at);
  seen_ = 0;
  for (const Attribute& a : attributes_) {
    const std::uint8_t role = role_of(a.name);
    values_[role] = a.value;
    seen_ |= 1U << role;
  }
  Pattern* pattern = nullptr;
  switch (element) {
    case Element::node: pattern = &node_pattern_; break;
    case Element::way: pattern = &way_pattern_; break;
    case Element::relation: pattern = &relation_pattern_; break;
    case Element::tag: pattern = &tag_pattern_; break;
    case Element::nd: pattern = &nd_pattern_; break;
    case Element::member: pattern = &member_pattern_; break;
    default: break;
  }
  if (pattern != nullptr) pattern->learn(attributes_, role_of);
  start(element, at, empty);
  return failed_ ? nullptr : p;
}

std::uint8_t XmlReader::role_of(std::string_view name) {
  struct Row {
    std::string_view name;
    Role role;
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
  if (context_ == Element::other || context_ == Element::silent || context_ == Element::remark) return Element::other;
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
      count(unknown_, at, "<" + std::string(name.substr(0, 40)) + ">");
      return Element::other;
  }
  if (fits) return element;
  report(code::kElementPlace, at, "<" + std::string(name) + "> stands in <" + open_name() + ">");
  return Element::other;
}

std::string XmlReader::open_name() const { return open_names_.substr(open_.back().name_start, 60); }

void XmlReader::push(Element element, std::string_view name, const char* at) {
  if (open_.size() >= kMaxDepth) {
    report(code::kXmlDepth, at, "elements are nested more than " + std::to_string(kMaxDepth) + " deep");
    failed_ = true;
    return;
  }
  open_.push_back({element, static_cast<std::uint32_t>(open_names_.size())});
  open_names_ += name;
  context_ = element;
}

const char* XmlReader::end_element(const char* at) {
  // The two that close nearly all objects.
  const char* p = at;
  std::string_view name;
  const Step step = scanner_.end_tag(p, name);
  if (step != Step::done) return stop(step);
  if (open_.empty())
    return stop(scanner_.fail(code::kXmlNesting, at, "</" + std::string(name.substr(0, 40)) + "> closes nothing"));
  const Open open = open_.back();
  if (std::string_view(open_names_).substr(open.name_start) != name)
    return stop(scanner_.fail(code::kXmlNesting, at,
                              "</" + std::string(name.substr(0, 40)) + "> stands where </" + open_name() + "> should"));
  open_.pop_back();
  open_names_.resize(open.name_start);
  context_ = open_.empty() ? Element::other : open_.back().element;
  if (open_.empty()) {
    root_closed_ = true;
    layout_.root_close = {offset(at), offset(p)};
    if (!first_object_seen_) note_first_object(at);
  } else if (open.element == Element::node || open.element == Element::way || open.element == Element::relation) {
    end_object();
  }
  return p;
}

}  // namespace simbatch::osm::detail
