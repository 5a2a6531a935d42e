// MuJoCo and our reader understand the same models: masses, centers and tensors of inertia, places of bodies, axes, limits, springs and
// dampers of joints, stiffness of servos. What MuJoCo refuses, or cannot read yet, is not compared. Usage: peer_mujoco FOLDER...
#include <mujoco/mujoco.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <memory>

#include "base/core/input.hpp"
#include "lib/robots/from_mjcf.hpp"
#include "tests/peers/comparison.hpp"

namespace {

using namespace simbatch;
using peers::check;
using peers::fault;

struct Free {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
  void operator()(mjData* data) const { mj_deleteData(data); }
};

struct Found {
  const robots::Model* model = nullptr;
  const robots::Part* part = nullptr;
};
struct Index {
  std::map<std::string, Found> parts;
  std::map<std::string, std::pair<const robots::Model*, const robots::Joint*>> joints;
};

geo::Quat quat_of(const mjtNum* q) { return {q[0], q[1], q[2], q[3]}; }
geo::Vec3 vec_of(const mjtNum* v) { return {v[0], v[1], v[2]}; }

void compare_vector(const std::string& where, const char* what, geo::Vec3 ours, geo::Vec3 theirs) {
  check(where, what, ours.x, theirs.x);
  check(where, what, ours.y, theirs.y);
  check(where, what, ours.z, theirs.z);
}

void compare_body(const std::string& where, const Found& ours, const mjModel& m, const mjData& d, int i) {
  const geo::Pose X_WB = ours.model->pose * ours.part->pose;
  const geo::Pose theirs{vec_of(d.xpos + 3 * i), quat_of(d.xquat + 4 * i)};
  for (const geo::Vec3 v : {geo::Vec3{}, geo::Vec3{1, 0, 0}, geo::Vec3{0, 1, 0}})
    compare_vector(where, "place", X_WB * v, theirs * v);
  const double mass = m.body_mass[i];
  check(where, "mass", ours.part->inertial ? ours.part->inertial->mass : 0, mass);
  if (!ours.part->inertial || !(mass > 0)) return;
  compare_vector(where, "center", ours.part->inertial->center, vec_of(m.body_ipos + 3 * i));
  const mjtNum* moment = m.body_inertia + 3 * i;
  const robots::Tensor t = robots::rotated({moment[0], moment[1], moment[2], 0, 0, 0}, quat_of(m.body_iquat + 4 * i));
  const robots::Tensor& own = ours.part->inertial->tensor;
  check(where, "ixx", own.xx, t.xx);
  check(where, "iyy", own.yy, t.yy);
  check(where, "izz", own.zz, t.zz);
  check(where, "ixy", own.xy, t.xy);
  check(where, "ixz", own.xz, t.xz);
  check(where, "iyz", own.yz, t.yz);
}

void compare_joint(const std::string& where, const robots::Model& model, const robots::Joint& ours, const mjModel& m,
                   const mjData& d, int i) {
  compare_vector(where, "anchor", model.pose * ours.position, vec_of(d.xanchor + 3 * i));
  if (m.jnt_type[i] != mjJNT_HINGE && m.jnt_type[i] != mjJNT_SLIDE) return;
  compare_vector(where, "axis", model.pose.q * ours.axis, vec_of(d.xaxis + 3 * i));
  const double zero = m.qpos0[m.jnt_qposadr[i]];
  if (m.jnt_limited[i]) {
    check(where, "lower", ours.lower.value_or(NAN), m.jnt_range[2 * i] - zero);
    check(where, "upper", ours.upper.value_or(NAN), m.jnt_range[2 * i + 1] - zero);
  } else if (ours.lower) {
    fault(where, "has limits");
  }
  const int dof = m.jnt_dofadr[i];
  check(where, "damping", ours.damping, m.dof_damping[dof]);
  check(where, "friction", ours.friction, m.dof_frictionloss[dof]);
  check(where, "armature", ours.rotor, m.dof_armature[dof]);
  check(where, "stiffness", ours.stiffness, m.jnt_stiffness[i]);
  if (m.jnt_stiffness[i] > 0) check(where, "rest", ours.rest, m.qpos_spring[m.jnt_qposadr[i]] - zero);
}

void compare_actuator(const std::string& where, const robots::Joint& ours, const mjModel& m, int i) {
  const double gear = m.actuator_gear[6 * i], gain = m.actuator_gainprm[mjNGAIN * i];
  const mjtNum* bias = m.actuator_biasprm + mjNBIAS * i;
  if (!ours.motor) {
    fault(where, "no motor");
    return;
  }
  const bool is_servo = m.actuator_biastype[i] == mjBIAS_AFFINE;
  if (is_servo && bias[1] != 0) {
    check(where, "kp", ours.motor->stiffness, gain * gear * gear);
    check(where, "kv", ours.motor->damping.value_or(NAN), -bias[2] * gear * gear);
  } else if (is_servo) {
    check(where, "kv", ours.motor->damping.value_or(NAN), gain * gear * gear);
  } else if (m.actuator_ctrllimited[i]) {
    check(where, "effort", ours.motor->effort, std::abs(gear * gain * m.actuator_ctrlrange[2 * i + 1]));
  }
}

Index index_of(const robots::World& world) {
  Index index;
  for (const robots::Model& model : world.models) {
    for (const robots::Part& part : model.parts) index.parts[part.name] = {&model, &part};
    for (const robots::Joint& joint : model.joints) index.joints[joint.name] = {&model, &joint};
  }
  return index;
}

bool compare(const std::string& file) {
  char error[1000] = "";
  const std::unique_ptr<mjModel, Free> m(mj_loadXML(file.c_str(), nullptr, error, sizeof error));
  if (!m) return false;
  const std::unique_ptr<mjData, Free> d(mj_makeData(m.get()));
  mj_kinematics(m.get(), d.get());
  const Input input = Input::open(file);
  const auto load = [&](const std::string& name, const std::string&, Position) -> std::optional<mjcf::Included> {
    const std::string path = (std::filesystem::path(file).parent_path() / name).string();
    return mjcf::Included{path, std::string(Input::open(path).text())};
  };
  const auto read = mjcf::read_mjcf(input.text(), file, load);
  if (!read.ok()) {
    fault(file, "MuJoCo reads it, we refuse it: " + to_text(read.diagnostics.items().front()));
    return true;
  }
  Diagnostics problems;
  const robots::World world = robots::from_mjcf(*read.value, nullptr, problems);
  check(file, "step", world.step.value_or(NAN), m->opt.timestep);
  compare_vector(file, "gravity", world.gravity, vec_of(m->opt.gravity));
  const Index index = index_of(world);
  for (int i = 1; i < m->nbody; ++i) {
    const char* name = mj_id2name(m.get(), mjOBJ_BODY, i);
    if (name == nullptr || *name == '\0') continue;
    const auto found = index.parts.find(name);
    if (found == index.parts.end())
      fault(file, std::string("no body ") + name);
    else
      compare_body(file + ": body " + name, found->second, *m, *d, i);
  }
  for (int i = 0; i < m->njnt; ++i) {
    const char* name = mj_id2name(m.get(), mjOBJ_JOINT, i);
    if (name == nullptr || *name == '\0' || m->jnt_type[i] == mjJNT_FREE) continue;
    const auto found = index.joints.find(name);
    if (found == index.joints.end())
      fault(file, std::string("no joint ") + name);
    else
      compare_joint(file + ": joint " + name, *found->second.first, *found->second.second, *m, *d, i);
  }
  for (int i = 0; i < m->nu; ++i) {
    if (m->actuator_trntype[i] != mjTRN_JOINT || m->actuator_dyntype[i] != mjDYN_NONE) continue;
    const char* name = mj_id2name(m.get(), mjOBJ_JOINT, m->actuator_trnid[2 * i]);
    if (const auto found = index.joints.find(name); found != index.joints.end())
      compare_actuator(file + ": actuator of " + name, *found->second.second, *m, i);
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) { return simbatch::peers::compare_files(argc, argv, ".xml", compare); }
