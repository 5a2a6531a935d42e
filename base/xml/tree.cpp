#include "base/xml/tree.hpp"

#include <expat.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/core/text.hpp"
#include "base/xml/codes.hpp"

namespace simbatch::xml::detail {
namespace {

struct Check {
  Check(std::string_view text_, Tree& tree_) : text(text_), tree(tree_) {}

  std::string_view text;
  Tree& tree;
  XML_Parser parser = nullptr;
  std::uint32_t node = 0;  // the innermost that is open
  std::size_t max_depth = 0, max_attributes = 0, max_elements = 0;
  const Code* fault = nullptr;
  bool has_many_elements = false;
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
  std::size_t offset() const { return static_cast<std::size_t>(XML_GetCurrentByteIndex(parser)); }
  void enter();
  void leave();
};

void Check::enter() {
  const std::size_t begin = offset();
  tree.nodes.push_back({static_cast<std::uint32_t>(begin), 0, node, 0});
  node = static_cast<std::uint32_t>(tree.nodes.size() - 1);
  for (Attributes attributes(text, begin); attributes.next();) {
    const std::string_view written = attributes.written();
    if (written.find_first_of("&\t\n\r") == std::string_view::npos) continue;
    const std::size_t decoded = tree.decoded.size();
    append_decoded(tree.decoded, written, Written::attribute);
    tree.values.push_back({static_cast<std::uint32_t>(attributes.value_at()), static_cast<std::uint32_t>(decoded),
                           static_cast<std::uint32_t>(tree.decoded.size() - decoded)});
  }
}

void Check::leave() {
  Node& left = tree.nodes[node];
  left.end = static_cast<std::uint32_t>(offset()) + static_cast<std::uint32_t>(XML_GetCurrentByteCount(parser));
  left.after = static_cast<std::uint32_t>(tree.nodes.size());
  node = left.parent;
}

// attributes: names and values in turn, then a null pointer
void start_element(void* user, const XML_Char* name, const XML_Char** attributes) {
  auto& check = *static_cast<Check*>(user);
  if (check.fault != nullptr) return;
  check.open.emplace_back(name, check.here());
  std::size_t count = 0;
  while (attributes[2 * count] != nullptr && count <= check.max_attributes) ++count;
  check.has_many_elements = check.tree.nodes.size() > check.max_elements;  // with the document's
  if (check.has_many_elements || count > check.max_attributes) return check.stop(code::kSize);
  if (check.open.size() > check.max_depth) return check.stop(code::kDepth);
  check.enter();
}
void end_element(void* user, const XML_Char*) {
  auto& check = *static_cast<Check*>(user);
  if (check.fault != nullptr) return;
  check.open.pop_back();
  check.leave();
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

void report_syntax(const Check& check, Diagnostics& diagnostics) {
  const XML_Error error = XML_GetErrorCode(check.parser);
  const Position at = check.here();
  const bool mismatched = error == XML_ERROR_TAG_MISMATCH, unclosed = error == XML_ERROR_NO_ELEMENTS;
  if (check.open.empty() || !(mismatched || unclosed)) {
    diagnostics.report(code::kSyntax, at, XML_ErrorString(error));
    return;
  }
  const auto& [name, opened] = check.open.back();
  if (mismatched)
    diagnostics.report(code::kSyntax, at,
                       fmt::format("mismatched tag: </{}> where </{}> is expected",
                                   printable(end_tag_at(check.text, at).substr(0, 64)), name));
  else
    diagnostics.report(code::kSyntax, at, fmt::format("the file ends where </{}> is expected", name));
  diagnostics.note(code::kSyntax, opened, fmt::format("<{}> begins here", name));
}

/// At most so many start tags.
std::size_t count_tags(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1))
    if (at + 1 < text.size() && text[at + 1] != '/' && text[at + 1] != '!' && text[at + 1] != '?') ++count;
  return count;
}

void report_fault(const Check& check, const Limits& limits, Diagnostics& diagnostics) {
  const Position at = check.fault == nullptr ? check.here() : check.fault_at;
  if (check.fault == &code::kDepth)
    diagnostics.report(code::kDepth, at, fmt::format("elements are nested more than {} deep", limits.max_depth));
  else if (check.has_many_elements)
    diagnostics.report(
        code::kSize, at,
        fmt::format("found more than {} elements, expected at most that many in a document", limits.max_elements));
  else if (check.fault == &code::kSize)
    diagnostics.report(code::kSize, at, fmt::format("an element has more than {} attributes", limits.max_attributes));
  else if (check.fault == &code::kEntity)
    diagnostics.report(code::kEntity, at, "an entity is defined here; write the text itself");
  else
    report_syntax(check, diagnostics);
}

}  // namespace

bool scan(std::string_view text, const char* encoding, const Limits& limits, Tree& tree, Diagnostics& diagnostics) {
  tree = {};
  tree.nodes.reserve(1 + std::min(count_tags(text), limits.max_elements));
  tree.nodes.push_back({0, static_cast<std::uint32_t>(text.size()), UINT32_MAX, 0});
  Check check(text, tree);
  check.max_depth = limits.max_depth;
  check.max_attributes = limits.max_attributes;
  check.max_elements = limits.max_elements;
  check.parser = XML_ParserCreate(encoding);
  if (check.parser == nullptr) throw std::bad_alloc();
  const std::unique_ptr<std::remove_pointer_t<XML_Parser>, decltype(&XML_ParserFree)> owner(check.parser, XML_ParserFree);
  XML_SetUserData(check.parser, &check);
  XML_SetElementHandler(check.parser, start_element, end_element);
  XML_SetEntityDeclHandler(check.parser, entity_declaration);
  // Expat copies each piece, and what the one before left of a tag or text: growing pieces keep the copies small, and the time of
  // long ones proportional to the text.
  constexpr std::size_t kSmallest = std::size_t{1} << 20, kLargest = std::size_t{1} << 28;
  XML_Status status = XML_STATUS_OK;
  std::size_t done = 0;
  do {
    const std::size_t size = std::min(std::clamp(done / 8, kSmallest, kLargest), text.size() - done);
    status = XML_Parse(check.parser, text.data() + done, static_cast<int>(size), done + size == text.size() ? 1 : 0);
    done += size;
  } while (status == XML_STATUS_OK && done < text.size());
  if (status == XML_STATUS_OK) return true;
  report_fault(check, limits, diagnostics);
  return false;
}

}  // namespace simbatch::xml::detail
