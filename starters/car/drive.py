"""Drives ahead, and stops in front of what is in the way. Edit it: everything that the car has is in car.xml, and
`simrun scenario.xml --print-tree` lists it with its values."""

import simbatch_client as sim

car = sim.robot()  # the name that the scenario gives it
drive = car + ".chassis.drive_chassis"  # acceleration -1 to 1, steering -1 (left) to 1 (right), brake 0 to 1
ahead = car + ".chassis.psd0"  # distance to what is ahead (m), 10 where there is nothing
speedometer = car + ".chassis.velocimeter0"  # m/s

CRUISE = 5.0  # m/s
STOP_AT = 8.0  # m in front of it

stopped = False
while True:
    (distance,) = sim.get_data(ahead)
    (speed,) = sim.get_data(speedometer)
    stopped = stopped or distance < STOP_AT
    if stopped:
        sim.set_data(drive, 0.0, 0.0, 1.0)
    else:
        sim.set_data(drive, 0.3 if speed < CRUISE else 0.0, 0.0, 0.0)
    sim.sleep(50)  # ms of simulated time: the car drives on with these settings
