#pragma once
/// A folder with a scenario, a cart and a map, for tests of worlds made of maps.

#include <filesystem>
#include <string>

#include "base/core/number.hpp"
#include "base/geo/geo.hpp"
#include "lib/scenario/build.hpp"
#include "tests/support/support.hpp"

namespace simbatch::test::maps {
namespace fs = std::filesystem;

/// A robot that is a box of 1 m with a wheel at each corner.
inline constexpr const char* kCart =
    R"(<Robot name="cart"><Parts><Box name="body"><Size x="1.6" y="0.6" z="3"/><Mass value="800"/>
<CenterOfMass x="0" y="-0.2" z="0"/></Box></Parts>
<Devices><DriveActuator name="drive"><Part name="body"/><MotorForce value="1600"/><BrakeForce value="2000"/></DriveActuator>%WHEELS%
<GPSSensor name="gps"><Part name="body"/></GPSSensor>
<PSDSensor name="psd"><Part name="body"/><Position x="0" y="0" z="1.5"/><Direction x="0" y="0" z="1"/><Range value="50"/></PSDSensor>
</Devices></Robot>)";

inline std::string cart() {
  std::string wheels;
  for (const char* name : {"a", "b", "c", "d"}) {
    const bool left = *name == 'a' || *name == 'c', front = *name < 'c';
    wheels +=
        std::string("<WheelDevice name=\"") + name + "\"><Part name=\"body\"/><DriveActuator name=\"drive\"/><Position x=\"" +
        (left ? "-0.7" : "0.7") + "\" y=\"-0.2\" z=\"" + (front ? "1.1" : "-1.1") +
        "\"/><Radius value=\"0.3\"/><Width value=\"0.2\"/><SuspensionRestLength value=\"0.1\"/><SuspensionKs value=\"200\"/>"
        "<SuspensionKd value=\"23\"/><Powered value=\"true\"/><Steering value=\"" +
        (front ? "true" : "false") + "\"/><Brakes value=\"true\"/></WheelDevice>\n";
  }
  std::string text = kCart;
  text.replace(text.find("%WHEELS%"), 8, wheels);
  return text;
}

inline std::string setup(geo::LatLon at) {
  std::string kinds;
  for (const char* kind : {"motorway", "trunk", "primary", "secondary", "tertiary", "unclassified", "residential", "service",
                           "track", "unsurfaced"})
    kinds += std::string("<") + kind + " width=\"8\" leftPavementWidth=\"1.5\" rightPavementWidth=\"1.5\"/>";
  return "<Setup name=\"s\"><TerrainSetup><OsmSetup name=\"s\"><NodeOffset lat=\"" + number_text(at.lat) + "\" lon=\"" +
         number_text(at.lon) +
         "\"/></OsmSetup><RoadDimensions name=\"s\"><HeightAboveTerrain value=\"0.05\"/><CurbHeight value=\"0.15\"/></RoadDimensions>"
         "<HighwayDimensions name=\"s\">" +
         kinds + "</HighwayDimensions></TerrainSetup></Setup>";
}

inline std::string scenario_text(const std::string& pose, const std::string& engine = "") {
  return "<World name=\"w\"><Physics><Engine name=\"e\"><StepSize value=\"0.005\"/>" + engine +
         "</Engine></Physics><Terrain><Map name=\"m\"><Folder path=\"map\"/></Map></Terrain><Objects>"
         "<Robot name=\"cart\" file=\"cart.xml\">" +
         pose +
         "<Control time=\"0.5\" device=\"body.drive\" acceleration=\"0.25\" steering=\"0\" brake=\"0\"/></Robot></Objects></World>";
}

/// A folder with a scenario, a cart and a map.
struct Folder {
  simbatch::test::TemporaryFolder folder;
  Folder(const std::string& world, geo::LatLon at) {
    fs::create_directory(folder.path() / "map");
    simbatch::test::write_text(folder.path() / "cart.xml", cart());
    simbatch::test::write_text(folder.path() / "map" / "setup.xml", setup(at));
    simbatch::test::write_text(folder.path() / "scenario.xml", world);
  }
  void add(const std::string& name, const std::string& text) { simbatch::test::write_text(folder.path() / "map" / name, text); }
  scenario::BuildResult build() { return scenario::build_scenario(folder.file("scenario.xml")); }
};

}  // namespace simbatch::test::maps
