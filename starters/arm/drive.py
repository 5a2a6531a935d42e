"""Draws a circle in the air. Edit it: everything that the arm has is in arm.xml, and `simrun scenario.xml --print-tree` lists
it with its values."""

import math

import simbatch_client as sim

arm = sim.robot()  # the name that the scenario gives it
BAR = 0.4  # m, of both bars
MIDDLE, RADIUS = (0.0, 0.6), 0.12  # m
TURN = 4.0  # s


def angles(x, z):
    """Of shoulder and elbow (rad), for the pen at (x, z)."""
    elbow = math.acos((x * x + z * z) / (2 * BAR * BAR) - 1)
    return math.atan2(x, z) - elbow / 2, elbow  # both bars are of one length


def go(x, z):
    shoulder, elbow = angles(x, z)
    sim.set_data(arm + ".shoulder", shoulder)
    sim.set_data(arm + ".elbow", elbow)
    sim.sleep(5)  # ms of simulated time: the motors go on to these angles


REACH = 2 * BAR - 0.001
for k in range(400):  # 2 s, from straight ahead to the circle
    share = (k + 1) / 400
    go(MIDDLE[0], REACH + share * (MIDDLE[1] + RADIUS - REACH))
angle = 0.0
while True:
    go(MIDDLE[0] + RADIUS * math.sin(angle), MIDDLE[1] + RADIUS * math.cos(angle))
    angle += 2 * math.pi * 0.005 / TURN
