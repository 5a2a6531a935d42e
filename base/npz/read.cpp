// ZIP: PKWARE's APPNOTE.TXT 6.3, sections 4.3.7, 4.3.12 and 4.3.16. Arrays: NumPy's format 1.0 (numpy.lib.format).
#include "base/npz/read.hpp"

#include "base/compress/stream.hpp"
#include "base/core/little_endian.hpp"
#include "base/core/number.hpp"
#include "base/core/text.hpp"

namespace simbatch::npz {
namespace {

constexpr std::string_view kLocal = "PK\x03\x04", kEntry = "PK\x01\x02", kEnd = "PK\x05\x06";
constexpr std::size_t kHead = 1024;  // bytes

std::string_view part(std::string_view bytes, std::size_t at, std::size_t size) {
  if (at > bytes.size() || size > bytes.size() - at) throw ReadFault("the archive is cut");
  return bytes.substr(at, size);
}

std::uint64_t little(std::string_view bytes, std::size_t at, std::size_t size) { return little_endian(part(bytes, at, size)); }

/// At most `most` bytes of an array's file.
std::string unpack(std::string_view packed, std::size_t most) {
  if (most / kMaxInflation > packed.size()) throw ReadFault("an array is larger than its packed bytes can hold");
  const std::optional<std::string> plain = inflated(packed, false, most);
  if (!plain) throw ReadFault("an array is damaged");
  return *plain;
}

/// Text between two marks of an array's head, which is a dictionary of Python.
std::string_view between(std::string_view head, std::string_view before, std::string_view after) {
  const std::size_t start = head.find(before);
  if (start == std::string_view::npos) throw ReadFault("an array's head lacks " + std::string(before));
  head.remove_prefix(start + before.size());
  return head.substr(0, head.find(after));
}

constexpr std::size_t kPreamble = 10;

std::size_t head_bytes(std::string_view file) {
  if (!file.starts_with(std::string_view("\x93NUMPY\x01\x00", 8)))
    throw ReadFault("a member is not a NumPy array of version 1.0");
  return kPreamble + little(file, 8, 2);
}

Array array_of(std::string_view name, std::string_view packed, std::size_t size) {
  const std::string file = unpack(packed, std::min(size, kHead));
  const std::size_t start = head_bytes(file);
  const std::string_view head = part(file, 0, start);
  Array array{std::string(name), std::string(between(head, "'descr': '", "'")), 1, packed, size - std::min(size, start)};
  const std::string_view shape = between(head, "'shape': (", ")");
  if (shape.empty()) return array;
  const auto count = parse_integer<std::uint64_t>(shape.substr(0, shape.find(',')));
  if (!count || !shape.ends_with(',')) throw ReadFault("an array has more than one dimension");
  array.count = static_cast<std::size_t>(count.value);
  return array;
}

/// The bytes of an array's values.
std::string values(const Array& array, std::size_t each) {
  if (array.count > array.bytes / each || array.count * each != array.bytes)
    throw ReadFault("array \"" + array.name + "\" is not as long as its head says");
  std::string file = unpack(array.packed, array.bytes + kHead);
  return std::string(part(file, head_bytes(file), array.bytes));
}

}  // namespace

bool is_zip(std::string_view file) { return file.starts_with(kLocal); }

std::vector<Array> arrays(std::string_view file) {
  constexpr std::size_t kEndBytes = 22, kEntryBytes = 46, kLocalBytes = 30;
  if (file.size() < kEndBytes || !file.substr(file.size() - kEndBytes).starts_with(kEnd))
    throw ReadFault("the archive is cut: its directory is missing");
  const std::string_view end = file.substr(file.size() - kEndBytes);
  std::vector<Array> found;
  std::size_t at = little(end, 16, 4), claimed = 0;
  for (std::uint64_t left = little(end, 10, 2); left > 0; --left) {
    const std::string_view entry = part(file, at, kEntryBytes);
    if (!entry.starts_with(kEntry)) throw ReadFault("the archive's directory is damaged");
    const std::uint64_t method = little(entry, 10, 2), packed = little(entry, 20, 4), size = little(entry, 24, 4);
    std::string_view name = part(file, at + kEntryBytes, little(entry, 28, 2));
    const std::size_t local = little(entry, 42, 4);
    const std::size_t start = local + kLocalBytes + little(file, local + 26, 2) + little(file, local + 28, 2);
    at += kEntryBytes + little(entry, 28, 2) + little(entry, 30, 2) + little(entry, 32, 2);
    if (!name.ends_with(".npy")) throw ReadFault("a member of the archive is not an array");
    if (method != 8) throw ReadFault("a member of the archive is not deflated");
    name.remove_suffix(4);
    claimed += packed;
    if (claimed > file.size()) throw ReadFault("members of the archive share bytes");
    found.push_back(array_of(name, part(file, start, packed), size));
  }
  return found;
}

std::vector<std::int64_t> integers(const Array& array) {
  if (array.type != "<i8") throw ReadFault("array \"" + array.name + "\" is not of whole numbers");
  const std::string bytes = values(array, 8);
  std::vector<std::int64_t> out;
  for (std::size_t i = 0; i < array.count; ++i) out.push_back(static_cast<std::int64_t>(little(bytes, 8 * i, 8)));
  return out;
}

std::string text(const Array& array) {
  if (!array.type.starts_with("<U") || array.count != 1 || array.bytes % 4 != 0)
    throw ReadFault("array \"" + array.name + "\" is not a text");
  const std::string bytes = values(array, array.bytes == 0 ? 1 : array.bytes);
  std::string out;
  for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
    const std::uint64_t code = little(bytes, i, 4);
    if (code > 0x10FFFF) throw ReadFault("a text contains a code point above U+10FFFF");
    append_utf8(out, static_cast<std::uint32_t>(code));
  }
  while (out.ends_with('\0')) out.pop_back();
  return out;
}

}  // namespace simbatch::npz
