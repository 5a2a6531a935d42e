/// CajunBot object files in `check`, `info` and `fmt`.
#include "formats/cajunbot/cajunbot.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "apps/objconv/codes.hpp"
#include "apps/objconv/kinds.hpp"
#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "lib/traffic/traffic.hpp"

namespace simbatch::objconv {
namespace {

using cajunbot::Object;
using cajunbot::ObjectFile;
using cajunbot::Version;

Parsed<ObjectFile> read(Version version, std::string_view text, const std::string& file, const Reading& reading) {
  return version == Version::v1 ? cajunbot::read_v1(text, file, {.strict = reading.strict}) : cajunbot::read_v2(text, file);
}

/// $CBCONF/$CBBOTNAME/<conf>, as far as given by the options.
void check_sensor_files(const ObjectFile& file, const Reading& reading, Diagnostics& diagnostics) {
  if (reading.cbconf.empty()) return;
  for (const Object& o : file.objects) {
    for (const cajunbot::Sensor& sensor : o.sensors) {
      const std::filesystem::path path = std::filesystem::path(reading.cbconf) / reading.cbbotname / sensor.conf;
      std::error_code ignored;
      if (!std::filesystem::exists(path, ignored))
        diagnostics.report(code::kConfMissing, o.place.at,
                           fmt::format("sensor file {} does not exist", quoted(path.string(), 200)));
    }
  }
}

template <Version version>
void check_file(std::string_view text, const std::string& file, const Reading& reading, Diagnostics& diagnostics) {
  auto parsed = read(version, text, file, reading);
  const bool good = parsed.ok();
  diagnostics.append(std::move(parsed.diagnostics));
  if (!good) return;  // missing files would be reported twice
  cajunbot::check(*parsed.value, version, diagnostics);
  check_sensor_files(*parsed.value, reading, diagnostics);
  if (reading.network != nullptr)
    traffic::resolve_objects(*parsed.value, reading.network->index, reading.network->origin, diagnostics);
}

template <Version version>
std::vector<Fact> info_of(std::string_view text, const std::string& file, const Reading& reading, Diagnostics& diagnostics) {
  auto parsed = read(version, text, file, reading);
  diagnostics.append(std::move(parsed.diagnostics));
  if (!parsed.value) return {};
  std::size_t types[4] = {}, goals = 0, legs = 0, sensors = 0;
  for (const Object& o : parsed.value->objects) {
    ++types[static_cast<int>(o.type)];
    goals += o.goals.size();
    legs += o.script.size();
    sensors += o.sensors.size();
  }
  std::vector<Fact> facts;
  if (parsed.value->name) facts.push_back(fact("name", *parsed.value->name));
  facts.push_back(fact("objects", parsed.value->objects.size()));
  for (std::size_t i = 0; i < 4; ++i)
    facts.push_back(fact(std::string(cajunbot::to_text(static_cast<cajunbot::Type>(i))), types[i]));
  facts.push_back(fact("goals", goals));
  facts.push_back(fact("script_legs", legs));
  facts.push_back(fact("sensors", sensors));
  return facts;
}

template <Version version>
std::optional<std::string> format(std::string_view text, const std::string& file, const Reading& reading,
                                  Diagnostics& diagnostics) {
  auto parsed = read(version, text, file, reading);
  const bool good = parsed.ok();
  diagnostics.append(std::move(parsed.diagnostics));
  if (!good) return std::nullopt;
  if (version == Version::v2) return cajunbot::write_v2(*parsed.value, {.extras = true});
  return cajunbot::write_v1(*parsed.value, {.extras = true});
}

constexpr FileKind kCajunbotKinds[] = {
    {"object1", "CajunBot object file, version 1", twice(file_kind::Kind::objects_v1), check_file<Version::v1>,
     info_of<Version::v1>, format<Version::v1>},
    {"object2", "CajunBot object file, version 2", twice(file_kind::Kind::objects_v2), check_file<Version::v2>,
     info_of<Version::v2>, format<Version::v2>},
};

}  // namespace

std::span<const FileKind> cajunbot_kinds() { return kCajunbotKinds; }

}  // namespace simbatch::objconv
