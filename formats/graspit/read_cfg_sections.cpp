// The optional sections of a .cfg. GraspIt! 2.1.0 searches for each keyword from the start of the file, so that sections may
// come in any order, and a keyword inside another section is also found.
#include "formats/graspit/read_cfg_sections.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/graspit/codes.hpp"

namespace simbatch::graspit::detail {
namespace {

class SectionReader {
 public:
  SectionReader(Lines& lines, Reading reading, Robot& robot, Diagnostics& diagnostics)
      : lines_(lines), loader_(reading == Reading::loader), reading_(reading), robot_(robot), diagnostics_(diagnostics) {}

  std::vector<std::size_t> read() {
    approach();
    file_section("EigenGrasps", robot_.eigen_grasps);
    file_section("VirtualContacts", robot_.virtual_contacts);
    file_section("CyberGlove", robot_.cyber_glove);
    flock();
    tendons();
    wrappers();
    std::sort(used_.begin(), used_.end());
    return std::move(used_);
  }

 private:
  bool find_section(std::string_view keyword) {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const std::string_view text = lines_[i].text;
      const bool exact = text == keyword;
      const bool blanks = !exact && is_data(text) && trimmed(text) == keyword;
      if (blanks)
        diagnostics_.report(code::kTrailingBlank, start_of(lines_[i]),
                            fmt::format("GraspIt! does not see {} because of its blanks", quoted(text)));
      if (!exact && !(blanks && !loader_)) continue;
      lines_.go_to(i + 1);
      use(i, i);
      return true;
    }
    return false;
  }

  void use(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i <= last; ++i) used_.push_back(i);
  }

  void section_fault(std::string_view name, const std::optional<Line>& line, std::string_view expected) {
    diagnostics_.report(code::kSection, line ? start_of(*line) : lines_.end_position(),
                        fmt::format("section {}: expected {}{}", name, expected, line ? ", found " + quoted(line->text) : ""));
  }

  // A section without its count or file name consumes the next section's keyword: reported, and read as by GraspIt!.
  void check_not_a_section(std::string_view name, const Line& line, std::string_view expected) {
    for (const std::string_view keyword :
         {"Approach", "EigenGrasps", "FlockOfBirds", "VirtualContacts", "CyberGlove", "Tendons", "TendonWrappers"})
      if (trimmed(line.text) == keyword) section_fault(name, line, expected);
  }

  void file_section(std::string_view name, std::string& file) {
    if (!find_section(name)) return;
    const std::size_t from = lines_.place();
    const std::optional<Line> line = lines_.data();
    if (!line) return section_fault(name, line, "a file name");
    check_not_a_section(name, *line, "a file name");
    file = std::string(trimmed(line->text));
    use(from, lines_.place() - 1);
  }

  void approach() {
    if (!find_section("Approach")) return;
    Approach approach;
    const std::size_t from = lines_.place();
    bool good = from + 1 < lines_.size();
    for (Vector3* vector : {&approach.point, &approach.direction}) {
      const auto values = good ? numbers_of<3>(lines_.take().text) : std::nullopt;
      good = values.has_value();
      if (good) *vector = *values;
    }
    if (good)
      robot_.approach = approach;
    else
      section_fault("Approach", from < lines_.size() ? std::optional<Line>(lines_[from]) : std::nullopt,
                    "a point and a direction in the next two lines");
    use(from, lines_.place() - 1);
  }

  void flock() {
    if (!find_section("FlockOfBirds")) return;
    const std::size_t from = lines_.place();
    const std::optional<Line> line = lines_.data();
    if (!line) return section_fault("FlockOfBirds", line, "the number of the bird");
    FlockOfBirds flock;
    const std::vector<Token> words = split_tokens(line->text, line->number, 1, kMostWords);
    const std::string_view first = words.empty() ? std::string_view{} : words[0].text;
    Diagnostics quiet(diagnostics_.file());
    if (is_digits(first)) {
      flock.number = std::string(first);
      (void)read_transform(lines_, flock.transform, reading_, quiet);
    } else {
      diagnostics_.report(
          code::kFlockNumber, start_of(*line),
          fmt::format("the bird's number is missing: GraspIt! takes {} for it and loses the transform", quoted(first)));
      if (loader_) {
        flock.number = std::string(first);
      } else {
        lines_.go_to(lines_.place() - 1);
        (void)read_transform(lines_, flock.transform, reading_, quiet);
      }
    }
    // The line swallowed by the transform does not matter here: sections are searched for from the start of the file.
    const auto real = [](const Diagnostic& d) {
      return d.severity == Severity::error && d.code != code::kTransformSwallow.name;
    };
    if (std::any_of(quiet.items().begin(), quiet.items().end(), real)) section_fault("FlockOfBirds", line, "a transform");
    use(from, lines_.place() - 1);
    robot_.flock_of_birds = std::move(flock);
  }

  std::optional<std::uint32_t> section_count(std::string_view name) {
    const std::optional<Line> line = lines_.data();
    const auto value = line ? parse_integer<std::uint32_t>(trimmed(line->text)) : Number<std::uint32_t>{0, NumberFault::syntax};
    if (value) return value.value;
    section_fault(name, line, "a count");
    return std::nullopt;
  }

  // Numbers of one data line: chain, link, and n more.
  template <std::size_t N>
  std::optional<std::array<double, N>> row(std::string_view name, std::string_view expected) {
    const std::optional<Line> line = lines_.data();
    const auto values = line ? numbers_of<N>(line->text) : std::nullopt;
    const auto is_index = [](double x) { return x >= -1 && x < 1e6 && x == static_cast<double>(static_cast<std::int64_t>(x)); };
    if (values && is_index((*values)[0]) && is_index((*values)[1])) return values;
    section_fault(name, line, expected);
    return std::nullopt;
  }

  void tendons() {
    if (!find_section("Tendons")) return;
    const std::size_t from = lines_.place();
    const auto count = section_count("Tendons");
    for (std::uint32_t i = 0; count && i < *count; ++i) {
      const std::optional<Line> name = lines_.data();
      if (!name) {
        section_fault("Tendons", name, "a tendon's name");
        break;
      }
      check_not_a_section("Tendons", *name, "a tendon's name");
      Tendon tendon;
      tendon.name = std::string(trimmed(name->text));
      const auto points = section_count("Tendons");
      bool good = points.has_value();
      for (std::uint32_t k = 0; good && k < *points; ++k) {
        const auto values = row<5>("Tendons", "chain link x y z");
        good = values.has_value();
        if (good)
          tendon.points.push_back({static_cast<std::int64_t>((*values)[0]),
                                   static_cast<std::int64_t>((*values)[1]),
                                   {(*values)[2], (*values)[3], (*values)[4]}});
      }
      if (!good) break;
      robot_.tendons.push_back(std::move(tendon));
    }
    use(from, lines_.place() - 1);
  }

  void wrappers() {
    if (!find_section("TendonWrappers")) return;
    const std::size_t from = lines_.place();
    const auto count = section_count("TendonWrappers");
    for (std::uint32_t i = 0; count && i < *count; ++i) {
      const auto v = row<9>("TendonWrappers", "chain link x y z ox oy oz radius");
      if (!v) break;
      robot_.wrappers.push_back({static_cast<std::int64_t>((*v)[0]),
                                 static_cast<std::int64_t>((*v)[1]),
                                 {(*v)[2], (*v)[3], (*v)[4]},
                                 {(*v)[5], (*v)[6], (*v)[7]},
                                 (*v)[8]});
    }
    use(from, lines_.place() - 1);
  }

  Lines& lines_;
  bool loader_;
  Reading reading_;
  std::vector<std::size_t> used_;  // lines of sections
  Robot& robot_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::vector<std::size_t> read_sections(Lines& lines, Reading reading, Robot& robot, Diagnostics& diagnostics) {
  return SectionReader(lines, reading, robot, diagnostics).read();
}

}  // namespace simbatch::graspit::detail
