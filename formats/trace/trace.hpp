#pragma once
/// Traces of simulation runs: the values of all devices at every step (docs/formats/trace.md).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace simbatch::trace {

inline constexpr std::string_view kSchema = "simbatch-trace-1";
inline constexpr std::int64_t kMaxSteps = std::int64_t{1} << 53;  ///< of a run: the numbers that JSON readers keep

enum class FieldType {
  number,
  integer,  ///< a whole number within +-2^53
  text,
};
std::string_view to_text(FieldType type);

/// One value of a device.
struct Field {
  std::string name;   ///< unique in its device
  std::string unit;   ///< SI, "deg" for geographic angles, "1" for pure numbers, "" for text
  std::string frame;  ///< "W" world, "B" body, "G" geographic, "" where none applies
  FieldType type = FieldType::number;
  friend bool operator==(const Field&, const Field&) = default;
};

/// A node of the simulation tree that has values.
struct Device {
  std::string name;  ///< fully qualified: "impreza.chassis.psd0"; unique
  std::string kind;  ///< "PSDSensor"
  std::vector<Field> fields;
  friend bool operator==(const Device&, const Device&) = default;
};

/// A file that the run depends on.
struct InputFile {
  std::string name;    ///< relative to the scenario's folder
  std::string digest;  ///< XXH3-64 of its bytes, 16 hexadecimal digits
  friend bool operator==(const InputFile&, const InputFile&) = default;
};

/// A value that was set from outside while the run went on (docs/formats/script.md).
struct ScriptSetting {
  std::int64_t step = 0;  ///< before which it took effect: so many steps were done
  std::string device;     ///< fully qualified
  std::string input;      ///< field of the device
  double value = 0;       ///< as it was asked for, finite; the device brings it into its range
  friend bool operator==(const ScriptSetting&, const ScriptSetting&) = default;
};

/// A value of a file that was replaced for the run (`simrun --set`).
struct FileChange {
  std::string at;     ///< where: "impreza.chassis.Mass"
  std::string value;  ///< instead of what the file has
  friend bool operator==(const FileChange&, const FileChange&) = default;
};

/// What a run was made of: everything needed to run it again, and to explain a difference.
struct Header {
  std::string generator;  ///< "simbatch 0.1.0"
  std::string scenario;   ///< name of the scenario file, without its folder
  std::uint64_t seed = 0;
  double dt = 0;                ///< s
  std::int64_t steps = 0;       ///< requested
  std::int64_t every = 1;       ///< steps per row, from step 0 on
  std::int64_t hash_every = 0;  ///< steps per state hash, from step 0 on; 0: none
  std::string engine;           ///< physics engine with its settings
  std::string mathematics;      ///< fingerprint of the math library: equal where sin, exp, ... return the same bits
  std::string float_mode;       ///< rounding and denormal mode, "round-to-nearest" when as it should be, else the control words
  std::vector<InputFile> inputs;
  std::vector<FileChange> settings = {};   ///< in the order of their making; empty: the inputs are as their files are
  std::vector<ScriptSetting> script = {};  ///< by step; empty: nothing was set from outside
  std::vector<Device> devices;             ///< in the order of the columns
  friend bool operator==(const Header&, const Header&) = default;
};

struct HashPoint {
  std::int64_t step = 0;
  std::uint64_t hash = 0;  ///< folded over all steps up to this one
  friend bool operator==(const HashPoint&, const HashPoint&) = default;
};

/// Result of an expectation (docs/expectations.md).
struct ExpectationOutcome {
  std::string name, text;
  std::string verdict;           ///< "holds", "fails" or "undecided"
  std::optional<double> margin;  ///< in `unit`; absent: an event decides, or there was nothing to check
  std::string unit;
  std::optional<std::int64_t> step;     ///< at which the margin is smallest
  double time = 0;                      ///< s, of that step
  std::string condition;                ///< the deciding comparison or event; empty without a step
  std::optional<double> left, right;    ///< the sides of the comparison in that step; absent: an event, or not finite
  std::optional<std::int64_t> decided;  ///< the step after which the verdict is final; absent: decided at the end
  friend bool operator==(const ExpectationOutcome&, const ExpectationOutcome&) = default;
};

/// Collisions of a robot with something else, of one pair of bodies.
struct Collision {
  std::string robot;       ///< body of the robot: "impreza.chassis"
  std::string with;        ///< the other body: "wall"
  std::int64_t step = 0;   ///< of the first one
  double time = 0;         ///< s, of that step
  double speed = 0;        ///< m/s at which they approached each other then
  std::int64_t count = 1;  ///< how often they collided
  double fastest = 0;      ///< m/s, of all of them
  friend bool operator==(const Collision&, const Collision&) = default;
};

/// How a run ended.
struct End {
  std::string outcome = "complete";  ///< "complete", "failed" or "interrupted"
  std::string message;               ///< of a failed run
  std::int64_t steps = 0;            ///< done
  double time = 0;                   ///< s
  std::uint64_t state_hash = 0;
  std::vector<ExpectationOutcome> expectations = {};
  std::vector<Collision> collisions = {};  ///< in the order of their first steps
  friend bool operator==(const End&, const End&) = default;
};

/// The values of a field in all rows: numbers or texts, by the field's type.
struct Column {
  std::vector<double> numbers;
  std::vector<std::string> texts;
  friend bool operator==(const Column&, const Column&) = default;
};

/// A whole trace in memory.
struct Trace {
  Header header;
  std::vector<std::int64_t> steps;           ///< of each row
  std::vector<std::vector<Column>> columns;  ///< [device][field], each as long as `steps`
  std::vector<HashPoint> hashes;
  std::optional<End> end;  ///< absent: the trace was cut
  friend bool operator==(const Trace&, const Trace&) = default;
};

/// Number of number columns (integers included) and of text columns in a row.
struct RowShape {
  std::size_t numbers = 0, texts = 0;
};
RowShape row_shape(const Header& header);

}  // namespace simbatch::trace
