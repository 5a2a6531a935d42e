#pragma once
/// Shared by the subcommands of pathparse: sources of missions. Each add_X() is in the file of its name.

#include <optional>
#include <string>

#include "apps/common/command.hpp"
#include "apps/common/reporter.hpp"
#include "base/core/input.hpp"
#include "formats/medusa/medusa.hpp"
#include "lib/mission/georeference.hpp"

namespace simbatch::pathparse {

/// Source of the mission: a file, `-`, or a string on the command line.
struct Source {
  std::string file;
  std::optional<std::string> string;
};
/// Adds FILE and --string; exactly one must be given.
void add_source(cli::Command& command, Source& source);
/// Adds -o: an output that is a mission may replace its input (`in_place`), other outputs may not.
void add_output(cli::Command& command, const Source& source, std::string& output, bool in_place);
/// Adds --zone.
void add_zone(cli::Command& command, std::string& zone);
/// Name of a source in diagnostics.
std::string name_of(const Source& source);

/// The text of a source, and its name for diagnostics. In a string without line breaks, "\n" is converted to line breaks, which
/// are hard to type in a shell.
class Text {
 public:
  explicit Text(const Source& source);
  std::string_view text() const { return input_ ? input_->text() : std::string_view(string_); }
  const std::string& name() const { return name_; }

 private:
  std::optional<Input> input_;
  std::string string_, name_;
};

/// Reads a mission. A file of another kind yields a single error that names the right program.
Parsed<medusa::Mission> read_text(const Text& text);
/// Reads the source's mission by the specification, and shows its problems. Empty if it has errors.
std::optional<medusa::Mission> read(const Source& source, cli::Reporter& reporter);
/// Georeferences it, with `zone` for a reference without one. Shows problems of the zone if `loud`.
std::optional<mission::Georeference> place(const medusa::Mission& mission, const std::string& zone, const std::string& name,
                                           cli::Reporter& reporter, bool loud);

/// False, after an error, if the mission has a FORMATION without this vehicle. True for all vehicles (-1).
bool is_for(const medusa::Mission& mission, int vehicle, const std::string& name, cli::Reporter& reporter);

/// With so many decimals, or (from 10^12 on) with six digits.
std::string decimals_text(double value, int decimals);

void add_validate(cli::Command& program);
void add_show(cli::Command& program);
void add_fmt(cli::Command& program);
void add_formation(cli::Command& program);
void add_export(cli::Command& program);
void add_convert(cli::Command& program);
void add_walk(cli::Command& program);

}  // namespace simbatch::pathparse
