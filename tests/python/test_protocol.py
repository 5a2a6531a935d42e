"""The lines of a session: by themselves, and with a scripted simulator that answers in pieces, says nonsense, or goes away."""
import os
import stat
import sys
import unittest

from common import ROOT, Case, simbatch
from simbatch import protocol

HELLO = (
    '{"hello":{"protocol":1,"simulator":"s","scenario":"a.xml","seed":"18446744073709551615","dt":0.5,"step":0,"memory":24,"inputs":[],'
    '"nodes":[{"name":"a.lamp","kind":"LightDevice","at":0,"fields":[["on","1","","number"],["says","","","text"],["heat","K","B","number"]],"inputs":[[0,1]]},'
    '{"name":"a.eye","kind":"Camera","at":2,"fields":[],"image":[4,3]}]}}'
)

# Expects these lines, and answers them; a descriptor of shared memory goes with the first.
SIMULATOR = """#!%s
import json, os, socket, sys, time
script = json.loads(%r)
channel = socket.socket(fileno=os.dup(0))
memory = os.memfd_create("fake")
os.write(memory, bytes(24))
first = True
for wanted, answer in script:
    if wanted is not None:
        line = b""
        while not line.endswith(b"\\n"):
            part = channel.recv(1)
            if not part:
                sys.exit(7)
            line += part
        if json.loads(line) != wanted:
            sys.exit("unexpected: %%r" %% line)
    for part in answer:
        data = part.encode()
        if first:
            socket.send_fds(channel, [data], [memory])
            first = False
        elif data:
            channel.sendall(data)
        time.sleep(0.01)
if channel.recv(1):
    sys.exit(8)
"""


class Lines(unittest.TestCase):
    def test_hello(self):
        hello = protocol.read_hello(HELLO.encode())
        world = hello.world
        self.assertEqual((hello.step, hello.memory, world.seed, world.dt), (0, 24, 2**64 - 1, 0.5))
        self.assertEqual([(n.name, n.at, n.unit) for n in world.numbers.values()], [("a.lamp.on", 0, "1"), ("a.lamp.heat", 1, "K")])
        self.assertEqual(list(world.inputs), ["a.lamp.on"])
        self.assertEqual(world.texts, {"a.lamp.says": ("a.lamp", "says")})
        self.assertEqual(world.cameras, {"a.eye": (4, 3)})
        self.assertIsNone(protocol.read_hello(b'{"hello":{"protocol":1,"step":3,"memory":24}}').world)
        for wrong in (
            b"",
            b"{}",
            b"[]",
            b'{"hello":1}',
            b'{"hello":{"protocol":2}}',
            b'{"hello":{"protocol":1}}',
            HELLO.replace('"at":0', '"at":"x"').encode(),
        ):
            with self.subTest(wrong[:40]), self.assertRaises(simbatch.SessionError):
                protocol.read_hello(wrong)

    def test_lines(self):
        self.assertEqual(protocol.step_line(5, ()), b'{"do":"step","steps":5}\n')
        self.assertEqual(protocol.step_line(1, [("a.lamp", "on", 0.1)]), b'{"do":"step","steps":1,"set":[["a.lamp","on",0.1]]}\n')
        self.assertEqual(protocol.stepped(b'{"step":12}\n'), 12)
        for other in (b'{"step":}\n', b'{"step":1', b'{"step":1,"failed":[]}\n', b'{"problem":"x"}\n', b""):
            self.assertIsNone(protocol.stepped(other))
        for wrong in (b'{"problem":"x"}\n', b"[]", b"x"):
            with self.assertRaises(simbatch.SessionError):
                protocol.read_answer(wrong)


class Scripted(Case):
    def session(self, *script):
        import json

        path = self.write("simrun", (SIMULATOR % (sys.executable, json.dumps([[None, [HELLO[:7], HELLO[7:100], HELLO[100:] + "\n"]], *script]))).encode())
        os.chmod(path, stat.S_IRWXU)
        simbatch.simrun.use(path)
        self.addCleanup(simbatch.simrun.use, None)
        return simbatch.Session("a.xml")

    def test_answers_in_pieces(self):
        step = {"do": "step", "steps": 2, "set": [["a.lamp", "on", 0.5]]}
        with self.session(
            [step, list('{"step":2}\n')],
            [{"do": "get", "node": "a.lamp"}, ['{"values":[0,0],"te', 'xts":{"says":"\\u00e4"}}\n']],
            [{"do": "image", "camera": "a.eye"}, ['{"width":4,"height":3,"bytes":48}\nabc', "d" * 45]],
            [{"do": "step", "steps": 1}, ['{"problem":"no"}\n']],
        ) as s:
            s.set("a.lamp.on", 0.25)
            s.set("a.lamp.on", 0.5)  # the last one counts
            self.assertEqual(s.step(2), 2)
            self.assertEqual(s.get("a.lamp.says"), "\u00e4")
            self.assertEqual(s.image("a.eye").rgba, b"abc" + b"d" * 45)
            with self.assertRaises(simbatch.SessionError) as caught:
                s.step()
            self.assertEqual(str(caught.exception), "no")
        self.assertEqual(s._process.popen.returncode, 0)

    def test_nonsense(self):
        for answer in ("hello\n", "[1]\n", '{"step":"x"}\n'):
            with self.session([{"do": "step", "steps": 1}, [answer]]) as s, self.assertRaises((simbatch.SimbatchError, KeyError)):
                s.step()

    def test_half_an_answer(self):
        s = self.session([{"do": "step", "steps": 1}, ['{"ste']], [{"do": "end"}, [""]])
        s._channel.settimeout(120)
        s._send(protocol.step_line(1, ()))
        s._process.popen.kill()
        with self.assertRaises(simbatch.SessionDied):
            s._receive()


class Conversation(Case):
    def test_by_hand_over_pipes(self):
        """What any other language would say: each line as its schema has it, without shared memory and branches."""
        import json
        import subprocess

        lines = [
            '{"do":"step","steps":3,"set":[["impreza.chassis.headlight_left","intensity",0.5]]}',
            '{"do":"get","node":"impreza.chassis.headlight_left"}',
            '{"do":"get","node":"impreza.chassis.gps0"}',
            '{"do":"image","camera":"impreza.chassis.front_view"}',
            '{"do":"hash"}',
            '{"do":"fork"}',
            '{"do":"step","steps":-1}',
            '{"do":"save","trace":"a.json"}',
            "nonsense",
            '{"do":"step","steps":1000000000000,"set":[["impreza.chassis.drive_chassis","acceleration",1]]}',
        ]
        from common import bottomless

        words = [simbatch.simrun.find(), "session", bottomless(self)]
        ended = subprocess.run(words, input="\n".join(lines).encode() + b"\n", capture_output=True, timeout=300)
        self.assertEqual((ended.returncode, ended.stderr), (0, b""))
        out, answers = ended.stdout, []
        while out:
            line, _, out = out.partition(b"\n")
            answers.append(json.loads(line))
            count = answers[-1].get("bytes", 0)
            self.assertGreaterEqual(len(out), count)
            out = out[count:]
        self.assertEqual(len(answers), len(lines) + 1)
        self.assertEqual(answers[0]["hello"]["memory"], 0)
        self.assertEqual(answers[1:3], [{"step": 3}, {"values": [0.5], "texts": {}}])
        self.assertTrue(answers[3]["texts"]["sentence"].startswith("$GPRMC"))
        self.assertEqual(answers[4], {"width": 320, "height": 240, "bytes": 4 * 320 * 240})
        self.assertEqual([sorted(each) for each in answers[6:10]], [["problem"]] * 4)
        self.assertEqual(answers[10]["failed"][0]["code"], "simrun-blow-up")
        try:
            import jsonschema
        except ImportError:
            print("\nSKIPPED: python3-jsonschema is not installed")
            return
        with open(os.path.join(ROOT, "docs/schemas/session.schema.json"), encoding="utf-8") as file:
            schema = json.load(file)
        def of(name):
            return {**schema, "oneOf": [{"$ref": "#/definitions/" + name}]}
        jsonschema.validate(answers[0], of("hello"))
        for answer in answers[1:]:
            jsonschema.validate(answer, of("answer"))
        for line in lines:
            good = line != "nonsense" and '":-1' not in line
            if good:
                jsonschema.validate(json.loads(line), of("request"))
        with self.assertRaises(jsonschema.ValidationError):
            jsonschema.validate(json.loads(lines[6]), of("request"))


if __name__ == "__main__":
    unittest.main()
