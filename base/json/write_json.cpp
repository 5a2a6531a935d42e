#include "base/json/write_json.hpp"

#include <cmath>

#include "base/core/text.hpp"

namespace simbatch::json {

void Writer::new_line() {
  if (indent_ == 0) return;
  text_ += '\n';
  text_.append(indent_ * levels_.size(), ' ');
}

void Writer::before_value() {
  if (after_key_ || levels_.empty()) {
    after_key_ = false;
    return;
  }
  if (!levels_.back().empty) text_ += ',';
  levels_.back().empty = false;
  new_line();
}

Writer& Writer::open(char opening, char closing) {
  before_value();
  text_ += opening;
  levels_.push_back({closing});
  return *this;
}

Writer& Writer::close() {
  const Level closed = levels_.back();
  levels_.pop_back();
  if (!closed.empty) new_line();
  text_ += closed.closing;
  return *this;
}

Writer& Writer::key(std::string_view name) {
  before_value();
  append_json_string(text_, name);
  text_ += indent_ == 0 ? ":" : ": ";
  after_key_ = true;
  return *this;
}

Writer& Writer::value(std::string_view text) {
  before_value();
  append_json_string(text_, text);
  return *this;
}

Writer& Writer::value(double number) { return std::isfinite(number) ? raw(number_text(number)) : null(); }

Writer& Writer::raw(std::string_view json) {
  before_value();
  text_ += json;
  return *this;
}

}  // namespace simbatch::json
