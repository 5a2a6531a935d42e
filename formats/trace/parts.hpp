#pragma once
/// Traces read part by part: memory is then bounded, however long the run was.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "formats/trace/read.hpp"
#include "formats/trace/trace.hpp"
#include "formats/trace/write.hpp"

namespace simbatch::trace {

/// Steps of interest, both ends included. With last < first: none.
struct StepRange {
  std::int64_t first = 0, last = INT64_MAX;
  bool has(std::int64_t step) const { return step >= first && step <= last; }
  bool empty() const { return last < first; }
};
inline constexpr StepRange kNoSteps{1, 0};

/// The rows of a file, whether they are wanted or not.
struct Extent {
  std::int64_t rows = 0, first = 0, last = 0;  ///< first, last: steps, if there are rows
  void add(std::int64_t step) {
    if (rows++ == 0) first = step;
    last = step;
  }
};

/// What a trace is read into.
class PartReceiver {
 public:
  virtual ~PartReceiver() = default;
  /// Once, before the rows. @param head  the header; hashes and end only if the file has them before its rows
  /// @return the steps whose rows are wanted; nothing: stop reading
  virtual std::optional<StepRange> begin(const Trace& head) = 0;
  /// Some of these rows, a few megabytes or a group of a Parquet file, in order. @param part  with the header, and the hashes up
  /// to the last row at least
  virtual void rows(const Trace& part) = 0;
};

/// Given with the bytes of a file: those of [from, from + bytes) are not needed soon, so that their memory can be returned.
using ReleaseBytes = std::function<void(std::size_t from, std::size_t bytes)>;

struct PartsRead {
  Parsed<Trace> trace;  ///< without rows; nothing without an error: it was stopped
  Format format = Format::json;
  Extent extent = {};
  std::string cut = {};  ///< what a file that ends early lacks: "no summary; 3 whole chunks"
};

PartsRead json_parts(std::string_view text, const std::string& file_name, PartReceiver& receiver,
                     const ReleaseBytes& release = {});
PartsRead ndjson_parts(std::string_view text, const std::string& file_name, PartReceiver& receiver,
                       const ReleaseBytes& release = {});
PartsRead parquet_parts(std::string_view bytes, const std::string& file_name, PartReceiver& receiver,
                        const ReleaseBytes& release = {});
PartsRead mcap_parts(std::string_view bytes, const std::string& file_name, PartReceiver& receiver,
                     const ReleaseBytes& release = {});

/// As read_trace(). A folder of tables is read whole, and then is one part; a compressed file is unpacked whole. @throws IoError
PartsRead read_parts(const std::string& path, PartReceiver& receiver);

/// Writes parts to a writer, with hashes among the rows as in a run.
class PartWriter {
 public:
  /// @param header   of the parts
  /// @param devices  of the header, in its order, that are written; they must be those of the writer's header
  /// @param every    takes every n-th row, the first one included
  PartWriter(Writer& writer, const Header& header, const std::vector<std::size_t>& devices, std::int64_t every = 1);
  /// All devices and rows.
  PartWriter(Writer& writer, const Header& header);
  void rows(const Trace& part);
  /// @param trace  hashes and end. Without an end it is written with an "interrupted" one
  void finish(const Trace& trace);
  std::int64_t written() const { return written_; }

 private:
  struct Place {
    std::size_t device, field;
    bool text;
  };
  void load(const Trace& part, const std::vector<std::size_t>& rows);

  Writer& writer_;
  double dt_;
  std::vector<Place> places_;
  RowShape shape_;
  std::int64_t every_, seen_ = 0, written_ = 0, last_step_ = 0;
  std::size_t next_hash_ = 0;
  std::vector<double> numbers_;
  std::vector<std::string_view> texts_;
};

}  // namespace simbatch::trace
