"""Control a robot of simrun from Python: simrun SCENARIO --controller ROBOT="python3 program.py" ...

    import simbatch_client as sim

    light = sim.robot() + ".chassis.headlight_left"
    while True:
        (angle,) = sim.get_data(sim.robot() + ".chassis.inclino0")
        sim.set_data(light, 1.0 if angle < 0 else 0.0)
        sim.sleep(300)

The calls are those of UserProgramAPI.h, and answer the same: numbers are the floats that getData hands out, as Python
floats of the same value. Time is the simulation's; it advances in sleep() and sleep_until() only, not while the program
runs. When the run is over, the program ends in its sleep (SimulationEnded, a SystemExit).

The protocol (docs/controllers.md) has standard input and output to itself: from the import of this module on, print() and
the like go to standard error, and standard input is empty. (Only where both are pipes, as simrun makes them.)

Needs nothing but Python 3.7 or newer. License: Apache-2.0.
"""

import base64
import enum
import json
import os
import stat
import struct
import sys

PROTOCOL = 1


class SimDeviceError(enum.IntEnum):
    """What getData and setData return (UserProgramAPI.h)."""

    NO_DEVICE_ERROR = 0
    UNKNOWN_ROBOT = 1
    UNKNOWN_DEVICE = 2
    INVALID_DEVICE = 3
    INVALID_OPERATION = 4
    DATA_SIZE_MISMATCH = 5


class SimDeviceStatus(enum.IntFlag):
    """What deviceStatus returns (UserProgramAPI.h)."""

    INVALID = 0
    READY = 1
    BLOCKED = 2
    ACTIVE = 4
    PAUSED = 8


class DeviceError(Exception):
    """A device did not answer. `error` is a SimDeviceError, `device` the requested name."""

    def __init__(self, device, error, detail=""):
        super().__init__("%s: %s%s" % (device, error.name, detail))
        self.device = device
        self.error = error


class ProtocolError(Exception):
    """The other side is not a simulator with this protocol."""


class SimulationEnded(SystemExit):
    """The run is over. Ends the program quietly, unless it is caught."""

    def __init__(self):
        super().__init__(0)


class Image:
    """A camera's picture. `rgba` has width * height pixels of four bytes, rows from the top."""

    def __init__(self, width, height, rgba):
        self.width = width
        self.height = height
        self.rgba = rgba

    def pixel(self, x, y):
        """(red, green, blue, alpha), 0 to 255 each."""
        at = 4 * (y * self.width + x)
        return tuple(self.rgba[at : at + 4])


def f32(x):
    """The float nearest to x: what a C++ program gets when it stores x in a float."""
    return struct.unpack("f", struct.pack("f", x))[0]


# Requests for exchange().
def get(device):
    return {"do": "get", "device": device}


def set(device, *values):  # noqa: A001 - the protocol's word
    return {"do": "set", "device": device, "values": [_number(v) for v in values]}


def pause(ms):
    return {"do": "sleep", "ms": ms}


def pause_until(time):
    return {"do": "sleep_until", "time": time}


def _number(value):
    value = float(value)
    return value if value - value == 0 else None  # NaN and infinities are not JSON; null sets nothing


def _result(request, answer):
    what = request["do"]
    if what in ("get", "set", "image", "unlock") and answer["error"] != 0:
        detail = ", %d values, expected %d" % (answer["found"], answer["expected"]) if "expected" in answer else ""
        raise DeviceError(request.get("device", "image"), SimDeviceError(answer["error"]), detail)
    if what == "get":
        if "text" in answer:
            return answer["text"]
        return tuple(float("nan") if v is None else float(v) for v in answer["values"])
    if what == "image":
        return Image(answer["width"], answer["height"], base64.b64decode(answer["rgba"]))
    if what in ("sleep", "sleep_until", "time"):
        return answer["time"]
    if what == "status":
        return SimDeviceStatus(answer["status"])
    if what == "list":
        return answer["devices"]
    return None


def _take_pipes():
    """Moves the protocol to descriptors of its own. Returns a reader and a writer, or None without a simulator."""
    try:
        if not (stat.S_ISFIFO(os.fstat(0).st_mode) and stat.S_ISFIFO(os.fstat(1).st_mode)):
            return None
    except OSError:
        return None
    pipes = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return pipes


_pipes = _take_pipes()


class Simulation:
    """The connection. Made once, by the first call of this module."""

    def __init__(self, reader=None, writer=None):
        if reader is None:
            if _pipes is None:
                raise ProtocolError("not started by simrun: simrun SCENARIO --controller ROBOT=\"python3 PROGRAM\" ...")
            reader, writer = _pipes
        self._reader = reader
        self._writer = writer
        hello = self._read().get("hello")
        if not isinstance(hello, dict) or hello.get("protocol") != PROTOCOL:
            raise ProtocolError("protocol %r, this module speaks %d" % (hello and hello.get("protocol"), PROTOCOL))
        self.robot = hello["robot"]
        self.arguments = hello["arguments"]
        self.dt = hello["dt"]
        self.devices = hello["devices"]
        self.simulator = hello["simulator"]

    def _read(self):
        line = self._reader.readline()
        if not line.endswith(b"\n"):
            raise SimulationEnded()
        return json.loads(line)

    def ask(self, message):
        """Sends a request, or a list of them, unchanged. Returns the answer unchanged."""
        try:
            self._writer.write(json.dumps(message, allow_nan=False, separators=(",", ":")).encode() + b"\n")
            self._writer.flush()
        except BrokenPipeError:
            raise SimulationEnded() from None
        return self._read()


_simulation = None


def connect():
    """The connection. Called by all others; calling it first changes nothing."""
    global _simulation
    if _simulation is None:
        _simulation = Simulation()
    return _simulation


def _one(request):
    return _result(request, connect().ask(request))


def exchange(*requests):
    """Several requests in one round trip, each made by get(), set(), pause() or pause_until(), done in their order.

    A control cycle costs one message each way:  *_, (left,), (right,) = exchange(set(drive, a, s, 0), pause(50), get(l), get(r))
    Returns the list of results. The first DeviceError is raised after all have been done.
    """
    answers = connect().ask(list(requests))
    return [_result(request, answer) for request, answer in zip(requests, answers)]


def robot():
    """The name of the robot that this program belongs to: argv[0] of a C++ program."""
    return connect().robot


def arguments():
    """The robot's name, then what the scenario gives as arguments."""
    return list(connect().arguments)


def time_step():
    """Seconds a step of the simulation."""
    return connect().dt


def get_data(device):
    """The device's numbers as a tuple, or its text. Raises DeviceError."""
    return _one(get(device))


def set_data(device, *values):
    """Sets an actuator: one number for each of its inputs; NaN leaves one as it is. Raises DeviceError."""
    return _one(set(device, *values))


def sleep(ms):
    """Lets that much simulated time pass, at least one step. Returns the time."""
    return _one(pause(ms))


def sleep_until(time):
    """Lets time pass until the step that begins at `time` (s) or later, at least one step. Returns the time."""
    return _one(pause_until(time))


def sim_time():
    """Simulated seconds since the start."""
    return _one({"do": "time"})


def device_status(device):
    return _one({"do": "status", "device": device})


def list_devices(pattern="*"):
    """The devices of all robots whose full names match: a list of {"name", "kind", "settable", ...} (docs/controllers.md)."""
    return _one({"do": "list", "devices": pattern})


def get_image(camera):
    """What the camera sees now, as an Image of its own: nothing stays locked. Raises DeviceError."""
    image, _ = exchange({"do": "image", "device": camera}, {"do": "unlock"})
    return image


def log(text):
    """Says something on simrun's standard error, after the robot's name."""
    return _one({"do": "log", "text": str(text)})


def end(status=0):
    """Ends this program's part in the run; its robot coasts. The process runs until it exits."""
    simulation = connect()
    try:
        simulation._writer.write(json.dumps({"do": "end", "status": status}).encode() + b"\n")
        simulation._writer.flush()
    except BrokenPipeError:
        pass
