"""The lines that a session exchanges with `simrun session` (docs/python.md, "The protocol"), without any input or output."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Iterable, Mapping, Optional

from .errors import Diagnostic, SessionError

PROTOCOL = 1

Settings = Iterable["tuple[str, str, float]"]


@dataclass(frozen=True)
class Input:
    """An input that can be set, and the range to which the device clamps values."""

    device: str
    name: str
    unit: str
    lower: float
    upper: float


@dataclass(frozen=True)
class Number:
    """A number that can be read: its index among all numbers."""

    name: str  # full
    unit: str
    frame: str
    at: int


@dataclass
class World:
    """The contents of a simulation, from the hello of its session."""

    scenario: str = ""
    simulator: str = ""
    seed: int = 0
    dt: float = 0.0
    numbers: dict[str, Number] = field(default_factory=dict)
    texts: dict[str, tuple[str, str]] = field(default_factory=dict)  # full name: node and field
    inputs: dict[str, Input] = field(default_factory=dict)
    nodes: dict[str, list[str]] = field(default_factory=dict)  # full names of the fields of each
    kinds: dict[str, str] = field(default_factory=dict)
    cameras: dict[str, tuple[int, int]] = field(default_factory=dict)  # width and height
    files: dict[str, str] = field(default_factory=dict)  # digests


@dataclass(frozen=True)
class Hello:
    step: int
    memory: int  # bytes that are shared
    world: Optional[World]  # None: that of the session from which this one branches


def read_hello(line: bytes) -> Hello:
    try:
        members = json.loads(line)["hello"]
        if members["protocol"] != PROTOCOL:
            raise SessionError("simrun speaks protocol %r, this package %d: install the same version of both" % (members["protocol"], PROTOCOL))
        world = _world(members) if "nodes" in members else None
        return Hello(int(members["step"]), int(members["memory"]), world)
    except (ValueError, KeyError, TypeError, IndexError):
        raise SessionError("simrun's first line is not that of a session: %.200r" % line) from None


def _world(members: Mapping[str, Any]) -> World:
    world = World(members["scenario"], members["simulator"], int(members["seed"]), float(members["dt"]))
    world.files = {each["name"]: each["digest"] for each in members["inputs"]}
    for node in members["nodes"]:
        name, at = node["name"], int(node["at"])
        world.nodes[name], world.kinds[name] = [], node["kind"]
        for i, (short, unit, frame, kind) in enumerate(node["fields"]):
            whole = "%s.%s" % (name, short)
            world.nodes[name].append(whole)
            if kind == "text":
                world.texts[whole] = (name, short)
                continue
            world.numbers[whole] = Number(whole, unit, frame, at)
            at += 1
            if i < len(node.get("inputs", ())):
                lower, upper = node["inputs"][i]
                world.inputs[whole] = Input(name, short, unit, float(lower), float(upper))
        if "image" in node:
            world.cameras[name] = (int(node["image"][0]), int(node["image"][1]))
    return world


def step_line(steps: int, settings: Settings) -> bytes:
    if not settings:
        return b'{"do":"step","steps":%d}\n' % steps
    return b'{"do":"step","steps":%d,"set":%s}\n' % (steps, json.dumps(list(settings), allow_nan=False, separators=(",", ":")).encode())


def line(do: str, **members: Any) -> bytes:
    return json.dumps({"do": do, **members}, separators=(",", ":")).encode() + b"\n"


def stepped(answer: bytes) -> Optional[int]:
    """The step of an answer that contains nothing else."""
    if answer.startswith(b'{"step":') and answer.endswith(b"}\n"):
        digits = answer[8:-2]
        if digits.isdigit():
            return int(digits)
    return None


def read_answer(answer: bytes) -> dict[str, Any]:
    """The members of an answer. Raises SessionError if it reports a problem with the request."""
    try:
        members = json.loads(answer)
        assert isinstance(members, dict)
    except (ValueError, AssertionError):
        raise SessionError("simrun's answer is none: %.200r" % answer) from None
    if "problem" in members:
        raise SessionError(str(members["problem"]))
    return members


def failure(members: Mapping[str, Any]) -> list[Diagnostic]:
    return [Diagnostic.of(each) for each in members.get("failed", ())]
