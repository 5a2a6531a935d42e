#pragma once
/// The problems of Inventor and VRML files.

#include "base/core/diagnostics.hpp"

namespace simbatch::inventor::code {

inline constexpr Code kHead{"inventor-head", Severity::error,
                            "the first line is not the header of an ASCII Inventor or VRML file"};
inline constexpr Code kVrmlInIv{"inventor-head-suffix", Severity::warning, "a file named .iv contains VRML"};
inline constexpr Code kSyntax{"inventor-syntax", Severity::error, "expected a node or field"};
inline constexpr Code kEnd{"inventor-end", Severity::error, "the file ends inside a node, a list or a string"};
inline constexpr Code kBrace{"inventor-brace", Severity::warning, "a closing brace without an opening one"};
inline constexpr Code kNumber{"inventor-number", Severity::error, "a number is expected"};
inline constexpr Code kIndex{"inventor-index", Severity::error, "a vertex index without a point"};
inline constexpr Code kFace{"inventor-face", Severity::warning, "a face with fewer than three different vertices is dropped"};
inline constexpr Code kUse{"inventor-use-undefined", Severity::error, "USE of a name without a DEF before it"};
inline constexpr Code kUseCycle{"inventor-use-cycle", Severity::error, "USE of a node inside itself"};
inline constexpr Code kDepth{"inventor-depth", Severity::error, "nodes are nested too deeply"};
inline constexpr Code kLimit{"inventor-limit", Severity::error, "the scene grows out of proportion to its file"};
inline constexpr Code kFileMissing{"inventor-file-missing", Severity::warning, "a referenced file does not exist"};
inline constexpr Code kFileCase{"inventor-file-case", Severity::warning,
                                "a referenced file exists only under a name in different case"};
inline constexpr Code kFileOutside{"inventor-file-outside", Severity::warning,
                                   "a reference that leaves the file's folder is not followed"};
inline constexpr Code kFileLoop{"inventor-file-loop", Severity::error, "a file includes itself"};
inline constexpr Code kUnknownNode{"inventor-node-unknown", Severity::warning, "nodes of an unknown type are skipped"};
inline constexpr Code kEmpty{"inventor-empty", Severity::warning, "the file has no triangles"};

inline constexpr const Code* kAll[] = {&kHead,        &kVrmlInIv, &kSyntax,      &kEnd,      &kBrace,       &kNumber,
                                       &kIndex,       &kFace,     &kUse,         &kUseCycle, &kDepth,       &kLimit,
                                       &kFileMissing, &kFileCase, &kFileOutside, &kFileLoop, &kUnknownNode, &kEmpty};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::inventor::code
