#include "lib/expect/numbers.hpp"

#include <algorithm>
#include <numbers>
#include <string_view>

#include "lib/expect/codes.hpp"

namespace simbatch::expect {

SignalSource::~SignalSource() = default;

namespace detail {
namespace {

constexpr std::size_t kMaxSuggestions = 20;  // searching all fields takes time

bool is_pure(const Unit& unit) { return unit.any || unit.si == "1"; }
Unit named(const std::string& si) { return {false, si, si}; }

Unit quotient(const Unit& a, const Unit& b) {
  if (is_pure(b)) return a;
  if (a.any) return {true, {}, {}};
  if (a.si == b.si) return named("1");
  constexpr std::string_view kQuotients[][3] = {{"m", "s", "m/s"},     {"m/s", "s", "m/s^2"}, {"m", "m/s", "s"},
                                                {"m/s", "m/s^2", "s"}, {"rad", "s", "rad/s"}, {"rad", "rad/s", "s"}};
  for (const auto& [over, under, result] : kQuotients)
    if (a.si == over && b.si == under) return named(std::string(result));
  return {true, {}, {}};
}

}  // namespace

Unit NumberCompiler::combined(const Unit& a, const Unit& b, const Node& node) {
  if (a.any) return b;
  if (b.any || a.si == b.si) return {false, a.si, b.any || a.written == b.written ? a.written : a.si};
  if (a.written == b.written) return named(a.written);  // a field and a number, both in degrees
  if (a.si == "1" && b.si == "rad") return b;
  if (a.si == "rad" && b.si == "1") return a;
  diagnostics_.report(
      code::kUnit, expectation_.at(node),
      "a quantity in " + quoted(a.written) + " and one in " + quoted(b.written) + " cannot be compared or added");
  return {true, {}, {}};
}

Unit NumberCompiler::unit_of(const Node& node) {
  switch (node.kind) {
    case Kind::number:
      if (node.unit.empty()) return {true, {}, {}};
      return {false, std::string(find_unit(node.unit)->si), node.unit};
    case Kind::time: return named("s");
    case Kind::field:
      if (const auto signal = find(node, node.text)) return named(signal->unit.empty() ? "1" : signal->unit);
      return {true, {}, {}};
    case Kind::negate: return unit_of(child(node, 0));
    case Kind::add:
    case Kind::subtract: {
      const Unit left = unit_of(child(node, 0));
      return combined(left, unit_of(child(node, 1)), node);
    }
    case Kind::multiply: {
      const Unit left = unit_of(child(node, 0));
      Unit right = unit_of(child(node, 1));
      if (is_pure(left)) return right;
      return is_pure(right) ? left : Unit{true, {}, {}};
    }
    case Kind::divide: {
      const Unit left = unit_of(child(node, 0));
      return quotient(left, unit_of(child(node, 1)));
    }
    default: return call_unit(node);
  }
}

Unit NumberCompiler::call_unit(const Node& node) {
  Unit unit{true, {}, {}};
  for (const std::uint32_t argument : node.children) unit = combined(unit, unit_of(expectation_.nodes[argument]), node);
  if (node.text == "sqrt") return {unit.any || unit.si != "1", unit.any ? "" : "1", unit.any ? "" : "1"};
  if (node.text == "rate") return quotient(unit, named("s"));
  if (node.text == "speed") return named("m/s");
  if (node.text == "dist") return named("m");
  if (node.text == "angle" && !unit.any && unit.si != "rad" && unit.si != "deg" && unit.si != "1")
    diagnostics_.report(code::kUnit, expectation_.at(node),
                        "angle() of a quantity in " + quoted(unit.si) + ", expected rad or deg");
  return unit;
}

std::optional<Signal> NumberCompiler::find(const Node& node, const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) {
    report_unknown(node, name, {});
    return std::nullopt;
  }
  auto found = source_.field(std::string_view(name).substr(0, dot), std::string_view(name).substr(dot + 1));
  if (!found.signal) report_unknown(node, name, std::move(found.problem));
  return found.signal;
}

void NumberCompiler::report_unknown(const Node& node, const std::string& name, std::string problem) {
  if (!problem.empty()) {
    diagnostics_.report(code::kName, expectation_.at(node), std::move(problem));
    return;
  }
  std::string message = "there is no field " + quoted(name);
  if (suggestions_++ < kMaxSuggestions) {
    if (fields_.empty()) fields_ = source_.fields();
    // The fields of the node if it exists, else the most similar of all names.
    const std::string node_prefix = name.substr(0, name.rfind('.') + 1);
    std::vector<std::string_view> own, all(fields_.begin(), fields_.end());
    for (const std::string_view field : all)
      if (field.starts_with(node_prefix) && field.find('.', node_prefix.size()) == std::string_view::npos)
        own.push_back(field.substr(node_prefix.size()));
    if (own.empty()) {
      const std::string_view near = nearest(name, all);
      message += near.empty() ? "; --print-tree lists them" : ", did you mean " + quoted(near) + "?";
    } else {
      const std::string_view near = nearest(std::string_view(name).substr(node_prefix.size()), own);
      constexpr std::size_t kShown = 12;
      message += "; the node has ";
      for (std::size_t i = 0; i < std::min(own.size(), kShown); ++i) message += (i > 0 ? ", " : "") + std::string(own[i]);
      if (own.size() > kShown) message += ", ...";
      if (!near.empty()) message += "; did you mean " + quoted(node_prefix + std::string(near)) + "?";
    }
  }
  diagnostics_.report(code::kName, expectation_.at(node), std::move(message));
}

void NumberCompiler::report_unplaced(const Node& node, const std::string& name, std::string problem) {
  if (problem.empty()) {
    problem = "there is no node " + quoted(name) + " with a position (fields x, y, z)";
    if (fields_.empty()) fields_ = source_.fields();
    std::vector<std::string_view> placed;
    for (const std::string_view field : fields_)
      if (field.ends_with(".x")) placed.push_back(field.substr(0, field.size() - 2));
    const auto part = std::find_if(placed.begin(), placed.end(), [&](std::string_view p) { return p.starts_with(name + "."); });
    const std::string_view near = part != placed.end() ? *part : nearest(name, placed);
    if (!near.empty()) problem += ", did you mean " + quoted(near) + "?";
  }
  diagnostics_.report(code::kName, expectation_.at(node), std::move(problem));
}

void NumberCompiler::compare(const Node& node, Instructions& left, Instructions& right, std::string& unit) {
  const std::size_t errors = diagnostics_.errors();
  const Unit a = unit_of(child(node, 0));
  const Unit both = combined(a, unit_of(child(node, 1)), node);
  if (diagnostics_.errors() > errors) return;
  unit = both.any || both.si == "1" ? "" : both.si;
  emit(child(node, 0), both.si, left);
  emit(child(node, 1), both.si, right);
}

/// @param want  the unit of the other side: a number in degrees stays in degrees if compared with a field in degrees, and is
/// converted to radians otherwise
void NumberCompiler::emit(const Node& node, const std::string& want, Instructions& out) {
  const auto both = [&](Op op, const std::string& unit) {
    emit(child(node, 0), unit, out);
    emit(child(node, 1), unit, out);
    out.push_back({op, 0, 0});
  };
  switch (node.kind) {
    case Kind::number: {
      const bool as_written = node.unit.empty() || node.unit == want;
      out.push_back({Op::constant, as_written ? node.value : node.value * find_unit(node.unit)->factor, 0});
      break;
    }
    case Kind::time: out.push_back({Op::time, 0, 0}); break;
    case Kind::field:
      if (const auto signal = find(node, node.text)) out.push_back({Op::input, 0, signal->slot});
      break;
    case Kind::negate:
      emit(child(node, 0), want, out);
      out.push_back({Op::negate, 0, 0});
      break;
    case Kind::add: both(Op::add, want); break;
    case Kind::subtract: both(Op::subtract, want); break;
    case Kind::multiply: both(Op::multiply, {}); break;
    case Kind::divide: both(Op::divide, {}); break;
    default: emit_call(node, want, out);
  }
}

void NumberCompiler::emit_call(const Node& node, const std::string& want, Instructions& out) {
  if (node.text == "dist" || node.text == "speed") return emit_place(node, out);
  if (node.text == "rate") {
    emit(child(node, 0), {}, out);
    out.push_back({Op::rate, 0, memories_++});
    return;
  }
  const bool is_angle = node.text == "angle";
  const double turn = is_angle && unit_of(child(node, 0)).si == "deg" ? 360 : 2 * std::numbers::pi;
  emit(child(node, 0), node.text == "sqrt" ? "" : want, out);
  if (is_angle) out.push_back({Op::wrap, turn, 0});
  if (node.text == "abs") out.push_back({Op::absolute, 0, 0});
  if (node.text == "sqrt") out.push_back({Op::root, 0, 0});
  for (std::size_t i = 1; i < node.children.size(); ++i) {
    emit(child(node, i), want, out);
    out.push_back({node.text == "min" ? Op::least : Op::greatest, 0, 0});
  }
}

/// dist() and speed(): Euclidean norms of three components.
void NumberCompiler::emit_place(const Node& node, Instructions& out) {
  constexpr std::string_view kAxes[] = {"x", "y", "z"};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (std::size_t i = 0; i < node.names.size(); ++i) {
      auto found = source_.field(node.names[i], kAxes[axis]);
      if (!found.signal && axis == 0) report_unplaced(node, node.names[i], std::move(found.problem));
      out.push_back(found.signal ? Instruction{Op::input, 0, found.signal->slot} : Instruction{});
      if (i > 0) out.push_back({Op::subtract, 0, 0});
    }
    if (!node.children.empty()) {
      emit(child(node, axis), "m", out);
      out.push_back({Op::subtract, 0, 0});
    }
    if (node.text == "speed") out.push_back({Op::rate, 0, memories_++});
    out.push_back({Op::square, 0, 0});
    if (axis > 0) out.push_back({Op::add, 0, 0});
  }
  out.push_back({Op::root, 0, 0});
}

std::size_t NumberCompiler::event(const Node& node) {
  auto found = source_.event(node.text, node.names);
  if (found.signal) return found.signal->slot;
  diagnostics_.report(found.unknown_name ? code::kName : code::kEvent, expectation_.at(node), std::move(found.problem));
  return 0;
}

}  // namespace detail
}  // namespace simbatch::expect
