#pragma once
/// The writers themselves, for make_writer.

#include <memory>
#include <string>

#include "formats/trace/write.hpp"

namespace simbatch::trace::detail {

std::unique_ptr<Writer> make_json_writer(const std::string& path, Header header);
std::unique_ptr<Writer> make_ndjson_writer(const std::string& path, Header header, Lines lines);
std::unique_ptr<Writer> make_csv_writer(const std::string& path, Header header);
std::unique_ptr<Writer> make_wide_writer(const std::string& path, Header header);
std::unique_ptr<Writer> make_parquet_writer(const std::string& path, Header header, Compression compression);
std::unique_ptr<Writer> make_npz_writer(const std::string& path, Header header);
std::unique_ptr<Writer> make_mat_writer(const std::string& path, Header header);

/// Lets a thread of its own do what `writer` does with its rows, in their order, so that the bytes are the same. What it throws
/// is thrown by a later call. @param shape  of its rows
std::unique_ptr<Writer> make_threaded_writer(std::unique_ptr<Writer> writer, RowShape shape);

}  // namespace simbatch::trace::detail
