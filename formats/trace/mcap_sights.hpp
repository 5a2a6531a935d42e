#pragma once
/// Channels of an MCAP file with sensor data: scans, pictures and their calibrations.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/mcap/write.hpp"
#include "base/protobuf/wire.hpp"
#include "formats/trace/mcap_scene.hpp"
#include "formats/trace/write.hpp"

namespace simbatch::trace::detail {

void write_timestamp(protobuf::Writer& out, std::uint32_t field, std::uint64_t time);
/// "impreza.chassis.scanner" is "/impreza/chassis/scanner".
std::string topic_of(std::string_view device);

class SensorChannels {
 public:
  /// Scans of devices that the header lacks, or whose frame the file lacks, are left out.
  SensorChannels(McapSights& sights, const Header& header, const Transforms& transforms);
  /// Before the first message. @throws std::length_error
  void open(mcap::Writer& out);
  /// Scans are written when they are new, if the device counts them.
  /// @param sequence  of the row
  void write(mcap::Writer& out, std::int64_t step, std::uint64_t time, std::uint32_t sequence, std::span<const double> numbers);

 private:
  struct Scan {
    ScanModel model;
    std::size_t place = 0;                  // of the first distance among the numbers of a row
    std::optional<std::size_t> count = {};  // of the number of scans
    std::optional<double> written = {};     // that number
    std::uint16_t channel = 0;
  };
  struct Camera {
    std::string device, frame;              // no frame: the pose of the camera is not in the file
    std::optional<CameraModel> model = {};  // with a frame
    std::uint16_t pictures = 0, calibrations = 0;
  };
  void laser_scan(const Scan& scan, std::uint64_t time, std::span<const double> distances);
  void point_cloud(const Scan& scan, std::uint64_t time, std::span<const double> distances);
  void picture(const Camera& camera, std::uint64_t time, const std::string& png);
  void calibration(const Camera& camera, std::uint64_t time);

  std::vector<Scan> scans_;
  std::vector<Camera> cameras_;
  std::function<std::vector<Picture>(std::int64_t)> pictures_;
  std::string message_;
};

}  // namespace simbatch::trace::detail
