"""Traces read from every form: the values of the JSON document, to the last bit; what is damaged is a TraceError."""
import json
import math
import os
import random
import struct
import unittest

from common import FIRST_DRIVE, PLACEMENT, Case, simbatch

FORMS = ("json", "ndjson", "parquet", "npz", "mat", "csv")


def bits(numbers):
    return [struct.pack("<d", number) for number in numbers]


class Forms(Case):
    @classmethod
    def setUpClass(cls):
        import tempfile

        cls.made = tempfile.mkdtemp()
        for form in FORMS:
            simbatch.run(FIRST_DRIVE, 300, every=3, seed=7, trace=os.path.join(cls.made, "run." + form))
        with open(os.path.join(cls.made, "run.json"), "rb") as file:
            cls.text = file.read()
        cls.document = json.loads(cls.text, parse_int=lambda word: float(word) if word == "-0" else int(word))

    @classmethod
    def tearDownClass(cls):
        import shutil

        shutil.rmtree(cls.made)

    def trace(self, form):
        return simbatch.load(os.path.join(self.made, "run." + form))

    def test_all_forms_have_the_same_values(self):
        for form in FORMS:
            with self.subTest(form), self.trace(form) as trace:
                self.assertEqual(list(trace.steps), self.document["step"])
                self.assertEqual(bits(trace.time), bits(self.document["time"]))
                compared = 0
                for device in self.document["devices"]:
                    for field in device["fields"]:
                        found = trace[device["name"] + "." + field["name"]]
                        wanted = self.document["data"][device["name"]][field["name"]]
                        self.assertEqual((found.unit, found.frame, found.type), (field["unit"], field["frame"], field["type"]))
                        if field["type"] == "text":
                            self.assertEqual(list(found.values), wanted, found.name)
                        else:
                            self.assertEqual(bits(found.values), bits(wanted), found.name)
                        compared += 1
                self.assertEqual(compared, len(trace.names))
                self.assertGreater(compared, 80)
                for key in ("scenario", "seed", "dt", "inputs", "hashes", "end"):
                    self.assertEqual(trace.document[key], self.document[key], key)

    def test_a_document_in_another_layout(self):
        path = self.write("other.json", json.dumps(self.document, indent=1).encode())
        with simbatch.load(path) as other, self.trace("json") as trace:
            for name in trace.names:
                self.assertEqual(list(other[name].values), list(trace[name].values))

    def test_large_lines_are_converted_and_cut_ones_are_not(self):
        from simbatch.formats import opening

        with open(os.path.join(self.made, "run.ndjson"), "rb") as file:
            whole = file.read()
        before = opening._LARGE
        self.addCleanup(setattr, opening, "_LARGE", before)
        opening._LARGE = 1 << 17
        self.assertGreater(len(whole), opening._LARGE)
        with simbatch.load(self.write("whole.ndjson", whole)) as trace, self.trace("json") as other:
            self.assertEqual(type(trace._source).__name__, "ParquetSource")
            self.assertEqual([list(f.values) for f in trace.fields], [list(f.values) for f in other.fields])
            self.assertEqual(trace.document["end"], other.document["end"])
        with simbatch.load(self.write("cut.ndjson", whole[: whole.rindex(b'{"end"')] + b'{"en')) as trace:
            self.assertEqual((trace.outcome, len(trace)), ("cut", 101))

    def recording(self):
        """What --record writes (docs/formats/trace.md), from the JSON document: the devices in another order than their numbers."""
        document = {key: value for key, value in self.document.items() if key not in ("step", "time", "data")}
        devices = [d for d in self.document["devices"] if any(f["type"] != "text" for f in d["fields"])]
        columns, places = [], {}
        for device in reversed(devices):
            places[device["name"]] = len(columns)
            columns += [self.document["data"][device["name"]][f["name"]] for f in device["fields"] if f["type"] != "text"]
        rows = b"".join(struct.pack("<%dd" % len(columns), *row) for row in zip(*columns))
        text = json.dumps({**document, "devices": devices}).encode()
        head = b"SBREC003" + b"scenario.xml\0" + struct.pack("<QdQQQQ", 7, 0.005, 3, 99, 8 * len(columns), 2) + b"*\0x?\0"
        tail = struct.pack("<%dQ" % len(devices), *(places[d["name"]] for d in devices)) + text + struct.pack("<QQ", len(devices), len(text))
        count = len(self.document["step"])
        return head + rows + tail + struct.pack("<QQ", count, count ^ (2**64 - 1)) + b"SBRECEND", rows

    def check_recording(self, path, texts):
        with simbatch.load(path) as trace:
            self.assertEqual(list(trace.steps), self.document["step"])
            compared = 0
            for field in trace.fields:
                if field.type != "text" or texts:
                    device, _, name = field.name.rpartition(".")
                    wanted = self.document["data"][device][name]
                    same = list(field.values) == wanted if field.type == "text" else bits(field.values) == bits(wanted)
                    self.assertTrue(same, field.name)
                    compared += 1
            self.assertGreater(compared, 80)

    def test_recordings(self):
        data, rows = self.recording()
        self.check_recording(self.write("a.rec", data), texts=False)
        begin = data.index(rows)
        for wrong in (
            data[:-1],
            data[:begin],
            data[:100],
            data[:8],
            data[:begin] + data[begin + 8 :],
            data[:-24] + struct.pack("<QQ", 5, 5) + b"SBRECEND",
            data[:-40] + bytes([255] * 16) + data[-24:],
        ):
            with self.assertRaises(simbatch.TraceError):
                simbatch.load(self.write("wrong.rec", wrong))
        simbatch.simrun.call([FIRST_DRIVE, "--steps=300", "--every=3", "--seed=7", "--record=" + self.path("real.rec")])
        if self.contents("real.rec").startswith(b"SBREC003"):
            self.check_recording(self.path("real.rec"), texts=True)
        else:
            print("\nSKIPPED: this simrun writes recordings that do not say what they are")

    def test_what_only_simrun_reads(self):
        for form in ("mcap", "json.zst", "ndjson.gz"):
            try:
                simbatch.run(FIRST_DRIVE, 300, every=3, seed=7, trace=self.path("run." + form))
            except simbatch.SimrunError as error:
                self.assertEqual(error.exit, 2)
                print("\nSKIPPED: this simrun does not write .%s" % form)
                continue
            self.check_recording(self.path("run." + form), texts=True)

    def test_names(self):
        with self.trace("json") as trace:
            field = trace["impreza.chassis.psd0.distance"]
            self.assertIs(trace.impreza.chassis.psd0.distance, field)
            self.assertIs(trace.impreza["chassis.psd0.distance"], field)
            self.assertEqual(trace["impreza.chassis.psd0"].kind, "PSDSensor")
            self.assertEqual([f.name for f in trace.match("*.psd0.*")], [field.name, field.name + "_true", "impreza.chassis.psd0.hit"])
            self.assertIn("psd0", dir(trace.impreza.chassis))
            self.assertIn("impreza", dir(trace))
            self.assertIn(field.name, trace)
            self.assertEqual(field.at(0.03), field.values[2])
            with self.assertRaises(IndexError):
                field.at(-1)
            for wrong in ("impreza.chassis.psd.distance", "impreza.chassis.psd0.distanse"):
                with self.assertRaises(KeyError) as caught:
                    trace[wrong]
                self.assertIn(field.name, caught.exception.near)
            with self.assertRaises(AttributeError):
                trace.imprezza
            self.assertFalse(hasattr(trace.impreza, "chasis"))
            self.assertTrue(simbatch.UnknownName.__mro__.index(simbatch.SimbatchError) > 0)

    def test_what_happened(self):
        made = simbatch.run(
            FIRST_DRIVE,
            100,
            inputs={"impreza.chassis.headlight_left.intensity": [(50, 1), (10, 0.5)]},
            expect=["eventually impreza.chassis.headlight_left.intensity == 1"],
        )
        self.assertEqual([(e.step, e.value) for e in made.events if e.kind == "set"], [(10, 0.5), (50, 1)])
        lamp = made.impreza.chassis.headlight_left.intensity
        self.assertEqual([lamp[10], lamp[11], lamp[50], lamp[51]], [0, 0.5, 0.5, 1])
        last = made.expectations[-1]
        self.assertTrue(last.holds)
        self.assertEqual(made.events[-1].kind, "end")
        self.assertEqual(made.outcome, "complete")
        self.assertFalse(made.holds)  # the scenario's own are undecided after half a second

    def test_arrays(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("no numpy")
        with self.trace("parquet") as trace:
            field = trace.impreza.chassis.psd0.distance
            self.assertEqual((field - field).max(), 0)
            self.assertEqual((2 * field)[5], 2 * field.values[5])
            self.assertTrue((field == field).all())
            self.assertEqual(numpy.asarray(field, dtype="float32").dtype, numpy.float32)
            self.assertEqual(field.mean(), numpy.mean(field.values))
            with self.assertRaises(ValueError):
                field.values[0] = 1

    def test_pandas(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("no pandas")
        with self.trace("mat") as trace:
            table = trace.to_pandas()
            self.assertEqual(list(table.columns), trace.names)
            self.assertEqual(list(table.index), self.document["time"])
            self.assertEqual(table.attrs["units"]["impreza.chassis.gyro0.rate"], "rad/s")
            series = trace.impreza.chassis.gyro0.rate.to_pandas()
            self.assertEqual(list(series), list(trace.impreza.chassis.gyro0.rate.values))
            with self.assertRaises(KeyError):
                trace.to_pandas("*.gyr0.*")

    def test_no_trace(self):
        for data in (b"", b"{}", b"{", b'{"header":1}\n', b'{"header":{}}\n', b"PAR1", b"PAR1" + bytes(8) + b"PAR1", b"PK\3\4", b"MATLAB 5.0" + bytes(200)):
            with self.subTest(data[:12]), self.assertRaises(simbatch.TraceError):
                simbatch.load(self.write("no", data))
        os.mkdir(self.path("folder"))
        with self.assertRaises(simbatch.TraceError):
            simbatch.load(self.path("folder"))
        with self.assertRaises(OSError):
            simbatch.load(self.path("missing"))
        glb = b"glTF\2\0\0\0" + bytes(40)
        for data in (b"step,time\n0,0\n", b"\x89MCAP0\r\n", b"\x1f\x8b\x08" + bytes(9), b"<?xml version='1.0'?><World/>", b"SBREC003x", glb):
            with self.subTest(data[:12]), self.assertRaises(simbatch.TraceError) as caught:
                simbatch.load(self.write("text", data))
        try:
            simbatch.load(self.write("world", b"<?xml version='1.0'?>\n<World name='a'/>"))
        except simbatch.TraceError as error:
            self.assertIn("not a trace", str(error))
            self.assertEqual(error.diagnostics[0].code, "sim-file-kind")
        self.assertFalse(issubclass(simbatch.TraceError, simbatch.SimrunError))

    def test_wide_tables(self):
        with self.trace("json") as whole:
            for form in ("wide.csv", "wide.csv.gz", "wide.csv.zst"):
                whole.save(self.path("run." + form))
                with self.subTest(form), simbatch.load(self.path("run." + form)) as trace:
                    self.assertEqual(trace.names, whole.names)
                    self.assertEqual(list(trace.steps), list(whole.steps))
                    self.assertEqual(bits(trace.time), bits(whole.time))
                    for name in whole.names:
                        if whole[name].type == "text":
                            self.assertEqual(list(trace[name].values), list(whole[name].values))
                        else:
                            self.assertEqual(bits(trace[name].values), bits(whole[name].values), name)
                        self.assertEqual(trace[name].unit, "" if whole[name].unit == "1" else whole[name].unit)
                    self.assertEqual((trace.outcome, trace.expectations, trace.inputs), ("cut", [], {}))
                    self.assertIn("101 rows", repr(trace))
        text = self.contents("run.wide.csv")
        for wrong in (text + b"1,2\r\n", text[:-1] + b'"', text.replace(b"\r\n", b"\xff\r\n", 1)):
            with self.assertRaises(simbatch.TraceError):
                simbatch.load(self.write("wrong.wide.csv", wrong)).names
        for form in (".gz", ".zst"):
            packed = self.contents("run.wide.csv" + form)
            with self.assertRaises(simbatch.TraceError):
                simbatch.load(self.write("cut.csv" + form, packed[: len(packed) // 2]))

    def test_damaged_files_are_trace_errors(self):
        """Cut and changed at random places: values, or a TraceError that names the file; nothing else, and not for long."""
        chance = random.Random(5)
        failures = 0
        for form in ("json", "ndjson", "parquet", "npz", "mat"):
            with open(os.path.join(self.made, "run." + form), "rb") as file:
                whole = file.read()
            for i in range(60):
                data = bytearray(whole)
                if i % 3 == 0:
                    del data[chance.randrange(len(data)) :]
                else:
                    # Where the structure is: the begin, the end, anywhere.
                    places = (range(min(4096, len(data))), range(max(0, len(data) - 20000), len(data)), range(len(data)))[i % 3 - 1 if i % 2 else 2]
                    for _ in range(chance.randrange(1, 4)):
                        data[chance.choice(places)] = chance.randrange(256)
                path = self.write("damaged", bytes(data))
                try:
                    with simbatch.load(path) as trace:
                        for field in trace.fields:
                            field.values
                except simbatch.TraceError as error:
                    failures += 1
                    if not error.diagnostics:  # otherwise the first bytes say that it is something else
                        self.assertIn("damaged", str(error))
                except UnicodeDecodeError:
                    self.fail("%s %d: not a TraceError" % (form, i))
        self.assertGreater(failures, 100)


class Shown(Case):
    def test_pictures_and_pages(self):
        trace = simbatch.run(FIRST_DRIVE, 50)
        picture = trace.plot("impreza.chassis.psd0")
        self.assertIn("<svg", picture._repr_svg_())
        picture.save(self.path("a.svg"))
        self.assertEqual(self.contents("a.svg").decode(), picture.text)
        with self.assertRaises(KeyError):
            trace.plot("impreza.chassis.psd1")
        self.assertIn("<svg", trace._repr_html_())
        self.assertIn("polyline", trace.impreza.chassis.psd0.distance._repr_html_())
        self.assertIn("PSDSensor", repr(trace.impreza.chassis.psd0))
        self.assertIn("distance_true", trace.impreza.chassis.psd0._repr_html_())
        self.assertIn("GPRMC", trace.impreza.chassis.gps0.sentence._repr_html_())
        try:
            page = trace.replay()
        except simbatch.SimrunError as error:
            self.assertEqual(error.diagnostics[0].code, "simrun-no-page")
            print("skipped: the replay page, which was not built")
            return
        shown = page._repr_html_()
        self.assertTrue(shown.startswith("<iframe sandbox="))
        self.assertNotIn('"', shown[shown.index('srcdoc="') + 8 : -len('"></iframe>')])

    def test_a_scene(self):
        try:
            page = simbatch.scene(PLACEMENT)
        except simbatch.SimrunError as error:
            self.assertEqual(error.diagnostics[0].code, "simrun-no-page")
            print("skipped: the replay page, which was not built")
            return
        page.save(self.path("scene.html"))
        self.assertEqual(self.contents("scene.html").decode(), page.text)
        self.assertGreater(len(page.text), 100000)
        with simbatch.Session(PLACEMENT, ignore_programs=True, rows=True) as s:
            s.step(5)
            self.assertGreater(len(s.trace().replay().text), 100000)

    def test_line_of_huge_numbers(self):
        from simbatch.show import line_svg

        class Made:
            values = [1e308, -1e308, 0.0] * 1000
            time = [0.0] * 3000

            def __len__(self):
                return 3000

        self.assertTrue(math.isfinite(len(line_svg(Made()))))


if __name__ == "__main__":
    unittest.main()
