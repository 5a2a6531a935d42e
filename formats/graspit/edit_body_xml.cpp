// Edits values in the XML of a body, without changing any other byte.
#include <algorithm>

#include "base/xml/repair.hpp"
#include "base/xml/xml.hpp"
#include "formats/graspit/codes.hpp"
#include "formats/graspit/parse.hpp"

namespace simbatch::graspit {
namespace {

using namespace detail;
using xml::Element;

struct Value {
  std::string_view name;
  std::string text;  // escaped
};

std::vector<Value> values_of(const Body& body) {
  std::vector<Value> values;
  const auto add = [&](std::string_view name, std::string_view text) {
    values.push_back({name, {}});
    xml::append_escaped(values.back().text, text, false);
  };
  const auto add_numbers = [&](std::string_view name, std::span<const double> numbers) {
    std::string text;
    append_values(text, numbers);
    add(name, text);
  };
  if (body.material) add("material", *body.material);
  if (body.mass) add("mass", number_text(*body.mass));
  if (body.cog) add_numbers("cog", *body.cog);
  if (body.inertia) add_numbers("inertia_matrix", *body.inertia);
  if (body.youngs) add("youngs", number_text(*body.youngs));
  return values;
}

/// Offset of a position in UTF-8; npos if the text has no such line.
std::size_t offset_of(std::string_view text, Position at) {
  std::size_t start = byte_order_mark_size(text);
  for (std::uint32_t line = 1; line < at.line; ++line) {
    const std::size_t end = text.find('\n', start);
    if (end == std::string_view::npos) return end;
    start = end + 1;
  }
  return start + at.column - 1;
}

/// Offset past the start tag at `begin`.
std::size_t content_at(std::string_view text, std::size_t begin) {
  char quote = 0;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '>') {
      return i + 1;
    }
  }
  return text.size();
}

/// Offset of the end tag of an element without elements in it, from its content on.
std::size_t end_tag_at(std::string_view text, std::size_t at) {
  for (at = text.find('<', at); at != std::string_view::npos && text.substr(at, 2) != "</"; at = text.find('<', at)) {
    const std::string_view rest = text.substr(at);
    const std::string_view close = rest.starts_with("<!--") ? "-->" : rest.starts_with("<![CDATA[") ? "]]>" : ">";
    at = text.find(close, at);
  }
  return std::min(at, text.size());
}

/// A part of the text, and what replaces it.
struct Edit {
  std::size_t begin = 0, end = 0;
  std::string text;
};

Edit replacing(std::string_view text, std::size_t begin, const Value& value) {
  const std::size_t content = content_at(text, begin);
  if (text[content - 2] != '/') return {content, end_tag_at(text, content), value.text};
  return {content - 2, content, ">" + value.text + "</" + std::string(value.name) + ">"};
}

}  // namespace

Parsed<std::string> set_body_xml(std::string_view text, const Body& body, std::string_view file_name) {
  auto document = xml::parse_forgiving(text, std::string(file_name));
  Parsed<std::string> result{std::nullopt, std::move(document.diagnostics)};
  if (!document.value) return result;
  const Element root = document.value->root();
  const Element first = root.first_child();
  const std::size_t before = offset_of(text, first.position());
  // Other encodings than UTF-8 are read, but their bytes are not those of the positions.
  if (root.name() != "root" || !first ||
      !text.substr(std::min(before, text.size())).starts_with("<" + std::string(first.name()))) {
    result.diagnostics.report(code::kXmlMissing, root.position(), "expected a <root> with elements, in UTF-8");
    return result;
  }
  const std::size_t line = text.find_last_not_of(" \t\r\n", before - 1) + 1;
  const std::string_view indent = text.substr(line, before - line);
  std::vector<Edit> edits;
  Edit added{before, before, {}};
  for (const Value& value : values_of(body)) {
    const std::string name(value.name);
    if (const Element there = root.first_child(name)) {
      if (there.first_child()) {
        result.diagnostics.report(code::kXmlText, there.position(), "<" + name + "> holds elements, expected a value");
        return result;
      }
      edits.push_back(replacing(text, offset_of(text, there.position()), value));
    } else {
      (((added.text += "<" + name + ">") += value.text) += "</" + name + ">") += indent;
    }
  }
  edits.push_back(std::move(added));
  std::sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
  std::string out;
  std::size_t copied = 0;
  for (const Edit& edit : edits) {
    (out += text.substr(copied, edit.begin - copied)) += edit.text;
    copied = edit.end;
  }
  result.value = out += text.substr(copied);
  return result;
}

}  // namespace simbatch::graspit
