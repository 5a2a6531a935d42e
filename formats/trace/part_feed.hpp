#pragma once
/// What the readers do with the rows that they have read: keep all in the trace, or hand them over part by part.

#include <utility>

#include "formats/trace/parts.hpp"

namespace simbatch::trace::detail {

/// Thrown where a receiver wants no more; caught inside the room.
struct Stopped {};

class PartFeed {
 public:
  /// @param receiver  nullptr: the trace keeps all rows
  explicit PartFeed(PartReceiver* receiver, ReleaseBytes release = {}) : receiver_(receiver), release_(std::move(release)) {}

  /// With the header and its columns. @return the steps that are wanted @throws Stopped
  StepRange begin(const Trace& head);
  bool wants(std::int64_t step) const { return range_.has(step); }
  bool wants_rows() const { return !range_.empty(); }
  /// A row of the file; wants() says whether it goes to the trace.
  void count(std::int64_t step) { extent_.add(step); }
  /// Hands over the trace's rows if they are many enough.
  void added(Trace& trace) {
    if (receiver_ != nullptr && trace.steps.size() >= rows_a_part_) hand_over(trace);
  }
  /// Hands over its rows, if there are any.
  void hand_over(Trace& trace);
  bool by_parts() const { return receiver_ != nullptr; }
  std::size_t rows_a_part() const { return rows_a_part_; }
  void release(std::size_t from, std::size_t bytes) const {
    if (release_) release_(from, bytes);
  }

  const Extent& extent() const { return extent_; }

 private:
  PartReceiver* receiver_;
  ReleaseBytes release_;
  StepRange range_;
  Extent extent_;
  std::size_t rows_a_part_ = 0;
};

/// Empty columns for the header's devices.
void make_columns(Trace& trace);

}  // namespace simbatch::trace::detail
