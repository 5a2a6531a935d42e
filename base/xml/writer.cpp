#include <stdexcept>

#include "base/xml/xml.hpp"

namespace simbatch::xml {

void append_escaped(std::string& out, std::string_view text, bool attribute) {
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += attribute ? "&quot;" : "\""; break;
      // Attribute values are normalised by readers: these survive only as references.
      case '\n': out += attribute ? "&#10;" : "\n"; break;
      case '\t': out += attribute ? "&#9;" : "\t"; break;
      case '\r': out += "&#13;"; break;
      default: out += c;
    }
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
