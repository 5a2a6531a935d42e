#ifndef SIMBATCH_USER_PROGRAM_API_H
#define SIMBATCH_USER_PROGRAM_API_H
/// The User Program API of AutoSim (thesis 5.5, B.3, listing A.1), and what simulation time adds to it. C++98 and later.
///
/// A user program is a shared library with int main(int argc, char* argv[]). argv[0] is the robot's name; further arguments
/// come from the scenario. It runs from one sleep to the next between two steps, during which simulation time does not advance.
/// Compile it with `simrun compile prog.cpp -o prog.so`. docs/programs.md describes all of it.

#include <string>
#include <vector>

#include "simbatch_c.h"

#ifndef USER_PROGRAM_API_DECLSPEC
#define USER_PROGRAM_API_DECLSPEC inline
#endif

namespace UserProgramAPI {

typedef std::string STRING;
typedef STRING RobotName;              ///< Name of the robot.
typedef STRING SimDeviceName;          ///< Name of a device in full: "<robot>.<part>.<device>".
typedef unsigned int SimDeviceError;   ///< One of the error codes below.
typedef unsigned int SimDeviceStatus;  ///< Bits of the states below.
typedef void DeviceData;               ///< Input or output of a device: floats, or a text.

/// Error codes.
enum {
  NO_DEVICE_ERROR = 0,    ///< done
  UNKNOWN_ROBOT = 1,      ///< no robot has the name's first part
  UNKNOWN_DEVICE = 2,     ///< the robot has nothing of that name
  INVALID_DEVICE = 3,     ///< the name is not that of a device, but of a robot, a part or a link
  INVALID_OPERATION = 4,  ///< setting a sensor; a call from a thread that the program started
  DATA_SIZE_MISMATCH = 5  ///< dataSize is not the device's
};

/// Device states; a device may be in several.
enum {
  INVALID = 0,  ///< no device of that name
  READY = 1,    ///< answers getData, and setData if it is an actuator
  BLOCKED = 2,  ///< a camera whose image a program holds (then not READY)
  ACTIVE = 4,   ///< a sensor that measures by itself; an actuator that is set to anything but 0
  PAUSED = 8    ///< an actuator without a program: all programs of its robot have ended
};

/// Sets the data of a device on any robot. Takes effect in the step that follows, and lasts until set again.
/// @param device    full name
/// @param data      a float for each input of the actuator, in the order of docs/devices.md; NaN leaves an input unchanged
/// @param dataSize  bytes
USER_PROGRAM_API_DECLSPEC SimDeviceError setData(SimDeviceName device, DeviceData* data, int dataSize) {
  return simbatch_set_data(device.c_str(), data, dataSize);
}

/// Gets the data of a device on any robot: of a sensor what it measured at the end of the last step, noise included; of an
/// actuator its settings.
/// @param data      receives a float for each value; of a GPSSensor its sentence with a terminating zero
/// @param dataSize  bytes: exactly those of the values; of a text at least its length plus 1
USER_PROGRAM_API_DECLSPEC SimDeviceError getData(SimDeviceName device, DeviceData* data, int dataSize) {
  return simbatch_get_data(device.c_str(), data, dataSize);
}

/// @name Beyond the thesis
/// @{

/// Simulation time, s.
USER_PROGRAM_API_DECLSPEC double simTime() { return simbatch_time(); }

/// Sleeps until this simulation time, s; if it has passed, for one step.
USER_PROGRAM_API_DECLSPEC void sleepUntil(double time) { simbatch_sleep_until(time); }

/// State of a device, given by its full name. INVALID if there is no such device.
USER_PROGRAM_API_DECLSPEC SimDeviceStatus deviceStatus(SimDeviceName device) { return simbatch_device_status(device.c_str()); }

/// An entry of listDevices().
struct SimDeviceEntry {
  SimDeviceName name;  ///< full name
  std::string kind;    ///< as the robot file calls it: "PSDSensor"
  int dataSize;        ///< bytes that getData writes now; 0: none
  bool settable;       ///< an actuator
};

/// All devices of all robots, in the order of their files.
USER_PROGRAM_API_DECLSPEC std::vector<SimDeviceEntry> listDevices() {
  const simbatch_device* first = 0;
  const int count = simbatch_list_devices(&first);
  std::vector<SimDeviceEntry> devices;
  for (int i = 0; i < count; ++i) {
    SimDeviceEntry entry;
    entry.name = first[i].name;
    entry.kind = first[i].kind;
    entry.dataSize = first[i].size;
    entry.settable = first[i].settable != 0;
    devices.push_back(entry);
  }
  return devices;
}

/// @}

}  // namespace UserProgramAPI

/// Read a device's data into a variable, and set it from one: the variable's size is the data's. Both give a SimDeviceError.
#define GET_DATA(name, variable) ::UserProgramAPI::getData((name), &(variable), static_cast<int>(sizeof(variable)))
#define SET_DATA(name, variable) ::UserProgramAPI::setData((name), &(variable), static_cast<int>(sizeof(variable)))

#endif
