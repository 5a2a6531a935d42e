"""Simulations of robot worlds: load() traces, run() scenarios, step them in a Session (docs/python.md)."""

from .errors import (
    Diagnostic,
    RunFailed,
    SessionDied,
    SessionError,
    SettingError,
    SimbatchError,
    SimrunError,
    SimrunMissing,
    TraceError,
    UnknownName,
)
from .fields import Field, Node
from .runs import run
from .session import Image, Session
from .show import Page, Svg, scene
from .trace import Event, Expectation, Trace, load

__version__ = "0.1.0"
__all__ = [
    "Diagnostic",
    "Event",
    "Expectation",
    "Field",
    "Image",
    "Node",
    "Page",
    "RunFailed",
    "Session",
    "SessionDied",
    "SessionError",
    "SettingError",
    "SimbatchError",
    "SimrunError",
    "SimrunMissing",
    "Svg",
    "Trace",
    "TraceError",
    "UnknownName",
    "load",
    "run",
    "scene",
]
