#include <array>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "tests/unit/lib/town/house_checker.hpp"

namespace simbatch::test {
namespace {

std::string decoded(std::string_view text) {
  static const std::array<std::pair<std::string_view, char>, 5> entities{
      {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}}};
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    bool done = false;
    for (const auto& entity : entities)
      if (text.substr(i, entity.first.size()) == entity.first) {
        out += entity.second;
        i += entity.first.size() - 1;
        done = true;
        break;
      }
    if (!done) out += text[i];
  }
  return out;
}

std::map<std::string, std::string> attributes_of(std::string_view tag) {
  std::map<std::string, std::string> result;
  std::size_t i = 0;
  while (true) {
    const std::size_t equals = tag.find('=', i);
    if (equals == std::string_view::npos) return result;
    std::size_t end = equals;
    while (end > 0 && std::isspace(static_cast<unsigned char>(tag[end - 1]))) --end;
    std::size_t begin = end;
    while (begin > 0 && !std::isspace(static_cast<unsigned char>(tag[begin - 1]))) --begin;
    const std::size_t open = tag.find_first_of("'\"", equals);
    if (open == std::string_view::npos) return result;
    const std::size_t close = tag.find(tag[open], open + 1);
    if (close == std::string_view::npos) return result;
    result[std::string(tag.substr(begin, end - begin))] = decoded(tag.substr(open + 1, close - open - 1));
    i = close + 1;
  }
}

}  // namespace

std::string CheckedMap::Element::tag(const std::string& key) const {
  const auto found = tags.find(key);
  return found == tags.end() ? std::string() : found->second;
}

XY CheckedMap::place(double lat, double lon) const {
  // Lengths of a degree on WGS84 (series in the latitude); the parallel's own radius at each place, so that lengths are
  // right everywhere to 1e-4 within a town.
  const double a = lat0 * std::numbers::pi / 180;
  const double north = 111132.954 - 559.822 * std::cos(2 * a) + 1.175 * std::cos(4 * a);
  const double east = 111412.84 * std::cos(a) - 93.5 * std::cos(3 * a) + 0.118 * std::cos(5 * a);
  // Meridians draw together to the north: second order terms of the same expansion.
  const double dlat = (lat - lat0) * std::numbers::pi / 180, dlon = (lon - lon0) * std::numbers::pi / 180;
  return {(lon - lon0) * (east - 111412.84 * std::sin(a) * dlat),
          (lat - lat0) * north + 0.5 * dlon * dlon * 6378137 * std::cos(a) * std::sin(a)};
}

CheckedMap scan_map(std::string_view text) {
  CheckedMap map;
  CheckedMap::Element* open = nullptr;
  CheckedMap::Element node;
  std::size_t i = 0;
  const auto close = [&] {
    if (open == &node && !node.tags.empty()) map.tagged_nodes.push_back(node);
    open = nullptr;
  };
  while ((i = text.find('<', i)) != std::string_view::npos) {
    if (text.substr(i, 4) == "<!--") {
      i = text.find("-->", i) + 3;
      continue;
    }
    // A '>' may stand in an attribute's value.
    std::size_t end = i;
    char quote = 0;
    for (; end < text.size(); ++end) {
      if (quote != 0) {
        if (text[end] == quote) quote = 0;
      } else if (text[end] == '"' || text[end] == '\'') {
        quote = text[end];
      } else if (text[end] == '>') {
        break;
      }
    }
    const std::string_view tag = text.substr(i + 1, end - i - 1);
    i = end;
    const std::string_view name = tag.substr(0, tag.find_first_of(" \t\r\n/", 1));
    const bool empty = tag.ends_with('/');
    if (name == "/node" || name == "/way" || name == "/relation") close();
    if (name != "node" && name != "way" && name != "relation" && name != "nd" && name != "tag" && name != "member") continue;
    auto attributes = attributes_of(tag);
    if (name == "node") {
      node = {};
      node.kind = attributes["action"] == "delete" ? 'd' : 'n';
      node.id = std::atoll(attributes["id"].c_str());
      node.lat = std::atof(attributes["lat"].c_str());
      node.lon = std::atof(attributes["lon"].c_str());
      if (!map.any) {
        map.lat0 = node.lat;
        map.lon0 = node.lon;
        map.any = true;
      }
      map.at[node.id] = map.place(node.lat, node.lon);
      open = &node;
    } else if (name == "way" || name == "relation") {
      auto& all = name == "way" ? map.ways : map.relations;
      all.emplace_back();
      all.back().id = std::atoll(attributes["id"].c_str());
      open = &all.back();
    } else if (open != nullptr && name == "nd") {
      open->refs.push_back(std::atoll(attributes["ref"].c_str()));
    } else if (open != nullptr && name == "tag") {
      open->tags[attributes["k"]] = attributes["v"];
    } else if (open != nullptr && name == "member" && attributes["type"] == "way") {
      open->way_members.emplace_back(std::atoll(attributes["ref"].c_str()), attributes["role"]);
    }
    if (empty && (name == "node" || name == "way" || name == "relation")) close();
  }
  return map;
}

}  // namespace simbatch::test
