#pragma once
/// How many records a file may have that become far more than their text: a link of a robot has all fields that a link can
/// have, however short it is written. A limit that no usable file comes near keeps what a reader takes proportional to its
/// input (docs/reliability.md, Memory); points, samples and references, of which real files have millions, have none.

#include <cstddef>
#include <string_view>

#include "base/core/diagnostics.hpp"

namespace simbatch {

/// The limit of most kinds of files: far more than a simulation can step.
inline constexpr std::size_t kMaxRecords = 100'000;

/// Reports the first record too many, where it begins.
/// @param records  what is counted: "links and joints"
void report_too_many(const Code& code, std::string_view records, std::size_t most, Position at, Diagnostics& diagnostics);

/// Counts the records of one file.
class RecordCount {
 public:
  /// As report_too_many(); `records` is of static storage.
  RecordCount(const Code& code, std::string_view records, std::size_t most = kMaxRecords)
      : code_(code), records_(records), most_(most) {}
  /// Counts one more; false if that is too many, which is reported once. The reader then stops.
  bool add(Position at, Diagnostics& diagnostics);
  /// True once add() was false.
  bool is_exceeded() const { return count_ > most_; }

 private:
  const Code& code_;
  std::string_view records_;
  std::size_t most_, count_ = 0;
};

}  // namespace simbatch
