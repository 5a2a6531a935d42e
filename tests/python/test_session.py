"""Sessions: the same bytes as batch runs, exact branches, processes that end when they should."""
import gc
import os
import signal
import subprocess
import sys
import time
import unittest

from common import BALANCE, FIRST_DRIVE, PLACEMENT, ROOT, Case, bottomless, own_scenario, processes_with, simbatch

STEERING = "impreza.chassis.drive_chassis.steering"
LAMP = "impreza.chassis.headlight_left.intensity"


def gone(text, seconds=120):
    """Whether all processes with this text in their command line end in time."""
    end = time.monotonic() + seconds
    while processes_with(text):
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


class FailingChannel:
    """A session's socket that raises an error at the second part of a picture."""

    def __init__(self, session, error, before=lambda: None):
        self.channel, self.error, self.before, self.parts = session._channel, error, before, 0

    def recv(self, count):
        self.parts += 1
        if self.parts > 2:
            self.before()
            raise self.error
        return self.channel.recv(min(count, 4096))

    def __getattr__(self, name):
        return getattr(self.channel, name)


class Sessions(Case):
    def test_the_same_bytes_as_a_batch_run(self):
        for form in ("json", "parquet", "ndjson"):
            with simbatch.Session(FIRST_DRIVE, rows=True, every=3, hash_every=7, seed=3, expect="always impreza.chassis.psd0.distance > 1") as s:
                for i in range(200):
                    if i % 5 == 0:
                        s.set(STEERING, 0.01 * i)
                    if i == 77:
                        s.set("impreza.chassis.drive_chassis", acceleration=0.25, brake=9)  # out of its range
                    if i == 100:
                        s.save(self.path("half." + form))  # changes nothing
                    s.get(LAMP)
                    s.step(1 if i % 2 else 2)
                s.save(self.path("a." + form), script=self.path("script.xml"))
                self.assertEqual(s.steps, 300)
                state_hash = s.state_hash
            words = ["--steps=300", "--every=3", "--hash-every=7", "--seed=3", "--expect=always impreza.chassis.psd0.distance > 1"]
            batch = [FIRST_DRIVE, *words, "--script=" + self.path("script.xml"), "--trace=" + self.path("b." + form)]
            simbatch.simrun.call(batch, ok=(0, 1))
            self.assertEqual(self.contents("a." + form), self.contents("b." + form), form)
            with simbatch.load(self.path("a." + form)) as trace:
                self.assertEqual(trace.state_hash, state_hash)
                self.assertEqual(len(trace.document["script"]), 42)
        # The trace has what is needed to repeat it.
        simbatch.simrun.call(["verify", self.path("a.json"), "--scenario", FIRST_DRIVE, "--expect=always impreza.chassis.psd0.distance > 1"][:4])

    def test_what_is_read_is_what_the_trace_has(self):
        with simbatch.Session(FIRST_DRIVE, rows=True) as s:
            names = s.names
            seen = []
            for _ in range(20):
                s.step()
                seen.append([s.get(name) for name in names])
            text = s.get("impreza.chassis.gps0.sentence")
            trace = s.trace()
            for i, name in enumerate(names):
                self.assertEqual([row[i] for row in seen], list(trace[name].values[1:]), name)
            self.assertEqual(text, trace.impreza.chassis.gps0.sentence[-1])
            self.assertEqual(s.get("impreza.chassis.psd0"), {"distance": trace["impreza.chassis.psd0.distance"][-1], "distance_true": 10.0, "hit": 0.0})
            self.assertEqual((s.steps, s.time, s.dt), (20, 20 * 0.005, 0.005))

    def test_values(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("no numpy")
        with simbatch.Session(FIRST_DRIVE) as s:
            places = s.places("*.psd0.*", LAMP)
            self.assertEqual(len(places), 4)
            values = s.values
            s.set(LAMP, 0.5)
            s.step()
            self.assertEqual(values[places][3], 0.5)
            names = [*("impreza.chassis.psd0." + field for field in ("distance", "distance_true", "hit")), LAMP]
            self.assertEqual(list(values[places]), [s.get(name) for name in names])
            with self.assertRaises(ValueError):
                values[0] = 1
            with self.assertRaises(KeyError):
                s.places("*.psd7.*")
            self.assertIs(type(values), numpy.ndarray)
        self.assertEqual(values[places][3], 0.5)  # it stays after the end

    def test_branches_are_exact(self):
        with simbatch.Session(FIRST_DRIVE, rows=True, seed=5) as s:
            s.set("impreza.chassis.drive_chassis", acceleration=0.4)
            s.step(100)
            branches = []
            for i in range(4):
                branches.append(s.fork())
                branches[-1].set(STEERING, 0.1 * i)
                branches[-1].step(50 + i)
            inner = branches[2].fork()
            for i in range(4):
                branches[i].step(50 - i)
            inner.step(48)
            s.step(100)
            self.assertEqual(len({b.state_hash for b in branches}), 4)
            self.assertEqual(inner.state_hash, branches[2].state_hash)
            inner.save(self.path("inner.json"))
            branches[2].save(self.path("branch.json"))
            self.assertEqual(self.contents("inner.json"), self.contents("branch.json"))
            # The same from step 0.
            with simbatch.Session(FIRST_DRIVE, rows=True, seed=5) as again:
                again.set("impreza.chassis.drive_chassis", acceleration=0.4)
                again.step(100)
                again.set(STEERING, 0.2)
                again.step(100)
                again.save(self.path("again.json"))
                self.assertEqual(again.state_hash, inner.state_hash)
                self.assertEqual(again.get("impreza.chassis.x"), inner.get("impreza.chassis.x"))
            self.assertEqual(self.contents("inner.json"), self.contents("again.json"))
            # What was set and not yet done goes with a branch.
            s.set(LAMP, 1)
            with s.fork() as branch:
                branch.step()
                self.assertEqual((branch.get(LAMP), s.get(LAMP)), (1, 0))
            for each in [inner, *branches]:
                each.close()

    def test_branches_outlive_their_session(self):
        scenario = own_scenario(self)  # whose processes are not those of another test
        text = "session " + scenario
        s = simbatch.Session(scenario)
        branch = s.fork()
        inner = branch.fork()
        s.close()
        branch.close()
        inner.step(10)
        self.assertEqual(inner.steps, 10)
        self.assertEqual(inner.fork().step(5), 15)
        self.assertTrue(processes_with(text))
        inner.close()
        del inner
        gc.collect()
        self.assertTrue(gone(text))

    def test_many_branches(self):
        with simbatch.Session(PLACEMENT, ignore_programs=True) as s:
            for i in range(60):
                with s.fork() as branch:
                    branch.step(3)
                    self.assertEqual(branch.steps, 3)
            self.assertEqual(s.steps, 0)
            many = [s.fork() for _ in range(20)]
            for each in many:
                each.step_begin(10)
            self.assertEqual({each.step_end() for each in many}, {10})
            self.assertEqual(len({each.state_hash for each in many}), 1)
            for each in many:
                each.close()

    def test_pictures(self):
        with simbatch.Session(FIRST_DRIVE) as s:
            s.step(3)
            before = s.state_hash
            image = s.image("impreza.chassis.front_view")
            self.assertEqual((image.width, image.height, len(image.rgba)), (320, 240, 4 * 320 * 240))
            self.assertEqual(image.pixel(0, 0)[3], 255)
            self.assertGreater(len(set(image.rgba)), 20)
            self.assertEqual(s.state_hash, before)
            with s.fork() as branch:
                self.assertEqual(branch.image("impreza.chassis.front_view").rgba, image.rgba)
            words = [FIRST_DRIVE, "--steps=3", "--frames=" + self.path("frames"), "--frames-every=3", "--cameras=*.front_view"]
            simbatch.simrun.call(words)
            try:
                from PIL import Image
            except ImportError:
                self.assertEqual(image.png()[:8], b"\x89PNG\r\n\x1a\n")
                return
            image.save(self.path("a.png"))
            a, b = (Image.open(self.path(name)).convert("RGB") for name in ("a.png", "frames/impreza.chassis.front_view-000003.png"))
            self.assertEqual(a.tobytes(), b.tobytes())

    def test_a_picture_that_is_interrupted(self):
        with simbatch.Session(FIRST_DRIVE) as s:
            s._channel = FailingChannel(s, KeyboardInterrupt())
            with self.assertRaises(KeyboardInterrupt):
                s.image("impreza.chassis.front_view")
            with self.assertRaisesRegex(simbatch.SessionError, "closed"):  # instead of reading the pixels that are left
                s.state_hash
        with simbatch.Session(FIRST_DRIVE) as s:
            s._channel = FailingChannel(s, ConnectionResetError(), before=s._process.kill)
            with self.assertRaises(simbatch.SessionDied):
                s.image("impreza.chassis.front_view")

    def test_mistakes(self):
        with simbatch.Session(FIRST_DRIVE) as s:
            for wrong, kind in (
                (lambda: s.set("impreza.chassis.drive_chassis.stering", 1), simbatch.UnknownName),
                (lambda: s.set("impreza.chassis.psd0.distance", 1), simbatch.SettingError),
                (lambda: s.set(STEERING, float("inf")), simbatch.SettingError),
                (lambda: s.set("impreza.chassis.drive_chassis"), simbatch.SettingError),
                (lambda: s.get("impreza.chassis.psd0.dist"), simbatch.UnknownName),
                (lambda: s.image("impreza.chassis.psd0"), simbatch.UnknownName),
                (lambda: s.step(-1), simbatch.SessionError),
                (lambda: s.save(self.path("a.json")), simbatch.SessionError),  # without rows
                (lambda: s.trace(), simbatch.SessionError),
                (lambda: s.step_end(), simbatch.SessionError),
            ):
                with self.assertRaises(kind):
                    wrong()
            with self.assertRaisesRegex(simbatch.SessionError, "rows=True"):
                s.trace()
            s.step_begin()
            for wrong in (lambda: s.step_begin(), lambda: s.fork(), lambda: s.state_hash):
                with self.assertRaises(simbatch.SessionError):
                    wrong()
            self.assertEqual(s.step_end(), 1)
            self.assertEqual(s.step(0), 1)
        with simbatch.Session(FIRST_DRIVE, rows=True) as s:
            with self.assertRaises(simbatch.SessionError) as caught:
                s.save("/nowhere/a.json")
            self.assertIn("/nowhere/a.json", str(caught.exception))
            s.step()
        for wrong in (lambda: s.step(), lambda: s.get(STEERING), lambda: s.fork()):
            with self.assertRaises(simbatch.SessionError):
                wrong()
        s.close()
        self.assertIn("closed", repr(s))

    def test_a_scenario_with_errors(self):
        with self.assertRaises(simbatch.SimrunError) as caught:
            physics = b'<Physics><Engine name="bullet"><StepSize value="0.01"/></Engine></Physics>'
            simbatch.Session(self.write("a.xml", b'<World name="a">' + physics + b"\n<Terrrain/></World>"))
        self.assertIn(2, [problem.line for problem in caught.exception.diagnostics])
        with self.assertRaises(simbatch.SimrunError) as caught:
            simbatch.Session(PLACEMENT)
        self.assertIn(caught.exception.diagnostics[0].code, ("sim-program-permission", "sim-file"))
        with self.assertRaises(simbatch.SimrunError) as caught:
            simbatch.Session(FIRST_DRIVE, dt=9)
        self.assertEqual(caught.exception.exit, 2)

    def test_a_world_that_blows_up(self):
        with simbatch.Session(bottomless(self), rows=True) as s:
            with self.assertRaises(simbatch.RunFailed) as caught:
                s.step(100000)
            self.assertEqual(caught.exception.diagnostics[0].code, "simrun-blow-up")
            with self.assertRaises(simbatch.RunFailed):
                s.step()
            s.save(self.path("a.json"))
            steps = s.steps + 1
        simbatch.simrun.call([self.path("scenario.xml"), "--steps=%d" % steps, "--trace=" + self.path("b.json")], ok=(1,))
        self.assertEqual(self.contents("a.json"), self.contents("b.json"))

    def test_a_killed_simulator(self):
        s = simbatch.Session(FIRST_DRIVE)
        s.step()
        os.kill(s._process.popen.pid, signal.SIGKILL)
        with self.assertRaises(simbatch.SessionDied) as caught:
            for _ in range(3):
                s.step()
        self.assertEqual(caught.exception.exit, -signal.SIGKILL)
        self.assertIn("signal 9", str(caught.exception))
        with self.assertRaises(simbatch.SessionError):
            s.step()

    def test_a_killed_or_interrupted_python_leaves_nothing(self):
        scenario = own_scenario(self)
        program = "import simbatch\ns = simbatch.Session(%r)\nb = s.fork()\nprint('on', flush=True)\nb.step(10**12)" % scenario
        environment = {**os.environ, "PYTHONPATH": os.path.join(ROOT, "python")}
        for sent in (signal.SIGKILL, signal.SIGINT, signal.SIGTERM):
            python = subprocess.Popen([sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            self.assertEqual(python.stdout.readline(), b"on\n")
            time.sleep(0.2)
            self.assertEqual(len(processes_with("session " + scenario)), 2)
            python.send_signal(sent)
            python.wait(timeout=120)
            python.stdout.close()
            self.assertTrue(gone("session " + scenario), sent)

    def test_compiled_programs_go_with_branches(self):
        """The same bytes as a batch run; and one that crashes or hangs in a branch fails there, with simrun's message."""
        code = """#include <unistd.h>
#include "UserProgramAPI.h"
using namespace UserProgramAPI;
int main() {
  for (int i = 0; i < 20; ++i) { float on = i & 1; SET_DATA("impreza.chassis.headlight_left", on); sleepUntil(simTime() + 0.05); }
  %s
}
"""
        ends = {"end": "return 0;", "crash": "*(volatile int*)8 = 1;", "hang": "for (;;) close(-1);"}
        # Calls in the loop, as ThreadSanitizer delivers signals in calls only; tests/simrun/programs has a loop without any.
        for name, text in ends.items():
            self.write(name + ".cpp", (code % text).encode())
            try:
                simbatch.simrun.call(["compile", self.path(name + ".cpp"), "-o", self.path(name + ".so")])
            except simbatch.SimbatchError as error:
                print("\nSKIPPED: no programs can be compiled here: %s" % str(error).splitlines()[0])
                self.skipTest("no compiler")
        for name in ends:
            with simbatch.Session(FIRST_DRIVE, programs={"impreza": self.path(name + ".so")}, rows=True, program_timeout=1 if name == "hang" else 60) as s:
                s.step(110)
                with s.fork() as branch:
                    branch.step(60)
                    inner = branch.fork()
                    branch.close()
                    if name == "end":
                        inner.step(130)
                        inner.save(self.path("a.json"))
                        s.step(190)
                        self.assertEqual(s.state_hash, inner.state_hash)
                        made = simbatch.run(FIRST_DRIVE, 300, programs={"impreza": self.path("end.so")}, trace=self.path("b.json"))
                        self.assertEqual(made.state_hash, s.state_hash)
                        self.assertEqual(self.contents("a.json"), self.contents("b.json"))
                    else:
                        with self.assertRaises(simbatch.RunFailed) as caught:
                            inner.step(130)
                        code_of = {"crash": "sim-program-crash", "hang": "sim-program-timeout"}[name]
                        self.assertEqual(caught.exception.diagnostics[0].code, code_of)
                    inner.close()

    def test_controllers_have_no_branches(self):
        command = "%s %s" % (sys.executable, self.write("idle.py", b"import simbatch_client as sim\nwhile True: sim.sleep(100)\n"))
        with simbatch.Session(FIRST_DRIVE, controllers={"impreza": command}) as s:
            s.step(30)
            with self.assertRaises(simbatch.SessionError) as caught:
                s.fork()
            self.assertIn("--controller", str(caught.exception))
            s.step(30)
            self.assertEqual(s.steps, 60)

    def test_isolated_controllers(self):
        gaps = simbatch.simrun.call([FIRST_DRIVE, "--steps=1", "--isolate", "--controller=impreza=true"])[2]
        if any("guard files" in gap.message for gap in gaps):
            self.skipTest("files are not guarded on this kernel, or under a sanitizer")
        code = b"""import simbatch_client as sim
try:
    open('/etc/passwd')
except OSError:
    sim.set_data('impreza.chassis.headlight_left', 0.5)
sim.sleep(10000)
"""
        script = self.write("escape.py", code)
        for isolate, light in (False, 0), (True, 0.5):
            with simbatch.Session(FIRST_DRIVE, controllers={"impreza": "/usr/bin/python3 %s" % script}, isolate=isolate) as s:
                s.step(10)
                self.assertEqual(s.get("impreza.chassis.headlight_left.intensity"), light)

    def test_fields_of_bodies(self):
        with simbatch.Session(BALANCE, ignore_programs=True, fields=["velocities", "contacts"]) as s:
            s.step(100)
            self.assertLess(s.get("balancer.body.velocity.wx"), 10)
            self.assertIn("balancer.left.contacts.count", s.names)


if __name__ == "__main__":
    unittest.main()
