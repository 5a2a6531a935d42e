#pragma once
/// The member "end" of a trace. Internal to this room.

#include "formats/trace/json_cursor.hpp"
#include "formats/trace/trace.hpp"

namespace simbatch::trace::detail {

/// Members that are not known are skipped. @throws ReadFailure
End read_end(JsonCursor& in);

}  // namespace simbatch::trace::detail
