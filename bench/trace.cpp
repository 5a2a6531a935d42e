// Trace writers: 1e6 samples of 10 doubles.
//
//   trace [--rows 1000000] [--rounds 3]
//
// Baseline in the same run: std::to_chars of the same numbers into a buffer, and a plain copy of their bytes. Times are
// processor time; minimum of the rounds. Output goes to /dev/null, so that the disk is not what is measured; what the checksum
// is of, the same numbers and traces, is written once more, traces to the folder for temporary files.

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
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

struct Nothing {
  void operator()() const {}
  void operator()(std::string_view) const {}
};

/// Processor seconds of each round. @param after  called after each, untimed
template <class Work, class After = Nothing>
std::vector<double> measure(int rounds, Work&& work, After&& after = {}) {
  std::vector<double> times;
  for (int r = 0; r < rounds; ++r) {
    times.push_back(bench::seconds_of(bench::cpu_seconds, work));
    after();
  }
  return times;
}

/// All numbers, each with a comma, into a buffer that is used again and again.
/// @param full  called with what the buffer holds before it is used again, and at the end  @return bytes
template <class Write, class Full = Nothing>
double write_all(const Samples& samples, std::vector<char>& buffer, Write&& write, Full&& full = {}) {
  double size = 0;
  char* p = buffer.data();
  for (const double v : samples.values) {
    if (p - buffer.data() > static_cast<std::ptrdiff_t>(kBuffer) - 64) {
      full(std::string_view(buffer.data(), p));
      size += static_cast<double>(p - buffer.data());
      p = buffer.data();
    }
    p = write(p, v);
    *p++ = ',';
  }
  full(std::string_view(buffer.data(), p));
  return size + static_cast<double>(p - buffer.data());
}

void write_trace(trace::Format format, const trace::Header& header, const Samples& samples,
                 const std::string& path = "/dev/null") {
  const auto writer = trace::make_writer(format, path, header);
  for (std::size_t row = 0; row < samples.rows; ++row)
    writer->row(static_cast<std::int64_t>(row), {samples.values.data() + row * kFields, kFields}, {});
  writer->finish({});
}

std::uint64_t hash_of_trace(trace::Format format, const trace::Header& header, const Samples& samples) {
  const auto path = std::filesystem::temp_directory_path() / "simbatch-bench-trace";
  write_trace(format, header, samples, path.string());
  const std::uint64_t hash = bench::hash_of_file(path.string());
  std::filesystem::remove(path);
  return hash;
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
  double size = 0;
  const auto show = [&](const char* way, const std::vector<double>& times) {
    const double seconds = bench::minimum(times), middle = bench::median(times);
    if (base == 0) base = seconds;
    std::printf("%s,%.3f,%.3f,%.1f,%.0f,%.1f,%.2f\n", way, seconds, middle, size / 1e6, size / 1e6 / seconds, 1e9 * seconds / n,
                base / seconds);
    std::fflush(stdout);
  };
  std::vector<char> buffer(kBuffer);
  bench::Checksum checksum;
  const auto to_chars = [](char* p, double v) { return std::to_chars(p, p + 32, v).ptr; };
  show("std::to_chars", measure(rounds, [&] { size = write_all(samples, buffer, to_chars); }));
  std::string_view last;
  const auto write_numbers = [&] {
    size = write_all(samples, buffer, trace::detail::write_number, [&](std::string_view text) { last = text; });
  };
  show("write_number", measure(rounds, write_numbers, [&] { checksum.add("write_number, last buffer", last); }));
  size = bytes;
  show("JSON", measure(rounds, [&] { write_trace(trace::Format::json, header, samples); }));
  // An NDJSON line has {"step":,"time":,"data":{"robot.part.device":[]}} around the numbers: 53 bytes, less one comma.
  size = bytes + 52.0 * static_cast<double>(samples.rows);
  show("NDJSON", measure(rounds, [&] { write_trace(trace::Format::ndjson, header, samples); }));
  size = 8 * n;
  volatile unsigned char sink = 0;
  show("copy of the bytes", measure(rounds, [&] {
         for (std::size_t i = 0; i + 8192 < samples.values.size(); i += 8192) {
           std::memcpy(buffer.data(), samples.values.data() + i, 8192 * 8);
           sink = static_cast<unsigned char>(buffer[i & 65535]);
         }
       }));
  StateHash numbers;
  write_all(samples, buffer, trace::detail::write_number, [&](std::string_view text) { numbers.add(text); });
  checksum.add("write_number", numbers.value());
  checksum.add("JSON", hash_of_trace(trace::Format::json, header, samples));
  checksum.add("NDJSON", hash_of_trace(trace::Format::ndjson, header, samples));
  return checksum.finish("the numbers and both traces, as written");
}
