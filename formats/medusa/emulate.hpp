#pragma once
/// Emulates the two programs that read missions, line by line: the parser on the vehicle, and the web console. The vehicle
/// reads lines by C's sscanf; a line with a failed conversion is dropped silently. The console: fields between single blanks,
/// through JavaScript's parseFloat. Measured rules: docs/formats/medusa.md, "Dialects". The specification's reading is
/// read_mission().

#include <string>
#include <string_view>
#include <vector>

#include "formats/medusa/medusa.hpp"

namespace simbatch::medusa {

/// Result of one line in a program.
struct LineReading {
  bool is_section = false;    ///< it yields a section; kind none if the vehicle could not interpret it (DEPTH, ALT)
  bool is_primitive = false;  ///< begins like a primitive
  Section section;            ///< without gammas; float fields are rounded to float, as on the vehicle
  std::string reason;         ///< why it is dropped or stuck; empty if all is well
};

/// The vehicle's reading of one line after the reference (FORMATION and BIAS not included).
LineReading vehicle_line(std::string_view line);
/// The console's reading of one line after the reference (FORMATION not included). The line has no blanks at its ends. A field
/// that is not a number becomes NaN: see `reason`.
LineReading console_line(std::string_view line);

/// Result of a whole text in a program.
struct Reading {
  Reader reader = Reader::vehicle;
  bool refused = false;  ///< the whole mission
  std::string refusal;   ///< why
  Reference reference;   ///< zone: console only, the vehicle never reads it
  std::optional<Origin> origin;
  std::vector<Offset> formation;
  bool walker_starts = true;         ///< vehicle: false when FORMATION or BIAS lacks its own id, or there is no section
  std::vector<std::string> remarks;  ///< other effects, one clause each
  std::vector<Section> sections;     ///< with the reader's gammas, and shifted by the formation
  struct Dropped {
    std::uint32_t line = 0;
    std::string reason;
  };
  std::vector<Dropped> dropped;  ///< lines that look like sections but yield none, or a stuck section
};

struct EmulateOptions {
  int own_id = 1;      ///< of the vehicle
  Reference previous;  ///< the vehicle's state from the previous mission
};

/// Reads `text` like `reader` (console or vehicle).
Reading emulate(std::string_view text, Reader reader, const EmulateOptions& options = {});

}  // namespace simbatch::medusa
