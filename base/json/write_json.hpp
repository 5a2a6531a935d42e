#pragma once
/// JSON text (RFC 8259), written in order: keys stay as they were written, numbers print in the shortest form that reads back
/// the same (base/core/number), strings are escaped and made valid UTF-8 (base/core/text).

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/number.hpp"

namespace simbatch::json {

/// Writes one document:
///   json::Writer out(2);
///   out.open_object();
///   out.member("file", name);
///   out.key("sections").open_array();
///   for (double x : xs) out.value(x);
///   out.close();
///   out.close();
///   print(out.text());
class Writer {
 public:
  /// @param indent  blanks per level; 0: everything on one line, without blanks
  explicit Writer(unsigned indent = 0) : indent_(indent) {}

  Writer& open_object() { return open('{', '}'); }
  Writer& open_array() { return open('[', ']'); }
  /// Closes the innermost object or array.
  Writer& close();
  /// The key of the next value.
  Writer& key(std::string_view name);

  Writer& value(std::string_view text);
  Writer& value(const char* text) { return value(std::string_view(text)); }
  Writer& value(const std::string& text) { return value(std::string_view(text)); }
  /// Infinite numbers and NaN are written as null: JSON has none.
  Writer& value(double number);
  template <std::integral T>
  Writer& value(T number) {
    if constexpr (std::same_as<T, bool>)
      return raw(number ? "true" : "false");
    else
      return raw(number_text(number));
  }
  /// null if empty.
  template <class T>
  Writer& value(const std::optional<T>& maybe) {
    return maybe ? value(*maybe) : null();
  }
  Writer& null() { return raw("null"); }
  /// Text that is already JSON.
  Writer& raw(std::string_view json);

  template <class T>
  Writer& member(std::string_view name, const T& what) {
    key(name);
    return value(what);
  }

  /// The document, without a line break at its end. Every object and array must be closed.
  const std::string& text() const { return text_; }

 private:
  struct Level {
    char closing = 0;
    bool empty = true;
  };
  Writer& open(char opening, char closing);
  void before_value();
  void new_line();

  std::string text_;
  std::vector<Level> levels_;
  unsigned indent_;
  bool after_key_ = false;
};

}  // namespace simbatch::json
