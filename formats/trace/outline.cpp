#include "formats/trace/outline.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/compress/stream.hpp"
#include "base/core/input.hpp"
#include "base/core/little_endian.hpp"
#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "base/mat/read.hpp"
#include "base/npz/read.hpp"
#include "formats/trace/codes.hpp"
#include "formats/trace/csv_cells.hpp"
#include "formats/trace/head.hpp"
#include "formats/trace/json_cursor.hpp"
#include "formats/trace/part_feed.hpp"

namespace simbatch::trace {
namespace {

using namespace detail;

template <class Value>
Parsed<Value> failed(const std::string& file_name, const Code& code, std::string message) {
  Parsed<Value> result{std::nullopt, Diagnostics(file_name)};
  result.diagnostics.report(code, {}, std::move(message));
  return result;
}

/// "impreza.chassis.gyro0.rate [rad/s]" goes to the device "impreza.chassis.gyro0".
void add_field(std::string_view name, std::string_view value, Header& header) {
  Field field;
  if (const std::size_t bracket = name.rfind(" ["); bracket != std::string_view::npos && name.ends_with(']')) {
    field.unit = name.substr(bracket + 2, name.size() - bracket - 3);
    name = name.substr(0, bracket);
  }
  const std::size_t dot = std::min(name.rfind('.'), name.size());
  field.name = name.substr(std::min(dot + 1, name.size()));
  if (!parse_double(value)) field.type = FieldType::text;
  if (header.devices.empty() || header.devices.back().name != name.substr(0, dot))
    header.devices.push_back({std::string(name.substr(0, dot)), {}, {}});
  header.devices.back().fields.push_back(std::move(field));
}

void read_wide(std::string_view text, Outline& outline) {
  Cells cells(text);
  std::vector<std::string> names, first;
  std::string unquoted;
  double time = 0;
  for (bool heads = true; heads || !cells.done(); heads = false) {
    bool last = false;
    for (std::size_t c = 0; !last; ++c) {
      const std::string_view cell = cells.next(last, unquoted);
      if (heads) {
        names.emplace_back(cell);
        continue;
      }
      if (c >= names.size() || (last && c + 1 < names.size()))
        throw ReadFailure{&code::kShape, cells.offset(), "a row of other than " + number_text(names.size()) + " cells"};
      if (outline.extent.rows == (c == 0 ? 0 : 1)) first.emplace_back(cell);
      if (c == 0) {
        const auto step = parse_integer<std::int64_t>(cell);
        if (!step) throw ReadFailure{&code::kSyntax, cells.offset(), quoted(cell) + " is not a step"};
        outline.extent.add(step.value);
      } else if (c == 1) {
        time = parse_double(cell).value;
        if (outline.extent.rows == 1) outline.first_time = time;
      }
    }
  }
  outline.last_time = time;
  first.resize(names.size(), "0");  // no rows: as if all were numbers
  for (std::size_t c = 2; c < names.size(); ++c) add_field(names[c], first[c], outline.trace.value->header);
}

}  // namespace

std::optional<Format> outlined_format(std::string_view bytes) {
  if (npz::is_zip(bytes)) return Format::npz;
  if (mat::is_mat(bytes)) return Format::mat;
  if (is_wide(bytes)) return Format::wide;
  return std::nullopt;
}

bool is_wide(std::string_view text) {
  constexpr std::string_view kStart = "step,time [s]";
  return text.starts_with(kStart) &&
         (text.substr(kStart.size()).starts_with(',') || text.substr(kStart.size()).starts_with('\r'));
}

Outline npz_outline(std::string_view bytes, const std::string& file_name) {
  try {
    const std::vector<npz::Array> arrays = npz::arrays(bytes);
    const auto find = [&](std::string_view name) -> const npz::Array& {
      const auto found = std::find_if(arrays.begin(), arrays.end(), [&](const npz::Array& each) { return each.name == name; });
      if (found == arrays.end()) throw npz::ReadFault("there is no array " + quoted(name) + ": not a trace");
      return *found;
    };
    Outline outline{read_head(npz::text(find("simbatch.trace")), file_name), Format::npz};
    for (const std::int64_t step : npz::integers(find("step"))) outline.extent.add(step);
    return outline;
  } catch (const npz::ReadFault& fault) {
    return {failed<Trace>(file_name, code::kArchive, fault.what()), Format::npz};
  }
}

Outline mat_outline(std::string_view bytes, const std::string& file_name) {
  try {
    const auto find = [&](std::string_view name) {
      std::optional<std::string> variable = mat::variable(bytes, name);
      if (!variable) throw mat::ReadFault("there is no variable " + quoted(name) + ": not a trace");
      return std::move(*variable);
    };
    Outline outline{read_head(mat::text(find("simbatch")), file_name), Format::mat};
    for (const double step : mat::numbers(find("step")))
      outline.extent.add(step >= 0 && step <= static_cast<double>(kMaxSteps) ? static_cast<std::int64_t>(step) : 0);
    return outline;
  } catch (const mat::ReadFault& fault) {
    return {failed<Trace>(file_name, code::kArchive, fault.what()), Format::mat};
  }
}

Outline wide_outline(std::string_view text, const std::string& file_name) {
  Outline outline{{Trace{}, Diagnostics(file_name)}, Format::wide};
  try {
    read_wide(text, outline);
  } catch (const ReadFailure& failure) {
    outline.trace.value.reset();
    outline.trace.diagnostics.report(*failure.code, position_at(text, failure.offset), failure.message);
  }
  return outline;
}

std::optional<Outline> read_outline(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return std::nullopt;
  const Input input = Input::open(path);
  const std::string_view bytes = input.text();
  if (container_of(bytes)) {
    constexpr std::size_t kStart = 64;
    if (container_named(path) == std::nullopt || !without_container(path).ends_with(".csv")) return std::nullopt;
    const auto plain = unpacked(bytes);
    if (!plain || !is_wide(std::string_view(plain->bytes).substr(0, kStart))) return std::nullopt;
    return wide_outline(plain->bytes, input.name());
  }
  const auto format = outlined_format(bytes);
  if (!format) return std::nullopt;
  return *format == Format::npz   ? npz_outline(bytes, input.name())
         : *format == Format::mat ? mat_outline(bytes, input.name())
                                  : wide_outline(bytes, input.name());
}

namespace {

/// Of the document of a scene.
void read_scene(JsonCursor& in, SceneOutline& scene) {
  std::set<std::int64_t> moving, inputs;
  std::vector<double> ends;  // of the accessors
  const auto member = [&in](auto on_member) {
    in.object([&](const std::string& name) {
      if (!on_member(name)) in.skip();
    });
  };
  const auto animation = [&](const std::string& name) {
    if (name == "channels")
      in.array([&] {
        member([&](const std::string& part) {
          if (part != "target") return false;
          member([&](const std::string& of) { return of == "node" && (moving.insert(in.integer()), true); });
          return true;
        });
      });
    else if (name == "samplers")
      in.array(
          [&] { member([&](const std::string& part) { return part == "input" && (inputs.insert(in.integer()), true); }); });
    else
      return false;
    return true;
  };
  member([&](const std::string& name) {
    if (name == "nodes")
      in.array([&] { in.skip(), ++scene.nodes; });
    else if (name == "animations")
      in.array([&] { member(animation); });
    else if (name == "accessors")
      in.array([&] {
        double& end = ends.emplace_back(0);
        member([&](const std::string& part) { return part == "max" && (in.array([&] { end = in.number(); }), true); });
      });
    else
      return false;
    return true;
  });
  scene.moving = moving.size();
  for (const std::int64_t input : inputs)
    if (input >= 0 && static_cast<std::size_t>(input) < ends.size())
      scene.seconds = std::max(scene.seconds, ends[static_cast<std::size_t>(input)]);
}

}  // namespace

Parsed<SceneOutline> glb_outline(std::string_view bytes, const std::string& file_name) {
  constexpr std::size_t kHead = 20, kLength = 12;
  const std::size_t size = bytes.size() < kHead ? 0 : little_endian(bytes.substr(kLength, 4));
  if (bytes.size() < kHead || size > bytes.size() - kHead || bytes.substr(kLength + 4, 4) != "JSON")
    return failed<SceneOutline>(file_name, code::kArchive, "the scene is cut, or not of glTF 2.0");
  Parsed<SceneOutline> result{SceneOutline{}, Diagnostics(file_name)};
  try {
    JsonCursor in(bytes.substr(kHead, size));
    read_scene(in, *result.value);
  } catch (const ReadFailure& failure) {
    return failed<SceneOutline>(file_name, code::kArchive, "the scene's document is damaged: " + failure.message);
  }
  return result;
}

}  // namespace simbatch::trace
