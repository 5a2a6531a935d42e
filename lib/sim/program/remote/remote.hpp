#pragma once
/// The User Program API over the lines of docs/controllers.md: a compiled user program controls a robot of a simulation
/// elsewhere, with the same library file, calls and results as inside of the simulator.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/process/line_channel.hpp"
#include "lib/sim/program/api.hpp"

namespace simbatch::sim {

/// The connection ended, or the other side does not speak the protocol. Propagates through the program unless that catches it.
class RemoteEnded : public std::runtime_error {
 public:
  RemoteEnded(const std::string& what, bool is_over) : std::runtime_error(what), is_over_(is_over) {}
  /// The run has ended normally.
  bool is_over() const { return is_over_; }

 private:
  bool is_over_;
};

/// An input file of the run.
struct RemoteInput {
  std::string name, digest;
};

/// Bytes of one answer. The longest is a picture, four bytes per pixel in base64: up to 31 million pixels.
inline constexpr std::size_t kMaxAnswer = std::size_t{160} << 20;

/// A connection, shared by the program's API and whoever runs it.
class RemoteRun {
 public:
  /// Reads the hello. @param lines  to and from the simulator, with lines of up to kMaxAnswer bytes
  /// @param token  sent as the first line; empty: none @throws RemoteEnded
  RemoteRun(std::unique_ptr<LineExchange> lines, std::string_view token);

  const std::string& robot() const { return robot_; }
  const std::vector<std::string>& arguments() const { return arguments_; }  ///< the robot's name first
  const std::vector<RemoteInput>& inputs() const { return inputs_; }
  double time() const { return time_; }
  std::int64_t start_unix() const { return start_unix_; }
  ImageSize first_image() const { return image_; }

  /// Sends a request, a JSON object, and returns the answer's text. @throws RemoteEnded
  std::string ask(const std::string& request);
  /// Continues until a time (s); infinite: to the end of the run; NaN: one step. @throws RemoteEnded
  void sleep_until(double time);
  /// States this side's digest of an input. The run ends if its own differs.
  void compare(const RemoteInput& own);
  /// The program's part is over. @param status  0 to 255
  void end(int status);
  /// Empty, or why the connection ended before the run.
  const std::string& problem() const { return problem_; }
  /// The run is over.
  bool is_over() const { return over_; }

 private:
  void send(const std::string& line);
  std::string receive();
  [[noreturn]] void fail(const std::string& what, bool is_over);

  std::unique_ptr<LineExchange> lines_;
  std::string robot_;
  std::vector<std::string> arguments_;
  std::vector<RemoteInput> inputs_;
  double time_ = 0;
  std::int64_t start_unix_ = 0;
  ImageSize image_;
  std::string problem_;
  bool over_ = false;
};

/// The API of a program over a connection. @param run  must outlive it
std::unique_ptr<ProgramApi> remote_api(RemoteRun& run);

}  // namespace simbatch::sim
