#include "formats/osm/scan.hpp"

#include <algorithm>
#include <cstring>

#include "base/core/text.hpp"
#include "formats/osm/codes.hpp"

namespace simbatch::osm::detail {
namespace {

enum : std::uint8_t { kStart = 1, kPart = 2 };

constexpr std::array<std::uint8_t, 256> name_classes() {
  std::array<std::uint8_t, 256> classes{};
  for (int c = 'a'; c <= 'z'; ++c) classes[static_cast<std::size_t>(c)] = kStart | kPart;
  for (int c = 'A'; c <= 'Z'; ++c) classes[static_cast<std::size_t>(c)] = kStart | kPart;
  for (int c = '0'; c <= '9'; ++c) classes[static_cast<std::size_t>(c)] = kPart;
  classes['_'] = classes[':'] = kStart | kPart;
  classes['-'] = classes['.'] = kPart;
  return classes;
}
constexpr std::array<std::uint8_t, 256> kClasses = name_classes();

std::string_view view(const char* begin, const char* end) { return {begin, static_cast<std::size_t>(end - begin)}; }

/// A character that a document may hold [2]; surrogates, U+FFFE and U+FFFF are none.
bool is_character(std::uint32_t c) {
  if (c < 0x20) return c == 0x9 || c == 0xA || c == 0xD;
  return c <= 0xD7FF || (c >= 0xE000 && c <= 0xFFFD) || (c >= 0x10000 && c <= 0x10FFFF);
}

/// The number of a "&#...;" between '#' and ';'. @return false if it is not the number of a character
bool reference_number(std::string_view digits, std::uint32_t& c) {
  const bool hex = digits.starts_with('x');
  if (hex) digits.remove_prefix(1);
  if (digits.empty()) return false;
  c = 0;
  for (const char d : digits) {
    std::uint32_t digit = 99;
    if (d >= '0' && d <= '9')
      digit = static_cast<std::uint32_t>(d - '0');
    else if (hex && d >= 'a' && d <= 'f')
      digit = static_cast<std::uint32_t>(d - 'a' + 10);
    else if (hex && d >= 'A' && d <= 'F')
      digit = static_cast<std::uint32_t>(d - 'A' + 10);
    if (digit == 99) return false;
    c = c * (hex ? 16 : 10) + digit;
    if (c > 0x10FFFF) return false;
  }
  return is_character(c);
}

char predefined(std::string_view name) {
  if (name == "lt") return '<';
  if (name == "gt") return '>';
  if (name == "amp") return '&';
  if (name == "quot") return '"';
  if (name == "apos") return '\'';
  return '\0';
}

}  // namespace

bool is_name_start(char c) { return (kClasses[static_cast<unsigned char>(c)] & kStart) != 0; }
bool is_name(char c) { return (kClasses[static_cast<unsigned char>(c)] & kPart) != 0; }

std::string_view decoded_text(const Value& value, std::string& scratch) {
  scratch.clear();
  for (const char* at = value.begin; at != value.end; ++at) {
    if (*at == '\r' && at + 1 != value.end && at[1] == '\n') continue;  // a line end is one character (2.11)
    if (is_blank(*at)) {
      scratch += ' ';
    } else if (*at == '&') {
      const char* const semicolon =
          static_cast<const char*>(std::memchr(at, ';', static_cast<std::size_t>(value.end - at)));  // was checked to be there
      const std::string_view name = view(at + 1, semicolon);
      std::uint32_t c = 0;
      if (name.starts_with('#') && reference_number(name.substr(1), c))
        append_utf8(scratch, c);
      else
        scratch += predefined(name);
      at = semicolon;
    } else {
      scratch += *at;
    }
  }
  return scratch;
}

Step Scanner::fail(const Code& code, const char* at, std::string message) {
  fault = {&code, at, std::move(message)};
  return Step::failed;
}

Step Scanner::cut(const char* token) {
  if (!window.last) return Step::incomplete;
  std::string_view what = "character data";
  if (*token == '<') what = token + 1 < window.limit && token[1] == '/' ? "an end tag" : "a tag";
  return fail(code::kXmlTruncated, token, "the text ends within " + std::string(what) + " that starts here");
}

Step Scanner::character(const char*& at, const char* token) {
  const auto first = static_cast<unsigned char>(*at);
  if (first < 0x80) {
    if (is_character(first)) {
      ++at;
      return Step::done;
    }
    return fail(code::kXmlCharacter, at, "the control byte " + quoted(view(at, at + 1)) + " is not allowed in XML");
  }
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  const std::size_t left = at < window.limit ? static_cast<std::size_t>(window.limit - at) : 0;
  if (left < length && !window.last) return cut(token);
  const std::string_view sequence(at, std::min(left, length));
  if (find_invalid_utf8(sequence) != std::string_view::npos)
    return fail(code::kXmlCharacter, at, "the bytes " + quoted(sequence.substr(0, 4)) + " are not UTF-8");
  if (sequence == "\xEF\xBF\xBE" || sequence == "\xEF\xBF\xBF")
    return fail(code::kXmlCharacter, at, "U+FFFE and U+FFFF is not allowed in XML");
  at += length;
  return Step::done;
}

Step Scanner::reference(const char*& at, const char* token) {
  const char* end = at + 1;
  while (end < window.limit && *end != ';' && (is_name(*end) || *end == '#')) ++end;
  if (end >= window.limit) return cut(token);
  const std::string_view name = view(at + 1, end);
  if (*end != ';' || name.empty())
    return fail(code::kXmlEntity, at,
                "\"&\" is not the start of a reference such as \"&amp;\": " + quoted(view(at, end + 1), 30));
  std::uint32_t c = 0;
  if (name[0] == '#') {
    if (!reference_number(name.substr(1), c))
      return fail(code::kXmlEntity, at, quoted(view(at, end + 1), 30) + " is not the number of a character");
  } else if (predefined(name) == '\0') {
    return fail(code::kXmlEntity, at, "the entity " + quoted(view(at, end + 1), 30) + " is not defined");
  }
  at = end + 1;
  return Step::done;
}

Step Scanner::value(const char*& at, char quote, bool& plain, const char* token) {
  while (at < window.limit) {
    const auto c = static_cast<unsigned char>(*at);
    if (*at == quote) return Step::done;
    Step step = Step::done;
    if (c == '<') return fail(code::kXml, at, "\"<\" in an attribute's value; write \"&lt;\"");
    if (c == '&') {
      plain = false;
      step = reference(at, token);
    } else if (c >= 0x20 && c < 0x80) {
      ++at;
    } else {
      if (c < 0x20) plain = false;
      step = character(at, token);
    }
    if (step != Step::done) return step;
  }
  return cut(token);
}

const char* TagTemplate::rest_of_value(const char* at, char quote, const Entry& e, RoleValues& tag, Scanner& scanner) {
  bool plain = true;
  if (scanner.value(at, quote, plain, tag.bounds[e.bound]) != Step::done) return nullptr;
  if (!plain) tag.odd |= e.bit;
  return at;
}

Step Scanner::check_distinct(const std::vector<Attribute>& attributes) {
  // Attributes are few in honest files; a tag with very many is sorted rather than compared each with each.
  if (attributes.size() <= 16) {
    for (std::size_t i = 1; i < attributes.size(); ++i)
      for (std::size_t k = 0; k < i; ++k)
        if (attributes[i].name == attributes[k].name)
          return fail(code::kXmlAttribute, attributes[i].name.data(), "duplicate attribute " + quoted(attributes[i].name));
  } else {
    names_.clear();
    for (const Attribute& a : attributes) names_.push_back(a.name);
    std::sort(names_.begin(), names_.end(),
              [](std::string_view a, std::string_view b) { return a != b ? a < b : a.data() < b.data(); });
    const char* first = nullptr;
    for (std::size_t i = 1; i < names_.size(); ++i)
      if (names_[i] == names_[i - 1] && (first == nullptr || names_[i].data() < first)) first = names_[i].data();
    if (first != nullptr) {
      const char* end = first;
      while (is_name(*end)) ++end;
      return fail(code::kXmlAttribute, first, "duplicate attribute " + quoted(view(first, end)));
    }
  }
  return Step::done;
}

Step Scanner::start_tag(const char*& at, std::string_view& name, std::vector<Attribute>& attributes, bool& empty) {
  const char* const token = at;
  const char* p = at + 1;
  const char* const limit = window.limit;
  attributes.clear();
  empty = false;
  while (p < limit && is_name(*p)) ++p;
  if (p >= limit) return cut(token);
  name = view(token + 1, p);
  if (static_cast<unsigned char>(*p) >= 0x80) return fail(code::kXml, p, "names with letters outside ASCII are not read");
  for (;;) {
    const char* const after = p;
    while (p < limit && is_blank(*p)) ++p;
    if (p >= limit) return cut(token);
    if (*p == '>') {
      ++p;
      break;
    }
    if (*p == '/') {
      if (p + 1 >= limit) return cut(token);
      if (p[1] != '>')
        return fail(code::kXml, p + 1, "expected \">\" after \"/\" in <" + std::string(name.substr(0, 40)) + ">");
      empty = true;
      p += 2;
      break;
    }
    if (!is_name_start(*p))
      return fail(code::kXml, p,
                  "unexpected " + quoted(view(p, p + 1)) + " in the tag <" + std::string(name.substr(0, 40)) +
                      ">: expected an attribute or the end of the tag");
    if (after == p) return fail(code::kXml, p, "expected a blank before the attribute");
    Attribute attribute;
    const char* const start = p;
    while (p < limit && is_name(*p)) ++p;
    if (p < limit && static_cast<unsigned char>(*p) >= 0x80)
      return fail(code::kXml, p, "names with letters outside ASCII are not read");
    attribute.name = view(start, p);
    while (p < limit && is_blank(*p)) ++p;
    if (p >= limit) return cut(token);
    if (*p != '=') return fail(code::kXml, p, "expected \"=\" after the attribute " + quoted(attribute.name));
    ++p;
    while (p < limit && is_blank(*p)) ++p;
    if (p >= limit) return cut(token);
    if (*p != '"' && *p != '\'') return fail(code::kXml, p, "the value of " + quoted(attribute.name) + " is not in quotes");
    const char quote = *p++;
    attribute.value.begin = p;
    if (const Step step = value(p, quote, attribute.value.plain, token); step != Step::done) return step;
    attribute.value.end = p++;
    attributes.push_back(attribute);
  }
  if (const Step step = check_distinct(attributes); step != Step::done) return step;
  at = p;
  return Step::done;
}

Step Scanner::end_tag(const char*& at, std::string_view& name) {
  const char* p = at + 2;
  while (p < window.limit && is_name(*p)) ++p;
  name = view(at + 2, p);
  while (p < window.limit && is_blank(*p)) ++p;
  if (p >= window.limit) return cut(at);
  if (name.empty() || !is_name_start(name[0]) || *p != '>') return fail(code::kXml, p, "this is not an end tag");
  at = p + 1;
  return Step::done;
}

Step Scanner::until(const char*& at, std::string_view end, const char* token) {
  // Whole text up to `end` is checked, as in values.
  while (at < window.limit) {
    if (*at == end[0]) {
      if (at + end.size() > window.limit) return cut(token);
      if (view(at, at + end.size()) == end) return Step::done;
    }
    const auto c = static_cast<unsigned char>(*at);
    if (c >= 0x20 && c < 0x80) {
      ++at;
    } else if (const Step step = character(at, token); step != Step::done) {
      return step;
    }
  }
  return cut(token);
}

Step Scanner::comment(const char*& at) {
  const char* p = at + 4;
  if (const Step step = until(p, "--", at); step != Step::done) {
    if (step == Step::failed && fault.code == &code::kXmlTruncated)
      fault.message = "the text ends within a comment that starts here";
    return step;
  }
  if (p + 2 >= window.limit) return cut(at);
  if (p[2] != '>') return fail(code::kXml, p, "\"--\" in a comment");
  at = p + 3;
  return Step::done;
}

Step Scanner::instruction(const char*& at) {
  const char* p = at + 2;
  while (p < window.limit && is_name(*p)) ++p;
  if (p >= window.limit) return cut(at);
  const std::string_view target = view(at + 2, p);
  if (target.empty() || !is_name_start(target[0])) return fail(code::kXml, at, "\"<?\" is not followed by a name");
  if (equal_ignoring_case(target, "xml")) return fail(code::kXml, at, "an XML declaration is only allowed at the very start");
  if (!is_blank(*p) && *p != '?') return fail(code::kXml, p, "this is not a processing instruction");
  if (*p == '?') {
    if (p + 1 >= window.limit) return cut(at);
    if (p[1] != '>') return fail(code::kXml, p, "this is not a processing instruction");
  }
  if (const Step step = until(p, "?>", at); step != Step::done) return step;
  at = p + 2;
  return Step::done;
}

Step Scanner::cdata(const char*& at, std::string_view& text) {
  const char* p = at + 9;
  if (const Step step = until(p, "]]>", at); step != Step::done) {
    if (step == Step::failed && fault.code == &code::kXmlTruncated)
      fault.message = "the text ends within a CDATA section that starts here";
    return step;
  }
  text = view(at + 9, p);
  at = p + 3;
  return Step::done;
}

Step Scanner::text(const char*& at, std::string_view& text) {
  const char* p = at;
  Step step = Step::done;
  while (p < window.limit && *p != '<') {
    const auto c = static_cast<unsigned char>(*p);
    if (c == '&') {
      step = reference(p, at);
    } else if (c == ']') {
      if (window.limit - p < 3) {
        if (!window.last) {
          step = Step::incomplete;
        } else {
          ++p;
        }
      } else if (p[1] == ']' && p[2] == '>') {
        return fail(code::kXml, p, "\"]]>\" in character data");
      } else {
        ++p;
      }
    } else if (c >= 0x20 && c < 0x80) {
      ++p;
    } else {
      step = character(p, at);
    }
    if (step == Step::failed) return step;
    if (step == Step::incomplete) break;
  }
  if (p == at) return Step::incomplete;  // not even one character fits this window
  text = view(at, p);
  at = p;
  return Step::done;
}

Step Scanner::declaration(const char*& at, std::string& encoding) {
  // [23]: version, then encoding, then standalone; written like attributes, but of a fixed order.
  const char* end = at;
  if (const Step step = until(end, "?>", at); step != Step::done) return step;
  const char* p = at + 5;
  const auto item = [&](std::string_view name, std::string_view& value) {
    const char* q = p;
    while (q < end && is_blank(*q)) ++q;
    if (q == p || !view(q, end).starts_with(name)) return false;
    q += name.size();
    while (q < end && is_blank(*q)) ++q;
    if (q == end || *q != '=') return false;
    ++q;
    while (q < end && is_blank(*q)) ++q;
    if (q == end || (*q != '"' && *q != '\'')) return false;
    const char* const close = static_cast<const char*>(std::memchr(q + 1, *q, static_cast<std::size_t>(end - q - 1)));
    if (close == nullptr) return false;
    value = view(q + 1, close);
    p = close + 1;
    return true;
  };
  std::string_view version, standalone, found;
  if (!item("version", version)) return fail(code::kXml, p, "the XML declaration has no version");
  if (!version.starts_with("1.") || version.size() < 3 || version.find_first_not_of("0123456789", 2) != std::string_view::npos)
    return fail(code::kXml, version.data(), "the XML version is " + quoted(version) + ", not \"1.0\"");
  if (item("encoding", found)) {
    if (found.empty() || !is_name_start(found[0]) || found[0] == '_' || found[0] == ':' ||
        !std::all_of(found.begin(), found.end(), [](char c) { return is_name(c) && c != ':'; }))
      return fail(code::kXml, found.data(), quoted(found) + " is not the name of an encoding");
    encoding = found;
  }
  if (item("standalone", standalone) && standalone != "yes" && standalone != "no")
    return fail(code::kXml, standalone.data(), "standalone is " + quoted(standalone) + ", neither \"yes\" nor \"no\"");
  while (p < end && is_blank(*p)) ++p;
  if (p != end) return fail(code::kXml, p, "unexpected text in the XML declaration");
  at = end + 2;
  return Step::done;
}

}  // namespace simbatch::osm::detail
