#pragma once
/// What the subcommands of objconv share.
///
/// A group of subcommands is one .cpp with a function `void add_NAME(CLI::App&, Session&)` that adds them; its line stands in
/// the table of main.cpp. A file format joins `check`, `info` and `fmt` by a FileKind in the other table.

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/common/cli.hpp"
#include "base/core/diagnostics.hpp"
#include "base/core/input.hpp"
#include "lib/traffic/network.hpp"

namespace CLI {
class App;
}

namespace simbatch::objconv {

struct Session;

/// One line of `info`: a key and a value, which is shown as it is, and in JSON as a number if it is one.
struct Fact {
  std::string key;
  std::string value;
  bool is_number = false;
};
Fact fact(std::string key, std::string value);
Fact fact(std::string key, std::size_t value);
Fact fact(std::string key, double value);

/// A kind of file that `check`, `info` and `fmt` know.
struct FileKind {
  std::string_view name;     ///< for --from, as "object1"
  std::string_view meaning;  ///< one line
  /// True if a file is of this kind, by its name's suffix or its first bytes.
  bool (*claims)(std::string_view file_name, std::string_view text);
  /// Reports everything that is wrong.
  void (*check)(std::string_view text, const std::string& file, Session& session, Diagnostics& diagnostics);
  /// Null: `info` does not know this kind.
  std::vector<Fact> (*info)(std::string_view text, const std::string& file, Session& session, Diagnostics& diagnostics);
  /// The canonical text, empty when there are errors. Null: there is no canonical form.
  std::optional<std::string> (*format)(std::string_view text, const std::string& file, Session& session,
                                       Diagnostics& diagnostics);
};

/// Options of the subcommands for GraspIt! files, as they were given.
struct GraspSettings {
  std::string mass, material, cog, inertia, youngs;  ///< body set
  std::string dof;                                   ///< pose, render: --dof
  std::string size, view;                            ///< render
};

/// Options of the chosen subcommand (only one is ever chosen, so that all share one set), and what it will do.
struct Session {
  cli::Common common;
  std::vector<std::string> inputs;
  std::string output = "-";
  std::string out_dir;                                ///< --out-dir: one output for each input
  unsigned jobs = 1;                                  ///< --jobs
  std::string report;                                 ///< --report: JSON list of losses
  std::string from;                                   ///< --from: a FileKind's name
  std::string rndf;                                   ///< --rndf
  bool json = false;                                  ///< --json
  bool lossy = false;                                 ///< --lossy
  bool keep_extras = false;                           ///< --keep-extras
  std::string name;                                   ///< --name
  std::string cbconf, cbbotname;                      ///< --cbconf, --cbbotname
  std::string reading = "forgiving";                  ///< --as
  std::string graspit_root;                           ///< --graspit-root
  std::string bare_unit = "mm";                       ///< --bare-unit
  std::string to;                                     ///< --to: a suffix without its point
  std::string mesh_format = "stl", mesh_unit = "mm";  ///< --mesh-format, --mesh-unit
  GraspSettings grasp;
  std::span<const FileKind* const> kinds;
  std::shared_ptr<const traffic::Network> network;  ///< of --rndf; null without the option or if it has errors
  Diagnostics shared;                     ///< of files that all inputs share (--rndf); with errors in them nothing is converted
  std::function<cli::ExitCode()> action;  ///< set by the chosen subcommand
};

/// Subcommand with `INPUT...`, `-o`, `--out-dir`, `--jobs`, `--report`; `run` is what it does after parsing.
CLI::App* add_conversion(CLI::App& app, Session& session, const char* name, const char* meaning,
                         std::function<cli::ExitCode()> run);
/// Subcommand with `INPUT...` only.
CLI::App* add_reading(CLI::App& app, Session& session, const char* name, const char* meaning,
                      std::function<cli::ExitCode()> run);
/// The option --report; write_report() writes what it asks for: the losses among these diagnostics.
void add_report_option(CLI::App* command, Session& session);
void write_report(const Session& session, std::span<const Diagnostics* const> all);
/// The option --rndf, required or not.
void add_rndf_option(CLI::App* command, Session& session, bool required);

using Sink = std::function<void(std::string_view)>;
/// Converts one input; what goes into the sink becomes the output if there is no error.
using Convert = std::function<Diagnostics(const Input& input, const Sink& sink)>;

/// Converts all inputs, on --jobs threads; each output appears whole or not at all. Diagnostics come in the order of the
/// inputs, then, for several inputs, one summary line. Exit code: 3 if a file could not be read or written, else 1 if an
/// input has errors, else 0.
/// @param suffix  of outputs in --out-dir, as ".xml"
cli::ExitCode run_batch(Session& session, std::string_view suffix, const Convert& convert);

/// As run_batch, without outputs: what goes into the sink is printed in the order of the inputs.
cli::ExitCode run_check(Session& session, const Convert& check);

/// The kind of an input: --from, or the first that claims it. Reports if there is none.
const FileKind* kind_of(const Session& session, const Input& input, Diagnostics& diagnostics);

/// Reads the road network of --rndf into session.network, once for all inputs; its problems go to session.shared.
/// @throws IoError
void load_network(Session& session);

/// "dir/town.obj" -> "town"; standard input -> "stdin".
std::string stem_of(const std::string& file);

/// What `check`, `info` and `fmt` do, over session.inputs.
cli::ExitCode check_files(Session& session);
cli::ExitCode info_files(Session& session);
cli::ExitCode format_files(Session& session);

// The tables' entries.
void add_files(CLI::App& app, Session& session);          // check, info, fmt
void add_cajunbot(CLI::App& app, Session& session);       // v1-to-v2, v2-to-v1
void add_rndf(CLI::App& app, Session& session);           // rndf, mdf
void add_maps(CLI::App& app, Session& session);           // resolve, to-geojson, to-kml, to-svg, to-scenario, to-sdf
void add_grasp_convert(CLI::App& app, Session& session);  // convert
void add_grasp_tools(CLI::App& app, Session& session);    // body set, pose, render
std::span<const FileKind> autosim_kinds();
std::span<const FileKind> grasp_kinds();
std::span<const FileKind> cajunbot_kinds();
std::span<const FileKind> rndf_kinds();

}  // namespace simbatch::objconv
