#pragma once
/// The car that `osmgen init` puts on a street: that of scenarios/handling.

#include <string_view>

namespace simbatch::osmgen {

inline constexpr std::string_view kStarterCar = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<!-- A saloon with engine, gearbox and four sensible tires; written by osmgen init. -->
<Robot name="car">
  <Parts>
    <Box name="chassis">
      <Position x="0" y="0" z="0"/>
      <Size x="1.61" y="0.7497379" z="4.508"/>
      <Mass value="1093.295"/>
      <Inertia x="1565.818" y="1791.6" z="207.2653"/>
    </Box>
  </Parts>
  <Devices>
    <DriveActuator name="drive">
      <Part name="chassis"/>
      <Engine inertia="0.15" idle="800" limit="6500" brakeTorque="15" brakeSlope="6">
        <Torque speed="800" torque="110"/>
        <Torque speed="2000" torque="150"/>
        <Torque speed="4200" torque="175"/>
        <Torque speed="6500" torque="140"/>
      </Engine>
      <Gearbox final="3.9" efficiency="0.92" reverse="3.7" shiftUp="3500" shiftDown="1500" shiftTime="0.3">
        <Gear ratio="3.7"/>
        <Gear ratio="2"/>
        <Gear ratio="1.35"/>
        <Gear ratio="1"/>
        <Gear ratio="0.8"/>
      </Gearbox>
      <Differential kind="limited" lockTorque="80"/>
      <Aerodynamics drag="0.72" height="0"/>
      <BrakeForce value="3143.224"/>
      <SteeringAngle value="61.0773"/>
      <Steering ackermann="0" rate="22.91831"/>
      <Brakes frontShare="0.66" antiLock="true"/>
      <AntiRollBar left="front_left" right="front_right" stiffness="5231.293"/>
      <AntiRollBar left="rear_left" right="rear_right" stiffness="2504.396"/>
    </DriveActuator>
    <WheelDevice name="front_left">
      <Part name="chassis"/>
      <DriveActuator name="drive"/>
      <Position x="-0.69342" y="0" z="1.156196"/>
      <Radius value="0.344"/>
      <Width value="0.2"/>
      <SuspensionRestLength value="0.3705411"/>
      <Suspension stiffness="21181.1" damping="1340.197"/>
      <Powered value="false"/>
      <Steering value="true"/>
      <Brakes value="true"/>
      <Tyre model="magic" stiffness="21.6804" friction="1.0489" relaxationX="0.15" relaxationY="0.05" shape="1.3507" curvature="-0.0074722"/>
      <Inertia value="1.7"/>
    </WheelDevice>
    <WheelDevice name="front_right">
      <Part name="chassis"/>
      <DriveActuator name="drive"/>
      <Position x="0.69342" y="0" z="1.156196"/>
      <Radius value="0.344"/>
      <Width value="0.2"/>
      <SuspensionRestLength value="0.3705411"/>
      <Suspension stiffness="21181.1" damping="1340.197"/>
      <Powered value="false"/>
      <Steering value="true"/>
      <Brakes value="true"/>
      <Tyre model="magic" stiffness="21.6804" friction="1.0489" relaxationX="0.15" relaxationY="0.05" shape="1.3507" curvature="-0.0074722"/>
      <Inertia value="1.7"/>
    </WheelDevice>
    <WheelDevice name="rear_left">
      <Part name="chassis"/>
      <DriveActuator name="drive"/>
      <Position x="-0.68199" y="0" z="-1.422717"/>
      <Radius value="0.344"/>
      <Width value="0.2"/>
      <SuspensionRestLength value="0.3684988"/>
      <Suspension stiffness="17468.62" damping="1305.196"/>
      <Powered value="true"/>
      <Steering value="false"/>
      <Brakes value="true"/>
      <Tyre model="magic" stiffness="22.21483" friction="1.0489" relaxationX="0.15" relaxationY="0.05" shape="1.3507" curvature="-0.0074722"/>
      <Inertia value="1.7"/>
    </WheelDevice>
    <WheelDevice name="rear_right">
      <Part name="chassis"/>
      <DriveActuator name="drive"/>
      <Position x="0.68199" y="0" z="-1.422717"/>
      <Radius value="0.344"/>
      <Width value="0.2"/>
      <SuspensionRestLength value="0.3684988"/>
      <Suspension stiffness="17468.62" damping="1305.196"/>
      <Powered value="true"/>
      <Steering value="false"/>
      <Brakes value="true"/>
      <Tyre model="magic" stiffness="22.21483" friction="1.0489" relaxationX="0.15" relaxationY="0.05" shape="1.3507" curvature="-0.0074722"/>
      <Inertia value="1.7"/>
    </WheelDevice>
    <GyroscopeSensor name="yaw">
      <Part name="chassis"/>
      <Axis x="0" y="1" z="0"/>
    </GyroscopeSensor>
    <VelocimeterSensor name="speed">
      <Part name="chassis"/>
      <Axis x="0" y="0" z="1"/>
    </VelocimeterSensor>
  </Devices>
</Robot>
)xml";

}  // namespace simbatch::osmgen
