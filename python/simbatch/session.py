"""Simulations in lockstep: the simulator of a Session makes exactly the requested steps, and can be branched.

A simulator is a separate process. Its numbers are in shared memory, so that reading one takes no message; settings are sent with
the next step. Branches are forked from their session's simulator, and live as long as they are used.
"""

from __future__ import annotations

import array
import math
import mmap
import os
import shutil
import socket
import struct
import subprocess
import tempfile
from typing import IO, Any, Iterable, Mapping, Optional, Sequence, Union

from . import arrays, protocol, simrun
from .errors import RunFailed, SessionDied, SessionError, SettingError, SimrunError, UnknownName
from .fields import matching
from .protocol import World
from .runs import Change, file_changes, options, trace_suffix
from .simrun import Path
from .trace import Trace, load

_STEP = struct.Struct("<q")


class Image:
    """A camera's picture: `width` times `height` pixels of four bytes (red, green, blue, alpha), rows from the top."""

    def __init__(self, width: int, height: int, rgba: bytes) -> None:
        self.width = width
        self.height = height
        self.rgba = rgba

    @property
    def array(self) -> Any:
        """numpy.ndarray of uint8, height x width x 4."""
        return arrays.matrix(self.rgba, self.height, self.width, 4)

    def pixel(self, x: int, y: int) -> tuple[int, ...]:
        at = 4 * (y * self.width + x)
        return tuple(self.rgba[at : at + 4])

    def png(self) -> bytes:
        from .show import png

        return png(self.width, self.height, self.rgba)

    def _repr_png_(self) -> bytes:
        return self.png()

    def save(self, path: Path) -> None:
        """Writes a PNG file."""
        with open(path, "wb") as file:
            file.write(self.png())


class _Process:
    """The first simulator of a group of sessions: the others are forked from it, and it ends after them."""

    def __init__(self, words: Sequence[str], channel: socket.socket) -> None:
        self.errors: IO[bytes] = tempfile.TemporaryFile()
        self.sessions = 0
        # A group of its own: Ctrl+C is for this process, which ends the simulator by closing its socket.
        self.popen = subprocess.Popen(
            [simrun.find(), *words, "--diagnostics", "json"], stdin=channel.fileno(), stdout=channel.fileno(), stderr=self.errors, start_new_session=True
        )

    def said(self) -> str:
        self.errors.seek(0)
        return self.errors.read().decode("utf-8", "replace")

    def leave(self) -> None:
        """Called when a session ends; the last one waits for the process."""
        self.sessions -= 1
        if self.sessions == 0:
            try:
                self.popen.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self.kill()
            self.errors.close()

    def kill(self) -> None:
        self.popen.kill()
        self.popen.wait()


class Session:
    """A scenario's simulation, at step 0.

    with simbatch.Session("scenario.xml") as s:
        s.set("car.chassis.drive.acceleration", 0.5)
        s.step(10)
        print(s.get("car.chassis.velocimeter0.speed"))

    `set` replaces values of the scenario's files, as in run(). `rows=True` keeps rows for `trace()` and `save()`, one every
    `every` steps. `ignore_programs=True` runs none of the programs that the scenario names, since this one takes their place.
    The other options are those of run().
    Raises SimrunError if the scenario has errors.
    """

    def __init__(
        self,
        scenario: Path,
        *,
        seed: Optional[int] = None,
        dt: Optional[float] = None,
        set: Optional[Mapping[str, Change]] = None,
        rows: bool = False,
        every: Optional[int] = None,
        hash_every: Optional[int] = None,
        devices: Union[str, Iterable[str]] = (),
        fields: Union[str, Iterable[str]] = (),
        expect: Union[str, Iterable[str]] = (),
        script: Optional[Path] = None,
        controllers: Optional[Mapping[str, str]] = None,
        programs: Optional[Mapping[str, Path]] = None,
        allow_programs: bool = False,
        ignore_programs: bool = False,
        program_timeout: Optional[float] = None,
        isolate: bool = False,
        isolate_read: Union[Path, Iterable[Path]] = (),
        root: Optional[Path] = None,
        rndf: Optional[Path] = None,
    ) -> None:
        words = ["session", os.fspath(scenario)]
        words += options(
            seed=seed, dt=dt, rows=rows, every=every, hash_every=hash_every, devices=devices, fields=fields, expect=expect, script=script
        )
        self._built_with = options(
            root=root,
            rndf=rndf,
            controller=["%s=%s" % pair for pair in (controllers or {}).items()],
            program=["%s=%s" % (robot, os.fspath(p)) for robot, p in (programs or {}).items()],
            allow_programs=allow_programs,
            ignore_programs=ignore_programs,
            program_timeout=program_timeout,
            isolate=isolate,
            isolate_read=isolate_read,
        )
        words += self._built_with + options(set=file_changes(set))
        self._keeps_rows = rows
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        with theirs:
            process = _Process(words, theirs)
        self._begin(process, ours, None)
        self._scenario = os.path.abspath(os.fspath(scenario))

    def _begin(self, process: _Process, channel: socket.socket, world: Optional[World]) -> None:
        self._process, self._channel, self._rest = process, channel, b""
        self._waiting: dict[str, tuple[str, str, float]] = {}
        self._asked = False  # a step is under way: step_begin()
        self._failed: Optional[RunFailed] = None
        process.sessions += 1
        try:
            line, descriptor = self._first_line()
            hello = protocol.read_hello(line)
            if hello.memory <= 0 or descriptor is None:
                raise SessionError("simrun shares no memory")
            self._memory = mmap.mmap(descriptor, hello.memory, access=mmap.ACCESS_READ)
            os.close(descriptor)
        except BaseException:
            self.close()
            raise
        self._view = memoryview(self._memory)[8:].cast("d")
        self.world = hello.world or world or World()
        self._array: Optional[Any] = None

    def _first_line(self) -> tuple[bytes, Optional[int]]:
        descriptor: Optional[int] = None
        data = b""
        while not data.endswith(b"\n"):
            part, descriptors, _, _ = socket.recv_fds(self._channel, 1 << 20, 4)
            for each in descriptors:
                os.set_inheritable(each, False)
                descriptor = each
            if not part:
                raise self._death()
            data += part
        return data, descriptor

    # ---- Lines

    def _death(self) -> Exception:
        """The reason why there is no answer: the scenario's errors, if it has any."""
        if self._channel.fileno() < 0:
            return SessionError("the session is closed")
        popen = self._process.popen
        try:
            exit: Optional[int] = popen.wait(timeout=5 if self._process.sessions == 1 else 0.2)
        except subprocess.TimeoutExpired:  # a branch has died alone
            exit = None
        found, rest = simrun.parse_diagnostics(self._process.said())
        self.close()
        if exit is not None and exit > 0 and any(d.severity == "error" for d in found) or exit == 2:
            return SimrunError(found, exit, rest)
        message = "the simulator has ended"
        if exit is not None:
            message += " by signal %d" % -exit if exit < 0 else " with exit code %d" % exit
        return SessionDied("\n".join(word for word in (message, rest.strip()) if word), exit, found)

    def _send(self, line: bytes) -> None:
        if self._asked:
            raise SessionError("a step is under way: step_end() comes first")
        try:
            self._channel.sendall(line)
        except (ConnectionError, BrokenPipeError):
            raise self._death() from None
        except OSError:
            raise SessionError("the session is closed") from None

    def _receive(self, count: Optional[int] = None) -> bytes:
        """The next line, or the next `count` bytes."""
        data = bytearray(self._rest)
        try:
            while True:
                end = data.find(b"\n") + 1 if count is None else count if len(data) >= count else 0
                if end:
                    self._rest = bytes(data[end:])
                    return bytes(data[:end])
                part = self._channel.recv(1 << 16 if count is None else min(count - len(data), 1 << 20))
                if not part:
                    raise self._death()
                data += part
        except ConnectionError:
            raise self._death() from None
        except OSError:
            raise SessionError("the session is closed") from None
        except KeyboardInterrupt:  # the answer would be taken for that of the next request
            self.close()
            raise

    def _ask(self, do: str, **members: Any) -> dict[str, Any]:
        self._send(protocol.line(do, **members))
        return protocol.read_answer(self._receive())

    # ---- Stepping

    @property
    def steps(self) -> int:
        """Number of completed steps."""
        return int(_STEP.unpack_from(self._memory)[0])

    @property
    def time(self) -> float:
        """Simulated time in s."""
        return self.steps * self.world.dt

    @property
    def dt(self) -> float:
        """Step size in s."""
        return self.world.dt

    def step(self, steps: int = 1) -> int:
        """Applies the pending settings and makes this number of steps. Returns the number of steps since the start.
        Raises RunFailed if the world blows up or a program fails; after that, the session can only be saved."""
        self.step_begin(steps)
        return self.step_end()

    def step_begin(self, steps: int = 1) -> None:
        """The first half of step(): the simulator works while this process can do something else, until step_end()."""
        if self._failed is not None:
            raise self._failed
        if self._waiting:
            self._send(protocol.step_line(steps, self._waiting.values()))
            self._waiting = {}
        else:
            self._send(protocol.step_line(steps, ()))
        self._asked = True

    def step_end(self) -> int:
        if not self._asked:
            raise SessionError("no step is under way")
        self._asked = False
        answer = self._receive()
        done = protocol.stepped(answer)
        if done is not None:
            return done
        members = protocol.read_answer(answer)
        self._failed = RunFailed(protocol.failure(members), 1)
        raise self._failed

    # ---- Values

    def set(self, name: str, value: Optional[float] = None, /, **inputs: float) -> None:
        """Sets an input of a device (`set("car.chassis.drive.steering", 0.3)`), or several (`set("car.chassis.drive",
        steering=0.3)`), before the next step. The device clamps the value to its range. It holds until it is set again."""
        if value is not None:
            self._set(name, value)
        elif not inputs:
            raise SettingError("set: no value for %s" % name)
        for each, number in inputs.items():
            self._set("%s.%s" % (name, each), number)

    def _set(self, name: str, value: float) -> None:
        place = self.world.inputs.get(name)
        if place is None:
            if name in self.world.numbers:
                raise SettingError("%s cannot be set: it is measured" % name)
            raise UnknownName("input", name, self.world.inputs)
        value = float(value)
        if not math.isfinite(value):
            raise SettingError("%s cannot be %r" % (name, value))
        self._waiting.pop(name, None)
        self._waiting[name] = (place.device, place.name, value)

    def get(self, name: str) -> Any:
        """The current value: a number or a text for a field, a dictionary of its fields for a device."""
        number = self.world.numbers.get(name)
        if number is not None:
            return self._numbers()[number.at]
        if name in self.world.texts:
            node, field = self.world.texts[name]
            return self._ask("get", node=node)["texts"][field]
        if name in self.world.nodes:
            return {each[len(name) + 1 :]: self.get(each) for each in self.world.nodes[name]}
        raise UnknownName("field or device", name, [*self.world.numbers, *self.world.texts, *self.world.nodes])

    def _numbers(self) -> Any:
        try:
            return self._view
        except AttributeError:
            raise SessionError("the session is closed") from None

    @property
    def names(self) -> list[str]:
        """Full names of all fields that are numbers."""
        return list(self.world.numbers)

    @property
    def inputs(self) -> list[str]:
        """Full names of all inputs that can be set."""
        return list(self.world.inputs)

    @property
    def values(self) -> Any:
        """All numbers as a read-only numpy.ndarray that is always current; places() returns the indexes of fields in it."""
        if self._array is None:
            self._array = arrays.read_only(arrays.needed("numpy", "Session.values").frombuffer(self._memory, "<f8", offset=8))
        return self._array

    def places(self, *names: str) -> Any:
        """Indexes of fields in `values`; `*` and `?` are allowed: `s.values[s.places("*.psd0.distance")]`."""
        found = []
        for name in names:
            matches = matching(name, self.names) if "*" in name or "?" in name else [name] if name in self.world.numbers else []
            if not matches:
                raise UnknownName("number", name, self.world.numbers)
            found += [self.world.numbers[each].at for each in matches]
        numpy = arrays.optional("numpy")
        return numpy.array(found, dtype="intp") if numpy is not None else array.array("q", found)

    def image(self, camera: str) -> Image:
        """What a camera currently sees."""
        if camera not in self.world.cameras:
            raise UnknownName("camera", camera, self.world.cameras)
        try:
            head = self._ask("image", camera=camera)
            rgba = self._receive(int(head["bytes"]))
        except KeyboardInterrupt:  # between the two, the pixels would be taken for the next answer
            self.close()
            raise
        return Image(head["width"], head["height"], rgba)

    # ---- Runs

    def fork(self) -> Session:
        """An exact branch: another simulator that continues from the current state. The two do not affect each other."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        with theirs:
            if self._asked:
                ours.close()
                raise SessionError("a step is under way: step_end() comes first")
            try:
                socket.send_fds(self._channel, [protocol.line("fork")], [theirs.fileno()])
                protocol.read_answer(self._receive())
            except SessionError:
                ours.close()
                raise
            except OSError:
                ours.close()
                raise self._death() from None
        branch = Session.__new__(Session)
        branch._begin(self._process, ours, self.world)
        branch._scenario, branch._built_with, branch._keeps_rows = self._scenario, self._built_with, self._keeps_rows
        branch._waiting = dict(self._waiting)
        return branch

    @property
    def state_hash(self) -> str:
        """Hash over all states so far: equal hashes mean equal runs."""
        return str(self._ask("hash")["state_hash"])

    def save(self, trace: Optional[Path] = None, *, script: Optional[Path] = None) -> None:
        """Writes a trace of the run so far (`rows=True`), with the same bytes as a batch run of as many steps with the same
        settings, or a script of the settings. The session continues."""
        if trace is not None and not self._keeps_rows:
            raise SessionError("the session keeps no rows for a trace: open it with Session(..., rows=True)")
        members = {k: os.path.abspath(os.fspath(v)) for k, v in (("trace", trace), ("script", script)) if v is not None}
        self._ask("save", **members)

    def trace(self) -> Trace:
        """The trace of the run so far (`rows=True`)."""
        folder = tempfile.mkdtemp(prefix="simbatch-")
        try:
            path = os.path.join(folder, "run" + trace_suffix())
            self.save(path)
            made = load(path)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        made._take_folder(folder)
        made._made_from, made._built_with = self._scenario, self._built_with
        return made

    def close(self) -> None:
        """Ends the simulator. Its branches continue. Closing twice is allowed."""
        if self._channel.fileno() < 0:
            return
        self._channel.close()
        self._asked = False
        if hasattr(self, "_view"):
            self._view.release()
            del self._view
        self._process.leave()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_process") and hasattr(self, "_channel"):
            self.close()

    def __repr__(self) -> str:
        if self._channel.fileno() < 0:
            return "<session of %s, closed>" % self.world.scenario
        return "<session of %s, step %d, %.6g s>" % (self.world.scenario, self.steps, self.time)
