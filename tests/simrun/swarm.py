"""swarm.cpp, number for number: where it computes in float, so does this."""
import sys

import simbatch_client as sim
from simbatch_client import f32

own, (_, neighbor, seed) = sim.robot(), sim.arguments()
state = 1 + int(seed)


def following():
    global state
    state = (state * 1664525 + 1013904223) % 2**32
    return f32((state >> 8) / 16777216.0)


turn = 0
while True:
    (span,), (heading,), (theirs,) = sim.exchange(
        sim.get(own + ".chassis.psd0"), sim.get(own + ".chassis.compass0"), sim.get(neighbor + ".chassis.gyro0")
    )
    push = f32(f32(0.3) * following())
    steer = f32(f32(f32(f32(heading - 3) + theirs) + following()) - 0.5)
    sim.set_data(own + ".chassis.drive_chassis", push, steer, f32(0.8) if span < 4 else 0)
    light = following()
    sim.set_data(own + ".chassis.headlight_left", light)
    if turn % 4 == 0:
        sim.set_data(neighbor + ".chassis.headlight_right", light)
    (seen,) = sim.get_data(own + ".chassis.headlight_right")
    if seen > 0.5:
        sim.set_data(own + ".chassis.indicator_light_back_left", seen)
    if turn == 12 and following() < f32(0.2):
        sim.end(7)
        sys.exit()
    turn += 1
    sim.sleep(int(f32(5 + f32(40 * following()))))
