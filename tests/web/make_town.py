"""A town with thousands of houses and a hundred cars, as a scenario: of an OSM file, or of streets in a grid that are made here."""
import math, pathlib, random, re, shutil, struct, subprocess, xml.etree.ElementTree as ET, zlib

METERS = 111_320.0  # per degree of latitude
SIZE = 3072  # m, of the terrain
HEIGHTS = 32  # across it
CARS = 100


def grid(file):
    """14 x 14 streets, 110 m apart and slightly bent, with land of several uses between them."""
    rng, lat0, lon0, n, block = random.Random(4), -31.98, 115.82, 14, 110
    at = lambda east, north: (lat0 + north / METERS, lon0 + east / METERS / math.cos(math.radians(lat0)))
    lines, ways, half = [], [], (n - 1) / 2
    for y in range(n):
        for x in range(n):
            lat, lon = at((x - half) * block + rng.uniform(-9, 9), (y - half) * block + rng.uniform(-9, 9))
            lines.append(f'<node id="{1 + y * n + x}" lat="{lat:.7f}" lon="{lon:.7f}"/>')
    way = lambda nodes, tags: ways.append(f'<way id="{len(ways) + 1}">' + "".join(f'<nd ref="{node}"/>' for node in nodes) +
                                          "".join(f'<tag k="{k}" v="{v}"/>' for k, v in tags.items()) + "</way>")
    for i in range(n):
        for of, nodes in (("East", range(1 + i * n, 1 + i * n + n)), ("North", range(1 + i, 1 + i + n * n, n))):
            way(nodes, {"highway": "tertiary" if i % 5 == 2 else "residential", "name": f"{of} {i}"})
    for x, y, blocks, use in ((2, 2, 3, "retail"), (8, 3, 3, "commercial"), (3, 9, 3, "industrial")):
        corner = lambda dx, dy: 1 + (y + dy * blocks) * n + x + dx * blocks
        way([corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1), corner(0, 0)], {"landuse": use})
    (south, west), (north, east) = at(-half * block - 60, -half * block - 60), at(half * block + 60, half * block + 60)
    bounds = f'<bounds minlat="{south:.7f}" minlon="{west:.7f}" maxlat="{north:.7f}" maxlon="{east:.7f}"/>'
    file.write_text("\n".join(['<?xml version="1.0" encoding="UTF-8"?>', '<osm version="0.6">', bounds, *lines, *ways, "</osm>", ""]))


def heights(file):
    """A gray picture of low hills."""
    rows = b"".join(b"\0" + bytes(int(60 + 50 * math.sin(x / 4) * math.cos(y / 5)) for x in range(HEIGHTS + 1)) for y in range(HEIGHTS + 1))
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    file.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", HEIGHTS + 1, HEIGHTS + 1, 8, 0, 0, 0, 0)) +
                     chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def parking(osm, lat0, lon0):
    """Places in the middle of streets, some way from each other: latitude, longitude, heading."""
    east = METERS * math.cos(math.radians(lat0))
    nodes = {node.get("id"): ((float(node.get("lon")) - lon0) * east, (float(node.get("lat")) - lat0) * METERS) for node in osm.iter("node")}
    spots = []
    for way in osm.iter("way"):
        if not any(tag.get("k") == "highway" and tag.get("v") in ("residential", "tertiary", "secondary", "primary", "unclassified", "service")
                   for tag in way.iter("tag")):
            continue
        path = [nodes[each.get("ref")] for each in way.iter("nd") if each.get("ref") in nodes]
        for (x0, y0), (x1, y1) in zip(path, path[1:]):
            if math.hypot(x1 - x0, y1 - y0) > 40 and max(map(abs, (x0, y0, x1, y1))) < SIZE / 3:
                spots.append(((x0 + x1) / 2, (y0 + y1) / 2, math.degrees(math.atan2(x1 - x0, y1 - y0))))
    random.Random(1).shuffle(spots)
    taken = []
    for spot in spots:
        if len(taken) < CARS and all(math.dist(spot[:2], other[:2]) > 25 for other in taken):
            taken.append(spot)
    return [(lat0 + y / METERS, lon0 + x / east, heading) for x, y, heading in taken]


def make_town(folder, root, osmgen, osm=None):
    """@return the scenario's file, and how many houses and trees osmgen placed"""
    ready = pathlib.Path(root) / "scenarios/circle_town"
    folder, bare = pathlib.Path(folder), pathlib.Path(folder) / "streets.osm"
    (folder / "map").mkdir(parents=True)
    shutil.copy(ready / "map/houses.xml", folder / "map")
    shutil.copy(ready / "impreza.xml", folder)
    if osm:
        shutil.copyfile(osm, bare)
    else:
        grid(bare)
    streets = ET.parse(bare).getroot()
    bounds = streets.find("bounds").attrib
    lat0, lon0 = ((float(bounds["min" + each]) + float(bounds["max" + each])) / 2 for each in ("lat", "lon"))
    setup = (ready / "map/setup.xml").read_text().replace('width="512" height="512"', f'width="{SIZE}" height="{SIZE}"')
    setup = re.sub(r'<NodeOffset [^>]*>', f'<NodeOffset lat="{lat0}" lon="{lon0}"/>', setup).replace('<TileSize value="64"/>', f'<TileSize value="{SIZE}"/>')
    setup = setup.replace('<HeightDataPerArea value="8"/>', f'<HeightDataPerArea value="{HEIGHTS}"/>')
    (folder / "map/setup.xml").write_text(setup)
    heights(folder / "map/heightmap.png")
    subprocess.run([osmgen, bare, "-o", folder / "map/map.osm", "--setup", folder / "map/setup.xml", "--houses", folder / "map/houses.xml", "--style", "rows",
                    "--street-distance", "8", "--house-distance", "3", "-q"], check=True)
    cars = "".join(f"""
    <Robot name="car{i}" file="impreza.xml">
      <Position latitude="{lat:.7f}" longitude="{lon:.7f}"/>
      <Heading value="{heading:.3f}"/>
      <Control time="0.1" device="chassis.drive_chassis" acceleration="0.3" steering="0" brake="0"/>
      <Control time="0.2" device="chassis.headlight_left" value="1"/>
    </Robot>""" for i, (lat, lon, heading) in enumerate(parking(streets, lat0, lon0)))
    scenario = folder / "scenario.xml"
    scenario.write_text(f"""<?xml version="1.0" encoding="UTF-8"?>
<World name="town">
  <Physics><Engine name="bullet"><StepSize value="0.005"/><Friction value="0.9"/><Seed value="12"/></Engine></Physics>
  <Terrain><Map name="town"><Folder path="map"/></Map></Terrain>
  <Objects>{cars}
  </Objects>
</World>
""")
    return scenario, (folder / "map/map.osm").read_text().count("simbatch:generated")
