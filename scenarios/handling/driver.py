"""Drives the double lane change of ISO 3888-1 at 80 km/h:

    simrun scenarios/handling/lane_change_80.xml --controller car="python3 scenarios/handling/driver.py" --steps 5200 --trace change.json

A driver who looks 0.6 s ahead (a preview model of one point, after C. C. MacAdam, "Application of an optimal preview
control for simulation of closed-loop automobile driving", 1981): what the car would miss of its line by then, as it moves and turns now,
is made up for by the steering that a car without slip would need, and an understeer of its own. Where the car is the driver adds up
from compass and speeds, as all that a program knows is measured.
"""
import math

import simbatch_client as sim

SPEED = 80 / 3.6  # m/s
START = 160.0  # m from where the car starts to the first cones
PREVIEW, GAIN, TURNING, UNDERSTEER = 0.603, 3.80, 0.469, -0.0008
# The line: where the two changes begin and end (m from the first cones), and how far aside it is before, between and after.
CHANGES = 16.9, 42.4, 67.2, 99.1
ASIDE = -0.006, 3.61, -0.135
WHEELBASE, FULL_STEERING = 2.5789128, 1.066  # m, rad


def smooth(u):
    u = min(1.0, max(0.0, u))
    return u * u * u * (10 - 15 * u + 6 * u * u)


def line(s):
    a, b, c, d = CHANGES
    if s < (b + c) / 2:
        return ASIDE[0] + (ASIDE[1] - ASIDE[0]) * smooth((s - a) / (b - a))
    return ASIDE[1] + (ASIDE[2] - ASIDE[1]) * smooth((s - c) / (d - c))


def main():
    part = sim.robot() + ".chassis"
    reads = [sim.get(f"{part}.{name}") for name in ("compass", "speed", "drift", "yaw")]
    (heading,), (ahead,), (aside,), (turn,) = sim.exchange(*reads)
    time = x = z = east = north = 0.0
    while z < START + 140:
        error = line(z - START + PREVIEW * north) - (x + PREVIEW * east + TURNING * 0.5 * PREVIEW**2 * ahead * turn)
        angle = GAIN * 2 * error / PREVIEW**2 * (WHEELBASE / max(ahead, 3.0) ** 2 + UNDERSTEER)
        push = min(0.5, max(0.0, 0.5 * (SPEED - ahead) + 0.02))
        steer = min(1.0, max(-1.0, angle / FULL_STEERING))
        _, now, (heading,), (ahead,), (aside,), (turn,) = sim.exchange(
            sim.set(part + ".drive", push, steer, 0.0), sim.pause_until(time + 0.01), *reads)
        # Trapezoids of the velocity over the ground.
        before = east, north
        east = ahead * math.sin(heading) + aside * math.cos(heading)
        north = ahead * math.cos(heading) - aside * math.sin(heading)
        x += 0.5 * (before[0] + east) * (now - time)
        z += 0.5 * (before[1] + north) * (now - time)
        time = now
    sim.exchange(sim.set(part + ".drive", 0.0, 0.0, 0.5))


main()
