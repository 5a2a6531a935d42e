// The generic layer: any file of the syntax of thesis C.1, without knowledge of its types.

#include "formats/autosim/build_data.hpp"

#include <algorithm>

#include "base/core/number.hpp"
#include "base/xml/codes.hpp"
#include "formats/autosim/codes.hpp"

namespace simbatch::autosim {
namespace {

void check(const xml::Element& element, const BuildData& data, bool is_root, Diagnostics& diagnostics) {
  if (element.is_mixed())
    diagnostics.report(xml::code::kTextStray, element.position(),
                       "<" + data.type + "> contains text, expected elements and attributes only", element.path());
  if (!is_root && data.role() == BuildData::Role::block && data.name().empty())
    diagnostics.report(code::kNameAbsent, element.position(), "<" + data.type + "> is a block without a name", element.path());
  auto child = data.children.begin();
  for (xml::Element e = element.first_child(); e; e = e.next_sibling()) check(e, *child++, false, diagnostics);
}

}  // namespace

std::optional<double> Attribute::number() const {
  const Number<double> value = parse_double(text);
  return value ? std::optional(value.value) : std::nullopt;
}

BuildData::Role BuildData::role() const {
  if (children.empty()) return Role::parameter;
  const bool is_block = std::all_of(children.begin(), children.end(), [](const BuildData& c) { return c.children.empty(); });
  return is_block ? Role::block : Role::section;
}

std::string_view BuildData::name() const {
  const Attribute* attribute = find("name");
  return attribute == nullptr ? std::string_view() : attribute->text;
}

const Attribute* BuildData::find(std::string_view attribute) const {
  for (const Attribute& a : attributes)
    if (a.name == attribute) return &a;
  return nullptr;
}

const BuildData* BuildData::parameter(std::string_view tag) const {
  for (const BuildData& child : children)
    if (child.type == tag) return &child;
  return nullptr;
}

std::vector<const BuildData*> BuildData::parameters(std::string_view tag) const {
  std::vector<const BuildData*> found;
  for (const BuildData& child : children)
    if (child.type == tag) found.push_back(&child);
  return found;
}

std::optional<std::string_view> BuildData::get_string(std::string_view tag, std::string_view attribute) const {
  const BuildData* found = parameter(tag);
  const Attribute* a = found == nullptr ? nullptr : found->find(attribute);
  return a == nullptr ? std::nullopt : std::optional<std::string_view>(a->text);
}

std::optional<double> BuildData::get_double(std::string_view tag, std::string_view attribute) const {
  const BuildData* found = parameter(tag);
  const Attribute* a = found == nullptr ? nullptr : found->find(attribute);
  return a == nullptr ? std::nullopt : a->number();
}

BuildData build_data_of(const xml::Element& element) {
  BuildData data;
  data.type = element.name();
  data.place.at = element.position();
  for (const std::string_view name : element.attribute_names())
    data.attributes.push_back({std::string(name), std::string(element.attribute(name).value_or(""))});
  for (xml::Element child = element.first_child(); child; child = child.next_sibling())
    data.children.push_back(build_data_of(child));
  return data;
}

void write_build_data(xml::Writer& writer, const BuildData& data) {
  writer.start(data.type);
  for (const Attribute& a : data.attributes) writer.attribute(a.name, a.text);
  for (const BuildData& child : data.children) write_build_data(writer, child);
  writer.end();
}

Parsed<BuildData> read_build_data(std::string_view text, const std::string& file_name) {
  Parsed<BuildData> result{std::nullopt, Diagnostics(file_name)};
  Parsed<xml::Document> document = xml::Document::parse(text, file_name);
  result.diagnostics.append(std::move(document.diagnostics));
  if (!document.value) return result;
  const xml::Element root = document.value->root();
  result.value = build_data_of(root);
  check(root, *result.value, true, result.diagnostics);
  return result;
}

std::string write_build_data(const BuildData& root) {
  xml::Writer writer;
  write_build_data(writer, root);
  return writer.take();
}

}  // namespace simbatch::autosim
