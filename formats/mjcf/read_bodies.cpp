// Bodies, frames, replicas, attached models: "XML reference", body, frame, replicate, attach. Replica i of a <replicate> is
// rotated by i times its angles and displaced from the previous one by its offset, in its axes (mjuu_frameaccum of MuJoCo).

#include <fmt/format.h>

#include <set>

#include "base/geo/geo.hpp"
#include "base/xml/codes.hpp"
#include "formats/mjcf/codes.hpp"
#include "formats/mjcf/scope.hpp"

namespace simbatch::mjcf::detail {
namespace {

constexpr int kMaxBodies = 200;  // one in another
constexpr int kMaxAttached = 8;  // models or frames, one in another

constexpr KnownAttribute kInBody[] = {{"geom"},
                                      {"joint"},
                                      {"freejoint"},
                                      {"inertial"},
                                      {"body"},
                                      {"frame"},
                                      {"replicate"},
                                      {"attach"},
                                      {"site", Use::tuning},
                                      {"camera", Use::tuning},
                                      {"light", Use::tuning},
                                      {"composite", Use::ignored},
                                      {"flexcomp", Use::ignored},
                                      {"plugin", Use::ignored}};
constexpr KnownAttribute kBodyAttributes[] = {{"name"},
                                              {"childclass"},
                                              {"pos"},
                                              {"quat"},
                                              {"axisangle"},
                                              {"xyaxes"},
                                              {"zaxis"},
                                              {"euler"},
                                              {"mocap"},
                                              {"user", Use::tuning},
                                              {"sleep", Use::tuning},
                                              {"gravcomp", Use::ignored}};
constexpr KnownAttribute kReplicateAttributes[] = {{"count"}, {"euler"}, {"offset"}, {"sep"}, {"prefix"}, {"childclass"}};
constexpr KnownAttribute kAttachAttributes[] = {{"model"}, {"body"}, {"frame"}, {"prefix"}};

/// Where the children of an element are placed.
struct Around {
  geo::Pose pose;           ///< of the frame in the body
  std::string child_class;  ///< of defaults
  bool in_world = false;
  int depth = 0;
};

class BodyReader {
 public:
  BodyReader(Scopes& scopes, Model& model, Sources& sources) : scopes_(scopes), model_(model), sources_(sources) {}

  void read() {
    model_.world.name = "world";
    Scope& scope = scopes_.front();
    for (const Node& child : scope.root.children)
      if (child.name() == "worldbody")
        fill(child, scope, {{}, child_class_of(child, scope, kMainClass), true, 0}, model_.world);
    name_joints(model_.world);
  }

 private:
  /// Counts the elements created; false, after one report, if there are too many.
  bool count(const Node& node) {
    if (is_full_) return false;
    if (++count_ <= kMaxElements) return true;
    node.report(code::kNesting,
                fmt::format("the model has more than {} bodies, joints, geoms and replicas together", kMaxElements));
    is_full_ = true;
    return false;
  }

  static std::string child_class_of(const Node& node, const Scope& scope, const std::string& around) {
    const auto name = node.element.attribute("childclass");
    if (!name) return around;
    if (scope.classes.contains(std::string(*name))) return std::string(*name);
    node.report(code::kReference, node.element.attribute_position("childclass"),
                fmt::format("there is no class {} of defaults", quoted(*name)));
    return around;
  }

  void fill(const Node& parent, Scope& scope, const Around& around, Body& into) {
    skip_children(parent, kInBody, sources_);
    for (const Node& child : parent.children) {
      const std::string_view name = child.name();
      if (is_full_) return;
      if (name == "geom") {
        if (count(child)) add_geom(child, scope, around, into);
      } else if (name == "joint" || name == "freejoint") {
        if (count(child)) add_joint(child, scope, around, into);
      } else if (name == "inertial") {
        into.inertial = read_inertial(child, scope, sources_);
        if (into.inertial) into.inertial->pose = around.pose * into.inertial->pose;
      } else if (name == "body") {
        if (count(child)) add_body(child, scope, around, into);
      } else if (name == "frame") {
        fill_frame(child, scope, around, into);
      } else if (name == "replicate") {
        replicate(child, scope, around, into);
      } else if (name == "attach") {
        attach(child, scope, around, into);
      }
    }
  }

  void add_geom(const Node& node, const Scope& scope, const Around& around, Body& into) {
    auto geom = read_geom(node, scope, around.child_class, sources_);
    if (!geom) return;
    geom->pose = around.pose * geom->pose;
    into.geoms.push_back(std::move(*geom));
  }

  void add_joint(const Node& node, const Scope& scope, const Around& around, Body& into) {
    if (around.in_world) {
      node.report(code::kJoint, "the world has no joints; they belong in a <body>");
      return;
    }
    auto joint = read_joint(node, scope, around.child_class, sources_);
    if (!joint) return;
    joint->position = around.pose * joint->position;
    joint->axis = around.pose.q * joint->axis;
    joint->own_name = joint->name;
    joint->scope = scope.index;
    into.joints.push_back(std::move(*joint));
  }

  void add_body(const Node& node, Scope& scope, const Around& around, Body& into) {
    if (around.depth >= kMaxBodies) {
      node.report(code::kNesting, fmt::format("bodies are nested deeper than {}", kMaxBodies));
      return;
    }
    Attributes attributes(node, nullptr);
    attributes.skip_others(kBodyAttributes, sources_);
    Body body;
    body.name = attributes.text("name");
    body.place = node.place();
    body.pose = around.pose * pose_of(attributes, scope.compiler);
    body.is_mocap = attributes.flag("mocap", false);
    fill(node, scope, {{}, child_class_of(node, scope, around.child_class), false, around.depth + 1}, body);
    check_joints(body, around.in_world);
    into.bodies.push_back(std::move(body));
  }

  void check_joints(const Body& body, bool in_world) {
    for (const Joint& joint : body.joints) {
      if (joint.kind != Joint::Kind::free || (in_world && body.joints.size() == 1 && !body.is_mocap)) continue;
      problems_.report_in(joint.place.file, code::kJoint, joint.place.at,
                          in_world ? "a free joint must be the only one of its body"
                                   : "a free joint belongs in a body of the world, not in one inside another");
    }
  }

  void fill_frame(const Node& node, Scope& scope, const Around& around, Body& into) {
    Attributes attributes(node, nullptr);
    attributes.skip_others(kBodyAttributes, sources_);
    Around inner = around;
    inner.pose = around.pose * pose_of(attributes, scope.compiler);
    inner.child_class = child_class_of(node, scope, around.child_class);
    fill(node, scope, inner, into);
  }

  void replicate(const Node& node, Scope& scope, const Around& around, Body& into) {
    Attributes attributes(node, nullptr);
    attributes.skip_others(kReplicateAttributes, sources_);
    if (!attributes.has("count"))
      attributes.fail(xml::code::kAttributeMissing, "count", "<replicate> needs the attribute \"count\"");
    const int times = attributes.integer("count", 1, 1, static_cast<int>(kMaxElements));
    const geo::Vec3 turn = attributes.vector("euler", {}), offset = attributes.vector("offset", {});
    const std::string separator = attributes.text("sep");
    if (!attributes.ok()) return;
    Body one;
    Around inner = around;
    inner.pose = {};
    inner.child_class = child_class_of(node, scope, around.child_class);
    fill(node, scope, inner, one);
    const double unit = scope.compiler.degrees ? geo::radians(1) : 1;
    const std::size_t digits = std::to_string(times - 1).size();
    geo::Vec3 place;
    for (int i = 0; i < times && count(node); ++i) {
      const geo::Quat q = euler_rotation((i * unit) * turn, scope.compiler.euler);
      std::string number = std::to_string(i);
      number.insert(0, digits - number.size(), '0');
      append(one, around.pose * geo::Pose{place, q}, "", separator + number, node, into);
      place += q * offset;
    }
  }

  void attach(const Node& node, Scope& scope, const Around& around, Body& into) {
    Attributes attributes(node, nullptr);
    attributes.skip_others(kAttachAttributes, sources_);
    Scope* from = attributes.has("model") ? model_of(attributes, scope) : &scope;
    if (from == nullptr) return;
    if (attached_ >= kMaxAttached || around.depth >= kMaxBodies) {
      node.report(code::kNesting, fmt::format("models or frames are attached to each other deeper than {}", kMaxAttached));
      return;
    }
    ++attached_;
    Body one;
    Around inner = around;
    inner.pose = {};
    inner.child_class = kMainClass;
    if (attributes.has("body")) {
      if (const Node* body = named(attributes, "body", from->bodies)) add_body(*body, *from, inner, one);
    } else if (attributes.has("frame")) {
      if (const Node* frame = named(attributes, "frame", from->frames)) fill_frame(*frame, *from, inner, one);
    } else if (from != &scope) {
      for (const Node& child : from->root.children)
        if (child.name() == "worldbody") fill(child, *from, inner, one);
    } else {
      attributes.fail(xml::code::kAttributeMissing, "model", "<attach> needs a \"model\", or a \"frame\" of this one");
    }
    --attached_;
    append(one, around.pose, attributes.text("prefix"), "", node, into);
  }

  static const Node* named(Attributes& attributes, std::string_view what, const std::map<std::string, const Node*>& all) {
    const std::string name = attributes.text(what);
    const auto found = all.find(name);
    if (found != all.end()) return found->second;
    attributes.fail(code::kReference, what, fmt::format("there is no {} {}", what, quoted(name)));
    return nullptr;
  }

  /// The scope of a model that is attached, read once.
  Scope* model_of(Attributes& attributes, Scope& scope) {
    const std::string name = attributes.text("model");
    const Node* asset = named(attributes, "model", scope.models);
    if (asset == nullptr) return nullptr;
    const auto [found, fresh] = scope.loaded.try_emplace(name, nullptr);
    if (!fresh) return found->second;
    std::vector<std::string> around = scope.chain;
    auto root = sources_.load(std::string(asset->element.attribute("file").value_or("")), *asset, around);
    if (!root) return nullptr;
    Scope& loaded = scopes_.emplace_back();
    loaded.index = scopes_.size() - 1;
    loaded.root = std::move(*root);
    loaded.chain = std::move(around);
    read_head(loaded, model_, false, sources_);
    found->second = &loaded;
    return &loaded;
  }

  /// Copies the contents of a body into another one, with names that show their origin.
  void append(const Body& from, const geo::Pose& pose, const std::string& prefix, const std::string& suffix, const Node& node,
              Body& into) {
    for (Geom geom : from.geoms) {
      if (!count(node)) return;
      geom.pose = pose * geom.pose;
      rename(geom.name, prefix, suffix);
      into.geoms.push_back(std::move(geom));
    }
    for (Joint joint : from.joints) {
      if (!count(node)) return;
      joint.position = pose * joint.position;
      joint.axis = pose.q * joint.axis;
      rename(joint.name, prefix, suffix);
      into.joints.push_back(std::move(joint));
    }
    if (from.inertial) {
      into.inertial = from.inertial;
      into.inertial->pose = pose * into.inertial->pose;
    }
    for (const Body& body : from.bodies) {
      if (!count(node)) return;
      Body copy;
      copy.name = body.name;
      rename(copy.name, prefix, suffix);
      copy.place = body.place;
      copy.pose = pose * body.pose;
      copy.is_mocap = body.is_mocap;
      append(body, {}, prefix, suffix, node, copy);
      into.bodies.push_back(std::move(copy));
    }
  }
  static void rename(std::string& name, const std::string& prefix, const std::string& suffix) {
    if (!name.empty()) name = prefix + name + suffix;
  }

  /// Registers the names of joints, and reports names of bodies and joints that are used twice.
  void name_joints(const Body& body) {
    for (const Joint& joint : body.joints) {
      check_name("joints", joint.name, joint.place);
      if (!joint.own_name.empty()) scopes_[joint.scope].joints[joint.own_name].push_back(joint.name);
    }
    for (const Body& inner : body.bodies) {
      check_name("bodies", inner.name, inner.place);
      name_joints(inner);
    }
  }
  void check_name(const char* what, const std::string& name, const Place& place) {
    if (name.empty() || names_.insert(std::string(what) + "/" + name).second) return;
    problems_.report_in(place.file, code::kName, place.at, fmt::format("two {} are named {}", what, quoted(name)));
  }

 public:
  Diagnostics take() { return std::move(problems_); }

 private:
  Scopes& scopes_;
  Model& model_;
  Sources& sources_;
  Diagnostics problems_;
  std::set<std::string> names_;
  std::size_t count_ = 0;
  bool is_full_ = false;
  int attached_ = 0;
};

}  // namespace

Diagnostics read_bodies(Scopes& scopes, Model& model, Sources& sources) {
  BodyReader reader(scopes, model, sources);
  reader.read();
  return reader.take();
}

}  // namespace simbatch::mjcf::detail
