"""Drives north between obstacles with a laser scanner, and stops where there is no way on. avoid.cpp does the same, number for
number: all arithmetic is in double, in the same order, and only + - * / and comparisons (docs/controllers.md)."""

import simbatch_client as sim

RAYS = 91  # two degrees apart, from -90 (left) to 90 (right)
STEP = 0.03490658503988659  # two degrees, rad
STEP_COS, STEP_SIN = 0.9993908270190958, 0.03489949670250097
TURN = 6.283185307179586
HALF_WIDTH = 1.7  # m: of the car, and as much again as it needs
FAR = 22.0  # m: what is further away is free


def limited(x, low, high):
    return low if x < low else high if x > high else x


def main():
    robot = sim.robot()
    drive, scanner = robot + ".chassis.drive", robot + ".chassis.scanner"
    compass, speedometer = robot + ".chassis.compass", robot + ".chassis.speed"
    left, right = robot + ".chassis.indicator_left", robot + ".chassis.indicator_right"
    # Cosine and sine of 0, 2, ... 180 degrees, each from the one before.
    cosines, sines = [1.0], [0.0]
    for k in range(1, RAYS):
        cosines.append(cosines[k - 1] * STEP_COS - sines[k - 1] * STEP_SIN)
        sines.append(sines[k - 1] * STEP_COS + cosines[k - 1] * STEP_SIN)

    steering = 0.0
    time = 0.0
    ranges, (heading,), (speed,) = sim.exchange(sim.get(scanner), sim.get(compass), sim.get(speedometer))
    while True:
        # North, seen from the car: -pi to pi, positive to the right.
        north = -heading
        if north < -TURN / 2:
            north = north + TURN

        # How far each direction is free, for a car of that width.
        best_score, best_angle, best_free, ahead = -1e9, 0.0, 0.0, FAR
        for i in range(10, 81):
            free = FAR
            for j in range(RAYS):
                apart = i - j if i > j else j - i
                along = ranges[j] * cosines[apart]
                if 0 < along < free and ranges[j] * sines[apart] < HALF_WIDTH:
                    free = along
            angle = (i - 45) * STEP
            score = free - 4 * abs(angle - north) - 2 * abs(angle - 0.5 * steering)
            if i == 45:
                ahead = free
            if score > best_score:
                best_score, best_angle, best_free = score, angle, free

        stop = best_free < 7
        steering = limited(2.2 * best_angle, -1.0, 1.0)
        wanted = 0.0 if stop else limited(0.4 * (ahead if ahead < best_free else best_free), 1.5, 7.0)
        push = 0.25 * (wanted - speed)
        settings = [
            sim.set(drive, limited(push, 0.0, 0.4), 0.0 if stop else steering, 1.0 if stop else limited(-push, 0.0, 1.0)),
            sim.set(left, 1.0 if best_angle < -0.2 else 0.0),
            sim.set(right, 1.0 if best_angle > 0.2 else 0.0),
        ]
        if stop and abs(speed) < 0.2:
            sim.exchange(*settings)
            return
        # All of a cycle in one line: set, sleep, read.
        _, _, _, time, ranges, (heading,), (speed,) = sim.exchange(
            *settings, sim.pause_until(time + 0.05), sim.get(scanner), sim.get(compass), sim.get(speedometer)
        )


main()
