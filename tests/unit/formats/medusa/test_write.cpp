#include <doctest/doctest.h>

#include "base/core/random.hpp"
#include "formats/medusa/emulate.hpp"
#include "formats/medusa/medusa.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/formats/medusa/examples.hpp"

using namespace simbatch;
using namespace simbatch::medusa;
using test_data::with;

namespace {
double number(RandomStream& random) {
  const double scale[] = {1, 0.01, 1e6, 1e-9, 1e17};
  return (random.uniform() - 0.5) * scale[random.below(5)];
}

Mission any_mission(std::uint64_t seed) {
  RandomStream random(seed, "any_mission");
  Mission m;
  const int versions[] = {3, 3, 2, 5};
  m.version = versions[random.below(4)];
  if (m.version == 5) {
    m.origin = Origin{random.uniform() * 180 - 90, random.uniform() * 360 - 180, number(random), number(random), {}};
  } else {
    m.reference = Reference{number(random), number(random), random.below(2) != 0 ? "29S" : "", {}, {}};
  }
  for (std::uint64_t n = random.below(3); n > 0; --n)
    m.formation.push_back({static_cast<std::int32_t>(n), number(random), number(random)});
  for (std::uint64_t n = random.below(3); n > 0; --n)
    m.bias.push_back({static_cast<std::int32_t>(n), number(random), number(random)});
  const std::size_t count = random.below(6);
  for (std::size_t i = 0; i < count; ++i) {
    Section s;
    s.kind = static_cast<Kind>(1 + random.below(5));
    if (m.version != 2) s.vehicle = static_cast<std::int32_t>(random.below(5)) - 1;
    if (m.version != 2 && random.below(3) == 0) s.gamma = number(random);
    if (random.below(3) == 0) s.user_data = m.version != 2 && s.gamma && random.below(2) != 0 ? "12 words" : "words \"#\" 12";
    switch (s.kind) {
      case Kind::point:
        s.xe = number(random), s.ye = number(random), s.radius = number(random), s.velocity = -1, s.heading = 12,
        s.time = number(random);
        break;
      case Kind::arc:
        s.xc = number(random), s.yc = number(random), s.direction = random.below(2) != 0 ? 1 : -1, s.radius = number(random);
        [[fallthrough]];
      case Kind::line:
        s.xi = number(random), s.yi = number(random), s.xe = number(random), s.ye = number(random), s.velocity = number(random);
        break;
      default: s.depth = number(random), s.time = number(random); break;
    }
    m.sections.push_back(s);
  }
  const std::int64_t first = m.formation.empty() && m.bias.empty() ? -3 : -4;
  std::int64_t last = -1;
  for (std::int64_t place :
       {std::int64_t{-1}, std::int64_t{-2}, std::int64_t{-3}, first, std::int64_t{0}, static_cast<std::int64_t>(count)}) {
    if (place == -3 && m.version != 5) continue;
    if (place == last) continue;
    last = place;
    if (random.below(2) != 0) m.comments.push_back({"# c" + std::to_string(place), place});
  }
  assign_gammas(m.sections);
  return m;
}
}  // namespace

TEST_CASE("what is written reads back the same, for any mission") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    CAPTURE(seed);
    const Mission m = any_mission(seed);
    for (const bool crlf : {false, true}) {
      WriteOptions options;
      options.crlf = crlf;
      const std::string text = write_mission(m, options);
      CAPTURE(text);
      const auto parsed = read_mission(text, "m");
      REQUIRE(parsed.value);
      CHECK(*parsed.value == m);
    }
  }
}

TEST_CASE("canonical text is a fixed point") {
  for (const std::string& text :
       {test_data::kLawnMower, test_data::kFormation, with(" line 0 0 1e0 0.50 1 \n#c\nARC0 0 1 0 2 0 1 1 1 \n")}) {
    const std::string once = write_mission(*read_mission(text, "m").value);
    const std::string twice = write_mission(*read_mission(once, "m").value);
    CHECK(once == twice);
  }
}

TEST_CASE("the canonical form is what the documentation's example is, with shortest numbers") {
  CHECK(write_mission(*read_mission(test_data::kFormation, "m").value) ==
        "#Version\n3\n#Xrefpoint Yrefpoint UTM Zone\n491854.338 4290819.848 29S\n"
        "FORMATION 1 0 -3 2 0 0 3 0 3\n"
        "# Mission from vehicle -1\n"
        "LINE -24.57 -24.57 -24.57 12.29 0.3 -1\n"
        "ARC -24.57 12.29 -12.29 12.29 0 12.29 0.3 -1 12.29 -1\n"
        "LINE 0 12.29 0 -12.29 0.3 -1\n"
        "ARC 0 -12.29 12.29 -12.29 24.57 -12.29 0.3 1 12.29 -1\n"
        "LINE 24.57 -12.29 24.57 24.57 0.3 -1\n");
}

TEST_CASE("numbers are written without exponents, with all their digits") {
  Mission m = *read_mission("3\n500000 4e6 29S\nLINE 1e-7 100000 -1e22 1e5 5e-324 -1\n", "m").value;
  const std::string text = write_mission(m);
  CAPTURE(text);
  CHECK(text.find("\n500000 4000000 29S\nLINE 0.0000001 100000 -10000000000000000000000 100000 0.0000") != std::string::npos);
  CHECK(text.substr(0, text.find("29S")).find('e') == std::string::npos);
  CHECK(text.substr(text.find("LINE") + 4).find('e') == std::string::npos);
  CHECK(read_mission(text, "m").value->sections == m.sections);
}

TEST_CASE("without gammas the vehicle and the console keep every section, in both line ends") {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Mission m = any_mission(seed);
    m.version = 3;
    m.origin.reset();
    if (!m.reference) m.reference = Reference{1, 2, "29S", {}, {}};
    m.formation.clear();
    m.bias.clear();
    for (Section& s : m.sections)
      if (s.kind == Kind::depth || s.kind == Kind::alt) s.kind = Kind::line, s.depth = 0, s.time = -1;
    WriteOptions options;
    options.strip_gamma = true;
    options.crlf = seed % 2 != 0;
    const std::string text = write_mission(m, options);
    CAPTURE(text);
    CHECK(emulate(text, Reader::vehicle).sections.size() == m.sections.size());
    CHECK(emulate(text, Reader::vehicle).dropped.empty());
    CHECK(emulate(text, Reader::console).sections.size() == m.sections.size());
  }
}
