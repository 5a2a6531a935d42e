"""Drives a robot with two wheels through a room: straight on while its depth camera sees nothing near, else away from the nearer side. Adds up where
it is (dead reckoning), the way from the counts of its encoders and the turns from its gyroscope, and says so at the end."""

import math

import simbatch_client as sim

RADIUS, COUNTS = 0.1, 1024  # m, counts per turn of a wheel
PERIOD = 0.02  # s, of the encoders, the gyroscope and this program
WIDTH, HEIGHT = 16, 12  # pixels
NEAR = 0.7  # m
CRUISE, TURN = 4.0, 2.0  # rad/s of the wheels

robot = sim.robot()
x = z = heading = 0.0
counts = (0.0, 0.0)


def reckon(new, rate):
    """Moves on by what the wheels and the robot have turned since the last time: an arc."""
    global x, z, heading, counts
    left, right = ((b - a) * 2 * math.pi / COUNTS * RADIUS for a, b in zip(counts, new))
    counts = new
    turn = rate * PERIOD  # to the right
    middle = heading + turn / 2
    x += (left + right) / 2 * math.sin(middle)
    z += (left + right) / 2 * math.cos(middle)
    heading += turn


def sides(depths):
    """The least distance on the left and on the right, above the floor: in the rows of the upper half."""
    rows = [depths[r * WIDTH:(r + 1) * WIDTH] for r in range(HEIGHT // 2)]
    return min(min(row[:WIDTH // 2]) for row in rows), min(min(row[WIDTH // 2:]) for row in rows)


turning = 0.0
try:
    while True:
        left, right, imu, depth = sim.exchange(sim.get(robot + ".base.left_encoder"), sim.get(robot + ".base.right_encoder"),
                                               sim.get(robot + ".base.imu"), sim.get(robot + ".base.depth"))
        reckon((left[0], right[0]), imu[4])
        near_left, near_right = sides(depth)
        if min(near_left, near_right) > NEAR:
            turning = 0.0
        elif turning == 0.0:
            turning = TURN if near_left < near_right else -TURN  # and on, until the way is free
        ahead = 0.0 if turning else CRUISE
        sim.exchange(sim.set(robot + ".left_motor", ahead + turning), sim.set(robot + ".right_motor", ahead - turning),
                     sim.pause(1000 * PERIOD))
finally:
    print(f"at {x:.3f} {z:.3f} heading {math.degrees(heading):.2f}")
