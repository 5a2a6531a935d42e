// SVG 1.1 (second edition): numbers without exponents (section 4.2), path data (section 8.3).
#include <cmath>

#include "base/core/number.hpp"
#include "formats/svg/svg.hpp"

namespace simbatch::svg {
namespace {

void append_finite(std::string& out, double value, int decimals) {
  append_rounded(out, std::isfinite(value) ? value : 0, decimals);
}

}  // namespace

Path& Path::command(char letter, double x, double y) {
  data_ += letter;
  append_finite(data_, x, decimals_);
  data_ += ' ';
  append_finite(data_, y, decimals_);
  return *this;
}

Path& Path::arc_to(double radius, bool clockwise, double x, double y) {
  data_ += 'A';
  append_finite(data_, radius, decimals_);
  data_ += ' ';
  append_finite(data_, radius, decimals_);
  data_ += clockwise ? " 0 0 1 " : " 0 0 0 ";
  append_finite(data_, x, decimals_);
  data_ += ' ';
  append_finite(data_, y, decimals_);
  return *this;
}

Path& Path::close() {
  data_ += 'Z';
  return *this;
}

std::string translate_rotate(double x, double y, double degrees, int decimals) {
  std::string out = "translate(";
  append_finite(out, x, decimals);
  out += ' ';
  append_finite(out, y, decimals);
  out += ") rotate(";
  append_finite(out, degrees, decimals);
  return out += ')';
}

Writer::Writer(const ViewBox& box, Attributes attributes, int decimals) : decimals_(decimals) {
  std::string view;
  for (const double value : {box.x, box.y, box.width, box.height}) {
    if (!view.empty()) view += ' ';
    append_finite(view, value, decimals);
  }
  writer_.start("svg");
  writer_.attribute("xmlns", "http://www.w3.org/2000/svg");
  writer_.attribute("viewBox", view);
  for (const Attribute& a : attributes) attribute(a);
}

void Writer::attribute(const Attribute& attribute) {
  const Value& value = attribute.value;
  if (const auto* text = std::get_if<std::string_view>(&value.value_)) return writer_.attribute(attribute.name, *text);
  std::string number;
  append_finite(number, std::get<double>(value.value_), value.decimals_ < 0 ? decimals_ : value.decimals_);
  writer_.attribute(attribute.name, number);
}

void Writer::start(std::string_view element, Attributes attributes) {
  writer_.start(element);
  for (const Attribute& a : attributes) attribute(a);
}

void Writer::end() { writer_.end(); }

void Writer::element(std::string_view name, Attributes attributes) {
  start(name, attributes);
  end();
}

void Writer::text(std::string_view element, Attributes attributes, std::string_view content) {
  start(element, attributes);
  writer_.text(content);
  end();
}

std::string Writer::take() {
  writer_.end();
  return writer_.take();
}

}  // namespace simbatch::svg
