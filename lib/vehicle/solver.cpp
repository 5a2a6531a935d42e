// One step: (1) deflections advance with the previous velocity; (2) springs, bars and tires, linearized at the predicted slips
// and loads and with the spins eliminated, are added to the 6 x 6 system; (3) the system is solved; (2) and (3) are repeated
// for each further pass, and whenever a wheel left the ground; (4) spins, loads and forces are stored.
//
// The contributions of left and right wheels of an axle are summed in pairs before they are added to the system, so that a
// mirrored vehicle moves bitwise mirrored.

#include "lib/vehicle/solver.hpp"

#include <algorithm>
#include <cmath>

namespace simbatch::vehicle {

using geo::cross;
using geo::dot;
using geo::Vec3;

namespace {

// A parked car on undamped tires would rock forever; below kLowSpeed the tread gets a damping of kRelaxTime times its stiffness
// (the "low speed" damping of transient tire models; Pacejka 2012, 8.6).
constexpr double kRelaxTime = 0.03;  // s
constexpr double kLowSpeed = 2.5;    // m/s of transport

}  // namespace

struct WheelSolver::Wheel {
  const WheelModel* model = nullptr;
  const Contact* contact = nullptr;
  const WheelInput* input = nullptr;
  WheelMemory* memory = nullptr;
  bool active = false;          // presses on the ground in this pass
  bool grouped = false;         // shares a drive train
  bool sideways = false;        // the lateral force acts above the ground
  Vec3 forward, right;          // in the contact plane at mid-step, directions of the forces
  Vec3 forward_end, right_end;  // at the end of the step, for slip
  Jacobian normal, along, across;
  double resistance = 0, preload = 0;  // load = preload - resistance v_n
  double transfer = 0;                 // load transmitted by the suspension links (N), roll center
  double load = 0;
  double ax = 0, bx = 0, ay = 0, by = 0;  // forces a - b V in this pass
  double predicted_spin = 0;
  Fade fade;                      // at the initial spin
  double corr_x = 0, corr_y = 0;  // correction from slip axes to force axes
  SpinResult spin;
  double vx = 0, hub = 0;  // V predicted, and from the solution
};

WheelSolver::WheelSolver() = default;
WheelSolver::~WheelSolver() = default;
WheelSolver::WheelSolver(WheelSolver&&) noexcept = default;
WheelSolver& WheelSolver::operator=(WheelSolver&&) noexcept = default;

// Computes the wheel's axes and advances its tire's deflection.
void WheelSolver::prepare(Wheel& w, const BodyState& body, double dt) {
  const Contact& c = *w.contact;
  WheelMemory& m = *w.memory;
  w.active = c.touches;
  w.grouped = false;
  w.transfer = 0;
  w.predicted_spin = m.spin;
  w.load = 0;
  if (!c.touches) {
    m.deflection = {};
    m.gripping = false;
    return;
  }
  const double tilt = dot(c.axle, c.normal);
  Vec3 right = c.axle - tilt * c.normal;
  const double scale = 1 / std::max(geo::length(right), 1e-9);
  right = scale * right;
  const Vec3 forward = cross(right, c.normal);

  const Vec3 v = body.velocity.linear + cross(body.velocity.angular, c.arm) - c.ground_velocity;
  const double rim = m.spin * w.model->radius;
  const double sx = dot(v, forward) - rim, sy = dot(v, right);
  const TireSettings& tire = w.model->tire;
  w.fade = fade_of(tire, std::abs(rim), dt);
  if (m.gripping) {
    m.deflection.x = (m.deflection.x - dt * sx) * w.fade.x;
    m.deflection.y = (m.deflection.y - dt * sy) * w.fade.y;
    if (!std::isinf(tire.friction) || c.ground_friction <= 0)
      m.deflection = clipped(tire, m.deflection, friction(tire, m.load, sx, sy, c.ground_friction));
    w.load = m.load;  // initial guess
  }
  // Rate of rotation of the axes in the contact plane: the body's about the normal, and that due to the tilting axle. To second
  // order.
  const Vec3 omega = body.velocity.angular;
  const double rate = dot(omega, c.normal) - tilt * scale * dot(omega, right);
  const double a = dt / 2 * rate, b = dt * rate, ca = 1 - a * a / 2, cb = 1 - b * b / 2;
  w.forward = ca * forward + a * right;
  w.right = ca * right - a * forward;
  w.forward_end = cb * forward + b * right;
  w.right_end = cb * right - b * forward;
  w.normal = jacobian(c.normal, c.arm);
  w.along = jacobian(w.forward, c.arm);
  const double lift = (1 - w.model->roll_influence) * dot(body.up, c.arm);
  w.across = jacobian(w.right, c.arm - lift * body.up);
  set_transfer(w, m.force_y);
}

void WheelSolver::press_spring(Wheel& w, double normal_speed, double dt) {
  const Contact& c = *w.contact;
  const WheelModel& m = *w.model;
  const double travel = c.slope;  // change of compression per distance along the normal
  const double ground = dot(c.ground_velocity, c.normal);
  double k = m.stiffness, offset = 0;
  if (m.bump_stop >= 0 && c.compression + dt * travel * (ground - normal_speed) > m.bump_stop) {
    k += m.bump_rate;
    offset = m.bump_rate * m.bump_stop;
  }
  w.resistance = travel * travel * (m.damping + dt * k);
  w.preload = travel * (k * c.compression - offset) + w.resistance * ground;
  if (c.ground_response[0] != 0) {
    const double give = 1 / (1 + dt * w.resistance * c.ground_response[0]);  // the ground yields
    w.preload *= give;
    w.resistance *= give;
  }
  if (m.max_force >= 0 && w.preload - w.resistance * normal_speed > m.max_force) {
    w.preload = m.max_force;
    w.resistance = 0;
  }
}

void WheelSolver::linearize(Wheel& w, const Velocity& predicted, bool first, double dt) {
  const WheelModel& m = *w.model;
  const TireSettings& tire = m.tire;
  const Contact& c = *w.contact;
  const Vec3 v = predicted.linear + cross(predicted.angular, c.arm), over = v - c.ground_velocity;
  const double normal_speed = dot(v, c.normal);
  press_spring(w, normal_speed, dt);
  if (first && !w.memory->gripping)  // it touches down
    w.load = std::max(0.0, w.preload - w.resistance * normal_speed);

  w.vx = dot(w.forward_end, over);
  const double vy = dot(w.right_end, over);
  w.corr_x = w.vx - dot(w.forward, v);
  w.corr_y = vy - vehicle::dot(w.across, predicted);
  const double spin = w.predicted_spin, sx = w.vx - spin * m.radius, transport = std::abs(spin * m.radius);
  const Deflection e = w.memory->deflection;
  const Fade fade = first ? w.fade : fade_of(tire, transport, dt);
  const double low = kRelaxTime * std::max(0.0, 1 - transport / kLowSpeed);
  double k = w.load * tire.stiffness;
  if (!std::isinf(tire.friction) || c.ground_friction <= 0) {
    const double mu = friction(tire, w.load, sx, vy, c.ground_friction);
    const Deflection next{(e.x - dt * sx) * fade.x - low * sx, (e.y - dt * vy) * fade.y - low * vy};
    k = w.load * secant(tire, combined_slip(tire, next), mu);
  }
  const double kx = k * tire.stiffness_ratio / tire.relaxation_length_x, ky = k / tire.relaxation_length_y;
  w.ax = kx * e.x * fade.x;
  w.bx = kx * (dt * fade.x + low);
  w.ay = ky * e.y * fade.y;
  w.by = ky * (dt * fade.y + low);
  if (c.ground_response == std::array<double, 3>{}) return;
  // Compliance of the ground under the force.
  const double give_x = 1 / (1 + dt * w.bx * c.ground_response[1]);
  const double give_y = 1 / (1 + dt * w.by * c.ground_response[2]);
  w.ax *= give_x;
  w.bx *= give_x;
  w.ay *= give_y;
  w.by *= give_y;
}

SpinInput WheelSolver::spin_input(const Wheel& w) {
  const double resistance = w.model->tire.rolling_resistance * w.load * w.model->radius;
  return {w.model->inertia,
          w.model->radius,
          w.memory->spin,
          w.input->torque,
          {0, w.input->brake_torque + std::max(0.0, resistance)},
          {w.input->motor_speed, w.input->motor_torque},
          w.ax,
          w.bx,
          w.vx};
}

void WheelSolver::add_bars(System6& system, std::span<const AntiRollBar> bars, double dt) {
  for (const AntiRollBar& bar : bars) {
    const Wheel &l = wheels_[bar.left], &r = wheels_[bar.right];
    if (!l.active || !r.active) continue;
    system.add(
        Term(l.normal - r.normal, dt * dt * bar.rate, dt * bar.rate * (l.contact->compression - r.contact->compression)));
  }
}

void WheelSolver::add_group(System6& system, const DriveGroup& g, GroupResult& r, double dt) {
  std::vector<SpinInput>& inputs = inputs_;
  inputs.clear();
  for (const std::size_t i : g.wheels) {
    wheels_[i].grouped = true;
    inputs.push_back(spin_input(wheels_[i]));
  }
  eliminate(inputs, g.couplings, dt, r);
  const double* const mutual = r.b.data();
  for (std::size_t i = 0; i < r.n; ++i) {
    const Wheel& w = wheels_[g.wheels[i]];
    if (!w.active) continue;
    double force = r.a[i];
    for (std::size_t k = 0; k < r.n; ++k) {
      const Wheel& other = wheels_[g.wheels[k]];
      const double b = mutual[i * r.n + k];
      if (!other.active || b == 0) continue;
      force -= b * other.corr_x;
      if (k == i) system.add(Term(w.along, dt * b));
      if (k < i) system.add_pair(w.along, other.along, dt * b);
    }
    system.add_impulse(w.along, dt * force);
  }
}

std::array<Term, 3> WheelSolver::terms(const Wheel& w, double dt) {
  if (!w.active) return {};
  std::array<Term, 3> t{Term(w.normal, dt * w.resistance, dt * (w.preload + w.transfer)),
                        Term(w.across, dt * w.by, dt * (w.ay - w.by * w.corr_y)), Term()};
  if (!w.grouped) t[2] = Term(w.along, dt * w.spin.b, dt * (w.spin.a - w.spin.b * w.corr_x));
  return t;
}

void WheelSolver::assemble(System6& system, const Velocity& predicted, bool first, std::span<const AntiRollBar> bars,
                           std::span<const DriveGroup> groups, double dt) {
  for (Wheel& w : wheels_) {
    if (w.active)
      linearize(w, predicted, first, dt);
    else
      w.ax = w.bx = w.ay = w.by = w.vx = w.corr_x = 0;
  }
  add_bars(system, bars, dt);
  group_results_.resize(groups.size());
  for (std::size_t i = 0; i < groups.size(); ++i) add_group(system, groups[i], group_results_[i], dt);
  for (Wheel& w : wheels_)
    if (!w.grouped) w.spin = eliminate(spin_input(w), dt);
  for (std::size_t i = 0; i < wheels_.size(); ++i) {
    const bool paired = i + 1 < wheels_.size() && wheels_[i].model->lateral == -wheels_[i + 1].model->lateral;
    const std::array<Term, 3> one = terms(wheels_[i], dt), other = paired ? terms(wheels_[++i], dt) : std::array<Term, 3>();
    if (one[2].weight == 0 && other[2].weight == 0)  // wheels that roll freely
      system.add_sides<2>(one, other);
    else
      system.add_sides<3>(one, other);
  }
}

PracticalSlip practical_slip(const WheelMemory& wheel, double radius) {
  if (!wheel.gripping) return {};
  const double forward = std::abs(wheel.hub_x);
  if (std::max(forward, std::abs(wheel.hub_y)) > kSlipSpeed) {
    const double way = std::max(forward, 0.1);
    return {(radius * wheel.spin - wheel.hub_x) / way, std::atan2(-wheel.hub_y, way)};
  }
  const double ratio = wheel.slip_x / (1 - std::min(wheel.slip_x, 0.99));
  return {ratio, std::atan(wheel.slip_y * (1 + ratio))};
}

bool WheelSolver::predict_loads(std::span<const AntiRollBar> bars, const Velocity& v, double dt) {
  for (Wheel& w : wheels_) w.load = w.active ? w.preload + w.transfer - w.resistance * vehicle::dot(w.normal, v) : 0;
  for (const AntiRollBar& bar : bars) {
    Wheel &l = wheels_[bar.left], &r = wheels_[bar.right];
    if (!l.active || !r.active) continue;
    const double force =
        bar.rate * (l.contact->compression - r.contact->compression - dt * vehicle::dot(l.normal - r.normal, v));
    l.load += force;
    r.load -= force;
  }
  bool lifted = false;
  for (Wheel& w : wheels_) {
    if (w.load >= 0) continue;
    w.active = false;
    lifted = true;
  }
  return lifted;
}

// The effective line of the suspension links runs from the contact to the roll center: their share of the load is the lateral
// force times its slope.
void WheelSolver::set_transfer(Wheel& w, double side_force) {
  if (w.model->roll_center != 0 && w.model->lateral != 0) w.transfer = -side_force * w.model->roll_center / w.model->lateral;
}

void WheelSolver::predict_spins(std::span<const DriveGroup> groups, const Velocity& v) {
  for (Wheel& w : wheels_) {
    w.hub = w.active ? vehicle::dot(w.along, v) + w.corr_x : 0;
    if (!w.grouped) {
      if (!w.active && w.model->inertia == 0) {  // neither inertia nor ground: it keeps its spin
        if (w.input->brake_torque > 0) w.predicted_spin = 0;
        if (w.input->motor_torque > 0) w.predicted_spin = w.input->motor_speed;
        continue;
      }
      w.predicted_spin = w.spin.spin0 + w.spin.gain * w.hub;
    }
  }
  for (std::size_t n = 0; n < groups.size(); ++n) {
    const GroupResult& r = group_results_[n];
    for (std::size_t i = 0; i < r.n; ++i) {
      double spin = r.spin0[i];
      for (std::size_t k = 0; k < r.n; ++k) spin += r.gain[i * r.n + k] * wheels_[groups[n].wheels[k]].hub;
      wheels_[groups[n].wheels[i]].predicted_spin = spin;
    }
  }
}

void WheelSolver::store(const Velocity& v, double dt) {
  for (std::size_t i = 0; i < wheels_.size(); ++i) {
    Wheel& w = wheels_[i];
    WheelMemory& m = *w.memory;
    const double faster = w.predicted_spin - m.spin;
    m.spin = w.predicted_spin;
    m.load = w.active ? std::max(0.0, w.load) : 0;
    m.force_x = w.active ? w.ax - w.bx * (w.hub - m.spin * w.model->radius) : 0;
    m.force_y = w.active ? w.ay - w.by * (vehicle::dot(w.across, v) + w.corr_y) : 0;
    m.hub_x = w.hub;
    m.hub_y = w.active ? vehicle::dot(w.across, v) + w.corr_y : 0;
    m.torque = w.model->radius * m.force_x + w.model->inertia * faster / dt;
    const TireSettings& tire = w.model->tire;
    m.slip_x = m.deflection.x / tire.relaxation_length_x;
    m.slip_y = m.deflection.y / tire.relaxation_length_y;
    m.gripping = w.contact->touches;
    ground_[i] =
        w.active ? -dt * (m.load * w.contact->normal + m.force_x * w.along.linear + m.force_y * w.across.linear) : Vec3{};
  }
}

Velocity WheelSolver::step(const BodyState& body, std::span<const WheelModel> models, std::span<const Contact> contacts,
                           std::span<const WheelInput> inputs, std::span<WheelMemory> memories,
                           std::span<const AntiRollBar> bars, std::span<const DriveGroup> groups, double dt) {
  wheels_.resize(models.size());
  ground_.resize(models.size());
  for (std::size_t i = 0; i < models.size(); ++i) {
    wheels_[i].model = &models[i];
    wheels_[i].contact = &contacts[i];
    wheels_[i].input = &inputs[i];
    wheels_[i].memory = &memories[i];
    prepare(wheels_[i], body, dt);
  }
  System6 free(body.mass, body.inertia, body.velocity);
  free.add_impulse({body.force, body.torque}, dt);
  Velocity unsupported = body.velocity;
  unsupported.linear += (dt / body.mass) * body.force;
  if (body.torque != Vec3{}) unsupported = free.solve();
  Velocity v = body.velocity;
  const std::size_t most = static_cast<std::size_t>(passes) + models.size();
  for (std::size_t pass = 0, done = 0; pass < most && done < static_cast<std::size_t>(passes); ++pass) {
    System6 system = free;
    assemble(system, v, pass == 0, bars, groups, dt);
    const Velocity solved = system.solve();
    if (predict_loads(bars, solved, dt) && pass + 1 < most) continue;  // wheels whose load would be negative leave the ground
    v = solved;
    ++done;
    predict_spins(groups, v);
    for (Wheel& w : wheels_)
      if (w.active) set_transfer(w, w.ay - w.by * (vehicle::dot(w.across, v) + w.corr_y));
  }
  store(v, dt);
  return {v.linear - unsupported.linear, v.angular - unsupported.angular};
}

}  // namespace simbatch::vehicle
