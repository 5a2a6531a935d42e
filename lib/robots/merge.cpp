// Sets of parts by union-find with path halving (R. E. Tarjan, J. van Leeuwen, Worst-case analysis of set union algorithms, J.
// ACM 31, 1984). Masses are combined about the common center of mass (parallel axis theorem, model.cpp).
#include "lib/robots/merge.hpp"

#include <fmt/format.h>

#include <map>

#include "lib/robots/codes.hpp"

namespace simbatch::robots {
namespace {

/// The part that each part is merged into: sets of parts, each represented by its first part in the order of the model.
class Groups {
 public:
  explicit Groups(std::size_t count) : parent_(count) {
    for (std::size_t i = 0; i < count; ++i) parent_[i] = i;
  }
  std::size_t of(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) {
    a = of(a);
    b = of(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::size_t> parent_;
};

void take_over(Part& to, const Part& from) {
  const Pose X_TF = inverse(to.pose) * from.pose;
  const auto append = [&](std::vector<Solid>& all, const std::vector<Solid>& more) {
    for (Solid solid : more) {
      solid.pose = X_TF * solid.pose;
      all.push_back(std::move(solid));
    }
  };
  append(to.collisions, from.collisions);
  append(to.visuals, from.visuals);
  if (!from.inertial) return;
  const Inertial more = moved(*from.inertial, X_TF);
  to.inertial = to.inertial ? combined(*to.inertial, more) : more;
}

}  // namespace

Model merge_fixed(Model model, Diagnostics& problems) {
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < model.parts.size(); ++i) index.emplace(model.parts[i].name, i);
  Groups groups(model.parts.size());
  for (const Joint& joint : model.joints) {
    const auto a = index.find(joint.parent), b = index.find(joint.child);
    if (joint.kind == Joint::Kind::fixed && a != index.end() && b != index.end()) groups.join(a->second, b->second);
  }
  std::vector<Part> parts;
  std::map<std::size_t, std::size_t> place_of;  // by group: index in `parts`
  std::string merged;
  std::size_t count = 0;
  for (std::size_t i = 0; i < model.parts.size(); ++i) {
    const std::size_t group = groups.of(i);
    const auto [to, fresh] = place_of.try_emplace(group, parts.size());
    if (fresh) {
      parts.push_back(std::move(model.parts[i]));
      continue;
    }
    take_over(parts[to->second], model.parts[i]);
    if (++count <= 5) merged += (merged.empty() ? "" : ", ") + model.parts[i].name + " (" + parts[to->second].name + ")";
  }
  const auto name_after = [&](std::string& end) {
    if (const auto found = index.find(end); found != index.end()) end = parts[place_of.at(groups.of(found->second))].name;
  };
  std::vector<Joint> joints;
  for (Joint& joint : model.joints) {
    name_after(joint.parent);
    name_after(joint.child);
    if (joint.kind != Joint::Kind::fixed || joint.parent.empty()) joints.push_back(std::move(joint));
  }
  if (count > 0)
    problems.report(code::kMerged, model.place,
                    fmt::format("{} {} of {} on {} part of what {} fixed to: {}{}", count, count == 1 ? "link" : "links",
                                quoted(model.name), count == 1 ? "a fixed joint becomes" : "fixed joints become",
                                count == 1 ? "it is" : "they are", merged, count > 5 ? ", ..." : ""));
  model.parts = std::move(parts);
  model.joints = std::move(joints);
  return model;
}

}  // namespace simbatch::robots
