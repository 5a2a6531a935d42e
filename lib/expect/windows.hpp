#pragma once
/// Minimum and maximum over sliding windows. Internal to this room.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lib/expect/margin.hpp"

namespace simbatch::expect::detail {

/// A ring buffer that never shrinks.
template <class T>
class Ring {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  const T& front() const { return items_[first_]; }
  const T& back() const { return items_[(first_ + size_ - 1) & (items_.size() - 1)]; }
  void push_back(const T& item) {
    if (size_ == items_.size()) grow();
    items_[(first_ + size_++) & (items_.size() - 1)] = item;
  }
  void pop_front() {
    first_ = (first_ + 1) & (items_.size() - 1);
    --size_;
  }
  void pop_back() { --size_; }

 private:
  void grow() {
    std::vector<T> larger(items_.empty() ? 8 : 2 * items_.size());
    for (std::size_t i = 0; i < size_; ++i) larger[i] = items_[(first_ + i) & (items_.size() - 1)];
    items_ = std::move(larger);
    first_ = 0;
  }
  std::vector<T> items_;  // a power of two
  std::size_t first_ = 0, size_ = 0;
};

/// The minimum (or maximum) of the values in a window whose ends only move forward. D. Lemire, Streaming maximum-minimum filter
/// using no more than three comparisons per element, Nordic Journal of Computing 13 (2006): a value followed by a lesser one
/// can never be the minimum again. O(1) per step, amortized.
class SlidingExtreme {
 public:
  explicit SlidingExtreme(bool of_least) : of_least_(of_least) {}
  void push(std::int64_t position, const Margin& value) {
    while (!kept_.empty() && (of_least_ ? less(value, kept_.back().value) : less(kept_.back().value, value))) kept_.pop_back();
    kept_.push_back({position, value});
  }
  /// The extreme of all values from `position` on; the neutral element if there are none.
  Margin from(std::int64_t position) {
    while (!kept_.empty() && kept_.front().position < position) kept_.pop_front();
    if (kept_.empty()) return of_least_ ? Margin::always_true() : Margin::always_false();
    return kept_.front().value;
  }

 private:
  struct Kept {
    std::int64_t position = 0;
    Margin value;
  };
  bool of_least_;
  Ring<Kept> kept_;  // ascending values (minimum) or descending ones
};

/// `a until b` over such a window. At a position u it is the function f(x) = b or (a and x) of the value x that follows; such
/// functions are closed under composition, so that two stacks of partial compositions give that of the window in O(1) per step,
/// amortized (K. Tangwongsan, M. Hirzel, S. Schneider, K.-L. Wu, General incremental sliding-window aggregation, VLDB 8
/// (2015)). Release is the dual.
class SlidingUntil {
 public:
  explicit SlidingUntil(bool is_until) : is_until_(is_until) {}
  void push(std::int64_t position, const Margin& a, const Margin& b) {
    const Step step{position, b, a};
    back_all_ = back_.empty() ? step : after(back_all_, step);
    back_.push_back(step);
  }
  /// Value over all positions from `position` on; if there are none, false, or true for release.
  Margin from(std::int64_t position) {
    while (!drop(position)) flip();
    if (front_.empty() && back_.empty()) return is_until_ ? Margin::always_false() : Margin::always_true();
    if (front_.empty()) return back_all_.offset;
    if (back_.empty()) return front_.back().offset;
    return after(front_.back(), back_all_).offset;
  }

 private:
  struct Step {  // x -> offset or (factor and x)
    std::int64_t position = 0;
    Margin offset, factor;
  };
  Margin both(const Margin& a, const Margin& b) const { return is_until_ ? least(a, b) : greatest(a, b); }
  Margin either(const Margin& a, const Margin& b) const { return is_until_ ? greatest(a, b) : least(a, b); }
  Step after(const Step& first, const Step& second) const {
    return {first.position, either(first.offset, both(first.factor, second.offset)), both(first.factor, second.factor)};
  }
  /// Drops earlier positions; false if the front is empty and the back has more to drop.
  bool drop(std::int64_t position) {
    while (!front_.empty() && front_.back().position < position) front_.pop_back();
    return !front_.empty() || back_.empty() || back_.front().position >= position;
  }
  void flip() {
    for (; !back_.empty(); back_.pop_back())
      front_.push_back(front_.empty() ? back_.back() : after(back_.back(), front_.back()));
  }
  bool is_until_;
  std::vector<Step> front_;  // each composed with all that follow it in the front; the oldest is last
  Ring<Step> back_;
  Step back_all_;
};

}  // namespace simbatch::expect::detail
