#pragma once
#include "base/core/diagnostics.hpp"

/// Codes of the mission reader. "lost by vehicle" in a meaning: an error when checking for the vehicle, else a
/// warning. Codes of geometry and geography are in lib/mission/codes.hpp.
namespace simbatch::medusa::code {

inline constexpr Code kEncoding{"mission-encoding", Severity::warning, "a byte order mark or NUL byte; lost by vehicle"};
inline constexpr Code kEmpty{"mission-empty", Severity::warning, "the mission has no sections"};
inline constexpr Code kVersion{"mission-version", Severity::error, "the version line is absent or not a version known here"};
inline constexpr Code kVersionOld{"mission-version-old", Severity::warning,
                                  "version 2 or 5, which the vehicle rejects entirely; lost by vehicle"};
inline constexpr Code kBlankVersion{"mission-blank-before-version", Severity::warning,
                                    "a blank line before the version; lost by vehicle"};
inline constexpr Code kBlankReference{"mission-blank-before-reference", Severity::warning,
                                      "a blank line before the reference, which the vehicle then ignores; lost by vehicle"};
inline constexpr Code kReferenceMissing{"mission-reference-missing", Severity::error, "there is no reference line"};
inline constexpr Code kReference{"mission-reference", Severity::error, "the reference line does not begin with two numbers"};
inline constexpr Code kOrigin{"mission-origin", Severity::error,
                              "a version 5 origin or translation is not two numbers in range"};
inline constexpr Code kKeyword{"mission-keyword", Severity::error, "a line does not begin with a known keyword"};
inline constexpr Code kKeywordCase{"mission-keyword-case", Severity::warning,
                                   "a keyword is not in upper case; lost by vehicle and console"};
inline constexpr Code kIndent{"mission-keyword-indent", Severity::warning, "blanks before a keyword; lost by vehicle"};
inline constexpr Code kCommentIndent{"mission-comment-indent", Severity::warning,
                                     "blanks before '#': the programs do not take this as a comment"};
inline constexpr Code kFused{"mission-keyword-fused", Severity::warning,
                             "no blank between a keyword and its first number; lost by console"};
inline constexpr Code kSeparator{"mission-separator", Severity::warning,
                                 "fields are not separated by one blank each; lost by console"};
inline constexpr Code kFields{"mission-fields", Severity::error, "a line has too few fields"};
inline constexpr Code kNumber{"mission-number", Severity::error, "a field is not a number"};
inline constexpr Code kNumberDots{"mission-number-dots", Severity::error,
                                  "two dots in a number: the vehicle reads two numbers and shifts the fields after it"};
inline constexpr Code kNumberComma{"mission-number-comma", Severity::error, "a comma in a number or between fields"};
inline constexpr Code kNumberRange{"mission-number-range", Severity::error,
                                   "a number is too large, not finite, or hexadecimal"};
inline constexpr Code kVehicle{"mission-vehicle", Severity::error, "a vehicle id is neither -1 nor a number from 0 up"};
inline constexpr Code kVehicleFloat{
    "mission-vehicle-float", Severity::warning,
    "a vehicle id with a decimal point: the vehicle takes the rest of it as a gamma; lost by vehicle"};
inline constexpr Code kDirection{"mission-direction", Severity::error, "an arc's direction is neither -1 nor 1"};
inline constexpr Code kDirectionFloat{
    "mission-direction-float", Severity::warning,
    "an arc's direction with a decimal point: the vehicle takes the rest of it as the radius; lost by vehicle"};
inline constexpr Code kGamma{"mission-gamma-column", Severity::warning,
                             "a LINE or ARC with the documented gamma field; lost by vehicle"};
inline constexpr Code kDiffers{"mission-reading-differs", Severity::warning,
                               "the vehicle keeps the section with other values than written; lost by vehicle"};
inline constexpr Code kDepthFields{"mission-depth-fields", Severity::warning,
                                   "DEPTH or ALT without vehicle id: the vehicle waits there indefinitely; lost by vehicle"};
inline constexpr Code kDepthConsole{"mission-depth-console", Severity::note,
                                    "the console does not know DEPTH, ALT and BIAS: load and save loses them; lost by console"};
inline constexpr Code kFormationCount{"mission-formation-count", Severity::error,
                                      "FORMATION or BIAS is not a list of id, x, y"};
inline constexpr Code kFormationBlank{"mission-formation-blank", Severity::warning,
                                      "two blanks in FORMATION or BIAS end the vehicle's list there; lost by vehicle"};
inline constexpr Code kFormationDuplicate{"mission-formation-duplicate", Severity::error,
                                          "duplicate vehicle in FORMATION or BIAS"};
inline constexpr Code kFormationLate{"mission-formation-late", Severity::warning, "FORMATION follows sections"};

inline constexpr const Code* kAll[] = {&kEncoding,
                                       &kEmpty,
                                       &kVersion,
                                       &kVersionOld,
                                       &kBlankVersion,
                                       &kBlankReference,
                                       &kReferenceMissing,
                                       &kReference,
                                       &kOrigin,
                                       &kKeyword,
                                       &kKeywordCase,
                                       &kIndent,
                                       &kCommentIndent,
                                       &kFused,
                                       &kSeparator,
                                       &kFields,
                                       &kNumber,
                                       &kNumberDots,
                                       &kNumberComma,
                                       &kNumberRange,
                                       &kVehicle,
                                       &kVehicleFloat,
                                       &kDirection,
                                       &kDirectionFloat,
                                       &kGamma,
                                       &kDiffers,
                                       &kDepthFields,
                                       &kDepthConsole,
                                       &kFormationCount,
                                       &kFormationBlank,
                                       &kFormationDuplicate,
                                       &kFormationLate};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::medusa::code
