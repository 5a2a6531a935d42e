#include "tests/unit/formats/autosim/samples.hpp"

namespace simbatch::autosim::test {

const std::string_view kEveryRobotElement = R"(<?xml version="1.0" encoding="UTF-8"?>
<Robot name="everything">
  <Parts>
    <Box name="chassis">
      <Position x="0" y="0" z="0"/>
      <Rotation x="1" y="2" z="3"/>
      <Size x="2" y="1.3" z="4.8"/>
      <Mass value="1400"/>
      <CenterOfMass x="0" y="0.37" z="-0.76"/>
      <Inertia x="2000" y="2500" z="600"/>
      <Model path="models/impreza/chassis" type="3ds"/>
      <Friction value="0.5"/>
      <Restitution value="0.1"/>
    </Box>
    <Sphere name="float">
      <Position x="0" y="2" z="0"/>
      <Radius value="0.5"/>
      <Mass value="10"/>
      <Volume value="0.4"/>
      <CenterOfBuoyancy x="0" y="0.1" z="0"/>
      <LinearDrag x="1" y="2" z="3"/>
      <QuadraticDrag x="4" y="5" z="6"/>
      <AngularLinearDrag x="7" y="8" z="9"/>
      <AngularQuadraticDrag x="10" y="11" z="12"/>
      <AddedMass x="13" y="14" z="15"/>
      <AddedInertia x="16" y="17" z="18"/>
    </Sphere>
    <Capsule name="hull">
      <Radius value="0.2"/>
      <Length value="2"/>
      <Mass value="50"/>
    </Capsule>
    <Cylinder name="drum">
      <Radius value="0.2"/>
      <Length value="2"/>
      <Mass value="5"/>
    </Cylinder>
    <Mesh name="statue">
      <File path="models/statue/LOD0/model.obj"/>
      <Scale x="1" y="-1" z="2"/>
      <Mass value="5"/>
    </Mesh>
    <Compound name="hammer">
      <Position x="5" y="0" z="0"/>
      <Box name="head">
        <Size x="1" y="0.3" z="0.3"/>
        <Position x="0" y="1" z="0"/>
        <Rotation x="0" y="90" z="0"/>
      </Box>
      <Cylinder name="handle">
        <Radius value="0.1"/>
        <Length value="2"/>
      </Cylinder>
      <Mass value="30"/>
    </Compound>
    <Compound name="dumbbell">
      <Sphere name="left">
        <Position x="-1" y="0" z="0"/>
        <Radius value="0.1"/>
        <Mass value="5"/>
      </Sphere>
      <Sphere name="right">
        <Position x="1" y="0" z="0"/>
        <Radius value="0.1"/>
        <Mass value="7"/>
      </Sphere>
    </Compound>
    <SphericalLink name="towbar">
      <Parent name="chassis"/>
      <Child name="float"/>
      <Position x="0" y="0" z="5"/>
    </SphericalLink>
    <RevoluteLink name="hinge">
      <Parent name="chassis"/>
      <Child name="hull"/>
      <Position x="0" y="0" z="0"/>
      <Axis x="1" y="0" z="0"/>
      <Limits lower="-45" upper="90"/>
      <Spring stiffness="20" damping="0.5" rest="10"/>
      <Friction value="0.1"/>
      <Motor mode="position" target="5" stiffness="300" damping="8" maxForce="40" maxSpeed="90" rotor="0.02">
        <WhiteNoise range="0.001"/>
        <WhiteGaussianNoise range="0.002" offset="0.001"/>
      </Motor>
    </RevoluteLink>
    <PrismaticLink name="slide">
      <Parent name="hull"/>
      <Child name="drum"/>
      <Position x="0" y="0" z="0"/>
      <Axis x="0" y="0" z="1"/>
      <Motor mode="speed" maxForce="500"/>
    </PrismaticLink>
  </Parts>
  <Articulation base="chassis" fixed="true"/>
  <Devices>
    <DriveActuator name="drive">
      <Part name="chassis"/>
      <MotorForce value="5000"/>
      <BrakeForce value="4000"/>
      <SteeringAngle value="30"/>
    </DriveActuator>
    <WheelDevice name="front_left">
      <Part name="chassis"/>
      <DriveActuator name="drive"/>
      <Position x="-0.8" y="-0.45" z="1.35"/>
      <Radius value="0.36"/>
      <Width value="0.245"/>
      <SuspensionRestLength value="0.1"/>
      <SuspensionKs value="200"/>
      <SuspensionKd value="23"/>
      <Powered value="true"/>
      <Steering value="true"/>
      <Brakes value="false"/>
      <Friction value="10.5"/>
      <MaxSuspensionForce value="6000"/>
      <Model path="models/impreza/wheels/front_left" type="3ds"/>
    </WheelDevice>
    <Propeller name="screw">
      <Part name="hull"/>
      <Position x="0" y="0" z="-1"/>
      <Direction x="0" y="0" z="1"/>
      <MaxVoltage value="24"/>
      <Alpha value="2.5"/>
      <DeadZone value="0.05"/>
      <Pole value="7.2"/>
      <ReactionTorque rotation="left" ratio="0.02"/>
    </Propeller>
    <Propeller name="motor_screw">
      <Part name="hull"/>
      <Position x="0" y="0" z="-1"/>
      <Motor resistance="0.5" torqueConstant="0.02" backEmfConstant="0.03" inertia="1e-4" torqueCoefficient="1e-5" thrustCoefficient="1e-3"/>
    </Propeller>
    <Camera name="front_view">
      <Part name="chassis"/>
      <Type name="fixed"/>
      <Position x="0" y="1" z="1.4"/>
      <Direction x="0" y="-0.25" z="1"/>
      <UpVector x="0" y="1" z="0.1"/>
      <FieldOfView value="75"/>
      <ImageSize width="640" height="480"/>
      <Rate value="30"/>
      <Latency value="0.05"/>
    </Camera>
    <GyroscopeSensor name="gyro0">
      <Part name="chassis"/>
      <Axis x="1" y="0" z="0"/>
      <Alpha value="0.05"/>
      <WhiteGaussianNoise range="0.01" offset="0"/>
    </GyroscopeSensor>
    <VelocimeterSensor name="velocimeter0">
      <Part name="chassis"/>
      <Axis x="0" y="0" z="1"/>
      <WhiteNoise range="0.1" offset="0.5"/>
      <WhiteGaussianNoise range="0.2"/>
    </VelocimeterSensor>
    <PSDSensor name="psd0">
      <Part name="chassis"/>
      <Position x="0" y="0" z="2"/>
      <Direction x="0" y="0" z="1"/>
      <Range value="10"/>
    </PSDSensor>
    <PSDSensor name="psd1">
      <Part name="hull"/>
      <Position x="0" y="0" z="2"/>
      <Direction x="0" y="0" z="-3"/>
      <Range value="5"/>
    </PSDSensor>
    <LaserScanner name="scanner0">
      <Part name="chassis"/>
      <Position x="0" y="1" z="0"/>
      <Direction x="0" y="-0.1" z="1"/>
      <UpVector x="0" y="1" z="0.1"/>
      <Horizontal min="-180" max="180" count="360"/>
      <Vertical min="-15" max="15" count="16"/>
      <Range min="0.5" max="100"/>
      <Rate value="10"/>
      <WhiteNoise range="0.02" offset="0"/>
    </LaserScanner>
    <LaserScanner name="scanner1">
      <Part name="chassis"/>
      <Position x="0" y="0" z="2"/>
      <Horizontal min="-90" max="90" count="181"/>
      <Range max="8"/>
    </LaserScanner>
    <GPSSensor name="gps0">
      <Part name="chassis"/>
      <Position x="0" y="1" z="0"/>
    </GPSSensor>
    <CompassSensor name="compass0">
      <Part name="chassis"/>
      <Axis x="1" y="0" z="0"/>
    </CompassSensor>
    <InclinometerSensor name="inclino0">
      <Part name="chassis"/>
      <Axis x="1" y="0" z="0"/>
    </InclinometerSensor>
    <TimeDevice name="clock">
      <Part name="chassis"/>
    </TimeDevice>
    <LightDevice name="indicator">
      <Part name="chassis"/>
      <Position x="-1" y="0" z="2"/>
      <Intensity value="0.5"/>
      <Color red="1" green="0.5" blue="0"/>
    </LightDevice>
    <HeadLightDevice name="headlight">
      <Part name="chassis"/>
      <Position x="-0.7" y="0" z="2.4"/>
      <Direction x="0" y="-0.1" z="1"/>
      <Angle value="40"/>
      <Intensity value="1"/>
    </HeadLightDevice>
    <DriveActuator name="train">
      <Part name="chassis"/>
      <BrakeForce value="4000"/>
      <Steering ackermann="0.5" rate="400" ratio="16"/>
      <Engine inertia="0.2" idle="900" limit="6000" brakeTorque="15" brakeSlope="5">
        <Torque speed="1000" torque="120"/>
        <Torque speed="4000" torque="180"/>
      </Engine>
      <Gearbox reverse="3.4" final="3.9" efficiency="0.92" shiftUp="5000" shiftDown="1800" shiftTime="0.25">
        <Gear ratio="3.6"/>
        <Gear ratio="2"/>
      </Gearbox>
      <Differential kind="limited" lockTorque="60" frontShare="0.4"/>
      <Brakes frontShare="0.65" antiLock="true" antiLockSlip="0.12"/>
      <AntiRollBar left="tyred_left" right="tyred_right" stiffness="8000"/>
      <Aerodynamics drag="0.7" liftFront="0.05" liftRear="0.1" height="0.2"/>
    </DriveActuator>
    <WheelDevice name="tyred_left">
      <Part name="chassis"/>
      <DriveActuator name="train"/>
      <Position x="-0.7" y="0" z="1.2"/>
      <Radius value="0.34"/>
      <Width value="0.2"/>
      <SuspensionRestLength value="0.4"/>
      <Suspension stiffness="25000" damping="1800" bumpStop="0.2" bumpStiffness="250000" rollCenter="0.1"/>
      <Powered value="true"/>
      <Steering value="true"/>
      <Brakes value="true"/>
      <Tyre model="magic" stiffness="22" longitudinal="1.1" friction="1.05" slidingFriction="0.8" slidingSpeed="5" loadSensitivity="0.1" nominalLoad="3500" relaxationX="0.2" relaxationY="0.5" rollingResistance="0.012" shape="1.35" curvature="-0.01"/>
      <Inertia value="1.7"/>
      <RollInfluence value="0.9"/>
    </WheelDevice>
    <WheelDevice name="tyred_right">
      <Part name="chassis"/>
      <DriveActuator name="train"/>
      <Position x="0.7" y="0" z="1.2"/>
      <Radius value="0.34"/>
      <Width value="0.2"/>
      <SuspensionRestLength value="0.4"/>
      <Suspension stiffness="25000" damping="1800"/>
      <Powered value="true"/>
      <Steering value="true"/>
      <Brakes value="true"/>
      <Tyre model="linear" stiffness="18"/>
    </WheelDevice>
    <EncoderSensor name="turns">
      <Part name="hull"/>
      <Link name="hinge"/>
      <Resolution value="4096"/>
      <Rate value="100"/>
      <Latency value="0.02"/>
      <WhiteNoise range="0.01"/>
    </EncoderSensor>
    <EncoderSensor name="wheel_turns">
      <Part name="chassis"/>
      <Wheel name="front_left"/>
      <Resolution value="64"/>
    </EncoderSensor>
    <ImuSensor name="imu">
      <Part name="chassis"/>
      <Position x="0" y="0.1" z="0"/>
      <Rotation x="0" y="90" z="0"/>
      <Gyroscope noise="0.001" bias="0.01" turnOnBias="0.002" instability="0.0005" correlationTime="300" randomWalk="1e-5" drift="-1e-6" range="8"/>
      <Accelerometer noise="0.002" range="40"/>
      <Rate value="200"/>
    </ImuSensor>
    <BumperSensor name="bumper">
      <Part name="chassis"/>
      <Position x="0" y="0" z="2"/>
      <Size x="2" y="0.5" z="0.2"/>
      <Threshold value="5"/>
    </BumperSensor>
    <ForceTorqueSensor name="wrist">
      <Part name="hull"/>
      <Link name="hinge"/>
      <WhiteGaussianNoise range="0.1"/>
    </ForceTorqueSensor>
    <DepthCamera name="depth">
      <Part name="chassis"/>
      <Position x="0" y="1" z="2"/>
      <Direction x="0" y="-0.1" z="1"/>
      <UpVector x="0" y="1" z="0.1"/>
      <FieldOfView value="45"/>
      <ImageSize width="32" height="24"/>
      <Range min="0.2" max="20"/>
      <Rate value="10"/>
    </DepthCamera>
    <SemanticCamera name="classes">
      <Part name="chassis"/>
      <Position x="0" y="1" z="2"/>
      <Range max="20"/>
    </SemanticCamera>
    <RadarSensor name="radar">
      <Part name="chassis"/>
      <Position x="0" y="0" z="2.3"/>
      <Direction x="0" y="0.1" z="1"/>
      <UpVector x="0" y="1" z="0.1"/>
      <Field width="30" height="8"/>
      <Rays columns="32" rows="4"/>
      <Range value="150"/>
      <Targets value="4"/>
      <Rate value="13"/>
      <Latency value="0.05"/>
    </RadarSensor>
  </Devices>
</Robot>
)";

const std::string_view kEveryWorldElement = R"(<?xml version="1.0" encoding="UTF-8"?>
<World name="everything">
  <Graphics>
    <Window name="main">
      <Size width="800" height="600"/>
      <Title text="a &quot;world&quot;"/>
    </Window>
    <Fog/>
  </Graphics>
  <Physics>
    <Engine name="bullet">
      <StepSize value="0.005"/>
      <Gravity x="0" y="-1.62" z="0"/>
      <Friction value="0.7"/>
      <Restitution value="0.2"/>
      <Seed value="18446744073709551615"/>
      <Origin latitude="-31.9728" longitude="115.827"/>
      <StartTime utc="2008-02-27T12:00:00Z"/>
    </Engine>
    <Surface name="road">
      <Friction value="1"/>
    </Surface>
    <Surface name="pavement">
      <Friction value="0.8"/>
    </Surface>
    <Water name="sea">
      <Level value="-0.5"/>
      <Density value="1000"/>
      <Current x="0.3" y="0" z="-0.1"/>
    </Water>
  </Physics>
  <Terrain>
    <Map name="circle_town">
      <Folder path="../maps/circle_town"/>
      <HeightMap file="hills.png"/>
      <StreetMap file="town.osm"/>
      <Friction value="0.6"/>
    </Map>
  </Terrain>
  <Objects>
    <Robot name="impreza" file="impreza.xml">
      <Position x="1" y="2" z="3"/>
      <Heading value="90"/>
      <Tilt x="1" z="-2"/>
      <Control time="0" device="chassis.drive" acceleration="0.5" steering="-0.2" brake="0"/>
      <Control time="2.5" device="chassis.lamp" value="1"/>
      <UserProgram path="drive.so" arg="fast">
        <Argument value="two words"/>
      </UserProgram>
    </Robot>
    <Robot name="from_library">
      <Include robot="impreza"/>
      <Position house="Town Hall" above="1"/>
    </Robot>
    <Robot name="second" file="impreza.xml">
      <Position latitude="-31.97" longitude="115.83" above="0.5"/>
      <Velocity x="1" y="0" z="-2"/>
      <AngularVelocity x="0" y="30" z="0"/>
      <Fixed part="antenna"/>
      <Fixed part="mast"/>
    </Robot>
    <Robot name="third" file="impreza.xml">
      <Position x="9" z="9"/>
      <Fixed/>
    </Robot>
    <Box name="wall">
      <Position x="0" z="50"/>
      <Heading value="-30"/>
      <Size x="10" y="2" z="0.5"/>
      <Friction value="0.4"/>
      <Restitution value="0.5"/>
      <Model path="models/wall" type="obj"/>
    </Box>
    <Sphere name="ball">
      <Position x="0" z="60"/>
      <Radius value="1"/>
      <Mass value="3"/>
      <Velocity x="0" y="5" z="0.5"/>
      <AngularVelocity x="10" y="20" z="30"/>
    </Sphere>
    <Mesh name="chair">
      <Position x="0" z="65"/>
      <File path="chair.obj"/>
      <Hulls value="6"/>
      <Mass value="4"/>
    </Mesh>
    <Capsule name="pill">
      <Position x="0" z="70"/>
      <Radius value="1"/>
      <Length value="2"/>
    </Capsule>
    <Cylinder name="tank">
      <Position x="0" z="80"/>
      <Radius value="1"/>
      <Length value="2"/>
    </Cylinder>
    <Mesh name="rock">
      <Position x="0" z="90"/>
      <File path="rock.obj"/>
    </Mesh>
  </Objects>
  <Expectations duration="30">
    <Expect name="keeps its distance" that="always car.chassis.psd0.distance > 0.5"/>
    <Expect name="stops" that="finally speed(car.chassis) lt 0.1"/>
  </Expectations>
</World>
)";

}  // namespace simbatch::autosim::test
