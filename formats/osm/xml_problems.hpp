#pragma once
/// Problems of an OSM XML text: those reported one by one, and those that are counted and reported once, at the end.

#include <cstdint>
#include <string>

#include "base/core/diagnostics.hpp"
#include "formats/osm/document.hpp"
#include "formats/osm/text_position.hpp"

namespace simbatch::osm::detail {

/// A problem that is reported once, with a count and its first place.
struct Counted {
  std::uint64_t count = 0;
  Position first;
  std::string example;
};

class XmlProblems {
 public:
  XmlProblems(Diagnostics& diagnostics, TextPosition& position) : diagnostics_(diagnostics), position_(position) {}

  void report(const Code& code, const char* at, std::string message);
  void report(const Code& code, Position at, std::string message) { diagnostics_.report(code, at, std::move(message)); }
  void count(Counted& counted, const char* at, std::string example = {});
  /// The same for a known position.
  static void count(Counted& counted, Position at) {
    if (counted.count++ == 0) counted.first = at;
  }
  /// None of the problems that are counted in any case, dangling references apart.
  bool none_counted() const { return unknown.count + text.count + repeated_keys.count + remark.count == 0; }
  /// Reports the counted problems. @param remarks  includes those of ReadOptions::remarks
  void report_counted(const Document& document, bool remarks);

  Counted unknown, text, repeated_keys, remark, dangling_nodes;
  // Counted if remarks were requested:
  Counted unsorted, timestamps, digits, versions, short_ways, long_ways, stutter;
  Position second_bounds;

 private:
  void report(const Code& code, const Counted& counted, std::string message);
  void report_remarks(const Document& document);

  Diagnostics& diagnostics_;
  TextPosition& position_;
};

}  // namespace simbatch::osm::detail
