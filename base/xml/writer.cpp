#include <algorithm>
#include <stdexcept>

#include "base/core/text.hpp"
#include "base/xml/xml.hpp"

namespace simbatch::xml {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

/// Length of the character at `i` if XML 1.0 forbids it, else 0.
std::size_t forbidden(std::string_view text, std::size_t i) {
  const char c = text[i];
  if (static_cast<unsigned char>(c) < 0x20) return c == '\t' || c == '\n' || c == '\r' ? 0 : 1;
  if (c != '\xEF') return 0;
  const std::string_view character = text.substr(i, 3);
  return character == "\xEF\xBF\xBE" || character == "\xEF\xBF\xBF" ? 3 : 0;
}

void append_character(std::string& out, char c, bool attribute) {
  switch (c) {
    case '&': out += "&amp;"; break;
    case '<': out += "&lt;"; break;
    case '>': out += "&gt;"; break;
    case '"': out += attribute ? "&quot;" : "\""; break;
    // Readers normalize these in attribute values; as references they survive.
    case '\n': out += attribute ? "&#10;" : "\n"; break;
    case '\t': out += attribute ? "&#9;" : "\t"; break;
    case '\r': out += "&#13;"; break;
    default: out += c;
  }
}

}  // namespace

std::size_t find_forbidden(std::string_view text) {
  const std::size_t invalid = find_invalid_utf8(text);
  for (std::size_t i = 0; i < std::min(invalid, text.size()); ++i)
    if (forbidden(text, i) > 0) return i;
  return invalid;
}

void append_escaped(std::string& out, std::string_view text, bool attribute) {
  if (find_invalid_utf8(text) != std::string_view::npos) return append_escaped(out, valid_utf8(text), attribute);
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = forbidden(text, i);
    if (length > 0)
      out += kReplacement;
    else
      append_character(out, text[i], attribute);
    i += std::max<std::size_t>(1, length);
  }
}

Writer::Writer(bool declaration) {
  if (declaration) out_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
}

void Writer::close_start(bool newline) {
  if (!in_start_) return;
  out_ += '>';
  if (newline) out_ += '\n';
  in_start_ = false;
}

void Writer::start(std::string_view name) {
  close_start(true);
  out_.append(2 * open_.size(), ' ');
  out_ += '<';
  out_ += name;
  open_.emplace_back(name);
  in_start_ = true;
  inline_ = false;
}

void Writer::attribute(std::string_view name, std::string_view value) {
  if (!in_start_) throw std::logic_error("xml::Writer: attribute outside a start tag");
  out_ += ' ';
  out_ += name;
  out_ += "=\"";
  append_escaped(out_, value, true);
  out_ += '"';
}

void Writer::attribute(std::string_view name, double value) { attribute(name, std::string_view(number_text(value))); }
void Writer::attribute(std::string_view name, std::int64_t value) { attribute(name, std::string_view(number_text(value))); }

void Writer::text(std::string_view text) {
  if (open_.empty()) throw std::logic_error("xml::Writer: text outside the root");
  close_start(false);
  inline_ = true;
  append_escaped(out_, text, false);
}

void Writer::comment(std::string_view text) {
  close_start(true);
  out_.append(2 * open_.size(), ' ');
  out_ += "<!-- ";
  char before = ' ';
  for (const char c : text) {
    if (c == '-' && before == '-') out_ += ' ';
    out_ += c;
    before = c;
  }
  out_ += before == '-' ? "  -->\n" : " -->\n";
}

void Writer::end() {
  if (open_.empty()) throw std::logic_error("xml::Writer: end without start");
  const std::string name = std::move(open_.back());
  open_.pop_back();
  if (in_start_) {
    out_ += "/>\n";
    in_start_ = false;
    return;
  }
  if (!inline_) out_.append(2 * open_.size(), ' ');
  inline_ = false;
  out_ += "</";
  out_ += name;
  out_ += ">\n";
}

void Writer::element(std::string_view name, std::string_view content) {
  start(name);
  text(content);
  end();
}
void Writer::element(std::string_view name, double value) { element(name, number_text(value)); }
void Writer::element(std::string_view name, const std::optional<double>& value) {
  if (value) element(name, *value);
}

std::string Writer::take() {
  if (!open_.empty()) throw std::logic_error("xml::Writer: an element is still open");
  return take_part();
}

std::string Writer::take_part() {
  std::string part = std::move(out_);
  out_.clear();
  return part;
}

}  // namespace simbatch::xml
