#pragma once
/// What the subcommands of pathparse share: where a mission comes from, and how a subcommand is added.

#include <optional>
#include <string>

#include "apps/common/cli.hpp"
#include "base/core/input.hpp"
#include "formats/medusa/medusa.hpp"
#include "lib/mission/georeference.hpp"

namespace CLI {
class App;
}

namespace simbatch::pathparse {

/// Where the mission comes from: a file, `-`, or a string on the command line.
struct Source {
  std::string file;
  std::string string;
  bool has_string = false;
};
/// Adds FILE and --string; exactly one must be given.
void add_source(CLI::App& app, Source& source);

/// The text of a source, and its name for diagnostics. A string without line break but with "\n" in it has those turned
/// into line breaks: shells make the former hard to type.
class Text {
 public:
  explicit Text(const Source& source);
  std::string_view text() const { return input_ ? input_->text() : std::string_view(string_); }
  const std::string& name() const { return name_; }

 private:
  std::optional<Input> input_;
  std::string string_, name_;
};

/// What a subcommand does; set by its callback, called once.
using Run = std::function<cli::ExitCode()>;

/// Reads the source's mission in the specification's reading, shows its problems. Empty if it has errors.
std::optional<medusa::Mission> read(const Source& source, cli::Reporter& reporter, bool even_with_errors = false);
/// Places it, with `zone` for a reference that names none. Shows what is odd about the zone if `loud`.
std::optional<mission::Georeference> place(const medusa::Mission& mission, const std::string& zone, const std::string& name,
                                           cli::Reporter& reporter, bool loud);

void add_validate(CLI::App& app, cli::Common& common, Run& run);
void add_show(CLI::App& app, cli::Common& common, Run& run);
void add_fmt(CLI::App& app, cli::Common& common, Run& run);
void add_formation(CLI::App& app, cli::Common& common, Run& run);
void add_export(CLI::App& app, cli::Common& common, Run& run);
void add_convert(CLI::App& app, cli::Common& common, Run& run);
void add_walk(CLI::App& app, cli::Common& common, Run& run);

}  // namespace simbatch::pathparse
