#pragma once
/// Reads the header of a trace, and its hashes, member by member.

#include <string>
#include <vector>

#include "formats/trace/json_cursor.hpp"
#include "formats/trace/trace.hpp"

namespace simbatch::trace::detail {

/// Reads a member of a header. @return false if it is not one
bool read_header_member(JsonCursor& in, const std::string& name, Header& header, bool& schema_seen);

HashPoint read_hash_point(JsonCursor& in);
void read_hashes(JsonCursor& in, std::vector<HashPoint>& hashes);

}  // namespace simbatch::trace::detail
