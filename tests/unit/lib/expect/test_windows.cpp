// Sliding windows, margins and lattice polynomials against their definitions, evaluated by brute force.
#include "lib/expect/windows.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <set>
#include <sstream>

#include "base/core/random.hpp"
#include "lib/expect/expectation.hpp"
#include "lib/expect/polynomial.hpp"

using namespace simbatch;
using namespace simbatch::expect;
using detail::Polynomial;

namespace {

// Few values, so that equal ones are frequent; both truths of 0 among them.
Margin any_margin(RandomStream& random) {
  Margin m;
  const auto n = static_cast<int>(random.below(9)) - 4;
  m.value = n == 4 ? std::numeric_limits<double>::infinity() : n == -4 ? -std::numeric_limits<double>::infinity() : n;
  m.holds = m.value > 0 || (m.value == 0 && random.below(2) == 0);
  return m;
}

bool same(const Margin& a, const Margin& b) { return a.value == b.value && a.holds == b.holds; }

}  // namespace

TEST_CASE("expect: margins are totally ordered by value and truth; least and greatest are a lattice") {
  RandomStream random(1, "margins");
  for (int i = 0; i < 2000; ++i) {
    const Margin a = any_margin(random), b = any_margin(random), c = any_margin(random);
    CHECK((static_cast<int>(less(a, b)) + static_cast<int>(less(b, a)) + static_cast<int>(same(a, b))) == 1);
    if (less(a, b) && less(b, c)) CHECK(less(a, c));
    CHECK(same(least(a, b), least(b, a)));
    CHECK(same(greatest(a, b), greatest(b, a)));
    CHECK(same(least(a, greatest(a, b)), a));
    CHECK(same(greatest(a, least(a, b)), a));
    CHECK(same(least(a, greatest(b, c)), greatest(least(a, b), least(a, c))));
    // Conjunction and disjunction of the truths.
    CHECK(least(a, b).holds == (a.holds && b.holds));
    CHECK(greatest(a, b).holds == (a.holds || b.holds));
    CHECK(same(least(a, Margin::always_true()), a));
    CHECK(same(greatest(a, Margin::always_false()), a));
  }
}

TEST_CASE("expect: of equal margins the first one decides") {
  Margin first{1, true, 0, 3, 0, 0}, second{1, true, 1, 5, 0, 0};
  CHECK(least(first, second).step == 3);
  CHECK(greatest(first, second).step == 3);
  CHECK(least(second, first).step == 5);
}

TEST_CASE("expect: sliding extremes are those of the window, however it moves") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    RandomStream random(seed, "extremes");
    detail::SlidingExtreme lowest(true), highest(false);
    std::vector<Margin> all;
    std::size_t from = 0;
    for (int step = 0; step < 60; ++step) {
      // Sometimes several values come before the window is asked for, and sometimes it is asked for twice.
      for (std::uint64_t n = random.below(3); n > 0; --n) {
        all.push_back(any_margin(random));
        all.back().step = static_cast<std::int64_t>(all.size()) - 1;
        lowest.push(all.back().step, all.back());
        highest.push(all.back().step, all.back());
      }
      from = std::min(all.size() + 1, from + random.below(4));
      Margin low = Margin::always_true(), high = Margin::always_false();
      for (std::size_t i = from; i < all.size(); ++i) low = least(low, all[i]), high = greatest(high, all[i]);
      CHECK(same(lowest.from(static_cast<std::int64_t>(from)), low));
      CHECK(same(highest.from(static_cast<std::int64_t>(from)), high));
      // The earliest of equal ones decides.
      for (std::size_t i = from; i < all.size(); ++i)
        if (same(all[i], low)) {
          CHECK(lowest.from(static_cast<std::int64_t>(from)).step == static_cast<std::int64_t>(i));
          break;
        }
    }
  }
}

TEST_CASE("expect: sliding until and release are those of the window, however it moves") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    RandomStream random(seed, "until");
    detail::SlidingUntil until(true), release(false);
    std::vector<std::pair<Margin, Margin>> all;
    std::size_t from = 0;
    for (int step = 0; step < 60; ++step) {
      for (std::uint64_t n = random.below(4); n > 0; --n) {
        all.emplace_back(any_margin(random), any_margin(random));
        until.push(static_cast<std::int64_t>(all.size()) - 1, all.back().first, all.back().second);
        release.push(static_cast<std::int64_t>(all.size()) - 1, all.back().first, all.back().second);
      }
      from = std::min(all.size() + 1, from + random.below(seed % 2 == 0 ? 3 : 6));
      Margin expected_until = Margin::always_false(), expected_release = Margin::always_true();
      for (std::size_t u = from; u < all.size(); ++u) {
        Margin both = all[u].second, either = all[u].second;
        for (std::size_t v = from; v < u; ++v) both = least(both, all[v].first), either = greatest(either, all[v].first);
        expected_until = greatest(expected_until, both);
        expected_release = least(expected_release, either);
      }
      CHECK(same(until.from(static_cast<std::int64_t>(from)), expected_until));
      CHECK(same(release.from(static_cast<std::int64_t>(from)), expected_release));
    }
  }
}

TEST_CASE("expect: a ring keeps its order while it grows and wraps") {
  detail::Ring<int> ring;
  std::vector<int> expected;
  RandomStream random(2, "ring");
  for (int i = 0; i < 5000; ++i) {
    const std::uint64_t what = random.below(i % 1000 < 500 ? 4 : 6);
    if (what < 2 || expected.empty()) {
      ring.push_back(i);
      expected.push_back(i);
    } else if (what == 2) {
      ring.pop_back();
      expected.pop_back();
    } else {
      ring.pop_front();
      expected.erase(expected.begin());
    }
    REQUIRE(ring.size() == expected.size());
    REQUIRE(ring.empty() == expected.empty());
    if (expected.empty()) continue;
    REQUIRE(ring.front() == expected.front());
    REQUIRE(ring.back() == expected.back());
  }
}

TEST_CASE("expect: polynomials are the functions that they were made of") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    RandomStream random(seed, "polynomials");
    std::vector<Margin> states;
    for (int i = 0; i < 4; ++i) states.push_back(any_margin(random));
    // Pairs of a polynomial and the value of the same formula.
    std::vector<std::pair<Polynomial, Margin>> made;
    for (std::uint32_t i = 0; i < 4; ++i) made.emplace_back(Polynomial::next(i), states[i]);
    for (int i = 0; i < 3; ++i) {
      const Margin constant = any_margin(random);
      made.emplace_back(Polynomial(constant), constant);
    }
    for (int i = 0; i < 12; ++i) {
      const auto a = made[random.below(made.size())], b = made[random.below(made.size())];
      if (random.below(2) == 0)
        made.emplace_back(Polynomial::either(a.first, b.first), greatest(a.second, b.second));
      else
        made.emplace_back(Polynomial::both(a.first, b.first), least(a.second, b.second));
      Margin value = Margin::always_false();
      for (const Polynomial::Term& term : made.back().first.terms()) {
        Margin product = term.coefficient;
        for (std::uint32_t s = 0; s < 4; ++s)
          if ((term.states >> s & 1) != 0) product = least(product, states[s]);
        value = greatest(value, product);
      }
      CHECK(same(value, made.back().second));
      CHECK(!less(made.back().first.upper(), value));
      CHECK(!less(value, made.back().first.lower()));
      CHECK(made.back().first.terms().size() <= 16);
    }
  }
}

TEST_CASE("expect: units are unique, and each is as many of its SI unit as it should be") {
  std::istringstream list(known_units());
  std::set<std::string> names;
  for (std::string name; std::getline(list >> std::ws, name, ',');) {
    CAPTURE(name);
    CHECK(names.insert(name).second);
    const UnitRow* unit = find_unit(name);
    REQUIRE(unit != nullptr);
    CHECK(unit->factor > 0);
    // What has factor 1 is an SI unit itself.
    if (unit->factor == 1 && unit->si != "N m") CHECK(unit->si == unit->name);
  }
  CHECK(names.size() >= 20);
  for (const auto& [many, of_these, same_as, unit] : {std::tuple{3.6, "km/h", 1.0, "m/s"},
                                                      {180.0, "deg", std::numbers::pi, "rad"},
                                                      {60.0, "rpm", 2 * std::numbers::pi, "rad/s"},
                                                      {1.0, "h", 60.0, "min"},
                                                      {1.0, "km", 100000.0, "cm"},
                                                      {1000.0, "g", 1.0, "kg"},
                                                      {1.0, "kN", 1000.0, "N"},
                                                      {1.0, "s", 1000.0, "ms"},
                                                      {1.0, "rad/s", 180 / std::numbers::pi, "deg/s"}}) {
    const auto& shown = of_these;  // clang 14 cannot capture of_these itself
    CAPTURE(shown);
    const UnitRow *a = find_unit(of_these), *b = find_unit(unit);
    REQUIRE(a != nullptr);
    REQUIRE(b != nullptr);
    CHECK(a->si == b->si);
    CHECK(many * a->factor == doctest::Approx(same_as * b->factor).epsilon(1e-15));
  }
  CHECK(find_unit("") == nullptr);
  CHECK(find_unit("KM") == nullptr);
  CHECK(find_unit("furlong") == nullptr);
}
