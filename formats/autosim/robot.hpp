#pragma once
/// The Robot file (thesis C.3, docs/robot.md): parts (bodies and links between them) and devices with their noise sources.
/// All in file units, see common.hpp. Positions of parts and links are in the robot's frame; positions, directions and axes
/// of devices in the frame of their part (origin: the part's center, not its center of mass).

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "formats/autosim/common.hpp"
#include "formats/autosim/vehicle.hpp"

namespace simbatch::autosim {

/// Buoyancy and drag of a body. Drag force on body axis i: -(linear_i * v_i + quadratic_i * |v_i| * v_i), v being the
/// velocity relative to the medium (the water's current under water, else rest) in body axes, per axis.
struct Fluid {
  std::optional<double> volume;               ///< displaced when fully submerged (m^3), >= 0; absent: the shape's own
  std::optional<Vector3> center_of_buoyancy;  ///< in the part's frame (m); absent: the part's middle
  Vector3 linear_drag;                        ///< N/(m/s), >= 0
  Vector3 quadratic_drag;                     ///< N/(m/s)^2, >= 0
  Vector3 angular_linear_drag;                ///< N m/(rad/s), >= 0, about the body's axes
  Vector3 angular_quadratic_drag;             ///< N m/(rad/s)^2, >= 0
  Vector3 added_mass;                         ///< kg, >= 0: mass of the water that moves with the body, along its axes
  Vector3 added_inertia;                      ///< kg m^2, >= 0: likewise, about its axes through the center of mass
  friend bool operator==(const Fluid&, const Fluid&) = default;
};

/// One geometry of a Compound: `<Box>`, `<Sphere>`, `<Capsule>`, `<Cylinder>` or `<Mesh>` inside it.
struct Geometry {
  std::string name;
  SourcePlace place;
  Shape shape;
  Vector3 position;  ///< of its middle in the compound's frame (m)
  Vector3 rotation;  ///< degrees, R = Ry(y) * Rx(x) * Rz(z)
  double mass = 0;   ///< kg, >= 0; 0: the compound's own Mass is distributed by volume
  std::optional<std::array<float, 3>> color =
      {};  ///< red, green, blue, 0..1, of robots that come from other formats; not in files
  friend bool operator==(const Geometry&, const Geometry&) = default;
};

/// `<Box>`, `<Sphere>`, `<Capsule>`, `<Cylinder>`, `<Mesh>` or `<Compound>` in Parts: a rigid body.
struct Body {
  std::string name;
  SourcePlace place;
  bool is_compound = false;
  Shape shape;                            ///< unless is_compound; a mesh collides as its convex hull
  std::vector<Geometry> geometries;       ///< if is_compound; none: it collides with nothing but has an inertia
  Vector3 position;                       ///< of its middle in the robot's frame (m)
  Vector3 rotation;                       ///< degrees, R = Ry(y) * Rx(x) * Rz(z)
  double mass = 0;                        ///< kg, > 0; of a compound also the sum of its geometries' masses
  std::optional<Vector3> center_of_mass;  ///< in the part's frame (m); absent: the middle (a compound's: from its geometries)
  std::optional<Vector3> inertia;         ///< moments about the body's axes (kg m^2), > 0; absent: of the shape
  Vector3 inertia_products;               ///< with `inertia`: elements xy, xz, yz of the tensor (-sum m x y), kg m^2
  Boxed<Model> model;
  std::optional<double> friction;     ///< >= 0
  std::optional<double> restitution;  ///< 0..1
  Rare<Fluid> fluid;
  friend bool operator==(const Body&, const Body&) = default;
};

/// Lower and upper end of a link's travel: degrees (revolute) or meters (prismatic); lower <= upper.
struct Limits {
  double lower = 0, upper = 0;
  friend bool operator==(const Limits&, const Limits&) = default;
};

/// `<Spring>` of a link: a spring and a damper.
struct LinkSpring {
  double stiffness = 0;  ///< N m/rad or N/m, >= 0
  double damping = 0;    ///< N m s/rad or N s/m, >= 0
  double rest = 0;       ///< degrees or m, relative to the pose in the file: rest position of the spring
  friend bool operator==(const LinkSpring&, const LinkSpring&) = default;
};

/// A noise source; its values are added to the device's, all sources in file order (thesis 5.3).
struct Noise {
  enum class Kind {
    white,           ///< `<WhiteNoise>`: uniform in offset +- range
    white_gaussian,  ///< `<WhiteGaussianNoise>`: offset + range * z, z of unit variance
  };
  Kind kind = Kind::white;
  SourcePlace place;
  double range = 0;   ///< >= 0, in the device's unit
  double offset = 0;  ///< in the device's unit
  friend bool operator==(const Noise&, const Noise&) = default;
};

/// `<Motor>` of a link. Targets in degrees, degrees/s and N m (revolute) or m, m/s and N (prismatic).
struct LinkMotor {
  enum class Mode { force, position, speed };
  Mode mode = Mode::position;
  double target = 0;                ///< at the start
  std::optional<double> stiffness;  ///< N m/rad or N/m, > 0; required of mode position
  std::optional<double> damping;    ///< N m s/rad or N s/m, >= 0; absent: critical (position), as strong as max_force (speed)
  double max_force = 0;             ///< N m or N, > 0
  std::optional<double> max_speed;  ///< degrees/s or m/s, > 0
  std::optional<double> rotor;      ///< kg m^2 or kg, >= 0, seen from the link's side
  std::vector<Noise> noise;         ///< on targets that are set, in their unit of the API (rad, m, ...)
  friend bool operator==(const LinkMotor&, const LinkMotor&) = default;
};

/// `<SphericalLink>`, `<RevoluteLink>`, `<PrismaticLink>` in Parts. Linked bodies do not collide with each other.
struct Link {
  enum class Kind { spherical, revolute, prismatic };
  Kind kind = Kind::spherical;
  std::string name;
  SourcePlace place;
  std::string parent, child;     ///< names of bodies of this robot
  Vector3 position;              ///< in the robot's frame (m)
  Vector3 axis{0, 1, 0};         ///< revolute, prismatic: in the robot's frame, any length but 0
  std::optional<Limits> limits;  ///< revolute, prismatic; so are the rest
  std::optional<LinkSpring> spring = {};
  std::optional<double> friction = {};  ///< N m or N, >= 0: dry friction
  std::optional<LinkMotor> motor = {};
  friend bool operator==(const Link&, const Link&) = default;
};

struct DriveActuator {
  double motor_force = 0;                ///< N on each powered wheel at full acceleration, >= 0
  double brake_force = 0;                ///< N on each braked wheel at full brake, >= 0
  std::optional<double> steering_angle;  ///< degrees at full steering, in (0, 90); absent: 0.3 rad (PAL)
  std::optional<Steering> steering{};
  std::optional<Engine> engine{};    ///< then motor_force is 0
  std::optional<Gearbox> gearbox{};  ///< with an engine only, as the differential; absent: one gear of the defaults
  std::optional<Differential> differential{};
  std::optional<Brakes> brakes{};
  std::vector<AntiRollBar> bars{};
  std::optional<Aerodynamics> air{};
  friend bool operator==(const DriveActuator&, const DriveActuator&) = default;
};
struct WheelDevice {
  std::string drive_actuator;    ///< name of a DriveActuator of the same part
  Vector3 position;              ///< where the suspension hangs
  double radius = 0, width = 0;  ///< m, > 0
  double rest_length = 0;        ///< SuspensionRestLength (m), >= 0
  double ks = 0;                 ///< SuspensionKs: force = (ks * compression - kd * speed) * mass of the part (N/m/kg), > 0
  double kd = 0;                 ///< SuspensionKd (N/(m/s)/kg), >= 0
  bool powered = false, steering = false, brakes = false;
  std::optional<double> friction;              ///< of the tire, >= 0
  std::optional<double> max_suspension_force;  ///< N, > 0
  Boxed<Model> model;
  std::optional<Suspension> suspension{};  ///< instead of ks and kd, which are 0 then
  std::optional<Tyre> tyre{};              ///< instead of friction; absent: linear without limit, or with `friction`
  double inertia = 0;                      ///< kg m^2, >= 0
  std::optional<double> roll_influence{};  ///< 0..1; absent: 0.1, with a tyre 1
  friend bool operator==(const WheelDevice&, const WheelDevice&) = default;
};
/// `<Motor .../>`: brushed DC motor with the screw on its shaft. J w' = kt (V - kb w) / R - torque_coefficient w|w|,
/// thrust = thrust_coefficient w|w|.
struct DcMotor {
  double resistance = 0;          ///< R, ohm, > 0
  double torque_constant = 0;     ///< kt, N m/A, > 0
  double back_emf_constant = 0;   ///< kb, V/(rad/s), >= 0
  double inertia = 0;             ///< J, kg m^2, > 0
  double torque_coefficient = 0;  ///< N m/(rad/s)^2, >= 0
  double thrust_coefficient = 0;  ///< N/(rad/s)^2, > 0
  friend bool operator==(const DcMotor&, const DcMotor&) = default;
};
/// `<ReactionTorque .../>`: a propeller twists its part against its own rotation.
struct ReactionTorque {
  bool left = false;  ///< at a positive setting it turns counterclockwise, seen along Direction; else clockwise (right-handed)
  double ratio = 0;   ///< m: torque over thrust, > 0; with a Motor 0, since the motor's own torque is used
  friend bool operator==(const ReactionTorque&, const ReactionTorque&) = default;
};
/// Set with -1..1 times max_voltage. Either `alpha` (thrust = alpha * V, PAL's lumped model) or `motor`, never both.
struct Propeller {
  Vector3 position;
  Vector3 direction{0, 0, 1};   ///< of the thrust at positive voltage, not 0
  double max_voltage = 1;       ///< V, > 0
  std::optional<double> alpha;  ///< N/V, > 0
  std::optional<DcMotor> motor;
  double dead_zone = 0;                      ///< settings up to this amount have no effect, 0 <= d < 1
  std::optional<double> pole;                ///< 1/s, > 0: first-order lag of the setting; absent: none
  std::optional<ReactionTorque> reaction{};  ///< absent: none
  friend bool operator==(const Propeller&, const Propeller&) = default;
};
struct Camera {
  enum class Type { fixed, third_person };
  Type type = Type::fixed;
  Vector3 position;
  std::optional<Vector3> direction;  ///< not 0; absent: fixed (0,0,1), third person over the part
  Vector3 up{0, 1, 0};               ///< UpVector, not 0
  double field_of_view = 60;         ///< vertical, degrees, in (0, 180)
  int width = 320, height = 240;     ///< ImageSize, pixels, 1..8192
  friend bool operator==(const Camera&, const Camera&) = default;
};
struct GyroscopeSensor {
  Vector3 axis;      ///< body axis, not 0
  double alpha = 1;  ///< smoothing y += alpha * (x - y), in (0, 1]; 1: none
  friend bool operator==(const GyroscopeSensor&, const GyroscopeSensor&) = default;
};
struct VelocimeterSensor {
  Vector3 axis;  ///< body axis, not 0
  friend bool operator==(const VelocimeterSensor&, const VelocimeterSensor&) = default;
};
struct PSDSensor {
  Vector3 position, direction;  ///< direction not 0
  double range = 0;             ///< m, > 0
  friend bool operator==(const PSDSensor&, const PSDSensor&) = default;
};
/// A planar or layered scanner. Angles in degrees about its own axes (+z along direction, +y close to up): horizontally, 0 is
/// forward and positive to the right; vertically, 0 is level and positive up.
struct LaserScanner {
  /// Rays spread evenly from min to max, both included (except for a full horizontal circle).
  struct Field {
    double min = 0, max = 0;  ///< degrees
    int count = 1;            ///< >= 1
    friend bool operator==(const Field&, const Field&) = default;
  };
  static constexpr int kMaxRays = 1 << 18;  ///< horizontal.count * vertical.count
  Vector3 position;
  Vector3 direction{0, 0, 1};           ///< not 0
  Vector3 up{0, 1, 0};                  ///< UpVector, not 0
  Field horizontal;                     ///< -360 <= min <= max <= 360, max - min <= 360
  Field vertical;                       ///< -90 <= min <= max <= 90
  double range_min = 0, range_max = 0;  ///< m, 0 <= min < max
  std::optional<double> rate;           ///< Hz, > 0; absent: after every step
  friend bool operator==(const LaserScanner&, const LaserScanner&) = default;
};
struct GPSSensor {
  Vector3 position;
  friend bool operator==(const GPSSensor&, const GPSSensor&) = default;
};
struct CompassSensor {
  Vector3 axis{0, 0, 1};  ///< body axis whose heading is measured, not 0
  friend bool operator==(const CompassSensor&, const CompassSensor&) = default;
};
struct InclinometerSensor {
  Vector3 axis;  ///< body axis about which the turn since the start is measured, not 0
  friend bool operator==(const InclinometerSensor&, const InclinometerSensor&) = default;
};
struct TimeDevice {
  friend bool operator==(const TimeDevice&, const TimeDevice&) = default;
};
struct LightDevice {
  Vector3 position;
  double intensity = 0;    ///< at the start, 0..1
  Vector3 color{1, 1, 1};  ///< red, green, blue, 0..1 each
  friend bool operator==(const LightDevice&, const LightDevice&) = default;
};
struct HeadLightDevice {
  Vector3 position;
  Vector3 direction{0, 0, 1};  ///< not 0
  double angle = 45;           ///< whole opening angle of the cone, degrees, in (0, 180)
  double intensity = 0;        ///< at the start, 0..1
  Vector3 color{1, 1, 1};      ///< red, green, blue, 0..1 each
  friend bool operator==(const HeadLightDevice&, const HeadLightDevice&) = default;
};

/// Counts an angle or a length in whole steps. Either `link` or `wheel`.
struct EncoderSensor {
  std::string link;       ///< name of a revolute or prismatic link of this robot
  std::string wheel;      ///< name of a WheelDevice of the same part
  double resolution = 0;  ///< counts per turn, or per m, > 0
  friend bool operator==(const EncoderSensor&, const EncoderSensor&) = default;
};
/// `<Gyroscope>` and `<Accelerometer>` of an ImuSensor; u is rad/s or m/s^2. All >= 0 except bias and drift.
struct ImuErrors {
  double noise = 0;               ///< u/sqrt(Hz)
  double bias = 0;                ///< u, on all axes
  double turn_on_bias = 0;        ///< u: deviation of a bias drawn at the start
  double instability = 0;         ///< u: deviation of a bias that wanders
  double correlation_time = 100;  ///< s, > 0: of the bias that wanders
  double random_walk = 0;         ///< u/sqrt(s)
  double drift = 0;               ///< u/s
  double range = 0;               ///< u; 0: none
  friend bool operator==(const ImuErrors&, const ImuErrors&) = default;
};
struct ImuSensor {
  Vector3 position;
  Vector3 rotation;  ///< degrees, in the convention of parts: rotation of its axes in the part
  ImuErrors gyroscope, accelerometer;
  friend bool operator==(const ImuSensor&, const ImuSensor&) = default;
};
struct BumperSensor {
  Vector3 position;
  std::optional<Vector3> size;  ///< size of the contact zone, a box about position; absent: the whole part
  double threshold = 0;         ///< N, >= 0
  friend bool operator==(const BumperSensor&, const BumperSensor&) = default;
};
struct ForceTorqueSensor {
  std::string link;  ///< name of a revolute or prismatic link of this robot
  friend bool operator==(const ForceTorqueSensor&, const ForceTorqueSensor&) = default;
};
struct RadarSensor {
  static constexpr int kMaxRays = 1 << 16;  ///< columns * rows
  Vector3 position;
  Vector3 direction{0, 0, 1};    ///< not 0
  Vector3 up{0, 1, 0};           ///< UpVector, not 0
  double width = 0, height = 0;  ///< Field: degrees, whole, 0..180
  int columns = 64, rows = 8;    ///< Rays
  double range = 0;              ///< m, > 0
  int targets = 8;               ///< 1..64
  friend bool operator==(const RadarSensor&, const RadarSensor&) = default;
};

/// DepthCamera and SemanticCamera: one number per pixel.
struct RangeCamera {
  static constexpr int kMaxPixels = 1 << 16;
  Vector3 position;
  Vector3 direction{0, 0, 1};           ///< not 0
  Vector3 up{0, 1, 0};                  ///< UpVector, not 0
  double field_of_view = 60;            ///< vertical, degrees, in (0, 180)
  int width = 64, height = 48;          ///< ImageSize, pixels; together at most kMaxPixels
  double range_min = 0, range_max = 0;  ///< m, 0 <= min < max
  friend bool operator==(const RangeCamera&, const RangeCamera&) = default;
};
struct DepthCamera : RangeCamera {
  friend bool operator==(const DepthCamera&, const DepthCamera&) = default;
};
struct SemanticCamera : RangeCamera {
  friend bool operator==(const SemanticCamera&, const SemanticCamera&) = default;
};

struct Device {
  using Kind =
      std::variant<DriveActuator, WheelDevice, Propeller, Camera, GyroscopeSensor, VelocimeterSensor, PSDSensor, LaserScanner,
                   GPSSensor, CompassSensor, InclinometerSensor, TimeDevice, LightDevice, HeadLightDevice, EncoderSensor,
                   ImuSensor, BumperSensor, ForceTorqueSensor, RadarSensor, DepthCamera, SemanticCamera>;
  std::string name;  ///< unique within its part
  SourcePlace place;
  std::string part;  ///< name of a body of this robot
  Kind kind;
  std::vector<Noise> noise;  ///< in file order
  std::optional<double> rate =
      {};  ///< of sensors: samples per second, > 0; absent: after every step. A LaserScanner has its own
  std::optional<double> latency = {};        ///< of sensors: s, 0..kMaxLatency, delay between a sample and its visibility
  static constexpr double kMaxLatency = 60;  ///< s
  friend bool operator==(const Device&, const Device&) = default;
};
/// The element name of a device: "PSDSensor".
std::string_view type_name(const Device& device);

/// `<Articulation>`: the bodies and links form one tree of joints in reduced coordinates, which cannot come apart.
struct Articulation {
  SourcePlace place;
  std::string base;            ///< name of the body at the root; empty: the first one of the file
  bool fixed = false;          ///< the base never moves
  bool self_collision = true;  ///< bodies without a common link collide with each other
  friend bool operator==(const Articulation&, const Articulation&) = default;
};

struct Robot {
  std::string name;
  SourcePlace place;
  std::optional<Articulation> articulation;
  std::vector<Body> bodies;     ///< in file order
  std::vector<Link> links;      ///< in file order
  std::vector<Device> devices;  ///< in file order
  friend bool operator==(const Robot&, const Robot&) = default;
};

/// Reads a Robot file. Reports every problem with its position; blocks that are broken are left out of the value. Checks that
/// parts have unique names, that devices and links name existing bodies, wheels a DriveActuator of their part, etc. A file of
/// more than kMaxRecords named blocks is one error, and is not read.
Parsed<Robot> read_robot(std::string_view text, const std::string& file_name);

/// The canonical text: bodies, links, devices. read_robot(write_robot(r)) == r. Defaults are left out.
std::string write_robot(const Robot& robot);

}  // namespace simbatch::autosim
