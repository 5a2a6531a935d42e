// Trace writers: 1e6 samples of 10 doubles.
//
//   trace [--rows 1000000] [--rounds 3]
//
// Baseline in the same run: std::to_chars of the same numbers into a buffer, and a plain copy of their bytes. Times are
// processor time; minimum of the rounds. Output goes to /dev/null, so that the disk is not what is measured.

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "base/core/hash.hpp"
#include "base/core/random.hpp"
#include "bench/bench.hpp"
#include "formats/trace/fast_number.hpp"
#include "formats/trace/write.hpp"

using namespace simbatch;

int main(int argc, char** argv) {
  const bench::Options options(argc, argv, {"--rows", "--rounds"});
  const auto rows = static_cast<std::size_t>(options.number("--rows", 1e6));
  const int rounds = options.whole("--rounds", 3);
  constexpr std::size_t kFields = 10;
  RandomStream random(1, "bench.trace");
  std::vector<double> values;
  for (std::size_t i = 0; i < rows * kFields; ++i) values.push_back((random.uniform() - 0.5) * 200);

  trace::Header header;
  header.dt = 1.0 / 240;
  trace::Device device{"robot.part.device", "Device", {}};
  for (std::size_t f = 0; f < kFields; ++f)
    device.fields.push_back({"v" + std::to_string(f), "m", "W", trace::FieldType::number});
  header.devices.push_back(device);
  double bytes_json = 0;  // of the numbers with their commas, and of steps and times, as the document has them
  {
    char text[32];
    for (const double v : values) bytes_json += static_cast<double>(trace::detail::write_number(text, v) - text + 1);
    for (std::size_t r = 0; r < rows; ++r) {
      bytes_json += static_cast<double>(trace::detail::write_number(text, static_cast<double>(r)) - text + 1);
      bytes_json += static_cast<double>(trace::detail::write_number(text, static_cast<double>(r) * header.dt) - text + 1);
    }
  }

  std::printf("way,seconds_min,MB,MB_a_second,ns_a_number,ratio_to_to_chars\n");
  const auto n = static_cast<double>(values.size());
  double base = 0;
  const auto show = [&](const char* way, double seconds, double bytes) {
    if (base == 0) base = seconds;
    std::printf("%s,%.3f,%.1f,%.0f,%.1f,%.2f\n", way, seconds, bytes / 1e6, bytes / 1e6 / seconds, 1e9 * seconds / n,
                base / seconds);
    std::fflush(stdout);
  };
  std::vector<double> times;
  double size = 0;
  std::vector<char> buffer(1 << 20);
  for (int r = 0; r < rounds; ++r) {
    const double t = bench::cpu_seconds();
    size = 0;
    char* p = buffer.data();
    for (const double v : values) {
      if (p - buffer.data() > (1 << 20) - 64) {
        size += static_cast<double>(p - buffer.data());
        p = buffer.data();
      }
      p = std::to_chars(p, p + 32, v).ptr;
      *p++ = ',';
    }
    size += static_cast<double>(p - buffer.data());
    times.push_back(bench::cpu_seconds() - t);
  }
  show("std::to_chars", bench::least(times), size);
  times.clear();
  for (int r = 0; r < rounds; ++r) {
    const double t = bench::cpu_seconds();
    char* p = buffer.data();
    for (const double v : values) {
      if (p - buffer.data() > (1 << 20) - 64) p = buffer.data();
      p = trace::detail::write_number(p, v);
      *p++ = ',';
    }
    times.push_back(bench::cpu_seconds() - t);
  }
  show("write_number", bench::least(times), size);

  for (const trace::Format format : {trace::Format::json, trace::Format::ndjson}) {
    times.clear();
    for (int r = 0; r < rounds; ++r) {
      const double t = bench::cpu_seconds();
      const auto writer = trace::make_writer(format, "/dev/null", header);
      for (std::size_t row = 0; row < rows; ++row)
        writer->row(static_cast<std::int64_t>(row), {values.data() + row * kFields, kFields}, {});
      writer->finish({});
      times.push_back(bench::cpu_seconds() - t);
    }
    // An NDJSON line has {"step":,"time":,"data":{"robot.part.device":[]}} around the numbers: 53 bytes, less one comma.
    show(format == trace::Format::json ? "JSON" : "NDJSON", bench::least(times),
         format == trace::Format::json ? bytes_json : bytes_json + 52.0 * static_cast<double>(rows));
  }
  times.clear();
  std::uint64_t sink = 0;
  for (int r = 0; r < rounds; ++r) {
    const double t = bench::cpu_seconds();
    for (std::size_t i = 0; i + 8192 < values.size(); i += 8192) {
      std::memcpy(buffer.data(), values.data() + i, 8192 * 8);
      sink += static_cast<unsigned char>(buffer[i & 65535]);
    }
    times.push_back(bench::cpu_seconds() - t);
  }
  show("copy of the bytes", bench::least(times), 8 * n);
  std::printf("# check %llu\n", static_cast<unsigned long long>(sink));
  return 0;
}
