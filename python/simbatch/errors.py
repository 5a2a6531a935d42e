"""What can go wrong.

SimbatchError
    UnknownName         (KeyError, AttributeError)  the caller's: no field, device or part has this name
    SettingError        (ValueError)                the caller's: a value that a device cannot take
    TraceError          (ValueError)                the file's: not a trace, or damaged, whoever found out
    SimrunMissing       (FileNotFoundError)         the machine's: there is no simrun
    SimrunError         simrun refused: `diagnostics` says what, where and why
        RunFailed       the run failed: `trace` has everything up to then
    SessionError        (RuntimeError)              a session that is closed, or cannot do what was requested
        SessionDied     its simulator has ended: `exit` and its diagnostics
"""

from __future__ import annotations

import contextlib
import difflib
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Mapping, Optional, Sequence

if TYPE_CHECKING:
    from .trace import Trace


@dataclass(frozen=True)
class Diagnostic:
    """One problem of an input, as simrun reports it (docs/diagnostics.md). Line and column count from 1; 0: unknown."""

    severity: str
    message: str
    code: str = ""
    file: str = ""
    line: int = 0
    column: int = 0

    @classmethod
    def of(cls, members: Mapping[str, Any]) -> Diagnostic:
        return cls(
            severity=str(members.get("severity", "error")),
            message=str(members.get("message", "")),
            code=str(members.get("code", "")),
            file=str(members.get("file", "")),
            line=int(members.get("line", 0)),
            column=int(members.get("column", 0)),
        )

    def __str__(self) -> str:
        place = self.file
        if self.line > 0:
            place += ":%d:%d" % (self.line, self.column)
        text = "%s: %s" % (self.severity, self.message)
        if place:
            text = place + ": " + text
        return text + " [%s]" % self.code if self.code else text


class SimbatchError(Exception):
    """Base class of all exceptions that this package raises."""


class UnknownName(SimbatchError, KeyError, AttributeError):
    """No field, device or part has this name. `near` lists similar names."""

    def __init__(self, what: str, name: str, known: Iterable[str]) -> None:
        self.near = nearest(name, known)
        message = "there is no %s %r" % (what, name)
        if self.near:
            message += ", did you mean %s?" % " or ".join(repr(n) for n in self.near)
        super().__init__(message)

    def __str__(self) -> str:
        return str(self.args[0])


class SettingError(SimbatchError, ValueError):
    """A value that a device cannot take."""


class TraceError(SimbatchError, ValueError):
    """The file is not a trace, or is damaged. `diagnostics` are those of simrun, if it read the file."""

    def __init__(self, message: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        self.diagnostics = list(diagnostics)
        super().__init__(message)


class SimrunMissing(SimbatchError, FileNotFoundError):
    """There is no simrun on this machine, or it was not found."""


class SimrunError(SimbatchError):
    """simrun refused. `diagnostics` are those of simrun, `exit` is its exit code, `output` everything else that it printed."""

    def __init__(self, diagnostics: Sequence[Diagnostic], exit: Optional[int], output: str = "") -> None:
        self.diagnostics = list(diagnostics)
        self.exit = exit
        self.output = output
        lines = [str(d) for d in self.diagnostics if d.severity == "error"] or [str(d) for d in self.diagnostics]
        super().__init__("\n".join(lines) or output.strip() or "simrun ended with exit code %s" % exit)


class RunFailed(SimrunError):
    """The run failed: the world blew up, or a program crashed. `trace` has everything up to then."""

    def __init__(self, diagnostics: Sequence[Diagnostic], exit: Optional[int], output: str = "", trace: Optional[Trace] = None):
        super().__init__(diagnostics, exit, output)
        self.trace = trace


class SessionError(SimbatchError, RuntimeError):
    """The session is closed, or cannot do what was requested."""


class SessionDied(SessionError):
    """The session's simulator has ended unexpectedly."""

    def __init__(self, message: str, exit: Optional[int], diagnostics: Sequence[Diagnostic] = ()) -> None:
        self.exit = exit
        self.diagnostics = list(diagnostics)
        super().__init__("\n".join([message] + [str(d) for d in self.diagnostics]))


@contextlib.contextmanager
def reading(file: str, what: str) -> Iterator[None]:
    """Turns every exception that a damaged file causes into a TraceError."""
    try:
        yield
    except SimbatchError:
        raise
    except (ArithmeticError, EOFError, LookupError, RuntimeError, TypeError, ValueError, struct.error) as error:
        raise TraceError("%s: %s is damaged: %s" % (file, what, error)) from None


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """Up to three of the names that look like this one, best first. A name's last part alone is enough."""
    names = list(known)
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.75)
    if not near:
        last = name.rpartition(".")[2]
        near = [n for n in names if n == last or n.endswith("." + last)][:3]
    return near
