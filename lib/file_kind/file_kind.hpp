#pragma once
/// What a file is that was given in place of another, told from its content alone: so that a message can name it and the next step.

#include <optional>
#include <string>
#include <string_view>

#include "base/core/diagnostics.hpp"

namespace simbatch::file_kind {

/// What a file is to be for simrun.
enum class Purpose { scenario, network, trace, recording };

/// A kind of file that can be told by its content.
struct FileKind {
  std::string_view name;                          ///< with its article, as "an RNDF, a road network"
  std::string_view use;                           ///< what to do with it: FILE stands for its name
  std::optional<Purpose> purpose = std::nullopt;  ///< the place where it is right
};

/// The kind of a file's first bytes; nullptr: none that is known. Looks at no more than 64 KiB. Files that scenario, network or trace
/// can be are told from all others, but whether they are sound is their readers' business.
const FileKind* kind_of(std::string_view text);

/// An error, and a note with the next step, if a file is known to be of another kind than its place asks for.
/// @param file  as the user named it
/// @return false: nothing is known against it, its reader shall say what is wrong
bool report_other_kind(std::string_view text, const std::string& file, Purpose wanted, Diagnostics& problems);

/// True for a GraspIt! world, as text or XML.
bool is_grasp_world(std::string_view text);
/// True if the text begins as XML does, in whatever encoding.
bool is_xml(std::string_view text);
/// An error for what is given as a scenario and neither XML nor of a kind that is known, or empty.
void report_unknown_kind(std::string_view text, const std::string& file, Diagnostics& problems);
/// An error if this is a folder that holds a trace or a scenario. @return false: it is not
bool report_folder(const std::string& folder, Diagnostics& problems);

}  // namespace simbatch::file_kind
