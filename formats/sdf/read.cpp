// Source: SDFormat specification 1.12, elements sdf, world, model, frame, include.

#include "formats/sdf/read.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/core/text.hpp"
#include "base/xml/repair.hpp"
#include "formats/sdf/codes.hpp"
#include "formats/sdf/read_parts.hpp"

namespace simbatch::sdf::file {
namespace {

using xml::Element;
using Names = std::map<std::string, Position>;

class FileReader {
 public:
  explicit FileReader(Diagnostics& problems) : values_(problems) {}

  File read(const Element& root) {
    File file;
    file.version = version(root);
    version_ = file.version;
    const xml::Children worlds = root.children("world"), models = root.children("model");
    if (!worlds.empty()) file.world = read_world(worlds.front());
    Names names;
    if (!models.empty()) file.model = read_model(models.front(), names, 0);
    for (const auto* all : {&worlds, &models})
      if (all->size() > 1)
        values_.report(code::kName, *std::next(all->begin()),
                       fmt::format("there are {} {}s, expected one in a file", all->size(), all->front().name()));
    if (worlds.empty() && models.empty())
      values_.report(code::kMissing, root, "the file holds neither a <world> nor a <model>");
    values_.ignore_others(root, {"world", "model"});
    values_.report_ignored();
    return file;
  }

 private:
  int version(const Element& root) {
    const auto text = root.attribute("version");
    if (!text) {
      values_.report(code::kVersion, root, "<sdf> needs the attribute \"version\"");
      return 112;
    }
    const std::size_t dot = text->find('.');
    const auto major = parse_integer<int>(text->substr(0, dot));
    const auto minor = parse_integer<int>(dot == std::string_view::npos ? "0" : text->substr(dot + 1, 2));
    if (!major || !minor || major.value != 1 || minor.value < 2 || minor.value > 12) {
      values_.problems().report(code::kVersion, root.attribute_position("version"),
                                fmt::format("version {}, expected one from 1.2 to 1.12", quoted(*text)), root.path());
      return 112;
    }
    return 100 + minor.value;
  }

  /// The names of links, joints, frames and models must differ, from version 1.7 on; before, only among their own kind.
  Names& names_for(Names& shared, Names& own) const { return version_ >= 107 ? shared : own; }

  std::vector<Frame> read_frames(const Element& parent, Names& names) {
    std::vector<Frame> frames;
    for (const Element& element : parent.children("frame")) {
      Frame& frame = frames.emplace_back();
      frame.name = values_.name(element, names);
      frame.place = element.position();
      frame.attached_to = element.attribute("attached_to").value_or("");
      frame.pose = values_.pose(element);
      values_.ignore_others(element, {"pose"});
    }
    return frames;
  }

  std::vector<Include> read_includes(const Element& parent) {
    std::vector<Include> includes;
    for (const Element& element : parent.children("include")) {
      Include include;
      include.place = element.position();
      include.uri = values_.text(element, "uri");
      include.name = values_.text(element, "name");
      include.placement_frame = values_.text(element, "placement_frame");
      include.pose = values_.pose(element);
      if (element.first_child("static")) include.is_static = values_.flag(element, "static", false);
      if (const auto merge = element.attribute("merge")) include.is_merged = *merge == "true" || *merge == "1";
      if (include.uri.empty()) values_.report(code::kMissing, element, "<include> needs a <uri>");
      if (!include.placement_frame.empty() && !include.pose.given)
        values_.report(code::kMissing, element, "<include> with a <placement_frame> needs a <pose>");
      values_.ignore_others(element, {"uri", "name", "pose", "static", "placement_frame"});
      if (!include.uri.empty()) includes.push_back(std::move(include));
    }
    return includes;
  }

  Model read_model(const Element& element, Names& names, int depth) {
    Model model;
    model.name = values_.name(element, names);
    model.place = element.position();
    model.canonical_link = element.attribute("canonical_link").value_or("");
    model.placement_frame = element.attribute("placement_frame").value_or("");
    model.pose = values_.pose(element);
    model.is_static = values_.flag(element, "static", false);
    model.self_collide = values_.flag(element, "self_collide", false);
    if (values_.flag(element, "enable_wind", false)) values_.ignore(element.first_child("enable_wind"));
    Names inside, joints, frames, models;
    for (const Element& link : element.children("link")) model.links.push_back(read_link(link, values_, inside));
    for (const Element& joint : element.children("joint"))
      model.joints.push_back(read_joint(joint, values_, names_for(inside, joints)));
    model.frames = read_frames(element, names_for(inside, frames));
    for (const Element& nested : element.children("model")) {
      if (depth + 1 >= kMaxNesting) {
        values_.report(code::kDepth, nested, fmt::format("models are nested deeper than {}", kMaxNesting));
        break;
      }
      model.models.push_back(read_model(nested, names_for(inside, models), depth + 1));
    }
    model.includes = read_includes(element);
    if (model.links.empty() && !element.first_child("model") && model.includes.empty() && !model.is_static)
      values_.report(code::kMissing, element, fmt::format("the model {} has no <link>", quoted(model.name)));
    values_.ignore_others(element, {"pose", "static", "self_collide", "enable_wind", "allow_auto_disable", "link", "joint",
                                    "frame", "model", "include"});
    return model;
  }

  void read_coordinates(const Element& element, World& world) {
    const auto latitude = values_.number(element, "latitude_deg"), longitude = values_.number(element, "longitude_deg");
    if (!latitude || !longitude) return;
    if (*latitude < -90 || *latitude > 90 || *longitude < -180 || *longitude > 180) {
      values_.report(code::kRange, element, "the latitude or longitude is outside of -90..90 or -180..180 degrees");
      return;
    }
    world.geographic = {*latitude, *longitude};
    if (values_.number(element, "heading_deg").value_or(0) != 0) values_.ignore(element.first_child("heading_deg"));
  }

  World read_world(const Element& element) {
    World world;
    Names own;
    world.name = values_.name(element, own);
    world.place = element.position();
    if (const auto gravity = values_.vector(element, "gravity")) world.gravity = *gravity;
    // Of several profiles the default one, else the first.
    Element profile = element.first_child("physics");
    for (const Element& physics : element.children("physics"))
      if (const auto is_default = physics.attribute("default"); is_default && (*is_default == "true" || *is_default == "1"))
        profile = physics;
    if (profile) world.step = values_.number(profile, "max_step_size", xml::Range::positive());
    if (const Element place = element.first_child("spherical_coordinates")) read_coordinates(place, world);
    Names inside, joints, frames;
    const xml::Children models = element.children("model");
    world.models.reserve(models.size());
    for (const Element& model : models) world.models.push_back(read_model(model, inside, 0));
    for (const Element& joint : element.children("joint"))
      world.joints.push_back(read_joint(joint, values_, names_for(inside, joints)));
    world.frames = read_frames(element, names_for(inside, frames));
    world.includes = read_includes(element);
    values_.ignore_others(element, {"gravity", "physics", "spherical_coordinates", "model", "joint", "frame", "include"});
    return world;
  }

  Values values_;
  int version_ = 112;
};

}  // namespace

Parsed<File> read_sdf(std::string_view text, const std::string& file_name) {
  Parsed<xml::Document> document = xml::parse_forgiving(text, file_name);
  Parsed<File> result{std::nullopt, std::move(document.diagnostics)};
  if (!document.value) return result;
  const Element root = document.value->root();
  if (!xml::is_root(root, "sdf", result.diagnostics)) return result;
  constexpr std::string_view kRecords[] = {"model", "link", "joint", "frame", "include", "visual", "collision"};
  RecordCount count(code::kMany, "models, links, joints, frames and shapes");
  if (!document.value->is_within(count, kRecords, result.diagnostics)) return result;
  result.value = FileReader(result.diagnostics).read(root);
  result.diagnostics.sort();
  return result;
}

}  // namespace simbatch::sdf::file
