#pragma once
/// Options shared by several subcommands of simrun, and the types of option values.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "apps/common/command.hpp"
#include "apps/simrun/simrun.hpp"
#include "base/geo/pose.hpp"
#include "formats/trace/write.hpp"

namespace simbatch::simrun {

inline constexpr double kMaxSteps = 4503599627370496;  ///< 2^52

struct PixelSize {
  int width, height;
};
/// "640x480", 1..8192 each.
std::optional<PixelSize> read_pixel_size(std::string_view text);
inline constexpr const char* kPixelSizeForm = "WxH of 1 to 8192 pixels each";

/// "1,2.5,-3", each less than 1e7 in magnitude.
std::optional<geo::Vec3> read_point(std::string_view text);
inline constexpr const char* kPointForm = "three numbers X,Y,Z";

inline constexpr double kMaxSeconds = 1e9;  ///< of a run: 31 years
/// A moment of a run: a step, or a time.
struct Moment {
  std::int64_t step = 0;
  std::optional<double> seconds = {};  ///< instead of `step`
  /// The nearest step. @param dt  s
  std::int64_t step_at(double dt) const;
};
/// "600", or "3s" and "0.25 s".
std::optional<Moment> read_moment(std::string_view text);
inline constexpr const char* kMomentForm = "a step like 600, or a time like 3s";
/// The number of steps nearest to a time (s), at most kMaxSteps.
std::int64_t steps_in(double seconds, double dt);

/// "ROBOT=VALUE", neither part empty.
std::optional<std::pair<std::string, std::string>> read_pair(std::string_view text);

/// --root, --graspit-root, --rndf and --set.
void add_file_options(cli::Command& command, ScenarioFiles& files);
void add_rndf_option(cli::Command& command, std::string& rndf, std::string help);
void add_root_option(cli::Command& command, std::string& root);
/// --program, --controller, --isolate, --program-timeout.
/// True if this is what --controller takes: a command, or an address that can be read.
bool is_controller(std::string_view text);
void add_program_options(cli::Command& command, ProgramOptions& programs);
/// The options that repeat these, for a command line of a shell; each begins with a space.
std::string file_words(const ScenarioFiles& files);
std::string program_words(const ProgramOptions& programs);
/// --dt and --seed, which replace the scenario's.
void add_clock_options(cli::Command& command, std::optional<double>& dt, std::optional<std::uint64_t>& seed);
/// --devices of a command that reads a trace.
void add_devices_option(cli::Command& command, std::vector<std::string>& patterns);
/// --format and --compression of a trace.
void add_format_options(cli::Command& command, std::string& format, std::string& compression);
/// Outputs that are made of a trace, by the suffix of the file: an animated scene (.glb), GPS tracks (.gpx).
bool is_scene(std::string_view path);
bool is_gps_file(std::string_view path);
/// Reason why a trace cannot be written to `path`, or empty. @param option  the option that names the path, for the message
std::string trace_problem(const std::string& format, const std::string& path, const std::string& option);
/// Reason why --compression cannot be used for this trace, or empty. @pre trace_problem() is empty
std::string compression_problem(const std::string& compression, const std::string& format, const std::string& path);
/// @pre compression_problem() is empty
trace::Compression trace_compression(const std::string& compression);
/// The format to write to `path`. @pre trace_problem() is empty
trace::Format trace_format(const std::string& format, const std::string& path);

}  // namespace simbatch::simrun
