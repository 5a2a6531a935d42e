"""Shared by the tests of the package: SIMRUN and the folder of the sources come from the environment."""
import os
import shutil
import sys
import tempfile
import unittest

ROOT = os.environ.get("SIMBATCH_ROOT") or os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
sys.path.insert(0, os.path.join(ROOT, "python"))
FIRST_DRIVE = os.path.join(ROOT, "scenarios/first_drive/scenario.xml")
PLACEMENT = os.path.join(ROOT, "scenarios/psd_placement/scenario.xml")
BALANCE = os.path.join(ROOT, "scenarios/balance/scenario.xml")

import simbatch  # noqa: E402


class Case(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def contents(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def write(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data)
        return self.path(name)


def processes_with(text):
    """Processes that have this text in their command line."""
    found = []
    for pid in os.listdir("/proc"):
        if pid.isdigit():
            try:
                with open("/proc/%s/cmdline" % pid, "rb") as file:
                    words = file.read().replace(b"\0", b" ").decode("utf-8", "replace")
                with open("/proc/%s/stat" % pid) as file:
                    state = file.read().rpartition(")")[2].split()[0]
            except OSError:
                continue
            if text in words and state != "Z":
                found.append(int(pid))
    return found


def own_scenario(case):
    """A copy of first_drive in the folder of the test."""
    for name in ("scenario.xml", "impreza.xml", "heights.png"):
        shutil.copy(os.path.join(os.path.dirname(FIRST_DRIVE), name), case.folder)
    return case.path("scenario.xml")


def bottomless(case):
    """A copy of first_drive without ground: the car falls until its world has left the range of meaningful numbers."""
    own_scenario(case)
    with open(FIRST_DRIVE, encoding="utf-8") as file:
        text = file.read()
    begin, end = text.index("<Terrain>"), text.index("</Terrain>") + len("</Terrain>")
    return case.write("scenario.xml", (text[:begin] + text[end:]).encode())
