#include "apps/osmgen/summary.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/core/text.hpp"
#include "base/json/write_json.hpp"

namespace simbatch::osmgen {
using town::kReasons;
using town::Reason;

std::string summary_text(const town::Town& town, const town::PlacedHouses& placement) {
  const std::uint64_t houses = placement.placed - placement.small;
  std::string out = fmt::format("{} houses and trees", houses);
  if (houses > placement.along_streets) out += fmt::format(" ({} along streets)", placement.along_streets);
  if (placement.small > 0) out += fmt::format(", {} hedges, fences, street trees and parked cars", placement.small);
  if (town.earlier_houses > 0) out += fmt::format(", {} generated earlier", town.earlier_houses);
  out += '\n';
  for (const town::UseCount& use : placement.uses)
    if (use.placed > 0) out += fmt::format("  {:>9}  {}\n", use.placed, printable(use.use));
  bool head = false;
  for (const town::UseCount& use : placement.uses) {
    if (use.nothing == 0) continue;
    if (!head) out += "places left empty, because the house list has no section for the land use\n";
    head = true;
    out += fmt::format("  {:>9}  {}\n", use.nothing, printable(use.use));
  }
  out += "places considered and rejected\n";
  for (std::size_t r = 0; r < kReasons; ++r)
    if (placement.rejected[r] > 0)
      out += fmt::format("  {:>9}  {}\n", placement.rejected[r], town::to_text(static_cast<Reason>(r)));
  out += "roads of the setup\n";
  for (const town::KindLength& kind : town.lengths)
    if (kind.in_setup || kind.houses)
      out += fmt::format("  {:>9.1f} km  {}{}\n", static_cast<double>(kind.millimeters) * 1e-6, printable(kind.kind),
                         kind.houses ? "" : " (no houses along it)");
  head = false;
  for (const town::KindLength& kind : town.lengths) {
    if (kind.in_setup || kind.houses) continue;
    if (!head) out += "kinds skipped, because the setup does not list them\n";
    head = true;
    out += fmt::format("  {:>9.1f} km  {} ({} way{})\n", static_cast<double>(kind.millimeters) * 1e-6, printable(kind.kind),
                       kind.ways, kind.ways == 1 ? "" : "s");
  }
  if (placement.skipped_forests > 0)
    out += fmt::format("{} areas are too large to be filled with trees\n", placement.skipped_forests);
  return out;
}

std::string summary_json(const town::Town& town, const town::PlacedHouses& placement) {
  json::Writer out(2);
  out.open_object();
  out.member("program", "osmgen");
  out.member("houses", placement.placed - placement.small);
  out.member("along_streets", placement.along_streets);
  if (town.rules.any()) out.member("in_gardens_and_streets", placement.small);
  out.member("generated_earlier", town.earlier_houses);
  out.member("mapped_buildings", town.buildings);
  out.key("landuse").open_array();
  for (const town::UseCount& use : placement.uses) {
    out.open_object();
    out.member("landuse", use.use);
    out.member("in_list", use.in_list);
    out.member("placed", use.placed);
    out.member("left_empty", use.nothing);
    out.close();
  }
  out.close();
  out.key("rejected").open_object();
  const std::size_t reasons = town.rules.any() ? kReasons : town::kPlainReasons;
  for (std::size_t r = 0; r < reasons; ++r) out.member(town::to_text(static_cast<Reason>(r)), placement.rejected[r]);
  out.close();
  out.key("roads").open_array();
  for (const town::KindLength& kind : town.lengths) {
    out.open_object();
    out.member("kind", kind.kind);
    out.member("ways", kind.ways);
    out.member("km", std::round(static_cast<double>(kind.millimeters) * 1e-3) / 1000);
    out.member("in_setup", kind.in_setup);
    out.member("houses", kind.houses);
    out.close();
  }
  out.close();
  out.close();
  return out.text() + "\n";
}

}  // namespace simbatch::osmgen
