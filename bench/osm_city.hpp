#pragma once
/// Synthetic cities as OSM XML, of any size, the same for the same seed: streets on a bent grid with names, land use, parks as
/// multipolygons; authors and time stamps as the API writes them; about 230 bytes a node, as real extracts have.
///
/// How much osmgen has to place in a map depends on how much of the map is not streets. In five real towns (street distance 12
/// m, house distance 6 m, the house list of scenarios/circle_town) it places 51, 61, 70, 84, 113 houses a km of street, hardly
/// any of them trees; that is 0.18, 0.5, 0.9, 1.3, 2.9 houses a node, and what it writes is 1.2, 1.7, 2.3, 3.0, 5.8 times as
/// long as what it read: the newer the map, the less. Hence three cities:
/// - `mapped`, with buildings, shops and many nodes a street, and few woods: 0.4 houses a node, as in the newer maps;
/// - `town`, the same with rows of trees along a fifth of its streets: 0.7 houses a node, twice as long, the middle of the
/// five;
/// - `bare`, nothing but streets of few nodes: 3 houses a node, as in the barest of the five.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/core/random.hpp"

namespace simbatch::bench {

enum class CityKind { mapped, town, bare };
constexpr std::string_view to_text(CityKind kind) {
  return kind == CityKind::mapped ? "mapped" : kind == CityKind::town ? "town" : "bare";
}

class City {
 public:
  /// @param write  called with pieces of the text, in order
  template <class Write>
  static void make(CityKind kind, std::uint64_t seed, std::uint64_t bytes, Write write) {
    const std::uint64_t block = kind == CityKind::bare ? 1900 : 6600;  // bytes, measured
    unsigned side = 2;
    while (std::uint64_t{side + 1} * (side + 1) * block <= bytes) ++side;
    City city(kind, seed, side);
    std::string& out = city.out_;
    out += "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<osm version=\"0.6\" generator=\"simbatch bench\">\n";
    out += " <bounds minlat=\"47.9\" minlon=\"7.7\" maxlat=\"48.9\" maxlon=\"9.7\"/>\n";
    const auto flush = [&](std::size_t over) {
      if (out.size() > over) {
        write(std::string_view(out));
        out.clear();
      }
    };
    for (unsigned y = 0; y < side; ++y) {
      for (unsigned x = 0; x < side; ++x) city.nodes(x, y);
      flush(1 << 20);
    }
    for (unsigned y = 0; y < side; ++y) {
      for (unsigned x = 0; x < side; ++x) city.ways(x, y);
      flush(1 << 20);
    }
    for (unsigned i = 0; i < side; ++i) city.relation(i);
    out += "</osm>\n";
    flush(0);
  }

 private:
  static constexpr unsigned kCorners = 5;  // of a building
  static constexpr double kBlock = 110;    // meters

  City(CityKind kind, std::uint64_t seed, unsigned side) : random_(seed, "city"), side_(side) {
    woods_ = kind == CityKind::mapped ? 40 : 5;
    if (kind != CityKind::bare) return;
    bend_ = 3;
    buildings_ = shops_ = 0;
  }

  std::uint64_t node(unsigned x, unsigned y, std::uint64_t k) const {
    const std::uint64_t per_block = 1 + 2 * bend_ + buildings_ * kCorners + shops_;
    return 60'000'001 + 3 * ((std::uint64_t{y} * side_ + x) * per_block + k);
  }

  void number(std::int64_t e7) {
    out_ += std::to_string(e7 / 10'000'000);
    out_ += '.';
    std::string f = std::to_string(e7 % 10'000'000);
    out_.append(7 - f.size(), '0');
    out_ += f;
  }

  void head(std::string_view element, std::uint64_t id) {
    static constexpr std::string_view kUsers[] = {"anna", "Ben K.",  "mapper_77", "woodpeck",
                                                  "Zoé",  "a&amp;b", "surveyor",  "kurt1950"};
    const std::uint64_t r = random_.next32();
    out_ += " <";
    out_ += element;
    out_ += " id=\"" + std::to_string(id) + "\" visible=\"true\" version=\"" + std::to_string(1 + r % 7) + "\" changeset=\"" +
            std::to_string(3'000'000 + r % 60'000'000) + "\" timestamp=\"20" + std::to_string(10 + r % 14) + "-0" +
            std::to_string(1 + r % 9) + "-1" + std::to_string(r % 10) + "T0" + std::to_string(r % 10) + ":2" +
            std::to_string(r / 16 % 10) + ":3" + std::to_string(r / 64 % 10) + "Z\" user=\"";
    out_ += kUsers[r / 256 % 8];
    out_ += "\" uid=\"" + std::to_string(10'000 + r % 500'000) + "\"";
  }

  void place(std::uint64_t id, double east, double north, bool open = false) {
    head("node", id);
    out_ += " lat=\"";
    number(479'000'000 + static_cast<std::int64_t>(north / 0.0111319));
    out_ += "\" lon=\"";
    number(77'000'000 + static_cast<std::int64_t>(east / 0.0074));
    out_ += open ? "\">\n" : "\"/>\n";
  }

  double jitter(double size) { return (random_.uniform() - 0.5) * size; }

  void nodes(unsigned x, unsigned y) {
    const double e = x * kBlock, n = y * kBlock;
    std::uint64_t k = 0;
    place(node(x, y, k++), e + jitter(12), n + jitter(12));
    for (unsigned direction = 0; direction < 2; ++direction)
      for (unsigned i = 1; i <= bend_; ++i) {
        const double along = kBlock * i / (bend_ + 1);
        place(node(x, y, k++), e + (direction == 0 ? along : jitter(6)), n + (direction == 1 ? along : jitter(6)));
      }
    for (unsigned b = 0; b < buildings_; ++b) {
      const double w = 9 + 6 * random_.uniform(), d = 8 + 5 * random_.uniform();
      const double be = e + 28 + 26.0 * b, bn = n + 40 + jitter(24);
      const double corners[kCorners][2] = {{0, 0}, {w, 0}, {w, d}, {w / 2, d + 1.5}, {0, d}};
      for (const auto& c : corners) place(node(x, y, k++), be + c[0], bn + c[1]);
    }
    for (unsigned s = 0; s < shops_; ++s) {
      place(node(x, y, k++), e + 50 + jitter(40), n + 50 + jitter(40), true);
      tag("shop", random_.next32() % 2 == 0 ? "bakery" : "kiosk");
      tag("name", "Shop " + std::to_string(random_.next32() % 5000));
      out_ += " </node>\n";
    }
  }

  void tag(std::string_view k, std::string_view v) {
    out_ += "  <tag k=\"";
    out_ += k;
    out_ += "\" v=\"";
    out_ += v;
    out_ += "\"/>\n";
  }
  void ref(std::uint64_t id) { out_ += "  <nd ref=\"" + std::to_string(id) + "\"/>\n"; }

  void ways(unsigned x, unsigned y) {
    static constexpr std::string_view kKinds[] = {"residential",   "residential", "service",      "tertiary",
                                                  "living_street", "secondary",   "unclassified", "footway"};
    static constexpr std::string_view kUses[] = {"residential", "commercial", "industrial", "retail"};
    for (unsigned direction = 0; direction < 2; ++direction) {
      if ((direction == 0 ? x : y) + 1 == side_) continue;
      head("way", next_way_ += 2);
      out_ += ">\n";
      ref(node(x, y, 0));
      for (unsigned i = 0; i < bend_; ++i) ref(node(x, y, 1 + direction * bend_ + i));
      ref(direction == 0 ? node(x + 1, y, 0) : node(x, y + 1, 0));
      // A street keeps its kind and name over the whole city.
      const unsigned line = direction == 0 ? y : x;
      tag("highway", kKinds[(line * 7 + direction) % 8]);
      tag("name", (direction == 0 ? "East Street " : "Straße am Nordhang ") + std::to_string(line));
      if (line % 16 == 3) tag("oneway", "yes");
      if (random_.next32() % 64 == 0) tag("bridge", "yes");
      out_ += " </way>\n";
    }
    for (unsigned b = 0; b < buildings_; ++b) {
      head("way", next_way_ += 2);
      out_ += ">\n";
      const std::uint64_t first = 1 + 2 * bend_ + b * kCorners;
      for (unsigned c = 0; c <= kCorners; ++c) ref(node(x, y, first + c % kCorners));
      tag("building", random_.next32() % 8 == 0 ? "house" : "yes");
      if (random_.next32() % 2 == 0) {
        tag("addr:housenumber", std::to_string(1 + random_.next32() % 99));
        tag("addr:street", "East Street " + std::to_string(y));
      }
      out_ += " </way>\n";
    }
    if (x % 3 == 0 && y % 3 == 0 && x + 3 < side_ && y + 3 < side_) {
      head("way", next_way_ += 2);
      out_ += ">\n";
      ref(node(x, y, 0));
      ref(node(x + 3, y, 0));
      ref(node(x + 3, y + 3, 0));
      ref(node(x, y + 3, 0));
      ref(node(x, y, 0));
      const std::uint32_t use = random_.next32();
      tag("landuse", use % woods_ == 0 ? "forest" : kUses[use / woods_ % 4]);
      out_ += " </way>\n";
    }
  }

  void relation(unsigned i) {
    head("relation", 100 + 3 * std::uint64_t{i});
    out_ += ">\n  <member type=\"way\" ref=\"" + std::to_string(400'000 + 2 * (i + 1)) + "\" role=\"outer\"/>\n";
    tag("type", "multipolygon");
    tag("leisure", "park");
    out_ += " </relation>\n";
  }

  unsigned bend_ = 6;       // nodes of a street between two junctions
  unsigned buildings_ = 3;  // a block
  unsigned shops_ = 1;
  unsigned woods_ = 5;  // one area in so many is a wood
  std::string out_;
  RandomStream random_;
  unsigned side_;
  std::uint64_t next_way_ = 400'000;
};

}  // namespace simbatch::bench
