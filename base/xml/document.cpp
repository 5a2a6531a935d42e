#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <vector>

#include "base/core/text.hpp"
#include "base/xml/codes.hpp"
#include "base/xml/tree.hpp"
#include "base/xml/xml.hpp"

// Outline: Expat reads the text once, stops at the first violation, and says where each element begins and ends. That is all
// that is kept beside the text: names, attributes and character data are read there again whenever they are asked for. Only
// values with references or line ends, whose decoded form differs from the written one, are kept decoded.

namespace simbatch::xml {

struct Document::State {
  std::string file;
  std::string owned;  // unless the text is the caller's
  std::string_view text;
  LineIndex lines;
  detail::Tree tree;
  std::vector<std::uint32_t> places;  // once asked for, of each node whose siblings have been counted; otherwise 0

  std::string_view name(std::uint32_t node) const { return detail::name_at(text, tree.nodes[node].begin); }

  bool is_named(std::uint32_t node, std::string_view wanted) const {
    return text.substr(tree.nodes[node].begin + 1).starts_with(wanted) && name(node).size() == wanted.size();
  }

  /// From `node` on, the first sibling of that name (any, if empty).
  std::uint32_t seek(std::uint32_t node, std::string_view wanted) const {
    while (node != 0 && !wanted.empty() && !is_named(node, wanted)) node = tree.next(node);
    return node;
  }

  std::string_view value(const detail::Attributes& attribute) const {
    const auto found = std::lower_bound(tree.values.begin(), tree.values.end(), attribute.value_at(),
                                        [](const detail::Decoded& value, std::size_t at) { return value.at < at; });
    if (found == tree.values.end() || found->at != attribute.value_at()) return attribute.written();
    return std::string_view(tree.decoded).substr(found->begin, found->bytes);
  }

  /// Offset of the value of an attribute; npos if there is none of that name.
  std::size_t value_at(std::uint32_t node, std::string_view name) const {
    for (detail::Attributes attributes(text, tree.nodes[node].begin); attributes.next();)
      if (attributes.name() == name) return attributes.value_at();
    return std::string_view::npos;
  }

  /// Index of an element among its siblings of the same name, from 1. The first call among siblings counts them all.
  std::uint32_t place_of(std::uint32_t node) {
    places.resize(tree.nodes.size());
    if (places[node] == 0) {
      std::unordered_map<std::string_view, std::uint32_t> seen;
      for (std::uint32_t child = tree.first_child(tree.nodes[node].parent); child != 0; child = tree.next(child))
        places[child] = ++seen[name(child)];
    }
    return places[node];
  }
};

Document::Document() : state_(std::make_unique<State>()) {}
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;
Document::~Document() = default;

Parsed<Document> Document::parse(std::string_view text, std::string file, const Limits& limits) {
  Document document;
  return read(std::move(document), text, std::move(file), limits);
}

Parsed<Document> Document::parse_kept(std::string text, std::string file, const Limits& limits) {
  Document document;
  document.state_->owned = std::move(text);
  const std::string_view kept = document.state_->owned;
  return read(std::move(document), kept, std::move(file), limits);
}

Parsed<Document> Document::read(Document document, std::string_view text, std::string file, const Limits& limits) {
  Parsed<Document> result{std::nullopt, Diagnostics(file)};
  State& state = *document.state_;
  state.file = std::move(file);
  auto utf8 = detail::to_utf8(text);
  const std::size_t bytes = std::max(text.size(), utf8 ? utf8->size() : 0);
  if (bytes > limits.max_bytes) {
    result.diagnostics.report(code::kSize, {}, fmt::format("{} bytes, more than the limit of {}", bytes, limits.max_bytes));
    return result;
  }
  if (!detail::scan(text, nullptr, limits, state.tree, result.diagnostics)) return result;
  if (utf8) {
    state.owned = *std::move(utf8);
    text = state.owned;
    if (!detail::scan(text, "UTF-8", limits, state.tree, result.diagnostics)) return result;
  }
  state.text = text;
  state.lines = LineIndex(text);
  result.value = std::move(document);
  return result;
}

Element Document::root() const { return {this, 1}; }
const std::string& Document::file() const { return state_->file; }

bool Document::is_within(RecordCount& count, const std::function<bool(const Element&)>& is_record,
                         Diagnostics& diagnostics) const {
  for (std::uint32_t node = 1; node < state_->tree.nodes.size(); ++node)
    if (const Element element(this, node); is_record(element) && !count.add(element.position(), diagnostics)) return false;
  return true;
}

bool Document::is_within(RecordCount& count, std::span<const std::string_view> names, Diagnostics& diagnostics) const {
  const auto is_record = [&](const Element& element) {
    return std::find(names.begin(), names.end(), element.name()) != names.end();
  };
  return is_within(count, is_record, diagnostics);
}

std::string_view Element::name() const { return node_ == 0 ? std::string_view() : document_->state_->name(node_); }

Position Element::position() const {
  return node_ == 0 ? Position{} : document_->state_->lines.at(document_->state_->tree.nodes[node_].begin);
}

std::string Element::path() const {
  std::string path;
  for (Element element = *this; element; element = element.parent()) {
    const std::uint32_t index = document_->state_->place_of(element.node_);
    path.insert(0, index > 1 ? fmt::format("/{}[{}]", element.name(), index) : fmt::format("/{}", element.name()));
  }
  return path;
}

std::optional<std::string_view> Element::attribute(std::string_view name) const {
  if (node_ == 0) return std::nullopt;
  const Document::State& state = *document_->state_;
  for (detail::Attributes attributes(state.text, state.tree.nodes[node_].begin); attributes.next();)
    if (attributes.name() == name) return state.value(attributes);
  return std::nullopt;
}

Position Element::attribute_position(std::string_view name) const {
  if (node_ == 0) return {};
  const std::size_t found = document_->state_->value_at(node_, name);
  return found == std::string_view::npos ? position() : document_->state_->lines.at(found);
}

std::vector<std::string_view> Element::attribute_names() const {
  std::vector<std::string_view> names;
  if (node_ == 0) return names;
  const Document::State& state = *document_->state_;
  for (detail::Attributes attributes(state.text, state.tree.nodes[node_].begin); attributes.next();)
    names.push_back(attributes.name());
  return names;
}

Element Element::parent() const {
  return node_ == 0 ? Element() : Element(document_, document_->state_->tree.nodes[node_].parent);
}

Element Element::first_child(std::string_view name) const {
  if (node_ == 0) return {};
  const Document::State& state = *document_->state_;
  return {document_, state.seek(state.tree.first_child(node_), name)};
}

Element Element::next_sibling(std::string_view name) const {
  if (node_ == 0) return {};
  const Document::State& state = *document_->state_;
  return {document_, state.seek(state.tree.next(node_), name)};
}

Children Element::children(std::string_view name) const { return {*this, name}; }

std::size_t Children::size() const { return static_cast<std::size_t>(std::distance(begin(), end())); }

std::string Element::text() const {
  std::string out;
  if (node_ == 0) return out;
  const detail::Tree& tree = document_->state_->tree;
  const std::string_view text = document_->state_->text.substr(0, tree.nodes[node_].end);
  detail::Attributes attributes(text, tree.nodes[node_].begin);
  while (attributes.next()) continue;
  const auto skip = [&](std::size_t from, std::string_view until) {
    const std::size_t found = text.find(until, from);
    return found == std::string_view::npos ? found : found + until.size();
  };
  std::uint32_t child = tree.first_child(node_);
  for (std::size_t at = attributes.content(); at < text.size();) {
    const std::size_t tag = std::min(text.find('<', at), text.size());
    detail::append_decoded(out, text.substr(at, tag - at), detail::Written::content);
    const std::string_view rest = text.substr(tag);
    if (rest.starts_with("<!--")) {
      at = skip(tag + 4, "-->");
    } else if (rest.starts_with("<![CDATA[")) {
      at = skip(tag + 9, "]]>");
      detail::append_decoded(out, text.substr(tag + 9, std::min(at, text.size()) - 3 - (tag + 9)), detail::Written::cdata);
    } else if (rest.starts_with("<?")) {
      at = skip(tag + 2, "?>");
    } else if (child != 0) {
      at = tree.nodes[child].end;
      child = tree.next(child);
    } else {
      break;  // the end tag
    }
  }
  return out;
}

std::string_view Element::text(std::string& kept) const {
  if (node_ == 0) return {};
  const detail::Tree& tree = document_->state_->tree;
  const std::string_view text = document_->state_->text.substr(0, tree.nodes[node_].end);
  detail::Attributes attributes(text, tree.nodes[node_].begin);
  while (attributes.next()) continue;
  if (attributes.content() < text.size()) {
    const std::string_view written =
        text.substr(attributes.content(), text.find('<', attributes.content()) - attributes.content());
    if (text.substr(attributes.content() + written.size()).starts_with("</") &&
        written.find_first_of("&\r") == std::string_view::npos)
      return written;
  }
  kept = this->text();
  return kept;
}

TextPlaces Element::attribute_places(std::string_view name) const {
  TextPlaces places;
  if (node_ == 0) return places;
  const std::string_view text = document_->state_->text;
  std::size_t at = document_->state_->value_at(node_, name), offset = 0;
  if (at == std::string_view::npos) return places;
  const char quote = text[at - 1];
  for (bool anchored = false; at < text.size() && text[at] != quote;) {
    std::size_t raw = 1, decoded = 1;
    if (text[at] == '&') {
      raw = std::min(text.find(';', at), text.size() - 1) + 1 - at;
      decoded = detail::decoded_size(text.substr(at, raw));
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

bool Element::is_mixed() const { return !trimmed(text()).empty(); }

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
