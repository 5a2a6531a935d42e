#include "formats/osm/write.hpp"

#include <stdexcept>

#include "base/core/atomic_file.hpp"
#include "formats/osm/stream.hpp"
#include "formats/osm/write_pbf.hpp"
#include "formats/osm/xml_text.hpp"

namespace simbatch::osm {
namespace {

using detail::append_degrees;
using detail::append_escaped;
using detail::append_integer;

/// Builds the text in pieces, so that a large map is not in memory twice.
class Writer {
 public:
  Writer(const Model& model, const WriteOptions& options, const detail::TextSink::Write& write)
      : m_(model), options_(options), write_(write) {}

  void run() {
    if (m_.node_ids.size() != m_.node_count()) throw std::logic_error("osm: a model without node ids cannot be written");
    head();
    nodes();
    for (std::size_t i = 0; i < m_.ways.size(); ++i) way(i);
    for (std::size_t i = 0; i < m_.relations.size(); ++i) relation(i);
    out_ += "</osm>\n";
    write_(out_);
  }

 private:
  void attribute(std::string_view name, std::string_view value) {
    out_ += ' ';
    out_ += name;
    out_ += "=\"";
    append_escaped(out_, value);
    out_ += '"';
  }

  void head() {
    out_ += "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<osm";
    attribute("version", to_text(m_.version));
    attribute("generator", options_.generator);
    for (const auto& [name, value] : m_.attributes) attribute(name, value);
    out_ += ">\n";
    for (const Bounds& b : m_.bounds) {
      const std::int32_t numbers[] = {b.min.lat_e7, b.min.lon_e7, b.max.lat_e7, b.max.lon_e7};
      static constexpr std::string_view kNames[] = {" minlat=\"", " minlon=\"", " maxlat=\"", " maxlon=\""};
      const bool old = m_.version == Version::v0_5;
      out_ += old ? "  <bound box=\"" : "  <bounds";
      for (std::size_t i = 0; i < 4; ++i) {
        if (!old)
          out_ += kNames[i];
        else if (i > 0)
          out_ += ',';
        append_degrees(out_, numbers[i]);
        if (!old) out_ += '"';
      }
      if (old) out_ += '"';
      if (!b.origin.empty()) attribute("origin", b.origin);
      out_ += "/>\n";
    }
  }

  void begin(std::string_view element, Id id) {
    out_ += "  <";
    out_ += element;
    out_ += " id=\"";
    append_integer(out_, id);
    out_ += '"';
    if (id > 0 && m_.version == Version::v0_6) out_ += " version=\"1\"";
  }

  void tags(std::span<const TagId> tags) {
    for (const TagId tag : tags) {
      out_ += "    <tag";
      attribute("k", m_.key(tag));
      attribute("v", m_.value(tag));
      out_ += "/>\n";
    }
  }

  void end(std::string_view element) {
    out_ += "  </";
    out_ += element;
    out_ += ">\n";
    if (out_.size() > (std::size_t{1} << 18)) {
      write_(out_);
      out_.clear();
    }
  }

  void nodes() {
    std::size_t tagged = 0;
    for (std::size_t i = 0; i < m_.node_count(); ++i) {
      begin("node", m_.node_ids[i]);
      out_ += " lat=\"";
      append_degrees(out_, m_.node_positions[i].lat_e7);
      out_ += "\" lon=\"";
      append_degrees(out_, m_.node_positions[i].lon_e7);
      if (tagged < m_.tagged_nodes.size() && m_.tagged_nodes[tagged] == i) {
        out_ += "\">\n";
        tags(m_.tags_of_tagged_node(tagged++));
        end("node");
      } else {
        out_ += "\"/>\n";
      }
    }
  }

  void way(std::size_t i) {
    begin("way", m_.ways[i].id);
    out_ += ">\n";
    for (const Ref ref : m_.refs_of(i)) {
      out_ += "    <nd ref=\"";
      append_integer(out_, ref.is_missing() ? m_.missing[ref.number()] : m_.node_ids[ref.number()]);
      out_ += "\"/>\n";
    }
    tags(m_.tags_of_way(i));
    end("way");
  }

  void relation(std::size_t i) {
    begin("relation", m_.relations[i].id);
    out_ += ">\n";
    for (const Member& member : m_.members_of(i)) {
      out_ += "    <member";
      attribute("type", to_text(member.kind));
      out_ += " ref=\"";
      append_integer(out_, m_.id_of(member.kind, member.ref));
      out_ += '"';
      attribute("role", m_.strings[member.role]);
      out_ += "/>\n";
    }
    tags(m_.tags_of_relation(i));
    end("relation");
  }

  const Model& m_;
  const WriteOptions& options_;
  const detail::TextSink::Write& write_;
  std::string out_;
};

}  // namespace

std::string write_xml(const Model& model, const WriteOptions& options) {
  std::string text;
  Writer(model, options, [&text](std::string_view piece) { text += piece; }).run();
  return text;
}

void write_file(const Model& model, const std::string& file, const WriteOptions& options) {
  const FileType type = type_of_name(file);
  AtomicFile out(file);
  if (type.format == Format::pbf) {
    detail::write_pbf(model, options.generator, [&out](std::string_view bytes) { out.write(bytes); });
  } else {
    const auto sink = detail::compress(type.compression, [&out](std::string_view bytes) { out.write(bytes); });
    Writer(model, options, [&sink](std::string_view piece) { sink->write(piece); }).run();
    sink->finish();
  }
  out.commit();
}

}  // namespace simbatch::osm
