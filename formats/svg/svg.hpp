#pragma once
/// Writes SVG 1.1 pictures: elements with attributes, path data, numbers with a bounded number of decimals
/// (docs/formats/svg.md). No scripts, no external resources. The same calls give the same bytes.
///
///   svg::Writer writer({0, 0, 100, 50}, {{"width", 800}});
///   writer.element("path", {{"d", svg::Path().move_to(0, 0).line_to(100, 50)}, {"stroke", "#000"}});
///   writer.text("text", {{"x", 5}, {"y", 20}}, "a name with < and &");
///   std::string text = writer.take();

#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>

#include "base/xml/xml.hpp"

namespace simbatch::svg {

/// Path data (SVG 1.1, section 8.3) in absolute coordinates. Non-finite values are written as 0.
class Path {
 public:
  /// @param decimals  after the point, trailing zeros are left out
  explicit Path(int decimals = 2) : decimals_(decimals) {}
  Path& move_to(double x, double y) { return command('M', x, y); }
  Path& line_to(double x, double y) { return command('L', x, y); }
  /// An arc of a circle of at most half a turn; `clockwise` as seen, so with y downwards.
  Path& arc_to(double radius, bool clockwise, double x, double y);
  Path& close();
  bool empty() const { return data_.empty(); }
  const std::string& data() const { return data_; }

 private:
  Path& command(char letter, double x, double y);
  std::string data_;
  int decimals_;
};

/// The value of a `transform` attribute: moves to (x, y), then turns clockwise as seen by `degrees`.
std::string translate_rotate(double x, double y, double degrees, int decimals = 2);

/// The value of an attribute. Refers to the text that it is made of, so it must not outlive the call that takes it.
class Value {
 public:
  Value(double number) : value_(number) {}
  Value(int number) : value_(static_cast<double>(number)) {}
  Value(double number, int decimals) : value_(number), decimals_(decimals) {}
  Value(std::string_view text) : value_(text) {}
  Value(const char* text) : value_(std::string_view(text)) {}
  Value(const std::string& text) : value_(std::string_view(text)) {}
  Value(const Path& path) : value_(std::string_view(path.data())) {}

 private:
  friend class Writer;
  std::variant<double, std::string_view> value_;
  int decimals_ = -1;  ///< -1: the writer's
};

struct Attribute {
  std::string_view name;
  Value value;
};
using Attributes = std::initializer_list<Attribute>;

/// The visible part of the plane, in user units; y points down.
struct ViewBox {
  double x = 0, y = 0, width = 0, height = 0;
};

/// One picture. The caller is responsible for valid names of elements and attributes; texts may contain any bytes, and
/// characters not allowed in XML become U+FFFD. Numbers that are not finite are written as 0.
class Writer {
 public:
  /// @param attributes  of the root, after its namespace and viewBox
  /// @param decimals    of numbers whose Value gives none
  Writer(const ViewBox& box, Attributes attributes = {}, int decimals = 2);
  void start(std::string_view element, Attributes attributes = {});
  void end();
  void element(std::string_view name, Attributes attributes);                            ///< without content
  void text(std::string_view element, Attributes attributes, std::string_view content);  ///< title, text, style
  /// The finished picture, with a final line break. Elements left open are a broken precondition: std::logic_error.
  std::string take();

 private:
  void attribute(const Attribute& attribute);
  xml::Writer writer_;
  int decimals_;
};

}  // namespace simbatch::svg
