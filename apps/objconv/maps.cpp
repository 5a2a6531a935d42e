/// resolve, to-geojson, to-kml, to-svg, to-sdf: CajunBot objects on their road network.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "apps/objconv/objconv.hpp"
#include "formats/autosim/world.hpp"
#include "formats/cajunbot/cajunbot.hpp"
#include "lib/traffic/export.hpp"
#include "lib/traffic/traffic.hpp"

namespace simbatch::objconv {
namespace {

using traffic::ObjectMap;
using Write = std::string (*)(const ObjectMap&, Diagnostics&);

/// An object file of either version, checked. Empty if it could not be read; what the checks find leaves it there.
Parsed<cajunbot::ObjectFile> read_objects(const Session& session, const Input& input) {
  const auto version = cajunbot::guess_version(input.text());
  auto parsed = version == cajunbot::Version::v1
                    ? cajunbot::read_v1(input.text(), input.name(), {.strict = session.common.strict})
                    : cajunbot::read_v2(input.text(), input.name());
  if (parsed.ok())
    cajunbot::check(*parsed.value, version, parsed.diagnostics);
  else
    parsed.value.reset();
  return parsed;
}

cli::ExitCode run(Session& session, const char* suffix, Write write) {
  load_network(session);
  return run_batch(session, suffix, [&](const Input& input, const Sink& sink) {
    auto parsed = read_objects(session, input);
    if (!parsed.value) return std::move(parsed.diagnostics);
    const auto resolved =
        traffic::resolve_objects(*parsed.value, session.network->index, session.network->origin, parsed.diagnostics);
    if (!resolved) return std::move(parsed.diagnostics);
    const std::string text = write({*parsed.value, *resolved, session.network->rndf}, parsed.diagnostics);
    if (!parsed.diagnostics.has_errors()) sink(text);
    return std::move(parsed.diagnostics);
  });
}

/// `file` as seen from the folder of the output.
std::string relative_to_output(const Session& session, const std::string& file) {
  namespace fs = std::filesystem;
  const fs::path folder = !session.out_dir.empty() ? fs::path(session.out_dir)
                          : session.output == "-"  ? fs::path(".")
                                                   : fs::path(session.output).parent_path();
  const fs::path relative = fs::absolute(file).lexically_normal().lexically_relative(
      fs::absolute(folder.empty() ? fs::path(".") : folder).lexically_normal());
  return (relative.empty() ? fs::path(file) : relative).generic_string();
}

/// An AutoSim World file that runs the objects where they lie: simrun reads object file and network itself.
cli::ExitCode to_scenario(Session& session) {
  load_network(session);
  return run_batch(session, ".scenario.xml", [&](const Input& input, const Sink& sink) {
    auto parsed = read_objects(session, input);
    if (!parsed.value) return std::move(parsed.diagnostics);
    const geo::LatLon origin = session.network->origin;
    if (!traffic::resolve_objects(*parsed.value, session.network->index, origin, parsed.diagnostics))
      return std::move(parsed.diagnostics);
    autosim::World world;
    world.name = parsed.value->name.value_or(stem_of(input.name()));
    for (char& c : world.name)
      if (c == '.' || static_cast<unsigned char>(c) <= ' ') c = '_';
    if (world.name.empty()) world.name = "objects";
    world.physics.origin = autosim::Geographic{origin.lat, origin.lon};
    world.terrain.kind = autosim::Terrain::Kind::plane;
    world.terrain.name = "ground";
    world.traffic.push_back(
        {"traffic", {}, relative_to_output(session, input.name()), relative_to_output(session, session.rndf)});
    std::string text = autosim::write_world(world);
    sink(text);
    return std::move(parsed.diagnostics);
  });
}

}  // namespace

void add_maps(CLI::App& app, Session& session) {
  const auto add = [&](const char* name, const char* meaning, const char* suffix, Write write) {
    add_rndf_option(
        add_conversion(app, session, name, meaning, [&session, suffix, write] { return run(session, suffix, write); }), session,
        true);
  };
  add_rndf_option(add_conversion(app, session, "to-scenario", "A scenario that simrun runs with CajunBot objects",
                                 [&session] { return to_scenario(session); }),
                  session, true);
  add("resolve", "Places of CajunBot objects and goals as a table", ".tsv",
      [](const ObjectMap& map, Diagnostics&) { return traffic::to_table(map); });
  add("to-geojson", "CajunBot objects and goals as GeoJSON", ".geojson",
      [](const ObjectMap& map, Diagnostics&) { return traffic::to_geojson(map); });
  add("to-kml", "CajunBot objects and their network as KML", ".kml",
      [](const ObjectMap& map, Diagnostics&) { return traffic::to_kml(map); });
  add("to-svg", "CajunBot objects and their network as a picture", ".svg",
      [](const ObjectMap& map, Diagnostics&) { return traffic::to_svg(map); });
  add("to-sdf", "CajunBot objects as an SDFormat world", ".sdf",
      [](const ObjectMap& map, Diagnostics& d) { return sdf::write_world(traffic::to_sdf(map, d)); });
}

}  // namespace simbatch::objconv
