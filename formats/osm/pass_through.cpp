// Own: copies the old text and inserts or omits text at a few known offsets.
#include "formats/osm/pass_through.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "formats/osm/codes.hpp"
#include "formats/osm/stream.hpp"
#include "formats/osm/write_pbf.hpp"
#include "formats/osm/xml_text.hpp"

namespace simbatch::osm {
namespace {

using detail::TextSink;

constexpr std::uint64_t kSlice = std::uint64_t{1} << 23;  // bytes of the old text written at once

/// Writes new nodes as XML, in the style of the file.
class XmlNodes final : public NodeSink {
 public:
  /// @param at  where in the old text
  XmlNodes(const Layout& layout, std::uint64_t at, Version version, const TextSink::Write& write)
      : write_(write),
        empty_root_(layout.root_is_empty),
        // At "</osm>" the indentation is that of the root: nodes are deeper.
        at_end_(!empty_root_ && at == layout.root_close.begin) {
    style_.indent = layout.indent;
    style_.newline = layout.newline;
    style_.quote = layout.quote;
    style_.versions = version == Version::v0_6;
    if (at_end_ && at != layout.insert_at)
      style_.indent = "  ";  // ways after nodes: the indentation is that of the nodes
    else if (at_end_ || empty_root_)
      style_.indent += "  ";
  }

  void node(Id id, LatLon at, std::span<const TagText> tags) override {
    begin();
    scratch_.clear();
    detail::append_node(scratch_, style_, id, at, tags);
    put_scratch();
  }

  void way(Id id, std::span<const Id> nodes, std::span<const TagText> tags) override {
    begin();
    scratch_.clear();
    detail::append_way(scratch_, style_, id, nodes, tags);
    put_scratch();
  }

  std::size_t prepare(std::span<const TagText> tags, std::size_t varying) override {
    NodeText prepared;
    const auto text = [&](std::string_view value) {
      std::vector<TagText> all(tags.begin(), tags.end());
      all[varying].value = value;
      std::string out = ">";
      detail::append_tags(out, style_, all);
      return out + "</node>" + style_.newline + style_.indent;
    };
    // The common prefix and suffix of the text for two different values are the same for every value.
    const std::string one = text("1"), two = text("2");
    const auto at = static_cast<std::size_t>(std::mismatch(one.begin(), one.end(), two.begin()).first - one.begin());
    prepared.before = one.substr(0, at);
    prepared.after = one.substr(at + 1);
    texts_.push_back(std::move(prepared));
    return texts_.size() - 1;
  }

  void node(Id id, LatLon at, std::size_t prepared, std::string_view value) override {
    begin();
    const NodeText& around = texts_[prepared];
    // Mostly a number, which needs no escapes.
    if (!std::all_of(value.begin(), value.end(), [](char c) { return (c >= '0' && c <= '9') || c == '.'; })) {
      scratch_.clear();
      detail::append_escaped(scratch_, value, style_.quote);
      value = scratch_;
    }
    constexpr std::size_t kHead = 128;  // the longest head is 90 bytes
    char* const start = room(kHead + around.before.size() + value.size() + around.after.size());
    char* to = start;
    const auto put = [&to](std::string_view text) {
      std::memcpy(to, text.data(), text.size());
      to += text.size();
    };
    const char q = style_.quote;
    put("<node id=");
    *to++ = q;
    to = ids_.put(to, id);
    *to++ = q;
    if (style_.versions && id > 0) {
      put(" version=");
      *to++ = q;
      *to++ = '1';
      *to++ = q;
    }
    put(" lat=");
    *to++ = q;
    to = detail::put_degrees(to, at.lat_e7);
    *to++ = q;
    put(" lon=");
    *to++ = q;
    to = detail::put_degrees(to, at.lon_e7);
    *to++ = q;
    put(around.before);
    put(value);
    put(around.after);
    size_ += static_cast<std::size_t>(to - start);
  }

  void finish() {
    if (!first_ && (at_end_ || empty_root_)) size_ -= 2;
    write_({buffer_.get(), size_});
    size_ = 0;
    if (!first_ && empty_root_) write_("</osm>");
  }
  bool any() const { return !first_; }

 private:
  struct NodeText {
    std::string before, after;  // of the varying value
  };
  void put_scratch() {
    scratch_ += style_.newline;
    scratch_ += style_.indent;
    char* const to = room(scratch_.size());
    std::memcpy(to, scratch_.data(), scratch_.size());
    size_ += scratch_.size();
  }
  void begin() {
    if (!first_) return;
    first_ = false;
    std::string text;
    if (empty_root_) text += ">" + style_.newline + style_.indent;
    if (at_end_) text += "  ";
    if (!text.empty()) std::memcpy(room(text.size()), text.data(), text.size());
    size_ += text.size();
  }
  /// Reserves that many bytes after the current content, whose last two are kept: finish() may have to remove them.
  char* room(std::size_t bytes) {
    if (size_ + bytes > capacity_) {
      if (size_ > 2) {
        write_({buffer_.get(), size_ - 2});
        std::memmove(buffer_.get(), buffer_.get() + size_ - 2, 2);
        size_ = 2;
      }
      if (size_ + bytes > capacity_) {
        capacity_ = std::max(kBuffer, size_ + bytes);
        std::unique_ptr<char[]> larger(new char[capacity_]);
        if (size_ > 0) std::memcpy(larger.get(), buffer_.get(), size_);
        buffer_ = std::move(larger);
      }
    }
    return buffer_.get() + size_;
  }

  static constexpr std::size_t kBuffer = (std::size_t{1} << 18) + 65536;  // bypasses the buffer of AtomicFile
  const TextSink::Write& write_;
  detail::NodeStyle style_;
  std::unique_ptr<char[]> buffer_;
  std::size_t size_ = 0, capacity_ = 0;
  std::string scratch_;
  detail::IdPrinter ids_;
  std::vector<NodeText> texts_;
  bool empty_root_, at_end_ = false, first_ = true;
};

struct Edit {
  std::uint64_t begin = 0, end = 0;  // text to omit; empty for an insertion
  std::string_view text;             // text to insert
  bool nodes = false, ways = false;  // the new nodes or ways are put in
};

/// Receives the old text in consecutive pieces, and passes on the new text.
class Splicer {
 public:
  Splicer(const Layout& layout, Version version, const PassThroughOptions& options, TextSink::Write write,
          const std::function<void(NodeSink&)>& new_nodes)
      : layout_(layout), version_(version), write_(std::move(write)), new_nodes_(new_nodes), options_(options) {
    if (options.set_upload_false) {
      const char q = layout.quote;
      upload_ = std::string(" upload=") + q + "false" + q;
      if (layout.upload.begin == 0)
        edits_.push_back({layout.upload_at, layout.upload_at, upload_});
      else if (layout.upload_value != "false" && layout.upload_value != "never")  // JOSM also has "never", which is stronger
        edits_.push_back({layout.upload.begin, layout.upload.end, "false"});
    }
    Edit insert{layout.insert_at, layout.insert_at, {}};
    insert.nodes = true;
    edits_.push_back(insert);
    if (options.new_ways && !layout.root_is_empty) {
      const std::uint64_t at = layout.ways_at == 0 ? layout.root_close.begin : layout.ways_at;
      Edit ways{at, at, {}};
      ways.ways = true;
      edits_.push_back(ways);
    }
    if (options.drop_located)
      for (const Range& range : layout.located) edits_.push_back({range.begin, range.end, {}});
    std::stable_sort(edits_.begin(), edits_.end(), [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
  }

  void take(std::string_view piece) {
    const std::uint64_t piece_end = at_ + piece.size();
    const auto part = [&](std::uint64_t from, std::uint64_t to) { return piece.substr(from - at_, to - from); };
    std::uint64_t from = std::max(at_, skip_to_);
    while (next_ < edits_.size() && edits_[next_].begin < piece_end) {
      const Edit& edit = edits_[next_++];
      if (edit.begin > from) write_(part(from, edit.begin));
      from = std::max(from, edit.begin);
      if (edit.nodes)
        skip_to_ = std::max(skip_to_, insert());
      else if (edit.ways)
        insert_ways(edit.begin);
      else
        skip_to_ = std::max(skip_to_, edit.end);
      write_(edit.text);
      from = std::max(from, skip_to_);
    }
    // In slices, for progress reports.
    for (; from < piece_end; from = std::min(from + kSlice, piece_end)) {
      if (options_.passed) options_.passed(from);
      write_(part(from, std::min(from + kSlice, piece_end)));
    }
    at_ = piece_end;
  }

 private:
  /// @return up to where the old text is replaced
  std::uint64_t insert() {
    XmlNodes sink(layout_, layout_.insert_at, version_, write_);
    new_nodes_(sink);
    if (layout_.root_is_empty && options_.new_ways) options_.new_ways(sink);
    sink.finish();
    return layout_.root_is_empty && sink.any() ? layout_.root_close.end : layout_.insert_at;
  }

  void insert_ways(std::uint64_t at) {
    XmlNodes sink(layout_, at, version_, write_);
    options_.new_ways(sink);
    sink.finish();
  }

  const Layout& layout_;
  Version version_;
  TextSink::Write write_;
  const std::function<void(NodeSink&)>& new_nodes_;
  const PassThroughOptions& options_;
  std::string upload_;
  std::vector<Edit> edits_;
  std::size_t next_ = 0;
  std::uint64_t at_ = 0, skip_to_ = 0;
};

}  // namespace

std::size_t NodeSink::prepare(std::span<const TagText> tags, std::size_t varying) {
  Prepared prepared;
  for (const TagText& tag : tags) prepared.tags.emplace_back(tag.key, tag.value);
  prepared.varying = varying;
  prepared_.push_back(std::move(prepared));
  return prepared_.size() - 1;
}

void NodeSink::node(Id id, LatLon at, std::size_t prepared, std::string_view value) {
  const Prepared& of = prepared_[prepared];
  std::vector<TagText> tags;
  for (const auto& [k, v] : of.tags) tags.push_back({k, v});
  tags[of.varying].value = value;
  node(id, at, tags);
}

std::string pass_through_text(std::string_view text, const Layout& layout, Version version, const PassThroughOptions& options,
                              const std::function<void(NodeSink&)>& new_nodes) {
  std::string out;
  Splicer splicer(
      layout, version, options, [&out](std::string_view piece) { out += piece; }, new_nodes);
  splicer.take(text);
  return out;
}

Diagnostics pass_through(const Input& input, const Document& document, AtomicFile& out, const PassThroughOptions& options,
                         const std::function<void(NodeSink&)>& new_nodes) {
  Diagnostics diagnostics(input.name());
  const FileType type = options.type ? *options.type : type_of_name(out.path());
  if (document.type.format == Format::pbf || type.format == Format::pbf) {
    detail::pass_through_pbf(input, document, out, type, options, new_nodes, diagnostics);
    return diagnostics;
  }
  const auto sink = detail::compress(type.compression, [&out](std::string_view bytes) { out.write(bytes); });
  Splicer splicer(
      document.layout, document.model.version, options, [&sink](std::string_view piece) { sink->write(piece); }, new_nodes);
  if (document.type.compression == Compression::none) {
    splicer.take(input.text());
  } else {
    const auto stream = detail::decompress(input.text(), document.type.compression);
    std::string buffer(std::size_t{1} << 18, '\0');
    while (const std::size_t got = stream->read(buffer.data(), buffer.size())) splicer.take({buffer.data(), got});
  }
  sink->finish();
  return diagnostics;
}

Diagnostics pass_through(const Input& input, const Document& document, const std::string& output,
                         const PassThroughOptions& options, const std::function<void(NodeSink&)>& new_nodes) {
  AtomicFile out(output);
  Diagnostics diagnostics = pass_through(input, document, out, options, new_nodes);
  if (diagnostics.errors() == 0) out.commit();
  return diagnostics;
}

}  // namespace simbatch::osm
