#include "formats/osm/xml_problems.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/core/text.hpp"
#include "formats/osm/codes.hpp"

namespace simbatch::osm::detail {

void XmlProblems::report(const Code& code, const char* at, std::string message) {
  // Diagnostics beyond the limit need no line number.
  const bool kept = diagnostics_.errors() < Diagnostics::kMaxKept;
  diagnostics_.report(code, kept ? position_(at) : Position{}, std::move(message));
}

void XmlProblems::count(Counted& counted, const char* at, std::string example) {
  if (counted.count++ != 0) return;
  counted.first = position_(at);
  counted.example = std::move(example);
}

void XmlProblems::report(const Code& code, const Counted& counted, std::string message) {
  if (counted.count != 0) diagnostics_.report(code, counted.first, std::move(message));
}

void XmlProblems::report_counted(const Document& document, bool remarks) {
  const auto times = [](std::uint64_t n, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", n, n == 1 ? one : many);
  };
  report(
      code::kElementUnknown, unknown,
      fmt::format("{} that OSM files do not have, the first {}", times(unknown.count, "element", "elements"), unknown.example));
  report(code::kText, text,
         fmt::format("text between elements at {}, first {}", times(text.count, "place", "places"), text.example));
  report(code::kTagRepeated, repeated_keys,
         fmt::format("{} repeated within one object, the first {}", times(repeated_keys.count, "key is", "keys are"),
                     repeated_keys.example));
  report(code::kRemark, remark, "the server remarks: " + quoted(remark.example, 160));
  report(code::kDanglingNode, dangling_nodes,
         fmt::format("{} to nodes that the file does not contain",
                     times(dangling_nodes.count, "reference of a way leads", "references of ways lead")));
  if (remarks) report_remarks(document);
}

void XmlProblems::report_remarks(const Document& document) {
  const Model& model = document.model;
  const Facts& facts = document.facts;
  report(code::kUnsorted, unsorted,
         fmt::format("{} not in the order of kinds and ids",
                     unsorted.count == 1 ? "1 object is" : fmt::format("{} objects are", unsorted.count)));
  if (model.bounds.size() > 1)
    diagnostics_.report(code::kBoundsSeveral, second_bounds, fmt::format("the file has {} bounds", model.bounds.size()));
  if (model.bounds.empty()) diagnostics_.report(code::kBoundsNone, {}, "the file has no bounds");
  report(code::kTimestamp, timestamps,
         fmt::format("time stamps of another form than 2007-12-13T10:30:45Z: {}", timestamps.count));
  report(code::kDigits, digits, fmt::format("coordinates with digits beyond 10^-7 degrees, rounded: {}", digits.count));
  const std::uint64_t deleted = facts.deleted[0] + facts.deleted[1] + facts.deleted[2];
  if (deleted != 0) diagnostics_.report(code::kDeleted, {}, fmt::format("objects marked as deleted: {}", deleted));
  const std::uint64_t members = facts.dangling[0] + facts.dangling[1] + facts.dangling[2] - dangling_nodes.count;
  if (members != 0)
    diagnostics_.report(code::kDanglingMember, {},
                        fmt::format("members of relations that the file does not contain: {}", members));
  report(code::kVersionAbsent, versions, fmt::format("objects with a positive id and no version: {}", versions.count));
  report(code::kWayShort, short_ways, fmt::format("ways of fewer than 2 nodes: {}", short_ways.count));
  report(code::kWayLong, long_ways, fmt::format("ways of more than 2000 nodes: {}", long_ways.count));
  report(code::kWayStutter, stutter, fmt::format("the same node twice in a row: {}", stutter.count));
}

}  // namespace simbatch::osm::detail
