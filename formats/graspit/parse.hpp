#pragma once
/// Lines, numbers and transforms, as parsed by GraspIt!'s text readers. Internal to this room.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/number.hpp"
#include "base/core/record_limit.hpp"
#include "base/core/text.hpp"
#include "formats/graspit/graspit.hpp"

namespace simbatch::graspit::detail {

/// No line of words has so many that mean something.
inline constexpr std::size_t kMostWords = 32;

/// As parse_double, and with a leading '+', which GraspIt! writes before positive numbers.
std::optional<double> number(std::string_view text);
/// Numbers of a text between blanks, and ()[], which the reader of quaternions skips; nothing if one is not a number. At most
/// `most` of them are kept.
std::optional<std::vector<double>> numbers(std::string_view text, bool brackets = false, std::size_t most = kMaxRecords + 1);
template <std::size_t N>
std::optional<std::array<double, N>> numbers_of(std::string_view text, bool brackets = false) {
  const auto all = numbers(text, brackets, N);
  if (!all || all->size() < N) return std::nullopt;
  std::array<double, N> first{};
  for (std::size_t i = 0; i < N; ++i) first[i] = (*all)[i];
  return first;
}

/// The DOF values of a robot in a world's XML; none after a report.
std::vector<double> dof_values(std::string_view text, Position at, Diagnostics& diagnostics);

/// `d#[*k][+c]`. @param loader  then an offset without '+' is lost
struct EquationText {
  std::optional<Equation> equation;
  bool lost_sign = false;  ///< `d4-5.9`
};
EquationText read_equation(std::string_view text, bool loader);
std::string equation_text(const Equation& equation);

/// All lines of a text and a cursor.
class Lines {
 public:
  explicit Lines(std::string_view text);
  bool at_end() const { return next_ >= count_; }
  Line peek() const { return (*this)[next_]; }
  Line take() { return (*this)[next_++]; }
  /// The next line that is not empty and no comment (a line of blanks counts as data), or nothing.
  std::optional<Line> data();
  std::size_t place() const { return next_; }
  void go_to(std::size_t place) { next_ = place; }
  std::size_t size() const { return count_; }
  Line operator[](std::size_t i) const;
  Position end_position() const;

 private:
  std::size_t start_of(std::size_t i) const;

  static constexpr std::size_t kStep = 64;
  std::string_view text_;
  std::vector<std::size_t> starts_;  // offset of every 64th line: those of all may take more than the text
  std::size_t count_ = 0;            // of lines
  std::size_t next_ = 0;
  mutable std::size_t found_ = 0, found_at_ = 0;  // the line that was asked for last, and its offset
};

inline bool is_data(std::string_view line) { return !line.empty() && line[0] != '#'; }
inline Position start_of(const Line& line) { return {line.number, 1}; }
Position place_in(const Line& line, std::string_view part);

/// A block of transform lines (cfg chains, FlockOfBirds, wld). The loader swallows the line after the block; a forgiving
/// reader does so only if that line is empty or a comment, and reports the loss otherwise.
/// @return whether there was at least one transform line
bool read_transform(Lines& lines, Transform& transform, Reading reading, Diagnostics& diagnostics);
void append_transform(std::string& out, const Transform& transform);
/// Checks of a step's numbers (unit quaternion, orthonormal rows).
void check_step(const TransformStep& step, Position at, Diagnostics& diagnostics);
void append_values(std::string& out, std::span<const double> values, std::string_view between = " ");

}  // namespace simbatch::graspit::detail
