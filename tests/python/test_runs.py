"""Runs of simrun from Python: what is passed on, what comes back, and what goes wrong."""
import os
import unittest

from common import FIRST_DRIVE, PLACEMENT, Case, bottomless, simbatch
from simbatch.runs import script_text

PROBLEM = b'<World name="a"><Physics><Engine name="bullet"><StepSize value="0.01"/></Engine></Physics>\n<Terrrain/></World>'


class Runs(Case):
    def test_the_same_as_by_hand(self):
        made = simbatch.run(FIRST_DRIVE, 60, seed=9, every=2, devices="*.psd0", trace=self.path("a.json"))
        simbatch.simrun.call([FIRST_DRIVE, "--steps=60", "--seed=9", "--every=2", "--devices=*.psd0", "--trace=" + self.path("b.json")])
        self.assertEqual(self.contents("a.json"), self.contents("b.json"))
        self.assertEqual((made.seed, made.dt, len(made), made.devices), (9, 0.005, 31, ["impreza.chassis.psd0"]))
        self.assertEqual(list(made.inputs), ["scenario.xml", "heights.png", "impreza.xml"])

    def test_temporary_files_go_with_the_trace(self):
        made = simbatch.run(FIRST_DRIVE, 5)
        path = made.path
        self.assertTrue(os.path.exists(path))
        del made
        self.assertFalse(os.path.exists(os.path.dirname(path)))

    def test_an_expectation_that_fails_raises_nothing(self):
        made = simbatch.run(FIRST_DRIVE, 20, expect="always impreza.chassis.psd0.distance_true > 1000")
        self.assertEqual(made.expectations[-1].verdict, "fails")
        self.assertEqual(made.expectations[-1].margin, -990)
        self.assertFalse(made.holds)

    def test_errors_are_those_of_simrun(self):
        with self.assertRaises(simbatch.SimrunError) as caught:
            simbatch.run(self.write("a.xml", PROBLEM), 5, trace=self.path("t.json"))
        problems = [(problem.line, problem.severity, problem.code) for problem in caught.exception.diagnostics]
        self.assertIn((2, "error", "xml-element-unknown"), problems)
        self.assertIn("a.xml:2:", str(caught.exception))
        self.assertEqual(caught.exception.exit, 1)
        self.assertFalse(os.path.exists(self.path("t.json")))
        # An older file of that name is not taken for the run's.
        self.write("t.json", b"old")
        with self.assertRaises(simbatch.SimrunError):
            simbatch.run(self.path("a.xml"), 5, trace=self.path("t.json"))
        self.assertEqual(self.contents("t.json"), b"old")
        with self.assertRaises(simbatch.SimrunError) as caught:
            simbatch.run(FIRST_DRIVE, 5, dt=7)
        self.assertEqual(caught.exception.exit, 2)
        self.assertIn("--dt", str(caught.exception))
        with self.assertRaises(simbatch.SimrunError) as caught:
            simbatch.run(PLACEMENT, 5)
        self.assertIn(caught.exception.diagnostics[0].code, ("sim-program-permission", "sim-file"))

    def test_a_run_that_fails_has_its_trace(self):
        with self.assertRaises(simbatch.RunFailed) as caught:
            simbatch.run(bottomless(self), 5000)
        failed = caught.exception
        self.assertEqual(failed.diagnostics[0].code, "simrun-blow-up")
        self.assertEqual(failed.trace.outcome, "failed")
        self.assertIn("impreza.chassis", failed.trace.message)
        self.assertLess(failed.trace.impreza.chassis.y.values[-1], -900)

    def test_scripts(self):
        text = script_text({"a.b": 1, "a.c": [(5, 0.1), (2, -3)], 'q"<&.d': 0})
        self.assertEqual(
            text.splitlines()[2:-1],
            [
                '  <Set step="0" device="a" input="b" value="1.0"/>',
                "  <Set step=\"0\" device='q\"&lt;&amp;' input=\"d\" value=\"0.0\"/>",
                '  <Set step="2" device="a" input="c" value="-3.0"/>',
                '  <Set step="5" device="a" input="c" value="0.1"/>',
            ],
        )
        for wrong in ({"a": 1}, {"a.b": float("nan")}, {"a.b": [(-1, 0)]}, {"a.b": [(0.5, 0)]}):
            with self.subTest(wrong), self.assertRaises(simbatch.SettingError):
                script_text(wrong)
        with self.assertRaises(TypeError):
            simbatch.run(FIRST_DRIVE, 1, inputs={"a.b": 1}, script="x")

    def test_values_of_files_are_replaced(self):
        heavy = simbatch.run(FIRST_DRIVE, 20, set={"impreza.chassis.Mass": 2000, "Engine.Friction": 0.5})
        self.assertEqual(heavy.document["settings"], [{"at": "impreza.chassis.Mass", "value": "2000"}, {"at": "Engine.Friction", "value": "0.5"}])
        self.assertNotEqual(heavy.state_hash, simbatch.run(FIRST_DRIVE, 20).state_hash)
        with simbatch.Session(FIRST_DRIVE, set={"impreza.chassis.Mass": 2000, "Engine.Friction": 0.5}) as s:
            s.step(20)
            self.assertEqual(s.state_hash, heavy.state_hash)
        with self.assertRaises(simbatch.SimrunError) as caught:
            simbatch.run(FIRST_DRIVE, 1, set={"impreza.chassis.Mas": 1})
        self.assertIn("Mas", str(caught.exception))
        with self.assertRaises(simbatch.SettingError) as caught:
            simbatch.run(FIRST_DRIVE, 1, set={"impreza.chassis.drive_chassis.steering": [(0, 1)]})
        self.assertIn("`inputs`", str(caught.exception))

    def test_no_simrun(self):
        simbatch.simrun.use(self.path("none"))
        self.addCleanup(simbatch.simrun.use, None)
        with self.assertRaises(FileNotFoundError) as caught:
            simbatch.run(FIRST_DRIVE, 1)
        self.assertIsInstance(caught.exception, simbatch.SimrunMissing)


if __name__ == "__main__":
    unittest.main()
