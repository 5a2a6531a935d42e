// Pieces of the old text go by, and at a few known places something is put in or left out.
#include <algorithm>
#include <array>
#include <vector>

#include "formats/osm/codes.hpp"
#include "formats/osm/pbf.hpp"
#include "formats/osm/stream.hpp"
#include "formats/osm/write.hpp"
#include "formats/osm/xml_text.hpp"
#include "lib/base/atomic_file.hpp"

namespace simbatch::osm {
namespace {

using detail::TextSink;

/// Writes new nodes as XML, in the manner of the file.
class XmlNodes final : public NodeSink {
 public:
  XmlNodes(const Layout& layout, Version version, const TextSink::Write& write)
      : write_(write), empty_root_(layout.root_is_empty) {
    style_.indent = layout.indent;
    style_.newline = layout.newline;
    style_.quote = layout.quote;
    style_.versions = version == Version::v0_6;
    // At "</osm>" the indentation is that of the root: nodes stand deeper.
    at_end_ = !empty_root_ && layout.insert_at == layout.root_close.begin;
    if (at_end_ || empty_root_) style_.indent += "  ";
  }

  void node(Id id, LatLon at, std::span<const TagText> tags) override {
    if (first_) {
      first_ = false;
      if (empty_root_) out_ += ">" + style_.newline + style_.indent;
      if (at_end_) out_ += "  ";
    }
    detail::append_node(out_, style_, id, at, tags);
    out_ += style_.newline;
    out_ += style_.indent;
    if (out_.size() > kFlush) flush();
  }

  void finish() {
    if (!first_ && (at_end_ || empty_root_)) out_.resize(out_.size() - 2);
    if (!first_ && empty_root_) out_ += "</osm>";
    write_(out_);
    out_.clear();
  }
  bool any() const { return !first_; }

 private:
  static constexpr std::size_t kFlush = (std::size_t{1} << 18) + 4096;  // past the buffer of AtomicFile
  void flush() {
    // The last two bytes stay: finish() may have to take them back.
    const std::size_t keep = std::min<std::size_t>(2, out_.size());
    write_(std::string_view(out_).substr(0, out_.size() - keep));
    out_.erase(0, out_.size() - keep);
  }

  const TextSink::Write& write_;
  detail::NodeStyle style_;
  std::string out_;
  bool empty_root_, at_end_ = false, first_ = true;
};

struct Edit {
  std::uint64_t begin = 0, end = 0;  // what is left out; empty for an insertion
  std::string_view text;             // what is put in
  bool nodes = false;                // the new nodes are put in
};

/// Takes the old text in consecutive pieces, passes the new text on.
class Splicer {
 public:
  Splicer(const Layout& layout, Version version, const PassThroughOptions& options, TextSink::Write write,
          const std::function<void(NodeSink&)>& new_nodes)
      : layout_(layout), version_(version), write_(std::move(write)), new_nodes_(new_nodes) {
    if (options.set_upload_false) {
      const char q = layout.quote;
      upload_ = std::string(" upload=") + q + "false" + q;
      if (layout.upload.begin == 0)
        edits_.push_back({layout.upload_at, layout.upload_at, upload_});
      else if (layout.upload_value != "false" && layout.upload_value != "never")  // JOSM knows "never", the stronger
        edits_.push_back({layout.upload.begin, layout.upload.end, "false"});
    }
    Edit insert{layout.insert_at, layout.insert_at, {}};
    insert.nodes = true;
    edits_.push_back(insert);
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
      else
        skip_to_ = std::max(skip_to_, edit.end);
      write_(edit.text);
      from = std::max(from, skip_to_);
    }
    if (from < piece_end) write_(part(from, piece_end));
    at_ = piece_end;
  }

 private:
  /// @return up to where the old text is replaced
  std::uint64_t insert() {
    XmlNodes sink(layout_, version_, write_);
    new_nodes_(sink);
    sink.finish();
    return layout_.root_is_empty && sink.any() ? layout_.root_close.end : layout_.insert_at;
  }

  const Layout& layout_;
  Version version_;
  TextSink::Write write_;
  const std::function<void(NodeSink&)>& new_nodes_;
  std::string upload_;
  std::vector<Edit> edits_;
  std::size_t next_ = 0;
  std::uint64_t at_ = 0, skip_to_ = 0;
};

}  // namespace

std::string pass_through_text(std::string_view text, const Layout& layout, Version version,
                              const PassThroughOptions& options, const std::function<void(NodeSink&)>& new_nodes) {
  std::string out;
  Splicer splicer(layout, version, options, [&out](std::string_view piece) { out += piece; }, new_nodes);
  splicer.take(text);
  return out;
}

Diagnostics pass_through(const Input& input, const Document& document, const std::string& output,
                         const PassThroughOptions& options, const std::function<void(NodeSink&)>& new_nodes) {
  Diagnostics diagnostics(input.name());
  const FileType type = options.type ? *options.type : type_of_name(output);
  if (document.type.format == Format::pbf || type.format == Format::pbf) {
    detail::pass_through_pbf(input, document, output, type, options, new_nodes, diagnostics);
    return diagnostics;
  }
  AtomicFile out(output);
  const auto sink = detail::compress(type.compression, [&out](std::string_view bytes) { out.write(bytes); });
  Splicer splicer(document.layout, document.model.version, options, [&sink](std::string_view piece) { sink->write(piece); }, new_nodes);
  if (document.type.compression == Compression::none) {
    splicer.take(input.text());
  } else {
    const auto stream = detail::decompress(input.text(), document.type.compression);
    std::string buffer(std::size_t{1} << 18, '\0');
    while (const std::size_t got = stream->read(buffer.data(), buffer.size())) splicer.take({buffer.data(), got});
  }
  sink->finish();
  out.commit();
  return diagnostics;
}

}  // namespace simbatch::osm
