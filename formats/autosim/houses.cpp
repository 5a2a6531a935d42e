// Reads and writes House File Lists. Source: thesis, C.6; docs/formats/autosim-houses.md.

#include "formats/autosim/houses.hpp"

#include "base/xml/codes.hpp"
#include "formats/autosim/block.hpp"

namespace simbatch::autosim {
namespace {
using detail::BlockReader;

std::optional<HouseModel> read_model(const xml::Element& element, detail::NameTable& names, Diagnostics& diagnostics) {
  BlockReader block(element, diagnostics, detail::Named::optional);
  HouseModel model;
  model.type = element.name();
  model.name = block.name();
  model.place = block.place();
  if (model.name.empty()) (void)block.reader().required_string("name");
  names.add(model.name, model.place.at, "house", diagnostics);
  if (block.has("File"))
    model.file = block.model("File").value_or(Model{});
  else
    (void)block.required_child("File");
  model.box_size = block.optional_vector("BoxSize", {0, kMaxHouseSize, true, false}).value_or(Vector3{});
  model.weight = block.optional_number("Weight", xml::Range::between(0.001, 1000)).value_or(1);
  block.finish();
  return block.ok() ? std::optional(std::move(model)) : std::nullopt;
}

}  // namespace

const LanduseSection* HouseList::find(std::string_view landuse) const {
  for (const LanduseSection& section : sections)
    if (section.landuse == landuse) return &section;
  return nullptr;
}

Parsed<HouseList> read_houses(std::string_view text, const std::string& file_name) {
  Parsed<HouseList> result{std::nullopt, Diagnostics(file_name)};
  Diagnostics& diagnostics = result.diagnostics;
  const auto document = detail::open_document(text, file_name, "houses", diagnostics);
  if (!document) return result;
  HouseList list;
  xml::ElementReader root(document->root(), diagnostics);
  list.place.at = document->root().position();
  list.version = root.string("version").value_or("");
  list.generator = root.string("generator").value_or("");
  detail::NameTable landuses;
  for (const xml::Element& element : root.all_children()) {
    LanduseSection section;
    section.landuse = element.name();
    section.place.at = element.position();
    landuses.add(section.landuse, section.place.at, "landuse section", diagnostics);
    xml::ElementReader reader(element, diagnostics);
    detail::NameTable names;
    for (const xml::Element& child : reader.all_children())
      if (auto model = read_model(child, names, diagnostics)) section.models.push_back(std::move(*model));
    reader.finish();
    list.sections.push_back(std::move(section));
  }
  root.finish();
  diagnostics.sort();
  result.value = std::move(list);
  return result;
}

std::string write_houses(const HouseList& houses) {
  xml::Writer writer;
  writer.start("houses");
  if (!houses.version.empty()) writer.attribute("version", houses.version);
  if (!houses.generator.empty()) writer.attribute("generator", houses.generator);
  for (const LanduseSection& section : houses.sections) {
    writer.start(section.landuse);
    for (const HouseModel& model : section.models) {
      writer.start(model.type);
      writer.attribute("name", model.name);
      detail::write_model(writer, "File", model.file);
      if (model.has_size()) detail::write_vector(writer, "BoxSize", model.box_size);
      detail::write_number_unless(writer, "Weight", model.weight, 1);
      writer.end();
    }
    writer.end();
  }
  writer.end();
  return writer.take();
}

}  // namespace simbatch::autosim
