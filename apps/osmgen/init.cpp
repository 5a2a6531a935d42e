// osmgen init: a folder that simrun runs, made from a map alone.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <span>

#include "apps/common/installation.hpp"
#include "apps/common/new_folder.hpp"
#include "apps/common/outputs.hpp"
#include "apps/common/reporter.hpp"
#include "apps/osmgen/codes.hpp"
#include "apps/osmgen/osmgen.hpp"
#include "base/core/atomic_file.hpp"
#include "base/core/shell_word.hpp"
#include "base/core/workers.hpp"
#include "base/geo/geo.hpp"
#include "formats/autosim/houses.hpp"
#include "formats/autosim/setup.hpp"
#include "formats/osm/antimeridian.hpp"
#include "lib/file_kind/file_kind.hpp"
#include "lib/town/defaults.hpp"
#include "lib/town/generate.hpp"
#include "lib/town/route.hpp"

namespace simbatch::osmgen {
namespace {
namespace fs = std::filesystem;

constexpr double kCruise = 8;     // m/s on straight pieces
constexpr double kSideways = 2;   // m/s^2 at most on arcs
constexpr double kTurning = 0.4;  // rad/s at most on arcs: what the path law may ask for, less a reserve
constexpr double kBraking = 20;   // m before an arc that are already driven at its speed

struct InitOptions {
  std::string input, folder;
  double drive = 300;  ///< m
};

/// The mission that follows a route, in UTM about the setup's origin; nothing where the earth has no UTM.
std::optional<std::string> mission_of(const town::Route& route, const autosim::MapSetup& setup) {
  const geo::LatLon origin{setup.osm.lat, setup.osm.lon};
  const geo::LocalFrame frame(origin);
  const std::optional<geo::Utm> reference = geo::to_utm(origin);
  if (!reference) return std::nullopt;
  bool is_in_utm = true;
  const auto grid = [&](geo::EastNorth p) {
    const std::optional<geo::Utm> at = geo::to_utm(frame.to_geographic(p), reference->zone);
    is_in_utm = is_in_utm && at;
    if (!at) return geo::EastNorth{};
    const auto millimeters = [](double m) { return std::round(m * 1000) / 1000; };
    const double northing = at->northing + 1e7 * (int{at->north} - int{reference->north});  // the south's are 10,000 km more
    return geo::EastNorth{millimeters(at->easting - reference->easting), millimeters(northing - reference->northing)};
  };
  const auto speed_on = [](const town::RoutePiece& piece) {
    if (piece.radius == 0) return kCruise;
    return std::round(10 * std::clamp(std::min(std::sqrt(kSideways * piece.radius), kTurning * piece.radius), 2.0, kCruise)) /
           10;
  };
  constexpr std::string_view kBands = "CDEFGHJKLMNPQRSTUVWX";
  const auto band = static_cast<std::size_t>(std::clamp((origin.lat + 80) / 8, 0.0, 19.0));
  std::string text = "#Version\n3\n#Xrefpoint Yrefpoint UTM Zone\n";
  text += fmt::format("{:.3f} {:.3f} {}{}\n", reference->easting, reference->northing, reference->zone, kBands[band]);
  const auto line = [&](geo::EastNorth a, geo::EastNorth b, double speed) {
    text += fmt::format("LINE {} {} {} {} {} -1\n", a.east, a.north, b.east, b.north, speed);
  };
  for (std::size_t k = 0; k < route.pieces.size(); ++k) {
    const town::RoutePiece& piece = route.pieces[k];
    const geo::EastNorth a = grid(piece.from), b = grid(piece.to);
    const double speed = speed_on(piece);
    if (piece.radius > 0) {
      const geo::EastNorth c = grid(piece.center);
      text += fmt::format("ARC {} {} {} {} {} {} {} {} {:.3f} -1\n", a.east, a.north, c.east, c.north, b.east, b.north, speed,
                          piece.right ? -1 : 1, piece.radius);
      continue;
    }
    const bool last = k + 1 == route.pieces.size();
    const double next = last ? 3 : speed_on(route.pieces[k + 1]);
    if (next >= speed || piece.length() < 2) {
      line(a, b, std::min(speed, piece.length() < 2 ? next : speed));
    } else if (piece.length() <= kBraking + 2) {
      line(a, b, next);
    } else {
      const double t = 1 - kBraking / piece.length();
      const geo::EastNorth middle = grid({piece.from.east + t * (piece.to.east - piece.from.east),
                                          piece.from.north + t * (piece.to.north - piece.from.north)});
      line(a, middle, speed);
      line(middle, b, next);
    }
  }
  return is_in_utm ? std::optional(std::move(text)) : std::nullopt;
}

std::string scenario_of(const std::string& name, const std::optional<town::Route>& route) {
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- Written by osmgen init. Run it: simrun scenario.xml -->\n"
      "<World name=\"{0}\">\n  <Physics>\n    <Engine name=\"bullet\">\n      <StepSize value=\"0.005\"/>\n"
      "      <Friction value=\"1\"/>\n    </Engine>\n    <Surface name=\"terrain\">\n      <Friction value=\"0.6\"/>\n"
      "    </Surface>\n  </Physics>\n\n  <Terrain>\n    <Map name=\"{0}\">\n      <Folder path=\"map\"/>\n    </Map>\n"
      "  </Terrain>\n\n  <Objects>\n",
      name);
  if (!route) return text + "  </Objects>\n</World>\n";
  const geo::EastNorth start = route->pieces.front().from;
  text += fmt::format(
      "    <!-- On way {} of the map; mission.txt is its way along the streets. -->\n"
      "    <Robot name=\"car\" file=\"car.xml\">\n      <Position x=\"{:.3f}\" z=\"{:.3f}\"/>\n      <Heading value=\"{:.3f}\"/>\n"
      "      <Mission file=\"mission.txt\" law=\"los\" lookahead=\"8\"/>\n    </Robot>\n  </Objects>\n\n"
      "  <!-- What a run must do; `simrun test` checks it. -->\n  <Expectations duration=\"{:.0f}\">\n"
      "    <Expect name=\"stays on the road\" that=\"always on_road(car.chassis)\"/>\n"
      "    <Expect name=\"touches no house\" that=\"never contact(car, houses)\"/>\n"
      "    <Expect name=\"touches no building\" that=\"never contact(car, buildings)\"/>\n"
      "    <Expect name=\"has arrived\" that=\"finally speed(car.chassis) lt 0.3 m/s\"/>\n"
      "  </Expectations>\n</World>\n",
      route->way, start.east, start.north, route->heading, std::ceil(route->length / 3 + 20));
  return text;
}

/// A name for elements and files: letters, digits, `_`.
std::string name_of(const std::string& file) {
  std::string name = fs::path(file).filename().string();
  name = name.substr(0, name.find('.'));
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0 ? "town_" + name : name;
}

/// Why a town has no house, and what to do; nothing if it has one, or no place was considered.
void report_empty(const town::PlacedHouses& placed, Diagnostics& problems) {
  const auto most = std::max_element(placed.rejected.begin(), placed.rejected.end());
  if (placed.placed > 0 || *most == 0) return;
  const auto reason = static_cast<town::Reason>(most - placed.rejected.begin());
  const auto all = std::accumulate(placed.rejected.begin(), placed.rejected.end(), std::uint64_t{0});
  problems.report(
      code::kNoHouses, {},
      fmt::format(
          "no house or tree was placed: {} of the {} places considered were rejected for \"{}\"; {}", *most, all,
          town::to_text(reason),
          reason == town::Reason::unsettled
              ? "draw an area of landuse=residential, a building or a place in the map, or run osmgen with --without settlement"
              : "osmgen --without switches rules off (docs/osmgen.md)"));
}

cli::ExitCode init(const InitOptions& options, cli::Reporter& reporter) {
  Workers workers(1);
  const Input input = Input::open(options.input);
  Parsed<osm::Document> map = town::read_map(input, workers);
  file_kind::explain_errors(input.text(), input.name(), file_kind::Purpose::map, map.diagnostics);
  const bool ok = map.ok();
  reporter.show(std::move(map.diagnostics));
  if (!ok || reporter.failed()) return reporter.finish(cli::ExitCode::input);
  const std::string name = name_of(input.name());
  const autosim::MapSetup setup = town::default_setup(map.value->model, name);
  const autosim::HouseList houses = town::default_houses();
  std::optional<town::Route> route = town::find_route(map.value->model, setup, options.drive);
  const std::optional<std::string> mission = route ? mission_of(*route, setup) : std::nullopt;

  Diagnostics about_map(input.name());
  if (!mission && !osm::crosses_antimeridian(map.value->model))
    about_map.report(
        code::kNoDrive, {},
        std::string(route ? "missions are in UTM, which ends at 80 degrees south and 84 degrees north"
                          : "no road of the map can be driven for 30 m (bridges, tunnels, footways and the inside of "
                            "buildings do not count)") +
            ": the scenario has no car");
  if (!mission) route.reset();
  const fs::path folder(options.folder);
  cli::NewFolder made(folder);
  town::GenerateOptions how;
  how.town.rules = town::all_rules();
  how.place.fronts_by_street = how.place.gaps_by_street = true;
  how.strict = reporter.options().strict;
  AtomicFile output(made.path("map/map.osm"));
  const std::optional<town::Generated> generated =
      town::generate(input, *map.value, setup, houses, how, output, workers, about_map);
  if (generated) report_empty(generated->placed, about_map);
  reporter.show(std::move(about_map));
  if (!generated || reporter.failed()) return reporter.finish();
  made.write("map/setup.xml", autosim::write_setup(setup));
  made.write("map/houses.xml", autosim::write_houses(houses));
  made.write("scenario.xml", scenario_of(name, route));
  if (route) {
    made.write("car.xml", cli::starter_text("town/car.xml"));
    made.write("mission.txt", *mission);
  }
  made.add(std::move(output));
  made.commit();
  const auto word = [&folder](const char* file) { return shell_word((folder / file).string()); };
  const std::string list = word("map/houses.xml"), placed = word("map/map.osm");
  reporter.status(
      fmt::format("{}: {} houses and trees{}\nNext: simrun {}\nFor your own models: put them beside {}, name them in it, then: "
                  "osmgen {} -o {} --setup {} --houses {}",
                  options.folder, generated->placed.placed - generated->placed.small,
                  route ? fmt::format(", a car with a drive of {:.0f} m", route->length) : "", word("scenario.xml"), list,
                  placed, placed, word("map/setup.xml"), list));
  return reporter.finish();
}

std::string wrong_folder(const InitOptions& options) {
  std::error_code error;
  if (fs::exists(options.folder, error) && !fs::is_directory(options.folder, error))
    return "--output: " + options.folder + " is a file, expected a folder";
  for (const char* file : {"scenario.xml", "car.xml", "mission.txt", "map/setup.xml", "map/houses.xml", "map/map.osm"})
    if (fs::exists(fs::path(options.folder) / file, error))
      return "--output: " + (fs::path(options.folder) / file).string() + " exists; name a new folder";
  return {};
}

}  // namespace

void add_init(cli::Command& program) {
  cli::Command& command = program.add("init", "Make a setup, a house list and a scenario with a car from a map alone");
  auto& o = command.keep<InitOptions>();
  command.positional("FILE", o.input, "Map: .osm, .osm.gz, .osm.bz2, .osm.pbf").required();
  command.group("Output");
  command.option("-o,--output", "FOLDER", o.folder, "Folder to write; its files must not exist yet").required();
  command.option("--drive", "M", o.drive, "Longest drive of the car along the streets, in meters")
      .range(30, 10'000)
      .show_default();
  command.check([&o] { return wrong_folder(o); });
  command.examples({"osmgen init town.osm -o drivable_town"});
  command.run([&o](cli::Reporter& reporter) { return init(o, reporter); });
}

}  // namespace simbatch::osmgen
