#include "formats/osm/read_pbf.hpp"

#include <algorithm>
#include <array>
#include <osmium/io/pbf_input.hpp>
#include <osmium/io/reader.hpp>
#include <osmium/osm.hpp>

#include "formats/osm/codes.hpp"
#include "formats/osm/references.hpp"

namespace simbatch::osm::detail {
namespace {

/// Throws if texts of the object's tags contain zero bytes. libosmium keeps tags as zero-terminated texts, one after the
/// other, and takes them from PBF unchecked: with a zero inside a text, its walk over the tags leaves the buffer.
void check_tags(const osmium::OSMObject& object) {
  const osmium::TagList& tags = object.tags();
  const unsigned char* const begin = tags.data() + sizeof(osmium::TagList);
  const unsigned char* const end = tags.data() + tags.byte_size();
  if (begin == end) return;
  if (end[-1] != 0 || std::count(begin, end, '\0') % 2 != 0)
    throw osmium::pbf_error("a tag of object " + std::to_string(object.id()) + " contains a zero byte");
}

/// Fills a document from libosmium's objects. References are kept as ids until all nodes are known.
class Builder {
 public:
  Builder(Document& document, Diagnostics& diagnostics, const ReadOptions& options)
      : document_(document),
        model_(document.model),
        facts_(document.facts),
        layout_(document.layout),
        diagnostics_(diagnostics),
        options_(options) {}

  void header(const osmium::io::Header& header) {
    model_.generator = header.get("generator");
    for (const osmium::Box& box : header.boxes()) {
      if (!box.valid()) continue;
      model_.bounds.push_back({{box.bottom_left().y(), box.bottom_left().x()}, {box.top_right().y(), box.top_right().x()}, {}});
    }
  }

  /// @return false if the memory limit was met
  bool take(const osmium::memory::Buffer& buffer) {
    for (const auto& object : buffer.select<osmium::OSMObject>()) take(object);
    const std::size_t size = model_.memory() + (ref_ids_.capacity() + member_ids_.capacity()) * sizeof(Id);
    return size <= options_.max_model_bytes && model_.node_ids.size() < Ref::kMissingBit - (1U << 20) &&
           ref_ids_.size() < UINT32_MAX - (1U << 24);
  }

  void finish() {
    model_.build_index();
    MissingIds missing(model_.missing);
    std::array<std::uint32_t, 64> found{};
    model_.refs.reserve(ref_ids_.size());
    std::uint64_t dangling = 0;
    for (std::size_t start = 0; start < ref_ids_.size(); start += found.size()) {
      const std::size_t count = std::min(found.size(), ref_ids_.size() - start);
      model_.find_nodes(std::span(ref_ids_).subspan(start, count), found.data());
      for (std::size_t i = 0; i < count; ++i) {
        dangling += found[i] == kNone;
        model_.refs.push_back(found[i] == kNone ? Ref::missing(missing.number(ref_ids_[start + i])) : Ref(found[i]));
      }
    }
    facts_.dangling[0] = dangling;
    if (dangling != 0)
      diagnostics_.report(code::kDanglingNode, {},
                          std::to_string(dangling) + " references of ways lead to nodes that the file does not contain");
    resolve_members(document_, member_ids_, missing);
    if (facts_.sorted) return;  // ids ascend strictly
    for (const RepeatedObject object : find_repeated(model_))
      diagnostics_.report(code::kIdRepeated, {}, describe(model_, object));
  }

 private:
  void take(const osmium::OSMObject& object) {
    if (object.type() != osmium::item_type::node && object.type() != osmium::item_type::way &&
        object.type() != osmium::item_type::relation)
      return;
    const Kind kind = object.type() == osmium::item_type::node  ? Kind::node
                      : object.type() == osmium::item_type::way ? Kind::way
                                                                : Kind::relation;
    const auto k = static_cast<std::size_t>(kind);
    check_tags(object);
    const Id id = object.id();
    const bool ordered = k > last_kind_ || facts_.objects[k] == 0 || (k == last_kind_ && after(id));
    if (!ordered || k < last_kind_) facts_.sorted = false;
    if (k < last_kind_ && kind == Kind::node) facts_.nodes_first = false;
    last_kind_ = std::max(last_kind_, k);
    last_id_ = id;
    ++facts_.objects[k];
    if (id == 0) {
      diagnostics_.report(code::kId, {}, "an id is 0");
      return;
    }
    if (facts_.lowest_id[k] == 0 || id < facts_.lowest_id[k]) facts_.lowest_id[k] = id;
    if (facts_.highest_id[k] == 0 || id > facts_.highest_id[k]) facts_.highest_id[k] = id;
    const bool located =
        kind != Kind::relation && !options_.locate_key.empty() && object.tags().has_key(options_.locate_key.c_str());
    if (kind == Kind::node && !located) {
      if (facts_.lowest_other_node == 0 || id < facts_.lowest_other_node) facts_.lowest_other_node = id;
      if (facts_.highest_other_node == 0 || id > facts_.highest_other_node) facts_.highest_other_node = id;
    }
    if (kind == Kind::way && !located && (facts_.lowest_other_way == 0 || id < facts_.lowest_other_way))
      facts_.lowest_other_way = id;
    if (object.deleted()) {
      ++facts_.deleted[k];
      return;  // without a position, members or tags of its own
    }
    if (kind == Kind::node) {
      const osmium::Location at = static_cast<const osmium::Node&>(object).location();
      if (!at.valid()) {
        diagnostics_.report(code::kLatitude, {}, "node " + std::to_string(id) + " has no position on earth");
        return;
      }
      if (located) layout_.located_ids.push_back(id);
      if (located) layout_.located_nodes.push_back(static_cast<std::uint32_t>(model_.node_count()));
      model_.add_node(id, {at.y(), at.x()});
    } else if (kind == Kind::way) {
      if (located) layout_.located_ways.push_back(id);
      model_.add_way(id);
      model_.ways.back().first_ref = static_cast<std::uint32_t>(ref_ids_.size());
      for (const osmium::NodeRef& ref : static_cast<const osmium::Way&>(object).nodes()) ref_ids_.push_back(ref.ref());
    } else {
      model_.add_relation(id);
      for (const osmium::RelationMember& member : static_cast<const osmium::Relation&>(object).members()) {
        const Kind of = member.type() == osmium::item_type::node  ? Kind::node
                        : member.type() == osmium::item_type::way ? Kind::way
                                                                  : Kind::relation;
        model_.add_member(of, Ref(), member.role());
        member_ids_.push_back(member.ref());
      }
    }
    for (const osmium::Tag& tag : object.tags()) {
      ++facts_.tags;
      if (options_.keep_keys.empty() ||
          std::find(options_.keep_keys.begin(), options_.keep_keys.end(), tag.key()) != options_.keep_keys.end())
        model_.add_tag(tag.key(), tag.value());
    }
  }

  /// In osmium's order: -1, -2, ..., 1, 2, ...
  bool after(Id id) const {
    if ((id < 0) != (last_id_ < 0)) return id > 0;
    return id < 0 ? id < last_id_ : id > last_id_;
  }

  Document& document_;
  Model& model_;
  Facts& facts_;
  Layout& layout_;
  Diagnostics& diagnostics_;
  const ReadOptions& options_;
  std::vector<Id> ref_ids_, member_ids_;
  std::size_t last_kind_ = 0;
  Id last_id_ = 0;
};

}  // namespace

Parsed<Document> read_pbf(std::string_view bytes, const ReadOptions& options, std::string_view file_name) {
  Parsed<Document> result;
  result.diagnostics = Diagnostics(std::string(file_name));
  Document& document = result.value.emplace();
  document.type = {Format::pbf, Compression::none};
  document.facts.text_bytes = bytes.size();
  Builder builder(document, result.diagnostics, options);
  try {
    osmium::io::Reader reader(osmium::io::File(bytes.data(), bytes.size(), "pbf"));
    builder.header(reader.header());
    while (const osmium::memory::Buffer buffer = reader.read()) {
      if (!builder.take(buffer)) {
        result.diagnostics.report(
            code::kMemory, {},
            "the map is larger than the limit of " + std::to_string(options.max_model_bytes) + " bytes or 2^31 nodes");
        result.value.reset();
        return result;
      }
    }
    reader.close();
  } catch (const std::exception& problem) {
    result.diagnostics.report(code::kPbf, {}, problem.what());
    result.value.reset();
    return result;
  }
  builder.finish();
  return result;
}

}  // namespace simbatch::osm::detail
