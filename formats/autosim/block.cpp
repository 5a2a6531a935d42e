// Blocks and parameters, typed: numbers, flags, vectors and names with their ranges. Source: thesis, C.1.

#include "formats/autosim/block.hpp"

#include "base/xml/codes.hpp"

#include <algorithm>
#include <utility>

namespace simbatch::autosim::detail {
namespace {

constexpr std::pair<std::string_view, Shape::Kind> kShapes[] = {{"Box", Shape::Kind::box},
                                                                {"Sphere", Shape::Kind::sphere},
                                                                {"Capsule", Shape::Kind::capsule},
                                                                {"Cylinder", Shape::Kind::cylinder},
                                                                {"Mesh", Shape::Kind::mesh}};

std::string with_name(std::string_view element, std::string_view name) {
  return "<" + std::string(element) + "> " + quoted(name);
}

}  // namespace

bool is_usable_name(std::string_view name) {
  if (name.empty()) return false;
  for (const char c : name)
    if (c == '.' || static_cast<unsigned char>(c) <= ' ' || c == 0x7f) return false;
  return true;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
  const std::string_view near = nearest(word, known);
  return near.empty() ? std::string() : ", did you mean " + quoted(near) + "?";
}

void NameTable::add(const std::string& name, Position at, std::string_view what, Diagnostics& diagnostics) {
  if (name.empty()) return;  // already reported
  const auto [found, is_new] = places_.emplace(name, at);
  if (is_new) return;
  diagnostics.report(code::kDuplicate, at, std::string(what) + " " + quoted(name) + " is a duplicate, expected another name");
  diagnostics.note(code::kDuplicate, found->second, "the first one is here");
}

std::vector<std::string_view> NameTable::names() const {
  std::vector<std::string_view> all;
  for (const auto& entry : places_) all.push_back(entry.first);
  return all;
}

BlockReader::BlockReader(const xml::Element& element, Diagnostics& diagnostics, Named named)
    : diagnostics_(diagnostics), errors_before_(diagnostics.errors()), reader_(element, diagnostics) {
  if (named == Named::optional) {
    name_ = reader_.string("name").value_or("");
    return;
  }
  read_name();
}

BlockReader::BlockReader(const xml::Element& element, Diagnostics& diagnostics, std::string_view default_name)
    : diagnostics_(diagnostics), errors_before_(diagnostics.errors()), reader_(element, diagnostics) {
  if (!default_name.empty() && !element.attribute("name"))
    name_ = default_name;
  else
    read_name();
}

void BlockReader::read_name() {
  const auto name = reader_.required_string("name");
  if (!name) return;
  name_ = *name;
  if (!is_usable_name(name_))
    reader_.report(code::kName, "name",
                   "name " + quoted(name_) + " holds a dot, a blank or a control character, expected none");
}

std::optional<xml::Element> BlockReader::parameter(std::string_view tag, bool required,
                                                   std::vector<std::string_view> attributes) {
  auto found = reader_.child(tag);
  if (!found && required) missing_.push_back({std::string(tag), std::move(attributes)});
  return found;
}

std::vector<BlockReader::Missing>::iterator BlockReader::meant_by(const xml::Element& unknown) {
  const auto is_near = [&](const Missing& missing) {
    const std::string_view tag = missing.tag;
    if (!nearest(unknown.name(), std::span(&tag, 1)).empty()) return true;
    const auto& names = missing.attributes;
    return !names.empty() &&
           std::all_of(names.begin(), names.end(), [&](std::string_view name) { return unknown.attribute(name).has_value(); });
  };
  return std::find_if(missing_.begin(), missing_.end(), is_near);
}

void BlockReader::finish() {
  Diagnostics found(diagnostics_.file());
  std::swap(found, diagnostics_);
  reader_.finish();
  std::swap(found, diagnostics_);
  if (missing_.empty()) return diagnostics_.append(std::move(found));
  for (const Diagnostic& each : found.items()) {
    std::string hint;
    const Code* code = &xml::code::kTextStray;
    if (each.code == xml::code::kAttributeUnknown.name) code = &xml::code::kAttributeUnknown;
    if (each.code == xml::code::kElementUnknown.name) {
      code = &xml::code::kElementUnknown;
      xml::Element unknown = reader_.element().first_child();
      while (unknown.position() != each.at) unknown = unknown.next_sibling();
      if (const auto meant = meant_by(unknown); meant != missing_.end()) {
        if (each.message.find("did you mean") == std::string::npos) hint = "; it needs a <" + meant->tag + ">";
        missing_.erase(meant);
      }
    }
    diagnostics_.report(*code, each.at, each.message + hint, each.path);
  }
  for (const Missing& missing : missing_)
    reader_.report(xml::code::kElementMissing, {},
                   with_name(reader_.element().name(), name_) + " needs a <" + missing.tag + ">");
  missing_.clear();
}

std::optional<double> BlockReader::read_number(std::string_view tag, bool required, const xml::Range& range) {
  const auto element = parameter(tag, required, {"value"});
  if (!element) return std::nullopt;
  xml::ElementReader parameter_reader(*element, diagnostics_);
  const auto value = parameter_reader.required_number("value", range);
  parameter_reader.finish();
  return value;
}

double BlockReader::required_number(std::string_view tag, const xml::Range& range) {
  return read_number(tag, true, range).value_or(0);
}
std::optional<double> BlockReader::optional_number(std::string_view tag, const xml::Range& range) {
  return read_number(tag, false, range);
}
double BlockReader::number(std::string_view tag, double fallback, const xml::Range& range) {
  return read_number(tag, false, range).value_or(fallback);
}

bool BlockReader::required_boolean(std::string_view tag) {
  const auto element = parameter(tag, true, {"value"});
  if (!element) return false;
  xml::ElementReader parameter_reader(*element, diagnostics_);
  bool value = false;
  if (parameter_reader.required_string("value")) value = parameter_reader.boolean("value").value_or(false);
  parameter_reader.finish();
  return value;
}

std::optional<Vector3> BlockReader::read_vector(std::string_view tag, bool required, const xml::Range& each, bool nonzero) {
  const auto element = parameter(tag, required, {"x", "y", "z"});
  if (!element) return std::nullopt;
  xml::ElementReader parameter_reader(*element, diagnostics_);
  const auto x = parameter_reader.required_number("x", each), y = parameter_reader.required_number("y", each),
             z = parameter_reader.required_number("z", each);
  parameter_reader.finish();
  if (!x || !y || !z) return std::nullopt;
  if (nonzero && *x == 0 && *y == 0 && *z == 0)
    parameter_reader.report(code::kZeroVector, {}, "<" + std::string(tag) + "> has length 0, expected a direction");
  return Vector3{*x, *y, *z};
}

Vector3 BlockReader::required_vector(std::string_view tag, const xml::Range& each) {
  return read_vector(tag, true, each, false).value_or(Vector3{});
}
Vector3 BlockReader::vector(std::string_view tag, Vector3 fallback, const xml::Range& each) {
  return read_vector(tag, false, each, false).value_or(fallback);
}
std::optional<Vector3> BlockReader::optional_vector(std::string_view tag, const xml::Range& each) {
  return read_vector(tag, false, each, false);
}
Vector3 BlockReader::required_direction(std::string_view tag) { return read_vector(tag, true, {}, true).value_or(Vector3{}); }
Vector3 BlockReader::direction(std::string_view tag, Vector3 fallback) {
  return read_vector(tag, false, {}, true).value_or(fallback);
}
std::optional<Vector3> BlockReader::optional_direction(std::string_view tag) { return read_vector(tag, false, {}, true); }

std::optional<std::string> BlockReader::read_text(std::string_view tag, std::string_view attribute, bool required) {
  const auto element = parameter(tag, required, {attribute});
  if (!element) return std::nullopt;
  xml::ElementReader parameter_reader(*element, diagnostics_);
  auto value = parameter_reader.required_string(attribute);
  parameter_reader.finish();
  return value;
}

std::string BlockReader::required_text(std::string_view tag, std::string_view attribute) {
  return read_text(tag, attribute, true).value_or("");
}
std::optional<std::string> BlockReader::optional_text(std::string_view tag, std::string_view attribute) {
  return read_text(tag, attribute, false);
}

std::optional<Model> BlockReader::model(std::string_view tag) {
  const auto element = parameter(tag, false);
  if (!element) return std::nullopt;
  xml::ElementReader parameter_reader(*element, diagnostics_);
  auto path = parameter_reader.required_string("path"), type = parameter_reader.required_string("type");
  parameter_reader.finish();
  return Model{std::move(path).value_or(""), std::move(type).value_or("")};
}

void BlockReader::report(const Code& code, std::string_view tag, std::string message) {
  xml::Element at = reader_.element().first_child(tag);
  if (tag.empty() || !at) at = reader_.element();
  diagnostics_.report(code, at.position(), std::move(message), at.path());
}

std::optional<xml::Document> open_document(std::string_view text, const std::string& file_name, std::string_view root_name,
                                           Diagnostics& diagnostics) {
  Parsed<xml::Document> parsed = xml::Document::parse(text, file_name);
  diagnostics.append(std::move(parsed.diagnostics));
  if (!parsed.value) return std::nullopt;
  const xml::Element root = parsed.value->root();
  if (root.name() != root_name) {
    diagnostics.report(xml::code::kRoot, root.position(),
                       "the root element is <" + std::string(root.name()) + ">, expected <" + std::string(root_name) + ">");
    return std::nullopt;
  }
  // <Parent name=> and <Child name=> of a link refer to blocks.
  const auto is_block = [](const xml::Element& element) {
    return element.attribute("name") && element.name() != "Parent" && element.name() != "Child";
  };
  RecordCount count(code::kMany, "named blocks (objects, parts, links, devices, houses)");
  if (!parsed.value->is_within(count, is_block, diagnostics)) return std::nullopt;
  return std::move(parsed.value);
}

void report_unknown(const xml::Element& element, std::span<const std::string_view> known, Diagnostics& diagnostics,
                    std::string_view home) {
  const std::string parent = "<" + std::string(element.parent().name()) + ">";
  diagnostics.report(xml::code::kElementUnknown, element.position(),
                     home.empty()
                         ? parent + " has no element " + quoted(element.name()) + did_you_mean(element.name(), known)
                         : "<" + std::string(element.name()) + "> belongs in <" + std::string(home) + ">, not in " + parent,
                     element.path());
}

std::optional<Shape::Kind> shape_kind(std::string_view element_name) {
  for (const auto& [name, kind] : kShapes)
    if (name == element_name) return kind;
  return std::nullopt;
}

std::string_view shape_name(Shape::Kind kind) {
  for (const auto& [name, other] : kShapes)
    if (other == kind) return name;
  return "Box";
}

Shape read_shape(BlockReader& block, Shape::Kind kind) {
  Shape shape;
  shape.kind = kind;
  switch (kind) {
    case Shape::Kind::box: shape.size = block.required_vector("Size", xml::Range::positive()); break;
    case Shape::Kind::sphere: shape.radius = block.required_number("Radius", xml::Range::positive()); break;
    case Shape::Kind::capsule:
    case Shape::Kind::cylinder:
      shape.radius = block.required_number("Radius", xml::Range::positive());
      shape.length = block.required_number("Length", xml::Range::positive());
      break;
    case Shape::Kind::mesh:
      shape.file = block.required_text("File", "path");
      shape.size = block.vector("Scale", {1, 1, 1});
      if (shape.size.x == 0 || shape.size.y == 0 || shape.size.z == 0)
        block.report(code::kZeroVector, "Scale", "<Scale> holds a 0, expected factors other than 0");
      if (const auto element = block.reader().child("Hulls")) {
        xml::ElementReader reader(*element, block.diagnostics());
        shape.hulls = static_cast<int>(reader.required_integer("value", 1, kMaxHulls).value_or(1));
        reader.finish();
      }
      break;
  }
  return shape;
}

void start_block(xml::Writer& writer, std::string_view type, std::string_view name) {
  writer.start(type);
  writer.attribute("name", name);
}
void write_number_unless(xml::Writer& writer, std::string_view tag, double value, double fallback) {
  if (value != fallback) write_number(writer, tag, value);
}
void write_vector_unless(xml::Writer& writer, std::string_view tag, const Vector3& value, const Vector3& fallback) {
  if (value != fallback) write_vector(writer, tag, value);
}
void write_number(xml::Writer& writer, std::string_view tag, double value) {
  writer.start(tag);
  writer.attribute("value", value);
  writer.end();
}
void write_number(xml::Writer& writer, std::string_view tag, const std::optional<double>& value) {
  if (value) write_number(writer, tag, *value);
}
void write_flag(xml::Writer& writer, std::string_view tag, bool value) {
  writer.start(tag);
  writer.attribute("value", value);
  writer.end();
}
void write_vector(xml::Writer& writer, std::string_view tag, const Vector3& value) {
  writer.start(tag);
  writer.attribute("x", value.x);
  writer.attribute("y", value.y);
  writer.attribute("z", value.z);
  writer.end();
}
void write_vector(xml::Writer& writer, std::string_view tag, const std::optional<Vector3>& value) {
  if (value) write_vector(writer, tag, *value);
}
void write_text(xml::Writer& writer, std::string_view tag, std::string_view attribute, std::string_view value) {
  writer.start(tag);
  writer.attribute(attribute, value);
  writer.end();
}
void write_model(xml::Writer& writer, std::string_view tag, const Model& model) {
  writer.start(tag);
  writer.attribute("path", model.path);
  writer.attribute("type", model.type);
  writer.end();
}
void write_shape(xml::Writer& writer, const Shape& shape) {
  switch (shape.kind) {
    case Shape::Kind::box: write_vector(writer, "Size", shape.size); break;
    case Shape::Kind::sphere: write_number(writer, "Radius", shape.radius); break;
    case Shape::Kind::capsule:
    case Shape::Kind::cylinder:
      write_number(writer, "Radius", shape.radius);
      write_number(writer, "Length", shape.length);
      break;
    case Shape::Kind::mesh:
      write_text(writer, "File", "path", shape.file);
      if (shape.size != Vector3{1, 1, 1}) write_vector(writer, "Scale", shape.size);
      write_number_unless(writer, "Hulls", shape.hulls, 1);
      break;
  }
}

}  // namespace simbatch::autosim::detail
