#include <expat.h>
#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/core/text.hpp"
#include "base/xml/codes.hpp"
#include "base/xml/xml.hpp"

// Outline: Expat reads the text once without building anything and stops at the first violation, so that pugixml, which
// accepts more than XML, only ever sees well-formed documents. Attribute places are found on demand by scanning the start
// tag again in the original text.

namespace simbatch::xml {
namespace {

struct Check {
  XML_Parser parser = nullptr;
  std::size_t depth = 0, max_depth = 0, max_attributes = 0;
  const Code* fault = nullptr;
  Position fault_at;
  std::vector<std::pair<std::string, Position>> open;  // elements that are not closed yet, outermost first

  void stop(const Code& code) {
    fault = &code;
    fault_at = here();
    XML_StopParser(parser, XML_FALSE);
  }
  Position here() const {
    return {static_cast<std::uint32_t>(XML_GetCurrentLineNumber(parser)),
            static_cast<std::uint32_t>(XML_GetCurrentColumnNumber(parser)) + 1};
  }
};

// attributes: names and values in turn, then a null pointer
void start_element(void* user, const XML_Char* name, const XML_Char** attributes) {
  auto& check = *static_cast<Check*>(user);
  check.open.emplace_back(name, check.here());
  std::size_t count = 0;
  while (attributes[2 * count] != nullptr && count <= check.max_attributes) ++count;
  if (count > check.max_attributes) check.stop(code::kSize);
  if (++check.depth > check.max_depth && check.fault == nullptr) check.stop(code::kDepth);
}
void end_element(void* user, const XML_Char*) {
  auto& check = *static_cast<Check*>(user);
  --check.depth;
  check.open.pop_back();
}
void entity_declaration(void* user, const XML_Char*, int, const XML_Char*, int, const XML_Char*, const XML_Char*,
                        const XML_Char*, const XML_Char*) {
  static_cast<Check*>(user)->stop(code::kEntity);
}

/// The end tag at that place of the text: "</b>".
std::string_view end_tag_at(std::string_view text, Position at) {
  for (std::uint32_t line = 1; line < at.line; ++line) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  text.remove_prefix(std::min<std::size_t>(text.size(), at.column - 1));
  // Expat points at the name, in some versions at the tag.
  const std::string_view tag = text.substr(0, text.find('>'));
  return tag.starts_with("</") ? trimmed(tag.substr(2)) : trimmed(tag);
}

void report_syntax(const Check& check, std::string_view text, Diagnostics& diagnostics) {
  const XML_Error error = XML_GetErrorCode(check.parser);
  const Position at = check.here();
  const bool mismatched = error == XML_ERROR_TAG_MISMATCH, unclosed = error == XML_ERROR_NO_ELEMENTS;
  if (check.open.empty() || !(mismatched || unclosed)) {
    diagnostics.report(code::kSyntax, at, XML_ErrorString(error));
    return;
  }
  const auto& [name, opened] = check.open.back();
  if (mismatched)
    diagnostics.report(
        code::kSyntax, at,
        fmt::format("mismatched tag: </{}> where </{}> is expected", printable(end_tag_at(text, at).substr(0, 64)), name));
  else
    diagnostics.report(code::kSyntax, at, fmt::format("the file ends where </{}> is expected", name));
  diagnostics.note(code::kSyntax, opened, fmt::format("<{}> begins here", name));
}

bool is_well_formed(std::string_view text, const Limits& limits, Diagnostics& diagnostics) {
  Check check;
  check.max_depth = limits.max_depth;
  check.max_attributes = limits.max_attributes;
  check.parser = XML_ParserCreate(nullptr);
  if (check.parser == nullptr) throw std::bad_alloc();
  const std::unique_ptr<std::remove_pointer_t<XML_Parser>, decltype(&XML_ParserFree)> owner(check.parser, XML_ParserFree);
  XML_SetUserData(check.parser, &check);
  XML_SetElementHandler(check.parser, start_element, end_element);
  XML_SetEntityDeclHandler(check.parser, entity_declaration);
  constexpr std::size_t kPiece = std::size_t{1} << 28;  // Expat takes an int
  XML_Status status = XML_STATUS_OK;
  std::size_t done = 0;
  do {
    const std::size_t size = std::min(kPiece, text.size() - done);
    status = XML_Parse(check.parser, text.data() + done, static_cast<int>(size), done + size == text.size() ? 1 : 0);
    done += size;
  } while (status == XML_STATUS_OK && done < text.size());
  if (status == XML_STATUS_OK) return true;
  const Position at = check.fault == nullptr ? check.here() : check.fault_at;
  if (check.fault == &code::kDepth)
    diagnostics.report(code::kDepth, at, fmt::format("elements are nested more than {} deep", limits.max_depth));
  else if (check.fault == &code::kSize)
    diagnostics.report(code::kSize, at, fmt::format("an element has more than {} attributes", limits.max_attributes));
  else if (check.fault == &code::kEntity)
    diagnostics.report(code::kEntity, at, "an entity is defined here; write the text itself");
  else
    report_syntax(check, text, diagnostics);
  return false;
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) {
      put(0xE0 | code >> 12);
    } else {
      put(0xF0 | code >> 18);
      put(0x80 | (code >> 12 & 63));
    }
    put(0x80 | (code >> 6 & 63));
  }
  put(0x80 | (code & 63));
}

/// A well-formed document in UTF-8, so that places in pugixml's tree are places in the text. Expat reads, besides UTF-8, UTF-16
/// and ISO-8859-1, and no document of these begins otherwise (XML 1.0, appendix F).
std::string to_utf8(std::string_view text) {
  std::string out;
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  const std::uint32_t first = text.size() < 2 ? 0 : byte(0) << 8 | byte(1);
  if (first == 0xFEFF || first == 0xFFFE || first == 0x003C || first == 0x3C00) {
    const bool big = first == 0xFEFF || first == 0x003C;
    const auto unit = [&](std::size_t i) { return big ? byte(i) << 8 | byte(i + 1) : byte(i + 1) << 8 | byte(i); };
    for (std::size_t i = first > 0xFE00 ? 2 : 0; i + 1 < text.size(); i += 2) {
      std::uint32_t code = unit(i);
      if (code >= 0xD800 && code < 0xDC00 && i + 3 < text.size()) {
        i += 2;
        code = 0x10000 + ((code - 0xD800) << 10) + (unit(i) - 0xDC00);
      }
      append_utf8(out, code);
    }
    return out;
  }
  const std::string_view declaration = text.starts_with("<?xml") ? text.substr(0, text.find("?>")) : std::string_view();
  if (lower_ascii(declaration).find("iso-8859-1") == std::string::npos) return std::string(text);
  for (std::size_t i = 0; i < text.size(); ++i) append_utf8(out, byte(i));
  return out;
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Offset of the value of attribute `name` in the start tag whose name begins at `offset`; npos if absent.
std::size_t attribute_offset(std::string_view text, std::size_t offset, std::string_view name) {
  const auto skip = [&](auto want) {
    while (offset < text.size() && want(text[offset])) ++offset;
  };
  skip([](char c) { return !is_blank(c) && c != '>' && c != '/'; });
  while (offset < text.size()) {
    skip(is_blank);
    if (offset >= text.size() || text[offset] == '>' || text[offset] == '/') break;
    const std::size_t begin = offset;
    skip([](char c) { return c != '=' && !is_blank(c); });
    const std::string_view found = text.substr(begin, offset - begin);
    skip([](char c) { return c != '"' && c != '\''; });
    if (offset >= text.size()) break;
    const char quote = text[offset++];
    if (found == name) return offset;
    offset = text.find(quote, offset);
    if (offset == std::string_view::npos) break;
    ++offset;
  }
  return std::string_view::npos;
}

/// Number of UTF-8 bytes of a reference's character (`&lt;`, `&#228;`).
std::size_t decoded_size(std::string_view reference) {
  if (!reference.starts_with("&#")) return 1;
  const bool hexadecimal = reference.starts_with("&#x");
  std::uint32_t code = 0;
  for (const char c : reference.substr(hexadecimal ? 3 : 2)) {
    if (c == ';' || code > 0x10ffff) break;
    const auto digit = static_cast<std::uint32_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    code = code * (hexadecimal ? 16 : 10) + digit;
  }
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

pugi::xml_node as_node(void* node) { return pugi::xml_node(static_cast<pugi::xml_node_struct*>(node)); }

bool is_element(pugi::xml_node node) { return node.type() == pugi::node_element; }

/// From `node` on, the first element of that name (any, if empty).
pugi::xml_node seek(pugi::xml_node node, std::string_view name) {
  while (node && !(is_element(node) && (name.empty() || name == node.name()))) node = node.next_sibling();
  return node;
}

}  // namespace

struct Document::State {
  std::string file;
  std::string text;
  LineIndex lines;
  pugi::xml_document tree;
  // Caches the indices of siblings, so that many paths in one long list take linear time.
  std::unordered_map<const void*, std::uint32_t> places;
  std::unordered_set<const void*> counted;

  /// Index of an element among its siblings of the same name, from 1.
  std::uint32_t place_of(pugi::xml_node node) {
    const pugi::xml_node parent = node.parent();
    if (counted.insert(parent.internal_object()).second) {
      std::unordered_map<std::string_view, std::uint32_t> seen;
      for (const pugi::xml_node child : parent.children())
        if (is_element(child)) places.emplace(child.internal_object(), ++seen[child.name()]);
    }
    return places.at(node.internal_object());
  }
};

Document::Document() : state_(std::make_unique<State>()) {}
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;
Document::~Document() = default;

Parsed<Document> Document::parse(std::string_view text, std::string file, const Limits& limits) {
  Parsed<Document> result{std::nullopt, Diagnostics(file)};
  if (text.size() > limits.max_bytes) {
    result.diagnostics.report(code::kSize, {},
                              fmt::format("{} bytes, more than the limit of {}", text.size(), limits.max_bytes));
    return result;
  }
  if (!is_well_formed(text, limits, result.diagnostics)) return result;
  Document document;
  State& state = *document.state_;
  state.file = std::move(file);
  state.text = to_utf8(text);
  state.lines = LineIndex(state.text);
  const pugi::xml_parse_result parsed = state.tree.load_buffer(
      state.text.data(), state.text.size(), pugi::parse_default | pugi::parse_ws_pcdata, pugi::encoding_utf8);
  if (!parsed) {
    const auto offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(parsed.offset, 0));
    result.diagnostics.report(code::kSyntax, state.lines.at(offset), parsed.description());
    return result;
  }
  result.value = std::move(document);
  return result;
}

Element Document::root() const { return {this, state_->tree.document_element().internal_object()}; }
const std::string& Document::file() const { return state_->file; }

std::string_view Element::name() const { return as_node(node_).name(); }

Position Element::position() const {
  if (node_ == nullptr) return {};
  const std::ptrdiff_t offset = as_node(node_).offset_debug();  // of the name, just after the '<'
  return offset < 1 ? Position{} : document_->state_->lines.at(static_cast<std::size_t>(offset) - 1);
}

std::string Element::path() const {
  std::string path;
  for (pugi::xml_node node = as_node(node_); is_element(node); node = node.parent()) {
    const std::uint32_t index = document_->state_->place_of(node);
    path.insert(0, index > 1 ? fmt::format("/{}[{}]", node.name(), index) : fmt::format("/{}", node.name()));
  }
  return path;
}

std::optional<std::string_view> Element::attribute(std::string_view name) const {
  for (const pugi::xml_attribute a : as_node(node_).attributes())
    if (name == a.name()) return a.value();
  return std::nullopt;
}

Position Element::attribute_position(std::string_view name) const {
  if (node_ == nullptr) return {};
  const std::ptrdiff_t offset = as_node(node_).offset_debug();
  if (offset < 1) return {};
  const std::size_t found = attribute_offset(document_->state_->text, static_cast<std::size_t>(offset), name);
  return found == std::string_view::npos ? position() : document_->state_->lines.at(found);
}

std::vector<std::string_view> Element::attribute_names() const {
  std::vector<std::string_view> names;
  for (const pugi::xml_attribute a : as_node(node_).attributes()) names.emplace_back(a.name());
  return names;
}

Element Element::parent() const {
  const pugi::xml_node parent = as_node(node_).parent();
  return is_element(parent) ? Element(document_, parent.internal_object()) : Element();
}

Element Element::first_child(std::string_view name) const {
  return {document_, seek(as_node(node_).first_child(), name).internal_object()};
}

Element Element::next_sibling(std::string_view name) const {
  return {document_, seek(as_node(node_).next_sibling(), name).internal_object()};
}

std::vector<Element> Element::children(std::string_view name) const {
  std::vector<Element> all;
  for (Element child = first_child(name); child; child = child.next_sibling(name)) all.push_back(child);
  return all;
}

std::string Element::text() const {
  std::string text;
  for (const pugi::xml_node child : as_node(node_).children())
    if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) text += child.value();
  return text;
}

TextPlaces Element::attribute_places(std::string_view name) const {
  TextPlaces places;
  const std::ptrdiff_t tag = node_ == nullptr ? 0 : as_node(node_).offset_debug();
  if (tag < 1) return places;
  const std::string_view text = document_->state_->text;
  std::size_t at = attribute_offset(text, static_cast<std::size_t>(tag), name), offset = 0;
  if (at == std::string_view::npos) return places;
  const char quote = text[at - 1];
  for (bool anchored = false; at < text.size() && text[at] != quote;) {
    std::size_t raw = 1, decoded = 1;
    if (text[at] == '&') {
      raw = std::min(text.find(';', at), text.size() - 1) + 1 - at;
      decoded = decoded_size(text.substr(at, raw));
    } else if (text.substr(at, 2) == "\r\n") {
      raw = 2;
    }
    if (!anchored) places.add(offset, document_->state_->lines.at(at));
    anchored = raw == decoded && text[at] != '\n';
    at += raw;
    offset += decoded;
  }
  return places;
}

bool Element::is_mixed() const {
  for (const pugi::xml_node child : as_node(node_).children())
    if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata)
      for (const char* c = child.value(); *c != '\0'; ++c)
        if (!is_blank(*c)) return true;
  return false;
}

bool is_root(const Element& root, std::string_view name, Diagnostics& diagnostics) {
  if (root.name() == name) return true;
  diagnostics.report(code::kRoot, root.position(), fmt::format("the root element is <{}>, expected <{}>", root.name(), name),
                     root.path());
  return false;
}

std::string_view root_name(std::string_view text) {
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    const std::string_view rest = text.substr(at + 1);
    if (rest.starts_with("!--")) {
      at = text.find("-->", at);
      if (at == std::string_view::npos) break;
      continue;
    }
    if (!rest.starts_with("?") && !rest.starts_with("!")) return rest.substr(0, rest.find_first_of(" \t\r\n/>"));
  }
  return {};
}

}  // namespace simbatch::xml
