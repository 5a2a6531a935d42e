// Tensors of inertia: rotation by a matrix, and the parallel axis theorem (Steiner 1840).

#include "lib/robots/model.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

namespace simbatch::robots {

Tensor rotated(const Tensor& t, const geo::Quat& q) {
  const Vec3 columns[3] = {q * Vec3{1, 0, 0}, q * Vec3{0, 1, 0}, q * Vec3{0, 0, 1}};
  const auto entry = [&](int i, int k) { return k == 0 ? columns[i].x : k == 1 ? columns[i].y : columns[i].z; };
  const double from[3][3] = {{t.xx, t.xy, t.xz}, {t.xy, t.yy, t.yz}, {t.xz, t.yz, t.zz}};
  double to[3][3] = {};
  // to = R from R^T, R having the columns.
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c)
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) to[r][c] += entry(i, r) * from[i][k] * entry(k, c);
  return {to[0][0], to[1][1], to[2][2], 0.5 * (to[0][1] + to[1][0]), 0.5 * (to[0][2] + to[2][0]), 0.5 * (to[1][2] + to[2][1])};
}

Tensor of_point(double m, Vec3 r) {
  return {m * (r.y * r.y + r.z * r.z),
          m * (r.x * r.x + r.z * r.z),
          m * (r.x * r.x + r.y * r.y),
          -m * r.x * r.y,
          -m * r.x * r.z,
          -m * r.y * r.z};
}

Tensor operator+(const Tensor& a, const Tensor& b) {
  return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}

namespace {

/// Principal moments, and the axes that they are about as columns.
struct Principal {
  double moments[3];
  double axes[3][3];
};
/// By Jacobi's rotations (Jacobi 1846).
Principal principal_of(const Tensor& t) {
  double a[3][3] = {{t.xx, t.xy, t.xz}, {t.xy, t.yy, t.yz}, {t.xz, t.yz, t.zz}};
  Principal made{{}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (int sweep = 0; sweep < 30; ++sweep)
    for (int p = 0; p < 2; ++p)
      for (int q = p + 1; q < 3; ++q) {
        if (a[p][q] == 0) continue;
        const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double s = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        const double cosine = 1 / std::sqrt(s * s + 1), sine = s * cosine;
        const auto turn_columns = [&](double(&of)[3][3]) {
          for (auto& row : of) {
            const double kp = row[p], kq = row[q];
            row[p] = cosine * kp - sine * kq;
            row[q] = sine * kp + cosine * kq;
          }
        };
        turn_columns(a);
        turn_columns(made.axes);
        for (int k = 0; k < 3; ++k) {
          const double pk = a[p][k], qk = a[q][k];
          a[p][k] = cosine * pk - sine * qk;
          a[q][k] = sine * pk + cosine * qk;
        }
      }
  for (int k = 0; k < 3; ++k) made.moments[k] = a[k][k];
  return made;
}

}  // namespace

bool is_physical(const Tensor& t) {
  double m[3];
  std::copy_n(principal_of(t).moments, 3, m);
  std::sort(m, m + 3);
  return std::isfinite(m[2]) && m[0] > 0 && m[2] <= (m[0] + m[1]) + 1e-6 * m[2];
}

Tensor nearest_physical(const Tensor& t) {
  const Principal p = principal_of(t);
  const auto largest = static_cast<std::size_t>(std::max_element(p.moments, p.moments + 3) - p.moments);
  const double others = p.moments[0] + p.moments[1] + p.moments[2] - p.moments[largest], less = p.moments[largest] - others;
  if (!(less > 0) || !(*std::min_element(p.moments, p.moments + 3) > 0) || !std::isfinite(less)) return t;
  const double x = p.axes[0][largest], y = p.axes[1][largest], z = p.axes[2][largest];
  return {t.xx - less * x * x, t.yy - less * y * y, t.zz - less * z * z,
          t.xy - less * x * y, t.xz - less * x * z, t.yz - less * y * z};
}

Tensor with_least_moment(const Tensor& t, double least) {
  const Principal p = principal_of(t);
  Tensor raised = t;
  for (std::size_t k = 0; k < 3; ++k) {
    const double more = least - p.moments[k];
    if (!(more > 0)) continue;
    const double x = p.axes[0][k], y = p.axes[1][k], z = p.axes[2][k];
    raised = raised + Tensor{more * x * x, more * y * y, more * z * z, more * x * y, more * x * z, more * y * z};
  }
  return raised;
}

Inertial combined(const Inertial& a, const Inertial& b) {
  const double mass = a.mass + b.mass;
  if (!(mass > 0)) return a;
  const Vec3 center = (1 / mass) * (a.mass * a.center + b.mass * b.center);
  return {mass, center, a.tensor + of_point(a.mass, a.center - center) + b.tensor + of_point(b.mass, b.center - center)};
}

Inertial moved(const Inertial& inertial, const Pose& X_FP) {
  return {inertial.mass, X_FP * inertial.center, rotated(inertial.tensor, X_FP.q)};
}

std::vector<Model> split(const Model& model) {
  const std::size_t count = model.parts.size();
  std::vector<std::size_t> group(count);
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < count; ++i) {
    group[i] = i;
    index.emplace(model.parts[i].name, i);
  }
  const auto find = [&](std::size_t i) {
    while (group[i] != i) i = group[i] = group[group[i]];
    return i;
  };
  for (const Joint& joint : model.joints) {
    const auto a = index.find(joint.parent), b = index.find(joint.child);
    if (a == index.end() || b == index.end()) continue;
    const std::size_t ga = find(a->second), gb = find(b->second);
    group[std::max(ga, gb)] = std::min(ga, gb);
  }
  std::vector<Model> models;
  std::map<std::size_t, std::size_t> model_of;
  for (std::size_t i = 0; i < count; ++i) {
    const auto [to, fresh] = model_of.try_emplace(find(i), models.size());
    if (fresh) {
      Model& added = models.emplace_back();
      added.name = models.size() == 1 ? model.name : model.name + "_" + model.parts[i].name;
      added.place = models.size() == 1 ? model.place : model.parts[i].place;
      added.file = model.file;
      added.pose = model.pose;
      added.is_static = model.is_static;
      added.self_collision = model.self_collision;
      added.is_explicit = model.is_explicit;
    }
    models[to->second].parts.push_back(model.parts[i]);
  }
  for (const Joint& joint : model.joints)
    if (const auto child = index.find(joint.child); child != index.end())
      models[model_of.at(find(child->second))].joints.push_back(joint);
  return models;
}

void drop_world_part(Model& model) {
  const std::string world = "world";
  const auto index = part_index(model, world);
  if (!index || !model.parts[*index].collisions.empty() || !model.parts[*index].visuals.empty()) return;
  const auto is_child = [&](const Joint& joint) { return joint.child == world; };
  const auto found = std::find_if(model.joints.begin(), model.joints.end(), is_child);
  if (found == model.joints.end() || !found->parent.empty() ||
      std::count_if(model.joints.begin(), model.joints.end(), is_child) > 1)
    return;
  model.joints.erase(found);
  model.parts.erase(model.parts.begin() + static_cast<std::ptrdiff_t>(*index));
  for (Joint& joint : model.joints)
    if (joint.parent == world) joint.parent.clear();
}

namespace {

/// The part between the axes of a universal joint: a ball of 1 cm, with a thousandth of the child's mass.
Part cross_of(const Joint& joint, const Part* child) {
  constexpr double kShare = 1e-3, kMass = 1e-3, kRadius = 0.01;  // of the child's mass; kg; m
  Part cross;
  cross.name = joint.name + "_cross";
  cross.place = joint.place;
  cross.pose.p = joint.position;
  const double mass = child != nullptr && child->inertial ? kShare * child->inertial->mass : kMass;
  const double moment = 0.4 * mass * kRadius * kRadius;
  cross.inertial = Inertial{mass, {}, {moment, moment, moment, 0, 0, 0}};
  return cross;
}

}  // namespace

Model without_universals(Model model) {
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < model.parts.size(); ++i) index.emplace(model.parts[i].name, i);
  std::vector<Joint> joints;
  for (Joint& joint : model.joints) {
    if (joint.kind == Joint::Kind::universal && joint.first) {
      const auto child = index.find(joint.child);
      Part cross = cross_of(joint, child == index.end() ? nullptr : &model.parts[child->second]);
      Joint before;
      static_cast<Motion&>(before) = *joint.first;
      before.kind = joint.kind = Joint::Kind::revolute;
      before.name = joint.name + "_first";
      before.place = joint.place;
      before.file = joint.file;
      before.parent = joint.parent;
      before.child = joint.parent = cross.name;
      before.position = joint.position;
      joint.first.reset();
      joint.written.reset();
      model.parts.push_back(std::move(cross));
      joints.push_back(std::move(before));
    }
    joints.push_back(std::move(joint));
  }
  model.joints = std::move(joints);
  return model;
}

std::optional<std::array<double, 2>> limits_of(const Joint& joint) {
  if (!joint.lower && !joint.upper) return std::nullopt;
  const double far = joint.kind == Joint::Kind::prismatic ? 1e4 : 1e3;  // m, rad
  return std::array<double, 2>{joint.lower.value_or(-far), joint.upper.value_or(far)};
}

std::optional<std::size_t> part_index(const Model& model, const std::string& name) {
  for (std::size_t i = 0; i < model.parts.size(); ++i)
    if (model.parts[i].name == name) return i;
  return std::nullopt;
}

}  // namespace simbatch::robots
