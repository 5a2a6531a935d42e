// Writing through libosmium. Its writer only accepts file names, so it writes into a pipe by its name in /proc, and a thread
// reads the bytes at the other end for AtomicFile.
#include "formats/osm/write_pbf.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>
#include <osmium/builder/osm_object_builder.hpp>
#include <osmium/io/bzip2_compression.hpp>
#include <osmium/io/gzip_compression.hpp>
#include <osmium/io/pbf_input.hpp>
#include <osmium/io/pbf_output.hpp>
#include <osmium/io/reader.hpp>
#include <osmium/io/writer.hpp>
#include <osmium/io/xml_input.hpp>
#include <osmium/io/xml_output.hpp>
#include <osmium/osm.hpp>
#include <thread>

#include "base/core/atomic_file.hpp"
#include "formats/osm/codes.hpp"

namespace simbatch::osm::detail {
namespace {

using Write = std::function<void(std::string_view)>;

/// The pipe and its thread.
class Drain {
 public:
  explicit Drain(const Write& write) : write_(write) {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) throw IoError::from_errno("pipe", "cannot open", errno);
    thread_ = std::thread([this] { run(); });
  }
  Drain(const Drain&) = delete;
  Drain& operator=(const Drain&) = delete;
  ~Drain() {
    close_writer();
    if (thread_.joinable()) thread_.join();
    ::close(ends_[0]);
  }
  std::string name() const { return "/proc/self/fd/" + std::to_string(ends_[1]); }
  /// After the writer closed its end: waits for the last byte. @throws what `write` threw
  void finish() {
    close_writer();
    thread_.join();
    if (problem_) std::rethrow_exception(problem_);
  }

 private:
  void close_writer() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }
  void run() {
    std::array<char, 1 << 16> buffer{};
    for (;;) {
      const ssize_t got = ::read(ends_[0], buffer.data(), buffer.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return;
      if (problem_) continue;  // continue reading, so that the other side never blocks
      try {
        write_({buffer.data(), static_cast<std::size_t>(got)});
      } catch (...) {
        problem_ = std::current_exception();
      }
    }
  }
  const Write& write_;
  std::array<int, 2> ends_{-1, -1};
  std::thread thread_;
  std::exception_ptr problem_;
};

/// Collects objects in buffers of even size and hands them to the writer.
class Out {
 public:
  explicit Out(osmium::io::Writer& writer) : writer_(writer) {}
  osmium::memory::Buffer& buffer() { return buffer_; }
  void done() {
    buffer_.commit();
    if (buffer_.committed() > kSize - kSize / 8) flush();
  }
  void flush() {
    if (buffer_.committed() == 0) return;
    writer_(std::move(buffer_));
    buffer_ = osmium::memory::Buffer(kSize, osmium::memory::Buffer::auto_grow::yes);
  }

 private:
  static constexpr std::size_t kSize = std::size_t{1} << 20;
  osmium::io::Writer& writer_;
  osmium::memory::Buffer buffer_{kSize, osmium::memory::Buffer::auto_grow::yes};
};

class PbfNodes final : public NodeSink {
 public:
  explicit PbfNodes(Out& out) : out_(out) {}
  using NodeSink::node;
  void node(Id id, LatLon at, std::span<const TagText> tags) override {
    {
      osmium::builder::NodeBuilder builder(out_.buffer());
      builder.set_id(id).set_version(id > 0 ? 1U : 0U).set_location(osmium::Location{at.lon_e7, at.lat_e7});
      builder.set_user("");
      if (!tags.empty()) {
        osmium::builder::TagListBuilder list(builder);
        for (const TagText& tag : tags) list.add_tag(tag.key.data(), tag.key.size(), tag.value.data(), tag.value.size());
      }
    }
    out_.done();
  }

  void way(Id id, std::span<const Id> nodes, std::span<const TagText> tags) override {
    {
      osmium::builder::WayBuilder builder(out_.buffer());
      builder.set_id(id).set_version(id > 0 ? 1U : 0U).set_user("");
      {
        osmium::builder::WayNodeListBuilder list(builder);
        for (const Id node : nodes) list.add_node_ref(node);
      }
      osmium::builder::TagListBuilder list(builder);
      for (const TagText& tag : tags) list.add_tag(tag.key.data(), tag.key.size(), tag.value.data(), tag.value.size());
    }
    out_.done();
  }

 private:
  Out& out_;
};

template <class Builder>
void add_tags(Builder& builder, const Model& m, std::span<const TagId> tags) {
  if (tags.empty()) return;
  osmium::builder::TagListBuilder list(builder);
  for (const TagId tag : tags) list.add_tag(std::string(m.key(tag)), std::string(m.value(tag)));
}

template <class Builder>
void set_head(Builder& builder, Id id) {
  builder.set_id(id).set_version(id > 0 ? 1U : 0U).set_user("");
}

}  // namespace

void write_pbf(const Model& m, const std::string& generator, const Write& write) {
  Drain drain(write);
  osmium::io::Header header;
  header.set("generator", generator);
  for (const Bounds& b : m.bounds)
    header.add_box(osmium::Box(osmium::Location{b.min.lon_e7, b.min.lat_e7}, osmium::Location{b.max.lon_e7, b.max.lat_e7}));
  osmium::io::Writer writer(osmium::io::File(drain.name(), "pbf"), header, osmium::io::overwrite::allow);
  Out out(writer);
  std::size_t tagged = 0;
  for (std::size_t i = 0; i < m.node_count(); ++i) {
    {
      osmium::builder::NodeBuilder builder(out.buffer());
      set_head(builder, m.node_ids[i]);
      builder.set_location(osmium::Location{m.node_positions[i].lon_e7, m.node_positions[i].lat_e7});
      if (tagged < m.tagged_nodes.size() && m.tagged_nodes[tagged] == i) add_tags(builder, m, m.tags_of_tagged_node(tagged++));
    }
    out.done();
  }
  for (std::size_t i = 0; i < m.ways.size(); ++i) {
    {
      osmium::builder::WayBuilder builder(out.buffer());
      set_head(builder, m.ways[i].id);
      {
        osmium::builder::WayNodeListBuilder list(builder);
        for (const Ref ref : m.refs_of(i)) list.add_node_ref(m.id_of(Kind::node, ref));
      }
      add_tags(builder, m, m.tags_of_way(i));
    }
    out.done();
  }
  for (std::size_t i = 0; i < m.relations.size(); ++i) {
    {
      osmium::builder::RelationBuilder builder(out.buffer());
      set_head(builder, m.relations[i].id);
      {
        osmium::builder::RelationMemberListBuilder list(builder);
        for (const Member& member : m.members_of(i)) {
          const auto type = member.kind == Kind::node  ? osmium::item_type::node
                            : member.kind == Kind::way ? osmium::item_type::way
                                                       : osmium::item_type::relation;
          list.add_member(type, m.id_of(member.kind, member.ref), std::string(m.strings[member.role]));
        }
      }
      add_tags(builder, m, m.tags_of_relation(i));
    }
    out.done();
  }
  out.flush();
  writer.close();
  drain.finish();
}

void pass_through_pbf(const Input& input, const Document& document, AtomicFile& file, FileType type,
                      const PassThroughOptions& options, const std::function<void(NodeSink&)>& new_nodes,
                      Diagnostics& diagnostics) {
  if (document.model.version == Version::v0_5) {
    diagnostics.report(code::kConversion, {}, "a file of version 0.5 cannot be written as PBF, which is of version 0.6");
    return;
  }
  if (document.type.format == Format::xml && document.facts.deleted != std::array<std::uint64_t, 3>{}) {
    diagnostics.report(code::kConversion, {},
                       "objects are marked as deleted (by JOSM), which PBF cannot represent; purge them first");
    return;
  }
  const auto format_of = [](FileType t) -> std::string {
    if (t.format == Format::pbf) return "pbf";
    return t.compression == Compression::gzip ? "osm.gz" : t.compression == Compression::bzip2 ? "osm.bz2" : "osm";
  };
  const Write write = [&file](std::string_view bytes) { file.write(bytes); };
  Drain drain(write);
  try {
    osmium::io::Reader reader(osmium::io::File(input.text().data(), input.text().size(), format_of(document.type)));
    osmium::io::Header header = reader.header();
    if (options.set_upload_false) header.set("xml_josm_upload", "false");
    osmium::io::Writer writer(osmium::io::File(drain.name(), format_of(type)), header, osmium::io::overwrite::allow);
    Out out(writer);
    const auto insert = [&] {
      PbfNodes sink(out);
      new_nodes(sink);
    };
    const auto insert_ways = [&] {
      PbfNodes sink(out);
      if (options.new_ways) options.new_ways(sink);
    };
    bool inserted = false, ways_inserted = false;
    std::vector<Id> located = document.layout.located_ids, located_ways = document.layout.located_ways;
    std::sort(located.begin(), located.end());
    std::sort(located_ways.begin(), located_ways.end());
    while (const osmium::memory::Buffer buffer = reader.read()) {
      for (const auto& object : buffer.select<osmium::OSMObject>()) {
        if (!inserted) insert();
        inserted = true;
        const bool is_node = object.type() == osmium::item_type::node, is_way = object.type() == osmium::item_type::way;
        if (!ways_inserted && !is_node) insert_ways();
        ways_inserted = ways_inserted || !is_node;
        const std::vector<Id>& of_kind = is_node ? located : located_ways;
        if (options.drop_located && (is_node || is_way) && std::binary_search(of_kind.begin(), of_kind.end(), object.id()))
          continue;
        out.buffer().add_item(object);
        out.done();
      }
    }
    if (!inserted) insert();
    if (!ways_inserted) insert_ways();
    out.flush();
    reader.close();
    writer.close();
  } catch (const IoError&) {
    throw;
  } catch (const std::system_error& problem) {
    throw IoError(file.path(), problem.what());
  } catch (const std::exception& problem) {
    diagnostics.report(code::kConversion, {}, problem.what());
    return;
  }
  drain.finish();
}

}  // namespace simbatch::osm::detail
