/// v1-to-v2, v2-to-v1, and what check, info and fmt do with CajunBot object files.
#include "formats/cajunbot/cajunbot.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "apps/objconv/codes.hpp"
#include "apps/objconv/objconv.hpp"
#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "lib/traffic/traffic.hpp"
#include "lib/traffic/versions.hpp"

namespace simbatch::objconv {
namespace {

using cajunbot::Object;
using cajunbot::ObjectFile;
using cajunbot::Version;

Parsed<ObjectFile> read(Version version, std::string_view text, const std::string& file, const Session& session) {
  return version == Version::v1 ? cajunbot::read_v1(text, file, {.strict = session.common.strict})
                                : cajunbot::read_v2(text, file);
}

cli::ExitCode v1_to_v2(Session& session) {
  return run_batch(session, ".xml", [&](const Input& input, const Sink& sink) {
    auto parsed = cajunbot::read_v1(input.text(), input.name(), {.strict = session.common.strict});
    if (!parsed.ok()) return std::move(parsed.diagnostics);
    cajunbot::check(*parsed.value, Version::v1, parsed.diagnostics);
    if (!parsed.value->name && !session.name.empty()) parsed.value->name = session.name;
    const traffic::VersionOptions options{session.lossy, session.keep_extras, stem_of(input.name()), nullptr};
    const ObjectFile converted = traffic::to_v2(std::move(*parsed.value), options, parsed.diagnostics);
    if (!parsed.diagnostics.has_errors()) cajunbot::write_v2(converted, {.extras = session.keep_extras}, sink);
    return std::move(parsed.diagnostics);
  });
}

cli::ExitCode v2_to_v1(Session& session) {
  load_network(session);
  const rndf::Index* network = session.network ? &session.network->index : nullptr;
  return run_batch(session, ".obj", [&](const Input& input, const Sink& sink) {
    auto parsed = cajunbot::read_v2(input.text(), input.name());
    if (!parsed.ok()) return std::move(parsed.diagnostics);
    cajunbot::check(*parsed.value, Version::v2, parsed.diagnostics);
    if (network != nullptr) traffic::check_waypoints(*parsed.value, *network, parsed.diagnostics);
    const traffic::VersionOptions options{session.lossy, session.keep_extras, {}, network};
    const ObjectFile converted = traffic::to_v1(std::move(*parsed.value), options, parsed.diagnostics);
    if (!parsed.diagnostics.has_errors()) cajunbot::write_v1(converted, {.extras = session.keep_extras}, sink);
    return std::move(parsed.diagnostics);
  });
}

/// $CBCONF/$CBBOTNAME/<conf>, as far as the options say.
void check_sensor_files(const ObjectFile& file, const Session& session, Diagnostics& diagnostics) {
  if (session.cbconf.empty()) return;
  for (const Object& o : file.objects) {
    for (const cajunbot::Sensor& sensor : o.sensors) {
      const std::filesystem::path path = std::filesystem::path(session.cbconf) / session.cbbotname / sensor.conf;
      std::error_code ignored;
      if (!std::filesystem::exists(path, ignored))
        diagnostics.report(code::kConfMissing, o.place.at,
                           fmt::format("sensor file {} is not there", quoted(path.string(), 200)));
    }
  }
}

template <Version version>
void check_file(std::string_view text, const std::string& file, Session& session, Diagnostics& diagnostics) {
  auto parsed = read(version, text, file, session);
  const bool good = parsed.ok();
  diagnostics.append(std::move(parsed.diagnostics));
  if (!good) return;  // what is missing would be told twice
  cajunbot::check(*parsed.value, version, diagnostics);
  check_sensor_files(*parsed.value, session, diagnostics);
  if (session.network) traffic::resolve_objects(*parsed.value, session.network->index, session.network->origin, diagnostics);
}

template <Version version>
std::vector<Fact> info_of(std::string_view text, const std::string& file, Session& session, Diagnostics& diagnostics) {
  auto parsed = read(version, text, file, session);
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
std::optional<std::string> format(std::string_view text, const std::string& file, Session& session, Diagnostics& diagnostics) {
  auto parsed = read(version, text, file, session);
  const bool good = parsed.ok();
  diagnostics.append(std::move(parsed.diagnostics));
  if (!good) return std::nullopt;
  if (version == Version::v2) return cajunbot::write_v2(*parsed.value, {.extras = true});
  return cajunbot::write_v1(*parsed.value, {.extras = true});
}

bool claims_v1(std::string_view file, std::string_view text) {
  // A Wavefront file, or anything else that is called .obj, begins otherwise.
  return cajunbot::detect_version(text) == Version::v1 ||
         (file.ends_with(".obj") && text.find_first_not_of(" \t\r\n") == std::string_view::npos);
}
bool claims_v2(std::string_view, std::string_view text) { return cajunbot::detect_version(text) == Version::v2; }

constexpr FileKind kCajunbotKinds[] = {
    {"object1", "CajunBot object file, version 1", claims_v1, check_file<Version::v1>, info_of<Version::v1>,
     format<Version::v1>},
    {"object2", "CajunBot object file, version 2", claims_v2, check_file<Version::v2>, info_of<Version::v2>,
     format<Version::v2>},
};

void add_loss_options(CLI::App* command, Session& session) {
  command->add_flag("--lossy", session.lossy, "Go on where facts are lost that cannot be guessed")->group("Behaviour");
  command
      ->add_flag("--keep-extras", session.keep_extras,
                 "Carry the other version's facts in extras, so that the way back is exact")
      ->group("Behaviour");
}

}  // namespace

std::span<const FileKind> cajunbot_kinds() { return kCajunbotKinds; }

void add_cajunbot(CLI::App& app, Session& session) {
  CLI::App* command =
      add_conversion(app, session, "v1-to-v2", "CajunBot object files: version 1 to 2", [&] { return v1_to_v2(session); });
  add_loss_options(command, session);
  command->add_option("--name", session.name, "Name of the new file's <name> (default: the input's name)")
      ->type_name("TEXT")
      ->group("Output");
  command =
      add_conversion(app, session, "v2-to-v1", "CajunBot object files: version 2 to 1", [&] { return v2_to_v1(session); });
  add_loss_options(command, session);
  add_rndf_option(command, session, false);
}

}  // namespace simbatch::objconv
