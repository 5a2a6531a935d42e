#pragma once
/// The state of one reading of a mission: header lines first (version, then reference or origin), then one primitive per line.
/// read_header.cpp takes the lines and reads the header, read_sections.cpp the primitives; read_outcomes.cpp determines the
/// outcome of a line on the vehicle and in the console.

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "formats/medusa/fields.hpp"
#include "formats/medusa/medusa.hpp"

namespace simbatch::medusa::detail {

class MissionScanner {
 public:
  MissionScanner(const ReadOptions& options, const std::string& file, MissionSink& sink)
      : options_(options), diagnostics_(file), sink_(sink) {}
  Diagnostics run(std::string_view text);

 private:
  /// Reports a problem tolerated by this reader; an error if the audience does not tolerate it.
  void lossy(const Code& code, Position at, std::string message, bool by_vehicle, bool by_console);
  void error(const Code& code, Position at, std::string message);
  std::int64_t comment_place() const;
  void take(std::string_view raw, std::uint32_t number);
  void comment(std::string_view text);
  void blank();
  void version(std::string_view line, std::string_view content);
  void reference(std::string_view raw, std::string_view line);
  void origin(std::string_view line);
  void translation(std::string_view line);
  void body(std::string_view raw, std::string_view line);
  static Kind kind_of(std::string_view word);
  void odd_keyword(std::string_view raw, std::string_view line, std::size_t start, std::size_t end, Position at);
  /// Outcomes in the other programs of a line that is not plain.
  ReaderOutcome outcome_elsewhere(std::string_view line) const;
  void lost(std::string_view line) { sink_.lost(line_, outcome_elsewhere(line)); }
  void bad_number(const Field& field, const Fields& fields, std::string_view what);
  void section(std::string_view line, std::size_t keyword_end, Kind kind);
  static Fields fields_behind(std::string_view line, std::size_t keyword_end) { return Fields(line.substr(keyword_end)); }
  Position place(std::string_view line, std::string_view part) const {
    return {line_, static_cast<std::uint32_t>(part.data() - line.data()) + 1};
  }
  void field_error(const Field& field, std::string_view line, std::string_view what) { bad_number(field, Fields(line), what); }
  void direction(double value, std::string_view text, bool dotted, std::string_view line);
  /// Reads the text after the required fields. @return true if that is empty, or a plain vehicle id
  bool tail(Kind kind, std::string_view line, Fields& walk);
  /// Like outcome_elsewhere, for a section parsed here; reports the difference if nothing was reported yet.
  ReaderOutcome odd_line(std::string_view line);
  /// Compares fields that are doubles on the vehicle exactly, and fields that are floats there as floats.
  static bool differs(const Section& a, const Section& b);
  void offsets(std::string_view raw, std::string_view list, bool is_bias);

  const ReadOptions& options_;
  Diagnostics diagnostics_;
  MissionSink& sink_;
  Section section_;
  Origin origin_;
  std::set<std::int32_t> ids_[2];
  enum class Stage { version, reference, translation, body };
  Stage stage_ = Stage::version;
  std::uint32_t line_ = 0;
  std::size_t index_ = 0;  // sections so far
  int version_ = 3;
  bool reported_ = false;  // something was reported at this line
  bool blank_reported_ = false, late_reported_ = false, origin_ok_ = false, seen_formation_ = false;
  bool refused_by_vehicle_ = false, refused_by_console_ = false;
};

}  // namespace simbatch::medusa::detail
