#pragma once
/// Diagnostic codes of XML documents in general.

#include "base/core/diagnostics.hpp"

namespace simbatch::xml::code {

inline constexpr Code kSyntax{"xml-syntax", Severity::error, "the document is not well-formed XML"};
inline constexpr Code kEntity{"xml-entity", Severity::error, "the document defines entities, which are not read"};
inline constexpr Code kDepth{"xml-depth", Severity::error, "elements are nested deeper than the limit"};
inline constexpr Code kSize{"xml-size", Severity::error,
                            "the document, its number of elements, or the attribute list of one is larger than the limit"};
inline constexpr Code kRoot{"xml-root", Severity::error, "the root element is not the one that this kind of file has"};
inline constexpr Code kAttributeMissing{"xml-attribute-missing", Severity::error, "a required attribute is absent or empty"};
inline constexpr Code kAttributeUnknown{"xml-attribute-unknown", Severity::error, "an attribute is not known here"};
inline constexpr Code kElementMissing{"xml-element-missing", Severity::error, "a required element is absent"};
inline constexpr Code kElementUnknown{"xml-element-unknown", Severity::error, "an element is not known here"};
inline constexpr Code kElementRepeated{"xml-element-repeated", Severity::error, "duplicate element"};
inline constexpr Code kTextStray{"xml-text-stray", Severity::error, "text where only elements are allowed"};
inline constexpr Code kNumber{"xml-number", Severity::error, "an attribute is not a number"};
inline constexpr Code kNumberRange{"xml-number-range", Severity::error, "a number is outside its range"};
inline constexpr Code kBoolean{"xml-boolean", Severity::error, "an attribute is neither true nor false"};
inline constexpr Code kChoice{"xml-choice", Severity::error, "an attribute is none of the allowed words"};
inline constexpr Code kComment{"xml-comment", Severity::warning,
                               "a comment contains two hyphens, or the XML declaration is not first, which XML forbids"};

inline constexpr const Code* kAll[] = {
    &kSyntax,         &kEntity,         &kDepth,           &kSize,      &kRoot,   &kAttributeMissing, &kAttributeUnknown,
    &kElementMissing, &kElementUnknown, &kElementRepeated, &kTextStray, &kNumber, &kNumberRange,      &kBoolean,
    &kChoice,         &kComment};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::xml::code
