"""Control a robot of simrun from Python: simrun SCENARIO --controller ROBOT="python3 program.py" ...

    import simbatch_client as sim

    light = sim.robot() + ".chassis.headlight_left"
    while True:
        (angle,) = sim.get_data(sim.robot() + ".chassis.inclino0")
        sim.set_data(light, 1.0 if angle < 0 else 0.0)
        sim.sleep(300)

The calls are those of UserProgramAPI.h, with the same results: numbers are the floats that getData returns, as Python
floats of the same value. Time is the simulation's; it advances in sleep() and sleep_until() only, not while the program
runs. When the run is over, the program ends in its sleep (SimulationEnded, a SystemExit).

A program that simrun does not start itself connects with one argument:

    simrun SCENARIO --controller ROBOT=tcp:4500 ...            on one machine (or unix:/path)
    python3 program.py --connect 127.0.0.1:4500                on this or another one (docs/serve.md)
    python3 program.py --connect ws://127.0.0.1:8765/control/ROBOT        the same over a WebSocket: ROBOT=ws:PORT, or ROBOT=ws of simrun serve

`--files FOLDER` compares this side's copies of the scenario's files with those of the run. Both arguments are taken out of sys.argv.

The protocol (docs/controllers.md) has standard input and output to itself: from the import of this module on, print() and
the like go to standard error, and standard input is empty. (Only where both are pipes, as simrun makes them.)

Needs nothing but Python 3.7 or newer. License: Apache-2.0.
"""

import atexit
import base64
import contextlib
import enum
import hashlib
import json
import os
import socket
import ssl
import stat
import struct
import sys
import urllib.parse

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
        self.device, self.error = device, error


class ProtocolError(Exception):
    """The other side is not a simulator with this protocol."""


class SimulationEnded(SystemExit):
    """The run is over. Ends the program quietly, unless it is caught."""


class Image:
    """A camera's picture. `rgba` has width * height pixels of four bytes, rows from the top."""

    def __init__(self, width, height, rgba):
        self.width, self.height, self.rgba = width, height, rgba

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
    """NaN and infinities are not JSON: they become null, which sets nothing."""
    return {"do": "set", "device": device, "values": [v if v - v == 0 else None for v in map(float, values)]}


def pause(ms):
    return {"do": "sleep", "ms": ms}


def pause_until(time):
    return {"do": "sleep_until", "time": time}


def _result(request, answer):
    what = request["do"]
    if what in ("get", "set", "image", "unlock") and answer["error"] != 0:
        detail = ", %d values, expected %d" % (answer["found"], answer["expected"]) if "expected" in answer else ""
        raise DeviceError(request.get("device", "image"), SimDeviceError(answer["error"]), detail)
    if what == "get":
        return answer["text"] if "text" in answer else tuple(float("nan") if v is None else float(v) for v in answer["values"])
    if what == "image":
        return Image(answer["width"], answer["height"], base64.b64decode(answer["rgba"]))
    if what == "status":
        return SimDeviceStatus(answer["status"])
    if what == "list":
        return answer["devices"]
    return answer["time"] if what in ("sleep", "sleep_until", "time") else None


def _take_pipes():
    """Moves the protocol to descriptors of its own. Returns a reader and a writer, or None without a simulator."""
    try:
        if not (stat.S_ISFIFO(os.fstat(0).st_mode) and stat.S_ISFIFO(os.fstat(1).st_mode)):
            return None
    except OSError:
        return None
    pipes = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull) as null:
        os.dup2(null.fileno(), 0)
    os.dup2(2, 1)
    return pipes


def _argument(name):
    """Removes `name VALUE` or `name=VALUE` from sys.argv and returns the value; None if it is not there."""
    for i, word in enumerate(sys.argv[1:], 1):
        if word == name and i + 1 < len(sys.argv):
            del sys.argv[i]
            return sys.argv.pop(i)
        if word.startswith(name + "="):
            return sys.argv.pop(i)[len(name) + 1 :]
    return None


_address = _argument("--connect")
_files = _argument("--files")
_pipes = None if _address else _take_pipes()


def _open_socket(address):
    """A connected socket: HOST:PORT, [HOST]:PORT, PORT (of this machine), or unix:PATH; with or without `tcp:`."""
    if address.startswith("unix:"):
        made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        made.connect(address[5:])
        return made
    host, _, port = (address[4:] if address.startswith("tcp:") else address).rpartition(":")
    made = socket.create_connection((host.strip("[]") or "127.0.0.1", int(port)))
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    return made


class _WebSocket:
    """Lines as text messages of a WebSocket (RFC 6455), with the part of a binary file's interface that Simulation needs."""

    def __init__(self, url):
        parts = urllib.parse.urlsplit(url)
        is_safe = parts.scheme == "wss"
        port = parts.port or (443 if is_safe else 80)
        self._socket = _open_socket("%s:%d" % ("[%s]" % parts.hostname if ":" in parts.hostname else parts.hostname, port))
        if is_safe:
            self._socket = ssl.create_default_context().wrap_socket(self._socket, server_hostname=parts.hostname)
        token, query = os.environ.get("SIMBATCH_TOKEN"), parts.query
        if token and "token=" not in query:
            query += ("&" if query else "") + "token=" + urllib.parse.quote(token, "")
        key = base64.b64encode(os.urandom(16))
        target = (parts.path or "/") + ("?" + query if query else "")
        head = "GET %s HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\n\r\n"
        self._socket.sendall((head % (target, parts.netloc.rpartition("@")[2], key.decode())).encode())
        self._file = self._socket.makefile("rb")
        status = self._file.readline(1000).decode("latin-1").split(" ", 2)
        fields = (line.decode("latin-1").partition(":") for line in iter(lambda: self._file.readline(10000).strip(), b""))
        headers = {name.strip().lower(): value.strip() for name, _, value in fields}
        if len(status) < 2 or status[1] != "101":
            body = self._file.read(int(headers.get("content-length") or 0)).decode("utf-8", "replace").strip()
            raise ProtocolError("%s does not open a WebSocket: %s" % (url, " ".join(status[1:]).strip() + (": " + body if body else "")))
        accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest()).decode()
        if headers.get("sec-websocket-accept") != accept:
            raise ProtocolError("%s is not a WebSocket: its answer does not belong to the request" % url)

    def _send(self, opcode, data):
        size = len(data)
        head = bytes([0x80 | opcode])
        head += bytes([0x80 | size]) if size < 126 else b"\xfe" + struct.pack(">H", size) if size < 65536 else b"\xff" + struct.pack(">Q", size)
        mask = os.urandom(4)
        key = int.from_bytes((mask * (size // 4 + 1))[:size], "big")
        self._socket.sendall(head + mask + (int.from_bytes(data, "big") ^ key).to_bytes(size, "big"))

    def write(self, line):
        self._send(1, line.rstrip(b"\n"))

    def flush(self):
        pass  # each line has been sent

    def readline(self):
        """The next message, as a line; b"" at the end of the connection."""
        message = b""
        while True:
            head = self._file.read(2)
            if len(head) < 2:
                return b""
            opcode, size = head[0] & 15, head[1] & 127
            if size > 125:
                size = int.from_bytes(self._file.read(2 if size == 126 else 8), "big")
            data = self._file.read(size)
            if opcode == 8 or len(data) < size:
                return b""
            if opcode == 9:
                self._send(10, data)
            elif opcode < 3:
                message += data
                if head[0] & 0x80:
                    return message + b"\n"


_SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221"
    "b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb"
    "170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
)
_KEYS = struct.unpack("<24Q", _SECRET)
_M = 0xFFFFFFFFFFFFFFFF
_P32 = (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D)
_P64 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)


def _fold(a, b):
    product = a * b
    return (product & _M) ^ (product >> 64)


def _mix(data, at, key):
    (a, b), (key_a, key_b) = struct.unpack_from("<2Q", data, at), struct.unpack_from("<2Q", _SECRET, key)
    return _fold(a ^ key_a, b ^ key_b)


def _avalanche(h):
    h &= _M
    h = (h ^ (h >> 37)) * 0x165667919E3779F9 & _M
    return h ^ (h >> 32)


def _digest_of_few(data):
    """Of up to 16 bytes."""
    n = len(data)
    if n <= 3:
        h = _KEYS[7] ^ _KEYS[8]
        if n > 0:
            h = (data[0] << 16 | data[n >> 1] << 24 | data[n - 1] | n << 8) ^ (_KEYS[0] & 0xFFFFFFFF) ^ (_KEYS[0] >> 32)
        h = (h ^ (h >> 33)) * _P64[1] & _M
        h = (h ^ (h >> 29)) * _P64[2] & _M
        return h ^ (h >> 32)
    if n <= 8:
        low, high = int.from_bytes(data[:4], "little"), int.from_bytes(data[n - 4 :], "little")
        h = (high + (low << 32)) ^ _KEYS[1] ^ _KEYS[2]
        h ^= ((h << 49 | h >> 15) ^ (h << 24 | h >> 40)) & _M
        h = h * 0x9FB21C651E98DF25 & _M
        h = (h ^ ((h >> 35) + n)) * 0x9FB21C651E98DF25 & _M
        return h ^ (h >> 28)
    low = int.from_bytes(data[:8], "little") ^ _KEYS[3] ^ _KEYS[4]
    high = int.from_bytes(data[n - 8 :], "little") ^ _KEYS[5] ^ _KEYS[6]
    return _avalanche(n + int.from_bytes(low.to_bytes(8, "big"), "little") + high + _fold(low, high))


def _digest_of_many(data):
    """Of more than 240 bytes."""
    n = len(data)
    acc = [_P32[2], _P64[0], _P64[1], _P64[2], _P64[3], _P32[1], _P64[4], _P32[0]]

    def stripe(at, key):
        lanes = struct.unpack_from("<8Q", data, at)
        for i in range(8):
            keyed = lanes[i] ^ key[i]
            acc[i ^ 1] += lanes[i]
            acc[i] = (acc[i] + (keyed & 0xFFFFFFFF) * (keyed >> 32)) & _M

    for at in range(0, n - 64, 64):
        first = at // 64 % 16
        stripe(at, _KEYS[first : first + 8])
        if first == 15:
            acc[:] = [(a ^ ((a & _M) >> 47) ^ key) * _P32[0] & _M for a, key in zip(acc, _KEYS[16:])]
    stripe(n - 64, struct.unpack_from("<8Q", _SECRET, 121))
    merged = struct.pack("<8Q", *[a & _M for a in acc])
    return _avalanche(n * _P64[0] + sum(_mix(merged, 16 * i, 16 * i + 11) for i in range(4)))


def digest(data):
    """XXH3-64 of bytes, as 16 hexadecimal digits: the digest of files in traces and in the hello..
    (github.com/Cyan4973/xxHash, doc/xxhash_spec.md)"""
    n = len(data)
    if n <= 16:
        h = _digest_of_few(data)
    elif n <= 128:
        pairs = range((n - 1) // 32 + 1)
        h = _avalanche(n * _P64[0] + sum(_mix(data, 16 * i, 32 * i) + _mix(data, n - 16 * (i + 1), 32 * i + 16) for i in pairs))
    elif n <= 240:
        h = _avalanche(n * _P64[0] + sum(_mix(data, 16 * i, 16 * i) for i in range(8)))
        h = _avalanche(h + sum(_mix(data, 16 * i, 16 * (i - 8) + 3) for i in range(8, n // 16)) + _mix(data, n - 16, 136 - 17))
    else:
        h = _digest_of_many(data)
    return "%016x" % h


class Simulation:
    """The connection. Made once, by the first call of this module."""

    def __init__(self, reader=None, writer=None):
        if reader is None:
            reader, writer = _pipes or self._connected()
        self._reader, self._writer, self._over = reader, writer, False
        hello = self._read().get("hello")
        if not isinstance(hello, dict) or hello.get("protocol") != PROTOCOL:
            raise ProtocolError("protocol %r, this module speaks %d" % (hello and hello.get("protocol"), PROTOCOL))
        self.robot = hello["robot"]
        self.arguments = hello["arguments"]
        self.dt = hello["dt"]
        self.devices = hello["devices"]
        self.simulator = hello["simulator"]
        self.inputs = hello.get("inputs", [])
        if _files is not None:
            self.compare_files(_files)

    def _connected(self):
        if _address is None:
            raise ProtocolError("not started by simrun: simrun SCENARIO --controller ROBOT=\"python3 PROGRAM\" ... "
                                "(or connect to one: python3 PROGRAM --connect HOST:PORT)")
        if _address.startswith(("ws://", "wss://")):
            reader = writer = _WebSocket(_address)  # which has sent the token with the address
        else:
            connection = _open_socket(_address)
            reader, writer = connection.makefile("rb"), connection.makefile("wb")
            token = os.environ.get("SIMBATCH_TOKEN")
            if token:
                writer.write(json.dumps({"token": token}, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
                writer.flush()
        atexit.register(_say_end)
        before = sys.excepthook

        def failed(*exception):
            atexit.unregister(_say_end)
            before(*exception)

        sys.excepthook = failed
        return reader, writer

    def compare_files(self, folder):
        """Compares this side's copies of the run's inputs, those below `folder`. If one differs, simrun ends the run with a message that
        names it, and this call raises ProtocolError."""
        requests = []
        for each in self.inputs:
            with contextlib.suppress(OSError), open(os.path.join(folder, each["name"]), "rb") as file:
                requests.append({"do": "input", "file": each["name"], "digest": digest(file.read())})
        try:
            self.ask(requests) if requests else None
        except SimulationEnded:
            raise ProtocolError("simrun has ended the run: a file of %r is another one than the run's; its message names the file" % folder) from None

    def _read(self):
        try:
            line = self._reader.readline()
        except ConnectionError:
            line = b""
        if not line.endswith(b"\n"):
            self._over = True
            raise SimulationEnded(0)
        return json.loads(line)

    def ask(self, message):
        """Sends a request, or a list of them, unchanged. Returns the answer unchanged."""
        try:
            self._writer.write(json.dumps(message, allow_nan=False, separators=(",", ":")).encode() + b"\n")
            self._writer.flush()
        except ConnectionError:
            raise SimulationEnded(0) from None
        return self._read()


_simulation = None


def _say_end():
    """Reports the end to the simulator; otherwise a closed connection counts as a crash."""
    if _simulation is not None and not _simulation._over:
        end(0)


def connect():
    """The connection. Called by all others; calling it first changes nothing."""
    global _simulation
    if _simulation is None:
        _simulation = Simulation()
    return _simulation


def _one(request):
    return _result(request, connect().ask(request))


def exchange(*requests):
    """Several requests in one round trip, each made by get(), set(), pause() or pause_until(), processed in order.

    A control cycle costs one message each way:  *_, (left,), (right,) = exchange(set(drive, a, s, 0), pause(50), get(l), get(r))
    Returns the list of results. The first DeviceError is raised after all have been done.
    """
    return [_result(request, answer) for request, answer in zip(requests, connect().ask(list(requests)))]


def robot():
    """The name of the robot that this program belongs to: argv[0] of a C++ program."""
    return connect().robot


def arguments():
    """The robot's name, then the arguments that the scenario specifies."""
    return list(connect().arguments)


def time_step():
    """Step size of the simulation in s."""
    return connect().dt


def get_data(device):
    """The device's numbers as a tuple, or its text. Raises DeviceError."""
    return _one(get(device))


def set_data(device, *values):
    """Sets an actuator: one number for each of its inputs; NaN leaves an input unchanged. Raises DeviceError."""
    return _one(set(device, *values))


def sleep(ms):
    """Lets this much simulated time pass, at least one step. Returns the time."""
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
    """What the camera currently sees, as a copy: nothing stays locked. Raises DeviceError."""
    return exchange({"do": "image", "device": camera}, {"do": "unlock"})[0]


def log(text):
    """Prints a text on simrun's standard error, after the robot's name."""
    return _one({"do": "log", "text": str(text)})


def end(status=0):
    """Ends this program's part in the run; its robot coasts. The process runs until it exits."""
    simulation = connect()
    simulation._over = True
    with contextlib.suppress(ConnectionError):
        simulation._writer.write(json.dumps({"do": "end", "status": status}).encode() + b"\n")
        simulation._writer.flush()
