#include "formats/osm/read.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>

#include "base/core/text.hpp"
#include "base/core/workers.hpp"
#include "formats/osm/codes.hpp"
#include "formats/osm/pbf.hpp"
#include "formats/osm/stream.hpp"
#include "formats/osm/xml_halves.hpp"
#include "formats/osm/xml_reader.hpp"

namespace simbatch::osm {
namespace {

using detail::kSlack;
using detail::XmlReader;

constexpr std::size_t kLarge = std::size_t{1} << 22;  // bytes of a text from which a thread more pays

/// Feeds a text that is in memory: all but its end in place, the end from a copy with zeros behind it.
void feed(XmlReader& reader, std::string_view text) {
  const char* rest = text.data();
  const char* const end = text.data() + text.size();
  if (text.size() > 4 * kSlack) {
    rest = reader.run({text.data(), end - kSlack, false, true});
    if (rest == nullptr) return;
  }
  const auto size = static_cast<std::size_t>(end - rest);
  std::string tail;
  tail.reserve(size + kSlack);  // large when a single token is: then it is not to be copied twice
  tail.append(rest, end).append(kSlack, '\0');
  reader.run({tail.data(), tail.data() + size, true, false});
}

/// Feeds a text in memory in two halves at once, if the later one can be read by itself.
void feed_halves(XmlReader& reader, std::string_view text, const ReadOptions& options) {
  const std::size_t cut = detail::cut_of(text);
  if (cut == std::string_view::npos) return feed(reader, text);
  Document document;
  Diagnostics diagnostics;
  XmlReader rest(document, diagnostics, options, text.size());
  rest.begin_inside(cut);
  Workers::Task other = options.workers->start([&] { feed(rest, text.substr(cut)); });
  const char* const used = reader.run({text.data(), text.data() + cut, false, true});
  other.wait();
  if (used == nullptr) return;
  if (used == text.data() + cut && diagnostics.empty() && reader.join(rest)) return;
  feed(reader, text.substr(static_cast<std::size_t>(used - text.data())));
}

/// Feeds a stream through a buffer that grows only when a single token does not fit.
void feed(XmlReader& reader, detail::ByteStream& stream, std::size_t limit, Diagnostics& diagnostics) {
  std::string buffer(std::size_t{1} << 20, '\0');
  std::size_t size = 0;
  bool more = true;
  for (;;) {
    while (more && size < buffer.size() - kSlack) {
      const std::size_t got = stream.read(buffer.data() + size, buffer.size() - kSlack - size);
      more = got != 0;
      size += got;
    }
    if (!stream.fault().empty()) {
      diagnostics.report(code::kCompression, {}, std::string(stream.fault()));
      return reader.abandon();
    }
    if (!more) std::fill(buffer.begin() + static_cast<std::ptrdiff_t>(size), buffer.end(), '\0');
    const bool last = !more;
    const char* const limit_at = buffer.data() + (last ? size : size - kSlack);
    const char* const rest = reader.run({buffer.data(), limit_at, last, false});
    if (rest == nullptr || last) return;
    const auto used = static_cast<std::size_t>(rest - buffer.data());
    if (used == 0) {
      if (buffer.size() >= limit) {
        diagnostics.report(code::kMemory, {}, "a single tag or comment is larger than the memory limit");
        return reader.abandon();
      }
      buffer.resize(buffer.size() * 2);
    } else {
      std::memmove(buffer.data(), rest, size - used);
      size -= used;
    }
  }
}

/// Reads once. @param feed_all  gives the whole text to a reader
Parsed<Document> read_with(const ReadOptions& options, std::string_view file_name, std::uint64_t expected,
                           const std::function<void(XmlReader&, Diagnostics&)>& feed_all) {
  Parsed<Document> result;
  result.diagnostics = Diagnostics(std::string(file_name));
  result.value.emplace();
  XmlReader reader(*result.value, result.diagnostics, options, expected);
  feed_all(reader, result.diagnostics);
  const bool usable = reader.finish();
  if (!reader.repeated.empty()) {
    // Where the duplicates stand is found by reading once more: this costs time only when something is wrong.
    std::vector<detail::Wanted> places = reader.repeated;
    if (places.size() > Diagnostics::kMaxKept) places.resize(Diagnostics::kMaxKept);
    Document again;
    Diagnostics unused;
    XmlReader second(again, unused, options, expected);
    second.wanted = &places;
    feed_all(second, unused);
    for (std::size_t i = 0; i < reader.repeated.size(); ++i) {
      const detail::Wanted& w = reader.repeated[i];
      const Model& m = result.value->model;
      const Id id = w.kind == Kind::node  ? m.node_ids[w.number]
                    : w.kind == Kind::way ? m.ways[w.number].id
                                          : m.relations[w.number].id;
      result.diagnostics.report(code::kIdRepeated, i < places.size() ? places[i].at : Position{},
                                "a second " + std::string(to_text(w.kind)) + " with the id " + std::to_string(id));
    }
  }
  if (!usable) result.value.reset();
  return result;
}

}  // namespace

FileType type_of_name(std::string_view name) {
  const std::string lower = lower_ascii(name);
  const std::string_view n = lower;
  if (n.ends_with(".pbf")) return {Format::pbf, Compression::none};
  if (n.ends_with(".gz")) return {Format::xml, Compression::gzip};
  if (n.ends_with(".bz2")) return {Format::xml, Compression::bzip2};
  return {};
}

FileType type_of_bytes(std::string_view bytes) {
  if (bytes.starts_with("\x1F\x8B")) return {Format::xml, Compression::gzip};
  if (bytes.starts_with("BZh")) return {Format::xml, Compression::bzip2};
  // A PBF file starts with the size of its first header (big-endian, small) and that header's type, field 1.
  if (bytes.size() >= 15 && bytes[0] == '\0' && bytes[1] == '\0' && bytes.substr(4, 11) == "\x0A\x09OSMHeader")
    return {Format::pbf, Compression::none};
  return {};
}

Parsed<Document> read_xml(std::string_view text, const ReadOptions& options, std::string_view file_name) {
  return read_with(options, file_name, text.size(), [&, text](XmlReader& reader, Diagnostics&) {
    if (options.workers != nullptr && text.size() >= kLarge && reader.wanted == nullptr)
      feed_halves(reader, text, options);
    else
      feed(reader, text);
  });
}

Parsed<Document> read(const Input& input, const ReadOptions& options) {
  const FileType type = type_of_bytes(input.text());
  if (type.format == Format::pbf) return detail::read_pbf(input.text(), options, input.name());
  if (type.compression == Compression::none) return read_xml(input.text(), options, input.name());
  Parsed<Document> result = read_with(options, input.name(), 0, [&](XmlReader& reader, Diagnostics& diagnostics) {
    const auto stream = detail::decompress(input.text(), type.compression);
    feed(reader, *stream, options.max_model_bytes, diagnostics);
  });
  if (result.value) result.value->type = type;
  return result;
}

Parsed<Document> read_file(const std::string& file, const ReadOptions& options) { return read(Input::open(file), options); }

}  // namespace simbatch::osm
