// What is written between `<` and `>`, and how it reads. The texts are well-formed; nothing here reads past their end otherwise.

#include <algorithm>

#include "base/core/text.hpp"
#include "base/xml/tree.hpp"

namespace simbatch::xml::detail {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool ends_name(char c) { return is_blank(c) || c == '>' || c == '/'; }

/// The character of a reference (`&lt;`, `&#228;`, `&#xE4;`); nothing if it is that of an entity.
std::optional<std::uint32_t> character(std::string_view reference) {
  constexpr std::pair<std::string_view, char> kNamed[] = {
      {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
  for (const auto& [name, named] : kNamed)
    if (reference == name) return named;
  if (!reference.starts_with("&#")) return std::nullopt;
  const bool hexadecimal = reference.starts_with("&#x");
  std::uint32_t code = 0;
  for (const char c : reference.substr(hexadecimal ? 3 : 2)) {
    if (c == ';' || code > 0x10ffff) break;
    const auto digit = static_cast<std::uint32_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    code = code * (hexadecimal ? 16 : 10) + digit;
  }
  return code;
}

}  // namespace

Attributes::Attributes(std::string_view text, std::size_t begin) : text_(text), at_(begin + 1) {
  while (at_ < text_.size() && !ends_name(text_[at_])) ++at_;
}

bool Attributes::next() {
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  if (at_ >= text_.size() || text_[at_] == '>' || text_[at_] == '/') return false;
  name_ = at_;
  while (at_ < text_.size() && text_[at_] != '=' && !is_blank(text_[at_])) ++at_;
  name_end_ = at_;
  while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\'') ++at_;
  value_ = std::min(at_ + 1, text_.size());
  value_end_ = value_ < text_.size() ? std::min(text_.find(text_[at_], value_), text_.size()) : text_.size();
  at_ = std::min(value_end_ + 1, text_.size());
  return true;
}

std::size_t Attributes::content() const { return at_ < text_.size() && text_[at_] == '>' ? at_ + 1 : std::string_view::npos; }

std::string_view name_at(std::string_view text, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < text.size() && !ends_name(text[end])) ++end;
  return text.substr(begin + 1, end - begin - 1);
}

std::size_t decoded_size(std::string_view reference) {
  const std::uint32_t code = character(reference).value_or(0);
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

void append_decoded(std::string& out, std::string_view written, Written kind) {
  const std::string_view special = kind == Written::attribute ? "&\r\n\t" : kind == Written::content ? "&\r" : "\r";
  while (!written.empty()) {
    const std::size_t plain = std::min(written.find_first_of(special), written.size());
    out += written.substr(0, plain);
    written.remove_prefix(plain);
    if (written.empty()) return;
    std::size_t bytes = 1;
    if (written.front() == '&') {
      bytes = std::min(written.find(';'), written.size() - 1) + 1;
      if (const auto code = character(written.substr(0, bytes)))
        append_utf8(out, *code);
      else
        out += written.substr(0, bytes);  // of an entity that is defined elsewhere
    } else {
      if (written.starts_with("\r\n")) bytes = 2;
      out += kind == Written::attribute ? ' ' : '\n';
    }
    written.remove_prefix(bytes);
  }
}

/// Expat reads, besides UTF-8, UTF-16 and ISO-8859-1, and no document of these begins otherwise (XML 1.0, appendix F).
std::optional<std::string> to_utf8(std::string_view text) {
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
  if (lower_ascii(declaration).find("iso-8859-1") == std::string::npos) return std::nullopt;
  for (std::size_t i = 0; i < text.size(); ++i) append_utf8(out, byte(i));
  return out;
}

}  // namespace simbatch::xml::detail
