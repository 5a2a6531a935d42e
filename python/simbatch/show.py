"""What notebooks display: charts by `simrun plot`, the page of `simrun replay`."""

from __future__ import annotations

import html
import os
import tempfile
from typing import TYPE_CHECKING, Any, Optional, Sequence

from . import simrun
from .errors import SimbatchError
from .fields import Field
from .runs import options, run
from .simrun import Path

if TYPE_CHECKING:
    from .trace import Trace


class Svg:
    """A picture: notebooks display it, `save()` writes it, `text` is its SVG source."""

    def __init__(self, text: str) -> None:
        self.text = text

    def _repr_svg_(self) -> str:
        return self.text

    def save(self, path: Path) -> None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.text)


class Page:
    """A page: notebooks display it in a frame, `save()` writes it for a browser, `text` is its HTML source."""

    def __init__(self, text: str, height: int = 600) -> None:
        self.text = text
        self.height = height

    def _repr_html_(self) -> str:
        # The frame has no origin of its own: the page cannot touch the notebook.
        return '<iframe sandbox="allow-scripts" style="width:100%%;height:%dpx;border:0" srcdoc="%s"></iframe>' % (
            self.height,
            html.escape(self.text, quote=True),
        )

    def save(self, path: Path) -> None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.text)


def _made(command: str, words: Sequence[str], suffix: str) -> str:
    with tempfile.TemporaryDirectory(prefix="simbatch-") as folder:
        made = os.path.join(folder, "made" + suffix)
        simrun.call([command, *words, "-o", made])
        with open(made, encoding="utf-8") as file:
            return file.read()


def plot(trace: Trace, patterns: Sequence[str], columns: int) -> Svg:
    for pattern in patterns:
        trace.match(pattern + "*") or trace[pattern]  # a name that is wrong is an error here
    return Svg(_made("plot", [trace.path, *options(devices=list(patterns), columns=columns)], ".svg"))


def replay(trace: Trace, scenario: Optional[Path], every: Optional[int]) -> Page:
    words = [trace.path, *options(scenario=scenario or trace._made_from, every=every), *trace._built_with]
    return Page(_made("replay", words, ".html"))


def scene(scenario: Path, **how: Any) -> Page:
    """The world of a scenario at the start, in 3D, which notebooks display. Its programs are not run. @param how  options of run()"""
    chosen: dict[str, Any] = {"ignore_programs": True, **how}
    page: Page = run(scenario, 0, **chosen).replay()
    return page


# ---- Short pictures, without simrun

_WIDTH, _HEIGHT, _POINTS = 420, 120, 400


def field_html(field: Field) -> str:
    unit = "" if field.unit in ("", "1") else " [%s]" % field.unit
    title = "<b>%s</b>%s" % (html.escape(field.name), html.escape(unit))
    if field.type == "text":
        return "<div>%s<pre>%s</pre></div>" % (title, html.escape("".join(field.values[:5])))
    return "<div>%s<br>%s</div>" % (title, line_svg(field))


def line_svg(field: Field) -> str:
    """A chart over time: the smallest and the largest value in each interval that is one point wide."""
    values, count = field.values, len(field)
    if count == 0:
        return "<i>no rows</i>"
    part = max(1, -(-count // _POINTS))
    low, high = float(min(values)), float(max(values))
    scale = (high - low) or 1.0
    points = []
    for start in range(0, count, part):
        cut = values[start : start + part]
        x = (_WIDTH - 1) * (start / max(1, count - 1))
        for value in (float(min(cut)), float(max(cut))) if part > 1 else (float(cut[0]),):
            points.append("%.1f,%.1f" % (x, 4 + (_HEIGHT - 8) * (1 - (value - low) / scale)))
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d">'
        '<rect width="%d" height="%d" fill="#f6f7f9"/><polyline fill="none" stroke="#1f5fa8" stroke-width="1.4" points="%s"/></svg>'
        "<br><small>%s to %s, %s to %s s</small>"
        % (
            *(_WIDTH, _HEIGHT) * 3,
            " ".join(points),
            _short(low),
            _short(high),
            _short(field.time[0]),
            _short(field.time[-1]),
        )
    )


def _short(number: Any) -> str:
    return "%.6g" % number


def _table(rows: Sequence[Sequence[str]]) -> str:
    return "<table>%s</table>" % "".join("<tr>%s</tr>" % "".join("<td>%s</td>" % html.escape(cell) for cell in row) for row in rows)


def node_html(trace: Trace, name: str) -> str:
    rows = [(f.name, f.unit, f.frame, _short(f[-1]) if f.type != "text" and len(f) else "") for f in trace.fields if f.name.startswith(name + ".")]
    return "<div><b>%s</b>%s</div>" % (html.escape(name), _table([("field", "unit", "frame", "last"), *rows]))


def trace_html(trace: Trace) -> str:
    """A summary, and the charts of `simrun plot` if simrun is available."""
    end = trace.time[-1] if len(trace) else 0.0
    rows = [
        ("scenario", "%s, seed %d" % (trace.scenario, trace.seed)),
        ("rows", "%d, %s s" % (len(trace), _short(end))),
        ("devices", "%d with %d fields" % (len(trace.devices), len(trace.names))),
        ("end", trace.outcome + (": " + trace.message if trace.message else "")),
        *(("expectation", "%s %s" % (e.name, e.verdict)) for e in trace.expectations),
    ]
    picture = ""
    try:
        picture = trace.plot().text
    except (SimbatchError, OSError):
        pass  # a summary is better than nothing
    return "<div>%s%s</div>" % (_table(rows), picture[picture.find("<svg") :] if picture else "")


def png(width: int, height: int, rgba: bytes) -> bytes:
    """A PNG of these pixels, rows from the top (RFC 2083; no filter)."""
    import struct
    import zlib

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + rgba[4 * width * y : 4 * width * (y + 1)] for y in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 6)) + chunk(b"IEND", b"")


