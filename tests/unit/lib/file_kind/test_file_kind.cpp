#include "lib/file_kind/file_kind.hpp"

#include <doctest/doctest.h>

#include <string>

#include "lib/file_kind/codes.hpp"
#include "lib/scenario/build.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::file_kind;

namespace {

const std::string kRndf =
    "RNDF_name\tyard\nnum_segments\t1\nnum_zones\t0\nsegment\t1\nnum_lanes\t1\nlane\t1.1\nnum_waypoints\t2\n1.1.1\t1\t2\n1.1.2\t1\t3\n"
    "end_lane\nend_segment\nend_file\n";
const std::string kMdf = "MDF_name\tround\nRNDF\tyard\ncheckpoints\nnum_checkpoints\t1\n1\nend_checkpoints\nend_file\n";

struct Row {
  std::string text;
  std::string_view is;  // part of the kind's name; empty: none that is known
};

}  // namespace

TEST_CASE("kinds: a file is known by its content") {
  const Row rows[] = {
      {kRndf, "RNDF"},
      {"/* a yard */\n" + kRndf, "RNDF"},
      {kMdf, "MDF"},
      {"<?xml version=\"1.0\"?>\n<osm version=\"0.6\"></osm>", "OpenStreetMap"},
      {"<!-- <World> --><osmChange/>", "OpenStreetMap"},
      {std::string("\0\0\0\x0d\x0a\x09OSMHeader", 15), "OpenStreetMap"},
      {"#Version\n3\n#ref\n491917.2 4290832.7 29S\nLINE 0 0 10 0 0.5 -1\n", "Medusa mission"},
      {"3\n0 0 29S\nFORMATION 1 0 0\n", "Medusa mission"},
      {"{\n\"schema\":\"simbatch-trace-1\",", "a simrun trace"},
      {"{\"header\":{\"schema\":\"simbatch-trace-1\"", "a simrun trace"},
      {"step,time,x\n0,0,1\n", "table of a trace"},
      {"step,time [s],car.x [m]\n0,0,1\n", "a wide table"},
      {"\x89MCAP0\r\n\1", "an MCAP file"},
      {"PAR1\x15\x04", "Parquet"},
      {"MATLAB 5.0 MAT-file, written by Simbatch", "array file"},
      {std::string("PK\3\4\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\6\0\0\0a1.npy", 36), "array file"},
      {std::string("PK\3\4\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\6\0\0\0a1.txt", 36), "packed"},
      {"glTF\2", "glTF"},
      {"<?xml version=\"1.0\"?>\n<gpx version=\"1.1\"/>", "GPX"},
      {"SBREC001scenario.xml", "recording"},
      {"<?xml version=\"1.0\"?>\n<!-- made by netconvert -->\n<net version=\"1.9\"><location netOffset=\"0,0\"/>",
       "a SUMO network"},
      {"<net version=\"1.9\"><edge id=\"a\"/></net>", "a SUMO network"},
      {"<net name=\"fishing\"/>", ""},
      {"<OpenDRIVE><header/></OpenDRIVE>", "an OpenDRIVE road network"},
      {"{\"type\":\"FeatureCollection\"}", "GeoJSON"},
      {"{}", "JSON"},
      {"<robot type=\"Barrett\"><palm>palm.xml</palm></robot>", "GraspIt! robot"},
      {"<robot name=\"r\"><link name=\"base\"/></robot>", "URDF"},
      {"#Robot ClassType\nBarrett\n\n#palm\npalm.iv\n", "GraspIt! robot"},
      {"<root><geometryFile>can.iv</geometryFile></root>", "GraspIt! body"},
      {"#Inventor V2.0 ascii\nCube {}\n", "GraspIt! body"},
      {"#VRML V1.0 ascii\n", "GraspIt! body"},
      {"#GraspIt! version 2.0 beta\nObstacle\nfloor.iv\n", "GraspIt! world"},
      {"Obstacle\nmodels/floor.iv\nwood\n", "GraspIt! world"},
      {"Robot\nrobots/a.cfg\n0 0 0\n", "GraspIt! world"},
      {"# class\nRobot\nbase.iv\n", "GraspIt! robot"},
      {"<world><obstacle/></world>", "GraspIt! world"},
      {"<Setup/>", "setup of a map"},
      {"<houses/>", "list of houses"},
      {"<Robot name=\"r\"/>", "AutoSim robot"},
      {"\xef\xbb\xbf<World/>", "AutoSim scenario"},
      {"<sdf version=\"1.9\"/>", "SDF"},
      {"<!-- <World> --><Study name=\"s\"/>", "a study of a scenario"},
      {"<mujoco model=\"m\"/>", "MJCF"},
      {"<object_file/>", "object file"},
      {"1 // objects\n2\n", "object file"},
      {"# made\nv 0 0 0\nv 1 0 0\nf 1 2 3\n", "OBJ"},
      {"mtllib a.mtl\no cube\nv 0 0 0\n", "OBJ"},
      {"\x89PNG\r\n", "picture"},
      {std::string("BM\x10\0\0\0\0\0\0\0\x36", 11), "picture"},
      {"\x7f"
       "ELF\2\1",
       "compiled"},
      {"\x1f\x8b\x08", "packed"},
      {"// drives\n#include \"UserProgramAPI.h\"\nint main() {}\n", "source code"},
      {"#!/usr/bin/env python3\nprint()\n", "a program"},
      {"\"\"\"Drives.\"\"\"\nimport sys\n", "a program"},
      {"", ""},
      {" \n\t", ""},
      {"Dear all,\nthis is not for a simulator.\n", ""},
      {"BMW 2002\n", ""},
      {"<kml/>", ""},
      {"<", ""},
      {"3\n0 0 29S\nLINES are not given\n", "Medusa mission"},
      {"3\n0 0 9\nLINES are not given\n", "object file"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const Kind kind = kind_of(row.text);
    CHECK((kind != Kind::unknown) == !row.is.empty());
    if (kind != Kind::unknown) CHECK_MESSAGE(describe(kind).name.find(row.is) != std::string_view::npos, describe(kind).name);
    CHECK(is_grasp_world(kind) == (row.is == "GraspIt! world"));
    test::for_every_prefix(row.text, [](std::string_view text) { (void)kind_of(text); });
  }
}

TEST_CASE("kinds: a name's suffix decides where the content does not") {
  struct Named {
    std::string_view name, text;
    Kind kind;
  };
  const std::string binary = std::string(80, ' ') + std::string("\1\0\0\0", 4) + std::string(50, '\0');
  const std::string padded = binary + std::string(49, '\0'), longer = binary + std::string(50, '\0');
  const Named rows[] = {
      {"a.cfg", "", Kind::graspit_robot},
      {"A.WLD", "GraspableBody\n", Kind::graspit_world},
      {"a.iv", "anything", Kind::graspit_body},
      {"a.wrl", "", Kind::graspit_body},
      {"a.mdf", "", Kind::mdf},
      {"a.rndf", "", Kind::rndf},
      {"a.obj", " \n", Kind::objects_v1},
      {"a.obj", "v 0 0 0\nf 1 1 1\n", Kind::mesh},
      {"a.stl", "solid part of a hand\n  facet normal 0 0 1\n", Kind::stl},
      {"a.stl", "\n SOLID\nFacet normal 0 0 1\n", Kind::stl},
      {"a.stl", binary, Kind::stl},
      {"a.stl", padded, Kind::stl},
      {"a.stl", longer, Kind::unknown},
      {"a.stl", std::string_view(binary).substr(1), Kind::unknown},
      {"a.txt", "solid ground is\nwhat we need\n", Kind::unknown},
      {"a.sdf", "<gazebo/>", Kind::sdf},
      {"a.sdf", "text", Kind::sdf},
      {"a.urdf", "", Kind::urdf},
      {"a.osm", "<!DOCTYPE html>\n<html></html>\n", Kind::osm},
      {"A.OSM", "{\"elements\": []}", Kind::osm},
      {"a.osm.pbf", "text", Kind::osm},
      {"a.osm", "<gpx/>", Kind::gpx},
      {"a.json", "{\"elements\": []}", Kind::json},
      {"a.cfg", "<World/>", Kind::autosim_world},
      {"a.rndf", "<object_file/>", Kind::objects_v2},
      {"a.wld", "<world/>", Kind::graspit_world},
      {"a.xml", "<world/>", Kind::graspit_world_xml},
      {"a.txt", "", Kind::unknown},
  };
  for (const Named& row : rows) {
    CAPTURE(row.name);
    CAPTURE(row.text);
    CHECK(kind_of(row.name, row.text) == row.kind);
  }
}

TEST_CASE("kinds: every kind but the unknown one is described") {
  for (int i = 1; i <= static_cast<int>(Kind::opendrive); ++i) {
    CHECK_FALSE(describe(static_cast<Kind>(i)).name.empty());
    CHECK_FALSE(describe(static_cast<Kind>(i)).use.empty());
  }
}

TEST_CASE("kinds: what is not a scenario is identified, with the next step in a note") {
  const test::TemporaryFolder folder;
  const auto build = [&](std::string_view name, std::string_view text) {
    test::write_text(folder.file(name), text);
    return scenario::build_scenario(folder.file(name));
  };
  const Row rows[] = {{kRndf, "an RNDF, a road network, not a scenario"},
                      {"<?xml version=\"1.0\"?>\n <osm version=\"0.6\"/>", "an OpenStreetMap map, not a scenario"},
                      {"no file of ours", "not XML, nor of any other known kind"},
                      {"\n", "empty, not a scenario"},
                      {"3\n0 0 29S\nLINE 0 0 10 0 0.5 -1\n", "a Medusa mission, not a scenario"}};
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const scenario::BuildResult result = build("a file", row.text);
    CHECK_FALSE(result.value);
    CHECK_FALSE(result.unreadable);
    REQUIRE(result.diagnostics.items().size() == 2);
    const Diagnostic& error = result.diagnostics.items()[0];
    CHECK(error.code == file_kind::code::kKind.name);
    CHECK_MESSAGE(error.message.find(row.is) != std::string::npos, error.message);
    CHECK(error.at == (row.text.find("<osm") != std::string::npos ? Position{2, 2} : Position{1, 1}));
    CHECK(result.diagnostics.items()[1].severity == Severity::note);
  }
  const scenario::BuildResult network = build("site.rndf", kRndf);
  CHECK(network.diagnostics.items().at(1).message.find("simrun OBJECTS --rndf " + folder.file("site.rndf")) !=
        std::string::npos);
  const scenario::BuildResult blank = build("my site.rndf", kRndf);
  CHECK(blank.diagnostics.items().at(1).message.find("--rndf '" + folder.file("my site.rndf") + "'") != std::string::npos);
  const scenario::BuildResult hostile = build("$(x)`y`.rndf", kRndf);
  CHECK(hostile.diagnostics.items().at(1).message.find("--rndf '" + folder.file("$(x)`y`.rndf") + "';") != std::string::npos);

  // The readers keep what is theirs.
  test::Expected broken(build("broken.xml", "<World").diagnostics);
  broken.take("xml-syntax");
  test::Expected other(build("other.xml", "<kml/>").diagnostics);
  other.take("xml-root", Position{1, 1});
}

TEST_CASE("kinds: a folder that holds a scenario or a trace says so") {
  const test::TemporaryFolder folder;
  test::write_text(folder.file("scenario.xml"), "<World/>");
  const scenario::BuildResult scenario = scenario::build_scenario(folder.path().string());
  REQUIRE(scenario.diagnostics.items().size() == 2);
  CHECK(scenario.diagnostics.items()[0].code == file_kind::code::kKind.name);
  CHECK(scenario.diagnostics.items()[1].message.find(folder.file("scenario.xml")) != std::string::npos);
  test::write_text(folder.file("trace.json"), "{}");
  CHECK(scenario::build_scenario(folder.path().string()).diagnostics.items().at(0).message.find("trace") != std::string::npos);
}

TEST_CASE("kinds: a network that is none is one error") {
  const test::TemporaryFolder folder;
  test::write_text(folder.file("objects.xml"), "<object_file/>");
  test::write_text(folder.file("round.mdf"), kMdf);
  scenario::BuildOptions options;
  options.rndf = folder.file("round.mdf");
  test::Expected problems(build_scenario(folder.file("objects.xml"), options).diagnostics);
  CHECK(problems.take(file_kind::code::kKind, Position{1, 1}).find("not a road network") != std::string::npos);
  problems.drop_notes();
}
