#pragma once
/// A writer that keeps the trace in memory.

#include "formats/trace/trace.hpp"
#include "formats/trace/write.hpp"

namespace simbatch::trace {

class Collector final : public Writer {
 public:
  explicit Collector(Header header);
  void row(std::int64_t step, std::span<const double> numbers, std::span<const std::string_view> texts) override;
  void hash(HashPoint point) override { trace_.hashes.push_back(point); }
  void finish(const End& end) override { trace_.end = end; }
  Trace& trace() { return trace_; }

 private:
  Trace trace_;
};

}  // namespace simbatch::trace
