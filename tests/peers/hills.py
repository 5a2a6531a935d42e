"""Map folders on hills: elevation tiles under a street map, for tests of heights."""
import array
import math
import shutil
import xml.etree.ElementTree as etree

KINDS = {"motorway": 11, "motorway_link": 6, "trunk": 9, "trunk_link": 6, "primary": 9, "primary_link": 6, "secondary": 8, "secondary_link": 6,
         "tertiary": 7, "tertiary_link": 6, "unclassified": 6, "residential": 6, "living_street": 5, "service": 4, "road": 5, "busway": 6}
LIFT = 0.03  # HeightAboveTerrain


def hills(lat, lon):
    """Slopes of up to 6 %."""
    x, y = lon * 111320 * math.cos(math.radians(lat)), lat * 111320
    return 300 + 25 * math.sin(x / 420) * math.cos(y / 530) + 8 * math.sin((x + 2 * y) / 900)


def town_folder(source, folder):
    """The map with a setup and tiles of hills under it. Returns the middle."""
    nodes = [(float(n.get("lat")), float(n.get("lon"))) for n in etree.parse(source).getroot().iter("node")]
    lats, lons = sorted(n[0] for n in nodes), sorted(n[1] for n in nodes)
    lat, lon = (round(values[len(values) // 2], 4) for values in (lats, lons))
    folder.mkdir()
    shutil.copy(source, folder / "map.osm")
    kinds = "".join(f'<{kind} width="{width}" leftPavementWidth="0" rightPavementWidth="0"/>' for kind, width in KINDS.items())
    (folder / "setup.xml").write_text(f"""<Setup name="t"><TerrainSetup><OsmSetup name="t"><NodeOffset lat="{lat}" lon="{lon}"/></OsmSetup>
<RoadDimensions name="t"><HeightAboveTerrain value="{LIFT}"/><CurbHeight value="0.15"/></RoadDimensions>
<HighwayDimensions name="t">{kinds}</HighwayDimensions></TerrainSetup></Setup>""")
    for south in range(math.floor(lats[0]), math.floor(lats[-1]) + 1):
        for west in range(math.floor(lons[0]), math.floor(lons[-1]) + 1):
            name = f"{'NS'[south < 0]}{abs(south):02}{'EW'[west < 0]}{abs(west):03}.hgt"
            rows = array.array("h", (0,)) * 1201**2
            for row in range(1201):
                at = south + 1 - row / 1200
                if lats[0] - 0.1 < at < lats[-1] + 0.1:
                    rows[1201 * row:1201 * (row + 1)] = array.array("h", (round(hills(at, west + k / 1200)) for k in range(1201)))
            rows.byteswap()
            (folder / name).write_bytes(rows.tobytes())
    return lat, lon
