#pragma once
/// Which memory is which mapped file, so that a fault there can name the file: another program may truncate a file while we
/// read it.

#include <cstddef>
#include <string_view>

namespace simbatch {

/// Enters a mapping. 64 are known at a time; faults in further ones name no file.
/// @param file  longer names are kept up to 512 bytes
void note_mapping(const void* begin, std::size_t bytes, std::string_view file) noexcept;
/// Removes the mapping that begins here, before its memory is released.
void forget_mapping(const void* begin) noexcept;
/// The file that is mapped at an address; empty if none is known to be. Safe in signal handlers. The text lives as long as the
/// mapping.
std::string_view mapped_file_at(const void* address) noexcept;

}  // namespace simbatch
