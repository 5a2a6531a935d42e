#pragma once
/// Parts of a trace: fewer rows, fewer devices. Hashes and the end are always those of the whole run.

#include <cstdint>
#include <functional>
#include <string_view>

#include "formats/trace/trace.hpp"

namespace simbatch::trace {

/// Every n-th row, the first one included; the header's `every` says so.
/// @param n  >= 1
Trace every_nth_row(Trace trace, std::int64_t n);

/// Only the rows of steps from `first` to `last`, both included.
Trace only_steps(Trace trace, std::int64_t first, std::int64_t last);

/// Only the devices whose names are wanted, in their order.
Trace only_devices(Trace trace, const std::function<bool(std::string_view name)>& wanted);

}  // namespace simbatch::trace
