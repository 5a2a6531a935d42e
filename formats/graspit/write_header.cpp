// Edits values in the keyword header of a body file, without changing any other byte.
#include <fmt/format.h>

#include <algorithm>

#include "formats/graspit/header_keywords.hpp"
#include "formats/graspit/parse.hpp"

namespace simbatch::graspit {
namespace {

using namespace detail;

std::string value_line(std::string_view name, std::string_view value) { return fmt::format("#{} {}", name, value); }

std::string joined(std::span<const double> values) {
  std::string out;
  append_values(out, values);
  return out;
}

/// New text of a keyword: its line or lines, without the last line's end.
struct Entry {
  std::string_view name;
  std::string text;
};

std::vector<Entry> entries_of(const Body& body, std::string_view line_end) {
  std::vector<Entry> entries;
  if (body.material) entries.push_back({"material", value_line("material", *body.material)});
  if (body.mass) entries.push_back({"mass", value_line("mass", number_text(*body.mass))});
  if (body.cog) entries.push_back({"cog", value_line("cog", joined(*body.cog))});
  if (body.inertia) {
    std::string rows = "#inertia_matrix";
    for (std::size_t row = 0; row < 3; ++row) (rows += line_end) += "#" + joined(std::span(*body.inertia).subspan(row * 3, 3));
    entries.push_back({"inertia_matrix", rows});
  }
  if (body.youngs) entries.push_back({"youngs", value_line("youngs", number_text(*body.youngs))});
  if (body.flock_of_birds) entries.push_back({"useFlockOfBirds", value_line("useFlockOfBirds", *body.flock_of_birds)});
  return entries;
}

/// Lines [first, last] of a keyword.
struct LineSpan {
  std::size_t first, last;
};

/// Line of each entry in the header (the last one wins, as in GraspIt!), and its last keyword line.
struct HeaderPlaces {
  std::vector<std::optional<LineSpan>> entries;
  std::size_t last_keyword = 0;
};

HeaderPlaces find_places(const Lines& lines, const std::vector<Entry>& entries) {
  HeaderPlaces places;
  places.entries.resize(entries.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Keyword keyword = keyword_of(lines[i].text);
    if (!is_keyword(keyword.name)) continue;
    std::size_t last = i;
    if (keyword.name == "inertia_matrix")
      while (last < i + 3 && last + 1 < lines.size() && lines[last + 1].text.starts_with("#") &&
             numbers_of<3>(lines[last + 1].text.substr(1)))
        ++last;
    for (std::size_t e = 0; e < entries.size(); ++e)
      if (entries[e].name == keyword.name) places.entries[e] = LineSpan{i, last};
    places.last_keyword = last;
    i = last;
  }
  return places;
}

}  // namespace

std::string set_body_header(std::string_view text, const Body& body) {
  const Lines lines(text);
  const std::string_view line_end = text.find("\r\n") != std::string_view::npos ? "\r\n" : "\n";
  const std::vector<Entry> entries = entries_of(body, line_end);
  const HeaderPlaces places = find_places(lines, entries);
  std::string out;
  out.reserve(text.size() + 256);
  std::size_t copied = 0;
  const auto end_of_line = [&](std::size_t i) { return lines[i].offset + lines[i].text.size(); };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (std::size_t e = 0; e < entries.size(); ++e) {
      if (!places.entries[e] || places.entries[e]->first != i) continue;
      out += text.substr(copied, lines[i].offset - copied);
      out += entries[e].text;
      copied = end_of_line(places.entries[e]->last);
    }
    if (i != places.last_keyword) continue;
    const std::size_t here = end_of_line(i);
    if (here > copied) out += text.substr(copied, here - copied), copied = here;
    for (std::size_t e = 0; e < entries.size(); ++e)
      if (!places.entries[e]) (out += line_end) += entries[e].text;
  }
  if (lines.size() == 0)
    for (const Entry& entry : entries) (out += entry.text) += line_end;
  out += text.substr(copied);
  return out;
}

}  // namespace simbatch::graspit
