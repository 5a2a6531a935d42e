"""A WebSocket client of the standard library's, for tests of simrun serve."""
import base64, json, os, socket, struct, subprocess, threading, time, urllib.parse


class Closed(Exception):
    pass


class Client:
    """One connection; text frames come as objects, binary ones as bytes."""

    def __init__(self, url, headers=(), receive_buffer=None, path="/live"):
        parts = urllib.parse.urlsplit(url)
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(120)
        self.socket.connect((parts.hostname, parts.port))
        query = f"?{parts.query}" if parts.query else ""
        head = {"Host": f"{parts.hostname}:{parts.port}", "Upgrade": "websocket", "Connection": "Upgrade",
                "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(), "Sec-WebSocket-Version": "13", **dict(headers)}
        text = f"GET {path}{query} HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in head.items()) + "\r\n"
        self.socket.sendall(text.encode())
        self.file = self.socket.makefile("rb")
        self.status = int(self.file.readline().split()[1])
        self.headers = {}  # of the answer, with names in small letters
        while line := self.file.readline().decode().strip():
            name, _, value = line.partition(":")
            self.headers[name.lower()] = value.strip()

    def send(self, message, opcode=1):
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        size = len(data)
        head = bytes([0x80 | opcode, 0x80 | (size if size < 126 else 126 if size < 65536 else 127)])
        head += b"" if size < 126 else struct.pack(">H", size) if size < 65536 else struct.pack(">Q", size)
        mask = os.urandom(4)
        self.socket.sendall(head + mask + bytes(b ^ mask[i & 3] for i, b in enumerate(data)))

    def receive(self):
        head = self.file.read(2)
        if len(head) < 2:
            raise Closed
        opcode, size = head[0] & 15, head[1] & 127
        if size == 126:
            (size,) = struct.unpack(">H", self.file.read(2))
        elif size == 127:
            (size,) = struct.unpack(">Q", self.file.read(8))
        data = self.file.read(size)
        if opcode == 8:
            raise Closed
        if opcode == 9:
            self.send(data, 10)
            return self.receive()
        if not head[0] & 0x80 or opcode == 0:  # a message in pieces
            self.pieces = [opcode, data] if opcode else [self.pieces[0], self.pieces[1] + data]
            if not head[0] & 0x80:
                return self.receive()
            opcode, data = self.pieces
        return json.loads(data) if opcode == 1 else data

    def until(self, wanted, seconds=120):
        """The next message for which wanted() says yes; a busy machine takes its time."""
        end = time.time() + seconds
        while time.time() < end:
            message = self.receive()
            if wanted(message):
                return message
        raise AssertionError("nothing came")

    def ask(self, **command):
        """Sends a command with an id; its problem, "" if there is none. What cannot be read is answered without an id."""
        self.next = getattr(self, "next", 0) + 1
        self.send({**command, "id": self.next})
        return self.until(lambda m: isinstance(m, dict) and "answer" in m and m["answer"]["id"] in (self.next, None))["answer"]["problem"]

    def state(self, wanted=lambda s: True):
        return self.until(lambda m: isinstance(m, dict) and "state" in m and wanted(m["state"]))["state"]

    def close(self):
        self.socket.close()


class Server:
    """simrun serve on any free port."""

    def __init__(self, simrun, *arguments, env=None):
        self.process = subprocess.Popen([simrun, "serve", *map(str, arguments), "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, env={**os.environ, **(env or {})})
        self.url = self.process.stdout.readline().strip()
        self.errors = []
        self.reader = threading.Thread(target=self.read_errors, daemon=True)
        self.reader.start()

    def read_errors(self):
        for line in self.process.stderr:
            self.errors.append(line)

    def says(self, text, seconds=120):
        """Whether it says this on standard error, now or soon."""
        end = time.time() + seconds
        while not any(text in line for line in list(self.errors)) and time.time() < end:
            time.sleep(0.02)
        return any(text in line for line in self.errors)

    def wait(self, seconds=240):
        """Its exit code, when it ends by itself; then errors has all that it said."""
        code = self.process.wait(seconds)
        self.reader.join(seconds)
        return code

    def end(self, signal=2):
        """Ends it as Ctrl+C does; its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal)
        return self.wait()
