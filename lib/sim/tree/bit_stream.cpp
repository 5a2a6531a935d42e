#include "lib/sim/tree/bit_stream.hpp"

#include <bit>
#include <cstring>

namespace simbatch::sim {

static_assert(std::endian::native == std::endian::little, "values are copied from memory");

void BitWriter::numbers(std::span<const double> values) {
  const std::size_t at = out_.size();
  out_.resize(at + values.size_bytes());
  if (!values.empty()) std::memcpy(out_.data() + at, values.data(), values.size_bytes());
}

void BitWriter::integer(std::uint64_t value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out_.append(bytes, sizeof bytes);
}

void BitWriter::text(std::string_view text) {
  out_.append(text);
  out_.push_back('\0');
}

bool BitReader::numbers(std::span<double> values) {
  if (failed_ || rest_.size() < values.size_bytes()) return !(failed_ = true);
  if (!values.empty()) std::memcpy(values.data(), rest_.data(), values.size_bytes());
  rest_.remove_prefix(values.size_bytes());
  return true;
}

bool BitReader::integer(std::uint64_t& value) {
  if (failed_ || rest_.size() < sizeof value) return !(failed_ = true);
  std::memcpy(&value, rest_.data(), sizeof value);
  rest_.remove_prefix(sizeof value);
  return true;
}

bool BitReader::text(std::string& value) {
  const std::size_t end = rest_.find('\0');
  if (failed_ || end == std::string_view::npos) return !(failed_ = true);
  value.assign(rest_.substr(0, end));
  rest_.remove_prefix(end + 1);
  return true;
}

}  // namespace simbatch::sim
