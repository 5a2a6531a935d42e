#pragma once
/// Strict reading of XML documents, with the position of every element and attribute (docs/adr/0006).
///
/// A document is checked for well-formedness by Expat (two roots, text after the root, duplicate attributes, bad entities,
/// wrong encoding: all refused with line and column). Entity definitions are refused. In addition to the text, a document takes
/// 16 bytes per element.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "base/core/number.hpp"
#include "base/core/record_limit.hpp"

namespace simbatch::xml {

struct Limits {
  std::size_t max_depth = 256;
  std::size_t max_bytes = std::size_t{1} << 31;
  std::size_t max_elements = 10'000'000;
  std::size_t max_attributes = 1000;  ///< of an element; looking one up takes time proportional to their number
};

class Children;
class Document;

/// A handle to an element of a Document (which must outlive it). An empty handle behaves like an element without a name.
class Element {
 public:
  Element() = default;
  explicit operator bool() const { return node_ != 0; }
  std::string_view name() const;
  Position position() const;  ///< of the element's `<`
  /// "/Robot/Devices/PSDSensor[2]": index among siblings of that name, from 1, if > 1. The first call among siblings counts
  /// them all.
  std::string path() const;
  std::optional<std::string_view> attribute(std::string_view name) const;
  /// Position of the attribute's value (after the quote); that of the element if there is no such attribute.
  Position attribute_position(std::string_view name) const;
  /// Maps the bytes of the attribute's value to the file, across references.
  TextPlaces attribute_places(std::string_view name) const;
  std::vector<std::string_view> attribute_names() const;
  Element parent() const;
  Element first_child(std::string_view name = {}) const;  ///< elements only; any name if empty
  Element next_sibling(std::string_view name = {}) const;
  Children children(std::string_view name = {}) const;
  std::string text() const;  ///< all character data directly inside, CDATA too, not trimmed
  /// As text(), without a copy where the document has it as it reads.
  /// @param kept  holds it otherwise; must outlive the result
  std::string_view text(std::string& kept) const;
  bool is_mixed() const;  ///< has character data other than blanks
  friend bool operator==(const Element& a, const Element& b) {
    return a.node_ == b.node_ && (a.node_ == 0 || a.document_ == b.document_);
  }

 private:
  friend class Document;
  Element(const Document* document, std::uint32_t node) : document_(document), node_(node) {}
  const Document* document_ = nullptr;
  std::uint32_t node_ = 0;  // in the order of the text, from 1
};

/// The children of an element, or those of one name (which must outlive this), in their order. None is kept: a list of them would
/// be larger than their text.
class Children {
 public:
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Element;
    using difference_type = std::ptrdiff_t;
    using pointer = const Element*;
    using reference = const Element&;
    Iterator() = default;
    Iterator(Element at, std::string_view name) : at_(at), name_(name) {}
    const Element& operator*() const { return at_; }
    Iterator& operator++() {
      at_ = at_.next_sibling(name_);
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

   private:
    Element at_;
    std::string_view name_;
  };

  /// @param name  need not outlive the call: what is kept is the first child's, in the document
  Children(Element parent, std::string_view name)
      : first_(parent.first_child(name)), name_(name.empty() ? name : first_.name()) {}
  Iterator begin() const { return {first_, name_}; }
  Iterator end() const { return {}; }
  bool empty() const { return !first_; }
  Element front() const { return first_; }  ///< an empty handle if there is none
  std::size_t size() const;                 ///< by one pass over them

 private:
  Element first_;
  std::string_view name_;
};

/// An XML document.
class Document {
 public:
  /// @param text  must outlive the document, or is a temporary string, which the document keeps
  /// @param file  for the diagnostics
  static Parsed<Document> parse(std::string_view text, std::string file, const Limits& limits = {});
  static Parsed<Document> parse(std::same_as<std::string> auto&& text, const std::string& file, const Limits& limits = {}) {
    return parse_kept(std::forward<decltype(text)>(text), file, limits);
  }
  Document(Document&&) noexcept;
  Document& operator=(Document&&) noexcept;
  ~Document();
  Element root() const;
  const std::string& file() const;
  /// Counts the elements that are records (base/core/record_limit.hpp): false, after a report at the first one too many, if the
  /// file has more than its reader takes. For readers to ask before they read.
  bool is_within(RecordCount& count, const std::function<bool(const Element&)>& is_record, Diagnostics& diagnostics) const;
  bool is_within(RecordCount& count, std::span<const std::string_view> names, Diagnostics& diagnostics) const;

 private:
  friend class Element;
  Document();
  static Parsed<Document> parse_kept(std::string text, std::string file, const Limits& limits);
  static Parsed<Document> read(Document document, std::string_view text, std::string file, const Limits& limits);
  struct State;
  std::unique_ptr<State> state_;
};

/// True if the root element has that name; otherwise reports it (kRoot).
bool is_root(const Element& root, std::string_view name, Diagnostics& diagnostics);

/// Name of a text's first element, past declarations and comments, for telling kinds of files apart; empty if there is none.
std::string_view root_name(std::string_view text);

/// A closed or half-open range of allowed numbers, for a message like "expected a number > 0".
struct Range {
  double min = -1.7976931348623157e308, max = 1.7976931348623157e308;
  bool min_excluded = false, max_excluded = false;
  static Range positive() { return {0, 1.7976931348623157e308, true, false}; }
  static Range not_negative() { return {0, 1.7976931348623157e308, false, false}; }
  static Range between(double a, double b) { return {a, b, false, false}; }
};

/// Reads one element strictly: requested attributes and children are known; finish() reports all others with the nearest known
/// name. Every getter reports its own problem (code, position of the attribute, value found and expected) and returns nothing,
/// so that one pass reports them all.
class ElementReader {
 public:
  ElementReader(Element element, Diagnostics& diagnostics);
  ElementReader(const ElementReader&) = delete;
  ElementReader& operator=(const ElementReader&) = delete;

  Element element() const { return element_; }
  /// True if no getter of this reader reported an error so far.
  bool ok() const { return ok_; }

  std::optional<std::string> string(std::string_view name);           ///< optional attribute
  std::optional<std::string> required_string(std::string_view name);  ///< reported when absent or empty
  std::optional<double> number(std::string_view name, const Range& range = {});
  std::optional<double> required_number(std::string_view name, const Range& range = {});
  std::optional<std::int64_t> integer(std::string_view name, std::int64_t min = INT64_MIN, std::int64_t max = INT64_MAX);
  std::optional<std::int64_t> required_integer(std::string_view name, std::int64_t min = INT64_MIN,
                                               std::int64_t max = INT64_MAX);
  std::optional<bool> boolean(std::string_view name);  ///< true, false, 1, 0, yes, no (any case)
  /// One of `words`; returns its index.
  std::optional<std::size_t> choice(std::string_view name, std::span<const std::string_view> words);

  std::optional<Element> child(std::string_view name);  ///< optional; a second one is reported
  std::optional<Element> required_child(std::string_view name);
  Children children(std::string_view name);  ///< any number
  /// Declares a name as known without reading it.
  void allow_attribute(std::string_view name);
  void allow_child(std::string_view name);
  /// Takes all children, known or not (the caller dispatches by name).
  Children all_children();
  std::string text();  ///< allows character data

  /// Reports unknown attributes, unknown children and stray text. `severity` is theirs.
  void finish(Severity severity = Severity::error);
  /// Reports a problem at an attribute (or, if absent, at the element).
  void report(const Code& code, std::string_view attribute, std::string message);

 private:
  template <class T, class Parse>
  std::optional<T> read(std::string_view name, bool required, Parse parse);
  Element element_;
  Diagnostics& diagnostics_;
  std::vector<std::string> known_attributes_, known_children_;
  bool any_child_ = false, any_text_ = false, ok_ = true;
};

/// Offset of the first character that XML 1.0 forbids even as a reference (section 2.2), or of the first byte that is not
/// UTF-8; npos if there is none.
std::size_t find_forbidden(std::string_view text);
/// Appends character data like Writer: & < > as references, as well as characters normalized by readers (CR; in attribute
/// values, which are in double quotes, also tabs and line feeds). Forbidden characters become U+FFFD (see find_forbidden), so
/// any text gives a well-formed document.
/// For inner loops that cannot use Writer.
void append_escaped(std::string& out, std::string_view text, bool attribute);

/// Writes canonical XML: two blanks of indentation, attributes in the order given, `<a/>` for empty elements, LF, UTF-8.
class Writer {
 public:
  /// @param declaration  begin with `<?xml version="1.0" encoding="UTF-8"?>`
  explicit Writer(bool declaration = true);
  void start(std::string_view name);
  void attribute(std::string_view name, std::string_view value);
  void attribute(std::string_view name, const char* value) { attribute(name, std::string_view(value)); }
  void attribute(std::string_view name, double value);  ///< shortest text that reads back the same; must be finite
  void attribute(std::string_view name, std::int64_t value);
  void attribute(std::string_view name, int value) { attribute(name, static_cast<std::int64_t>(value)); }
  void attribute(std::string_view name, bool value) { attribute(name, value ? "true" : "false"); }
  void text(std::string_view text);     ///< makes the element's content inline
  void comment(std::string_view text);  ///< on a line of its own; "--" inside becomes "- -"
  void end();
  /// A whole element: `<name>content</name>`.
  void element(std::string_view name, std::string_view content);
  void element(std::string_view name, double value);                        ///< as attribute()
  void element(std::string_view name, const std::optional<double>& value);  ///< nothing if there is no value
  /// The finished text, with a final line break. @pre every element that was started has been ended
  std::string take();
  /// Removes and returns the text written so far, for streaming; more can be written afterwards.
  std::string take_part();

 private:
  void close_start(bool newline);
  std::string out_;
  std::vector<std::string> open_;
  bool in_start_ = false, inline_ = false;
};

}  // namespace simbatch::xml
