#include "formats/urdf/tree.hpp"

#include <fmt/format.h>

#include <map>

#include "formats/urdf/codes.hpp"

namespace simbatch::urdf {
namespace {

class TreeCheck {
 public:
  TreeCheck(const Robot& robot, const Broken& broken, Diagnostics& problems)
      : robot_(robot), broken_(broken), problems_(problems) {}

  void run() {
    bool complete = broken_.links.empty() && broken_.joints.empty();
    complete &= index(robot_.links, "links", links_);
    complete &= index(robot_.joints, "joints", joints_);
    for (const Joint& joint : robot_.joints) complete &= check_joint(joint);
    if (robot_.links.empty() && broken_.links.empty())
      problems_.report(code::kTree, {1, 1}, "the robot has no link, expected one or more");
    if (complete) check_roots();
  }

 private:
  template <class T>
  bool index(const std::vector<T>& all, std::string_view what, std::map<std::string, const T*>& to) {
    for (const T& one : all) {
      const auto [first, fresh] = to.try_emplace(one.name, &one);
      if (fresh) continue;
      problems_.report(code::kName, one.place.at, fmt::format("two {} are named {}", what, quoted(one.name)));
      problems_.note(code::kName, first->second->place.at, "the first one is here");
    }
    return to.size() == all.size();
  }

  bool check_joint(const Joint& joint) {
    bool good = true;
    for (const std::string* end : {&joint.parent, &joint.child}) {
      if (links_.contains(*end)) continue;
      good = false;
      if (broken_.links.contains(*end)) continue;
      std::vector<std::string_view> names;
      for (const Link& link : robot_.links) names.push_back(link.name);
      const std::string_view near = nearest(*end, names);
      problems_.report(code::kReference, joint.place.at,
                       fmt::format("the joint {} has the {} {}, which this robot does not have{}", quoted(joint.name),
                                   end == &joint.parent ? "parent" : "child", quoted(*end),
                                   near.empty() ? "" : fmt::format("; did you mean {}?", quoted(near))));
    }
    if (joint.mimic && !joints_.contains(joint.mimic->joint) && !broken_.joints.contains(joint.mimic->joint))
      problems_.report(code::kReference, joint.place.at,
                       fmt::format("the joint {} mimics {}, which this robot does not have", quoted(joint.name),
                                   quoted(joint.mimic->joint)));
    const auto [first, fresh] = joint_of_.try_emplace(joint.child, &joint);
    if (!fresh) {
      problems_.report(code::kTree, joint.place.at,
                       fmt::format("the link {} has two parents, {} and {}", quoted(joint.child), quoted(first->second->parent),
                                   quoted(joint.parent)));
      problems_.note(code::kTree, first->second->place.at, "the first one is joined here");
      good = false;
    }
    return good;
  }

  void check_roots() {
    const Link* root = nullptr;
    for (const Link& link : robot_.links) {
      if (joint_of_.contains(link.name)) continue;
      if (root != nullptr) {
        problems_.report(code::kTree, link.place.at,
                         fmt::format("no joint leads to the link {}, nor to {}: the robot is not one tree", quoted(link.name),
                                     quoted(root->name)));
        problems_.note(code::kTree, root->place.at, "the other root is here");
        return;
      }
      root = &link;
    }
    std::map<std::string, const Link*> done;
    if (root != nullptr) done[root->name] = root;
    for (const Link& link : robot_.links) {
      std::vector<const Joint*> path;
      std::set<std::string> seen;
      for (std::string at = link.name; !done.contains(at); at = path.back()->parent) {
        if (!seen.insert(at).second) {
          const Joint& joint = *path.back();
          problems_.report(code::kTree, joint.place.at,
                           fmt::format("the joint {} closes a ring: {} is joined to itself", quoted(joint.name), quoted(at)));
          return;
        }
        path.push_back(joint_of_.at(at));
      }
      for (const std::string& name : seen) done[name] = &link;
    }
  }

  const Robot& robot_;
  const Broken& broken_;
  Diagnostics& problems_;
  std::map<std::string, const Link*> links_;
  std::map<std::string, const Joint*> joints_;
  std::map<std::string, const Joint*> joint_of_;  // by child
};

}  // namespace

void check_tree(const Robot& robot, const Broken& broken, Diagnostics& problems) { TreeCheck(robot, broken, problems).run(); }

}  // namespace simbatch::urdf
