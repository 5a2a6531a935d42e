#include "lib/scenario/map_files.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/core/text.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/scenario/town.hpp"

namespace simbatch::scenario::detail {
namespace {
namespace fs = std::filesystem;

constexpr std::array kHeightMaps{"heightmap.png", "heightmap.bmp", "heightmap.jpg", "heightmap.txt"};

class TownOpener {
 public:
  TownOpener(Files& files, const autosim::World& world)
      : files_(files), terrain_(world.terrain), at_(world.terrain.place.at), folder_(world.terrain.path) {}

  bool open(TownFiles& town, Setup setup) {
    std::error_code error;
    if (setup == Setup::must_be_there || fs::exists(real_folder() / "setup.xml", error)) {
      town.setup = files_.open((folder_ / "setup.xml").string(), at_);
      if (!town.setup) return false;
    }
    const std::string heights = find(terrain_.height_map, kHeightMaps);
    if (heights.ends_with(".hgt") || heights.empty()) {
      if (!open_tiles(town, heights)) return false;
    } else {
      town.heights = files_.open(heights, at_);
      if (!town.heights) return false;
    }
    const std::string streets = find(terrain_.street_map, kStreetMaps);
    if (!streets.empty()) town.streets = files_.open(streets, at_);
    return streets.empty() || town.streets;
  }

 private:
  fs::path real_folder() const { return fs::path(files_.root().folder()) / folder_; }

  /// The first of these files that exists in the map folder, as a name for Files::open; empty if there is none.
  std::string find(const std::string& chosen, std::span<const char* const> usual) const {
    if (!chosen.empty()) return (folder_ / chosen).string();
    std::error_code error;
    for (const char* name : usual)
      if (fs::exists(real_folder() / name, error)) return (folder_ / name).string();
    return {};
  }

  /// The elevation tile that was chosen, else all in the folder, by name.
  bool open_tiles(TownFiles& town, const std::string& chosen) {
    std::vector<std::string> names;
    if (!chosen.empty()) {
      names.push_back(chosen);
    } else {
      std::error_code error;
      for (const fs::directory_entry& entry : fs::directory_iterator(real_folder(), error))
        if (entry.path().extension() == ".hgt") names.push_back((folder_ / entry.path().filename()).string());
      std::sort(names.begin(), names.end());
      report_geotiffs();
    }
    for (const std::string& name : names) {
      std::optional<Input> tile = files_.open(name, at_);
      if (!tile) return false;
      town.tiles.push_back(std::move(*tile));
    }
    return true;
  }

  /// Files of elevations that are not read: the ground stays flat.
  void report_geotiffs() {
    std::vector<std::string> found;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(real_folder(), error))
      if (const std::string suffix = lower_ascii(entry.path().extension().string()); suffix == ".tif" || suffix == ".tiff")
        found.push_back(entry.path().string());
    std::sort(found.begin(), found.end());
    for (const std::string& file : found)
      files_.report(code::kMapGeoTiff, file, {},
                    "GeoTIFF is not read; for elevation tiles: gdal_translate -of SRTMHGT " +
                        fs::path(file).filename().string() + " N48E011.hgt, named by its south-west corner (docs/map.md)");
  }

  Files& files_;
  const autosim::Terrain& terrain_;
  Position at_;
  fs::path folder_;
};

}  // namespace

std::optional<TownFiles> open_town(Files& files, const autosim::World& world, Setup setup) {
  TownFiles town;
  if (world.physics.water && world.physics.water->level <= 0) town.water_level = world.physics.water->level;
  if (!TownOpener(files, world).open(town, setup)) return std::nullopt;
  return town;
}

}  // namespace simbatch::scenario::detail
