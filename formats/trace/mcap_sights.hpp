#pragma once
/// Channels of an MCAP file with sensor data: scans and pictures.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/mcap/write.hpp"
#include "base/protobuf/wire.hpp"
#include "formats/trace/write.hpp"

namespace simbatch::trace::detail {

void write_timestamp(protobuf::Writer& out, std::uint32_t field, std::uint64_t time);
/// "impreza.chassis.scanner" is "/impreza/chassis/scanner".
std::string topic_of(std::string_view device);

class SensorChannels {
 public:
  /// Scans of devices that the header lacks are left out.
  SensorChannels(McapSights& sights, const Header& header);
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
  void laser_scan(const Scan& scan, std::uint64_t time, std::span<const double> distances);
  void point_cloud(const Scan& scan, std::uint64_t time, std::span<const double> distances);

  std::vector<Scan> scans_;
  std::vector<std::string> cameras_;
  std::vector<std::uint16_t> camera_channels_;
  std::function<std::vector<Picture>(std::int64_t)> pictures_;
  std::string message_;
};

}  // namespace simbatch::trace::detail
