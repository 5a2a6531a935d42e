// One step: (1) deflections advance with the velocity that was; (2) springs and bars enter the 6 x 6 system; (3) tires are
// linearized at the predicted slips and loads, spins eliminated, and the system solved; (2) and (3) once more for each further
// pass, and whenever a wheel left the ground; (4) spins, loads and forces are stored.
//
// Wheels on the left and on the right are summed apart, and the sums added: so a mirrored vehicle gives the mirrored motion to
// the last bit.

#include "lib/vehicle/solver.hpp"

#include <algorithm>
#include <cmath>

namespace simbatch::vehicle {

using geo::cross;
using geo::dot;
using geo::Vec3;

namespace {

// A parked car on undamped tires would rock forever; below kLowSpeed the tread takes kRelaxTime seconds' worth of its own
// stiffness as damping (the "low speed" damping of transient tire models; Pacejka 2012, 8.6).
constexpr double kRelaxTime = 0.03;  // s
constexpr double kLowSpeed = 2.5;    // m/s of transport

/// Turned by a small angle, to second order.
Vec3 turned(Vec3 axis, Vec3 angle) {
  const Vec3 once = cross(angle, axis);
  return axis + once + 0.5 * cross(angle, once);
}

}  // namespace

struct WheelSolver::Wheel {
  const WheelModel* model = nullptr;
  const Contact* contact = nullptr;
  const WheelInput* input = nullptr;
  WheelMemory* memory = nullptr;
  System6* system = nullptr;                  // of its side
  bool active = false;                        // presses on the ground in this pass
  bool grouped = false;                       // shares a drive train
  bool capped = false;                        // its spring is at max_force
  Vec3 arm;                                   // from the center of mass to the contact
  Vec3 forward, right;                        // in the contact plane, at the start
  Row normal, along, across;                  // along and across half a step on, as forces act
  Row along_end, across_end;                  // at the end, as slip is measured
  double rate = 0, damping = 0, preload = 0;  // load = preload - (damping + dt rate) v_n
  double transfer = 0;                        // load that the links carry (N), roll center
  double load = 0, transport = 0, mu = 0;
  double ax = 0, bx = 0, ay = 0, by = 0;  // forces a - b V at this pass
  double predicted_spin = 0;
  double corr_x = 0, corr_y = 0;  // slip's axes against the forces'
  SpinResult spin;
  double hub = 0;         // V of the solution
  double vx = 0, vy = 0;  // predicted velocity over the ground along the end axes
};

WheelSolver::WheelSolver() = default;
WheelSolver::~WheelSolver() = default;
WheelSolver::WheelSolver(WheelSolver&&) noexcept = default;
WheelSolver& WheelSolver::operator=(WheelSolver&&) noexcept = default;

void WheelSolver::prepare(const BodyState& body, double dt) {
  const Vec3 half = (dt / 2) * body.velocity.angular;
  for (Wheel& w : wheels_) {
    const Contact& c = *w.contact;
    w.active = c.touches;
    w.grouped = false;
    w.transfer = 0;
    w.predicted_spin = w.memory->spin;
    if (!c.touches) continue;
    w.system = w.model->lateral < 0 ? &left_ : w.model->lateral > 0 ? &right_ : &center_;
    w.arm = c.arm;
    w.normal = row(c.normal, w.arm);
    const auto along_ground = [&](Vec3 axle) { return axle - dot(axle, c.normal) * c.normal; };
    w.right = along_ground(c.axle);
    const double l = geo::length(w.right), scale = l > 0 ? 1 / l : 0;
    w.right = scale * w.right;
    w.forward = cross(w.right, c.normal);
    // The axle's slope against the ground hardly changes in a step: the same scale serves all three.
    const Vec3 middle = scale * along_ground(turned(c.axle, half)), end = scale * along_ground(turned(c.axle, 2.0 * half));
    w.along = row(cross(middle, c.normal), w.arm);
    w.across = w.across_end = row(middle, w.arm);
    if (w.model->roll_influence != 1) {
      const double lift = (1 - w.model->roll_influence) * dot(body.up, w.arm);
      w.across = row(middle, w.arm - lift * body.up);
    }
    w.along_end = row(cross(end, c.normal), w.arm);
    w.across_end = row(end, w.arm);
    set_transfer(w, w.memory->force_y);
  }
}

void WheelSolver::advance_tires(const BodyState& body, double dt) {
  for (Wheel& w : wheels_) {
    WheelMemory& m = *w.memory;
    if (!w.contact->touches) {
      m.deflection = {};
      m.gripping = false;
      continue;
    }
    const Vec3 v = body.velocity.linear + cross(body.velocity.angular, w.arm) - w.contact->ground_velocity;
    const double rim = m.spin * w.model->radius, sx = dot(v, w.forward) - rim, sy = dot(v, w.right);
    w.mu = friction(w.model->tire, m.load, sx, sy, w.contact->ground_friction);
    if (m.gripping) m.deflection = advance(w.model->tire, m.deflection, sx, sy, std::abs(rim), w.mu, dt);
    // What the springs say at this velocity is the load of a wheel that lands; others begin with their last.
    w.load = m.load;
  }
}

void WheelSolver::add_springs(const Velocity& predicted, double dt) {
  for (Wheel& w : wheels_) {
    if (!w.active) continue;
    const Contact& c = *w.contact;
    const WheelModel& m = *w.model;
    const double travel = c.slope;  // compression grows by `slope` per distance along the normal
    double k = m.stiffness, offset = 0;
    const double closing = dot(c.ground_velocity, c.normal) - vehicle::dot(w.normal, predicted);
    if (m.bump_stop >= 0 && c.compression + dt * travel * closing > m.bump_stop) {
      k += m.bump_rate;
      offset = m.bump_rate * m.bump_stop;
    }
    w.rate = k * travel * travel;
    w.damping = m.damping * travel * travel;
    w.preload = travel * (k * c.compression - offset);
    const double resistance = w.damping + dt * w.rate;
    const double give = 1 / (1 + dt * resistance * c.ground_response[0]);  // the ground moves away
    w.preload = give * (w.preload + resistance * dot(c.ground_velocity, c.normal));
    w.damping *= give;
    w.rate *= give;
    const double load = w.preload - (w.damping + dt * w.rate) * vehicle::dot(w.normal, predicted);
    w.capped = m.max_force >= 0 && load > m.max_force;
    if (w.capped) {
      w.preload = m.max_force;
      w.rate = w.damping = 0;
    }
    w.system->add(w.normal, dt * (w.damping + dt * w.rate), dt * (w.preload + w.transfer));
  }
}

void WheelSolver::add_bars(std::span<const AntiRollBar> bars, double dt) {
  for (const AntiRollBar& bar : bars) {
    const Wheel &l = wheels_[bar.left], &r = wheels_[bar.right];
    if (!l.active || !r.active) continue;
    const Row difference = l.normal - r.normal;
    center_.add(difference, dt * dt * bar.rate, dt * bar.rate * (l.contact->compression - r.contact->compression));
  }
}

void WheelSolver::predict_loads(std::span<const AntiRollBar> bars, const Velocity& v, double dt) {
  for (Wheel& w : wheels_)
    w.load = w.active ? w.preload + w.transfer - (w.damping + dt * w.rate) * vehicle::dot(w.normal, v) : 0;
  for (const AntiRollBar& bar : bars) {
    Wheel &l = wheels_[bar.left], &r = wheels_[bar.right];
    if (!l.active || !r.active) continue;
    const double force =
        bar.rate * (l.contact->compression - r.contact->compression - dt * vehicle::dot(l.normal - r.normal, v));
    l.load += force;
    r.load -= force;
  }
}

void WheelSolver::linearize_tire(Wheel& w, const Velocity& predicted, double dt) {
  const WheelModel& m = *w.model;
  const Vec3 ground = w.contact->ground_velocity;
  w.vx = vehicle::dot(w.along_end, predicted) - dot(w.along_end.linear, ground);
  w.vy = vehicle::dot(w.across_end, predicted) - dot(w.across_end.linear, ground);
  w.corr_x = w.vx - vehicle::dot(w.along, predicted);
  w.corr_y = w.vy - vehicle::dot(w.across, predicted);
  const double spin = w.predicted_spin, sx = w.vx - spin * m.radius, sy = w.vy;
  w.transport = std::abs(spin * m.radius);
  w.mu = friction(m.tire, w.load, sx, sy, w.contact->ground_friction);
  const Deflection e = w.memory->deflection;
  const double fade_x = 1 / (1 + dt * w.transport / m.tire.relaxation_length_x);
  const double fade_y = 1 / (1 + dt * w.transport / m.tire.relaxation_length_y);
  const double low = kRelaxTime * std::max(0.0, 1 - w.transport / kLowSpeed);
  const Deflection next{(e.x - dt * sx) * fade_x - low * sx, (e.y - dt * sy) * fade_y - low * sy};
  const double k =
      w.load * (std::isinf(w.mu) && !m.tire.curve ? m.tire.stiffness : secant(m.tire, combined_slip(m.tire, next), w.mu));
  const double kx = k * m.tire.stiffness_ratio / m.tire.relaxation_length_x, ky = k / m.tire.relaxation_length_y;
  w.ax = kx * e.x * fade_x;
  w.bx = kx * (dt * fade_x + low);
  w.ay = ky * e.y * fade_y;
  w.by = ky * (dt * fade_y + low);
  if (w.contact->ground_response == std::array<double, 3>{}) return;
  // The ground's own movement under the force.
  const double give_x = 1 / (1 + dt * w.bx * w.contact->ground_response[1]);
  const double give_y = 1 / (1 + dt * w.by * w.contact->ground_response[2]);
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

void WheelSolver::add_group(const DriveGroup& g, double dt) {
  std::vector<SpinInput> inputs;
  for (const std::size_t i : g.wheels) {
    wheels_[i].grouped = true;
    inputs.push_back(spin_input(wheels_[i]));
  }
  group_results_.push_back(eliminate(inputs, g.couplings, dt));
  const GroupResult& r = group_results_.back();
  for (std::size_t i = 0; i < r.n; ++i) {
    const Wheel& w = wheels_[g.wheels[i]];
    if (!w.active) continue;
    double force = r.a[i];
    for (std::size_t k = 0; k < r.n; ++k) {
      const Wheel& other = wheels_[g.wheels[k]];
      const double b = r.b[i * r.n + k];
      if (!other.active || b == 0) continue;
      force -= b * other.corr_x;
      if (k == i) w.system->add(w.along, dt * b);
      if (k < i) center_.add_pair(w.along, other.along, dt * b);
    }
    w.system->push(w.along, dt * force);
  }
}

void WheelSolver::add_tires(std::span<const DriveGroup> groups, double dt) {
  for (Wheel& w : wheels_)
    if (!w.active) w.ax = w.bx = w.ay = w.by = w.vx = w.corr_x = 0;
  group_results_.clear();
  for (const DriveGroup& g : groups) add_group(g, dt);
  for (Wheel& w : wheels_) {
    if (!w.grouped) w.spin = eliminate(spin_input(w), dt);
    if (!w.active) continue;
    if (!w.grouped && (w.spin.a != 0 || w.spin.b != 0))
      w.system->add(w.along, dt * w.spin.b, dt * (w.spin.a - w.spin.b * w.corr_x));
    w.system->add(w.across, dt * w.by, dt * (w.ay - w.by * w.corr_y));
  }
}

// The line of the links leads from the contact to the roll center: their share of the load is the side force times its slope.
void WheelSolver::set_transfer(Wheel& w, double side_force) {
  if (w.model->roll_center != 0 && w.model->lateral != 0) w.transfer = -side_force * w.model->roll_center / w.model->lateral;
}

void WheelSolver::predict_spins(std::span<const DriveGroup> groups, const Velocity& v) {
  for (Wheel& w : wheels_) {
    w.hub = w.active ? vehicle::dot(w.along, v) + w.corr_x : 0;
    if (!w.grouped) {
      if (!w.active && w.model->inertia == 0) {  // neither inertia nor ground: it keeps turning
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
    m.spin = w.predicted_spin;
    m.load = w.active ? std::max(0.0, w.load) : 0;
    m.force_x = w.active ? w.ax - w.bx * (w.hub - m.spin * w.model->radius) : 0;
    m.force_y = w.active ? w.ay - w.by * (vehicle::dot(w.across, v) + w.corr_y) : 0;
    const TireSettings& tire = w.model->tire;
    m.slip_x = m.deflection.x / tire.relaxation_length_x;
    m.slip_y = m.deflection.y / tire.relaxation_length_y;
    m.gripping = w.contact->touches;
    ground_[i] =
        w.active ? -dt * (m.load * w.contact->normal + m.force_x * w.along.linear + m.force_y * w.across.linear) : Vec3{};
  }
}

bool WheelSolver::lift() {
  bool lifted = false;
  for (Wheel& w : wheels_) {
    if (!w.active || w.load >= 0) continue;
    w.active = false;
    lifted = true;
  }
  return lifted;
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
  }
  prepare(body, dt);
  advance_tires(body, dt);

  System6 free(body.mass, body.inertia, body.velocity);
  free.push({body.force, body.torque}, dt);
  Velocity unsupported = body.velocity;
  unsupported.linear += (dt / body.mass) * body.force;
  if (body.torque != Vec3{}) unsupported = free.solve();
  Velocity v = body.velocity;
  const std::size_t most = static_cast<std::size_t>(passes) + models.size();
  for (std::size_t pass = 0, done = 0; pass < most && done < static_cast<std::size_t>(passes); ++pass) {
    center_ = free;
    left_ = right_ = System6();
    add_springs(v, dt);
    add_bars(bars, dt);
    for (Wheel& w : wheels_) {
      if (!w.active) continue;
      if (pass == 0 && !w.memory->gripping) w.load = std::max(0.0, w.preload - w.damping * vehicle::dot(w.normal, v));
      linearize_tire(w, v, dt);
    }
    add_tires(groups, dt);
    center_.merge(left_, right_);
    const Velocity solved = center_.solve();
    predict_loads(bars, solved, dt);
    if (lift() && pass + 1 < most) continue;  // wheels that would pull leave the ground
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
