#pragma once
/// Queue of houses from the placing threads to the writing thread. Private to the room.

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <span>
#include <vector>

#include "lib/town/house.hpp"

namespace simbatch::town::detail {

/// A bounded queue.
class HouseQueue {
 public:
  void push(std::span<const House> houses) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || waiting_.size() < kMax; });
    if (closed_) return;
    const bool was_empty = waiting_.empty();
    waiting_.insert(waiting_.end(), houses.begin(), houses.end());
    lock.unlock();
    if (was_empty) changed_.notify_all();  // pop() waits for nothing else
  }
  /// Ends production or consumption: unblocks both sides.
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  /// Removes all queued houses, in order. @return false when the queue is closed and empty
  bool pop(std::vector<House>& houses) {
    houses.clear();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || !waiting_.empty(); });
    houses.swap(waiting_);
    lock.unlock();
    if (houses.size() >= kMax) changed_.notify_all();  // push() waits for nothing else
    return !houses.empty();
  }

 private:
  static constexpr std::size_t kMax = 32768;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<House> waiting_;
  bool closed_ = false;
};

/// Closes a queue on every path out of a scope, so that no thread keeps waiting.
class QueueCloser {
 public:
  explicit QueueCloser(HouseQueue& queue) : queue_(queue) {}
  QueueCloser(const QueueCloser&) = delete;
  QueueCloser& operator=(const QueueCloser&) = delete;
  ~QueueCloser() { queue_.close(); }

 private:
  HouseQueue& queue_;
};

}  // namespace simbatch::town::detail
