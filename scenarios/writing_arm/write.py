"""Writes the robot's name with an arm of two bars: strokes of letters become angles of its two joints (inverse kinematics), and those
become targets of its motors, 200 times a second."""

import math

import simbatch_client as sim

BAR = 0.4  # m, from axis to axis, and from there to the pen
WIDTH, HEIGHT, GAP = 0.09, 0.15, 0.03  # m, of a letter
FRONT = 0.42  # m, from the column to the foot of the letters
DOWN, UP = -0.018, 0.0  # m, of the pen's link
SPEED = 0.12  # m/s, on the mean

# Strokes: corners in shares of a letter's width and height.
LETTERS = {
    "A": [[(0, 0), (0.5, 1), (1, 0)], [(0.2, 0.4), (0.8, 0.4)]],
    "E": [[(1, 1), (0, 1), (0, 0), (1, 0)], [(0, 0.5), (0.8, 0.5)]],
    "I": [[(0.5, 1), (0.5, 0)]],
    "L": [[(0, 1), (0, 0), (1, 0)]],
    "N": [[(0, 0), (0, 1), (1, 0), (1, 1)]],
    "T": [[(0, 1), (1, 1)], [(0.5, 1), (0.5, 0)]],
}


def strokes(name):
    """Lists of places (x, z) in m."""
    left = -(len(name) * (WIDTH + GAP) - GAP) / 2
    for i, letter in enumerate(name.upper()):
        for stroke in LETTERS[letter]:
            yield [(left + i * (WIDTH + GAP) + WIDTH * u, FRONT + HEIGHT * v) for u, v in stroke]


def angles(x, z):
    """Of shoulder and elbow, for the pen at (x, z)."""
    elbow = math.acos((x * x + z * z) / (2 * BAR * BAR) - 1)
    shoulder = math.atan2(x, z) - elbow / 2  # both bars are of one length
    return shoulder, elbow


class Pen:
    def __init__(self):
        self.robot = sim.robot()
        self.place = (0.0, 2 * BAR)

    def lift(self, height):
        sim.set_data(self.robot + ".lift", height)
        sim.sleep(200)

    def go(self, place):
        """In a straight line, from rest to rest, with the least jerk (Flash and Hogan 1985)."""
        (x0, z0), (x1, z1) = self.place, place
        steps = max(1, round(math.hypot(x1 - x0, z1 - z0) / SPEED / 0.005))
        for k in range(1, steps + 1):
            t = k / steps
            s = t * t * t * (10 - 15 * t + 6 * t * t)
            a, b = angles(x0 + s * (x1 - x0), z0 + s * (z1 - z0))
            sim.exchange(sim.set(self.robot + ".shoulder", a), sim.set(self.robot + ".elbow", b), sim.pause(5))
        self.place = place
        sim.sleep(100)


pen = Pen()
for stroke in strokes(sim.robot()):
    pen.go(stroke[0])
    pen.lift(DOWN)
    for corner in stroke[1:]:
        pen.go(corner)
    pen.lift(UP)
pen.go((0.0, 0.5))
