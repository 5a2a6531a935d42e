#include "base/core/record_limit.hpp"

#include <fmt/format.h>

namespace simbatch {

void report_too_many(const Code& code, std::string_view records, std::size_t most, Position at, Diagnostics& diagnostics) {
  diagnostics.report(
      code, at, fmt::format("found more than {} {}, expected at most that many in a file; reading stops here", most, records));
}

bool RecordCount::add(Position at, Diagnostics& diagnostics) {
  if (is_exceeded()) return false;
  if (++count_ <= most_) return true;
  report_too_many(code_, records_, most_, at, diagnostics);
  return false;
}

}  // namespace simbatch
