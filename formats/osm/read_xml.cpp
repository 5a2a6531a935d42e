// Own: a large text is read in two halves concurrently. The later one begins at what looks like an object; its results are used
// only if the first half ends exactly there (object_builder_append.cpp).
#include "formats/osm/read_xml.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>

#include "base/core/workers.hpp"
#include "formats/osm/codes.hpp"
#include "formats/osm/references.hpp"
#include "formats/osm/stream.hpp"
#include "formats/osm/xml_reader.hpp"

namespace simbatch::osm {
namespace {

using detail::kSlack;
using detail::XmlReader;

constexpr std::size_t kLarge = std::size_t{1} << 22;   // bytes: smallest text for a second thread
constexpr std::size_t kSearch = std::size_t{1} << 20;  // bytes after the middle: no object is as long

/// Feeds a text that is in memory: all but its end in place, the end from a copy with zeros after it.
void feed(XmlReader& reader, std::string_view text) {
  const char* rest = text.data();
  const char* const end = text.data() + text.size();
  if (text.size() > 4 * kSlack) {
    rest = reader.run({text.data(), end - kSlack, false, true});
    if (rest == nullptr) return;
  }
  const auto size = static_cast<std::size_t>(end - rest);
  std::string tail;
  tail.reserve(size + kSlack);  // large if a single token is: avoids copying it twice
  tail.append(rest, end).append(kSlack, '\0');
  reader.run({tail.data(), tail.data() + size, true, false});
}

/// Feeds a text in memory in two concurrent halves, if the later one can be read by itself.
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
void feed(XmlReader& reader, detail::ByteStream& stream, Diagnostics& diagnostics) {
  std::string buffer(std::size_t{1} << 18, '\0');
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
      if (buffer.size() > detail::kMaxToken) {
        diagnostics.report(code::kMemory, {}, "a single tag or comment is larger than 1 MiB");
        return reader.abandon();
      }
      buffer.resize(buffer.size() * 2);
    } else {
      std::memmove(buffer.data(), rest, size - used);
      size -= used;
    }
  }
}

/// Reads, and if necessary reads again to find the positions of duplicates.
/// @param feed_all  gives the whole text to a reader; its last argument is true the second time
Parsed<Document> read_with(const ReadOptions& options, std::string_view file_name, std::uint64_t expected,
                           const std::function<void(XmlReader&, Diagnostics&, bool)>& feed_all) {
  Parsed<Document> result;
  result.diagnostics = Diagnostics(std::string(file_name));
  result.value.emplace();
  XmlReader reader(*result.value, result.diagnostics, options, expected);
  feed_all(reader, result.diagnostics, false);
  if (!reader.finish()) {
    result.value.reset();
    return result;
  }
  if (result.value->facts.sorted) return result;  // ids ascend strictly
  const Model& model = result.value->model;
  const std::vector<detail::RepeatedObject> repeated = detail::find_repeated(model);
  if (repeated.empty()) return result;
  // The positions of duplicates are found by reading again, which costs time only in case of errors.
  std::vector<detail::WantedPlace> places;
  for (std::size_t i = 0; i < std::min<std::size_t>(repeated.size(), Diagnostics::kMaxKept); ++i)
    places.push_back({repeated[i], {}});
  Document again;
  Diagnostics unused;
  XmlReader second(again, unused, options, expected);
  second.look_for(places);
  feed_all(second, unused, true);
  for (std::size_t i = 0; i < repeated.size(); ++i)
    result.diagnostics.report(code::kIdRepeated, i < places.size() ? places[i].at : Position{},
                              detail::describe(model, repeated[i]));
  return result;
}

}  // namespace

std::size_t detail::cut_of(std::string_view text) {
  const std::size_t middle = text.size() / 100 * 54;  // the later part contains the ways, which take longer to read
  const std::string_view near = text.substr(middle, kSearch);
  const std::size_t found = std::min(near.find("<node "), near.find("<way "));
  return found == std::string_view::npos ? found : middle + found;
}

Parsed<Document> read_xml(std::string_view text, const ReadOptions& options, std::string_view file_name) {
  return read_with(options, file_name, text.size(), [&, text](XmlReader& reader, Diagnostics&, bool again) {
    if (options.workers != nullptr && text.size() >= kLarge && !again)
      feed_halves(reader, text, options);
    else
      feed(reader, text);
  });
}

Parsed<Document> detail::read_compressed_xml(std::string_view bytes, Compression compression, const ReadOptions& options,
                                             std::string_view file_name) {
  return read_with(options, file_name, 0, [&](XmlReader& reader, Diagnostics& diagnostics, bool) {
    const auto stream = detail::decompress(bytes, compression);
    feed(reader, *stream, diagnostics);
  });
}

}  // namespace simbatch::osm
