// What programs may ask and set: every kind of name and size, states of devices, and images that one program holds at a time.
#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <vector>

#include "lib/sim/program/port.hpp"
#include "lib/sim/program/scheduler.hpp"

using namespace simbatch;
using namespace simbatch::sim;

namespace {

/// Robots "a" (part, drive, gps with a text, range, two cameras) and "b" (drive); the image of a camera is its name's last letter.
struct World final : ImageSource {
  SimulationSettings settings;
  Simulation simulation{settings};
  Diagnostics problems;
  int rendered = 0;
  std::vector<const TreeNode*> cameras;

  World() {
    TreeNode* a = node(simulation.tree(), "a");
    TreeNode* part = node(*a, "part");
    device(*part, "drive", {{-1, 1}, {0, 1}});
    device(*part, "range", {});
    part->register_child(
        std::make_unique<DeviceNode>("gps", make_type("GPSSensor", {{"v", "1", ""}}), Source{}, std::vector<DeviceInput>{}, 1,
                                     [](std::span<const double>, std::string& out) { out += "$GP"; }),
        problems);
    for (const char* const name : {"left", "right"})
      cameras.push_back(part->register_child(
          std::make_unique<DeviceNode>(name, make_type("Camera", {{"v", "1", ""}}), Source{}, std::vector<DeviceInput>{}, 0),
          problems));
    device(*node(simulation.tree(), "b"), "drive", {{-1, 1}});
    simulation.set_images(this);
  }
  TreeNode* node(TreeNode& parent, const char* name) {
    return parent.register_child(std::make_unique<TreeNode>(name, make_type("Thing", {})), problems);
  }
  void device(TreeNode& parent, const char* name, std::vector<DeviceInput> inputs) {
    const std::size_t shared = std::max<std::size_t>(inputs.size(), 1);
    parent.register_child(std::make_unique<DeviceNode>(name, make_type("Device", {{"x", "1", ""}, {"y", "1", ""}}), Source{},
                                                       std::move(inputs), shared),
                          problems);
  }
  std::optional<ImageSize> image_size(const TreeNode& camera) const override {
    if (&camera == cameras[0]) return ImageSize{3, 2};
    if (&camera == cameras[1]) return ImageSize{1, 1};
    return std::nullopt;
  }
  void render(const TreeNode& camera, std::span<std::uint32_t> pixels) override {
    ++rendered;
    std::fill(pixels.begin(), pixels.end(), camera.name().back());
  }
};

/// A program that ends at once.
class Ends final : public Program {
 public:
  using Program::Program;
  Turn run() override { return {Turn::Kind::ended, 0, 3}; }
};

constexpr auto kMismatch = DeviceError::data_size_mismatch;

}  // namespace

TEST_CASE("port: each kind of name has its error, for asking and for setting") {
  World world;
  ProgramPort port(world.simulation, "a");
  float value = 0;
  struct Row {
    const char* name;
    DeviceError get, set;
  };
  for (const Row& row : {Row{"a.part.range", DeviceError::none, DeviceError::invalid_operation},
                         Row{"b.drive", DeviceError::none, DeviceError::none},
                         Row{"a", DeviceError::invalid_device, DeviceError::invalid_device},
                         Row{"a.part", DeviceError::invalid_device, DeviceError::invalid_device},
                         Row{"a.part.rang", DeviceError::unknown_device, DeviceError::unknown_device},
                         Row{"a.part.range.", DeviceError::unknown_device, DeviceError::unknown_device},
                         Row{"a.", DeviceError::unknown_device, DeviceError::unknown_device},
                         Row{"A.part.range", DeviceError::unknown_robot, DeviceError::unknown_robot},
                         Row{"part.range", DeviceError::unknown_robot, DeviceError::unknown_robot},
                         Row{"c.drive", DeviceError::unknown_robot, DeviceError::unknown_robot}}) {
    CAPTURE(row.name);
    CHECK(port.get_data(row.name, &value, 4) == row.get);
    CHECK(port.set_data(row.name, &value, 4) == row.set);
    CHECK((port.status(row.name) == 0) == (row.get != DeviceError::none));
  }
}

TEST_CASE("port: sizes that do not fit change nothing, whatever their sign and pointer") {
  World world;
  ProgramPort port(world.simulation, "a");
  char bytes[16] = {};
  for (const std::int64_t size : {std::int64_t{0}, std::int64_t{3}, std::int64_t{5}, std::int64_t{8}, std::int64_t{-4},
                                  std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
    CAPTURE(size);
    if (size <= 16) CHECK(port.get_data("a.part.range", bytes, size) == kMismatch);
    CHECK(port.get_data("a.part.range", nullptr, size) == kMismatch);
    if (size <= 16 && size != 8) CHECK(port.set_data("a.part.drive", bytes, size) == kMismatch);
    CHECK(port.set_data("a.part.drive", nullptr, size) == kMismatch);
  }
  // A text needs its zero, and may have more room.
  CHECK(port.get_data("a.part.gps", bytes, 3) == kMismatch);
  CHECK(port.get_data("a.part.gps", bytes, 4) == DeviceError::none);
  CHECK(std::strcmp(bytes, "$GP") == 0);
  CHECK(port.get_data("a.part.gps", bytes, 16) == DeviceError::none);
  // What was set comes back within the ranges; what is not a number leaves its input as it was.
  float inputs[2] = {-7, 0.5f}, back[2] = {};
  CHECK(port.set_data("a.part.drive", inputs, 8) == DeviceError::none);
  CHECK(port.get_data("a.part.drive", back, 8) == DeviceError::none);
  CHECK(back[0] == -1);
  CHECK(back[1] == 0.5f);
  inputs[0] = std::numeric_limits<float>::infinity();
  inputs[1] = std::numeric_limits<float>::quiet_NaN();
  CHECK(port.set_data("a.part.drive", inputs, 8) == DeviceError::none);
  CHECK(port.get_data("a.part.drive", back, 8) == DeviceError::none);
  CHECK(back[0] == 1);
  CHECK(back[1] == 0.5f);
}

TEST_CASE("port: only settings that were made count as settings") {
  World world;
  ProgramPort port(world.simulation, "a");
  float value[2] = {};
  port.get_data("b.drive", value, 4);
  port.set_data("b.drive", value, 3);
  port.set_data("b.drive", value, 8);
  port.set_data("a.part.range", value, 4);
  port.set_data("c", value, 4);
  CHECK(port.board().settings() == 0);
  port.set_data("b.drive", value, 4);
  CHECK(port.board().settings() == 1);
}

TEST_CASE("port: states are ready, active while something is set, and paused after the last program has ended") {
  World world;
  ProgramPort port(world.simulation, "a");
  const unsigned ready = static_cast<unsigned>(DeviceStatus::ready);
  CHECK(port.status("a.part.range") == (DeviceStatus::ready | DeviceStatus::active));  // measures by itself
  CHECK(port.status("a.part.left") == ready);
  CHECK(port.status("a.part.drive") == ready);
  float inputs[2] = {0, 0.5f};
  port.set_data("a.part.drive", inputs, 8);
  CHECK(port.status("a.part.drive") == (DeviceStatus::ready | DeviceStatus::active));
  CHECK(port.status("a.part") == 0);

  auto scheduler = std::make_unique<ProgramScheduler>(world.simulation);
  ProgramScheduler* programs = scheduler.get();
  scheduler->add(std::make_unique<Ends>("a", "first", Source{}));
  world.simulation.add(std::move(scheduler));
  CHECK(port.board().has_programs("a"));
  CHECK_FALSE(port.board().has_programs("b"));
  CHECK_FALSE(port.board().all_ended("a"));
  REQUIRE(world.simulation.step());
  CHECK(port.board().all_ended("a"));
  CHECK_FALSE(port.board().all_ended("b"));  // never had one
  CHECK(port.status("a.part.drive") ==
        (DeviceStatus::ready | DeviceStatus::active | static_cast<unsigned>(DeviceStatus::paused)));
  CHECK(port.status("a.part.range") == (DeviceStatus::ready | DeviceStatus::active));
  CHECK(port.status("b.drive") == ready);
  REQUIRE(programs->ends().size() == 1);
  CHECK(programs->ends()[0].label == "first");
  CHECK(programs->ends()[0].status == 3);
  CHECK(programs->ends()[0].step == 0);
}

TEST_CASE("port: the list of devices has all robots' in the order of the tree, with their sizes") {
  World world;
  const ProgramPort port(world.simulation, "b");
  std::vector<std::string> names;
  for (const DeviceInfo& device : port.devices()) {
    names.push_back(device.name + " " + device.kind + " " + std::to_string(device.size));
    CHECK(device.settable == device.name.ends_with("drive"));
  }
  CHECK(names == std::vector<std::string>{"a.part.drive Device 8", "a.part.range Device 4", "a.part.gps GPSSensor 4",
                                          "a.part.left Camera 0", "a.part.right Camera 0", "b.drive Device 4"});
}

TEST_CASE("port: an image is held by one program at a time, and each program holds one") {
  World world;
  ProgramPort first(world.simulation, "a"), second(world.simulation, "b");
  CHECK(first.image_size().width == 3);      // of its first camera
  CHECK(second.image_size().pixels() == 0);  // it has none
  CHECK(first.get_image("a.part.range") == nullptr);
  CHECK(first.get_image("a.part.middle") == nullptr);
  const std::uint32_t* image = first.get_image("a.part.left");
  REQUIRE(image != nullptr);
  CHECK(image[5] == 't');
  CHECK(first.status("a.part.left") == static_cast<unsigned>(DeviceStatus::blocked));
  CHECK(second.status("a.part.left") == static_cast<unsigned>(DeviceStatus::blocked));
  CHECK(second.get_image("a.part.left") == nullptr);
  CHECK(first.get_image("a.part.left") == nullptr);
  CHECK(first.get_image("a.part.right") == nullptr);
  CHECK(world.rendered == 1);
  CHECK(second.get_image("a.part.right") != nullptr);
  CHECK(second.image_size().pixels() == 1);
  first.unlock_image();
  first.unlock_image();
  CHECK(first.status("a.part.left") == static_cast<unsigned>(DeviceStatus::ready));
  CHECK(first.image_size().pixels() == 6);  // of the last one, though it is not held
  // A port that was moved from holds nothing; one that ends lets go.
  {
    REQUIRE(first.get_image("a.part.left") != nullptr);
    ProgramPort moved(std::move(first));
    CHECK(second.status("a.part.left") == static_cast<unsigned>(DeviceStatus::blocked));
    CHECK(moved.robot() == "a");
  }
  CHECK(second.status("a.part.left") == static_cast<unsigned>(DeviceStatus::ready));
  world.simulation.set_images(nullptr);
  second.unlock_image();
  CHECK(second.get_image("a.part.left") == nullptr);
  CHECK(ProgramPort(world.simulation, "a").image_size().pixels() == 0);
}
