#pragma once
/// What the two programs that read missions make of a text, line by line: the parser on the vehicle, and the web
/// console.
///
/// The vehicle: a reader of lines with C's sscanf; a line that does not convert as it wants is dropped silently.
/// The console: fields between single blanks, through JavaScript's parseFloat. Measured rules: docs/formats/medusa.md,
/// "Dialects". The specification's reading is read_mission().

#include <string>
#include <string_view>
#include <vector>

#include "formats/medusa/medusa.hpp"

namespace simbatch::medusa {

/// One line as a program takes it.
struct LineReading {
  bool is_section = false;    ///< a section came of it; kind none if the vehicle could not make it out (DEPTH, ALT)
  bool is_primitive = false;  ///< begins like a primitive
  Section section;            ///< without gammas; float fields are rounded to float, as on the vehicle
  std::string reason;         ///< why it is dropped or stuck; empty if all is well
};

/// The vehicle's reading of one line after the reference (FORMATION and BIAS not included).
LineReading vehicle_line(std::string_view line);
/// The console's reading of one line after the reference (FORMATION not included). The line has no blanks at its ends.
/// A field that is not a number there becomes NaN: then `reason` says so.
LineReading console_line(std::string_view line);

/// A text as a program has it in the end.
struct Reading {
  Reader reader = Reader::vehicle;
  bool refused = false;  ///< the whole mission
  std::string refusal;   ///< why
  Reference reference;   ///< zone: console only, the vehicle never reads it
  std::optional<Origin> origin;
  std::vector<Offset> formation;
  bool walker_starts = true;         ///< vehicle: false when FORMATION or BIAS lacks the own id, or there is no section
  std::vector<std::string> remarks;  ///< what happens beside the sections, one clause each
  std::vector<Section> sections;     ///< with the reader's gammas, and shifted by the formation
  struct Dropped {
    std::uint32_t line = 0;
    std::string reason;
  };
  std::vector<Dropped> dropped;  ///< lines meant as sections that came to nothing, or to a stuck section
};

struct EmulateOptions {
  int own_id = 1;      ///< of the vehicle
  Reference previous;  ///< what the vehicle has from the mission before
};

/// Reads `text` as `reader` (console or vehicle) does.
Reading emulate(std::string_view text, Reader reader, const EmulateOptions& options = {});

}  // namespace simbatch::medusa
