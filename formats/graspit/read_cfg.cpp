// .cfg files by the grammar of GraspIt! 2.1.0's loader (docs/formats/graspit.md): class, palm and DOFs, then chain after chain
// with its joints and links, each item on one line. The optional sections are read by read_cfg_sections.cpp.
#include <fmt/format.h>

#include <algorithm>

#include "base/core/line_ends.hpp"
#include "formats/graspit/check_robot.hpp"
#include "formats/graspit/codes.hpp"
#include "formats/graspit/parse.hpp"
#include "formats/graspit/read_cfg_sections.hpp"

namespace simbatch::graspit {
namespace {

using namespace detail;

struct Incomplete {};  // thrown inside this file only: the text ended, or a count is missing

class RobotReader {
 public:
  RobotReader(std::string_view text, Reading reading, std::string_view file_name)
      : lines_(text), loader_(reading == Reading::loader), reading_(reading) {
    result_.diagnostics = Diagnostics(std::string(file_name));
  }

  Parsed<Robot> read() {
    try {
      head();
      const std::uint32_t chains = count("chains");
      for (std::uint32_t i = 0; i < chains; ++i) chain();
    } catch (const Incomplete&) {
      complete_ = false;
    }
    const std::size_t after_chains = lines_.place();
    const std::vector<std::size_t> in_sections = read_sections(lines_, reading_, robot_, result_.diagnostics);
    if (complete_ && !loader_) report_stray_lines(after_chains, in_sections);
    if (complete_) check_robot(robot_, places_, result_.diagnostics);
    if (!robot_.class_name.empty()) result_.value = std::move(robot_);
    return std::move(result_);
  }

 private:
  Diagnostics& diagnostics() { return result_.diagnostics; }

  Line data(std::string_view what) {
    if (const auto line = lines_.data()) return *line;
    diagnostics().report(code::kRobotEnd, lines_.end_position(), fmt::format("the file ends where {} is expected", what));
    throw Incomplete{};
  }

  std::uint32_t count(std::string_view what) {
    const Line& line = data(fmt::format("the number of {}", what));
    const auto value = parse_integer<std::uint32_t>(trimmed(line.text));
    if (value && value.value >= 1) return value.value;
    diagnostics().report(code::kCount, start_of(line),
                         fmt::format("the number of {} must be 1 or more, found {}", what, quoted(line.text)));
    throw Incomplete{};
  }

  void head() {
    const Line& name = data("the robot's class");
    robot_.class_name = std::string(loader_ ? name.text : trimmed(name.text));
    if (robot_.class_name.size() != name.text.size())
      diagnostics().report_as(Severity::error, code::kTrailingBlank, start_of(name),
                              fmt::format("GraspIt! does not know {} because of its blanks", quoted(name.text)));
    else if (!is_robot_class(robot_.class_name, false))
      diagnostics().report(
          code::kRobotClass, start_of(name),
          fmt::format("the robot class {} is unknown{}", quoted(robot_.class_name), near_class(robot_.class_name)));
    const Line& palm = data("the palm's file");
    robot_.palm = std::string(palm.text.substr(0, palm.text.find(' ')));
    robot_.palm_place = {start_of(palm)};
    const std::uint32_t dofs = count("DOFs");
    for (std::uint32_t i = 0; i < dofs; ++i) dof();
  }

  void dof() {
    const Line& line = data(fmt::format("DOF {}", robot_.dofs.size()));
    places_.dofs.push_back(start_of(line));
    const std::vector<Token> words = split_tokens(line.text, line.number, 1, kMostWords);
    Dof dof;
    robot_.dofs.push_back(dof);
    if (words.empty() || words[0].text.size() != 1 ||
        std::string_view("rbc").find(words[0].text[0]) == std::string_view::npos) {
      diagnostics().report(
          code::kDof, start_of(line),
          fmt::format("a DOF's type is r, b or c, found {}", quoted(words.empty() ? line.text : words[0].text)));
      return;
    }
    dof.kind = static_cast<DofKind>(words[0].text[0]);
    double* const columns[] = {&dof.velocity, &dof.max_effort, &dof.kp, &dof.kd, &dof.dragger_scale};
    static constexpr std::string_view kNames[] = {"default velocity", "maximal effort", "Kp", "Kd", "dragger scale"};
    for (std::size_t i = 0; i < 5; ++i) {
      const auto value = i + 1 < words.size() ? number(words[i + 1].text) : std::nullopt;
      if (!value) {
        diagnostics().report(code::kDof, i + 1 < words.size() ? words[i + 1].at : start_of(line),
                             fmt::format("a DOF needs its {} in column {}", kNames[i], i + 2));
        return;
      }
      *columns[i] = *value;
    }
    if (dof.max_effort < 0)
      diagnostics().report_as(Severity::warning, code::kDof, words[2].at,
                              fmt::format("a DOF's maximal effort is {}; its magnitude is used", dof.max_effort));
    if (dof.kind == DofKind::breakaway) {
      const auto torque = words.size() > 6 ? number(words[6].text) : std::nullopt;
      if (!torque || *torque < 0)
        diagnostics().report_as(Severity::warning, code::kDof, start_of(line),
                                "a breakaway DOF needs its torque (N m) in column 7; 0 is used");
      dof.breakaway_torque = torque && *torque >= 0 ? *torque : 0;
    }
    robot_.dofs.back() = dof;
  }

  void chain() {
    robot_.chains.emplace_back();
    places_.chains.emplace_back();
    const std::uint32_t joints = count("joints");
    const std::uint32_t links = count("links");
    Chain& chain = robot_.chains.back();
    if (!read_transform(lines_, chain.base, reading_, diagnostics()) && loader_) {
      // Without a transform the loader loses two lines, and the rest is out of step.
      throw Incomplete{};
    }
    for (std::uint32_t i = 0; i < joints; ++i) joint(chain);
    for (std::uint32_t i = 0; i < links; ++i) link(chain);
  }

  void joint(Chain& chain) {
    const Line& line = data(fmt::format("joint {} of chain {}", chain.joints.size(), robot_.chains.size() - 1));
    places_.chains.back().joints.push_back(start_of(line));
    const std::vector<Token> words = split_tokens(line.text, line.number, 1, kMostWords);
    chain.joints.emplace_back();
    Joint joint;
    const bool driven_theta = !words.empty() && words[0].text[0] == 'd';
    joint.prismatic = !driven_theta;
    if (driven_theta && line.text[0] != 'd')
      diagnostics().report(code::kJointBlank, start_of(line),
                           "because of the blank before it, GraspIt! takes this joint as prismatic and fails");
    if (words.size() < 6) {
      diagnostics().report(code::kJoint, start_of(line),
                           fmt::format("a joint needs at least six columns (theta d a alpha min max), found {}", words.size()));
      return;
    }
    const std::size_t driven = joint.prismatic ? 1 : 0;
    const EquationText equation = read_equation(words[driven].text, loader_);
    if (!equation.equation) {
      diagnostics().report(code::kJoint, words[driven].at,
                           fmt::format("expected d#, d#*k, d#+c or d#*k+c here, found {}", quoted(words[driven].text)));
      return;
    }
    joint.variable = *equation.equation;
    if (equation.lost_sign)
      diagnostics().report(code::kEquationSign, words[driven].at,
                           fmt::format("GraspIt! loses the offset of {}; it must be written as in d{}+-5.9",
                                       quoted(words[driven].text), joint.variable.dof));
    std::optional<double> optional[4];
    double* const columns[] = {&joint.theta, &joint.d, &joint.a, &joint.alpha, &joint.min, &joint.max};
    for (std::size_t i = 0; i < words.size() && i < 10; ++i) {
      if (i == driven) continue;
      const auto value = number(words[i].text);
      if (!value) {
        diagnostics().report(code::kJoint, words[i].at,
                             fmt::format("expected a number in column {}, found {}", i + 1, quoted(words[i].text)));
        return;
      }
      if (i < 6)
        *columns[i] = *value;
      else
        optional[i - 6] = *value;
    }
    joint.viscous = optional[0];
    joint.coulomb = optional[1];
    joint.stiffness = optional[2];
    joint.rest = optional[3];
    chain.joints.back() = joint;
  }

  void link(Chain& chain) {
    const Line& type = data(fmt::format("the type of link {} of chain {}", chain.links.size(), robot_.chains.size() - 1));
    Link link;
    const auto kind = link_kind(trimmed(type.text));
    if (!kind) {
      diagnostics().report(code::kLinkType, start_of(type),
                           fmt::format("expected Revolute, Universal, Ball or Prismatic, found {}", quoted(type.text)));
      // Probably the type itself is missing: do not consume the next link's line.
      if (type.text.find('.') != std::string_view::npos) lines_.go_to(lines_.place() - 1);
    } else {
      link.kind = *kind;
      if (link.kind == LinkKind::fixed)
        diagnostics().report(code::kLinkFixed, start_of(type),
                             "GraspIt! reads no Fixed links; a Revolute with limits 0 0 does the same");
    }
    const Line& line = data("a link's file and last joint");
    places_.chains.back().links.push_back(start_of(line));
    const std::vector<Token> words = split_tokens(line.text, line.number, 1, kMostWords);
    const auto last =
        words.size() >= 2 ? parse_integer<std::int64_t>(words[1].text) : Number<std::int64_t>{0, NumberFault::syntax};
    if (!last) {
      diagnostics().report(code::kLink, start_of(line),
                           fmt::format("expected \"file lastJoint\", found {}", quoted(line.text)));
      chain.links.push_back(link);
      return;
    }
    link.file = std::string(words[0].text);
    link.place = {words[0].at};
    link.last_joint = last.value;
    const std::string_view between = line.text.substr(words[0].at.column - 1 + words[0].text.size());
    if (words[0].at.column != 1 || between.size() < 2 || between[0] != ' ' || between[1] == ' ' || between[1] == '\t')
      diagnostics().report(code::kLink, start_of(line),
                           "GraspIt! needs exactly one space between a link's file and its last joint");
    chain.links.push_back(std::move(link));
  }

  void report_stray_lines(std::size_t first, const std::vector<std::size_t>& in_sections) {
    for (std::size_t i = first; i < lines_.size(); ++i) {
      if (!is_data(lines_[i].text) || trimmed(lines_[i].text).empty() ||
          std::binary_search(in_sections.begin(), in_sections.end(), i))
        continue;
      diagnostics().report(code::kStray, start_of(lines_[i]),
                           fmt::format("{} belongs to no section and is ignored", quoted(lines_[i].text)));
    }
  }

  Lines lines_;
  bool loader_;
  Reading reading_;
  bool complete_ = true;
  RobotPlaces places_;
  Robot robot_;
  Parsed<Robot> result_;
};

}  // namespace

Parsed<Robot> read_cfg(std::string_view text, Reading reading, std::string_view file_name) {
  const std::optional<std::string> copy = with_line_feeds(text);
  return RobotReader(copy ? *copy : text, reading, file_name).read();
}

}  // namespace simbatch::graspit
