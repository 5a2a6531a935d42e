// Actuators: force = gear * gain * control for a motor; for a position servo gear * (kp * (control - gear * q) - kv * gear * q'); for a
// velocity servo gear * kv * (control - gear * q') ("XML reference", actuator).

#include <fmt/format.h>

#include <algorithm>

#include "base/core/text.hpp"
#include "base/xml/codes.hpp"
#include "formats/mjcf/codes.hpp"
#include "formats/mjcf/scope.hpp"

namespace simbatch::mjcf::detail {
namespace {

constexpr KnownAttribute kActuatorAttributes[] = {{"name"},
                                                  {"class"},
                                                  {"joint"},
                                                  {"ctrllimited"},
                                                  {"ctrlrange"},
                                                  {"forcelimited"},
                                                  {"forcerange"},
                                                  {"gear"},
                                                  {"kp"},
                                                  {"kv"},
                                                  {"dampratio"},
                                                  {"gaintype"},
                                                  {"biastype"},
                                                  {"dyntype"},
                                                  {"gainprm"},
                                                  {"biasprm"},
                                                  {"group", Use::tuning},
                                                  {"user", Use::tuning},
                                                  {"inheritrange", Use::tuning},
                                                  {"lengthrange", Use::tuning},
                                                  {"cranklength", Use::ignored},
                                                  {"actlimited", Use::ignored},
                                                  {"actrange", Use::ignored},
                                                  {"actdim", Use::ignored},
                                                  {"actearly", Use::ignored},
                                                  {"timeconst", Use::ignored},
                                                  {"dynprm", Use::ignored},
                                                  {"delay", Use::ignored},
                                                  {"nsample", Use::ignored}};
constexpr std::string_view kOtherTransmissions[] = {"jointinparent", "tendon",    "site",   "body",
                                                    "slidersite",    "cranksite", "refsite"};
constexpr std::string_view kGainTypes[] = {"fixed", "affine", "muscle", "user"};
constexpr std::string_view kBiasTypes[] = {"none", "affine", "muscle", "user"};
constexpr std::string_view kDynamics[] = {"none", "integrator", "filter", "filterexact", "muscle", "user"};

class ActuatorReader {
 public:
  ActuatorReader(const Scope& scope, Model& model, Sources& sources) : scope_(scope), model_(model), sources_(sources) {}

  void read(const Node& node) {
    Attributes attributes = scope_.attributes(node, "actuator", kMainClass);
    if (const std::string why = why_not(attributes); !why.empty()) {
      sources_.skip(code::kIgnored, why, node, node.at());
      return;
    }
    attributes.skip_others(kActuatorAttributes, sources_);
    Actuator actuator;
    actuator.name = attributes.text("name");
    actuator.place = node.place();
    if (!read_force(attributes, actuator)) {
      sources_.skip(code::kIgnored, "an actuator <general> that is neither a motor nor a servo", node, node.at());
      return;
    }
    const std::vector<double> gear = attributes.numbers("gear", 6);
    actuator.gear = gear.empty() ? 1 : gear.front();
    actuator.control_range = attributes.limited("ctrlrange", "ctrllimited", scope_.compiler.automatic_limits);
    actuator.force_range = attributes.limited("forcerange", "forcelimited", scope_.compiler.automatic_limits);
    const std::string joint = attributes.text("joint");
    const auto found = scope_.joints.find(joint);
    if (found == scope_.joints.end())
      attributes.fail(code::kReference, "joint", fmt::format("there is no joint {}", quoted(joint)));
    if (!attributes.ok()) return;
    for (const std::string& name : found->second) {
      actuator.joint = name;
      model_.actuators.push_back(actuator);
    }
  }

 private:
  /// Description of an unsupported actuator; empty for a supported one.
  static std::string why_not(const Attributes& attributes) {
    const std::string_view kind = attributes.node().name();
    for (const std::string_view name : kOtherTransmissions)
      if (attributes.has_own(name)) return fmt::format("an actuator <{}> at a {}", printable(kind), name);
    if (kind == "general" || kind == "motor" || kind == "position" || kind == "velocity") return {};
    return fmt::format("an actuator <{}>", printable(kind));
  }

  /// False for a kind of force that is not read.
  bool read_force(Attributes& attributes, Actuator& actuator) {
    const std::string_view kind = attributes.node().name();
    const auto not_negative = xml::Range::not_negative();
    if (kind == "position") {
      actuator.kind = Actuator::Kind::position;
      actuator.gain = attributes.number("kp", 1, not_negative);
      actuator.damping = attributes.number("kv", 0, not_negative);
      if (attributes.has("dampratio")) {
        if (attributes.number("dampratio", 1, not_negative) != 1)
          sources_.skip(code::kIgnored, "a dampratio other than 1", attributes.node(), attributes.node().at());
        actuator.damping.reset();
      }
    } else if (kind == "velocity") {
      actuator.kind = Actuator::Kind::velocity;
      actuator.gain = attributes.number("kv", 1, not_negative);
    } else if (kind == "general") {
      return read_general(attributes, actuator);
    }
    return true;
  }

  static bool read_general(Attributes& attributes, Actuator& actuator) {
    if (attributes.choice("gaintype", kGainTypes, 0) != 0 || attributes.choice("dyntype", kDynamics, 0) != 0)
      return !attributes.ok();
    std::vector<double> gain = attributes.numbers("gainprm", 10), bias = attributes.numbers("biasprm", 10);
    if (gain.empty()) gain = {1};
    bias.resize(std::max<std::size_t>(bias.size(), 3));
    actuator.gain = gain.front();
    const std::size_t type = attributes.choice("biastype", kBiasTypes, 0);
    if (type == 0) return true;
    if (type != 1 || bias[0] != 0 || gain.front() < 0) return !attributes.ok();
    if (bias[1] == -gain.front()) {
      actuator.kind = Actuator::Kind::position;
      actuator.damping = std::max(0.0, -bias[2]);
      return true;
    }
    actuator.kind = Actuator::Kind::velocity;
    return bias[1] == 0 && bias[2] == -gain.front();
  }

  const Scope& scope_;
  Model& model_;
  Sources& sources_;
};

}  // namespace

void read_actuators(const Scope& scope, Model& model, Sources& sources) {
  ActuatorReader reader(scope, model, sources);
  for (const Node& section : scope.root.children) {
    if (section.name() != "actuator") continue;
    for (const Node& node : section.children) reader.read(node);
  }
}

}  // namespace simbatch::mjcf::detail
