#pragma once
/// Problems of OpenStreetMap files, XML and PBF.

#include "base/core/diagnostics.hpp"

namespace simbatch::osm::code {

// The text is not XML.
inline constexpr Code kXml{"osm-xml", Severity::error, "the text is not well-formed XML"};
inline constexpr Code kXmlCharacter{"osm-xml-character", Severity::error,
                                    "a byte is not UTF-8, or a character that XML forbids"};
inline constexpr Code kXmlEntity{"osm-xml-entity", Severity::error,
                                 "a reference to a character or entity is broken or not defined"};
inline constexpr Code kXmlAttribute{"osm-xml-attribute", Severity::error, "a tag has the same attribute twice"};
inline constexpr Code kXmlNesting{"osm-xml-nesting", Severity::error, "an end tag does not match the open element"};
inline constexpr Code kXmlTruncated{"osm-xml-truncated", Severity::error, "the text ends before the root element does"};
inline constexpr Code kXmlDepth{"osm-xml-depth", Severity::error, "elements are nested deeper than the limit of 256"};
inline constexpr Code kDoctype{"osm-doctype", Severity::error,
                               "the text has a DOCTYPE, which no OSM file has; entities are not read"};
inline constexpr Code kEncoding{"osm-encoding", Severity::error, "the text is not in UTF-8"};
inline constexpr Code kEmpty{"osm-empty", Severity::error, "the file is empty"};

// It is XML, but not OSM.
inline constexpr Code kRoot{"osm-root", Severity::error, "the root element is not <osm>"};
inline constexpr Code kVersion{"osm-version", Severity::error, "the version of <osm> is neither 0.5 nor 0.6"};
inline constexpr Code kElementPlace{"osm-element-place", Severity::error, "an element in a place where it has no meaning"};
inline constexpr Code kElementUnknown{"osm-element-unknown", Severity::warning,
                                      "elements that OSM files do not have (skipped)"};
inline constexpr Code kText{"osm-text", Severity::warning, "text between elements (skipped)"};
inline constexpr Code kAttributeMissing{"osm-attribute-missing", Severity::error, "a required attribute is absent"};
inline constexpr Code kId{"osm-id", Severity::error, "an id is not a 64-bit number, or 0"};
inline constexpr Code kIdRepeated{"osm-id-repeated", Severity::error, "two objects of the same kind have the same id"};
inline constexpr Code kLatitude{"osm-latitude", Severity::error, "a latitude is not a number within -90 to 90 degrees"};
inline constexpr Code kLongitude{"osm-longitude", Severity::error, "a longitude is not a number within -180 to 180 degrees"};
inline constexpr Code kBounds{"osm-bounds", Severity::error, "bounds are not four ascending numbers within range"};
inline constexpr Code kMemberType{"osm-member-type", Severity::error, "the type of a member is not node, way or relation"};
inline constexpr Code kTagRepeated{"osm-tag-repeated", Severity::warning,
                                   "objects have the same key twice (both tags are kept)"};
inline constexpr Code kRemark{"osm-remark", Severity::warning, "the server remarks that the data are not complete"};
inline constexpr Code kDanglingNode{"osm-dangling-node", Severity::warning,
                                    "ways refer to nodes that the file does not contain"};

// Container and size.
inline constexpr Code kCompression{"osm-compression", Severity::error, "the gzip or bzip2 stream is broken"};
inline constexpr Code kPbf{"osm-pbf", Severity::error, "the PBF file is broken"};
inline constexpr Code kMemory{"osm-memory", Severity::error, "the map exceeds the memory limit"};
inline constexpr Code kConversion{"osm-conversion", Severity::error, "the file cannot be converted to the other type"};

// Reported only on request (ReadOptions::remarks): legal, and often met.
inline constexpr Code kUnsorted{"osm-unsorted", Severity::note,
                                "objects are not in the order of their ids (osmium calls that unordered)"};
inline constexpr Code kBoundsSeveral{"osm-bounds-several", Severity::note, "the file has several bounds"};
inline constexpr Code kBoundsNone{"osm-bounds-none", Severity::note, "the file has no bounds"};
inline constexpr Code kTimestamp{"osm-timestamp", Severity::note,
                                 "time stamps are not of the form 2007-12-13T10:30:45Z (osmium refuses those)"};
inline constexpr Code kDigits{"osm-digits", Severity::note, "coordinates have digits beyond 10^-7 degrees (rounded)"};
inline constexpr Code kDeleted{"osm-deleted", Severity::note, "objects are marked as deleted (left out)"};
inline constexpr Code kDanglingMember{"osm-dangling-member", Severity::note,
                                      "relations refer to members that the file does not contain"};
inline constexpr Code kVersionAbsent{"osm-version-absent", Severity::note,
                                     "objects with a positive id have no version (JOSM refuses those)"};
inline constexpr Code kWayShort{"osm-way-short", Severity::note, "ways have fewer than 2 nodes"};
inline constexpr Code kWayLong{"osm-way-long", Severity::note, "ways have more than 2000 nodes (the limit of 0.6)"};
inline constexpr Code kWayStutter{"osm-way-stutter", Severity::note, "ways have the same node twice in a row"};

inline constexpr const Code* kAll[] = {&kXml,
                                       &kXmlCharacter,
                                       &kXmlEntity,
                                       &kXmlAttribute,
                                       &kXmlNesting,
                                       &kXmlTruncated,
                                       &kXmlDepth,
                                       &kDoctype,
                                       &kEncoding,
                                       &kEmpty,
                                       &kRoot,
                                       &kVersion,
                                       &kElementPlace,
                                       &kElementUnknown,
                                       &kText,
                                       &kAttributeMissing,
                                       &kId,
                                       &kIdRepeated,
                                       &kLatitude,
                                       &kLongitude,
                                       &kBounds,
                                       &kMemberType,
                                       &kTagRepeated,
                                       &kRemark,
                                       &kDanglingNode,
                                       &kCompression,
                                       &kPbf,
                                       &kMemory,
                                       &kConversion,
                                       &kUnsorted,
                                       &kBoundsSeveral,
                                       &kBoundsNone,
                                       &kTimestamp,
                                       &kDigits,
                                       &kDeleted,
                                       &kDanglingMember,
                                       &kVersionAbsent,
                                       &kWayShort,
                                       &kWayLong,
                                       &kWayStutter};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::osm::code
