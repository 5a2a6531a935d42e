"""Traces: what the devices of a run measured, and what the run was made from (docs/formats/trace.md)."""

from __future__ import annotations

import os
import shutil
import weakref
from dataclasses import dataclass
from typing import Any, Iterator, Optional, Sequence, Union

from . import arrays
from .errors import UnknownName, reading
from .fields import Field, Node, matching
from .formats.opening import open_source
from .formats.source import Source, column_names
from .simrun import Path


@dataclass(frozen=True)
class Expectation:
    """The outcome of an expectation of the run (docs/expectations.md)."""

    name: str
    text: str
    verdict: str  # "holds", "fails" or "undecided"
    margin: Optional[float]  # in `unit`; None: an event decides, or there was nothing to check
    unit: str
    step: Optional[int]  # at which the margin is smallest
    time: Optional[float]  # s, of that step
    condition: str  # the comparison that decides
    decided: Optional[int] = None  # the step after which the verdict is final; None: at the end

    @property
    def holds(self) -> bool:
        return self.verdict == "holds"


@dataclass(frozen=True)
class Event:
    """An event of a run: "set" (a setting from outside), "expectation" (its verdict was decided), "end"."""

    step: int
    time: float  # s
    kind: str
    text: str
    name: str = ""  # of the device's input, or of the expectation
    value: Optional[float] = None


class Trace:
    """An open trace. `trace["car.chassis.psd0.distance"]` is a field, as is `trace.car.chassis.psd0.distance`; values are read
    on first use. Close it, or use it in `with`, to release its file early."""

    def __init__(self, source: Source, path: str) -> None:
        self._source = source
        self._made_from: Optional[str] = None  # the scenario's path, where it is known
        self._built_with: list[str] = []  # options of simrun
        self.path = path
        self.document = source.document
        self._places: dict[str, tuple[int, int]] = {}
        for d, names in enumerate(column_names(self.document)):
            for f, name in enumerate(names):
                self._places[name] = (d, f)
        self._fields: dict[str, Field] = {}
        self._branches: Optional[set[str]] = None
        self._steps: Optional[Any] = None
        self._time: Optional[Any] = None

    # ---- The run

    @property
    def scenario(self) -> str:
        """Name of the scenario's file."""
        return str(self.document.get("scenario", ""))

    @property
    def seed(self) -> int:
        with reading(self.path, "the seed"):
            return int(self.document.get("seed", 0))

    @property
    def dt(self) -> float:
        """Step size in s."""
        return float(self.document["dt"])

    @property
    def inputs(self) -> dict[str, str]:
        """Digest (XXH3-64) of every input file."""
        with reading(self.path, "the list of inputs"):
            return {str(i["name"]): str(i["digest"]) for i in self.document.get("inputs", [])}

    @property
    def outcome(self) -> str:
        """ "complete", "failed", "interrupted", or "cut" where the file has no end."""
        return str(self._end.get("outcome", "cut"))

    @property
    def message(self) -> str:
        """Why the run failed; empty if it did not."""
        return str(self._end.get("message", ""))

    @property
    def state_hash(self) -> str:
        """Hash over all states of the run: equal hashes mean equal runs."""
        return str(self._end.get("state_hash", ""))

    @property
    def _end(self) -> dict[str, Any]:
        end = self.document.get("end")
        return end if isinstance(end, dict) else {}

    @property
    def expectations(self) -> list[Expectation]:
        with reading(self.path, "an expectation"):
            return [
                Expectation(
                    name=str(e["name"]),
                    text=str(e["text"]),
                    verdict=str(e["verdict"]),
                    margin=e.get("margin"),
                    unit=str(e.get("unit", "")),
                    step=e.get("step"),
                    time=e.get("time"),
                    condition=str(e.get("condition", "")),
                    decided=e.get("decided"),
                )
                for e in self._end.get("expectations", [])
            ]

    @property
    def holds(self) -> bool:
        """True if the run is complete and no expectation fails or is undecided."""
        return self.outcome == "complete" and all(e.holds for e in self.expectations)

    @property
    def events(self) -> list[Event]:
        """Events in the order of their steps: settings from outside, verdicts of expectations, the end."""
        with reading(self.path, "an event"):
            found = []
            for s in self.document.get("script", []):
                name = "%s.%s" % (s["device"], s["input"])
                found.append(Event(s["step"], s["step"] * self.dt, "set", "%s = %r" % (name, s["value"]), name, s["value"]))
            if self._end:
                last = int(self._end.get("steps", 0))
                for e in self.expectations:
                    step = last if e.decided is None else e.decided
                    if e.verdict != "undecided":
                        found.append(Event(step, step * self.dt, "expectation", "%s %s" % (e.name, e.verdict), e.name, e.margin))
                text = self.outcome + (": " + self.message if self.message else "")
                found.append(Event(last, last * self.dt, "end", text))
            return sorted(found, key=lambda event: event.step)

    # ---- Rows

    @property
    def steps(self) -> Any:
        """The step of each row, as an array."""
        if self._steps is None:
            with reading(self.path, "step"):
                self._steps = arrays.read_only(self._source.steps())
        return self._steps

    @property
    def time(self) -> Any:
        """The time (s) of each row, as an array."""
        if self._time is None:
            self._time = arrays.read_only(arrays.times(self.steps, self.dt))
        return self._time

    def __len__(self) -> int:
        return len(self.steps)

    # ---- Names

    @property
    def names(self) -> list[str]:
        """Full names of all fields, in the order of the devices."""
        return list(self._places)

    @property
    def fields(self) -> list[Field]:
        return [self._field(name) for name in self._places]

    @property
    def devices(self) -> list[str]:
        """Full names of all nodes that have values."""
        return [str(d["name"]) for d in self.document["devices"]]

    def match(self, pattern: str) -> list[Field]:
        """Fields whose names match `*` (dots included) and `?`."""
        return [self._field(name) for name in matching(pattern, self.names)]

    def _field(self, name: str) -> Field:
        if name not in self._fields:
            self._fields[name] = Field(self, name, *self._places[name])
        return self._fields[name]

    def _node(self, name: str) -> Optional[Node]:
        if self._branches is None:
            self._branches = set()
            for each in [*self._places, *(d + "." for d in self.devices)]:
                parts = each.split(".")[:-1]
                self._branches.update(".".join(parts[: i + 1]) for i in range(len(parts)))
        return Node(self, name) if name in self._branches else None

    def __getitem__(self, name: str) -> Union[Field, Node]:
        if name in self._places:
            return self._field(name)
        node = self._node(name)
        if node is None:
            raise UnknownName("field or device", name, [*self._places, *(self._branches or ())])
        return node

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def __contains__(self, name: str) -> bool:
        return name in self._places or self._node(name) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *(name.partition(".")[0] for name in self._places)})

    # ---- Elsewhere

    def to_pandas(self, fields: Union[str, Sequence[str]] = "*", texts: bool = True) -> Any:
        """A pandas.DataFrame over time, with a column for each matching field. Units are in `frame.attrs["units"]`."""
        pandas = arrays.needed("pandas", "Trace.to_pandas")
        patterns = [fields] if isinstance(fields, str) else list(fields)
        chosen: dict[str, Field] = {}
        for pattern in patterns:
            found = self.match(pattern)
            if not found:
                raise UnknownName("field", pattern, self.names)
            chosen.update((f.name, f) for f in found if texts or f.type != "text")
        frame = pandas.DataFrame({n: f.values for n, f in chosen.items()}, index=pandas.Index(self.time, name="time"))
        frame.attrs.update(units={n: f.unit for n, f in chosen.items()}, frames={n: f.frame for n, f in chosen.items()})
        return frame

    def save(self, path: Path) -> None:
        """Writes the trace in the format that the suffix determines, using simrun."""
        from . import simrun

        simrun.call(["convert", self.path, "-o", os.path.abspath(os.fspath(path))])

    def plot(self, *patterns: str, columns: int = 2) -> Any:
        """A picture, which notebooks display: charts of all sensors, or of matching devices."""
        from .show import plot

        return plot(self, patterns, columns)

    def replay(self, scenario: Optional[Path] = None, every: Optional[int] = None) -> Any:
        """The replay page of the run in 3D, which notebooks display. @param scenario  its path, if it is neither known nor beside the trace"""
        from .show import replay

        return replay(self, scenario, every)

    def _take_folder(self, folder: str) -> None:
        """The file is in a temporary folder, which is deleted with this object."""
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)

    def close(self) -> None:
        """Closes the file. Values that have been read remain available."""
        self._source.close()

    def __enter__(self) -> Trace:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return "<trace of %s: %d rows of %d fields, %s>" % (self.scenario, len(self), len(self._places), self.outcome)

    def _repr_html_(self) -> str:
        from .show import trace_html

        return trace_html(self)


def load(path: Path) -> Trace:
    """Opens a trace of any format: JSON, NDJSON, folders of CSV tables, wide tables, Parquet, NPZ, MAT and recordings here; MCAP and
    compressed JSON by `simrun convert`. Raises TraceError for anything else."""
    name = os.path.abspath(os.fspath(path))
    with reading(name, "the header"):
        return Trace(open_source(name), name)
