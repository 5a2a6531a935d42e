"""The controller of bench/programs.cpp in Python: argv[1] readings in each of its turns, a line each, or all in one line with "batch"."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python"))
import simbatch_client as sim  # noqa: E402

gets = int(sys.argv[1])
device = sim.robot() + ".chassis.psd0"
if sys.argv[2:] == ["batch"]:
    cycle = [sim.pause(0)] + [sim.get(device)] * gets
    while True:
        sim.exchange(*cycle)
while True:
    for _ in range(gets):
        sim.get_data(device)
    sim.sleep(0)
