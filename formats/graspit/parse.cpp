// Lines, numbers, equations and transforms as parsed by GraspIt! 2.1.0's text readers (docs/formats/graspit.md).
#include "formats/graspit/parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "formats/graspit/codes.hpp"

namespace simbatch::graspit::detail {

std::optional<double> number(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const auto value = parse_double(text);
  if (!value) return std::nullopt;
  return value.value;
}

std::optional<std::vector<double>> numbers(std::string_view text, bool brackets, std::size_t most) {
  std::vector<double> values;
  const std::string_view stops = brackets ? " \t\r\n()[]," : " \t\r\n";
  for (std::size_t at = text.find_first_not_of(stops); at != std::string_view::npos;) {
    std::size_t end = text.find_first_of(stops, at);
    if (end == std::string_view::npos) end = text.size();
    const auto value = number(text.substr(at, end - at));
    if (!value) return std::nullopt;
    if (values.size() < most) values.push_back(*value);
    at = text.find_first_not_of(stops, end);
  }
  return values;
}

std::vector<double> dof_values(std::string_view text, Position at, Diagnostics& diagnostics) {
  auto all = numbers(text);
  if (all && all->size() <= kMaxRecords) return *std::move(all);
  if (all)
    report_too_many(code::kMany, "DOF values of a robot", kMaxRecords, at, diagnostics);
  else
    diagnostics.report(code::kWorldDof, at, fmt::format("<dofValues> must contain numbers, found {}", quoted(text)));
  return {};
}

EquationText read_equation(std::string_view text, bool loader) {
  EquationText result;
  if (text.size() < 2 || text[0] != 'd') return result;
  std::size_t at = 1;
  while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
  Equation equation;
  const auto index = parse_integer<std::uint32_t>(text.substr(1, at - 1));
  if (!index) return result;
  equation.dof = index.value;
  if (at < text.size() && text[at] == '*') {
    // The loader's characters of a factor: digits, point and minus; no exponent.
    const std::size_t first = ++at;
    while (at < text.size() && std::string_view("0123456789.-").find(text[at]) != std::string_view::npos &&
           (text[at] != '-' || at == first))
      ++at;
    const auto factor = parse_double(text.substr(first, at - first));
    if (!factor) return result;
    equation.factor = factor.value;
  }
  if (at < text.size() && text[at] == '+') {
    const auto offset = number(text.substr(at + 1));
    if (!offset) return result;
    equation.offset = *offset;
  } else if (at < text.size() && text[at] == '-') {
    const auto offset = number(text.substr(at));
    if (!offset) return result;
    result.lost_sign = true;
    if (!loader) equation.offset = *offset;
  } else if (at < text.size()) {
    return result;
  }
  result.equation = equation;
  return result;
}

std::string equation_text(const Equation& equation) {
  std::string text = "d" + number_text(equation.dof);
  if (equation.factor != 1) {
    // Never with an exponent, which the loader does not read.
    std::string factor = number_text(equation.factor);
    if (factor.find_first_of("eE") != std::string::npos) {
      char digits[512];  // 4.9e-324 has 326
      factor.assign(digits, std::to_chars(digits, digits + sizeof digits, equation.factor, std::chars_format::fixed).ptr);
    }
    text += "*" + factor;
  }
  if (equation.offset != 0) text += "+" + number_text(equation.offset);
  return text;
}

Lines::Lines(std::string_view text) : text_(text) {
  LineReader reader(text);
  for (Line line; reader.next(line); ++count_)
    if (count_ % kStep == 0) starts_.push_back(line.offset);
  if (count_ > 0) found_at_ = starts_[0];
}

std::size_t Lines::start_of(std::size_t i) const {
  if (i < found_ || i / kStep != found_ / kStep) {
    found_ = i / kStep * kStep;
    found_at_ = starts_[i / kStep];
  }
  for (; found_ < i; ++found_) found_at_ = text_.find('\n', found_at_) + 1;
  return found_at_;
}

Line Lines::operator[](std::size_t i) const {
  const std::size_t start = start_of(i);
  std::string_view line = text_.substr(start, text_.find('\n', start) - start);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return {line, static_cast<std::uint32_t>(i + 1), start};
}

std::optional<Line> Lines::data() {
  while (!at_end() && !is_data(peek().text)) ++next_;
  return at_end() ? std::nullopt : std::optional<Line>(take());
}

Position Lines::end_position() const {
  if (count_ == 0) return {1, 1};
  const Line last = (*this)[count_ - 1];
  return {last.number, static_cast<std::uint32_t>(last.text.size() + 1)};
}

Position place_in(const Line& line, std::string_view part) {
  return {line.number, static_cast<std::uint32_t>(part.data() - line.text.data() + 1)};
}

void check_step(const TransformStep& step, Position at, Diagnostics& diagnostics) {
  if (step.kind == TransformStep::Kind::full) {
    double square = 0;
    for (const double q : step.quaternion) square += q * q;
    // GraspIt! writes six digits: a length within 1e-5 of 1 counts as a unit.
    if (std::abs(std::sqrt(square) - 1) > 1e-4)
      diagnostics.report(code::kQuaternion, at, fmt::format("the quaternion's length is {:.6g}, not 1", std::sqrt(square)));
  } else if (step.kind == TransformStep::Kind::matrix) {
    const Matrix3& r = *step.rows;
    double worst = 0;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k <= i; ++k) {
        const double dot = r[i * 3] * r[k * 3] + r[i * 3 + 1] * r[k * 3 + 1] + r[i * 3 + 2] * r[k * 3 + 2];
        worst = std::max(worst, std::abs(dot - (i == k ? 1 : 0)));
      }
    const double determinant =
        r[0] * (r[4] * r[8] - r[5] * r[7]) - r[1] * (r[3] * r[8] - r[5] * r[6]) + r[2] * (r[3] * r[7] - r[4] * r[6]);
    if (!(worst < 1e-3) || determinant < 0)
      diagnostics.report(code::kRotation, at,
                         determinant < 0 ? std::string("the rows of R are a left-handed frame")
                                         : fmt::format("the rows of R are off an orthonormal frame by {:.2g}", worst));
  }
}

namespace {

// One line that begins with r, t, R or T; `R` also consumes the numbers of the following lines.
bool read_step(Lines& lines, TransformStep& step, Reading reading, Diagnostics& diagnostics) {
  const Line line = lines.take();
  const auto fail = [&](std::string what) {
    diagnostics.report(code::kTransform, start_of(line), std::move(what));
    return false;
  };
  const std::vector<Token> words = split_tokens(line.text, line.number, 1, kMostWords);
  const std::string_view head = words[0].text;
  const std::string_view rest = line.text.substr(static_cast<std::size_t>(words[0].at.column) - 1 + head.size());
  if (head == "t") {
    const auto values = numbers_of<3>(rest);
    if (!values) return fail(fmt::format("expected \"t x y z\", found {}", quoted(line.text)));
    if (reading == Reading::loader && rest.find('\t') != std::string_view::npos)
      return fail("the numbers after t must be separated by single spaces");
    if (line.text.find('\t') != std::string_view::npos)
      diagnostics.report_as(Severity::warning, code::kTransform, start_of(line),
                            "GraspIt! refuses tabs after t: its numbers must be separated by single spaces");
    step.kind = TransformStep::Kind::translation;
    step.position = *values;
  } else if (head == "r" || head == "rr") {
    const auto angle = words.size() >= 3 ? number(words[1].text) : std::nullopt;
    const std::string_view axis = words.size() >= 3 ? words[2].text : "";
    if (!angle || (axis != "x" && axis != "y" && axis != "z"))
      return fail(fmt::format("expected \"{} angle x|y|z\", found {}", head, quoted(line.text)));
    step.kind = head == "r" ? TransformStep::Kind::degrees : TransformStep::Kind::radians;
    step.angle = *angle;
    step.axis = axis[0];
  } else if (head == "R") {
    std::string text(rest);
    for (int row = 0; row < 3 && !lines.at_end(); ++row) {
      const auto so_far = numbers(text);
      if (so_far && so_far->size() >= 9) break;
      text += ' ';
      text += lines.take().text;
    }
    const auto values = numbers_of<9>(text);
    if (!values) return fail("expected nine numbers in three lines after R");
    step.kind = TransformStep::Kind::matrix;
    step.rows = *values;
  } else if (head[0] == 'T') {
    const auto values = numbers_of<7>(line.text.substr(line.text.find('T') + 1), true);
    if (!values) return fail(fmt::format("expected \"T (w x y z)[x y z]\", found {}", quoted(line.text)));
    step.kind = TransformStep::Kind::full;
    for (std::size_t i = 0; i < 4; ++i) step.quaternion[i] = (*values)[i];
    for (std::size_t i = 0; i < 3; ++i) step.position[i] = (*values)[4 + i];
    if (const auto count = [&](char c) { return std::count(line.text.begin(), line.text.end(), c); };
        count('(') != count(')') || count('[') != count(']'))
      diagnostics.report_as(Severity::warning, code::kTransform, start_of(line),
                            fmt::format("a bracket is missing, expected \"T (w x y z)[x y z]\", found {}", quoted(line.text)));
  } else {
    return fail(fmt::format("expected t, r, rr, R or T, found {}", quoted(line.text)));
  }
  check_step(step, start_of(line), diagnostics);
  return true;
}

bool begins_step(std::string_view line) {
  return !line.empty() && std::string_view("rtRT").find(line[0]) != std::string_view::npos;
}

}  // namespace

bool read_transform(Lines& lines, Transform& transform, Reading reading, Diagnostics& diagnostics) {
  while (!lines.at_end() && !is_data(lines.peek().text)) lines.take();
  // A forgiving reader also accepts a transform after blanks, if it is otherwise valid.
  bool any = false;
  while (!lines.at_end() && begins_step(lines.peek().text)) {
    const std::string_view line = lines.peek().text;
    // `Robot` or `Revolute` begins like a rotation: for the loader it is one.
    const bool word = line.size() > 1 && std::isalpha(static_cast<unsigned char>(line[1])) != 0 && !line.starts_with("rr ") &&
                      !line.starts_with("rr\t");
    if (word && reading == Reading::forgiving) break;
    TransformStep step;
    if (read_step(lines, step, reading, diagnostics)) transform.push_back(std::move(step));
    any = true;
  }
  if (!any) {
    diagnostics.report(code::kTransformMissing, lines.at_end() ? lines.end_position() : start_of(lines.peek()),
                       "expected a transform (t, r, rr, R or T)");
    return false;
  }
  if (lines.at_end()) return true;
  const Line next = lines.peek();
  const bool data = is_data(next.text) && !trimmed(next.text).empty();
  if (data)
    diagnostics.report(
        code::kTransformSwallow, start_of(next),
        fmt::format("GraspIt! loses the line {} right after a transform; an empty line is needed between", quoted(next.text)));
  if (!data || reading == Reading::loader) lines.take();
  return true;
}

void append_values(std::string& out, std::span<const double> values, std::string_view between) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out += between;
    append_number(out, values[i]);
  }
}

void append_transform(std::string& out, const Transform& transform) {
  if (transform.empty()) out += "t 0 0 0\n";
  for (const TransformStep& step : transform) {
    switch (step.kind) {
      case TransformStep::Kind::translation:
        out += "t ";
        append_values(out, step.position);
        break;
      case TransformStep::Kind::degrees:
      case TransformStep::Kind::radians:
        out += step.kind == TransformStep::Kind::degrees ? "r " : "rr ";
        append_number(out, step.angle);
        (out += ' ') += step.axis;
        break;
      case TransformStep::Kind::matrix:
        out += "R";
        for (std::size_t row = 0; row < 3; ++row) {
          out += '\n';
          append_values(out, std::span(*step.rows).subspan(row * 3, 3));
        }
        break;
      case TransformStep::Kind::full:
        out += "T (";
        append_values(out, step.quaternion);
        out += ")[";
        append_values(out, step.position);
        out += ']';
        break;
    }
    out += '\n';
  }
}

}  // namespace simbatch::graspit::detail
