// The models of models.hpp as a user program of plant.xml's robot, whose name says which one it is: in each step it reads the
// pedals, and shows two outputs as shares of what they are at most. simrun compile plant.cpp models.cpp -o plant.so
// --flag=-std=c++20 --flag=-I../..

#include "UserProgramAPI.h"

#include <string>

#include "bench/search/models.hpp"

namespace {

using namespace UserProgramAPI;

/// @param dt  s, the simulation's step  @param move  of (throttle, brake), both 0..1: a step  @param first, second  outputs, 0..1
template <class Move, class First, class Second>
void run_plant(const std::string& panel, double dt, Move move, First first, Second second) {
  for (long step = 1;; ++step) {
    float throttle = 0, brake = 0;
    GET_DATA(panel + ".throttle", throttle);
    GET_DATA(panel + ".brake", brake);
    auto a = static_cast<float>(first()), b = static_cast<float>(second());
    SET_DATA(panel + ".first", a);
    SET_DATA(panel + ".second", b);
    move(static_cast<double>(throttle), static_cast<double>(brake));
    sleepUntil(static_cast<double>(step) * dt);
  }
}

/// Speed / 200 mph, engine speed / 10,000 rpm.
void run_transmission(const std::string& panel) {
  constexpr double kStep = 0.01;
  simbatch::bench::Transmission plant;
  run_plant(
      panel, kStep, [&](double throttle, double brake) { plant.step(100 * throttle, 325 * brake, kStep); },
      [&] { return plant.speed() / 200; }, [&] { return plant.rpm() / 10000; });
}

/// The gaps between the first two cars and between the last two, divided by 10 km.
void run_cars(const std::string& panel) {
  constexpr double kStep = 0.05;
  simbatch::bench::ChasingCars plant;
  const auto gap = [&](std::size_t car) { return (plant.places()[car] - plant.places()[car - 1]) / 10000; };
  run_plant(
      panel, kStep, [&](double throttle, double brake) { plant.step(throttle, brake, kStep); }, [&] { return gap(1); },
      [&] { return gap(4); });
}

}  // namespace

int main(int, char* argv[]) {
  const std::string robot = argv[0], panel = robot + ".panel";
  if (robot == "cars")
    run_cars(panel);
  else
    run_transmission(panel);
}
