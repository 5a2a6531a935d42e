#pragma once
/// Writers of traces: rows are added one by one, in the order of steps.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/trace/trace.hpp"

namespace simbatch::trace {

enum class Format {
  json,     ///< one document, one column per field; written at the end, complete or not at all
  ndjson,   ///< a line for each step, flushed: may be read while running; a complete one ends in a line {"end":...}
  csv,      ///< a folder with a table for each device and trace.json; complete or not at all
  wide,     ///< one CSV table with a column for each field and unit; complete or not at all; cannot be read back
  mcap,     ///< messages for Foxglove, Rerun, PlotJuggler; written in chunks: a killed run leaves those that were whole
  parquet,  ///< one table with a column for each field, in bounded memory; complete or not at all
  npz,      ///< NumPy arrays, one for each field; complete or not at all; cannot be read back
  mat,      ///< variables of MATLAB, level 5, nested by the dots of the names; complete or not at all; cannot be read back
};
inline constexpr Format kFormats[] = {Format::json, Format::ndjson,  Format::csv, Format::wide,
                                      Format::mcap, Format::parquet, Format::npz, Format::mat};
std::string_view to_text(Format format);
std::optional<Format> format_named(std::string_view name);
/// By suffix: .json; .ndjson or .jsonl; .wide.csv; .mcap; .parquet; .npz; .mat; anything without a suffix or with .csv is a
/// folder of tables. JSON, NDJSON and wide tables may be compressed: .json.gz, .json.zst, .csv.gz ... Empty otherwise.
std::optional<Format> format_of(std::string_view path);

/// Makes texts of rows: appends that of text field number `text` (of those in the header's order) of a row with these numbers.
/// Depends on nothing else, so that it may be called later, and by another thread.
using TextMaker = std::function<void(std::span<const double> numbers, std::size_t text, std::string& out)>;

/// Numbers must be finite (std::invalid_argument). All members throw IoError when the output cannot be written.
class Writer {
 public:
  Writer() = default;
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  virtual ~Writer();  ///< without finish(): NDJSON and MCAP leave a trace without its end, the others nothing
  /// @param numbers  values of all fields that are not text, in the header's order
  /// @param texts    values of all text fields, in the header's order
  virtual void row(std::int64_t step, std::span<const double> numbers, std::span<const std::string_view> texts) = 0;
  virtual void hash(HashPoint point) = 0;
  virtual void finish(const End& end) = 0;
  /// True if rows are written as they come (NDJSON, MCAP): such a trace is worth an end even when its run fails.
  virtual bool streams() const { return false; }
  /// Before the first row: all rows come without their texts (an empty span), which are made of their numbers when they are
  /// written.
  /// @return false if this writer has no thread for that, and wants them with the rows
  virtual bool make_texts(const TextMaker& maker);
};

/// When an NDJSON file shows its lines, and an MCAP file its chunks: with each of them, for runs, or all at once, complete or
/// not at all.
enum class Lines { at_once, at_the_end };

/// Of what MCAP and Parquet files contain; the others have no choice.
enum class Compression { zstd, none };

/// Opens the output, so that one that cannot be written is found before a run.
/// @param path  `-` is standard output (not for CSV). A CSV folder must be absent, empty, or a trace written before.
std::unique_ptr<Writer> make_writer(Format format, const std::string& path, Header header, Lines lines = Lines::at_once,
                                    Compression compression = Compression::zstd);

/// A frame that an MCAP file has besides those of the devices with poses; one that is called like such a device is left out.
struct FrameMotion {
  std::string name;
  std::string parent;  ///< "world", a device with a pose, or one of these before it; else the frame is left out
  /// Of each row, in the parent: x y z (m) qw qx qy qz; beyond the last: that. Never empty.
  std::vector<std::array<double, 7>> poses;
};
/// Something to see that an MCAP file shows in 3D (foxglove.SceneUpdate). Left out if its frame is not in the file.
struct SceneModel {
  std::string id;                                 ///< unique
  std::string frame;                              ///< "world", a device with a pose, or a FrameMotion
  std::string glb;                                ///< binary glTF
  std::array<double, 3> position = {};            ///< in the frame: x right, y up, z forward; m
  std::array<double, 4> rotation = {1, 0, 0, 0};  ///< w x y z
};
/// Rays of a sensor that an MCAP file shows where they end: a fan of equal angles as foxglove.LaserScan, others as
/// foxglove.PointCloud.
struct ScanModel {
  std::string device;                             ///< its first numbers are the distances, one for each direction; m
  std::string frame;                              ///< as that of a SceneModel; left out without it
  std::array<double, 3> position = {};            ///< in the frame: x right, y up, z forward; m
  std::vector<std::array<double, 3>> directions;  ///< likewise, of length 1
  double far = 0;                                 ///< m: such a distance, or a longer one, means that nothing was met
  double half_angle = 0;                          ///< rad: the last ray is at -half_angle, the first at half_angle; 0: no fan
  std::array<double, 4> fan_rotation = {1, 0, 0,
                                        0};  ///< w x y z, with z up and y to the left: of the fan's x-y plane in the frame
};

/// A line that an MCAP file shows, in 3D and on maps.
struct PathModel {
  std::string id;                             ///< unique
  std::vector<std::array<double, 3>> points;  ///< in the world: x right, y up, z forward; m
  std::array<double, 3> color = {1, 1, 1};    ///< red, green, blue, 0..1
};

/// A camera's picture.
struct Picture {
  std::string camera;  ///< device
  std::string png;     ///< file
};
/// A camera without distortion (foxglove.CameraCalibration).
struct CameraModel {
  std::string camera;  ///< device
  std::uint32_t width = 0, height = 0;
  double field_of_view = 0;  ///< vertical, rad
};

/// What an MCAP file shows besides the values.
struct McapSights {
  std::vector<FrameMotion> frames = {};
  std::vector<SceneModel> scene = {};
  std::vector<PathModel> paths = {};
  std::string geojson = {};  ///< the paths on a map; empty: none
  std::vector<ScanModel> scans = {};
  std::vector<std::string> cameras = {};  ///< devices of which there are pictures
  /// Those of a row's step, by any thread. @throws IoError
  std::function<std::vector<Picture>(std::int64_t step)> pictures = {};
  std::vector<CameraModel> calibrations = {};  ///< of `cameras`
};
/// An MCAP file that also shows these.
std::unique_ptr<Writer> make_mcap_writer(const std::string& path, Header header, Lines lines, McapSights sights,
                                         Compression compression = Compression::zstd);

/// A whole trace to a writer. A trace without an end is written with an "interrupted" one.
void write_trace(const Trace& trace, Writer& writer);

/// The JSON document of a trace.
std::string to_json(const Trace& trace);

}  // namespace simbatch::trace
