"""Flies a square of 4 m at a height of 2 m, turns to the east on the way, and lands where it started. It knows an inertial unit, the
distance to the ground, the speed over it along its own axes (as a downward camera shows it), and a compass; each with noise."""

import math

import simbatch_client as sim

MASS, GRAVITY, ARM = 1.2, 9.81, 0.2  # kg, m/s^2, m
INERTIA = 0.017, 0.032, 0.017  # kg m^2
MOST = 7.2  # N of a rotor
ROTORS = {"front_left": (-ARM, ARM, -1), "front_right": (ARM, ARM, 1), "rear_left": (-ARM, -ARM, 1), "rear_right": (ARM, -ARM, -1)}
TWIST = 0.02  # m: torque about the upright axis over thrust; the rotors' ReactionTorque
# Until when (s), where to (x, height, z), heading (rad).
EAST = math.pi / 2
PLAN = [(4, (0, 2, 0), 0), (9, (0, 2, 4), 0), (15, (4, 2, 4), 0), (21, (4, 2, 0), EAST), (27, (0, 2, 0), EAST), (33, (0, 0, 0), EAST)]


def limited(value, most):
    return max(-most, min(most, value))


def main():
    part = sim.robot() + ".frame"
    reads = [sim.get(f"{part}.{name}") for name in ("imu", "height", "flow_x", "flow_z", "compass")]
    dt, time = 0.004, 0.0
    x = z = climb = pitch = roll = 0.0
    height, sums, goal = None, [0.0, 0.0], [0.0, 0.0, 0.0]
    imu, (distance,), (side,), (ahead,), (heading,) = sim.exchange(*reads)
    while time < PLAN[-1][0]:
        until, place, course = next(p for p in PLAN if time < p[0])
        # Where it is: lean from the gyroscope, held upright by the accelerometer in the long run; place from speeds.
        ax, ay, az, wx, wy, wz = imu
        pitch += dt * (wx + 0.02 * (-math.atan2(az, ay)))
        roll += dt * (wz + 0.02 * math.atan2(ax, ay))
        upright = math.cos(pitch) * math.cos(roll)
        level = distance * upright - 0.05  # m above where it rests
        height = level if height is None else height
        error = level - height
        height += dt * (climb + 12 * error)
        climb += dt * (ay * upright - GRAVITY + 60 * error)
        east = ahead * math.sin(heading) + side * math.cos(heading)
        north = ahead * math.cos(heading) - side * math.sin(heading)
        x += dt * east
        z += dt * north
        # Where it should be: no faster than 1.2 m/s there.
        pace = [0.0] * 3
        for i, most in enumerate((1.2, 0.6, 1.2)):
            pace[i] = limited(2 * (place[i] - goal[i]), most)
            goal[i] += pace[i] * dt
        # Accelerations that bring it there, in its own axes, and from them lean and thrust.
        wish = []
        for i, (off, slow) in enumerate(((goal[0] - x, pace[0] - east), (goal[2] - z, pace[2] - north))):
            sums[i] = limited(sums[i] + dt * 0.4 * off, 2.0)
            wish.append(limited(2.2 * off + 2.6 * slow + sums[i], 4.0))
        forward = wish[1] * math.cos(heading) + wish[0] * math.sin(heading)
        right = wish[0] * math.cos(heading) - wish[1] * math.sin(heading)
        lift = max(0.0, MASS * (GRAVITY + 5 * (goal[1] - height) + 4 * (pace[1] - climb)) / max(0.7, upright))
        turn = math.remainder(course - heading, 2 * math.pi)
        about_x = INERTIA[0] * (60 * (math.atan(forward / GRAVITY) - pitch) - 13 * wx)
        about_z = INERTIA[2] * (60 * (-math.atan(right / GRAVITY) - roll) - 13 * wz)
        about_y = INERTIA[1] * limited(4 * limited(turn, 0.5) - 4 * wy, 2.5)
        if place[1] == 0 and height < 0.02:
            lift = about_x = about_y = about_z = 0.0  # landed
        settings = []
        for name, (rx, rz, sense) in ROTORS.items():
            thrust = lift / 4 - rz * about_x / (4 * ARM**2) + rx * about_z / (4 * ARM**2) + sense * about_y / (4 * TWIST)
            settings.append(sim.set(f"{part}.{name}", max(0.0, min(1.0, thrust / MOST))))
        *_, now, imu, (distance,), (side,), (ahead,), (heading,) = sim.exchange(*settings, sim.pause_until(time + dt), *reads)
        dt, time = now - time, now
    sim.exchange(*(sim.set(f"{part}.{name}", 0.0) for name in ROTORS))


main()
