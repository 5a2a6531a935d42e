#include <fmt/format.h>

#include <iostream>

#include "apps/common/console.hpp"
#include "apps/pathparse/codes.hpp"
#include "apps/pathparse/pathparse.hpp"
#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "lib/mission/geometry.hpp"
#include "lib/mission/walker.hpp"

namespace simbatch::pathparse {
namespace {

using medusa::Kind;
using mission::WalkEvent;

struct WalkOptions {
  Source source;
  int vehicle = medusa::kAllVehicles;
};

std::string describe(const medusa::Section& s) {
  switch (s.kind) {
    case Kind::line:
    case Kind::arc:
      return fmt::format("{} ({:.2f}, {:.2f}) to ({:.2f}, {:.2f}), gamma {:.3f} to {:.3f}", medusa::keyword(s.kind), s.xi, s.yi,
                         s.xe, s.ye, s.gamma_s, s.gamma_e);
    case Kind::point:
      return fmt::format("POINT ({:.2f}, {:.2f}), radius {} m, time {} s", s.xe, s.ye, number_text(s.radius),
                         number_text(s.time));
    default: return fmt::format("{} {} m, time {} s", medusa::keyword(s.kind), number_text(s.depth), number_text(s.time));
  }
}

void print(const mission::SectionWalker& walker, const std::vector<WalkEvent>& events) {
  for (const WalkEvent& e : events) {
    switch (e.kind) {
      case WalkEvent::Kind::section: {
        const medusa::Section& s = walker.sections()[e.section];
        cli::print(fmt::format("section {} line {}: {}\n", e.section + 1, s.line, describe(s)));
        break;
      }
      case WalkEvent::Kind::reached: cli::print(fmt::format("reached, waits {} s\n", number_text(e.value))); break;
      case WalkEvent::Kind::depth: cli::print(fmt::format("depth {} m\n", number_text(e.value))); break;
      case WalkEvent::Kind::altitude: cli::print(fmt::format("altitude {} m\n", number_text(e.value))); break;
      case WalkEvent::Kind::end: cli::print("end: hold position\n"); break;
    }
  }
}

/// One line of standard input: `GAMMA [TIME]`, `position X Y [TIME]` or `time TIME`.
bool step(std::string_view line, mission::SectionWalker& walker, double& time) {
  const std::vector<Token> words = split_tokens(line, 0);
  if (words.empty()) return true;
  std::vector<double> values;
  const bool named = words[0].text == "position" || words[0].text == "time";
  for (std::size_t i = named ? 1 : 0; i < words.size(); ++i) {
    const Number<double> value = parse_double(words[i].text);
    if (!value) return false;
    values.push_back(value.value);
  }
  const std::size_t wanted = words[0].text == "position" ? 2 : words[0].text == "time" ? 0 : 1;
  if (values.size() > wanted + 1 || values.size() < wanted) return false;
  if (values.size() == wanted + 1) time = values.back();
  print(walker, walker.tick(time));
  if (words[0].text == "position")
    print(walker, walker.position({values[0], values[1]}, time));
  else if (!named)
    print(walker, walker.gamma(values[0], time));
  return true;
}

cli::ExitCode walk(const WalkOptions& o, cli::Reporter& reporter) {
  const std::optional<medusa::Mission> mission = read(o.source, reporter);
  if (!mission || reporter.failed() || !is_for(*mission, o.vehicle, name_of(o.source), reporter)) return reporter.finish();
  auto sections = o.vehicle == medusa::kAllVehicles
                      ? mission->sections
                      : mission::sections_for(*mission, o.vehicle).value_or(std::vector<medusa::Section>{});
  mission::SectionWalker walker(std::move(sections));
  print(walker, walker.start(0));
  double time = 0;
  std::size_t number = 0;
  for (std::string line; !walker.is_over() && std::getline(std::cin, line);) {
    ++number;
    if (step(line, walker, time)) continue;
    Diagnostics problem("<stdin>");
    problem.report(code::kStep, {static_cast<std::uint32_t>(number), 1},
                   "expected a gamma, \"position X Y\" or \"time T\", found " + simbatch::quoted(line));
    reporter.show(std::move(problem));
    return reporter.finish();
  }
  return reporter.finish();
}

}  // namespace

void add_walk(cli::Command& program) {
  cli::Command& command = program.add("walk", "Walk through the sections as gammas arrive on standard input");
  auto& o = command.keep<WalkOptions>();
  add_source(command, o.source);
  command.option("--vehicle", "ID", o.vehicle, "Only the sections of this vehicle (-1: all sections in file order)")
      .show_default();
  command.check([&o] {
    const bool clash = o.source.file == "-";
    return clash ? "FILE: standard input carries the gammas; give the mission as a file or with --string" : "";
  });
  command.examples({"printf '31\\n70\\n' | pathparse walk mission.txt"});
  command.run([&o](cli::Reporter& reporter) { return walk(o, reporter); });
}

}  // namespace simbatch::pathparse
