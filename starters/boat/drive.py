"""Keeps a course by the compass. Edit it: everything that the boat has is in boat.xml, and `simrun scenario.xml --print-tree`
lists it with its values."""

import math

import simbatch_client as sim

boat = sim.robot()  # the name that the scenario gives it
left, right = boat + ".hull.left", boat + ".hull.right"  # screws, -1 to 1
compass = boat + ".hull.compass"  # rad, clockwise from north

COURSE = math.radians(20)
THRUST, GAIN = 0.7, 0.5

while True:
    (heading,) = sim.get_data(compass)
    off = math.remainder(COURSE - heading, 2 * math.pi)  # to the right
    turn = max(-0.3, min(0.3, GAIN * off))
    sim.set_data(left, THRUST + turn)
    sim.set_data(right, THRUST - turn)
    sim.sleep(200)  # ms of simulated time: the boat goes on with these settings
