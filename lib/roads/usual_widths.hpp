#pragma once
/// Usual widths of roads, for maps without a setup. All programs use this one table: what osmgen keeps clear of houses and
/// parked cars is what is built as lanes.

#include <string_view>

#include "formats/autosim/setup.hpp"

namespace simbatch::roads {

/// Widths of the lanes and pavements of all kinds of road, pedestrian streets and busways included (m). Its name is empty.
autosim::HighwayDimensions usual_widths();

/// Whether cars may drive on a kind of road of that table: not on pedestrian streets and busways.
bool is_for_cars(std::string_view kind);

}  // namespace simbatch::roads
