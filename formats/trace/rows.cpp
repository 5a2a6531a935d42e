#include "formats/trace/rows.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace simbatch::trace::detail {

Rows::Rows(RowShape shape)
    : shape_(shape),
      rows_a_block_(std::max<std::size_t>(1, (std::size_t{1} << 20) / (8 * shape.numbers + 96 * shape.texts + 1))) {}

void Rows::add(std::int64_t step, std::span<const double> numbers, std::span<const std::string_view> texts) {
  assert(numbers.size() == shape_.numbers && texts.size() == shape_.texts);
  const std::size_t in_block = steps_.size() % rows_a_block_;
  if (in_block == 0) {
    blocks_.emplace_back(new double[rows_a_block_ * shape_.numbers]);  // not zeroed: pages are touched when used
    text_blocks_.emplace_back();
    text_ends_.emplace_back();
    text_ends_.back().reserve(std::min<std::size_t>(rows_a_block_, 4096) * shape_.texts);
  }
  if (!numbers.empty()) std::memcpy(blocks_.back().get() + in_block * shape_.numbers, numbers.data(), numbers.size_bytes());
  for (const std::string_view text : texts) {
    text_blocks_.back() += text;
    text_ends_.back().push_back(static_cast<std::uint32_t>(text_blocks_.back().size()));
  }
  steps_.push_back(step);
}

void Rows::numbers(std::size_t first, std::size_t count, std::vector<double>& out) const {
  const std::size_t n = size();
  out.resize(count * n);
  for (std::size_t row = 0; row < n; ++row) {
    const double* from = blocks_[row / rows_a_block_].get() + (row % rows_a_block_) * shape_.numbers + first;
    for (std::size_t c = 0; c < count; ++c) out[c * n + row] = from[c];
  }
}

std::string_view Rows::text(std::size_t column, std::size_t row) const {
  const std::size_t block = row / rows_a_block_;
  const std::size_t i = (row % rows_a_block_) * shape_.texts + column;
  const std::size_t begin = i == 0 ? 0 : text_ends_[block][i - 1];
  return std::string_view(text_blocks_[block]).substr(begin, text_ends_[block][i] - begin);
}

}  // namespace simbatch::trace::detail
