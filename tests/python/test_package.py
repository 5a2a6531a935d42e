"""The package itself: what it exports, what it needs, its types, its wheel, where CMake puts it."""
import ast
import glob
import inspect
import os
import shutil
import subprocess
import sys
import unittest
import zipfile

from common import ROOT, Case, simbatch

SOURCES = sorted(glob.glob(os.path.join(ROOT, "python/**/*.py"), recursive=True))


def python_3_9():
    """An interpreter; None: there is none. The python3.9 on PATH may be a script of pyenv that finds no such version."""
    for path in [shutil.which("python3.9"), *sorted(glob.glob(os.path.expanduser("~/.pyenv/versions/3.9.*/bin/python3.9")))]:
        if path and subprocess.run([path, "-c", "pass"], capture_output=True).returncode == 0:
            return path
    return None


class Package(Case):
    def test_all_is_all(self):
        public = {n for n, v in vars(simbatch).items() if not n.startswith("_") and not inspect.ismodule(v)}
        self.assertEqual(sorted(public), sorted(simbatch.__all__))
        self.assertEqual(simbatch.__all__, sorted(simbatch.__all__, key=lambda n: (n[0].islower(), n)))

    def test_syntax_of_python_3_9(self):
        self.assertGreater(len(SOURCES), 20)
        for source in SOURCES:
            with open(source, encoding="utf-8") as file:
                ast.parse(file.read(), source, feature_version=(3, 9))

    def test_runs_with_python_3_9(self):
        """The tests of traces and runs, by the oldest Python that the package allows."""
        python = python_3_9()
        if python is None:
            self.skipTest("there is no python3.9 (Debian 12 has 3.11 only): of Python 3.9, only the syntax was checked")
        for name in ("traces", "runs"):
            test = os.path.join(os.path.dirname(os.path.abspath(__file__)), "test_%s.py" % name)
            ended = subprocess.run([python, "-W", "error", test], capture_output=True, text=True)
            self.assertEqual(ended.returncode, 0, ended.stderr[-3000:])

    def test_needs_nothing_but_python(self):
        """NumPy and the others are imported where they are used; the client not even the package."""
        for source in SOURCES:
            with open(source, encoding="utf-8") as file:
                tree = ast.parse(file.read())
            for node in ast.walk(tree):
                names = []
                if isinstance(node, ast.Import):
                    names = [a.name for a in node.names]
                elif isinstance(node, ast.ImportFrom) and not node.level:
                    names = [node.module]
                for name in names:
                    self.assertIn(name.partition(".")[0], sys.stdlib_module_names | {"__future__"}, source)
        program = "import sys; sys.path.insert(0, %r); import simbatch; assert not {'numpy', 'pandas', 'gymnasium'} & set(sys.modules)"
        subprocess.run([sys.executable, "-S", "-c", program % os.path.join(ROOT, "python")], check=True)

    def test_without_numpy(self):
        program = """
import sys
for name in ("numpy", "pandas", "gymnasium"):
    sys.modules[name] = None
sys.path.insert(0, %r)
import simbatch
scenario = %r
for form in ("parquet", "json", "npz", "mat", "ndjson"):
    trace = simbatch.run(scenario, 20, trace=sys.argv[1] + "/a." + form)
    field = trace["impreza.chassis.psd0.distance"]
    assert len(field) == 21 and 9 < min(field) and type(field.values).__name__ == "array", form
    assert list(trace.time)[2] == 0.01 and trace._repr_html_()
with simbatch.Session(scenario) as s:
    s.step(5)
    assert s.get("impreza.chassis.psd0.distance_true") == 10 and len(s.places("*.psd0.*")) == 3
try:
    trace.to_pandas()
except ImportError as error:
    assert "python3-pandas" in str(error)
else:
    sys.exit("no error")
"""
        program %= (os.path.join(ROOT, "python"), os.path.join(ROOT, "scenarios/first_drive/scenario.xml"))
        subprocess.run([sys.executable, "-W", "error", "-c", program, self.folder], check=True)

    def test_types(self):
        if shutil.which("mypy") is None:
            print("\nSKIPPED: mypy is not installed, so that types were not checked")
            self.skipTest("no mypy")
        words = ["mypy", "--no-incremental", "--cache-dir=" + os.devnull, "--config-file", "pyproject.toml"]
        ended = subprocess.run(words, cwd=os.path.join(ROOT, "python"), capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)

    def test_wheel(self):
        """Built without a network, by what Debian has; and the installed package works."""
        try:
            import setuptools  # noqa: F401
            import wheel  # noqa: F401
        except ImportError:
            print("\nSKIPPED: setuptools or wheel is not installed, so that no wheel was built")
            self.skipTest("no setuptools")
        shutil.copytree(os.path.join(ROOT, "python"), self.path("python"), ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info"))
        program = "import setuptools.build_meta as b; print(b.build_wheel('..'))"
        ended = subprocess.run([sys.executable, "-c", program], cwd=self.path("python"), capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        name = ended.stdout.splitlines()[-1]
        self.assertEqual(name, "simbatch-%s-py3-none-any.whl" % simbatch.__version__)
        with zipfile.ZipFile(self.path(name)) as wheel:
            names = set(wheel.namelist())
            wheel.extractall(self.path("installed"))
        for each in [os.path.relpath(source, os.path.join(ROOT, "python")) for source in SOURCES] + ["simbatch/py.typed"]:
            self.assertIn(each, names)
        environment = {**os.environ, "PYTHONPATH": self.path("installed"), "PYTHONDONTWRITEBYTECODE": "1"}
        scenario = os.path.join(ROOT, "scenarios/first_drive/scenario.xml")
        program = "import simbatch, simbatch_client; print(simbatch.__file__, len(simbatch.run(%r, 3)))" % scenario
        ended = subprocess.run([sys.executable, "-c", program], cwd="/", env=environment, capture_output=True, text=True)
        self.assertEqual(ended.stdout.split(), [self.path("installed/simbatch/__init__.py"), "4"], ended.stderr)

    def test_version(self):
        with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as file:
            self.assertIn("VERSION %s " % simbatch.__version__, file.read())
        with open(os.path.join(ROOT, "python/pyproject.toml"), encoding="utf-8") as file:
            self.assertIn('version = "%s"' % simbatch.__version__, file.read())

    def test_where_cmake_puts_it(self):
        build = os.environ.get("SIMBATCH_BUILD")
        if not build:
            self.skipTest("no build folder")
        for prefix, place in (("usr", "lib/python3/dist-packages"), ("usr/local", "lib/python3.%d/dist-packages" % sys.version_info[1])):
            with self.subTest(prefix):
                environment = {**os.environ, "DESTDIR": self.folder}
                words = ["cmake", "--install", build, "--component", "python", "--prefix", "/" + prefix]
                ended = subprocess.run(words, env=environment, capture_output=True, text=True)
                self.assertEqual(ended.returncode, 0, ended.stderr)
                found = self.path(os.path.join(prefix, place))
                for each in ("simbatch/__init__.py", "simbatch/formats/parquet.py", "simbatch/py.typed", "simbatch_client.py"):
                    self.assertTrue(os.path.exists(os.path.join(found, each)), each)


if __name__ == "__main__":
    unittest.main()
