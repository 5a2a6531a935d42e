// Rows gathered in two batches in turn: while the run fills one, a thread writes the other, and makes the texts of its rows.

#include <algorithm>
#include <optional>
#include <system_error>

#include "base/core/workers.hpp"
#include "formats/trace/writers.hpp"

namespace simbatch::trace::detail {
namespace {

constexpr std::size_t kBatchBytes = std::size_t{1} << 18;  // stays in a processor's cache

/// Rows and hashes in the order in which they came.
struct Batch {
  std::vector<std::int64_t> steps;
  std::vector<double> numbers;
  std::string texts;
  std::vector<std::size_t> lengths;                       // of the texts
  std::vector<std::pair<std::size_t, HashPoint>> hashes;  // with the number of rows before
  std::size_t bytes() const {
    return 8 * (steps.size() + numbers.size() + lengths.size()) + texts.size() + sizeof hashes[0] * hashes.size();
  }
  void clear() {
    steps.clear();
    numbers.clear();
    texts.clear();
    lengths.clear();
    hashes.clear();
  }
};

class ThreadedWriter final : public Writer {
 public:
  ThreadedWriter(std::unique_ptr<Writer> writer, RowShape shape) : writer_(std::move(writer)), shape_(shape) {}
  ThreadedWriter(const ThreadedWriter&) = delete;
  ThreadedWriter& operator=(const ThreadedWriter&) = delete;
  ~ThreadedWriter() override {
    if (finished_ || failed_) return;
    try {  // a run that failed: what it did so far
      settle();
    } catch (...) {
    }
  }

  void row(std::int64_t step, std::span<const double> numbers, std::span<const std::string_view> texts) override {
    filling_.steps.push_back(step);
    filling_.numbers.insert(filling_.numbers.end(), numbers.begin(), numbers.end());
    for (const std::string_view text : texts) {
      filling_.texts += text;
      filling_.lengths.push_back(text.size());
    }
    if (filling_.bytes() >= kBatchBytes) hand_over();
  }
  void hash(HashPoint point) override {
    filling_.hashes.emplace_back(filling_.steps.size(), point);
    if (filling_.bytes() >= kBatchBytes) hand_over();
  }
  void finish(const End& end) override {
    settle();
    finished_ = true;
    writer_->finish(end);
  }
  bool make_texts(const TextMaker& maker) override {
    maker_ = maker;
    return true;
  }
  bool streams() const override { return writer_->streams(); }

 private:
  void wait() {
    try {
      task_.wait();
    } catch (...) {
      failed_ = true;
      throw;
    }
  }
  void hand_over() {
    if (!workers_) start_thread();
    wait();
    std::swap(filling_, written_);
    task_ = workers_->start([this] { replay(written_); });
  }
  // Started only when needed: short runs need no thread, and processes for programs are forked before it.
  void start_thread() {
    try {
      workers_.emplace(1U);
    } catch (const std::system_error&) {
      workers_.emplace(0U);  // batches are then written by who waits for them
    }
  }
  void settle() {
    wait();
    try {
      replay(filling_);
    } catch (...) {
      failed_ = true;
      throw;
    }
  }
  void replay(Batch& batch) {
    std::vector<std::string_view> texts(shape_.texts);
    made_.resize(maker_ ? shape_.texts : 0);
    std::size_t text = 0, length = 0, next_hash = 0;
    const auto hashes_before = [&](std::size_t rows) {
      for (; next_hash < batch.hashes.size() && batch.hashes[next_hash].first <= rows; ++next_hash)
        writer_->hash(batch.hashes[next_hash].second);
    };
    for (std::size_t row = 0; row < batch.steps.size(); ++row) {
      hashes_before(row);
      const auto numbers = std::span<const double>(batch.numbers).subspan(row * shape_.numbers, shape_.numbers);
      for (std::size_t i = 0; i < texts.size(); ++i) {
        if (maker_) {
          made_[i].clear();
          maker_(numbers, i, made_[i]);
          texts[i] = made_[i];
          continue;
        }
        texts[i] = std::string_view(batch.texts).substr(text, batch.lengths[length]);
        text += batch.lengths[length++];
      }
      writer_->row(batch.steps[row], numbers, texts);
    }
    hashes_before(batch.steps.size());
    batch.clear();
  }

  std::unique_ptr<Writer> writer_;
  RowShape shape_;
  TextMaker maker_;                // none: texts come with the rows
  std::vector<std::string> made_;  // by it, for a row
  Batch filling_, written_;
  bool finished_ = false, failed_ = false;
  std::optional<Workers> workers_;
  Workers::Task task_;  // of `written_`; waits for its end before the workers and batches go
};

}  // namespace

std::unique_ptr<Writer> make_threaded_writer(std::unique_ptr<Writer> writer, RowShape shape) {
  return std::make_unique<ThreadedWriter>(std::move(writer), shape);
}

}  // namespace simbatch::trace::detail
