// --set: an address, `=`, a value. What an address leads to can be replaced, and replaced again with the same result, in the
// scenario and in a robot's file.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/core/input.hpp"
#include "lib/study/address.hpp"

using namespace simbatch;

namespace {

constexpr std::string_view kScenario =
    "<World name=\"w\"><Physics><Engine name=\"b\"><Friction value=\"1\"/><StepSize value=\"0.01\"/></Engine></Physics><Objects>"
    "<Box name=\"wall\"><Position x=\"1\" y=\"2\" z=\"3\"/><Mass value=\"4\"/></Box>"
    "<Robot name=\"car\" file=\"car.xml\"><Position x=\"0\"/></Robot></Objects></World>";
constexpr std::string_view kRobot =
    "<Robot name=\"r\"><Parts><Box name=\"chassis\"><Mass value=\"9\"/></Box></Parts><Devices>"
    "<PSDSensor name=\"psd0\"><Part name=\"chassis\"/><Range value=\"5\"/></PSDSensor>"
    "<Control name=\"a\"/><Control/><Control value=\"2\"/></Devices></Robot>";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto kWorldFile = xml::Document::parse(kScenario, "w.xml");
  static const auto kRobotFile = xml::Document::parse(kRobot, "car.xml");
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t equals = text.find('=');
  const std::string_view address = text.substr(0, equals);
  std::string problem;
  bool opened = false;
  const auto path = study::detail::path_of_address(
      address, kWorldFile.value->root(),
      [&](const std::string&) {
        opened = true;
        return std::optional(kRobotFile.value->root());
      },
      problem);
  if (path.has_value() == !problem.empty()) std::abort();
  if (opened || equals == std::string_view::npos) return 0;
  const scenario::FileChange setting{std::string(address), std::string(text.substr(equals + 1))};
  try {
    Diagnostics problems("fuzz");
    const auto once = study::with_settings(kScenario, {.scenario = "/nonexistent/w.xml"}, {setting}, problems);
    if (!once) return 0;
    if (!xml::Document::parse(once->scenario, "once").ok()) std::abort();
    const auto twice = study::with_settings(once->scenario, {.scenario = "/nonexistent/w.xml"}, {setting}, problems);
    // An address may lead elsewhere once a name has been replaced.
    if (twice && address.find("name") == std::string_view::npos && twice->scenario != once->scenario) std::abort();
  } catch (const IoError&) {
    return 0;  // a robot's file, which is not there
  }
  return 0;
}
