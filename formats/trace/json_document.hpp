#pragma once
/// The JSON document of collected rows; also the index of a CSV folder.

#include <functional>
#include <string_view>
#include <vector>

#include "formats/trace/rows.hpp"
#include "formats/trace/trace.hpp"

namespace simbatch::trace::detail {

using TextSink = std::function<void(std::string_view)>;

/// @param rows   nullptr: an index without data, for a CSV folder
/// @param files  of a CSV folder: the table of each device
void write_document(const TextSink& sink, const Header& header, const Rows* rows, const std::vector<std::string>* files,
                    const std::vector<HashPoint>& hashes, const End& end);

}  // namespace simbatch::trace::detail
