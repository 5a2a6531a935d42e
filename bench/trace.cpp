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

namespace {

constexpr std::size_t kFields = 10;
constexpr std::size_t kBuffer = 1 << 20;  // bytes

struct Samples {
  std::size_t rows = 0;
  std::vector<double> values;  // rows * kFields
};

Samples make_samples(std::size_t rows) {
  Samples samples{rows, {}};
  RandomStream random(1, "bench.trace");
  for (std::size_t i = 0; i < rows * kFields; ++i) samples.values.push_back((random.uniform() - 0.5) * 200);
  return samples;
}

trace::Header make_header() {
  trace::Header header;
  header.dt = 1.0 / 240;
  trace::Device device{"robot.part.device", "Device", {}};
  for (std::size_t f = 0; f < kFields; ++f)
    device.fields.push_back({"v" + std::to_string(f), "m", "W", trace::FieldType::number});
  header.devices.push_back(device);
  return header;
}

/// Bytes of the numbers with their commas, and of steps and times, as the JSON document has them.
double json_bytes(const Samples& samples, double dt) {
  char text[32];
  double bytes = 0;
  const auto count = [&](double v) { bytes += static_cast<double>(trace::detail::write_number(text, v) - text + 1); };
  for (const double v : samples.values) count(v);
  for (std::size_t r = 0; r < samples.rows; ++r) {
    count(static_cast<double>(r));
    count(static_cast<double>(r) * dt);
  }
  return bytes;
}

/// Processor seconds of each round.
template <class Work>
std::vector<double> measure(int rounds, Work&& work) {
  std::vector<double> times;
  for (int r = 0; r < rounds; ++r) times.push_back(bench::seconds_of(bench::cpu_seconds, work));
  return times;
}

/// All numbers, each with a comma, into a buffer that is used again and again. @return bytes
template <class Write>
double write_all(const Samples& samples, std::vector<char>& buffer, Write&& write) {
  double size = 0;
  char* p = buffer.data();
  for (const double v : samples.values) {
    if (p - buffer.data() > static_cast<std::ptrdiff_t>(kBuffer) - 64) {
      size += static_cast<double>(p - buffer.data());
      p = buffer.data();
    }
    p = write(p, v);
    *p++ = ',';
  }
  return size + static_cast<double>(p - buffer.data());
}

void write_trace(trace::Format format, const trace::Header& header, const Samples& samples) {
  const auto writer = trace::make_writer(format, "/dev/null", header);
  for (std::size_t row = 0; row < samples.rows; ++row)
    writer->row(static_cast<std::int64_t>(row), {samples.values.data() + row * kFields, kFields}, {});
  writer->finish({});
}

}  // namespace

int main(int argc, char** argv) {
  const bench::Options options(argc, argv, {"--rows", "--rounds"});
  const int rounds = options.whole("--rounds", 3);
  const Samples samples = make_samples(static_cast<std::size_t>(options.number("--rows", 1e6)));
  const trace::Header header = make_header();
  const double bytes = json_bytes(samples, header.dt);

  bench::print_head(argc, argv,
                    "processor time, output to /dev/null; minimum and median of " + std::to_string(rounds) + " rounds");
  std::printf("way,seconds_min,seconds_median,MB,MB_a_second,ns_a_number,ratio_to_to_chars\n");
  const auto n = static_cast<double>(samples.values.size());
  double base = 0;
  const auto show = [&](const char* way, const std::vector<double>& times, double size) {
    const double seconds = bench::minimum(times), middle = bench::median(times);
    if (base == 0) base = seconds;
    std::printf("%s,%.3f,%.3f,%.1f,%.0f,%.1f,%.2f\n", way, seconds, middle, size / 1e6, size / 1e6 / seconds, 1e9 * seconds / n,
                base / seconds);
    std::fflush(stdout);
  };
  std::vector<char> buffer(kBuffer);
  double size = 0;
  const auto to_chars = [](char* p, double v) { return std::to_chars(p, p + 32, v).ptr; };
  show("std::to_chars", measure(rounds, [&] { size = write_all(samples, buffer, to_chars); }), size);
  show("write_number", measure(rounds, [&] { size = write_all(samples, buffer, trace::detail::write_number); }), size);
  show("JSON", measure(rounds, [&] { write_trace(trace::Format::json, header, samples); }), bytes);
  // An NDJSON line has {"step":,"time":,"data":{"robot.part.device":[]}} around the numbers: 53 bytes, less one comma.
  show("NDJSON", measure(rounds, [&] { write_trace(trace::Format::ndjson, header, samples); }),
       bytes + 52.0 * static_cast<double>(samples.rows));
  std::uint64_t sink = 0;
  show("copy of the bytes",
       measure(rounds,
               [&] {
                 for (std::size_t i = 0; i + 8192 < samples.values.size(); i += 8192) {
                   std::memcpy(buffer.data(), samples.values.data() + i, 8192 * 8);
                   sink += static_cast<unsigned char>(buffer[i & 65535]);
                 }
               }),
       8 * n);
  std::printf("# check %llu\n", static_cast<unsigned long long>(sink));
  return 0;
}
