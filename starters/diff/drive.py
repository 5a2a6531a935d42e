"""Drives on while its depth camera sees nothing near, else turns away from the nearer side. Edit it: everything that the robot has
is in diff.xml, and `simrun scenario.xml --print-tree` lists it with its values."""

import simbatch_client as sim

robot = sim.robot()  # the name that the scenario gives it
left_motor, right_motor = robot + ".left_motor", robot + ".right_motor"  # rad/s
camera = robot + ".base.depth"  # distances (m), row by row from the top

WIDTH, HEIGHT = 16, 12  # pixels of the camera
NEAR = 0.7  # m
CRUISE, TURN = 4.0, 2.0  # rad/s of the wheels

turning = 0.0
while True:
    depths = sim.get_data(camera)
    rows = [depths[r * WIDTH : (r + 1) * WIDTH] for r in range(HEIGHT // 2)]  # above the floor
    left = min(min(row[: WIDTH // 2]) for row in rows)
    right = min(min(row[WIDTH // 2 :]) for row in rows)
    if min(left, right) > NEAR:
        turning = 0.0
    elif turning == 0.0:
        turning = TURN if left < right else -TURN  # and on, until the way is free
    speed = 0.0 if turning else CRUISE
    sim.set_data(left_motor, speed + turning)
    sim.set_data(right_motor, speed - turning)
    sim.sleep(20)  # ms of simulated time: the robot drives on with these settings
