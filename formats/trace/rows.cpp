#include "formats/trace/rows.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/core/input.hpp"

namespace simbatch::trace::detail {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{4} << 20, kInMemory = std::size_t{16} << 20;
constexpr std::size_t kTextBytes = 96;  // of a usual text, to guess how many rows a block has

}  // namespace

/// Rows of a block: one after the other while it fills, column by column once it is sealed.
struct Rows::Block {
  std::size_t rows = 0;
  std::unique_ptr<double[]> numbers;
  std::string texts;
  std::vector<std::uint32_t> lengths;  // of the texts
  std::vector<std::uint64_t> starts;   // once sealed: of each text column in `texts`
  std::uint64_t at = 0;                // once spilled: in the file, where numbers, lengths and texts follow each other
  std::size_t bytes(RowShape shape) const { return 8 * rows * shape.numbers + 4 * lengths.size() + texts.size(); }
};

/// A file without a name: gone with the process.
class Rows::SpillFile {
 public:
  /// @return nullptr if there can be none
  static std::unique_ptr<SpillFile> in(const std::string& folder) {
    const int fd = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0) return nullptr;
    return std::unique_ptr<SpillFile>(new SpillFile(fd, folder));
  }
  ~SpillFile() { ::close(fd_); }
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  /// @return where it begins
  std::uint64_t append(const void* bytes, std::size_t size) {
    const std::uint64_t start = size_;
    const char* from = static_cast<const char*>(bytes);
    while (size > 0) {
      const ssize_t done = ::pwrite(fd_, from, size, static_cast<off_t>(size_));
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0)
        throw IoError::from_errno(folder_, "cannot keep the rows of a trace in this folder", done < 0 ? errno : ENOSPC);
      from += done;
      size -= static_cast<std::size_t>(done);
      size_ += static_cast<std::uint64_t>(done);
    }
    return start;
  }
  void read(std::uint64_t at, void* to, std::size_t size) const {
    char* out = static_cast<char*>(to);
    while (size > 0) {
      const ssize_t done = ::pread(fd_, out, size, static_cast<off_t>(at));
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0) throw IoError::from_errno(folder_, "cannot read back the rows of a trace", done < 0 ? errno : EIO);
      out += done;
      at += static_cast<std::uint64_t>(done);
      size -= static_cast<std::size_t>(done);
    }
  }

 private:
  SpillFile(int fd, std::string folder) : fd_(fd), folder_(std::move(folder)) {}
  int fd_;
  std::string folder_;
  std::uint64_t size_ = 0;
};

Rows::Rows(RowShape shape, std::string folder)
    : shape_(shape),
      rows_a_block_(std::max<std::size_t>(1, kBlockBytes / (8 * shape.numbers + kTextBytes * shape.texts + 1))),
      folder_(std::move(folder)) {}
Rows::~Rows() = default;
Rows::Rows(Rows&&) noexcept = default;
Rows& Rows::operator=(Rows&&) noexcept = default;

void Rows::add(std::int64_t step, std::span<const double> numbers, std::span<const std::string_view> texts) {
  assert(numbers.size() == shape_.numbers && texts.size() == shape_.texts);
  if (blocks_.empty() || blocks_.back()->rows == rows_a_block_) {
    if (!blocks_.empty()) {
      seal(*blocks_.back());
      spill();
    }
    blocks_.push_back(std::make_unique<Block>());
    blocks_.back()->numbers.reset(new double[rows_a_block_ * shape_.numbers]);  // not zeroed: pages are touched when used
  }
  Block& block = *blocks_.back();
  if (!numbers.empty()) std::memcpy(block.numbers.get() + block.rows * shape_.numbers, numbers.data(), numbers.size_bytes());
  for (const std::string_view text : texts) {
    block.texts += text;
    block.lengths.push_back(static_cast<std::uint32_t>(text.size()));
  }
  ++block.rows;
  steps_.push_back(step);
}

void Rows::seal(Block& block) const {
  const std::size_t rows = block.rows;
  std::unique_ptr<double[]> columns(new double[rows * shape_.numbers]);
  constexpr std::size_t kTile = 16;  // columns at a time: a row gives two cache lines
  for (std::size_t first = 0; first < shape_.numbers; first += kTile)
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t c = first; c < std::min(first + kTile, shape_.numbers); ++c)
        columns[c * rows + row] = block.numbers[row * shape_.numbers + c];
  block.numbers = std::move(columns);
  if (shape_.texts == 0) return;
  std::vector<std::size_t> begins;
  std::size_t begin = 0;
  for (const std::uint32_t length : block.lengths) {
    begins.push_back(begin);
    begin += length;
  }
  std::string texts;
  texts.reserve(block.texts.size());
  std::vector<std::uint32_t> lengths;
  for (std::size_t column = 0; column < shape_.texts; ++column) {
    block.starts.push_back(texts.size());
    for (std::size_t row = 0; row < rows; ++row) {
      const std::size_t i = row * shape_.texts + column;
      texts.append(block.texts, begins[i], block.lengths[i]);
      lengths.push_back(block.lengths[i]);
    }
  }
  block.starts.push_back(texts.size());
  block.texts = std::move(texts);
  block.lengths = std::move(lengths);
}

/// Moves sealed blocks to a temporary file if they exceed kInMemory.
void Rows::spill() {
  std::size_t bytes = 0;
  for (std::size_t i = spilled_; i < blocks_.size(); ++i) bytes += blocks_[i]->bytes(shape_);
  if (bytes < kInMemory || folder_.empty()) return;
  if (!file_) file_ = SpillFile::in(folder_);
  if (!file_) {
    folder_.clear();
    return;
  }
  for (; spilled_ < blocks_.size(); ++spilled_) {
    Block& block = *blocks_[spilled_];
    block.at = file_->append(block.numbers.get(), 8 * block.rows * shape_.numbers);
    file_->append(block.lengths.data(), 4 * block.lengths.size());
    file_->append(block.texts.data(), block.texts.size());
    block.numbers.reset();
    block.lengths = {};
    block.texts = {};
  }
}

void Rows::numbers(std::size_t first, std::size_t count, std::vector<double>& out) const {
  const std::size_t n = size();
  out.resize(count * n);
  std::vector<double> read;
  std::size_t base = 0;
  for (std::size_t b = 0; b < blocks_.size(); base += blocks_[b++]->rows) {
    const Block& block = *blocks_[b];
    if (b + 1 == blocks_.size()) {  // not sealed
      for (std::size_t row = 0; row < block.rows; ++row)
        for (std::size_t c = 0; c < count; ++c) out[c * n + base + row] = block.numbers[row * shape_.numbers + first + c];
      continue;
    }
    const double* from = nullptr;
    if (b < spilled_) {
      read.resize(count * block.rows);
      file_->read(block.at + 8 * first * block.rows, read.data(), 8 * read.size());
      from = read.data();
    } else {
      from = block.numbers.get() + first * block.rows;
    }
    for (std::size_t c = 0; c < count; ++c) std::memcpy(out.data() + c * n + base, from + c * block.rows, 8 * block.rows);
  }
}

void Rows::each_text(std::size_t column, const std::function<void(std::string_view)>& use) const {
  std::vector<std::uint32_t> read_lengths;
  std::string read_texts;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Block& block = *blocks_[b];
    if (b + 1 == blocks_.size()) {  // not sealed: row by row
      std::size_t begin = 0;
      for (std::size_t i = 0; i < block.lengths.size(); begin += block.lengths[i++])
        if (i % shape_.texts == column) use(std::string_view(block.texts).substr(begin, block.lengths[i]));
      continue;
    }
    const std::uint64_t start = block.starts[column], size = block.starts[column + 1] - start;
    const std::uint32_t* lengths = block.lengths.data() + column * block.rows;
    std::string_view texts = std::string_view(block.texts).substr(b < spilled_ ? 0 : start, b < spilled_ ? 0 : size);
    if (b < spilled_) {
      const std::uint64_t at = block.at + 8 * block.rows * shape_.numbers;
      read_lengths.resize(block.rows);
      read_texts.resize(size);
      file_->read(at + 4 * column * block.rows, read_lengths.data(), 4 * block.rows);
      file_->read(at + 4 * shape_.texts * block.rows + start, read_texts.data(), size);
      lengths = read_lengths.data();
      texts = read_texts;
    }
    for (std::size_t row = 0; row < block.rows; ++row) {
      use(texts.substr(0, lengths[row]));
      texts.remove_prefix(lengths[row]);
    }
  }
}

std::string spill_folder(const std::string& path) {
  if (path == "-" || path.empty()) return {};
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace simbatch::trace::detail
