#pragma once
/// What the readers of JSON share: the document, places of devices, checks, problems.

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "formats/trace/json_cursor.hpp"
#include "formats/trace/trace.hpp"

namespace simbatch::trace::detail {

/// Comparisons and replays walk rows in the order of steps. @param last  the step before; negative: none
void check_step(const JsonCursor& in, std::int64_t last, std::int64_t step);

/// Where each device's columns are.
class Places {
 public:
  Places(const Header& header, const JsonCursor& in);
  std::size_t of(const std::string& name, const JsonCursor& in) const;

 private:
  std::unordered_map<std::string_view, std::size_t> by_name_;
};

/// Reads the document's values.
class DataReader {
 public:
  virtual ~DataReader() = default;
  /// The array of a field. @pre the columns of the trace were made
  virtual void field(JsonCursor& in, Trace& trace, std::size_t device, std::size_t field) = 0;
  /// After the last member.
  virtual void check(const JsonCursor& in, const Trace& trace) = 0;
};

/// The document. @param files  of the index of a CSV folder, which has them in place of rows; nullptr: a whole document
void read_document(std::string_view text, Trace& trace, std::vector<std::string>* files, DataReader& reader);
/// Keeps the values in the trace.
void read_document(std::string_view text, Trace& trace, std::vector<std::string>* files);

/// Each column has a value for each step.
void check_columns(const JsonCursor& in, const Trace& trace);
void check_count(const JsonCursor& in, const Device& device, const Field& field, std::size_t values, std::size_t rows);

/// Calls body, and turns what it throws into a problem at its line.
Parsed<Trace> guarded(std::string_view text, const std::string& name, const std::function<void(Trace&, Diagnostics&)>& body);

void warn_if_cut(const Trace& trace, Diagnostics& diagnostics, Position at);

}  // namespace simbatch::trace::detail
