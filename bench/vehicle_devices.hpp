#pragma once
/// The whole loop over the vehicle benchmark's world: 8 devices a car, recorded in memory, as JSON, or as a binary recording.

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/vehicle_world.hpp"
#include "formats/trace/write.hpp"
#include "lib/sim/device/device_set.hpp"
#include "lib/sim/record/recorder.hpp"
#include "lib/sim/record/recording.hpp"
#include "lib/sim/simulation.hpp"

namespace simbatch::bench {

enum class Recording { none, memory, json, binary };

/// A simulation of the world with DriveActuator, gyroscope, velocimeter, PSD (10 m), GPS, compass, inclinometer and clock on
/// each car; three of them with noise.
class WholeLoop {
 public:
  WholeLoop(const VehicleWorld& w, double dt, Recording recording) : recording_(recording), simulation_(settings(dt)) {
    auto bodies = std::make_unique<sim::BodyTable>(simulation_);
    auto devices = std::make_unique<sim::DeviceSet>(simulation_, *bodies);
    simulation_.world().add_terrain(w.ground);
    for (const auto& house : w.houses) simulation_.world().add_body(house);
    const sim::NoiseSpec noise[] = {{sim::NoiseKind::gaussian, 0, 0.05}};
    Diagnostics problems;
    for (const auto& car : w.cars) {
      sim::TreeNode* node = simulation_.tree().register_child(
          std::make_unique<sim::TreeNode>(car.name, sim::make_type("Box", sim::BodyTable::pose_fields())), problems);
      const physics::BodyId body = simulation_.world().add_body(car);
      const sim::PartRef part{node, bodies->add(body, *node), body, car.group};
      drives_.push_back(devices->add_drive(part, {"drive", {}, {}}, {500, 800, 0.3, w.wheels.train.has_value()}, problems));
      physics::VehicleSettings v = w.wheels;
      v.name = car.name + ".drive";
      devices->attach_wheels(*drives_.back(), simulation_.world().add_vehicle(body, v), {});
      devices->add_gyroscope(part, {"gyro", {}, noise}, {0, 1, 0}, 0.05, problems);
      devices->add_velocimeter(part, {"speed", {}, noise}, {0, 0, 1}, problems);
      devices->add_psd(part, {"psd", {}, noise}, {{0, 0, 2.2}, {0, 0, 1}, 10}, problems);
      devices->add_gps(part, {"gps", {}, {}}, {0, 0.5, 0}, problems);
      devices->add_compass(part, {"compass", {}, {}}, {0, 0, 1}, problems);
      devices->add_inclinometer(part, {"inclino", {}, {}}, {1, 0, 0}, problems);
      devices->add_time(part, {"clock", {}, {}}, problems);
    }
    simulation_.add(std::move(bodies));
    simulation_.add(std::move(devices));
    nodes_ = sim::traced_nodes(simulation_.tree(), {});
    gatherer_.emplace(simulation_.tree(), nodes_);
  }

  /// From here on rows are recorded.
  void begin() {
    if (recording_ == Recording::memory || recording_ == Recording::json) {
      writer_ = trace::make_writer(trace::Format::json, path_, header());
    } else if (recording_ == Recording::binary) {
      frames_.emplace(path_, simulation_.tree(), sim::RecordingHeader{"bench", 1, simulation_.clock().dt, 1, 0, 0});
    }
  }
  void step(int i) {
    for (std::size_t k = 0; k < drives_.size(); ++k) {
      const physics::VehicleControls c = drive(static_cast<int>(k), i, simulation_.clock().dt);
      drives_[k]->set(0, c.engine_force / 500);
      drives_[k]->set(1, c.steering / 0.3);
      drives_[k]->set(2, c.brake_force / 800);
    }
    if (!simulation_.step()) std::printf("# blew up: %s\n", simulation_.failure()->message.c_str());
    if (writer_) row_to(*writer_);
    if (frames_) frames_->frame();
  }
  void finish() {
    if (recording_ == Recording::json) writer_->finish({});
    if (recording_ == Recording::binary) frames_->finish();
  }
  /// Of a trace of this world.
  trace::Header header() const {
    trace::Header header;
    header.dt = simulation_.clock().dt;
    header.devices = sim::trace_devices(nodes_);
    return header;
  }
  /// To be called once if all rows go to this writer: it may then make their texts.
  void leave_texts_to(trace::Writer& writer) { gatherer_->leave_texts_to(writer); }
  /// The present values.
  void row_to(trace::Writer& writer) {
    gatherer_->gather();
    writer.row(simulation_.clock().step, gatherer_->numbers(), gatherer_->texts());
  }
  std::uint64_t state_hash() const { return simulation_.state_hash(); }
  physics::Vec3 mean_position() const {
    physics::Vec3 sum;
    for (const sim::DeviceNode* d : drives_) {
      const auto v = d->parent()->values();
      sum += {v[0], v[1], v[2]};
    }
    return (1.0 / static_cast<double>(drives_.size())) * sum;
  }

 private:
  static sim::SimulationSettings settings(double dt) {
    sim::SimulationSettings s;
    s.physics.dt = dt;
    s.origin = geo::LatLon{52.5, 13.4};
    return s;
  }
  Recording recording_;
  sim::Simulation simulation_;
  std::vector<sim::DeviceNode*> drives_;
  std::vector<const sim::TreeNode*> nodes_;
  std::optional<sim::RowGatherer> gatherer_;
  std::unique_ptr<trace::Writer> writer_;
  std::optional<sim::RecordingWriter> frames_;
  const std::string path_ = "/dev/null";  // the disk is not what is measured
};

}  // namespace simbatch::bench
