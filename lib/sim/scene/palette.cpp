#include "lib/sim/scene/palette.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace simbatch::scene {
namespace {

Rgb from_list(std::span<const Rgb> list, std::uint64_t key) { return list[key % list.size()]; }

}  // namespace

Paint building_paint(std::uint64_t key, double base, double height) {
  static const Rgb walls[] = {screen_color(226, 214, 190), screen_color(212, 190, 160), screen_color(197, 122, 92),
                              screen_color(228, 226, 218), screen_color(180, 150, 120), screen_color(208, 200, 176),
                              screen_color(170, 96, 76),   screen_color(196, 206, 200)};
  static const Rgb roofs[] = {screen_color(150, 74, 54), screen_color(122, 66, 52), screen_color(96, 92, 90),
                              screen_color(134, 82, 60)};
  Paint paint;
  paint.material = Material::building;
  paint.color = from_list(walls, key);
  paint.second = from_list(roofs, key / 8);
  paint.base = static_cast<float>(base);
  paint.windows = height > 2.2 ? static_cast<float>(height) : 0;
  // Floors that fill the height evenly.
  paint.floor_height = static_cast<float>(height / std::max(1.0, std::floor(height / 2.8)));
  return paint;
}

Paint house_paint(std::uint64_t key, double base, double height, double walls) {
  Paint paint = building_paint(key, base, height);
  paint.material = Material::house;
  if (walls > 0) {
    paint.floor_height = static_cast<float>(walls / std::max(1.0, std::floor(walls / 2.6)));
    paint.windows = static_cast<float>(walls);
  }
  return paint;
}

std::vector<Paint> tree_paints(std::uint64_t key) {
  Paint crown, trunk;
  crown.material = Material::tree;
  crown.color = mix(screen_color(58, 104, 44), screen_color(98, 126, 52), static_cast<float>(key % 97) / 96);
  trunk.color = screen_color(96, 74, 54);
  return {crown, trunk};
}

Paint body_paint(std::uint64_t key) {
  static const Rgb colors[] = {screen_color(28, 78, 178), screen_color(196, 34, 34),   screen_color(235, 176, 32),
                               screen_color(36, 130, 74), screen_color(226, 226, 230), screen_color(226, 104, 28),
                               screen_color(92, 52, 140), screen_color(28, 140, 150)};
  Paint paint;
  paint.color = from_list(colors, key);
  return paint;
}

Paint car_paint(std::uint64_t key, double belt, double height) {
  Paint paint = body_paint(key);
  paint.material = Material::vehicle;
  paint.base = static_cast<float>(belt);
  paint.floor_height = static_cast<float>(height * 0.42);
  paint.second = screen_color(40, 52, 66);
  return paint;
}

std::vector<Paint> parked_car_paints(std::uint64_t key, double belt, double height) {
  Paint tires;
  tires.color = wheel_paint(0).color;
  return {car_paint(key, belt, height), tires};
}

Paint wheel_paint(double radius) {
  Paint paint;
  paint.material = Material::wheel;
  paint.color = screen_color(34, 34, 36);
  paint.second = screen_color(186, 190, 196);
  paint.base = static_cast<float>(radius);
  return paint;
}

Paint fixture_paint(std::uint64_t key) {
  static const Rgb colors[] = {screen_color(176, 120, 84), screen_color(150, 156, 164), screen_color(188, 170, 130),
                               screen_color(128, 140, 120)};
  Paint paint;
  paint.color = from_list(colors, key);
  return paint;
}

}  // namespace simbatch::scene
