"""Geometry of check_houses: points, segments and rings of a plane, and what is near, in meters."""
import math
from collections import defaultdict


class Grid:
    """Things by the squares of 64 m that their boxes touch."""

    def __init__(self):
        self.cells = defaultdict(dict)  # of a square: what touches it, by id

    def squares(self, x0, y0, x1, y1):
        columns = range(math.floor(y0 / 64), math.floor(y1 / 64) + 1)
        return [(i, j) for i in range(math.floor(x0 / 64), math.floor(x1 / 64) + 1) for j in columns]

    def add(self, points, thing):
        x, y = [p[0] for p in points], [p[1] for p in points]
        for square in self.squares(min(x), min(y), max(x), max(y)):
            self.cells[square][id(thing)] = thing

    def near(self, x, y, reach):
        """What touches the squares around a point, each once."""
        squares = self.squares(x - reach, y - reach, x + reach, y + reach)
        if len(squares) == 1:
            return self.cells.get(squares[0], {}).values()
        found = {}
        for square in squares:
            if square in self.cells:
                found.update(self.cells[square])
        return found.values()


def cross(o, a, b):
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def to_segment(p, a, b):
    dx, dy = b[0] - a[0], b[1] - a[1]
    l2 = dx * dx + dy * dy
    t = 0 if l2 == 0 else max(0.0, min(1.0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / l2))
    return math.hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy)


def length_in_circle(a, b, middle, radius):
    """How much of a segment is in a circle."""
    length = math.dist(a, b)
    if length == 0:
        return 0.0
    along = ((middle[0] - a[0]) * (b[0] - a[0]) + (middle[1] - a[1]) * (b[1] - a[1])) / length
    half = math.sqrt(max(0.0, radius ** 2 - (cross(a, b, middle) / length) ** 2))
    return max(0.0, min(length, along + half) - max(0.0, along - half))


def cross_at(a, b, c, d):
    """Where along a-b it crosses c-d, 0 to 1; None if it does not."""
    r, s = (b[0] - a[0], b[1] - a[1]), (d[0] - c[0], d[1] - c[1])
    n = r[0] * s[1] - r[1] * s[0]
    if n == 0:
        return None
    t = ((c[0] - a[0]) * s[1] - (c[1] - a[1]) * s[0]) / n
    u = ((c[0] - a[0]) * r[1] - (c[1] - a[1]) * r[0]) / n
    return t if 0 <= t <= 1 and 0 <= u <= 1 else None


def apart(a, b, c, d):
    """Distance of two segments."""
    if cross_at(a, b, c, d) is not None:
        return 0.0
    return min(to_segment(a, c, d), to_segment(b, c, d), to_segment(c, a, b), to_segment(d, a, b))


def inside(p, ring):
    result = False
    for a, b in zip(ring, ring[1:] + ring[:1]):
        if (a[1] > p[1]) != (b[1] > p[1]) and p[0] < (b[0] - a[0]) * (p[1] - a[1]) / (b[1] - a[1]) + a[0]:
            result = not result
    return result


def sides(ring):
    return list(zip(ring, ring[1:] + ring[:1]))


def quad_to_segment(quad, a, b):
    if inside(a, quad):
        return 0.0
    return min(apart(p, q, a, b) for p, q in sides(quad))


def quad_meets_ring(quad, ring):
    return (inside(quad[0], ring) or inside(ring[0], quad)
            or any(cross_at(a, b, c, d) is not None for a, b in sides(quad) for c, d in sides(ring)))


def overlap(a, b):
    """Two convex quads, by separating axes; a touch of a centimeter does not count."""
    for quad in (a, b):
        for p, q in sides(quad):
            n = math.dist(p, q)
            if n == 0:
                continue
            axis = -(q[1] - p[1]) / n, (q[0] - p[0]) / n
            ua = [v[0] * axis[0] + v[1] * axis[1] for v in a]
            ub = [v[0] * axis[0] + v[1] * axis[1] for v in b]
            if min(max(ua), max(ub)) - max(min(ua), min(ub)) < 0.01:
                return False
    return True
